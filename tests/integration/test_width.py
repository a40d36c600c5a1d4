# SPDX-License-Identifier: Apache-2.0
"""What a verb prints for people fits a terminal of 80 columns."""
import json
import pathlib
import unittest

from cli import SNELLEN, Case, call, probe_c_groups, probe_c_scores

FIXTURES = pathlib.Path(__file__).resolve().parents[1] / "golden" / "models"
HAS_NETWORKS = (pathlib.Path(SNELLEN).parent / "libsnellen_networks.so").exists()
COLUMNS = 80


class Width(Case):
    def fits(self, *words, code=0):
        done = call(*words)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        self.assertEqual([line for line in done.stdout.splitlines() if len(line) > COLUMNS], [], " ".join(map(str, words[:2])))
        return done

    def score(self, name, seed):
        self.write("data/data_compositional_switch.json", probe_c_groups(60))
        self.write("scores.jsonl", probe_c_scores(60, seed))
        # No path of the test's folder: what the user names is as long as it is.
        self.fits("score", "probe-c", "--scores", self.folder / "scores.jsonl", "--data", self.folder / "data", "--name", name, "--output", self.folder / "runs")
        return self.folder / "runs" / f"{name}-probe-c"

    def test_verbs_about_runs(self):
        one, two = self.score("one", 1), self.score("two", 2)
        self.fits("compare", one, two)
        self.fits("gate", one, "--require", "probe-c/composition/group>=0")
        self.fits("verify", one)
        self.fits("power", one, two, "--difference", 0.2)
        self.fits("report", self.folder / "runs", "--output", self.folder / "report")

    def test_lists(self):
        for what in ("tasks", "models", "metrics", "corruptions"):
            self.fits("list", what)

    def test_imports(self):
        log = self.write("model/20260101_samples_a_task_with_a_long_name.jsonl", "".join(
            json.dumps({"doc_id": i, "input": "is it?", "target": "yes", "filtered_resps": ["yes"], "exact_match": i % 2,
                        "a_metric_with_a_rather_long_name": 0.5}) + "\n" for i in range(12)))
        self.fits("import", "lmms-eval", log, "--metric", "exact_match", "--output", self.folder / "runs")

    def test_a_plan(self):
        self.write("data/data_compositional_switch.json", probe_c_groups(60))
        self.fits("run", "--model", "fake", "--tasks", "probe-c", "--data", self.folder / "data", "--dry-run")
        self.fits("run", "--model", "fake", "--tasks", "probe-c", "--data", self.folder / "data", "--output", self.folder / "runs")


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: Apache-2.0
"""A benchmark whose answers are all alike fails (tools/bench/answers.py)."""
import pathlib
import sys
import unittest

from cli import Case, call, probe_c_groups, probe_c_scores

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools" / "bench"))
from answers import expect_telling, stored_scores, whats_degenerate  # noqa: E402


class BenchAnswers(Case):
    def test_what_tells_inputs_apart_is_accepted_and_what_does_not_is_not(self):
        self.assertEqual(whats_degenerate([[1, 2], [2, 3], [4, 1]]), "")
        self.assertEqual(whats_degenerate([[1, 1], [1, 1]]), "4 of 4 scores are equal")
        self.assertEqual(whats_degenerate([[1, 1, 0.2], [2, 2, 0.3], [4, 1, 5]]), "2 of 3 items have a tie for the best")
        self.assertEqual(whats_degenerate([[1, None]]), "a score is missing")
        self.assertEqual(whats_degenerate([]), "there are no scores")

    def test_scores_of_a_run_are_looked_at(self):
        self.write("data/data_compositional_switch.json", probe_c_groups(20))
        scores = {"good": probe_c_scores(20), "bad": "".join('{"split": "composition", "index": %d, "scores": [[1, 1], [1, 1]]}\n' % i for i in range(20))}
        for name, text in scores.items():
            result = call("score", "probe-c", "--scores", self.write(f"{name}.jsonl", text), "--data", self.folder / "data", "--output", self.folder / name)
            self.assertEqual(result.returncode, 0, result.stderr)
        expect_telling("good", stored_scores(self.folder / "good"))
        with self.assertRaisesRegex(SystemExit, "80 of 80 scores are equal"):
            expect_telling("bad", stored_scores(self.folder / "bad"))


if __name__ == "__main__":
    unittest.main()

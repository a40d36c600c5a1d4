"""Run folders of schema 1 still open, verify, compare, gate, merge and export, and their settings run again."""
import hashlib
import json
import pathlib
import shutil
import sqlite3

from cli import Case, call, contents

HERE = pathlib.Path(__file__).resolve().parent
FINISHED = ("given-bias-close", "given-vilma", "given-visdial-gen", "half-probe-c-shard0of2", "half-probe-c-shard1of2", "one-own_items",
            "one-probe-b-background", "one-probe-c", "one-probe-r", "scored-probe-c", "two-probe-c")


def bytes_of(folder):
    """A digest of every file but the lock, by path: that a folder was only read shows here."""
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in sorted(folder.rglob("*")) if path.is_file() and path.name != "run.lock" and not path.name.startswith("samples.db-")}


def without_intervals(results):
    """Intervals follow the rules of the program that made them, and more metrics have a chance level now; values, counts and ties do not change."""
    return [{name: value for name, value in one.items() if name not in ("low", "high", "interval", "reason", "chance")} for one in results["metrics"]]


def same_files(folder):
    """Everything but results.json, and but the samples of ViLMA: these share the video now, and shared its time window."""
    found = contents(folder)
    found.pop("results.json")
    if folder.name.endswith("vilma"):
        found.pop("samples")
    return found


class Schema1(Case):
    """Works in a copy of schema_1/, where the samples are databases again."""

    def setUp(self):
        super().setUp()
        self.place = self.folder / "schema_1"
        shutil.copytree(HERE / "schema_1", self.place)
        self.runs = self.place / "runs"
        for text in self.runs.glob("*/samples.sql"):
            connection = sqlite3.connect(text.with_suffix(".db"))
            connection.executescript(text.read_text())
            connection.commit()
            connection.close()
            text.unlink()
        self.before = bytes_of(self.runs)

    def call(self, *arguments, code=0):
        result = call(*arguments, cwd=self.place)
        self.assertEqual(result.returncode, code, f"{arguments}\n{result.stdout}{result.stderr}")
        return result

    def tearDown(self):
        self.assertEqual(bytes_of(self.runs), self.before, "a folder of schema 1 was written to")
        super().tearDown()

    def test_every_finished_run_verifies(self):
        for name in FINISHED:
            with self.subTest(name):
                self.assertIn("0 differences", self.call("verify", self.runs / name).stdout)

    def test_a_changed_sample_is_still_found(self):
        run = self.folder / "changed"
        shutil.copytree(self.runs / "one-probe-c", run)
        connection = sqlite3.connect(run / "samples.db")
        connection.execute("UPDATE samples SET cluster = 'other' WHERE id = 3")
        connection.commit()
        connection.close()
        self.assertIn("differs", "".join((self.call("verify", run, code=1).stdout, self.call("verify", run, code=1).stderr)))

    def test_the_interrupted_run_says_so(self):
        result = self.call("verify", self.runs / "stopped-probe-c", code=1)
        self.assertIn("interrupted", result.stdout + result.stderr)

    def test_two_runs_compare_item_by_item(self):
        comparison = json.loads(self.call("compare", self.runs / "one-probe-c", self.runs / "two-probe-c", "--json").stdout)
        row = next(row for row in comparison["rows"] if row["id"] == "probe-c")
        self.assertEqual(sum(row["counts"].values()), 24)

    def test_a_new_run_compares_with_an_old_one(self):
        self.call("run", "--model", "fake", "--seed", 7, "--tasks", "probe-c", "--data", "data", "--name", "two", "--output", "new")
        comparison = json.loads(self.call("compare", self.runs / "two-probe-c", self.place / "new" / "two-probe-c", "--json").stdout)
        row = next(row for row in comparison["rows"] if row["id"] == "probe-c")
        self.assertEqual((row["difference"], row["counts"]["only_first"], row["counts"]["only_second"]), (0, 0, 0))

    def test_gate_reads_their_results(self):
        requirement = "probe-c/composition/right_pairs/conf"
        self.call("gate", self.runs / "one-probe-c", "--require", f"{requirement}>=0")
        self.call("gate", self.runs / "one-probe-c", "--require", f"{requirement}>=1", code=5)
        self.call("gate", self.runs / "one-probe-c", "--require", f"{requirement}>=baseline", "--baseline", self.runs / "one-probe-c")

    def test_shards_merge_to_the_numbers_of_the_whole_run(self):
        self.call("merge", self.runs / "half-probe-c-shard0of2", self.runs / "half-probe-c-shard1of2", "--output", "merged")
        merged, whole = (json.loads((folder / "results.json").read_text()) for folder in (self.place / "merged" / "half-probe-c", self.runs / "one-probe-c"))
        self.assertEqual(without_intervals(merged), without_intervals(whole))
        self.call("verify", self.place / "merged" / "half-probe-c")

    def test_their_settings_run_again_to_the_same_numbers(self):
        for name in FINISHED:
            with self.subTest(name):
                self.call("run", "--config", self.runs / name / "run.json", "--output", "again")
                again, before = self.place / "again" / name, self.runs / name
                results = [json.loads((folder / "results.json").read_text()) for folder in (again, before)]
                self.assertEqual(without_intervals(results[0]), without_intervals(results[1]))
                self.assertEqual(same_files(again), same_files(before))

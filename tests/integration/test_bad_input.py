"""Bad input, one test each: one clear line (what, where, what to do), the right exit code, nothing lost."""
import json
import os
import shutil
import subprocess
import unittest

from cli import SNELLEN, Case, call, probe_c_groups, probe_c_scores


class BadInput(Case):
    def score(self, groups, scores=None, task="probe-c", name="data_compositional_switch.json", more=()):
        self.write(f"data/{name}", groups)
        path = self.write("scores.jsonl", probe_c_scores(5) if scores is None else scores)
        return call("score", task, "--scores", path, "--data", self.folder / "data", "--output", self.folder / "out", *more)

    def results(self, run="file-probe-c"):
        return json.loads((self.folder / "out" / run / "results.json").read_text())["metrics"]

    def n_of(self, metric, run="file-probe-c"):
        return next(one["n"] for one in self.results(run) if one["id"] == metric)

    def test_missing_key(self):
        groups = probe_c_groups(5)
        del groups[3]["img2_prompt"]
        self.expect(self.score(groups), 4, "record 3", "key 'img2_prompt' is missing", "data_compositional_switch.json")
        self.assertEqual(self.n_of("probe-c/composition/group"), 4)

    def test_wrong_type(self):
        groups = probe_c_groups(5)
        groups[2]["img1_prompt"] = 7
        self.expect(self.score(groups), 4, "record 2", "'img1_prompt' is a number, expected a text")
        self.assertEqual(self.n_of("probe-c/composition/group"), 4)

    def b_groups(self):
        return [{"image_id": i, "image": f"COCO_val2014_{i:012d}.jpg", "annotations": {"dog": []}} for i in range(3)]

    def b_scores(self):
        return "".join(json.dumps({"image_id": i, "logits": {k: [float(j) for j in range(80)] for k in ("gt", "patch", "mod")}}) + "\n" for i in range(3))

    def score_b(self, groups, scores=None, more=()):
        return self.score(groups, scores or self.b_scores(), "probe-b-background", "background_context_dataset.json", more)

    def test_unknown_class(self):
        groups = self.b_groups()
        groups[1]["annotations"] = {"unicorn": []}
        self.expect(self.score_b(groups), 4, "record 1", "class 'unicorn' is not in the class table")
        self.assertEqual(self.n_of("probe-b-background/noise/gt/map", "file-probe-b-background"), 2)
        shutil.rmtree(self.folder / "out")
        self.expect_error(self.score_b(groups, more=("--compat",)), 3, "unicorn")

    def test_empty_list(self):
        group = {"positive_image_ids": [1], "negative_image_ids": [2], "positive_prompt": "a", "negative_prompt": "b",
                 "negative_predicate_prompt": "c", "positive_object": "d", "negative_object": "e"}
        groups = {"11": group, "12": {**group, "positive_image_ids": []}}
        scores = "".join(json.dumps({"image_id": i, "anchor": [1, 2, 3, 4, 5], "obj1": [[1, 2, 3, 4, 5]], "obj3": [[1, 2, 3, 4, 5]]}) + "\n" for i in ("11", "12"))
        self.expect(self.score(groups, scores, "probe-r", "relation_eval_subject.json"), 4, "record '12'", "'positive_image_ids' is empty")

    def test_duplicate_id(self):
        groups = self.b_groups()
        groups[2]["image_id"] = 0
        self.expect(self.score_b(groups, more=("--ignore-unknown",)), 4, "id noise/0 was already used at position 0")
        self.assertEqual(self.n_of("probe-b-background/noise/gt/map", "file-probe-b-background"), 2)

    def test_duplicate_score_line(self):
        self.expect_error(self.score(probe_c_groups(5), probe_c_scores(5) + probe_c_scores(1)), 3, "line 6", "listed twice", "line 1")

    def test_missing_score_line_is_skipped_and_counted(self):
        self.expect(self.score(probe_c_groups(6)), 4, "skipped composition/5", "no line for it")
        self.assertEqual(self.n_of("probe-c/composition/group"), 5)

    def test_nan_score(self):
        scores = probe_c_scores(4) + '{"split": "composition", "index": 4, "scores": [[NaN, 1.0], [2.0, 3.0]]}\n'
        self.expect(self.score(probe_c_groups(5), scores), 4, "line 5", "NaN or Infinity")
        self.assertEqual(self.n_of("probe-c/composition/group"), 4)

    def test_score_line_that_is_no_json(self):
        self.expect_error(self.score(probe_c_groups(5), probe_c_scores(2) + "nonsense\n"), 3, "scores.jsonl: line 3")

    def test_truncated_json(self):
        text = json.dumps(probe_c_groups(5))
        self.expect_error(self.score(text[: len(text) // 2]), 3, "data_compositional_switch.json", "the file ends", "downloaded whole")

    def test_two_gigabytes_of_nested_brackets(self):
        path = self.write("data/data_compositional_switch.json", "[" * 1000000)
        os.truncate(path, 2 << 30)
        result = call("score", "probe-c", "--scores", self.write("s.jsonl", ""), "--data", self.folder / "data", "--output", self.folder / "out")
        self.expect_error(result, 3, "nested more than 256 deep")

    def test_nested_brackets_in_stored_files_and_settings(self):
        deep = "[" * 400000 + "]" * 400000 + "}"
        self.score(probe_c_groups(5))
        run = self.folder / "out/file-probe-c"
        for file, text in (("results.json", '{"schema":' + deep), ("run.json", '{"identity":' + deep)):
            before = (run / file).read_text()
            (run / file).write_text(text)
            result = call("gate", run, "--require", "probe-c/composition/group>=0") if file == "results.json" else self.score(probe_c_groups(5))
            self.expect_error(result, 3, file, "nests deeper than 64 levels")
            (run / file).write_text(before)
        config = self.write("config.json", '{"tasks":' + deep)
        self.expect_error(call("run", "--model", "fake", "--tasks", "probe-c", "--data", self.folder / "data", "--config", config), 3, "config.json")

    def test_no_file_of_others_is_removed(self):
        theirs = [self.write(f"out/{name}", "theirs") for name in ("Downloads/thesis.zip.part", "cad/gear.part", "a.1234.part")]
        self.assertEqual(call("build", "eyechart", "--out", self.folder / "out", "--size", "tiny", "--scenes", "10").returncode, 0)
        self.assertTrue(all(file.exists() for file in theirs))
        self.assertFalse((self.folder / "out/build.lock").exists())

    def test_threads_that_cannot_start(self):
        self.write("data/data_compositional_switch.json", probe_c_groups(3000))
        command = f"ulimit -v 2500000; exec {SNELLEN} run --model fake --tasks probe-c --data {self.folder}/data --output {self.folder}/out --num-workers 1024 --batch-size 1"
        result = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=120)
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_file_name_that_leaves_its_folder(self):
        groups = self.b_groups()
        groups[0]["image"] = "../../etc/passwd"
        self.expect(self.score_b(groups), 4, "record 0", "not a plain file name")

    def test_no_item_scored_is_a_failure(self):
        self.expect_error(self.score(probe_c_groups(3), '{"split": "composition", "index": 9, "scores": [[1, 2], [3, 4]]}\n', more=("--ignore-unknown",)), 1, "none of 3 items was scored")
        self.expect_error(self.score([], more=("--ignore-unknown",)), 1, "no item was there to be scored")

    def test_missing_annotations_and_unknown_names(self):
        self.expect_error(call("run", "--model", "fake", "--tasks", "probe-c", "--data", self.folder, "--output", self.folder / "o"), 3, "data_compositional_switch.json", "--data DIR", "snellen data add probe-c")
        self.expect_error(call("run", "--model", "fake", "--tasks", "prob-c"), 2, "did you mean 'probe-c'")
        self.expect_error(call("run", "--model", "fak", "--tasks", "probe-c"), 2, "did you mean 'fake'")
        self.expect_error(call("run", "--model", "fake", "--tasks", "probe-c", "--limit", "many"), 2, "whole number")
        self.expect_error(call("run", "--model", "fake", "--tasks", "probe-c", "--shard", "3/3"), 2, "--shard 0/3")
        self.expect_error(call("run", "--tasks", "probe-c"), 2, "--model")
        self.expect_error(call("frobnicate"), 2, "--help")
        config = self.write("run.json", {"batchsize": 4})
        self.expect_error(call("run", "--config", config, "--model", "fake", "--tasks", "probe-c"), 2, "did you mean 'batch-size'")

    def test_errors_as_json(self):
        result = call("--json", "verify", self.folder / "nowhere")
        self.assertEqual(result.returncode, 3)
        error = json.loads(result.stdout)["error"]
        self.assertEqual(set(error), {"code", "what", "where", "hint"})


class BadPlace(Case):
    def run_fake(self, output, count=3000, timeout=300):
        if not (self.folder / "data").exists():
            self.write("data/data_compositional_switch.json", probe_c_groups(count))
        return call("run", "--model", "fake", "--tasks", "probe-c", "--data", self.folder / "data", "--output", output, timeout=timeout)

    def mount(self, options):
        place = self.folder / "mounted"
        place.mkdir()
        if os.geteuid() != 0 or subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", place], capture_output=True).returncode != 0:
            self.skipTest("needs the right to mount a small tmpfs")
        self.addCleanup(subprocess.run, ["umount", place], capture_output=True)
        return place

    def test_full_disk(self):
        place = self.mount("size=600k")
        result = self.run_fake(place)
        self.expect_error(result, 1, "full", "free some space")
        # With room again the same command goes on and loses nothing.
        subprocess.run(["mount", "-o", "remount,size=64m", place], check=True)
        result = self.run_fake(place)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(json.loads((place / "fake-probe-c" / "run.json").read_text())["counts"]["probe-c"]["scored"], 3000)

    def test_read_only_folder(self):
        place = self.mount("size=1m,ro")
        self.expect_error(self.run_fake(place), 3, "cannot be written", "--output")

    def test_another_schema_version(self):
        self.assertEqual(self.run_fake(self.folder / "out").returncode, 0)
        database = self.folder / "out" / "fake-probe-c" / "samples.db"
        subprocess.run(["sqlite3", database, "PRAGMA user_version = 99"], check=True)
        self.expect_error(self.run_fake(self.folder / "out"), 3, "schema version 99", "newer snellen")
        self.expect_error(call("verify", database.parent), 3, "schema version 99")

    def test_two_processes_on_one_run_folder(self):
        self.write("data/data_compositional_switch.json", probe_c_groups(80000))
        command = [SNELLEN, "run", "--model", "fake", "--tasks", "probe-c", "--data", self.folder / "data", "--output", self.folder / "out"]
        first = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while not (self.folder / "out" / "fake-probe-c" / "samples.db").exists():
            self.assertIsNone(first.poll())
        self.expect_error(call(*command[1:]), 1, "another process is writing this run folder")
        self.assertEqual(first.wait(timeout=120), 0)

    def test_another_run_in_the_folder(self):
        self.assertEqual(self.run_fake(self.folder / "out").returncode, 0)
        result = call("run", "--model", "fake", "--tasks", "probe-c", "--data", self.folder / "data", "--output", self.folder / "out", "--seed", 1)
        self.expect_error(result, 2, "holds another run", "settings.seed", "--overwrite")

    def test_verify_finds_what_was_changed(self):
        self.assertEqual(self.run_fake(self.folder / "out").returncode, 0)
        run = self.folder / "out" / "fake-probe-c"
        self.assertEqual(call("verify", run).returncode, 0)
        results = (run / "results.json").read_text()
        (run / "results.json").write_text(results.replace('"n": 3000', '"n": 2999', 1))
        result = call("verify", run)
        self.assertEqual(result.returncode, 1)
        self.assertIn("samples.db gives", result.stdout)
        (run / "results.json").write_text(results)
        subprocess.run(["sqlite3", run / "samples.db", "UPDATE samples SET value_1 = 0.0"], check=True)
        result = call("verify", run)
        self.assertEqual(result.returncode, 1)
        self.assertIn("samples.db: its rows differ", result.stdout)


class Help(Case):
    def test_every_verb_has_help_with_an_example(self):
        for verb in ("demo", "list", "run", "score", "merge", "verify", "vader", "doctor"):
            result = call(verb, "--help")
            self.assertEqual(result.returncode, 0)
            self.assertIn("Example", result.stdout)

    def test_demo_runs_and_its_runs_verify(self):
        result = call("demo", "--example", "--output", self.folder / "demo")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("probe-c/composition/group", result.stdout)
        for run in (self.folder / "demo").iterdir():
            self.assertEqual(call("verify", run).returncode, 0)

    def test_list_and_doctor_speak_json(self):
        self.assertIn("probe-r", [row["task"] for row in json.loads(call("list", "--json").stdout)["tasks"]])
        self.assertTrue(json.loads(call("doctor", "--json").stdout))


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: Apache-2.0
"""A user's own task from a file: the numbers of the native task, the examples' files, dumped scores, ties, configs, dry runs."""
import json
import pathlib
import signal
import subprocess
import sys
import time

from cli import SNELLEN, Case, call, contents, probe_c_groups, without_name

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples" / "items"
DEMO = pathlib.Path(__file__).resolve().parents[2] / "examples" / "demo"


def metrics_of(folder):
    return {one["id"]: one for one in json.loads((folder / "results.json").read_text())["metrics"]}


class OwnTask(Case):
    def items(self, *lines, name="items.jsonl"):
        return self.write(name, "".join(json.dumps(line) + "\n" for line in lines))

    def run_task(self, tasks, *more, output="out"):
        return call("run", "--model", "fake", "--tasks", tasks, "--output", self.folder / output, *more)

    def test_probe_c_as_items_comes_to_the_native_numbers(self):
        self.write("data/data_compositional_switch.json", probe_c_groups(300))
        self.write("data/data_object_switch.json", probe_c_groups(200, seed=1))
        items = self.folder / "items.jsonl"
        result = self.run_task("probe-c", "--data", self.folder / "data", "--export-items", items)
        self.assertEqual(result.returncode, 0, result.stderr)
        result = self.run_task(f"file:{items}")
        self.assertEqual(result.returncode, 0, result.stderr)
        native, mine = metrics_of(self.folder / "out" / "fake-probe-c"), metrics_of(self.folder / "out" / "fake-probe-c-items")
        renamed = {name.replace("probe-c-items/", "probe-c/"): {**one, "id": name.replace("probe-c-items/", "probe-c/")} for name, one in mine.items()}
        self.assertEqual(renamed, native)
        self.assertGreater(len(native), 20)
        self.assertEqual(call("verify", self.folder / "out" / "fake-probe-c-items").returncode, 0)

    def test_threads_shards_and_batches_change_nothing(self):
        lines = [{"metric": "choice"}] + [
            {"id": f"i{i}", "group": f"g{i % 7}", "category": f"c{i % 3}", "tags": [f"t{i % 2}", "all"], "visuals": [f"{i % 11}.jpg"],
             "texts": [f"a {i % 5}", f"b {i % 4}", "c"], "right": i % 3} for i in range(500)]
        items = self.items(*lines)
        self.assertEqual(self.run_task(f"file:{items}", "--num-workers", 1).returncode, 0)
        want = contents(self.folder / "out" / "fake-items")
        self.assertEqual(self.run_task(f"file:{items}", "--num-workers", 8, "--batch-size", 7, output="many").returncode, 0)
        self.assertEqual(contents(self.folder / "many" / "fake-items"), want)
        for shard in range(3):
            self.assertEqual(self.run_task(f"file:{items}", "--shard", f"{shard}/3", output="shards").returncode, 0)
        merged = call("merge", *sorted((self.folder / "shards").iterdir()), "--output", self.folder / "merged")
        self.assertEqual(merged.returncode, 0, merged.stderr)
        self.assertEqual(contents(self.folder / "merged" / "fake-items"), want)
        found = metrics_of(self.folder / "out" / "fake-items")
        self.assertEqual(found["items/acc"]["interval"], "cluster-wilson")
        self.assertEqual(found["items/acc"]["n"], 500)
        self.assertEqual(found["items/by-tag/t0/acc"]["n"], 250)
        self.assertEqual({**found["items/by-tag/all/acc"], "id": ""}, {**found["items/acc"], "id": ""})
        self.assertEqual(found["items/by-category/c0/acc"]["n"], 167)
        self.assertAlmostEqual(found["items/acc"]["chance"], 1 / 3)

    def test_bad_lines_fail_alone_and_are_named(self):
        items = self.items({"metric": "pairwise"}, {"visuals": ["a.jpg"], "texts": ["x", "y"], "right": 0},
                           {"visuals": ["../a.jpg"], "texts": ["x", "y"], "right": 0}, {"visuals": ["a.jpg"], "texts": ["x", "y"], "rigth": 0})
        result = self.run_task(f"file:{items}")
        self.expect(result, 4, "2 of 3 items failed", f"{items}:3: visual \"../a.jpg\"", f"{items}:4: the item has an unknown key 'rigth'", "did you mean 'right'")

    def test_files_that_cannot_be_used_are_refused(self):
        self.expect_error(self.run_task("file"), 2, "file:items.jsonl")
        self.expect_error(self.run_task("file:nowhere.jsonl"), 3, "nowhere.jsonl")
        self.expect_error(self.run_task("probe-c:x"), 2, "unknown task 'probe-c:x'")
        self.expect_error(self.run_task(f"file:{self.items({'texts': ['x', 'y'], 'right': 0})}"), 3, "no metric named", "pairwise")
        taken = self.items({"name": "probe-c", "metric": "choice"}, {"texts": ["x", "y"], "right": 0})
        self.expect_error(self.run_task(f"file:{taken}"), 2, "'probe-c' is taken")

    def test_run_folders_are_named_after_the_task_and_not_its_file(self):
        item = {"texts": ["x", "y"], "right": 0}
        one = self.items({"name": "cats", "metric": "choice"}, item, name="a/items.jsonl")
        two = self.items({"name": "dogs", "metric": "choice"}, item, item, name="b/items.jsonl")
        result = self.run_task(f"file:{one},file:{two}")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual({name for name in metrics_of(self.folder / "out" / "fake-cats+dogs")}, {"cats/acc", "cats/conf", "dogs/acc", "dogs/conf"})
        for path, name in ((one, "cats"), (two, "dogs")):
            self.assertEqual(self.run_task(f"file:{path}").returncode, 0)
            self.assertTrue((self.folder / "out" / f"fake-{name}" / "results.json").exists())

    def test_results_of_a_task_are_written_as_it_ends(self):
        item = {"texts": ["x", "y"], "right": 0}
        first = self.items({"name": "first", "metric": "choice"}, *[item] * 50)
        second = self.items({"name": "second", "metric": "choice"}, *[item] * 500, name="second.jsonl")
        command = ["run", "--model", "fake:wait=20000", "--tasks", f"file:{first},file:{second}", "--output", self.folder / "out", "--num-workers", "1", "--batch-size", "10"]
        process = subprocess.Popen([SNELLEN, *map(str, command)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        results = self.folder / "out" / "fake-first+second" / "results.json"
        try:
            deadline = time.monotonic() + 60
            while not results.exists() and time.monotonic() < deadline:
                time.sleep(0.02)
            so_far = metrics_of(results.parent)
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(timeout=60)
        self.assertEqual(process.returncode, 130)
        self.assertEqual(set(so_far), {"first/acc", "first/conf"})
        self.assertEqual(so_far["first/acc"]["n"], 50)
        self.expect_error(call("gate", results.parent, "--require", "first/acc>=0"), 3)
        command[2] = "fake"
        self.assertEqual(call(*command).returncode, 0)
        whole = metrics_of(results.parent)
        self.assertEqual({name: whole[name] for name in so_far}, so_far)
        self.assertEqual(len(whole), 4)

    def test_tasks_of_one_name_are_refused_before_anything_runs(self):
        item = {"metric": "choice", "texts": ["x", "y"], "right": 0}
        one, two = self.items(item, name="a/items.jsonl"), self.items(item, item, name="b/items.jsonl")
        self.expect_error(self.run_task(f"file:{one},file:{two}"), 2, "the name 'items' is taken", str(two), "first line")
        self.assertFalse((self.folder / "out").exists())
        self.assertEqual(self.run_task(f"file:{one}").returncode, 0)
        self.expect_error(self.run_task(f"file:{two}"), 2, "holds another run", "--name")

    def test_score_reads_scores_made_elsewhere(self):
        items = self.items({"metric": "perplexity_choice"}, {"id": "a", "texts": ["x", "y"], "right": 0}, {"id": "b", "texts": ["x", "y"], "right": 1})
        scores = self.write("scores.jsonl", '{"id": "a", "scores": [3.5, 7]}\n{"id": "b", "scores": [[2, 2]]}\n')
        result = call("score", f"file:{items}", "--scores", scores, "--output", self.folder / "out", "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        found = metrics_of(self.folder / "out" / "file-items")
        self.assertEqual((found["items/acc"]["value"], found["items/acc"]["ties"]), (0.5, 1))
        result = call("score", f"file:{items}", "--scores", scores, "--output", self.folder / "right", "--ties", "right")
        self.assertEqual(metrics_of(self.folder / "right" / "file-items")["items/acc"]["value"], 1)
        self.assertEqual(json.loads((self.folder / "right" / "file-items" / "results.json").read_text())["tie_rule"], "right")
        self.assertEqual(json.loads((self.folder / "right" / "file-items" / "run.json").read_text())["settings"]["ties"], "right")

    def test_the_examples_turn_published_files_into_items(self):
        self.write("sugar/swap_obj.json", {"0": {"filename": "1.jpg", "caption": "a cat on a dog", "negative_caption": "a dog on a cat"},
                                           "3": {"filename": "1.jpg", "caption": "a", "negative_caption": "b"}})
        self.write("sugar/add_att.json", {"0": {"filename": "2.jpg", "caption": "é", "negative_caption": "b"}})
        self.write("visual_genome_relation.json", [
            {"image_id": "1", "image_path": "1.jpg", "bbox_x": 5, "bbox_y": 0, "bbox_w": 10, "bbox_h": 12, "relation_name": "on",
             "true_caption": "the cat is on the dog", "false_caption": "the dog is on the cat"}])
        self.write("visual_genome_attribution.json", [
            {"image_path": "1.jpg", "bbox_x": 5, "bbox_y": 0, "bbox_w": 10, "bbox_h": 12, "attributes": ["red", "wet"],
             "true_caption": "the red cat and the wet dog", "false_caption": "the wet cat and the red dog"}])
        self.write("examples.jsonl", json.dumps({"id": 0, "image_0": "ex_0_img_0", "image_1": "ex_0_img_1", "caption_0": "a b", "caption_1": "b a",
                                                 "tag": "Adjective-Size, Noun", "secondary_tag": "", "collapsed_tag": "Object", "num_main_preds": 1}) + "\n")
        for name, arguments, items in (("sugarcrepe", ["sugar"], 3), ("aro", ["visual_genome_relation.json", "visual_genome_attribution.json"], 2),
                                       ("winoground", ["examples.jsonl"], 1)):
            made = subprocess.run([sys.executable, EXAMPLES / f"{name}.py", *(self.folder / word for word in arguments)], capture_output=True, text=True,
                                  check=True)
            path = self.write(f"{name}.jsonl", made.stdout)
            result = self.run_task(f"file:{path}")
            self.assertEqual(result.returncode, 0, result.stderr)
            found = metrics_of(self.folder / "out" / f"fake-{name}")
            self.assertEqual(sum(one["n"] for key, one in found.items() if key.split("/")[-1] in ("acc", "group") and "/by-" not in key), items)
        self.assertIn("winoground/by-tag/Adjective-Size/group", found)
        self.assertIn("winoground/by-category/Object/text", found)

    def test_dumped_scores_come_to_the_same_results(self):
        for task, dump in (("probe-c", "probe-c.jsonl"), ("probe-r", "probe-r.jsonl"), ("probe-b-background", "probe-b-background-noise.jsonl"),
                           ("probe-b-cooccurrence", "probe-b-cooccurrence-noise.jsonl")):
            result = self.run_task(task, "--data", DEMO, "--name", "m", "--dump-scores", f"{self.folder}/dumps/", output="made")
            self.assertEqual(result.returncode, 0, result.stderr)
            result = call("score", task, "--scores", self.folder / "dumps" / dump, "--data", DEMO, "--name", "m", "--output", self.folder / "read")
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertEqual(contents(self.folder / "made" / f"m-{task}"), contents(self.folder / "read" / f"m-{task}"), task)
        result = self.run_task("probe-c,probe-r", "--data", DEMO, "--dump-scores", self.folder / "both", output="both-runs")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(sorted(path.name for path in (self.folder / "both").iterdir()), ["probe-c.jsonl", "probe-r.jsonl"])

    def test_ties_are_decided_as_told(self):
        self.write("data/data_compositional_switch.json", probe_c_groups(4))
        scores = self.write("scores.jsonl", "".join(json.dumps({"split": "composition", "index": i, "scores": [[2, 2], [1, 3]]}) + "\n" for i in range(4)))
        for rule, text, group in ((None, 0, 0), ("wrong", 0, 0), ("half", 0.5, 0.5), ("right", 1, 1)):
            flags = ["--ties", rule] if rule else []
            result = call("score", "probe-c", "--scores", scores, "--data", self.folder / "data", "--output", self.folder / str(rule), *flags)
            self.assertEqual(result.returncode, 0, result.stderr)
            found = metrics_of(self.folder / str(rule) / "file-probe-c")
            self.assertEqual((found["probe-c/composition/text"]["value"], found["probe-c/composition/group"]["value"]), (text, group), rule)
            self.assertEqual(found["probe-c/composition/text"]["ties"], 4)
        raw = self.folder / "half" / "file-probe-c" / "compositional_text_eval" / "file" / "results" / "eval_compositional_switching_composition_understanding.json"
        self.assertEqual(json.loads(raw.read_text())["acc"]["text_correct"], [0.5] * 4)
        self.expect_error(call("score", "probe-c", "--scores", scores, "--data", self.folder / "data", "--ties", "half", "--compat"), 2, "--ties")

    def test_a_config_holds_any_flag_and_a_stamp_is_one(self):
        self.write("data/data_compositional_switch.json", probe_c_groups(20))
        config = self.write("run.json", {"model": "fake", "tasks": ["probe-c"], "data": str(self.folder / "data"), "output": str(self.folder / "a"),
                                         "batch_size": 3, "seed": 5, "json": True, "breakdowns": True, "format": "csv", "limit": None})
        result = call("run", "--config", config)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(json.loads(result.stdout)["verdict"], "complete")
        stamp = self.folder / "a" / "fake-probe-c" / "run.json"
        self.assertEqual(json.loads(stamp.read_text())["settings"]["batch-size"], "3")
        again = call("run", "--config", stamp, "--output", self.folder / "b")
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertEqual(contents(self.folder / "a" / "fake-probe-c"), contents(self.folder / "b" / "fake-probe-c"))
        other = call("run", "--config", stamp, "--output", self.folder / "c", "--seed", 6)
        self.assertEqual(other.returncode, 0, other.stderr)
        self.assertNotEqual(without_name(contents(self.folder / "a" / "fake-probe-c")), without_name(contents(self.folder / "c" / "fake-probe-c")))
        self.expect_error(call("run", "--config", self.write("bad.json", {"modell": "fake"})), 2, "bad.json", "did you mean 'model'")
        self.expect_error(call("run", "--config", self.write("bad.json", {"format": "xml"})), 2, "cannot be 'xml'")

    def test_a_dry_run_prints_the_plan_and_writes_nothing(self):
        self.write("data/data_compositional_switch.json", probe_c_groups(50))
        (self.folder / "images").mkdir()
        arguments = ["probe-c", "--data", self.folder / "data", "--root-image-dir", self.folder / "images", "--dry-run"]
        result = self.run_task(*arguments, "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        plan = json.loads(result.stdout)
        self.assertEqual((plan["tasks"][0]["items"], plan["tasks"][0]["scores"]), (50, 200))
        self.assertEqual(plan["missing"]["count"], plan["visuals"])
        self.assertEqual(len(plan["missing"]["first"]), 10)
        dual = plan["work"][0]
        self.assertEqual(dual["forwards"], plan["visuals"] + plan["texts"])
        self.assertEqual(dual["saved"], 400 - dual["forwards"])
        text = self.run_task(*arguments)
        self.assertIn("dual encoder", text.stdout)
        self.assertIn("distinct visuals have no file", text.stderr)
        self.assertFalse((self.folder / "out").exists())


if __name__ == "__main__":
    import unittest
    unittest.main()

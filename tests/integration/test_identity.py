# SPDX-License-Identifier: Apache-2.0
"""A run folder is never mixed, replaced or believed when what it was made from has changed."""
import json
import os
import shutil
import sqlite3
import subprocess
import sys

from cli import SNELLEN, Case, call, contents, probe_c_groups


def rows_of(run_folder):
    with sqlite3.connect(run_folder / "samples.db") as store:
        return store.execute("SELECT count(*) FROM samples").fetchone()[0]


def change(run_folder, sql):
    with sqlite3.connect(run_folder / "samples.db") as store:
        store.execute(sql)


class Merging(Case):
    """What stands somewhere stays there unless --overwrite is said; shards that are not whole are not joined."""

    def setUp(self):
        super().setUp()
        self.write("data/data_compositional_switch.json", probe_c_groups(300))

    def run_probe_c(self, output, *more):
        result = call("run", "--model", "fake", "--tasks", "probe-c", "--data", self.folder / "data", "--output", self.folder / output, *more)
        self.assertEqual(result.returncode, 0, result.stderr)
        return self.folder / output / "fake-probe-c"

    def shards(self, output="shards", *more):
        for i in range(2):
            self.run_probe_c(output, "--shard", f"{i}/2", *more)
        return [self.folder / output / f"fake-probe-c-shard{i}of2" for i in range(2)]

    def merge(self, folders, output, *more):
        return call("merge", *folders, "--output", self.folder / output, *more)

    def test_a_whole_run_is_not_merged_into_itself(self):
        run = self.run_probe_c("runs")
        before = contents(run)
        self.expect_error(self.merge([run], "runs"), 2, "nothing to merge")
        self.assertEqual(contents(run), before)
        self.assertEqual(rows_of(run), 300)

    def test_another_run_stays_unless_overwrite_is_said(self):
        run = self.run_probe_c("runs")
        before = contents(run)
        shards = self.shards("shards", "--seed", "5")
        self.expect_error(self.merge(shards, "runs"), 2, "holds a run already", "--overwrite")
        self.assertEqual(contents(run), before)
        self.assertEqual(self.merge(shards, "runs", "--overwrite").returncode, 0)
        self.assertNotEqual(contents(run), before)
        self.assertEqual(call("verify", run).returncode, 0)
        self.assertEqual(sorted(path.name for path in (self.folder / "runs").iterdir()), ["fake-probe-c"])

    def test_files_of_others_stay(self):
        notes = self.write("runs/fake-probe-c/notes.txt", "mine")
        self.expect_error(self.merge(self.shards(), "runs", "--overwrite"), 2, "other files")
        self.assertEqual(notes.read_text(), "mine")

    def test_a_folder_that_is_one_of_the_shards_stays(self):
        shards = self.shards()
        target = self.folder / "runs" / "fake-probe-c"
        target.parent.mkdir()
        shards[0].rename(target)
        before = contents(target)
        self.expect_error(self.merge([target, shards[1]], "runs", "--overwrite"), 2, "one of its shards")
        self.assertEqual(contents(target), before)

    def test_shards_that_lost_rows_are_refused(self):
        shards = self.shards()
        change(shards[1], "DELETE FROM samples WHERE id % 2 = 0")
        self.expect_error(self.merge(shards, "merged"), 3, "rows of probe-c", "shard1of2", "counted")
        self.assertFalse((self.folder / "merged" / "fake-probe-c").exists())
        self.assertEqual(list((self.folder / "merged").glob("*")) if (self.folder / "merged").exists() else [], [])

    def test_shards_with_changed_rows_are_refused(self):
        shards = self.shards()
        change(shards[0], "UPDATE samples SET margin = 0.5 WHERE id = (SELECT min(id) FROM samples)")
        self.expect_error(self.merge(shards, "merged"), 3, "differ from the hash", "shard0of2")

    def test_changed_annotations_are_named(self):
        shards = self.shards()
        self.write("data/data_compositional_switch.json", probe_c_groups(300, seed=9))
        self.expect_error(self.merge(shards, "merged"), 3, "its inputs changed", "data_compositional_switch.json")


class GoingOn(Case):
    """A run goes on only as what it was: samples.db knows, whatever became of run.json."""

    def run_probe_c(self, *more):
        return call("run", "--model", "fake", "--tasks", "probe-c", "--data", self.folder / "data", "--output", self.folder / "out", *more)

    def test_a_lost_stamp_does_not_hide_another_seed(self):
        self.write("data/data_compositional_switch.json", probe_c_groups(300))
        run = self.folder / "out" / "fake-probe-c"
        self.assertEqual(self.run_probe_c("--seed", 1).returncode, 0)
        (run / "run.json").unlink()
        self.expect_error(self.run_probe_c("--seed", 2), 2, "holds another run", "seed", "--overwrite")
        self.assertFalse((run / "run.json").exists())
        result = self.run_probe_c("--seed", 1)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(call("verify", run).returncode, 0)

    def test_a_lost_stamp_does_not_hide_other_annotations(self):
        self.write("data/data_compositional_switch.json", probe_c_groups(300))
        self.assertEqual(self.run_probe_c().returncode, 0)
        (self.folder / "out" / "fake-probe-c" / "run.json").unlink()
        self.write("data/data_compositional_switch.json", probe_c_groups(300, seed=3))
        self.expect_error(self.run_probe_c(), 2, "holds another run", "data_compositional_switch.json")

    def test_where_annotations_lie_does_not_matter(self):
        self.write("data/data_compositional_switch.json", probe_c_groups(300))
        self.assertEqual(self.run_probe_c().returncode, 0)
        (self.folder / "data").rename(self.folder / "moved")
        os.symlink(self.folder / "moved", self.folder / "data")
        result = call("run", "--model", "fake", "--tasks", "probe-c", "--data", self.folder / "data" / ".." / "moved", "--output", self.folder / "out")
        self.assertEqual(result.returncode, 0, result.stderr)


class Pictures(Case):
    """Items that were scored with other pictures are not mixed with new ones. The model is a program that is shown paths."""
    CHILD = """
import json, sys
sys.stdin.readline()
print(json.dumps({"ready": True, "wants": "path"}), flush=True)
for line in sys.stdin:
    request = json.loads(line)
    if request["op"] == "bye": break
    print(json.dumps({"id": request["id"], "scores": [1.0, 0.5]}), flush=True)
"""

    def setUp(self):
        super().setUp()
        for i in range(6):
            self.write(f"pictures/{i}.png", f"picture {i}")
        self.child = self.write("child.py", self.CHILD)
        lines = [{"metric": "pairwise"}] + [{"id": f"i{i}", "visuals": [f"{i}.png"], "texts": ["a cat", "a dog"], "right": 0} for i in range(6)]
        self.items = self.write("items.jsonl", "".join(json.dumps(line) + "\n" for line in lines))
        self.run_folder = self.folder / "out" / "exec-items"

    def run_items(self, pictures="pictures", *more):
        return call("run", "--model", f"exec:{sys.executable} {self.child}", "--tasks", f"file:{self.items}", "--root-image-dir", self.folder / pictures,
                    "--output", self.folder / "out", *more, timeout=60)

    def scored(self, *arguments):
        result = self.run_items(*arguments)
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_other_pictures_of_the_same_names_are_named(self):
        self.scored()
        shutil.copytree(self.folder / "pictures", self.folder / "others")
        self.write("others/4.png", "PICTURE 4")
        self.expect_error(self.run_items("others"), 2, "holds another run", "1 of its pictures", "others/4.png")

    def test_a_changed_picture_is_named_and_a_touched_one_is_not(self):
        self.scored()
        os.utime(self.folder / "pictures" / "1.png")
        self.scored()
        self.write("pictures/2.png", "picture X")
        self.expect_error(self.run_items(), 2, "holds another run", "pictures/2.png")
        result = call("verify", self.run_folder)
        self.assertEqual(result.returncode, 1, result.stdout)
        self.assertIn("2.png: changed since the run", result.stdout)

    def test_where_pictures_lie_does_not_matter(self):
        self.scored()
        shutil.copytree(self.folder / "pictures", self.folder / "copy")
        shutil.rmtree(self.folder / "pictures")
        self.scored("copy")
        result = call("verify", self.run_folder)
        self.assertEqual(result.returncode, 0, result.stdout)
        self.assertIn("6 pictures or videos are not where they were", result.stdout)

    def test_the_stamp_has_a_hash_over_all_of_them(self):
        self.scored()
        first = json.loads((self.run_folder / "run.json").read_text())["visuals"]
        self.assertEqual(first["count"], 6)
        self.write("pictures/0.png", "another")
        self.scored("pictures", "--overwrite")
        self.assertNotEqual(json.loads((self.run_folder / "run.json").read_text())["visuals"], first)

    def test_what_was_shown_can_be_read_in_sql(self):
        self.scored()
        with sqlite3.connect(f"file:{self.run_folder / 'samples.db'}?immutable=1", uri=True) as store:
            rows = store.execute("SELECT item, texts, pictures, scores, decision FROM items").fetchall()
        self.assertEqual(len(rows), 6)
        self.assertEqual(rows[0][:2], ("i0", "a cat | a dog"))
        self.assertTrue(rows[0][2].endswith("pictures/0.png"))
        self.assertEqual(rows[0][3:], ("1.0 | 0.5", 1))


class Names(Case):
    def test_long_names_of_shards_do_not_meet(self):
        self.write("data/data_compositional_switch.json", probe_c_groups(40))
        for name in ("m" * 210, "m" * 211):
            for shard in ("0/2", "1/2"):
                result = call("run", "--model", "fake", "--name", name, "--tasks", "probe-c", "--data", self.folder / "data",
                              "--output", self.folder / "runs", "--shard", shard)
                self.assertEqual(result.returncode, 0, result.stderr)
        folders = sorted(path.name for path in (self.folder / "runs").iterdir())
        self.assertEqual(len(folders), 4, folders)
        self.assertTrue(all("-shard" in name for name in folders), folders)
        for name in (folders[:2], folders[2:]):
            result = call("merge", *(self.folder / "runs" / one for one in name), "--output", self.folder / "merged")
            self.assertEqual(result.returncode, 0, result.stderr)

    def test_a_path_that_is_no_utf8(self):
        self.write("data/data_compositional_switch.json", probe_c_groups(40))
        odd = os.fsencode(self.folder) + b"/d\xff"
        os.rename(os.fsencode(self.folder / "data"), odd)
        result = subprocess.run([SNELLEN, "run", "--model", "fake", "--tasks", "probe-c", "--data", odd, "--output", str(self.folder / "out")], capture_output=True)
        self.assertEqual(result.returncode, 0, result.stderr)
        run = self.folder / "out" / "fake-probe-c"
        self.assertEqual(json.loads((run / "run.json").read_text())["verdict"], "complete")
        again = subprocess.run([SNELLEN, "run", "--model", "fake", "--tasks", "probe-c", "--data", odd, "--output", str(self.folder / "out")], capture_output=True)
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertEqual(call("verify", run).returncode, 0)

# SPDX-License-Identifier: Apache-2.0
"""A run folder is never mixed, replaced or believed when what it was made from has changed."""
import json
import os
import sqlite3
import subprocess

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

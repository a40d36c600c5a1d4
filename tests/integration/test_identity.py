# SPDX-License-Identifier: Apache-2.0
"""A run folder is never mixed, replaced or believed when what it was made from has changed."""
import fcntl
import gzip
import json
import math
import os
import random
import shutil
import sqlite3
import struct
import subprocess
import sys
import unittest
import zlib

from cli import SCORING_PROGRAM, SNELLEN, Case, call, contents, probe_c_groups
from test_run_models import FIXTURES, HAS_NETWORKS, png


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

    def foreign(self, run):
        """Files that no run wrote, at the places where runs have files of their own."""
        names = ("notes.txt", "thumbs/holiday.jpg", "features/mine.npy", "control/plan.md", "control/gray/notes.txt", "vilma/log.txt")
        return [self.write((run / name).relative_to(self.folder), "mine") for name in names]

    def test_overwriting_a_run_removes_what_runs_wrote_alone(self):
        options = ["--control", "gray", "--root-image-dir", self.folder / "none", "--per-group"]
        run = self.run_probe_c("runs", *options)
        self.assertEqual(call("verify", run).returncode, 0)
        written = sorted(path.relative_to(run) for path in run.rglob("*") if path.is_file())
        self.assertIn("log.txt", {path.name for path in written})
        theirs = self.foreign(run)
        self.run_probe_c("runs", *options, "--seed", 5, "--overwrite")
        self.assertEqual([path.read_text() for path in theirs], ["mine"] * len(theirs))
        self.assertEqual(sorted(path.relative_to(run) for path in run.rglob("*") if path.is_file() and path not in theirs), written)
        for path in theirs:
            path.unlink()
        self.run_probe_c("runs", "--overwrite")
        self.assertFalse((run / "control").exists())

    def test_results_that_no_run_wrote_are_not_replaced(self):
        results = self.write("runs/fake-probe-c/results.json", "mine")
        command = ["run", "--model", "fake", "--tasks", "probe-c", "--data", self.folder / "data", "--output", self.folder / "runs"]
        for more in ([], ["--overwrite"]):
            self.expect_error(call(*command, *more), 2, "results.json", "no run wrote it")
            self.assertEqual(results.read_text(), "mine")

    def test_what_a_run_left_before_its_first_commit_is_no_hindrance(self):
        self.write("runs/fake-probe-c/samples.db-journal", "journal")
        self.assertEqual(rows_of(self.run_probe_c("runs")), 300)

    def test_merging_over_a_run_names_what_no_run_wrote(self):
        run = self.run_probe_c("runs")
        notes = self.write("runs/fake-probe-c/notes.txt", "mine")
        before = contents(run)
        shards = self.shards("shards", "--seed", 5)
        self.expect_error(self.merge(shards, "runs", "--overwrite"), 2, "notes.txt", "no run wrote")
        self.assertEqual(contents(run), before)
        notes.unlink()
        self.assertEqual(self.merge(shards, "runs", "--overwrite").returncode, 0)

    def test_the_draft_of_a_killed_merge_goes_with_the_next(self):
        shards = self.shards()
        runs = self.folder / "runs"
        draft = self.write("runs/fake-probe-c.snellen-0123456789abcdef.part/samples.db", "half")
        other = self.write("runs/fake-other.snellen-0123456789abcdef.part/samples.db", "half")
        self.assertEqual(self.merge(shards, "runs").returncode, 0)
        self.assertFalse(draft.parent.exists())
        self.assertTrue(other.exists())
        self.assertEqual({path.name for path in runs.iterdir()}, {"fake-probe-c", other.parent.name})

    def test_two_merges_do_not_write_one_run(self):
        shards = self.shards()
        lock = self.write("runs/fake-probe-c.merge-lock", "")
        with open(lock) as held:
            fcntl.flock(held, fcntl.LOCK_EX)
            self.expect_error(self.merge(shards, "runs"), 1, "another process is writing here")

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

    def test_rows_that_lack_values_are_refused(self):
        shards = self.shards()
        for column in ("value_1 = NULL", "status = 7", "scores = NULL"):
            with self.subTest(column):
                copies = [self.folder / column / shard.name for shard in shards]
                for shard, copy in zip(shards, copies):
                    shutil.copytree(shard, copy)
                try:
                    change(copies[0], f"UPDATE samples SET {column}")
                except sqlite3.Error:
                    continue  # the table itself does not take it
                result = self.merge(copies, f"merged {column}")
                self.assertEqual(result.returncode, 3, result.stderr)
                self.assertIn("shard0of2", result.stderr)
                for verb in (("verify",), ("compare", shards[0])):
                    self.assertIn(call(*verb, copies[0]).returncode, (0, 1, 3))

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
    def setUp(self):
        super().setUp()
        for i in range(6):
            self.write(f"pictures/{i}.png", f"picture {i}")
        self.child = self.write("child.py", SCORING_PROGRAM)
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

    def test_large_files_go_by_their_content_too(self):
        large = self.folder / "pictures" / "3.png"
        os.truncate(large, 70 << 20)
        self.scored()
        result = call("verify", self.run_folder)
        self.assertEqual(result.returncode, 0, result.stdout)
        os.utime(large, (1, 1))
        shutil.copytree(self.folder / "pictures", self.folder / "copy")
        self.scored()
        self.scored("copy")
        time = os.stat(large).st_mtime_ns
        with open(large, "r+b") as file:
            file.seek(69 << 20)
            file.write(b"other")
        os.utime(large, ns=(time, time))
        result = call("verify", self.run_folder)
        self.assertEqual(result.returncode, 1, result.stdout)
        self.assertIn("3.png: changed since the run", result.stdout)
        os.utime(large)
        self.expect_error(self.run_items(), 2, "holds another run", "1 of its pictures", "3.png")

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


@unittest.skipUnless(HAS_NETWORKS, "this build has no torch")
class Folders(Case):
    """What of a checkpoint folder is read, and what the stamp says of it."""

    def setUp(self):
        super().setUp()
        rng = random.Random(3)
        for i in range(4):
            (self.folder / f"{i}.png").write_bytes(png(20 + i, 30, rng))
        lines = [{"metric": "pairwise"}] + [{"id": f"i{i}", "visuals": [f"{i}.png"], "texts": ["a cat", "a dog"], "right": 0} for i in range(4)]
        self.items = self.write("items.jsonl", "".join(json.dumps(line) + "\n" for line in lines))
        self.model = self.folder / "model"
        shutil.copytree(FIXTURES / "openclip_vit", self.model)

    def stamp(self, name, *more, model=None, items=None):
        result = call("run", "--model", model or self.model, "--tasks", f"file:{items or self.items}", "--output", self.folder / name, "--no-cache", *more)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.notes = result.stderr
        return json.loads(next((self.folder / name).rglob("run.json")).read_text())

    def test_the_layout_reaches_preprocessing(self):
        # Its tokenizer stays the folder's: that of this small model is no published one.
        config = json.loads((self.model / "open_clip_config.json").read_text())
        config["model_cfg"]["text_cfg"]["hf_tokenizer_name"] = "its own"
        self.write("model/open_clip_config.json", config)
        whole = self.stamp("whole")["samples_sha256"]
        self.write("model/preprocessor_config.json", {"image_processor_type": "CLIPImageProcessor", "image_mean": [0, 0, 0], "image_std": [1, 1, 1],
                                                      "size": {"shortest_edge": 15}, "crop_size": {"height": 15, "width": 15}})
        self.assertNotEqual(self.stamp("auto")["samples_sha256"], whole)
        self.assertEqual(self.stamp("open_clip", "--layout", "open_clip")["samples_sha256"], whole)

    def write_simple_vocabulary(self, *merges):
        """open_clip's own: letters of bytes, the same with a word's end, merges, and the two special tokens."""
        words = "#version\n" + "".join(f"{left} {right}\n" for left, right in merges)
        (self.model / "bpe_simple_vocab_16e6.txt.gz").write_bytes(gzip.compress(words.encode(), mtime=0))

    def test_the_layout_reaches_the_tokenizer_and_its_vocabulary_is_part_of_the_model(self):
        whole = self.stamp("whole")
        self.write_simple_vocabulary(("c", "a"), ("ca", "t</w>"))
        auto = self.stamp("auto")  # has its own tokenizer and does not open the vocabulary
        self.assertEqual(auto["identity_sha256"], whole["identity_sha256"])
        simple = self.stamp("simple", "--layout", "open_clip")
        self.assertNotEqual(simple["samples_sha256"], whole["samples_sha256"])
        self.write_simple_vocabulary(("d", "o"), ("do", "g</w>"))
        other = self.stamp("other", "--layout", "open_clip")
        self.assertNotEqual(other["identity_sha256"], simple["identity_sha256"])
        self.assertNotEqual(other["samples_sha256"], simple["samples_sha256"])
        result = call("run", "--model", self.model, "--tasks", f"file:{self.items}", "--layout", "open_clip", "--output", self.folder / "simple", "--no-cache")
        self.expect_error(result, 2, "holds another run", "bpe_simple_vocab_16e6.txt.gz")

    def test_the_config_of_the_other_layout_is_part_of_the_model(self):
        shutil.rmtree(self.model)
        shutil.copytree(FIXTURES / "clip", self.model)
        self.stamp("without")
        seen = set()
        for text in ('{"model_cfg": {}}', '{"model_cfg": {"embed_dim": 1}}'):
            self.write("model/open_clip_config.json", text)
            seen.add(self.stamp(f"with {len(text)}", "--layout", "hf")["identity_sha256"])
        self.assertEqual(len(seen), 2)
        result = call("run", "--model", self.model, "--tasks", f"file:{self.items}", "--layout", "hf", "--output", self.folder / "with 17", "--no-cache")
        self.expect_error(result, 2, "holds another run", "open_clip_config.json")

    def test_a_state_dict_without_a_config_runs(self):
        (self.model / "open_clip_config.json").unlink()
        (self.model / "open_clip_model.safetensors").rename(self.model / "model.safetensors")
        (self.model / "fixture.json").unlink()
        stamp = self.stamp("bare")
        self.assertEqual(stamp["identity"]["model"]["activation"], "quick_gelu")

    def test_every_file_that_is_opened_is_part_of_the_model_and_of_the_cache(self):
        shutil.rmtree(self.model)
        shutil.copytree(FIXTURES / "clip", self.model)
        # The name that newer folders have: it was read and not hashed.
        (self.model / "preprocessor_config.json").rename(self.model / "processor_config.json")

        def scores(name):
            result = call("run", "--model", self.model, "--tasks", f"file:{self.items}", "--output", self.folder / name, "--cache", self.folder / "cache")
            self.assertEqual(result.returncode, 0, result.stderr)
            return json.loads(next((self.folder / name).rglob("run.json")).read_text())
        first = scores("first")
        again = scores("again")
        self.assertEqual(first["identity_sha256"], again["identity_sha256"])
        config = json.loads((self.model / "processor_config.json").read_text())
        config.get("image_processor", config)["image_mean"] = [0.1, 0.2, 0.3]
        self.write("model/processor_config.json", config)
        changed = scores("changed")
        self.assertNotEqual(changed["identity_sha256"], first["identity_sha256"])
        self.assertNotEqual(changed["samples_sha256"], first["samples_sha256"], "the old mean was served from the cache")
        result = call("run", "--model", self.model, "--tasks", f"file:{self.items}", "--output", self.folder / "first")
        self.expect_error(result, 2, "holds another run", "processor_config.json")

    def test_side_files_of_the_tokenizer_are_part_of_the_model(self):
        shutil.rmtree(self.model)
        shutil.copytree(FIXTURES / "clip", self.model)
        before = self.stamp("before")["identity_sha256"]
        seen = {before}
        for name, text in (("special_tokens_map.json", '{"pad_token": "!"}'), ("added_tokens.json", "{}")):
            (self.model / name).unlink(missing_ok=True)
            self.write(f"model/{name}", text)
            seen.add(self.stamp(name)["identity_sha256"])
        self.assertEqual(len(seen), 3)

    def scale_weight(self, name, factor):
        path = self.model / "model.safetensors"
        data = path.read_bytes()
        size = struct.unpack("<Q", data[:8])[0]
        begin, end = json.loads(data[8:8 + size])[name]["data_offsets"]
        values = struct.unpack(f"<{(end - begin) // 4}f", data[8 + size + begin:8 + size + end])
        most = max(map(abs, values))
        scaled = struct.pack(f"<{len(values)}f", *(value / most * factor for value in values))
        path.write_bytes(data[:8 + size + begin] + scaled + data[8 + size + end:])

    def test_scores_of_a_network_that_are_not_finite_fail_their_items_and_are_not_kept(self):
        shutil.rmtree(self.model)
        shutil.copytree(FIXTURES / "clip", self.model)
        self.scale_weight("visual_projection.weight", 3e38)
        result = call("run", "--model", self.model, "--tasks", f"file:{self.items}", "--output", self.folder / "out", "--cache", self.folder / "cache")
        self.expect(result, 1, "none of 4 items was scored", "the model's score of 'a cat' is", "nan", "check the weights")
        info = json.loads(call("cache", "info", "--cache", self.folder / "cache", "--json").stdout)
        self.assertEqual(info["rows"], 2, "the rows of the two texts alone")

    def test_the_stamp_says_device_and_number_type(self):
        self.assertEqual([self.stamp("out")[key] for key in ("device", "dtype")], ["cpu", "float32"])
        self.assertEqual([self.stamp("half", "--dtype", "bf16")[key] for key in ("device", "dtype")], ["cpu", "bfloat16"])

    def test_transparency_is_part_of_the_run_and_counted(self):
        def chunk(kind, data):
            return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        rows = b"".join(b"\0" + bytes([200, 10, 10, 0, 10, 200, 10, 255] * 8) for _ in range(16))
        (self.folder / "2.png").write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 16, 16, 8, 6, 0, 0, 0))
                                            + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))
        dropped = self.stamp("drop")
        self.assertIn("1 pictures have an alpha channel", self.notes)
        white = self.stamp("white", "--transparency", "white")
        self.assertIn("laid on white", self.notes)
        self.assertNotEqual(dropped["samples_sha256"], white["samples_sha256"])
        self.assertEqual(white["identity"]["model"]["transparency"], "white")
        self.assertNotIn("transparency", dropped["identity"]["model"])

    def test_scores_of_the_matching_head(self):
        scores = {}
        for kind in ("match", "margin", "prob"):
            self.stamp(kind, "--itm-score", kind, "--score", "itm", model=FIXTURES / "blip_itm")
            with sqlite3.connect(next((self.folder / kind).rglob("samples.db"))) as store:
                scores[kind] = [float(word) for (row,) in store.execute("SELECT scores FROM items ORDER BY item") for word in row.split(" | ")]
        self.assertTrue(all(0 < value < 1 for value in scores["prob"]))
        self.assertNotEqual(scores["match"], scores["margin"])
        for margin, share in zip(scores["margin"], scores["prob"]):
            self.assertAlmostEqual(share, 1 / (1 + math.exp(-margin)), places=6)
        result = call("run", "--model", FIXTURES / "vilt", "--tasks", f"file:{self.items}", "--output", self.folder / "one", "--itm-score", "margin")
        self.expect(result, 2, "--itm-score")

    def test_language_models_may_begin_with_their_start_token(self):
        items = self.write("texts.jsonl", '{"metric": "pairwise"}\n{"id": "a", "texts": ["a cat sat", "a dog"], "right": 0}\n')
        model = FIXTURES / "gpt2_sharded"
        self.assertNotEqual(self.stamp("without", model=model, items=items)["samples_sha256"], self.stamp("with", "--bos", model=model, items=items)["samples_sha256"])

    def test_flava_is_asked_for_plain_products_on_probe_b_in_compat(self):
        folders = []
        for name in ("orig", "patch/gray", "mod/segmentation_mask/gray"):
            (self.folder / name).mkdir(parents=True)
            folders.append(self.folder / name.split("/")[0])
            shutil.copy(self.folder / "0.png", self.folder / name / "COCO_val2014_000000000001.jpg")
        self.write("b/background_context_dataset.json", [{"image_id": 1, "image": "COCO_val2014_000000000001.jpg", "annotations": {"dog": []}}])
        for flags, head in (([], "itc"), (["--compat"], "raw_dot"), (["--compat", "--score", "itc"], "itc")):
            output = self.folder / f"out{head}{len(flags)}"
            result = call("run", "--model", FIXTURES / "flava", "--tasks", "probe-b-background", "--data", self.folder / "b", "--fill-type", "gray",
                          "--root-image-orig-dir", folders[0], "--root-image-patch-dir", folders[1], "--root-image-mod-dir", folders[2], "--output", output, *flags)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertEqual(json.loads(next(output.rglob("run.json")).read_text())["identity"]["model"]["score"], head)


class ReferenceFlags(Case):
    def test_flags_that_change_nothing_are_told(self):
        self.write("data/data_compositional_switch.json", probe_c_groups(20))
        result = call("run", "--model", "fake", "--tasks", "probe-c", "--data", self.folder / "data", "--output", self.folder / "out", "--home_dir", "/x",
                      "--checkpoint_pth", "y")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("--home-dir is ignored", result.stderr)
        self.assertIn("--checkpoint-pth is ignored", result.stderr)

    def test_probe_r_is_also_written_under_the_name_of_the_notes(self):
        group = {"positive_image_ids": [1], "negative_image_ids": [2], "positive_prompt": "a", "negative_prompt": "b", "negative_predicate_prompt": "c",
                 "positive_object": "d", "negative_object": "e"}
        self.write("data/relation_eval_subject.json", {"3": group})
        result = call("run", "--model", "fake", "--name", "clip_finetuned", "--tasks", "probe-r", "--data", self.folder / "data", "--output",
                      self.folder / "out", "--also-compat-names", "--stream", "t", "--alpha", 0.5, "--obj-average", "features")
        self.assertEqual(result.returncode, 0, result.stderr)
        run = next((self.folder / "out").rglob("run.json")).parent
        name = "results/finetunedt_ep20_alpha0.5_ViT-B32/eval_relation_understanding.json"
        ours, theirs = (run / folder / "clip_finetuned" / name for folder in ("relational_text_eval", "relation_text_eval"))
        self.assertFalse(theirs.is_symlink() or theirs.samefile(ours))
        group = json.loads(theirs.read_text())
        self.assertEqual(group, json.loads(ours.read_text()))
        self.assertTrue(group)
        result = call("run", "--model", "fake", "--name", "plain", "--tasks", "probe-r", "--data", self.folder / "data", "--output", self.folder / "out")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertFalse((self.folder / "out/plain-probe-r/relation_text_eval").exists())

    def test_robustness_of_similarities_is_a_column_of_another_name(self):
        for name in ("orig", "patch/gray", "mod/segmentation_mask/gray"):
            (self.folder / name).mkdir(parents=True)
            for image in (1, 2, 3):
                (self.folder / name / f"COCO_val2014_{image:012d}.jpg").write_bytes(png(12 + image, 9, random.Random(f"{name}{image}")))
        self.write("b/background_context_dataset.json", [{"image_id": i, "image": f"COCO_val2014_{i:012d}.jpg", "annotations": {"dog": []}} for i in (1, 2, 3)])
        command = ["run", "--model", "fake", "--tasks", "probe-b-background", "--data", self.folder / "b", "--fill-type", "gray", "--root-image-orig-dir",
                   self.folder / "orig", "--root-image-patch-dir", self.folder / "patch", "--root-image-mod-dir", self.folder / "mod"]
        columns = {}
        for robustness in ("softmax", "similarity"):
            result = call(*command, "--robustness", robustness, "--output", self.folder / robustness)
            self.assertEqual(result.returncode, 0, result.stderr)
            found = json.loads(next((self.folder / robustness).rglob("results.json")).read_text())["metrics"]
            columns[robustness] = {one["id"]: one["value"] for one in found if "change_" in one["id"] and not one["id"].endswith("_ap")}
        self.assertTrue(columns["softmax"] and all("change_conf" in name for name in columns["softmax"]), columns)
        self.assertTrue(columns["similarity"] and all("change_similarity" in name for name in columns["similarity"]), columns)
        self.assertNotEqual(sorted(columns["softmax"].values()), sorted(columns["similarity"].values()))
        self.expect_error(call(*command, "--compat", "--robustness", "similarity", "--output", self.folder / "no"), 2, "--robustness")


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

    def test_a_file_name_that_is_no_utf8_is_shown_as_json(self):
        odd = os.fsencode(self.folder) + b"/x\xff.png"
        with open(odd, "wb") as file:
            file.write(png(4, 4, random.Random(1)))
        result = subprocess.run([SNELLEN.encode(), b"--json", b"media", b"info", odd], capture_output=True)
        self.assertEqual(result.returncode, 0, result.stdout)
        self.assertIn("x\ufffd.png", json.dumps(json.loads(result.stdout), ensure_ascii=False))


class Imported(Case):
    """Logs of other programs: a folder keeps what was imported, and every sample of the log is a row of its own."""

    def log(self, rows, name="m/samples_t.jsonl"):
        return self.write(name, "".join(json.dumps(row) + "\n" for row in rows))

    def test_another_metric_is_another_run(self):
        log = self.log([{"doc_id": i, "acc": i % 2, "f1": 0.5} for i in range(20)])
        self.assertEqual(call("import", "lmms-eval", log, "--metric", "acc", "--output", self.folder / "runs").returncode, 0)
        before = contents(self.folder / "runs/m-t")
        result = call("import", "lmms-eval", log, "--metric", "f1", "--output", self.folder / "runs")
        self.assertEqual(result.returncode, 2, result.stdout)
        self.assertIn("metrics", result.stderr)
        self.assertEqual(contents(self.folder / "runs/m-t"), before)

    def test_what_a_killed_import_left_goes_with_the_next(self):
        log = self.log([{"doc_id": i, "acc": i % 2} for i in range(20)])
        half = self.write("runs/m-t/results.json.snellen-0123456789abcdef.part", "half")
        self.assertEqual(call("import", "lmms-eval", log, "--metric", "acc", "--output", self.folder / "runs").returncode, 0)
        self.assertFalse(half.exists())

    def test_a_log_without_values_stands_in_nobodys_way(self):
        self.assertEqual(call("import", "lmms-eval", self.log([{"doc_id": 1, "acc": None}]), "--metric", "acc", "--output", self.folder / "runs").returncode, 3)
        self.assertEqual(call("import", "lmms-eval", self.log([{"doc_id": 1, "acc": 1}]), "--output", self.folder / "runs").returncode, 0)

    def test_repeats_do_not_take_the_name_of_another_item(self):
        log = self.log([{"doc_id": name, "acc": right} for name, right in (("a", 1), ("a", 0), ("a#2", 1), ("a#2", 1))])
        self.assertEqual(call("import", "lmms-eval", log, "--output", self.folder / "runs").returncode, 0)
        with sqlite3.connect(self.folder / "runs/m-t/samples.db") as store:
            items = [row[0] for row in store.execute("SELECT item FROM samples")]
        self.assertEqual(len(set(items)), 4, items)

    def test_long_names_of_models_do_not_meet(self):
        log = self.log([{"doc_id": 1, "acc": 1}])
        for name in ("m" * 210, "m" * 211):
            self.assertEqual(call("import", "lmms-eval", log, "--name", name, "--output", self.folder / "runs").returncode, 0)
        self.assertEqual(len(list((self.folder / "runs").iterdir())), 2)

    def test_a_folder_in_the_place_of_a_log(self):
        result = call("import", "lmms-eval", self.folder, "--output", self.folder / "runs")
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn("cannot be read", result.stderr)

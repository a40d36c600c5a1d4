# SPDX-License-Identifier: Apache-2.0
"""What can go wrong in a run: the item is recorded with its reason, the rest is scored, and what was stopped goes on to the same bytes."""
import json
import os
import pathlib
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
import unittest

import test_vilma_models
from checkpoints import with_more_rows
from cli import SNELLEN, Case, call, contents, probe_c_groups
from test_run_models import FIXTURES, HAS_NETWORKS, NUM_PICTURES, make_data, name_of, png

SHIPPED = FIXTURES.parents[2] / "models"
# A shell in a mount namespace of its own, where a disk can be as small as wanted; gone with its last process.
NAMESPACE = ["unshare", "--user", "--map-root-user", "--mount"]


def can_mount():
    try:
        return subprocess.run([*NAMESPACE, "mount", "-t", "tmpfs", "tmpfs", "/mnt"], capture_output=True).returncode == 0
    except OSError:
        return False


def failures_of(run_folder):
    """Reason by item of what was not scored."""
    with sqlite3.connect(run_folder / "samples.db") as store:
        return {item: reason for item, *reason in store.execute("SELECT s.item, f.code, f.what, f.location, f.hint FROM samples s JOIN failures f ON f.sample = s.id")}


@unittest.skipUnless(HAS_NETWORKS, "this build has no torch")
class Pictures(Case):
    """A picture an item, so that it is known which items must fail."""
    COUNT = 200

    def setUp(self):
        super().setUp()
        rng = random.Random(4)
        for i in range(self.COUNT):
            (self.folder / f"{i}.png").write_bytes(png(12, 9, rng))
        lines = [{"metric": "pairwise"}] + [{"id": f"i{i}", "visuals": [f"{i}.png"], "texts": ["a cat", f"a dog {i % 5}"], "right": 0} for i in range(self.COUNT)]
        self.items = self.write("items.jsonl", "".join(json.dumps(line) + "\n" for line in lines))

    def run_items(self, *more, model=FIXTURES / "clip", output="out", timeout=60):
        return call("run", "--model", model, "--tasks", f"file:{self.items}", "--output", self.folder / output, *more, timeout=timeout)

    def expect_failures(self, result, run_folder, wanted):
        self.expect(result, 4, f"{len(wanted)} of {self.COUNT} items failed or were skipped")
        found = failures_of(run_folder)
        self.assertEqual(set(found), set(wanted))
        for item, words in wanted.items():
            for word in words:
                self.assertIn(word, json.dumps(found[item]))

    def test_one_percent_missing_or_corrupt(self):
        (self.folder / "17.png").unlink()
        (self.folder / "101.png").write_bytes((self.folder / "101.png").read_bytes()[:60])
        self.expect_failures(self.run_items(), self.folder / "out" / "clip-items",
                             {"i17": ["17.png", "No such file"], "i101": ["101.png"]})

    def test_a_picture_that_hangs(self):
        (self.folder / "5.png").unlink()
        os.mkfifo(self.folder / "5.png")
        for model in ("clip", "vilt"):
            self.expect_failures(self.run_items(model=FIXTURES / model), self.folder / "out" / f"{model}-items",
                                 {"i5": ["5.png", "is not a plain file"]})

    def test_a_picture_that_hangs_is_not_shown_to_a_program(self):
        (self.folder / "5.png").unlink()
        os.mkfifo(self.folder / "5.png")
        child = self.write("child.py", """
import json, sys
sys.stdin.readline()
print(json.dumps({"ready": True, "wants": "path"}), flush=True)
for line in sys.stdin:
    request = json.loads(line)
    if request["op"] == "bye": break
    open(request["image"], "rb").read()
    print(json.dumps({"id": request["id"], "scores": [1.0, 0.5]}), flush=True)
""")
        self.expect_failures(self.run_items(model=f"exec:{sys.executable} {child}"), self.folder / "out" / "exec-items", {"i5": ["5.png"]})

    def test_files_with_the_same_bad_bytes_are_each_named(self):
        for i in (3, 150):
            (self.folder / f"{i}.png").write_bytes(b"no picture")
        for workers in (1, 4):
            self.expect_failures(self.run_items("--num-workers", workers, output=f"out{workers}"), self.folder / f"out{workers}" / "clip-items",
                                 {"i3": ["/3.png"], "i150": ["/150.png"]})


@unittest.skipUnless(HAS_NETWORKS, "this build has no torch")
class Clips(test_vilma_models.VilmaCase):
    def test_a_clip_without_frames_and_one_that_hangs(self):
        world = self.folder / "world"
        subprocess.run(["cp", "-r", self.data, world], check=True)
        clips = sorted(world.rglob("*.webm")) or sorted(world.rglob("*.mp4"))
        data = clips[0].read_bytes()
        # Of a Matroska file the head alone, in a segment of unknown size: whole, and without a frame.
        segment, cluster = data.find(b"\x18\x53\x80\x67\x01"), data.find(b"\x1f\x43\xb6\x75")
        self.assertTrue(0 < segment < cluster)
        clips[0].write_bytes(data[:segment + 4] + b"\x01" + b"\xff" * 7 + data[segment + 12:cluster])
        clips[1].unlink()
        os.mkfifo(clips[1])
        for model in ("clip", "blip_itm"):
            result = call("run", "--model", FIXTURES / model, "--tasks", "vilma", "--data", world, "--output", self.folder / "runs", timeout=120)
            self.assertEqual(result.returncode, 4, result.stderr)
            reasons = {json.dumps(error) for error in failures_of(self.folder / "runs" / f"{model}-vilma").values()}
            for clip in clips[:2]:
                self.assertTrue(any(clip.name in reason for reason in reasons), reasons)
            self.assertFalse([reason for reason in reasons if clips[0].name not in reason and clips[1].name not in reason])


    def test_a_window_without_frames(self):
        clip = (sorted(self.data.rglob("*.webm")) or sorted(self.data.rglob("*.mp4")))[0]
        texts = {"texts": ["a cat", "a dog"], "right": 0}
        lines = [{"metric": "pairwise"}, {"id": "good", "visuals": [{"clip": clip.name}], **texts},
                 {"id": "late", "visuals": [{"clip": clip.name, "start": 1000, "end": 1001}], **texts}]
        items = self.write("items.jsonl", "".join(json.dumps(line) + "\n" for line in lines))
        result = call("run", "--model", FIXTURES / "clip", "--tasks", f"file:{items}", "--root-image-dir", clip.parent, "--output", self.folder / "out")
        self.expect(result, 4, "1 of 2 items failed")
        found = failures_of(self.folder / "out" / "clip-items")
        self.assertEqual(list(found), ["late"])
        self.assertIn("frame", json.dumps(found["late"]))


@unittest.skipUnless(can_mount(), "no disk can be mounted here")
class Disks(Case):
    def in_namespace(self, script, *arguments):
        return subprocess.run([*NAMESPACE, "sh", "-c", script, "sh", *map(str, arguments)], capture_output=True, text=True, timeout=300)

    def test_full_in_mid_run(self):
        self.write("data/data_compositional_switch.json", probe_c_groups(20000))
        flags = ["--model", "fake", "--tasks", "probe-c", "--data", self.folder / "data"]
        self.assertEqual(call("run", *flags, "--output", self.folder / "whole").returncode, 0)
        disk = self.folder / "disk"
        disk.mkdir()
        script = """
disk=$1 folder=$2; shift 2
mount -t tmpfs -o size=4m tmpfs "$disk"
"$@" --output "$disk" 2>"$folder/errors"; echo $? >"$folder/full"
sqlite3 "$disk/fake-probe-c/samples.db" "PRAGMA integrity_check; SELECT count(*) FROM samples" >"$folder/journal"
mount -o remount,size=200m "$disk"
"$@" --output "$disk" --json >"$folder/answer" 2>&1; echo $? >"$folder/resumed"
cp -r "$disk/fake-probe-c" "$folder/made"
"""
        result = self.in_namespace(script, disk, self.folder, SNELLEN, "run", *flags)
        self.assertEqual(result.returncode, 0, result.stderr)
        errors = (self.folder / "errors").read_text()
        self.assertEqual((self.folder / "full").read_text().strip(), "1", errors)
        for word in ("samples.db", "full", f"MB are free on the disk at {disk}", "free some space", "go on with: snellen run"):
            self.assertIn(word, errors)
        state, recorded = (self.folder / "journal").read_text().split()
        self.assertEqual(state, "ok")
        self.assertGreater(int(recorded), 0)
        self.assertLess(int(recorded), 20000)
        self.assertEqual((self.folder / "resumed").read_text().strip(), "0", (self.folder / "answer").read_text())
        self.assertGreaterEqual(json.loads((self.folder / "answer").read_text())["resumed"], int(recorded))
        self.assertEqual(contents(self.folder / "made"), contents(self.folder / "whole" / "fake-probe-c"))

    @unittest.skipUnless(HAS_NETWORKS, "this build has no torch")
    def test_a_cache_that_is_full_or_cannot_be_written(self):
        make_data(self)
        flags = ["--model", FIXTURES / "clip", "--tasks", "probe-c", "--data", self.folder / "data", "--root-image-dir", self.images]
        self.assertEqual(call("run", *flags, "--output", self.folder / "none", "--no-cache").returncode, 0)
        disk = self.folder / "disk"
        disk.mkdir()
        for name, mount in (("full", "size=4k"), ("protected", "ro")):
            script = f'disk=$1; shift; mount -t tmpfs -o {mount} tmpfs "$disk"; exec "$@"'
            result = self.in_namespace(script, disk, SNELLEN, "run", *flags, "--output", self.folder / name, "--cache", disk / "cache")
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertEqual(result.stderr.count("note: the cache is not written"), 1, result.stderr)
            self.assertIn(str(disk), result.stderr)
            self.assertEqual(contents(self.folder / name / "clip-probe-c"), contents(self.folder / "none" / "clip-probe-c"))

    @unittest.skipUnless(HAS_NETWORKS, "this build has no torch")
    def test_no_room_for_embeddings(self):
        make_data(self)
        disk = self.folder / "disk"
        disk.mkdir()
        script = 'disk=$1; shift; mount -t tmpfs -o size=40k tmpfs "$disk"; exec "$@" --output "$disk"'
        result = self.in_namespace(script, disk, SNELLEN, "run", "--model", FIXTURES / "clip", "--tasks", "probe-c", "--data", self.folder / "data",
                                   "--root-image-dir", self.images, "--no-cache")
        self.expect_error(result, 1, "free some space", "go on with: snellen run", str(disk))


class Signals(Case):
    def test_sigterm_leaves_a_run_that_goes_on(self):
        self.write("data/data_compositional_switch.json", probe_c_groups(3000))
        flags = ["--tasks", "probe-c", "--data", self.folder / "data", "--num-workers", "1"]
        self.assertEqual(call("run", "--model", "fake", *flags, "--output", self.folder / "whole").returncode, 0)
        command = [SNELLEN, "run", "--model", "fake:wait=1000", *map(str, flags), "--output", str(self.folder / "stopped")]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        while not (self.folder / "stopped" / "fake-probe-c" / "samples.db").exists():
            time.sleep(0.01)
        time.sleep(0.8)
        process.send_signal(signal.SIGTERM)
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130, errors)
        self.assertIn("resume with: snellen run", errors)
        answer = call(*command[1:3], "fake", *command[4:], "--json")
        self.assertEqual(answer.returncode, 0, answer.stderr)
        self.assertGreater(json.loads(answer.stdout)["resumed"], 0)
        self.assertEqual(contents(self.folder / "stopped" / "fake-probe-c"), contents(self.folder / "whole" / "fake-probe-c"))


class CutFiles(Case):
    """A mapped file that becomes shorter ends the run in good order; with the file back, the run goes on and loses nothing."""

    def test_annotations_that_are_cut_in_mid_run(self):
        path = self.write("data/data_compositional_switch.json", probe_c_groups(60000))
        whole, times = path.read_bytes(), os.stat(path)
        flags = ["--tasks", "probe-c", "--data", self.folder / "data", "--num-workers", "1", "--output", self.folder / "out"]
        command = [SNELLEN, "run", "--model", "fake:wait=100", *map(str, flags)]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        store = self.folder / "out" / "fake-probe-c" / "samples.db"
        while process.poll() is None and not self.num_rows(store):
            time.sleep(0.01)
        os.truncate(path, 0)
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 3, errors)
        self.assertIn("cut short", errors)
        kept = self.num_rows(store)
        self.assertGreater(kept, 0)
        path.write_bytes(whole)
        os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
        result = call("run", "--model", "fake", *flags, "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertGreaterEqual(json.loads(result.stdout)["resumed"], kept)

    @unittest.skipUnless(HAS_NETWORKS, "this build has no torch")
    def test_weights_that_are_cut_while_they_are_loaded(self):
        (self.folder / "0.png").write_bytes(png(12, 9, random.Random(1)))
        items = self.write("items.jsonl", '{"metric": "pairwise"}\n{"id": "a", "visuals": ["0.png"], "texts": ["a cat", "a dog"], "right": 0}\n')
        model = self.folder / "model"
        shutil.copytree(FIXTURES / "clip", model)
        (model / "fixture.json").unlink()
        weights = model / "model.safetensors"
        rows = 1_000_000  # loading them takes long enough to be met in it
        with_more_rows(weights, lambda name: name.endswith("token_embedding.weight"), rows)
        config = json.loads((model / "config.json").read_text())
        config["text_config"]["vocab_size"] = rows
        self.write("model/config.json", config)
        whole, times = self.folder / "whole", os.stat(weights)
        shutil.copy(weights, whole)
        command = ["run", "--model", model, "--tasks", f"file:{items}", "--no-cache", "--output", self.folder / "out"]
        process = subprocess.Popen([SNELLEN, *map(str, command)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        maps = pathlib.Path(f"/proc/{process.pid}/maps")
        while process.poll() is None and "model.safetensors" not in maps.read_text():
            time.sleep(0.001)
        os.truncate(weights, 5000)
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 3, errors)
        self.assertRegex(errors, "cut short|the file holds")  # in the middle of it, or before its header was read
        shutil.copy(whole, weights)
        os.utime(weights, ns=(times.st_atime_ns, times.st_mtime_ns))
        result = call(*command)
        self.assertEqual(result.returncode, 0, result.stderr)

    def num_rows(self, store):
        try:
            with sqlite3.connect(f"file:{store}?mode=ro", uri=True) as rows:
                return rows.execute("SELECT count(*) FROM samples").fetchone()[0]
        except sqlite3.Error:
            return 0


if __name__ == "__main__":
    unittest.main()

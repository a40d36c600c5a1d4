# SPDX-License-Identifier: Apache-2.0
"""What can go wrong in a training: a full disk, a killed process, a loss that is no number. What was good stays."""
import json
import math
import random
import signal
import subprocess
import time
import unittest

from cli import SNELLEN, Case, call
from test_training import HAS_NETWORKS, SMALL, floats, tensors

# Weights of half a megabyte, so that writing them takes a while.
TOWER = dict(hidden_size=64, intermediate_size=256, num_hidden_layers=2, num_attention_heads=2)
LARGER = dict(SMALL["clip"], text_config=dict(TOWER, max_position_embeddings=40), vision_config=dict(TOWER, image_size=16, patch_size=8))


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@unittest.skipUnless(HAS_NETWORKS, "this build has no torch")
class Faults(Case):
    def command(self, output, *more):
        return [SNELLEN, *map(str, ("train", "--arch", "clip", "--init", self.write("clip.json", LARGER), "--output", self.folder / output, "--scenes", 48,
                                    "--batch-size", 8, "--torch-threads", 1, "--num-workers", 1, "--evaluate-every", 0, "--probe-scenes", 4, *more))]

    def run_full(self, room, begun, *flags):
        """Goes on with a begun training on a disk that has `room` bytes left; gives the result, and what is then on the disk."""
        disk, after = self.folder / "disk", self.folder / "after"
        disk.mkdir()
        used = sum(-(-path.stat().st_size // 4096) * 4096 for path in (self.folder / begun).rglob("*") if path.is_file())
        script = 'mount -t tmpfs -o size=$1 tmpfs "$2" && cp -a "$3"/. "$2" && mkdir "$4" || exit 99; shift 4; "$@"; code=$?; cp -a "$0"/. "$0"/../after; exit $code'
        done = subprocess.run(["unshare", "-rm", "sh", "-c", script, disk, str(used + room), disk, self.folder / begun, after, *self.command("disk", *flags)],
                              capture_output=True, text=True, timeout=300)
        if done.returncode == 99 or "unshare" in done.stderr:
            self.skipTest("no small disk can be made here")
        return done, "after"

    def whole_ones(self, output):
        return sorted(path for path in (self.folder / output / "checkpoints").glob("step-*") if path.suffix != ".part" and (path / "training.json").exists())

    def begun(self, output, *flags):
        """A training that was interrupted after its first checkpoint."""
        process = subprocess.Popen(self.command(output, *flags), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        deadline = time.time() + 120
        while process.poll() is None and time.time() < deadline and not self.whole_ones(output):
            time.sleep(0.002)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130, errors)
        return self.whole_ones(output)[-1]

    def test_a_full_disk_in_the_middle_of_a_checkpoint_leaves_the_old_one(self):
        flags = ("--steps", 200, "--checkpoint-every", 10, "--ema", 0.9)
        self.assertEqual(subprocess.run(self.command("whole", *flags), capture_output=True).returncode, 0)
        good = self.begun("broken", *flags)
        weights, state = (good / "model.safetensors").stat().st_size, (good / "optimizer.safetensors").stat().st_size
        self.assertGreater(state, 2 * weights)
        failed, after = self.run_full(2 * weights, "broken", *flags)
        self.expect_error(failed, 1, "optimizer.safetensors", "No space left on device", "free some space, then run the same command again")
        self.assertEqual(self.whole_ones(after)[-1].name, good.name)
        self.assertEqual(contents(self.whole_ones(after)[-1]), contents(good))
        self.assertEqual(list((self.folder / after / "checkpoints").glob("*.part")), [])
        self.assertFalse((self.folder / after / "model.safetensors").exists())
        done = subprocess.run(self.command(after, *flags), capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual((self.folder / "whole" / "model.safetensors").read_bytes(), (self.folder / after / "model.safetensors").read_bytes())

    def test_a_full_disk_at_the_end_leaves_a_training_that_goes_on(self):
        # Halves change config.json, by which a training is known; nothing is changed before the weights are on the disk.
        flags = ("--steps", 100, "--save-dtype", "fp16")
        good = self.begun("broken", *flags, "--checkpoint-every", 10)
        size = (good / "model.safetensors").stat().st_size
        failed, after = self.run_full(size // 3, "broken", *flags, "--checkpoint-every", 0)
        self.expect_error(failed, 1, "model.safetensors", "No space left on device")
        self.assertFalse((self.folder / after / "model.safetensors").exists())
        done = subprocess.run(self.command(after, *flags), capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(sorted(path.name for path in (self.folder / after).glob("model*")), ["model.safetensors"])

    def test_a_log_that_cannot_be_written_ends_training(self):
        flags = ("--steps", 600, "--checkpoint-every", 0)
        self.begun("broken", "--steps", 600, "--checkpoint-every", 2)
        failed, after = self.run_full(24000, "broken", *flags)
        self.expect_error(failed, 1, "train.jsonl", "disk full")
        self.assertFalse((self.folder / after / "model.safetensors").exists())

    def test_kill_in_the_middle_of_a_checkpoint_leaves_the_old_one(self):
        flags = ("--steps", 400, "--checkpoint-every", 1)
        self.assertEqual(subprocess.run(self.command("whole", "--steps", 400), capture_output=True).returncode, 0)
        rng = random.Random(11)
        num_cut = 0
        folder = self.folder / "broken" / "checkpoints"
        for _ in range(5):
            begun = len(self.whole_ones("broken"))
            process = subprocess.Popen(self.command("broken", *flags), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            deadline = time.time() + 60
            while process.poll() is None and time.time() < deadline:
                if (begun or self.whole_ones("broken")) and list(folder.glob("*.part")):
                    break
            time.sleep(rng.random() * 0.004)
            process.kill()
            process.wait()
            self.assertNotEqual(process.returncode, 0, "training was over before it could be killed")
            num_cut += bool(list(folder.glob("*.part")))
            last = self.whole_ones("broken")[-1]
            self.assertEqual(json.loads((last / "training.json").read_text())["step"], int(last.name[5:]))
            for name in ("model.safetensors", "optimizer.safetensors"):
                self.assertTrue(all(math.isfinite(x) for data in tensors(last / name).values() for x in floats(data)))
        self.assertGreater(num_cut, 0, "no write was cut off")
        done = subprocess.run(self.command("broken", *flags, "--json"), capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertGreater(json.loads(done.stdout)["resumed"], 0)
        self.assertEqual((self.folder / "whole" / "model.safetensors").read_bytes(), (self.folder / "broken" / "model.safetensors").read_bytes())
        lines = [json.loads(line) for line in (self.folder / "broken" / "train.jsonl").read_text().splitlines()]
        self.assertEqual([line["step"] for line in lines if "loss" in line], list(range(1, 401)))

    def test_a_loss_that_is_no_number_leaves_the_last_good_checkpoint(self):
        # Weights grow until the loss is no number.
        done = subprocess.run(self.command("out", "--steps", 400, "--lr", 1e18, "--clip-norm", 0, "--warmup", 1, "--checkpoint-every", 1),
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 1, done.stderr)
        good = self.whole_ones("out")[-1]
        self.assertIn(str(good), done.stderr)
        self.assertRegex(done.stderr, f"in step {int(good.name[5:]) + 1}\\b")
        self.assertTrue(all(math.isfinite(x) for data in tensors(good / "model.safetensors").values() for x in floats(data)))
        self.assertFalse((self.folder / "out" / "model.safetensors").exists())
        self.assertIn('"loss":null', (self.folder / "out" / "train.jsonl").read_text().replace(" ", ""))
        # It is a model folder like any other.
        again = call("finetune", "--model", good, "--output", self.folder / "again", "--scenes", 16, "--batch-size", 8, "--steps", 1, "--probe-scenes", 4)
        self.assertIn(again.returncode, (0, 1), again.stderr)
        self.assertNotIn("other settings", again.stderr)


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: Apache-2.0
"""Training: folders that load, the same weights after an interruption, towers that stay, faults that are named."""
import fcntl
import json
import pathlib
import random
import shutil
import signal
import struct
import subprocess
import time
import unittest

from cli import SNELLEN, Case, call
from test_run_models import png

HAS_NETWORKS = (pathlib.Path(SNELLEN).parent / "libsnellen_networks.so").exists()
TOWER = dict(hidden_size=32, intermediate_size=48, num_hidden_layers=1, num_attention_heads=2)
SMALL = dict(clip=dict(model_type="clip", architectures=["CLIPModel"], projection_dim=16,
                       text_config=dict(TOWER, max_position_embeddings=40), vision_config=dict(TOWER, image_size=16, patch_size=8)),
             blip=dict(model_type="blip", architectures=["BlipForImageTextRetrieval"], image_text_hidden_size=16,
                       text_config=dict(TOWER, max_position_embeddings=60, encoder_hidden_size=32),
                       vision_config=dict(TOWER, image_size=16, patch_size=8)),
             xclip=dict(model_type="xclip", architectures=["XCLIPModel"], projection_dim=16, prompt_layers=1, prompt_num_attention_heads=2,
                        text_config=dict(TOWER, max_position_embeddings=60),
                        vision_config=dict(TOWER, image_size=16, patch_size=8, num_frames=2, mit_hidden_size=16, mit_intermediate_size=32,
                                           mit_num_hidden_layers=1, mit_num_attention_heads=2)),
             gpt2=dict(model_type="gpt2", architectures=["GPT2LMHeadModel"], n_embd=32, n_layer=1, n_head=2, n_positions=80))


def tensors(file):
    """Name -> bytes of a safetensors file, without any library."""
    data = pathlib.Path(file).read_bytes()
    size = struct.unpack("<Q", data[:8])[0]
    header = json.loads(data[8:8 + size])
    return {name: data[8 + size + facts["data_offsets"][0]:8 + size + facts["data_offsets"][1]]
            for name, facts in header.items() if name != "__metadata__"}


def floats(data):
    return struct.unpack(f"<{len(data) // 4}f", data)


@unittest.skipUnless(HAS_NETWORKS, "this build has no torch")
class Trains(Case):
    def train(self, arch, output, *more, **options):
        config = self.write(f"{arch}.json", SMALL[arch])
        usual = {"--scenes": 48, "--batch-size": 8, "--torch-threads": 1, "--num-workers": 2}
        flags = [word for name, value in usual.items() if name not in more for word in (name, value)]
        return call("train", "--arch", arch, "--init", config, "--output", self.folder / output, *flags, *more, **options)

    def test_every_architecture_becomes_a_folder_that_runs_and_learns(self):
        for arch in SMALL:
            done = self.train(arch, arch, "--steps", 30, "--lr", 3e-3, "--json")
            self.assertEqual(done.returncode, 0, done.stderr)
            lines = [json.loads(line) for line in (self.folder / arch / "train.jsonl").read_text().splitlines()]
            losses = [line["loss"] for line in lines if "loss" in line]
            self.assertEqual(len(losses), 30)
            self.assertLess(sum(losses[-5:]), sum(losses[:5]))
            self.assertFalse((self.folder / arch / "checkpoints").exists())
            tokens = call("tokenize", "--model", self.folder / arch, input="A photo of a red cat.\n")
            self.assertEqual(tokens.returncode, 0, tokens.stderr)

    def test_the_number_of_workers_changes_nothing_and_halves_are_saved_as_halves(self):
        for name, workers in (("one", 1), ("four", 4)):
            self.assertEqual(self.train("clip", name, "--steps", 4, "--num-workers", workers).returncode, 0)
        self.assertEqual(tensors(self.folder / "one" / "model.safetensors"), tensors(self.folder / "four" / "model.safetensors"))
        self.assertEqual(self.train("clip", "half", "--steps", 4, "--save-dtype", "fp16").returncode, 0)
        halves = tensors(self.folder / "half" / "model.safetensors")
        self.assertEqual(json.loads((self.folder / "half" / "config.json").read_text()).get("dtype", "float16"), "float16")
        self.assertTrue(all(len(halves[k]) * 2 == len(v) for k, v in tensors(self.folder / "one" / "model.safetensors").items()))

    def test_an_interrupted_training_goes_on_to_the_same_weights(self):
        flags = ("--steps", 60, "--checkpoint-every", 5, "--ema", 0.9, "--clip-norm", 1)
        self.assertEqual(self.train("clip", "whole", *flags).returncode, 0)
        log = self.folder / "broken" / "train.jsonl"
        for stop in (signal.SIGINT, signal.SIGKILL):
            config = self.write("clip.json", SMALL["clip"])
            process = subprocess.Popen([SNELLEN, "train", "--arch", "clip", "--init", str(config), "--output", str(self.folder / "broken"), "--scenes",
                                        "48", "--batch-size", "8", "--torch-threads", "1", "--num-workers", "2", *map(str, flags)],
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            deadline = time.time() + 60
            wanted = 21 if stop == signal.SIGINT else 41
            while process.poll() is None and time.time() < deadline:
                if log.exists() and len(log.read_text().splitlines()) >= wanted - 1:
                    break
                time.sleep(0.01)
            process.send_signal(stop)
            _, errors = process.communicate(timeout=60)
            if process.returncode == 0:
                self.skipTest("training was over before it could be stopped")
            if stop == signal.SIGINT:
                self.assertEqual(process.returncode, 130, errors)
                self.assertIn(b"continues from step", errors)
        done = self.train("clip", "broken", *flags, "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertGreater(json.loads(done.stdout)["resumed"], 0)
        self.assertEqual((self.folder / "whole" / "model.safetensors").read_bytes(), (self.folder / "broken" / "model.safetensors").read_bytes())

    def test_other_settings_do_not_continue_a_training(self):
        self.write("clip.json", SMALL["clip"])
        folder = self.folder / "out" / "checkpoints" / "step-00000002"
        folder.mkdir(parents=True)
        (self.folder / "out" / "config.json").write_text(json.dumps(SMALL["clip"]))
        (folder / "training.json").write_text(json.dumps(dict(step=2, stamp="other")))
        shutil.copytree(self.trained(), self.folder / "out", dirs_exist_ok=True, ignore=shutil.ignore_patterns("model.safetensors"))
        self.expect_error(self.train("clip", "out", "--steps", 4), 3, "other settings")

    def trained(self):
        self.assertEqual(self.train("clip", "base", "--steps", 4).returncode, 0)
        return self.folder / "base"

    def test_fine_tuning_moves_the_tower_that_is_asked_for(self):
        before = tensors(self.trained() / "model.safetensors")
        for tower, moves in (("V", lambda n: n.startswith(("vision_model.", "visual_projection."))),
                             ("T", lambda n: n.startswith(("text_model.", "text_projection."))),
                             ("VT", lambda n: n != "logit_scale")):
            done = call("finetune", "--model", self.folder / "base", "--output", self.folder / tower, "--train", tower, "--scenes", 16, "--batch-size", 8,
                        "--steps", 2, "--lr", 1e-3, "--torch-threads", 1)
            self.assertEqual(done.returncode, 0, done.stderr)
            after = tensors(self.folder / tower / "model.safetensors")
            self.assertEqual(set(after), set(before))
            moved = {name for name in after if after[name] != before[name]}
            # The bias of keys cancels out in the softmax, and has a gradient of next to nothing.
            self.assertTrue(all(moves(name) for name in moved), moved)
            self.assertTrue(all(name in moved for name in before if moves(name) and not name.endswith("k_proj.bias")), set(before) - moved)

    def test_too_few_samples_and_models_that_are_there_are_refused(self):
        self.expect_error(self.train("clip", "out", "--batch-size", 64), 3, "48 samples do not fill one batch of 64")
        self.trained()
        self.expect_error(self.train("clip", "base"), 3, "holds a trained model already")

    def test_a_loss_that_is_no_number_stops_and_names_the_step(self):
        done = self.train("clip", "out", "--steps", 40, "--lr", 1e30, "--clip-norm", 0, "--warmup", 0, "--checkpoint-every", 1)
        self.expect_error(done, 1, "in step", "batch ")
        self.assertFalse((self.folder / "out" / "model.safetensors").exists())

    def test_a_picture_that_cannot_be_read_is_replaced_and_counted(self):
        rng = random.Random(0)
        (self.folder / "images").mkdir()
        for i in range(12):
            data = png(20, 16, rng)
            (self.folder / "images" / f"COCO_train2014_{i:012d}.jpg").write_bytes(data[:40] if i == 3 else data)
        captions = self.write("captions.json", dict(images=[], annotations=[dict(id=i, image_id=i % 12, caption=f"a red cat {i}") for i in range(24)]))
        flags = ("--captions", captions, "--images", self.folder / "images", "--steps", 6, "--batch-size", 6)
        first = self.train("clip", "first", *flags, "--json")
        self.assertEqual(first.returncode, 4, first.stderr)
        self.assertEqual(json.loads(first.stdout)["replaced"], 3)
        self.assertEqual(self.train("clip", "second", *flags, "--num-workers", 1).returncode, 4)
        self.assertEqual(tensors(self.folder / "first" / "model.safetensors"), tensors(self.folder / "second" / "model.safetensors"))

    def test_an_edited_captions_file_does_not_continue_a_training(self):
        rng = random.Random(0)
        (self.folder / "images").mkdir()
        for i in range(4):
            (self.folder / "images" / f"COCO_train2014_{i:012d}.jpg").write_bytes(png(20, 16, rng))
        flags = ("--captions", self.folder / "captions.json", "--images", self.folder / "images", "--steps", 4, "--batch-size", 4,
                 "--checkpoint-every", 2, "--keep-checkpoints")
        self.write("captions.json", dict(images=[], annotations=[dict(id=i, image_id=i, caption=f"a red cat {i}") for i in range(4)]))
        self.assertEqual(self.train("clip", "out", *flags).returncode, 0)
        (self.folder / "out" / "model.safetensors").unlink()
        self.write("captions.json", dict(images=[], annotations=[dict(id=i, image_id=i, caption="zzz") for i in range(4)]))
        self.expect_error(self.train("clip", "out", *flags), 3, "other settings (samples)")

    def test_two_trainings_do_not_share_an_output(self):
        self.write("out/train.lock", "")
        with open(self.folder / "out" / "train.lock") as held:
            fcntl.flock(held, fcntl.LOCK_EX)
            self.expect_error(self.train("clip", "out", "--steps", 2), 1, "another process is writing here", "name another --output")


if __name__ == "__main__":
    unittest.main()

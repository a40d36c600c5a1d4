# SPDX-License-Identifier: Apache-2.0
"""Checkpoint folders in runs: each distinct picture once, the same bytes whatever the threads, shards and kills, and
pictures that cannot be read fail their items alone."""
import json
import os
import pathlib
import random
import re
import signal
import struct
import subprocess
import time
import unittest
import zlib

from cli import MPIRUN, SNELLEN, Case, call, contents, has_mpi

FIXTURES = pathlib.Path(__file__).resolve().parents[1] / "golden" / "models"
HAS_NETWORKS = (pathlib.Path(SNELLEN).parent / "libsnellen_networks.so").exists()
NUM_PICTURES = 24


def png(width, height, rng):
    """A small picture of noise, without any library."""
    rows = b"".join(b"\0" + bytes(rng.randrange(256) for _ in range(3 * width)) for _ in range(height))

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def name_of(number):
    return f"COCO_val2014_{number:012d}.jpg"


def make_data(case):
    """Pictures of noise in case.images, and 120 groups over them in case.folder / "data"."""
    rng = random.Random(1)
    case.images = case.folder / "images"
    case.images.mkdir()
    for number in range(NUM_PICTURES):
        (case.images / name_of(number)).write_bytes(png(rng.randrange(20, 60), rng.randrange(20, 60), rng))
    groups = []
    for _ in range(120):
        first, second = rng.sample(range(NUM_PICTURES), 2)
        noun, one, other = rng.choice(["cat", "dog"]), *rng.sample(["red", "small", "wet"], 2)
        groups.append({"img1_id": str(first), "img2_id": second, "img1_prompt": f"A photo of a {one} {noun}.",
                       "img2_prompt": f"A photo of a {other} {noun}.", "img1_composition": one, "img2_composition": other,
                       "img1_object": noun, "img2_object": noun})
    case.write("data/data_compositional_switch.json", groups)


@unittest.skipUnless(HAS_NETWORKS, "this build has no torch")
class RunsModels(Case):
    def setUp(self):
        super().setUp()
        make_data(self)

    def arguments(self, output, model="clip", **flags):
        more = [word for name, value in flags.items() for word in ("--" + name.replace("_", "-"), value)]
        return ["run", "--model", FIXTURES / model, "--tasks", "probe-c", "--data", self.folder / "data",
                "--root-image-dir", self.images, "--output", self.folder / output, *more]

    def run_model(self, output, model="clip", **flags):
        return call(*self.arguments(output, model, **flags))

    def run_folder(self, output, model="clip"):
        return self.folder / output / f"{model}-probe-c"

    def test_each_distinct_picture_and_text_is_worked_on_once(self):
        result = self.run_model("out")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn(f"for {NUM_PICTURES} distinct visuals and 6 distinct texts", result.stderr)
        self.assertIn(f"{NUM_PICTURES} decoded, {NUM_PICTURES} visuals and 6 texts through the network", result.stderr)

    def counts(self, result, rank=""):
        """What a run says it worked on."""
        self.assertEqual(result.returncode, 0, result.stderr)
        asked = re.search(rf"note: {rank}\d+ items requested \d+ scores for (\d+) distinct visuals and (\d+) distinct texts", result.stderr)
        worked = re.search(rf"note: {rank}(\d+) decoded, (\d+) visuals and (\d+) texts through the network", result.stderr)
        return {"distinct_visuals": int(asked[1]), "distinct_texts": int(asked[2]),
                "decoded": int(worked[1]), "visuals": int(worked[2]), "texts": int(worked[3])}

    def items(self, name, *lines):
        return self.write(f"{name}.jsonl", "".join(json.dumps(line) + "\n" for line in ({"name": name, "metric": "pairwise"}, *lines)))

    def run_items(self, output, tasks, *more, models=("clip",)):
        words = [word for model in models for word in ("--model", FIXTURES / model)]
        return call("run", *words, "--tasks", tasks, "--data", self.folder / "data", "--root-image-dir", self.images, "--output", self.folder / output, *more)

    def test_tasks_of_one_run_share_pictures_and_texts(self):
        mine = self.items("mine", *({"visuals": [name_of(i)], "texts": ["A photo of a red cat.", "A photo of a wet cat."], "right": 0} for i in range(NUM_PICTURES)))
        found = self.counts(self.run_items("out", f"probe-c,file:{mine}"))
        self.assertEqual(found, {"distinct_visuals": NUM_PICTURES, "distinct_texts": 6, "decoded": NUM_PICTURES, "visuals": NUM_PICTURES, "texts": 6})

    def dry_run(self, *arguments, code=0):
        result = call("run", *arguments, "--dry-run", "--json")
        self.assertEqual(result.returncode, code, result.stderr)
        return json.loads(result.stdout)

    def test_a_dry_run_tells_what_the_run_then_does(self):
        for model, kind in (("clip", "dual encoder"), ("vilt", "fusion"), ("gpt2_sharded", "language")):
            plan = self.dry_run(*self.arguments("out", model)[1:])
            self.assertEqual([one["kind"] for one in plan["work"]], [kind])
            work = plan["work"][0]
            self.assertGreater(work["seconds"], 0)
            self.assertGreater(plan["memory_bytes"], 2 ** 20)
            self.assertEqual((plan["tasks"][0]["items"], plan["tasks"][0]["scores"], plan["missing"]["count"]), (120, 480, 0))
            result = self.run_model("out", model)
            found = self.counts(result)
            self.assertEqual((work["visuals"], work["texts"]), (found["visuals"], found["texts"]), model)
            self.assertEqual(work["pairs"], int(re.search(r"(\d+) pairs", result.stderr)[1]))
        (self.images / name_of(3)).unlink()
        plan = self.dry_run(*self.arguments("other")[1:], code=4)
        self.assertEqual((plan["missing"]["count"], plan["missing"]["are_needed"]), (1, True))
        self.assertIn(name_of(3), plan["missing"]["first"][0])
        self.assertFalse(self.dry_run(*self.arguments("other", "gpt2_sharded")[1:])["missing"]["are_needed"])
        self.assertFalse((self.folder / "other").exists())

    def test_a_dry_run_keeps_to_its_shard(self):
        items = [self.dry_run(*self.arguments("out", shard=f"{shard}/3")[1:])["tasks"][0]["items"] for shard in range(3)]
        self.assertEqual(sum(items), 120)
        self.assertLess(max(items), 120)

    def variants(self, count=NUM_PICTURES):
        """Items of five variants of each picture; their file."""
        what = ({}, {"crop": [2, 3, 12, 10]}, {"crop": [0, 0, 9, 9]}, {"corruption": "gray"}, {"corruption": "gauss:50", "crop": [2, 3, 12, 10]})
        return self.items("variants", *({"visuals": [{"image": name_of(i), **how}], "texts": ["a cat", "a dog"], "right": 0} for how in what for i in range(count)))

    def test_a_picture_is_decoded_once_for_all_that_is_made_of_it(self):
        path = self.variants()
        for model in ("clip", "vilt"):
            found = self.counts(self.run_items("out", f"file:{path}", models=(model,)))
            self.assertEqual((found["decoded"], found["visuals"]), (NUM_PICTURES, 5 * NUM_PICTURES), model)

    def test_several_models_see_the_same_crops(self):
        path = self.variants()
        models = ("clip", "siglip", "vilt")
        for model in models:
            self.assertEqual(self.run_items("alone", f"file:{path}", models=(model,)).returncode, 0)
        result = self.run_items("together", f"file:{path}", models=models)
        self.assertIn(f"{NUM_PICTURES} images were decoded once for all models", result.stderr)
        for model in models:
            self.assertEqual(contents(self.folder / "alone" / f"{model}-variants"), contents(self.folder / "together" / f"{model}-variants"), model)

    def test_shards_split_pictures_and_not_items(self):
        path = self.variants()
        decoded = []
        for shard in range(3):
            found = self.counts(self.run_items("out", f"file:{path}", "--shard", f"{shard}/3"))
            self.assertEqual(found["visuals"], 5 * found["decoded"])
            decoded.append(found["decoded"])
        self.assertEqual(sum(decoded), NUM_PICTURES)
        self.assertLess(max(decoded), NUM_PICTURES)

    def test_several_models_decode_every_picture_once(self):
        models = ("clip", "siglip", "vilt", "opt")
        for model in models:
            self.assertEqual(self.run_model("alone", model).returncode, 0)
        words = [word for model in models for word in ("--model", FIXTURES / model)]
        result = call("run", *words, "--tasks", "probe-c", "--data", self.folder / "data", "--root-image-dir", self.images,
                      "--output", self.folder / "together", "--no-cache")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn(f"{NUM_PICTURES} images were decoded once for all models", result.stderr)
        for model in models:
            self.assertEqual(contents(self.run_folder("alone", model)), contents(self.run_folder("together", model)), model)

    def test_a_model_that_cannot_be_opened_does_not_hold_the_others(self):
        (self.folder / "empty").mkdir()
        result = call("run", "--model", FIXTURES / "clip", "--model", self.folder / "empty", "--tasks", "probe-c", "--data", self.folder / "data",
                      "--root-image-dir", self.images, "--output", self.folder / "out")
        self.expect(result, 3, "empty")
        self.assertTrue((self.run_folder("out") / "results.json").exists())

    def test_a_picture_under_two_names_is_seen_once(self):
        (self.images / name_of(1)).write_bytes((self.images / name_of(0)).read_bytes())
        result = self.run_model("out", num_workers=1)
        self.assertIn(f"{NUM_PICTURES - 1} decoded", result.stderr)
        self.assertIn("1 visuals had the bytes of another", result.stderr)
        # A fusion model is asked other texts with it, and yet does not decode it again.
        self.assertEqual(self.counts(self.run_model("out", "vilt"))["decoded"], NUM_PICTURES - 1)

    @unittest.skipUnless(has_mpi(), "this build has no MPI, or there is no mpirun that works here")
    def test_a_rank_works_once_on_what_its_shares_have_in_common(self):
        groups = json.loads((self.folder / "data/data_compositional_switch.json").read_text())
        self.write("data/data_compositional_switch.json", groups * 8)
        for model, cache in (("clip", "--no-cache"), ("clip", f"--cache={self.folder}/cache"), ("vilt", "--no-cache"), ("gpt2_sharded", "--no-cache")):
            output = f"ranks{len(cache)}"
            command = [*MPIRUN, "-n", "2", SNELLEN, *map(str, self.arguments(output, model)), cache]
            result = subprocess.run(command, capture_output=True, text=True, timeout=300)
            # Rank 1 may open when all is done.
            for rank in range(2 if "note: rank 1: " in result.stderr else 1):
                found = self.counts(result, rank=f"rank {rank}: ")
                self.assertLessEqual(found["distinct_visuals"], NUM_PICTURES)
                self.assertLessEqual(found["distinct_texts"], 6)
                self.assertEqual(found["decoded"], 0 if model == "gpt2_sharded" else found["distinct_visuals"], (model, cache, rank))
                if model != "vilt":
                    self.assertEqual(found["texts"], found["distinct_texts"], (model, cache, rank))
                if model == "clip":
                    self.assertEqual(found["visuals"], found["distinct_visuals"], (cache, rank))

    @unittest.skipUnless(has_mpi(), "this build has no MPI, or there is no mpirun that works here")
    def test_ranks_change_nothing(self):
        # So many that every rank is handed items several times.
        groups = json.loads((self.folder / "data/data_compositional_switch.json").read_text())
        self.write("data/data_compositional_switch.json", groups * 5)
        for model in ("clip", "vilt", "gpt2_sharded"):
            self.assertEqual(self.run_model("one", model).returncode, 0)
            command = [*MPIRUN, "-n", "2", SNELLEN, *map(str, self.arguments("ranks", model))]
            result = subprocess.run(command, capture_output=True, text=True, timeout=300)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertEqual(contents(self.run_folder("ranks", model)), contents(self.run_folder("one", model)), model)

    def test_threads_and_batches_change_nothing(self):
        for model in ("clip", "vilt", "gpt2_sharded"):
            self.run_model("one", model, num_workers=1)
            self.run_model("many", model, num_workers=8, batch_size=7)
            self.assertEqual(contents(self.run_folder("one", model)), contents(self.run_folder("many", model)), model)

    def test_shards_merge_to_the_same_bytes(self):
        self.run_model("whole")
        for shard in range(3):
            result = self.run_model("shards", shard=f"{shard}/3")
            self.assertEqual(result.returncode, 0, result.stderr)
        merged = call("merge", *sorted((self.folder / "shards").iterdir()), "--output", self.folder / "merged")
        self.assertEqual(merged.returncode, 0, merged.stderr)
        self.assertEqual(contents(self.run_folder("whole")), contents(self.run_folder("merged")))

    def test_killed_at_any_moment_it_resumes_to_the_same_bytes(self):
        self.run_model("whole", "blip_itm")
        rng = random.Random(2)
        for _ in range(6):
            process = subprocess.Popen([SNELLEN, *map(str, self.arguments("killed", "blip_itm"))], stdout=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL)
            time.sleep(rng.uniform(0.1, 0.8))
            process.send_signal(signal.SIGKILL)
            process.wait()
        result = self.run_model("killed", "blip_itm")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(contents(self.run_folder("whole", "blip_itm")), contents(self.run_folder("killed", "blip_itm")))

    def test_pictures_that_cannot_be_read_fail_their_items_alone(self):
        (self.images / name_of(0)).unlink()
        (self.images / name_of(1)).write_bytes(b"no picture")
        (self.images / name_of(2)).unlink()
        os.mkfifo(self.images / name_of(2))
        result = call(*self.arguments("out"), "--json")
        self.assertEqual(result.returncode, 4, result.stderr)
        answer = json.loads(result.stdout)
        task = answer["tasks"][0]
        self.assertGreater(task["scored"], 60)
        self.assertGreater(task["failed"] + task["skipped"], 5)
        reasons = " ".join(failure["error"]["where"] for failure in task["failures"])
        self.assertTrue(re.search("00000000000[012]", reasons), reasons)

    def test_names_the_heads_when_one_is_unknown(self):
        self.expect_error(self.run_model("out", "blip_itm", score="xyz"), 2, "has no head 'xyz'", "itm, itc")

    def test_a_device_that_is_not_there_is_named(self):
        self.expect_error(self.run_model("out", "clip", device="cuda:99"), 2, "--device", "GPU", "use --device cpu")

    def test_heads_are_chosen(self):
        for head in ("itm", "itc"):
            result = self.run_model(head, "blip_itm", score=head)
            self.assertEqual(result.returncode, 0, result.stderr)
        self.assertNotEqual((self.run_folder("itm", "blip_itm") / "results.json").read_bytes(),
                            (self.run_folder("itc", "blip_itm") / "results.json").read_bytes())

    def test_a_folder_that_is_no_model_is_refused(self):
        self.expect_error(call("run", "--model", self.folder / "nowhere", "--tasks", "probe-c", "--data", self.folder / "data"), 3, "nowhere")

    def test_pictures_need_a_folder(self):
        result = call("run", "--model", FIXTURES / "clip", "--tasks", "probe-c", "--data", self.folder / "data", "--output", self.folder / "out")
        self.expect_error(result, 2, "--images")


if __name__ == "__main__":
    unittest.main()

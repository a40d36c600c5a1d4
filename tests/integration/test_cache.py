# SPDX-License-Identifier: Apache-2.0
"""The cache of embeddings and scores: the same bytes whatever it holds, and no trouble whatever happens to it."""
import json
import random
import signal
import subprocess
import time
import unittest

import test_vilma_models
from cli import SNELLEN, Case, call, contents
from test_run_models import FIXTURES, HAS_NETWORKS, NUM_PICTURES, make_data

MODELS = {"clip": "embeddings", "blip_itm": "pairs", "gpt2_sharded": "likelihoods", "siglip": "not exact in batches"}


@unittest.skipUnless(HAS_NETWORKS, "this build has no torch")
class TheCache(Case):
    def setUp(self):
        super().setUp()
        make_data(self)
        self.cache = self.folder / "cache"

    def run_model(self, output, model="clip", *more, cache=None):
        result = call("run", "--model", FIXTURES / model, "--tasks", "probe-c", "--data", self.folder / "data", "--root-image-dir", self.images,
                      "--output", self.folder / output, "--cache", cache or self.cache, *more)
        self.assertEqual(result.returncode, 0, result.stderr)
        return contents(self.folder / output / f"{model}-probe-c"), result.stderr

    def segments(self):
        return sorted(self.cache.rglob("*.rows"))

    def test_cold_warm_and_half_deleted_give_the_same_bytes(self):
        for model, what in MODELS.items():
            with self.subTest(what):
                want, _ = self.run_model("none", model, "--no-cache")
                cold, said = self.run_model("cold", model)
                self.assertIn("0 rows came from the cache", said)
                warm, said = self.run_model("warm", model)
                self.assertIn("0 decoded, 0 visuals and 0 texts through the network, 0 pairs", said)
                self.assertIn(", 0 were added", said)
                rng = random.Random(1)
                for path in self.segments():
                    index = path.with_suffix(".index")
                    records = index.read_bytes()
                    rows = [records[at:at + 40] for at in range(0, len(records), 40)]
                    index.write_bytes(b"".join(row for row in rows if rng.random() < 0.5))
                half, said = self.run_model("half", model)
                self.assertRegex(said, r"note: [1-9]\d* rows came from the cache, [1-9]\d* were added")
                self.assertEqual([cold, warm, half], [want] * 3)

    def test_damaged_rows_are_computed_again(self):
        want, _ = self.run_model("cold")
        for path in self.segments():
            data = bytearray(path.read_bytes())
            for at in range(0, len(data), 500):
                data[at] ^= 0x5A
            path.write_bytes(data)
        found, said = self.run_model("damaged")
        self.assertIn("were damaged and computed again", said)
        self.assertEqual(found, want)
        for path in self.segments():
            path.write_bytes(b"")
        self.assertEqual(self.run_model("empty")[0], want)

    def test_a_folder_that_cannot_be_written_is_a_note(self):
        place = self.write("file", "not a folder")
        _, said = self.run_model("out", cache=place / "cache")
        self.assertIn("note: the cache is not written", said)

    def test_no_cache_makes_none(self):
        self.run_model("out", "clip", "--no-cache")
        self.assertFalse(self.cache.exists())
        result = call("run", "--model", FIXTURES / "clip", "--tasks", "probe-c", "--data", self.folder / "data", "--root-image-dir", self.images,
                      "--output", self.folder / "off", env={"SNELLEN_CACHE": str(self.cache), "HOME": "/nowhere"})
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertTrue(self.segments(), "SNELLEN_CACHE names it")

    def test_another_model_or_setting_shares_nothing(self):
        self.run_model("one")
        for more in (("siglip",), ("clip", "--dtype", "bf16"), ("clip", "--compat")):
            _, said = self.run_model("other" + "".join(more), *more)
            self.assertIn("0 rows came from the cache", said, more)

    def test_processes_share_it(self):
        want, _ = self.run_model("alone", "clip", "--no-cache")
        runs = [subprocess.Popen([SNELLEN, "run", "--model", FIXTURES / "clip", "--tasks", "probe-c", "--data", self.folder / "data", "--root-image-dir",
                                  self.images, "--output", self.folder / f"out{i}", "--cache", self.cache], stdout=subprocess.DEVNULL,
                                 stderr=subprocess.DEVNULL) for i in range(3)]
        for one in runs:
            self.assertEqual(one.wait(timeout=120), 0)
        for i in range(3):
            self.assertEqual(contents(self.folder / f"out{i}" / "clip-probe-c"), want)
        _, said = self.run_model("after")
        self.assertIn(f"{NUM_PICTURES + 6} rows came from the cache, 0 were added", said)

    def test_a_killed_process_does_no_harm(self):
        want, _ = self.run_model("alone", "blip_itm", "--no-cache")
        for seconds in (0.3, 0.6, 0.9):
            process = subprocess.Popen([SNELLEN, "run", "--model", FIXTURES / "blip_itm", "--tasks", "probe-c", "--data", self.folder / "data",
                                        "--root-image-dir", self.images, "--output", self.folder / "killed", "--cache", self.cache],
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(seconds)
            process.send_signal(signal.SIGKILL)
            process.wait()
        self.assertEqual(self.run_model("killed", "blip_itm")[0], want)
        self.assertEqual(self.run_model("again", "blip_itm")[0], want)

    def test_size_is_bounded(self):
        self.run_model("out", "clip", "--cache-size", "0.000001")  # 1 kB
        self.assertLessEqual(sum(path.stat().st_size for path in self.cache.rglob("*") if path.suffix in (".rows", ".index")), 1000)
        result = call("run", "--model", FIXTURES / "clip", "--tasks", "probe-c", "--data", self.folder / "data", "--root-image-dir", self.images,
                      "--output", self.folder / "zero", "--cache-size", "0")
        self.expect_error(result, 2, "--cache-size")

    def test_info_and_clear(self):
        self.run_model("out")
        info = json.loads(call("cache", "info", "--cache", self.cache, "--json").stdout)
        self.assertEqual(info["rows"], NUM_PICTURES + 6)
        self.assertEqual(info["models"][0]["model"], "clip fp32 on cpu")
        shown = call("cache", "info", "--cache", self.cache)
        self.assertIn("clip fp32 on cpu", shown.stdout)
        cleared = json.loads(call("cache", "clear", "--cache", self.cache, "--json").stdout)
        self.assertEqual(cleared["rows"], NUM_PICTURES + 6)
        self.assertFalse(self.segments())
        _, said = self.run_model("again")
        self.assertIn("0 rows came from the cache", said)


@unittest.skipUnless(HAS_NETWORKS, "this build has no torch")
class ClipsInTheCache(test_vilma_models.VilmaCase):
    def test_clips_are_kept_with_their_frames(self):
        for model in ("clip", "xclip", "blip_itm"):
            found = []
            for output in ("cold", "warm", "none"):
                flags = ["--no-cache"] if output == "none" else ["--cache", self.folder / "cache"]
                result = call("run", "--model", FIXTURES / model, "--tasks", "vilma/relations", "--data", self.world, "--output",
                              self.folder / output, *flags)
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertEqual("note: 0 decoded" in result.stderr, output == "warm", result.stderr)
                found.append(contents(self.folder / output / f"{model}-vilma_relations"))
            self.assertEqual(found[0], found[2], model)
            self.assertEqual(found[1], found[2], model)


class WithoutACache(Case):
    def test_there_is_nothing_to_show(self):
        result = call("cache", "info", "--cache", self.folder / "none")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("0.0 kB", result.stdout)
        self.expect_error(call("cache", "clear"), 2, "SNELLEN_CACHE is off")


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: Apache-2.0
"""Small inputs cost little: memory and time of files that claim much."""
import json
import os
import random
import struct
import subprocess
import time
import unittest

import build_sources
from cli import SNELLEN, Case, probe_c_groups
from test_run_models import FIXTURES, HAS_NETWORKS, png


def empty_jpeg(side):
    """The header of a gray picture of this size, and next to nothing of it."""
    quantisation = b"\xff\xdb" + struct.pack(">H", 67) + b"\0" + bytes([1] * 64)
    frame = b"\xff\xc0" + struct.pack(">HBHHB", 11, 8, side, side, 1) + b"\x01\x11\x00"
    tables = b"".join(b"\xff\xc4" + struct.pack(">H", 20) + bytes([kind, 1]) + bytes(15) + b"\0" for kind in (0x00, 0x10))
    scan = b"\xff\xda" + struct.pack(">HB", 8, 1) + b"\x01\x00" + b"\0\x3f\0"
    return b"\xff\xd8" + quantisation + frame + tables + scan + bytes(1800) + b"\xff\xd9"


class Bounds(Case):
    """Bounds are far above what is needed (a few seconds, below 150 MB) and far below what the files cost before they were checked."""

    def cost(self, *arguments, seconds=60, megabytes=400):
        """Exit code and stderr of a call that keeps within its bounds."""
        begin = time.monotonic()
        with open(self.folder / "stderr", "w+") as errors:
            process = subprocess.Popen([SNELLEN, *map(str, arguments)], stdout=subprocess.DEVNULL, stderr=errors)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            errors.seek(0)
            text = errors.read()
        self.assertLess(time.monotonic() - begin, seconds, text[-300:])
        self.assertLess(usage.ru_maxrss / 1024, megabytes, text[-300:])
        return process.returncode, text

    def run_items(self, items, *more):
        return self.cost("run", "--model", "fake", "--tasks", f"file:{items}", "--output", self.folder / "out", *more)

    def test_many_visuals_times_many_texts(self):
        item = {"id": "a", "visuals": ["x.png"] * 4096, "texts": ["t"] * 65536, "cells": [[0, 0]], "right": 0}
        items = self.write("items.jsonl", '{"metric": "pairwise"}\n' + json.dumps(item) + "\n")
        code, errors = self.run_items(items)
        self.assertIn(code, (1, 3), errors)
        self.assertIn("items.jsonl", errors)

    def test_sixty_megabytes_of_newlines(self):
        items = self.write("items.jsonl", '{"metric": "pairwise"}\n' + "\n" * 60_000_000 + '{"id": "a", "texts": ["x", "y"], "right": 0}\n')
        code, errors = self.run_items(items)
        self.assertEqual(code, 0, errors)

    def test_a_coco_file_of_a_huge_picture(self):
        data = build_sources.coco(self.folder / "coco", images=1)
        data["images"][0].update(width=16384, height=16384)
        build_sources.write_instances(self.folder / "coco", data)
        code, errors = self.cost("build", "probe-b", "--instances", self.folder / "coco/instances.json", "--images", self.folder / "coco/images",
                                 "--scenes", self.folder / "coco/scenes", "--out", self.folder / "out")
        self.assertIn(code, (1, 3, 4), errors)

    def test_an_annotation_of_very_many_polygons(self):
        data = build_sources.coco(self.folder / "coco", images=1, width=400, height=400)
        rng = random.Random(1)
        corners = [(rng.randrange(1, 390), rng.randrange(1, 390)) for _ in range(160_000)]
        data["annotations"][0]["segmentation"] = [[x, y, x + 3, y, x + 3, y + 3, x, y + 3] for x, y in corners]
        build_sources.write_instances(self.folder / "coco", data)
        code, errors = self.cost("build", "probe-b", "--instances", self.folder / "coco/instances.json", "--images", self.folder / "coco/images",
                                 "--scenes", self.folder / "coco/scenes", "--out", self.folder / "out", megabytes=800)
        self.assertIn(code, (0, 1, 4), errors)

    def test_a_score_file_of_bad_lines(self):
        self.write("data/data_compositional_switch.json", probe_c_groups(160_000))
        scores = self.write("scores.jsonl", "".join('{"split": "composition", "index": %d, "scores": [[NaN, 1], [2, 3]]}\n' % i for i in range(160_000)))
        code, errors = self.cost("score", "probe-c", "--scores", scores, "--data", self.folder / "data", "--output", self.folder / "out")
        self.assertEqual(code, 1, errors[-600:])
        self.assertIn("none of 160000 items was scored", errors)

    @unittest.skipUnless(HAS_NETWORKS, "this build has no torch")
    def test_a_jpeg_that_claims_many_pixels(self):
        (self.folder / "large.jpg").write_bytes(empty_jpeg(13300))
        (self.folder / "small.png").write_bytes(png(20, 20, random.Random(1)))
        lines = [{"id": f"{i}", "visuals": ["large.jpg" if i % 2 else "small.png"], "texts": ["a cat", "a dog"], "right": 0} for i in range(8)]
        items = self.write("items.jsonl", '{"metric": "pairwise"}\n' + "".join(json.dumps(line) + "\n" for line in lines))
        code, errors = self.cost("run", "--model", FIXTURES / "clip", "--tasks", f"file:{items}", "--output", self.folder / "out", "--num-workers", 4,
                                 "--no-cache", megabytes=600)
        self.assertEqual(code, 4, errors)
        self.assertIn("4 of 8 items failed", errors)
        self.assertIn("large.jpg", errors)


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: Apache-2.0
"""What a new model begins with, and what is told of what it has learnt by heart."""
import copy
import math
import re
import unittest

import test_training
from cli import Case, call

# Of snellen/training/learners/picture_positions.cc.
ROOT_MEAN_SQUARE, BASE = 0.17, 100
SIDE, WIDTH = 4, 32


def sine_table():
    """The rows of a grid's patches: sines and cosines of x, then of y; the first row, of no patch, is 0."""
    rows = [[0.0] * WIDTH]
    for patch in range(SIDE * SIDE):
        rows.append([ROOT_MEAN_SQUARE * math.sqrt(2) * wave(along * BASE ** (-k / (WIDTH // 4)))
                     for along in (patch % SIDE, patch // SIDE) for k in range(WIDTH // 4) for wave in (math.sin, math.cos)])
    return [number for row in rows for number in row]


def correlation(first, second):
    mean = [sum(one) / len(one) for one in (first, second)]
    products = [sum((a - mean[i]) * (b - mean[j]) for a, b in zip((first, second)[i], (first, second)[j])) for i, j in ((0, 1), (0, 0), (1, 1))]
    return products[0] / math.sqrt(products[1] * products[2])


@unittest.skipUnless(test_training.HAS_NETWORKS, "this build has no torch")
class FreshModels(Case):
    def train(self, arch, output, *more):
        config = copy.deepcopy(test_training.SMALL[arch])
        config["vision_config"].update(image_size=8 * SIDE, patch_size=8, hidden_size=WIDTH)
        return call("train", "--arch", arch, "--init", self.write(f"{arch}.json", config), "--output", self.folder / output, "--scenes", 32, "--batch-size", 8,
                    "--torch-threads", 1, "--num-workers", 2, *more)

    def test_picture_positions_of_every_layout_begin_as_sines(self):
        wanted = sine_table()
        for arch in ("clip", "blip", "xclip"):
            # A step of next to nothing: what is written is what training began with.
            done = self.train(arch, arch, "--steps", 1, "--lr", 1e-12)
            self.assertEqual(done.returncode, 0, done.stderr)
            weights = test_training.tensors(self.folder / arch / "model.safetensors")
            name = next(one for one in weights if "vision_model.embeddings.position_embedding" in one)
            table = list(test_training.floats(weights[name]))
            self.assertEqual(len(table), len(wanted), name)
            noise = [a - b for a, b in zip(table, wanted)]
            self.assertLess(math.sqrt(sum(one * one for one in noise) / len(noise)), 0.5 * ROOT_MEAN_SQUARE, arch)
            self.assertGreater(correlation(table, wanted), 0.9, arch)

    def test_what_was_learnt_stands_beside_what_was_held_out(self):
        self.assertEqual(self.train("clip", "base", "--steps", 1).returncode, 0)
        done = call("finetune", "--model", self.folder / "base", "--output", self.folder / "tuned", "--scenes", 32, "--batch-size", 8, "--steps", 2, "--probe-scenes", 16,
                    "--torch-threads", 1, "--num-workers", 2)
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = done.stdout.splitlines()
        heading = next(line for line in lines if line.startswith("evaluation"))
        self.assertRegex(heading, r"before %\s+after %\s+learnt %")
        end = heading.index("learnt %") + len("learnt %")
        # Long names go on in the next line.
        rows = {line[:heading.index("before %") - 2].strip(): line[end - len("learnt %"):end].strip() for line in lines if line.startswith("held-out/")}
        told = {name for name, learnt in rows.items() if re.fullmatch(r"\d+\.\d", learnt)}
        self.assertLessEqual({"held-out/relation", "held-out/left or"}, told, done.stdout)
        self.assertGreater(len(told), 3, "kind by kind")


if __name__ == "__main__":
    unittest.main()

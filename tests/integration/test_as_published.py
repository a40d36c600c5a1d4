# SPDX-License-Identifier: Apache-2.0
"""Texts are cut where the published processors cut them, and a network whose numbers are not finite fails its items, whatever it computes."""
import json
import random
import shutil
import struct
import subprocess
import sys
import unittest

from cli import SNELLEN, Case, call
from test_run_models import FIXTURES, HAS_NETWORKS, png


def read_weights(path):
    """Name -> (type, shape, bytes) of a safetensors file."""
    data = path.read_bytes()
    size = struct.unpack("<Q", data[:8])[0]
    return {name: (facts["dtype"], facts["shape"], data[8 + size + facts["data_offsets"][0]:8 + size + facts["data_offsets"][1]])
            for name, facts in json.loads(data[8:8 + size]).items() if name != "__metadata__"}


def write_weights(path, tensors):
    header, data = {}, b""
    for name, (kind, shape, part) in tensors.items():
        header[name] = {"dtype": kind, "shape": shape, "data_offsets": [len(data), len(data) + len(part)]}
        data += part
    table = json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(table)) + table + data)


@unittest.skipUnless(HAS_NETWORKS, "this build has no torch")
class AsPublished(Case):
    def setUp(self):
        super().setUp()
        rng = random.Random(5)
        for i in range(3):
            (self.folder / f"{i}.png").write_bytes(png(24 + i, 30, rng))

    def items(self, *texts):
        lines = [{"metric": "pairwise"}] + [{"id": f"i{i}", "visuals": [f"{i}.png"], "texts": list(texts), "right": 0} for i in range(3)]
        return self.write("items.jsonl", "".join(json.dumps(line) + "\n" for line in lines))

    def copy_of(self, model):
        folder = self.folder / model
        if not folder.exists():
            shutil.copytree(FIXTURES / model, folder)
        return folder

    def run_model(self, model, items, *more):
        shutil.rmtree(self.folder / "out", ignore_errors=True)
        return call("run", "--model", model, "--tasks", items if str(items).startswith("vilma") else f"file:{items}", "--output", self.folder / "out", "--no-cache",
                    *more)

    def scores(self, model, *texts):
        result = self.run_model(model, self.items(*texts), "--dump-scores", self.folder / "scores.jsonl")
        self.assertEqual(result.returncode, 0, result.stderr)
        return [tuple(json.loads(line)["scores"]) for line in (self.folder / "scores.jsonl").read_text().splitlines()]

    def widen(self, model, rows):
        """The folder of a model with a table of so many text positions."""
        folder = self.copy_of(model)
        path = folder / "model.safetensors"
        tensors = read_weights(path)
        name, = (name for name in tensors if name.endswith("position_embeddings.weight") and "vision" not in name)
        kind, (count, width), data = tensors[name]
        step = len(data) // count
        tensors[name] = (kind, [rows, width], b"".join(data[i % count * step:(i % count + 1) * step] for i in range(rows)))
        write_weights(path, tensors)
        config = json.loads((folder / "config.json").read_text())
        config["text_config"]["max_position_embeddings"] = rows
        (folder / "config.json").write_text(json.dumps(config))
        return folder

    def test_texts_are_cut_where_the_published_processors_cut(self):
        for model, most in (("flava", 77), ("align", 64), ("bridgetower_itc", 40)):
            with self.subTest(model=model):
                folder = self.widen(model, 120)
                body = most - 2  # with a token before and one behind
                beyond = self.scores(folder, "a " * body + "cat", "a " * body + "dog red")
                self.assertTrue(all(first == second for first, second in beyond), beyond)
                within = self.scores(folder, "a " * (body - 1) + "cat", "a " * (body - 1) + "dog")
                self.assertTrue(all(first != second for first, second in within), within)

    def test_blip2_reads_as_many_text_tokens_as_its_processor(self):
        folder = self.copy_of("blip2_itr")
        beyond = self.scores(folder, "a " * 30 + "cat", "a " * 30 + "dog")
        self.assertTrue(all(first == second for first, second in beyond), beyond)

    def make_infinite(self, model, part):
        folder = self.copy_of(model)
        for path in sorted(folder.glob("*.safetensors")):
            tensors = read_weights(path)
            for name, (kind, shape, data) in tensors.items():
                if part in name and kind == "F32" and path.name != "fixture.safetensors":
                    values = struct.unpack(f"<{len(data) // 4}f", data)
                    # Finite, so that loading takes it; the sums are not.
                    tensors[name] = (kind, shape, struct.pack(f"<{len(values)}f", *(3e38 if value >= 0 else -3e38 for value in values)))
            write_weights(path, tensors)
        return folder

    def test_pairs_likelihoods_and_clips_that_are_not_finite_fail_their_items(self):
        for model, part in (("vilt", "rank_output.weight"), ("gpt2_sharded", "wte.weight")):
            with self.subTest(model=model):
                result = self.run_model(self.make_infinite(model, part), self.items("a cat", "a dog"))
                self.expect(result, 1, "none of 3 items was scored", "check the weights")
        world = self.folder / "world"
        self.assertEqual(call("build", "eyechart", "--out", world, "--size", "tiny", "--seed", "3").returncode, 0)
        result = self.run_model(self.make_infinite("xclip", "visual_projection.weight"), "vilma/relations", "--data", world, "--limit", 4)
        self.expect(result, 1, "none of", "was scored", "check the weights")

    def test_the_layout_reaches_the_tokenizer(self):
        result = self.run_model(self.copy_of("openclip_vit"), self.items("a cat", "a dog"), "--layout", "open_clip")
        # The small model has a tokenizer of its own; open_clip's is another, or is missed.
        self.assertIn("token 49406 is outside the vocabulary" if "49406" in result.stderr else "open_clip's vocabulary is not there", result.stderr)
        self.assertNotEqual(result.returncode, 0)

    def test_cut_weights_end_with_their_exit_code(self):
        folder = self.copy_of("clip")
        path = folder / "model.safetensors"
        path.write_bytes(path.read_bytes()[:-1000])
        self.expect_error(self.run_model(folder, self.items("a cat", "a dog")), 3, "model.safetensors")

    def test_a_picture_that_is_cut_fails_its_item(self):
        path = self.folder / "1.png"
        path.write_bytes(path.read_bytes()[:200])
        result = self.run_model(FIXTURES / "clip", self.items("a cat", "a dog"))
        self.expect(result, 4, "1.png")


class FullDevices(Case):
    """A standard error that cannot be written changes nothing of a call."""

    def run_with_full_stderr(self, *arguments):
        with open("/dev/full", "w") as full:
            return subprocess.run([SNELLEN, *map(str, arguments)], stdout=subprocess.PIPE, stderr=full, timeout=120).returncode

    def setUp(self):
        super().setUp()
        (self.folder / "0.png").write_bytes(png(9, 9, random.Random(1)))
        lines = [{"metric": "pairwise"}, {"id": "a", "visuals": ["0.png"], "texts": ["x", "yy"], "right": 0}]
        self.command = ["--tasks", f"file:{self.write('items.jsonl', ''.join(json.dumps(line) + chr(10) for line in lines))}", "--output", self.folder / "out"]

    def test_a_run_comes_to_its_end(self):
        self.assertEqual(self.run_with_full_stderr("run", "--model", "fake", *self.command), 0)
        self.assertTrue((self.folder / "out/fake-items/results.json").exists())

    def test_what_an_adapter_says_is_lost_and_its_scores_are_not(self):
        adapter = self.write("adapter.py", "import json, sys\nprint('loading', file=sys.stderr, flush=True)\nsys.stdin.readline()\n"
                             "print(json.dumps({'ready': True, 'wants': 'path'}), flush=True)\nfor line in sys.stdin:\n    request = json.loads(line)\n"
                             "    if request['op'] == 'bye': break\n    print('scoring', file=sys.stderr, flush=True)\n"
                             "    print(json.dumps({'id': request['id'], 'scores': [2.0, 1.0]}), flush=True)\n")
        self.assertEqual(self.run_with_full_stderr("run", "--model", f"exec:{sys.executable} {adapter}", *self.command), 0)
        self.assertTrue(next((self.folder / "out").rglob("results.json")).exists())


if __name__ == "__main__":
    unittest.main()

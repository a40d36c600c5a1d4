# SPDX-License-Identifier: Apache-2.0
"""Model folders: the fixtures of tests/golden/models pass `check`; folders that are wrong are refused in one line."""
import io
import json
import pathlib
import pickle
import shutil
import struct
import unittest
import zipfile

from cli import SNELLEN, Case, call

FIXTURES = pathlib.Path(__file__).resolve().parents[1] / "golden" / "models"


def read_safetensors(path):
    data = path.read_bytes()
    length = struct.unpack("<Q", data[:8])[0]
    return json.loads(data[8:8 + length]), data[8 + length:]


def write_safetensors(path, header, data):
    text = json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(text)) + text + data)


HAS_NETWORKS = (pathlib.Path(SNELLEN).parent / "libsnellen_networks.so").exists()


@unittest.skipUnless(HAS_NETWORKS, "this build has no torch")
class CheckPasses(Case):
    def test_every_fixture_computes_what_it_says(self):
        for folder in sorted(FIXTURES.iterdir()):
            if not (folder / "fixture.json").exists():
                continue
            with self.subTest(folder.name):
                result = call("check", "--model", folder, "--strict")
                self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
                self.assertIn("computes what its fixture says", result.stdout)

    def test_json_names_facts_and_stages(self):
        result = call("check", "--model", FIXTURES / "clip", "--json")
        answer = json.loads(result.stdout)
        self.assertTrue(answer["equal"])
        self.assertEqual(answer["facts"]["activation"], "quick_gelu")
        self.assertEqual(answer["from_files"][0]["name"], "tokens")

    def test_a_stage_that_differs_is_named_first(self):
        model = self.folder / "clip"
        shutil.copytree(FIXTURES / "clip", model)
        config = json.loads((model / "config.json").read_text())
        config["text_config"]["hidden_act"] = "gelu"
        (model / "config.json").write_text(json.dumps(config))
        result = call("check", "--model", model)
        self.assertEqual(result.returncode, 5, result.stderr)
        self.assertIn("differs first at mid.text.1", result.stdout)


@unittest.skipUnless(HAS_NETWORKS, "this build has no torch")
class WrongFolders(Case):
    def setUp(self):
        super().setUp()
        self.model = self.folder / "clip"
        shutil.copytree(FIXTURES / "clip", self.model)

    def refused(self, *words):
        self.expect_error(call("check", "--model", self.model), 3, *words)

    def change_weights(self, change):
        path = self.model / "model.safetensors"
        header, data = read_safetensors(path)
        write_safetensors(path, header, change(header, bytearray(data)))

    def test_no_config(self):
        (self.model / "config.json").unlink()
        self.refused("config.json")

    def test_unknown_model_type_names_the_nearest(self):
        config = json.loads((self.model / "config.json").read_text())
        config["model_type"] = "clib"
        (self.model / "config.json").write_text(json.dumps(config))
        self.refused("clib", "clip")

    def test_missing_tensor(self):
        def change(header, data):
            header.pop("visual_projection.weight")
            return data
        self.change_weights(change)
        self.refused("visual_projection.weight")

    def test_wrong_shape_gives_both(self):
        config = json.loads((self.model / "config.json").read_text())
        config["projection_dim"] += 1
        (self.model / "config.json").write_text(json.dumps(config))
        self.refused("visual_projection.weight", f"[{config['projection_dim']}, ", f"[{config['projection_dim'] - 1}, ")

    def test_weights_that_are_not_finite(self):
        def change(header, data):
            begin = header["visual_projection.weight"]["data_offsets"][0]
            data[begin:begin + 4] = struct.pack("<f", float("nan"))
            return data
        self.change_weights(change)
        self.refused("visual_projection.weight", "not finite")

    def test_truncated_weights(self):
        path = self.model / "model.safetensors"
        path.write_bytes(path.read_bytes()[:-100])
        self.refused("model.safetensors")

    def test_header_of_two_to_the_sixty_bytes(self):
        path = self.model / "model.safetensors"
        path.write_bytes(struct.pack("<Q", 1 << 60) + path.read_bytes()[8:])
        self.refused("model.safetensors")

    def test_overlapping_offsets(self):
        def change(header, data):
            names = [name for name in header if name != "__metadata__"]
            first = header[names[0]]
            header[names[1]] = dict(first)
            return data
        self.change_weights(change)
        self.refused("model.safetensors", "overlap")

    def test_a_pickle_that_calls_the_shell_runs_nothing(self):
        marker = self.model / "was_run"

        class Evil:
            def __reduce__(self):
                import os
                return os.system, (f"touch {marker}",)

        (self.model / "model.safetensors").unlink()
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
            archive.writestr("archive/data.pkl", pickle.dumps(Evil(), protocol=2))
        (self.model / "pytorch_model.bin").write_bytes(buffer.getvalue())
        self.refused("system")
        self.assertFalse(marker.exists())

    def test_tokenizer_of_another_model(self):
        for name in ("vocab.json", "merges.txt", "tokenizer.json"):
            (self.model / name).unlink(missing_ok=True)
        words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"] + [f"word{i}" for i in range(4000)] + list("abcdefghijklmnopqrstuvwxyz0123456789.,'!?-")
        (self.model / "vocab.txt").write_text("\n".join(words) + "\n")
        (self.model / "tokenizer_config.json").write_text(json.dumps({"tokenizer_class": "BertTokenizer", "do_lower_case": True}))
        self.refused("tokenizer")

    def test_missing_preprocessor(self):
        (self.model / "preprocessor_config.json").unlink()
        self.refused("preprocessor_config.json")

    def test_no_fixture_says_how_to_make_one(self):
        (self.model / "fixture.json").unlink()
        self.refused("fixture")

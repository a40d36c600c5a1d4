"""Weights between those of two checkpoints: snellen patch."""
import json
import pathlib
import shutil
import struct

from cli import Case, call

CLIP = pathlib.Path(__file__).resolve().parents[1] / "golden/models/clip"


def tensors(folder):
    data = (folder / "model.safetensors").read_bytes()
    size = struct.unpack("<Q", data[:8])[0]
    header = json.loads(data[8:8 + size])
    return {name: (facts["dtype"], facts["shape"], data[8 + size + facts["data_offsets"][0]:8 + size + facts["data_offsets"][1]])
            for name, facts in header.items() if name != "__metadata__"}


class PatchTest(Case):
    def tuned(self, name="tuned"):
        """The fixture with every weight of its text tower one and a half times as large."""
        folder = self.folder / name
        shutil.copytree(CLIP, folder)
        path = folder / "model.safetensors"
        data = bytearray(path.read_bytes())
        size = struct.unpack("<Q", data[:8])[0]
        for key, facts in json.loads(data[8:8 + size]).items():
            if key != "__metadata__" and facts["dtype"] == "F32" and "text" in key:
                begin, end = (8 + size + offset for offset in facts["data_offsets"])
                values = struct.unpack(f"<{(end - begin) // 4}f", data[begin:end])
                data[begin:end] = struct.pack(f"<{len(values)}f", *(1.5 * value for value in values))
        path.write_bytes(data)
        return folder

    def test_a_sweep_has_copies_at_both_ends(self):
        tuned = self.tuned()
        result = call("patch", CLIP, tuned, "--alphas", "0,0.25,..,1", "--output", self.folder / "sweep")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(sorted(path.name for path in (self.folder / "sweep").iterdir()),
                         ["alpha-0", "alpha-0.25", "alpha-0.5", "alpha-0.75", "alpha-1"])
        self.assertEqual(tensors(self.folder / "sweep/alpha-0"), tensors(CLIP))
        self.assertEqual(tensors(self.folder / "sweep/alpha-1"), tensors(tuned))
        half = tensors(self.folder / "sweep/alpha-0.5")
        for name, (dtype, shape, data) in tensors(CLIP).items():
            self.assertEqual((dtype, shape), half[name][:2])
            if "text" not in name:
                self.assertEqual(data, half[name][2], name)

    def test_the_folder_is_whole_and_left_alone(self):
        out = self.folder / "patched"
        result = call("patch", CLIP, self.tuned(), "--output", out, "--json")
        self.assertEqual(json.loads(result.stdout)[0]["alpha"], 0.2)
        self.assertEqual((out / "config.json").read_bytes(), (CLIP / "config.json").read_bytes())
        self.assertEqual(json.loads((out / "patch.json").read_text())["alpha"], 0.2)
        self.expect_error(call("patch", CLIP, CLIP, "--output", out), 3, "is there already")

    def test_what_does_not_fit_is_named(self):
        siglip = CLIP.parent / "siglip"
        self.expect_error(call("patch", CLIP, siglip, "--output", self.folder / "no"), 3, "'logit_bias' is only in the fine-tuned weights")
        self.expect_error(call("patch", siglip, CLIP, "--output", self.folder / "no"), 3, "'logit_bias' is missing from the fine-tuned weights")
        self.assertFalse((self.folder / "no").exists())

    def test_flags(self):
        for alphas in ("0,2", "0,..,1", "0,0.1,..", "x", "0,0,..,1"):
            self.expect_error(call("patch", CLIP, CLIP, "--alphas", alphas, "--output", self.folder / "no"), 2, "--alphas")
        self.expect_error(call("patch", CLIP, CLIP, "--alpha", 1.5, "--output", self.folder / "no"), 2, "--alpha")
        self.expect_error(call("patch", CLIP, self.folder / "nowhere", "--output", self.folder / "no"), 3, "nowhere")

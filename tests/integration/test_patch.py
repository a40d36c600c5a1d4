"""Weights between those of two checkpoints: snellen patch."""
import json
import pathlib
import random
import shutil
import struct
import unittest
import xml.etree.ElementTree

import test_training
from cli import SNELLEN, Case, call
from test_run_models import png

CLIP = pathlib.Path(__file__).resolve().parents[1] / "golden/models/clip"


def tensors(folder):
    data = (folder / "model.safetensors").read_bytes()
    size = struct.unpack("<Q", data[:8])[0]
    header = json.loads(data[8:8 + size])
    return {name: (facts["dtype"], facts["shape"], data[8 + size + facts["data_offsets"][0]:8 + size + facts["data_offsets"][1]])
            for name, facts in header.items() if name != "__metadata__"}


class Patched(Case):
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


class PatchTest(Patched):
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

    def test_a_folder_of_others_with_a_name_like_a_draft_stays(self):
        notes = self.write("out.partial/notes.txt", "mine")
        self.assertEqual(call("patch", CLIP, CLIP, "--alpha", 0.5, "--output", self.folder / "out").returncode, 0)
        self.assertEqual(notes.read_text(), "mine")
        self.assertEqual({path.name for path in self.folder.iterdir()}, {"out", "out.partial"})

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


@unittest.skipUnless((pathlib.Path(SNELLEN).parent / "libsnellen_networks.so").exists(), "this build has no torch")
class HalvesTest(Case):
    train = test_training.Trains.train

    def test_a_model_of_halves_is_fine_tuned_and_patched_without_further_flags(self):
        self.assertEqual(self.train("clip", "half", "--steps", 2, "--save-dtype", "fp16").returncode, 0)
        half, tuned = self.folder / "half", self.folder / "tuned"
        done = call("finetune", "--model", half, "--output", tuned, "--scenes", 16, "--batch-size", 8, "--steps", 2, "--lr", 1e-3, "--torch-threads", 1)
        self.assertEqual(done.returncode, 0, done.stderr)
        done = call("patch", half, tuned, "--alpha", 0.5, "--output", self.folder / "patched")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual({dtype for dtype, _, _ in tensors(self.folder / "patched").values()}, {"F16"})


@unittest.skipUnless((pathlib.Path(SNELLEN).parent / "libsnellen_networks.so").exists(), "this build has no torch")
class CurveTest(Patched):
    def setUp(self):
        super().setUp()
        rng = random.Random(5)
        lines = ['{"name": "mine", "metric": "pairwise"}']
        images, things = [], []
        for i in range(30):
            (self.folder / f"p{i}.png").write_bytes(png(40, 40, rng))
            images.append(dict(id=i, file_name=f"p{i}.png", width=40, height=40))
            things.append(dict(id=i, image_id=i, category_id=1 + i % 3, bbox=[0, 0, 9, 9], area=81, iscrowd=0, segmentation=[[0, 0, 9, 0, 9, 9]]))
            for kind in ("swap", "other"):
                lines.append(json.dumps(dict(id=f"{i}{kind}", group=f"p{i}", category=kind, visuals=[f"p{i}.png"],
                                             texts=[f"a {kind} {i}", f"{i} a dog"], right=i % 2)))
        self.items = self.write("items.jsonl", "\n".join(lines) + "\n")
        categories = [dict(id=1, name="cat", supercategory=""), dict(id=2, name="dog", supercategory=""), dict(id=3, name="bus", supercategory="")]
        self.instances = self.write("instances.json", dict(images=images, annotations=things, categories=categories))

    def sweep(self, out, *more):
        return call("patch", CLIP, self.folder / "tuned", "--alphas", "0.5,1", "--output", self.folder / out, "--probe", self.items, "--instances",
                    self.instances, "--images", self.folder, *more)

    def test_every_alpha_is_asked_and_the_best_is_named(self):
        self.tuned()
        result = self.sweep("sweep", "--best-of", "mine/swap", "--at-most-drop", 1, "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        printed = json.loads(result.stdout)
        curve = json.loads((self.folder / "sweep/curve.json").read_text())
        self.assertEqual(printed["curve"], curve)
        self.assertEqual([row["alpha"] for row in curve["rows"]], [0, 0.5, 1])  # the original, though it was not asked for
        self.assertEqual([score["name"] for score in curve["rows"][0]["scores"]], ["mine", "mine/swap", "mine/other", "naming"])
        self.assertFalse((self.folder / "sweep/alpha-0").exists())
        swap = {row["alpha"]: row["scores"][1] for row in curve["rows"]}
        self.assertEqual(swap[0]["n"], 30)
        self.assertEqual(swap[0]["interval"], "wilson")
        highest = max(score["value"] for score in swap.values())
        self.assertEqual(curve["best"]["alpha"], min(alpha for alpha, score in swap.items() if score["value"] == highest))
        self.assertTrue(xml.etree.ElementTree.parse(self.folder / "sweep/curve.svg").getroot().tag.endswith("svg"))

    def test_scores_are_those_of_run_and_zeroshot(self):
        self.tuned()
        self.assertEqual(self.sweep("sweep").returncode, 0)
        rows = {row["alpha"]: {score["name"]: score for score in row["scores"]} for row in
                json.loads((self.folder / "sweep/curve.json").read_text())["rows"]}
        for alpha, folder in ((0, CLIP), (0.5, self.folder / "sweep/alpha-0.5"), (1, self.folder / "sweep/alpha-1")):
            named = call("zeroshot", "--model", folder, "--images", self.folder, "--instances", self.instances, "--json")
            self.assertEqual(rows[alpha]["naming"]["value"], json.loads(named.stdout)["metrics"][0]["value"])
            ran = call("run", "--model", folder, "--tasks", f"file:{self.items}", "--output", self.folder / f"runs{alpha}")
            self.assertEqual(ran.returncode, 0, ran.stderr)
            metrics = json.loads(next((self.folder / f"runs{alpha}").glob("*/results.json")).read_text())["metrics"]
            metrics = {row["id"]: row for row in metrics}
            self.assertEqual((rows[alpha]["mine"]["value"], rows[alpha]["mine"]["low"], rows[alpha]["mine"]["ties"]),
                             (metrics["mine/acc"]["value"], metrics["mine/acc"]["low"], metrics["mine/acc"]["ties"]))

    def test_threads_change_nothing_and_the_table_marks_the_best(self):
        self.tuned()
        for threads in (1, 3):
            result = self.sweep(f"sweep{threads}", "--threads", threads, "--best-of", "mine")
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn(" *", result.stdout)
            self.assertIn("best on mine while naming falls by less than 3 points: alpha ", result.stdout)
        curves = [(self.folder / f"sweep{threads}/curve.svg").read_bytes() for threads in (1, 3)]
        self.assertEqual(*curves)

    def test_pictures_that_are_not_there_are_counted(self):
        self.tuned()
        (self.folder / "p7.png").unlink()
        result = self.sweep("sweep")
        self.expect(result, 4, "p7.png")
        self.assertEqual(json.loads((self.folder / "sweep/curve.json").read_text())["failed"], 9)

    def test_curve_flags(self):
        self.tuned()
        self.expect_error(self.sweep("no", "--best-of", "mien"), 2, "mien", "mine")
        self.expect_error(self.sweep("no", "--at-most-drop", 0.1), 2, "--best-of")
        self.expect_error(call("patch", CLIP, CLIP, "--output", self.folder / "no", "--probe", self.items), 2, "--alphas")
        self.assertFalse((self.folder / "no").exists())

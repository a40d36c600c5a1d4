"""`build eyechart`: the tree, its bytes, and the published readers on it."""
import hashlib
import json
import signal
import subprocess
import time
import unittest

from cli import SNELLEN, Case, call

VILMA = ["counting-easy-spelled-sec", "counting-hard-spelled-sec", "SRL_Action_Replacement_Top_1000", "SRL_Actor_Swapping",
         "change-state-action", "change-state-prestate", "change-state-poststate", "change-state-inverse",
         "rare-actions-verb-foils", "rare-actions-noun-foils", "relations"]


def digests(folder):
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in sorted(folder.rglob("*")) if path.is_file()}


HAS_VIDEO = "libavcodec" in call("doctor").stdout


@unittest.skipUnless(HAS_VIDEO, "this build has no FFmpeg: clips cannot be written")
class Eyechart(Case):
    def build(self, name, *more):
        out = self.folder / name
        result = call("build", "eyechart", "--out", out, "--size", "tiny", *more)
        self.assertEqual(result.returncode, 0, result.stderr)
        return out, result

    def read(self, path):
        return json.loads(path.read_text())

    def test_same_bytes_whatever_the_threads_and_after_a_kill(self):
        one, _ = self.build("one", "--threads", "1")
        wanted = digests(one)
        two, _ = self.build("two", "--threads", "3")
        self.assertEqual(digests(two), wanted)
        self.build("two", "--threads", "2")
        self.assertEqual(digests(two), wanted)
        killed = self.folder / "killed"
        process = subprocess.Popen([SNELLEN, "build", "eyechart", "--out", str(killed), "--size", "tiny"], stdout=subprocess.DEVNULL)
        time.sleep(0.4)
        process.send_signal(signal.SIGKILL)
        process.wait()
        self.build("killed")
        self.assertEqual(digests(killed), wanted)
        other, _ = self.build("other", "--seed", "1")
        differing = [name for name, digest in digests(other).items() if wanted.get(name) != digest]
        self.assertGreater(len(differing), len(wanted) // 2)

    def test_the_tree(self):
        out, result = self.build("tree", "--json")
        facts = json.loads(result.stdout)
        self.assertEqual(facts["files"], sum(1 for path in out.rglob("*") if path.is_file()))
        for split in ("train", "val"):
            instances = self.read(out / f"coco/annotations/instances_{split}2014.json")
            captions = self.read(out / f"coco/annotations/captions_{split}2014.json")
            self.assertEqual(len(instances["categories"]), 80)
            self.assertEqual(len(captions["annotations"]), 5 * len(captions["images"]))
            for image in instances["images"]:
                self.assertTrue((out / f"coco/{split}2014" / image["file_name"]).is_file())
        relationships = self.read(out / "visual_genome/relationships.json")
        objects = self.read(out / "visual_genome/objects.json")
        self.assertEqual([one["image_id"] for one in relationships], [one["image_id"] for one in objects])
        for one in objects:
            self.assertTrue((out / f"visual_genome/VG_100K/{one['image_id']}.jpg").is_file())
        dialogs = self.read(out / "visdial/visdial_1.0_val.json")["data"]
        for dialog in dialogs["dialogs"]:
            self.assertEqual(len(dialog["dialog"]), 10)
            for turn in dialog["dialog"]:
                self.assertEqual(len(set(turn["answer_options"])), 100)
                self.assertEqual(turn["answer_options"][turn["gt_index"]], turn["answer"])
        for one in self.read(out / "visdial/visdial_1.0_val_dense_annotations.json"):
            self.assertEqual(len(one["gt_relevance"]), 100)
        splits = [set((out / f"splits/{name}.txt").read_text().split()) for name in ("train", "val", "test")]
        self.assertEqual(sum(map(len, splits)), len(set.union(*splits)))
        self.assertEqual(sum(map(len, splits)), facts["scenes"])

    def test_vilma_passes_the_loader_and_the_filter(self):
        out, _ = self.build("vilma")
        for name in VILMA:
            path = out / "vilma" / f"{name}.json"
            items = self.read(path)
            evaluated = [key for key, item in items.items()
                         if item["mturk"]["caption"] >= 2 and item["proficiency"]["human"]["caption"] == 1]
            results = self.write("results.json", {key: {"scores": [0.9] + [0.1] * len(item["foils"])} for key, item in items.items()})
            scored = call("--json", "score", "vilma", "-i", results, "-a", path, "-m", "similarity")
            if not evaluated:
                self.assertNotEqual(scored.returncode, 0)
                continue
            self.assertEqual(scored.returncode, 0, scored.stderr)
            self.assertEqual({one["n"] for one in json.loads(scored.stdout)["results"]["metrics"] if one["n"]}, {len(evaluated)}, name)
            for item in items.values():
                place = {"QUVA": f"QUVA/normalized_videos/{item['video_file']}", "star": f"star/{item['video_file']}.mp4",
                         "something-something-v2": f"something-something-v2/{item['dataset_idx']}.webm"}
                video = place.get(item["dataset"], f"youtube/{item['youtube_id']}.mp4")
                self.assertTrue((out / "vilma" / video).is_file(), video)

    def test_the_builders_of_vilma_run_on_it(self):
        out, _ = self.build("sources")
        vilma = out / "vilma"
        counting = ["vilma-counting", "-t", vilma / "quva-templates-processed.json", "-p", vilma / "quva-proficiency-foils.json", "-d", vilma / "QUVA"]
        rare = ["vilma-rare-actions", "-d", vilma / "rareact.csv", "--candidates", vilma / "rare-action-candidates.json",
                "--video-dir", vilma / "youtube"]
        states = ["vilma-change-state", "--data", vilma / "change-state-action.json", "--preserve-original"]
        for name, command in (("counting", counting), ("rare", rare), ("states", states)):
            built = call("build", *command, "--out", self.folder / name)
            self.assertEqual(built.returncode, 0, built.stderr)
            checked = call("build", "check", self.folder / name)
            self.assertEqual(checked.returncode, 0, checked.stdout + checked.stderr)
        clips = len(self.read(vilma / "rare-actions-verb-foils.json"))
        self.assertEqual(len(self.read(self.folder / "rare/rare-actions-verb-foils.json")), clips)

    def test_flags(self):
        self.expect_error(call("build", "eyechart"), 2, "--out")
        self.expect_error(call("build", "eyechart", "--out", self.folder / "x", "--size", "huge"), 2, "huge")
        self.expect_error(call("build", "eyechart", "--out", self.folder / "x", "--scenes", "1"), 2, "scenes")
        self.build("once")
        self.expect_error(call("build", "eyechart", "--out", self.folder / "once", "--size", "tiny", "--seed", "1"), 3, "another world")
        (self.folder / "file").write_text("")
        self.expect_error(call("build", "eyechart", "--out", self.folder / "file" / "x"), 1, "cannot be made")

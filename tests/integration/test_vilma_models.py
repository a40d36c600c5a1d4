# SPDX-License-Identifier: Apache-2.0
"""ViLMA on checkpoint folders: clips of the eyechart, each family in its own mode, results that `score vilma` reads."""
import json
import pathlib
import shutil
import tempfile
import unittest

from cli import SNELLEN, Case, call, contents

FIXTURES = pathlib.Path(__file__).resolve().parents[1] / "golden" / "models"
HAS_NETWORKS = (pathlib.Path(SNELLEN).parent / "libsnellen_networks.so").exists()
MODES = {"clip": "probability", "xclip": "similarity", "blip2_opt": "perplexity", "opt": "perplexity", "gpt2_sharded": "perplexity",
         "blip_itm": "similarity"}


def values_of(path):
    return {one["id"]: (one["value"], one["n"], one["low"], one["high"]) for one in json.loads(path.read_text())["metrics"]}


class VilmaCase(Case):
    """Tests on the clips of a small eyechart."""

    @classmethod
    def setUpClass(cls):
        cls.world = pathlib.Path(tempfile.mkdtemp(prefix="snellen-world-"))
        made = call("build", "eyechart", "--out", cls.world, "--size", "tiny", "--seed", "3")
        if made.returncode != 0:
            shutil.rmtree(cls.world, ignore_errors=True)
            raise unittest.SkipTest("no eyechart here: " + made.stderr[-200:])
        cls.data = cls.world / "vilma"

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.world, ignore_errors=True)


@unittest.skipUnless(HAS_NETWORKS, "this build has no torch")
class VilmaOnModels(VilmaCase):
    def run_vilma(self, model, output="runs", tasks="vilma", code=0, **flags):
        more = [word for name, value in flags.items() for word in ("--" + name.replace("_", "-"), *([] if value is True else [value]))]
        result = call("run", "--model", FIXTURES / model, "--tasks", tasks, "--data", self.world, "--output", self.folder / output, *more)
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        return self.folder / output / f"{model}-{tasks.replace('/', '_').replace(',', '+')}", result

    def test_every_family_gives_results_that_score_reads(self):
        for model, mode in MODES.items():
            with self.subTest(model=model):
                folder, _ = self.run_vilma(model)
                mine = values_of(folder / "results.json")
                for part, annotation in (("counting-easy", "counting-easy-spelled-sec.json"), ("change-state-action", "change-state-action.json")):
                    files = [folder / "vilma" / f"{part}_{which}.json" for which in ("prof", "main")]
                    again = call("score", "vilma", "-i", *files, "-a", self.data / annotation, "-m", mode, "--json")
                    self.assertEqual(again.returncode, 0, again.stderr)
                    for one in json.loads(again.stdout)["results"]["metrics"]:
                        if one["id"].count("/") == 2 and one["id"].split("/")[1] == part:
                            self.assertEqual(mine[one["id"]], (one["value"], one["n"], one["low"], one["high"]), one["id"])

    def test_frames_are_listed_for_every_item(self):
        folder, _ = self.run_vilma("clip", tasks="vilma/relations")
        frames = json.loads((folder / "vilma" / "relations_frames.json").read_text())
        self.assertEqual(set(frames), set(json.loads((self.data / "relations.json").read_text())))
        for entry in frames.values():
            self.assertEqual(len(entry["frames"]), 8)
            self.assertEqual(entry["frames"], sorted(entry["frames"]))
        four, _ = self.run_vilma("clip", "four", tasks="vilma/relations", num_frames="4")
        entry = next(iter(json.loads((four / "vilma" / "relations_frames.json").read_text()).values()))
        self.assertEqual(len(entry["frames"]), 4)

    def test_every_model_that_looks_lists_its_frames(self):
        for model in ("clip", "xclip", "blip2_opt", "blip_itm"):
            folder, _ = self.run_vilma(model)
            listed = sorted((folder / "vilma").glob("*_frames.json"))
            self.assertEqual({path.name.removesuffix("_frames.json") for path in listed},
                             {path.name.removesuffix("_main.json") for path in (folder / "vilma").glob("*_main.json")})
            for path in listed:
                frames = json.loads(path.read_text())
                self.assertEqual(set(frames), set(json.loads(path.with_name(path.name.replace("_frames", "_main")).read_text())), path.name)
                self.assertTrue(all(0 < len(entry["frames"]) <= 32 for entry in frames.values()), path.name)

    def test_a_dry_run_tells_of_clips(self):
        arguments = ["run", "--tasks", "vilma", "--data", self.world, "--output", self.folder / "runs", "--dry-run", "--json", "--model"]
        plan = json.loads(call(*arguments, FIXTURES / "clip").stdout)
        self.assertEqual((plan["missing"]["count"], plan["work"][0]["kind"]), (0, "dual encoder"))
        folder, result = self.run_vilma("clip")
        self.assertIn(f"for {plan['visuals']} distinct visuals and {plan['texts']} distinct texts", result.stderr)
        self.assertEqual(plan["tasks"][0]["items"], sum(task["items"] for task in plan["tasks"]))
        empty = self.folder / "nothing"
        shutil.copytree(self.data, empty, ignore=shutil.ignore_patterns("*.mp4", "*.webm"))
        arguments[4] = empty
        for model, code in (("clip", 4), ("opt", 0)):
            result = call(*arguments, FIXTURES / model)
            self.assertEqual(result.returncode, code, result.stderr)
            missing = json.loads(result.stdout)["missing"]
            self.assertEqual(missing["are_needed"], model == "clip")
            self.assertTrue(0 < missing["count"] <= plan["visuals"], missing)

    def test_scores_of_frames_are_shares(self):
        folder, _ = self.run_vilma("clip", tasks="vilma/relations")
        for which in ("main", "prof"):
            for entry in json.loads((folder / "vilma" / f"relations_{which}.json").read_text()).values():
                self.assertAlmostEqual(sum(entry["scores"]), 1.0, places=6)

    def test_the_reference_window_is_eight_frames_in_a_row(self):
        folder, _ = self.run_vilma("clip", tasks="vilma/relations", compat=True)
        again, _ = self.run_vilma("clip", "again", tasks="vilma/relations", compat=True, num_workers="1")
        self.assertEqual(contents(folder), contents(again))
        for entry in json.loads((folder / "vilma" / "relations_frames.json").read_text()).values():
            first = entry["frames"][0]
            self.assertEqual(entry["frames"], list(range(first, first + 8)))

    def test_threads_shards_and_order_change_nothing(self):
        one, _ = self.run_vilma("clip", num_workers="1")
        two, _ = self.run_vilma("clip", "two", num_workers="2")
        self.assertEqual(contents(one), contents(two))
        for shard in range(3):
            self.run_vilma("clip", "shards", shard=f"{shard}/3")
        shards = sorted((self.folder / "shards").iterdir())
        merged = call("merge", *shards, "--output", self.folder / "merged")
        self.assertEqual(merged.returncode, 0, merged.stderr)
        self.assertEqual(contents(one), contents(next((self.folder / "merged").iterdir())))

    def test_a_text_model_needs_no_clip(self):
        empty = self.folder / "nothing"
        shutil.copytree(self.data, empty, ignore=shutil.ignore_patterns("*.mp4", "*.webm"))
        result = call("run", "--model", FIXTURES / "opt", "--tasks", "vilma", "--data", empty, "--output", self.folder / "runs")
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_a_missing_and_a_broken_clip_are_named_and_the_rest_is_scored(self):
        world = self.folder / "world"
        shutil.copytree(self.data, world)
        clips = sorted(world.rglob("*.webm")) or sorted(world.rglob("*.mp4"))
        clips[0].unlink()
        clips[1].write_bytes(clips[1].read_bytes()[:40])
        result = call("run", "--model", FIXTURES / "clip", "--tasks", "vilma", "--data", world, "--output", self.folder / "runs")
        self.assertEqual(result.returncode, 4, result.stdout + result.stderr)
        self.assertIn(clips[0].stem, result.stderr)
        self.assertIn(clips[1].name, result.stderr)

    def test_mean_pooling_takes_the_mean_of_the_frames_directions(self):
        """A text's score is in proportion to the mean of what the frames score alone: the mean direction's length is the clip's."""
        asked = {"tasks": "vilma/relations", "sampler": "fps:1", "num_frames": "12"}
        folder, _ = self.run_vilma("clip", score="mean-pooling", **asked)
        again, _ = self.run_vilma("clip", "again", score="mean-pooling", num_workers="1", **asked)
        self.assertEqual(contents(folder), contents(again))
        requests = self.folder / "requests.jsonl"
        exported = call("run", "--tasks", "vilma/relations", "--data", self.world, "--sampler", "fps:1", "--frames", 12, "--export-requests", requests)
        self.assertEqual(exported.returncode, 0, exported.stderr)
        clips = [json.loads(line) for line in requests.read_text().splitlines()[1:-1]]
        frames = [{"id": f"{number}-{place}", "visuals": [f"{one['frames_dir']}/{path.name}"], "texts": one["texts"], "right": 0}
                  for number, one in enumerate(clips) for place, path in enumerate(sorted((self.folder / one["frames_dir"]).iterdir()))]
        items = self.write("items.jsonl", "".join(json.dumps(one) + "\n" for one in [{"metric": "choice"}, *frames]))
        alone = call("run", "--model", FIXTURES / "clip", "--tasks", f"file:{items}", "--images", self.folder, "--dump-scores", self.folder / "scores.jsonl", "--output",
                     self.folder / "frames")
        self.assertEqual(alone.returncode, 0, alone.stdout + alone.stderr)
        by_clip = {}
        for one in map(json.loads, (self.folder / "scores.jsonl").read_text().splitlines()):
            by_clip.setdefault(int(one["id"].split("-")[0]), []).append(one["scores"])
        means = [[sum(column) / len(scores) for column in zip(*scores)] for _, scores in sorted(by_clip.items())]
        self.assertGreater(max(map(len, by_clip.values())), 1)
        pooled = [entry["scores"] for which in ("main", "prof") for entry in json.loads((folder / "vilma" / f"relations_{which}.json").read_text()).values()]
        self.assertGreater(len(pooled), 1)
        farthest = 0
        for scores in pooled:
            # The same clip and texts are the ones whose scores are in one proportion.
            ratios = [[a / b for a, b in zip(scores, mean)] for mean in means if len(mean) == len(scores)]
            nearest = min(ratios, key=lambda one: max(one) - min(one))
            self.assertLess(max(nearest) - min(nearest), 1e-4, nearest)
            self.assertGreaterEqual(min(nearest), 1 - 1e-5, "no mean of directions is longer than one")
            farthest = max(farthest, min(nearest))
        self.assertGreater(farthest, 1 + 1e-5, "the mean was not made a direction again")

    def test_zeros_are_shown_when_clips_are_masked(self):
        folder, _ = self.run_vilma("xclip", tasks="vilma/relations", mask_video="true")
        rows = json.loads((folder / "vilma" / "relations_main.json").read_text())
        annotations = json.loads((self.data / "relations.json").read_text())
        by_text = {}
        for item, entry in rows.items():
            by_text.setdefault(annotations[item]["caption"], set()).add(entry["scores"][0])
        self.assertTrue(all(len(scores) == 1 for scores in by_text.values()), by_text)

    def test_an_unknown_subtask_names_the_nearest(self):
        _, result = self.run_vilma("clip", tasks="vilma/relation", code=2)
        self.assertIn("vilma/relations", result.stderr)


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: Apache-2.0
"""What a researcher types in the first hour: models by name, several data sets, and forty mistakes that each say what, where, what to do."""
import json
import os
import pathlib
import shutil
import sqlite3
import unittest
import zipfile

from cli import HOME, SNELLEN, Case, call, probe_c_groups, probe_c_scores
from test_run_models import FIXTURES, HAS_NETWORKS, make_data, name_of

ROOT = pathlib.Path(__file__).resolve().parents[2]
DEMO = ROOT / "examples" / "demo"
PAIR = ["A photo of a red cat.", "A photo of a wet cat."]


def lines(*objects):
    return "".join(json.dumps(one) + "\n" for one in objects)


class FirstHour(Case):
    def setUp(self):
        super().setUp()
        make_data(self)
        self.data = self.folder / "data"
        self.out = self.folder / "out"
        for left in ("snellen", "hub"):
            shutil.rmtree(pathlib.Path(HOME) / left, ignore_errors=True)

    def run_clip(self, *more, model=FIXTURES / "clip", data=True):
        where = ("--data", self.data, "--images", self.images) if data else ()
        return call("run", "--model", model, "--tasks", "probe-c", *where, "--output", self.out, *more)

    def put_into_hub(self, repository="openai/clip-vit-base-patch32", fixture="clip"):
        folder = pathlib.Path(HOME) / "hub" / ("models--" + repository.replace("/", "--"))
        (folder / "refs").mkdir(parents=True)
        (folder / "refs" / "main").write_text("0123abc")
        shutil.copytree(FIXTURES / fixture, folder / "snapshots" / "0123abc")
        return folder


@unittest.skipUnless(HAS_NETWORKS, "this build has no torch")
class ModelsByName(FirstHour):
    def test_published_names_reference_names_and_revisions_find_the_cache(self):
        self.put_into_hub()
        for number, (name, run) in enumerate((("openai/clip-vit-base-patch32", "clip-vit-base-patch32-probe-c"),
                                              ("hf:openai/clip-vit-base-patch32@0123abc", "clip-vit-base-patch32-probe-c"),
                                              ("clip_ViT-B/32", "clip_ViT-B_32-probe-c"))):
            with self.subTest(name=name):
                self.expect(self.run_clip("--output", self.folder / str(number), model=name), 0, run)

    def test_what_is_not_there_says_how_to_get_it(self):
        self.expect_error(self.run_clip(model="openai/clip-vit-base-patch16"), 3, "Hugging Face cache",
                          "hf download openai/clip-vit-base-patch16 --local-dir clip-vit-base-patch16")
        self.expect_error(self.run_clip(model="bridgetower"), 3, "hf download BridgeTower/bridgetower-large-itm-mlm")
        self.assertFalse(self.out.exists())

    def test_links_to_lost_files_are_named(self):
        weights = self.put_into_hub() / "snapshots" / "0123abc" / "model.safetensors"
        weights.unlink()
        weights.symlink_to("../../blobs/gone")
        self.expect_error(self.run_clip(model="openai/clip-vit-base-patch32"), 3, "gone: model.safetensors", "hf download")

    def test_installed_models_are_listed_with_what_runs(self):
        self.put_into_hub()
        broken = self.put_into_hub("llava-hf/llava") / "snapshots" / "0123abc"
        (broken / "config.json").write_text('{"model_type": "llava"}')
        result = call("list", "models", "--installed", "--json")
        rows = {row["model"]: row["runs here"] for row in json.loads(result.stdout)["installed"]}
        self.assertEqual(rows["openai/clip-vit-base-patch32"], "yes, as dual encoder")
        self.assertIn("'llava' is not supported", rows["llava-hf/llava"])

    def test_a_folder_here_goes_before_the_cache_and_its_variable_before_the_home(self):
        hub = self.put_into_hub()
        (hub / "snapshots" / "0123abc" / "config.json").write_text('{"model_type": "llava"}')
        self.expect_error(self.run_clip(model="openai/clip-vit-base-patch32"), 3, "llava")
        here = self.folder / "openai" / "clip-vit-base-patch32"
        shutil.copytree(FIXTURES / "clip", here)
        result = call("run", "--model", "openai/clip-vit-base-patch32", "--tasks", "probe-c", "--data", self.data, "--images", self.images, "--output", self.out,
                      cwd=self.folder)
        self.expect(result, 0)
        shutil.rmtree(here)
        other = self.folder / "hub"
        shutil.move(self.put_into_hub("openai/other"), other / "models--openai--clip-vit-base-patch32")
        result = call("run", "--model", "openai/clip-vit-base-patch32", "--tasks", "probe-c", "--data", self.data, "--images", self.images, "--output",
                      self.folder / "out2", env={**os.environ, "HF_HUB_CACHE": str(other)})
        self.expect(result, 0)

    def test_with_an_adapter_a_published_name_is_only_a_name(self):
        scores = self.write("s.jsonl", probe_c_scores(120))
        result = call("run", "--adapter", "file", "--scores", scores, "--model", "openai/clip", "--tasks", "probe-c", "--data", self.data, "--output", self.out)
        self.expect(result, 0)

    def test_two_models_of_one_name_get_two_folders(self):
        for where in ("one", "two"):
            shutil.copytree(FIXTURES / "clip", self.folder / where / "clip")
        result = self.run_clip("--model", self.folder / "two" / "clip", model=self.folder / "one" / "clip")
        self.expect(result, 0)
        self.assertEqual(sorted(path.name for path in self.out.iterdir()), ["one-clip-probe-c", "two-clip-probe-c"])
        self.expect_error(self.run_clip("--model", FIXTURES / "clip"), 2, "two models are called 'clip'")

    def test_a_folder_goes_on_wherever_it_is_named_from(self):
        self.expect(self.run_clip("--limit", 3), 0)
        again = call("run", "--model", os.path.relpath(FIXTURES / "clip", self.folder), "--tasks", "probe-c", "--data", self.data, "--images", self.images,
                     "--limit", 3, "--output", self.out, cwd=self.folder)
        self.expect(again, 0, "were already there")

    def test_a_tokenizer_without_the_end_token_is_refused(self):
        model = self.folder / "clip"
        shutil.copytree(FIXTURES / "clip", model)
        config = json.loads((model / "config.json").read_text())
        config["text_config"]["eos_token_id"] = 7
        (model / "config.json").write_text(json.dumps(config))
        self.expect_error(self.run_clip(model=model), 3, "eos_token_id", "all texts would look alike", "published with these weights")


class SeveralDataSets(FirstHour):
    def setUp(self):
        super().setUp()
        group = {"positive_image_ids": [1], "negative_image_ids": [2], "positive_prompt": "a cat on a mat", "negative_prompt": "a dog on a mat",
                 "negative_predicate_prompt": "a cat under a mat", "positive_object": "cat", "negative_object": "dog"}
        self.write("r/relation_eval_subject.json", {"1": group, "2": {**group, "positive_image_ids": [2], "negative_image_ids": [1]}})
        (self.folder / "vg").mkdir()
        for number in (1, 2):
            shutil.copy(self.images / name_of(number), self.folder / "vg" / f"{number}.jpg")

    @unittest.skipUnless(HAS_NETWORKS, "this build has no torch")
    def test_tasks_find_their_own_annotations_and_images(self):
        result = call("run", "--model", FIXTURES / "clip", "--tasks", "probe-r,probe-c", "--data", f"probe-r={self.folder / 'r'}", f"probe-c={self.data}",
                      "--images", f"vg={self.folder / 'vg'}", f"coco={self.images}", "--output", self.out)
        self.expect(result, 0)
        self.expect(call("verify", self.out / "clip-probe-r+probe-c"), 0)

    @unittest.skipUnless(HAS_NETWORKS, "this build has no torch")
    def test_the_registry_serves_where_no_flag_does(self):
        for name, folder in (("probe-r", "r"), ("probe-c", "data"), ("vg", "vg"), ("coco", "images")):
            self.expect(call("data", "add", name, self.folder / folder), 0)
        result = call("run", "--model", FIXTURES / "clip", "--tasks", "probe-r,probe-c", "--output", self.out, cwd=self.folder)
        self.expect(result, 0, f"note: --images coco={self.images} (data registry)")
        stamp = json.loads((self.out / "clip-probe-r+probe-c" / "run.json").read_text())
        self.assertIn(f"probe-r={self.folder / 'r'}", stamp["settings"]["data"])
        listed = json.loads(call("data", "list", "--json").stdout)["folders"]
        self.assertEqual({row["name"]: row["there"] for row in listed}, {"coco": "yes", "probe-c": "yes", "probe-r": "yes", "vg": "yes"})
        self.expect(call("data", "remove", "vg"), 0)

    @unittest.skipUnless(HAS_NETWORKS, "this build has no torch")
    def test_a_flag_goes_before_the_registry(self):
        (self.folder / "empty").mkdir()
        for name in ("probe-c", "coco"):
            self.expect(call("data", "add", name, self.folder / "empty"), 0)
        result = call("run", "--model", FIXTURES / "clip", "--tasks", "probe-c", "--data", f"probe-c={self.data}", "--images", f"coco={self.images}",
                      "--output", self.out)
        self.expect(result, 0)
        self.assertNotIn("data registry", result.stderr)
        self.assertEqual(json.loads((self.out / "clip-probe-c" / "run.json").read_text())["settings"]["images"], f"coco={self.images}")

    def test_data_check_names_missing_videos_by_their_ids(self):
        world = self.folder / "world"
        self.expect(call("build", "eyechart", "--out", world, "--size", "tiny", "--scenes", 10), 0)
        self.expect(call("data", "add", "vilma", world / "vilma"), 0)
        self.expect(call("data", "check", "vilma"), 0)
        for video in sorted((world / "vilma" / "youtube").iterdir())[:1]:
            video.unlink()
            result = call("data", "check", "vilma")
            self.assertEqual(result.returncode, 4, result.stderr)
            self.assertEqual(result.stdout.split(), [video.stem])

    def test_data_check_prints_what_is_missing_one_name_a_line(self):
        call("data", "add", "probe-c", self.data)
        call("data", "add", "coco", self.images)
        self.expect(call("data", "check"), 0)
        (self.images / name_of(3)).unlink()
        result = call("data", "check", "probe-c")
        self.assertEqual((result.returncode, result.stdout), (4, name_of(3) + "\n"), result.stderr)

    def test_a_build_registers_itself_and_no_other_builder_takes_its_folder(self):
        captions = self.write("captions.json", {"images": [], "annotations": [{"id": i, "image_id": i, "caption": text} for i, text in enumerate(
            ["a red cat and a blue car", "a blue cat and a red car", "a red dog", "a black dog", "a white dog"] * 3)]})
        nouns = self.write("nouns.txt", "cat\ndog\ncar\n")
        built = self.folder / "built"
        self.expect(call("build", "probe-c", "--captions", captions, "--nouns", nouns, "--out", built), 0, "registered as the data of probe-c")
        self.expect_error(call("build", "relcomp", "--captions", captions, "--coco-val", captions, "--visual-genome", self.folder, "--out", built), 2,
                          "holds what `snellen build probe-c` made")

    @unittest.skipUnless(HAS_NETWORKS, "this build has no torch")
    def test_pictures_with_names_of_their_own_run_after_build_probe_c(self):
        texts = ["a red cat", "a blue cat", "a black dog", "a white dog"] * 3
        captions = self.write("captions.json", {"images": [{"id": i, "file_name": f"mine/{i}.png"} for i in range(12)],
                                                "annotations": [{"id": i, "image_id": i, "caption": text} for i, text in enumerate(texts)]})
        (self.folder / "pictures" / "mine").mkdir(parents=True)
        for i in range(12):
            shutil.copy(self.images / name_of(i), self.folder / "pictures" / "mine" / f"{i}.png")
        built = self.folder / "built"
        self.expect(call("build", "probe-c", "--captions", captions, "--nouns", self.write("nouns.txt", "cat\ndog\n"), "--out", built), 0)
        self.expect(call("run", "--model", FIXTURES / "clip", "--tasks", "probe-c", "--data", built, "--images", self.folder / "pictures", "--output", self.out), 0)


class SaysWhatHappened(FirstHour):
    def score(self, *more, count=120):
        return call("score", "probe-c", "--scores", self.write("s.jsonl", probe_c_scores(count)), "--data", self.data, "--output", self.out, *more)

    def test_scores_for_another_data_set_are_refused_unless_asked_for(self):
        self.expect_error(self.score(count=150), 3, "30 of 150 lines", "composition/120, composition/121, composition/122", "--ignore-unknown")
        self.assertFalse(self.out.exists())
        self.expect(self.score("--ignore-unknown", count=150), 0)
        self.expect(self.score("--limit", 5, "--name", "few"), 0)

    def test_tables_fit_eighty_columns_and_csv_has_all_digits(self):
        narrow = self.score().stdout
        self.assertLessEqual(max(map(len, narrow.splitlines())), 80, narrow)
        self.assertIn("ties", self.score("--wide").stdout.splitlines()[0])
        header, first = self.score("--format", "csv").stdout.splitlines()[:2]
        row = dict(zip(header.split(","), first.split(",")))
        self.assertLess(float(row["low"]), float(row["value"]))
        self.assertEqual(int(row["n"]), 120)
        compared = call("compare", self.out / "file-probe-c", self.out / "file-probe-c")
        self.assertEqual(compared.returncode, 0, compared.stderr)
        self.assertLessEqual(max(map(len, compared.stdout.splitlines())), 80, compared.stdout)
        for verb in (("doctor",), ("list", "tasks"), ("list", "metrics"), ("list", "corruptions")):
            wide = [line for line in call(*verb).stdout.splitlines() if len(line) > 80]
            self.assertEqual(wide, [], verb)

    def test_most_decisions_tied_is_the_first_line(self):
        same = lines(*({"split": "composition", "index": i, "scores": [[i, i], [i, i]]} for i in range(120)))
        result = call("score", "probe-c", "--scores", self.write("same.jsonl", same), "--data", self.data, "--output", self.out)
        self.assertEqual(result.returncode, 0)
        self.assertTrue(result.stderr.startswith("warning: most decisions tie: 120 of 120"), result.stderr)

    def test_equal_scores_are_the_first_line_where_no_tie_is_counted(self):
        same = [json.loads(line) for line in (DEMO / "probe_b_background.jsonl").read_text().splitlines()]
        for one in same:
            one["logits"] = {name: [0.5] * len(row) for name, row in one["logits"].items()}
        result = call("score", "probe-b-background", "--scores", self.write("same.jsonl", lines(*same)), "--data", DEMO, "--output", self.out)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertTrue(result.stderr.startswith("warning: all scores of probe-b-background are equal (0.5)"), result.stderr)
        result = call("score", "probe-b-background", "--scores", DEMO / "probe_b_background.jsonl", "--data", DEMO, "--output", self.folder / "good")
        self.assertNotIn("warning", result.stderr)

    def test_entries_for_items_that_vilma_does_not_have_are_told(self):
        item = {"dataset": "youtube", "dataset_idx": "1", "start_time": None, "end_time": None, "time_unit": "sec", "caption": "a caption", "foils": ["a foil"],
                "mturk": {"caption": 3, "foil": 0, "other": 0}, "proficiency": {"caption": "a noun", "foils": ["no noun"], "human": {"caption": 1, "foil": 0, "other": 0}}}
        annotations = self.write("relations.json", {str(i): {**item, "dataset_idx": str(i)} for i in range(20)})
        for count, told in ((20, False), (22, True)):
            results = self.write("results.json", {str(i): {"scores": [0.9, 0.1]} for i in range(count)})
            result = call("score", "vilma", "-i", results, "-a", annotations, "-m", "probability")
            self.expect(result, 0)
            self.assertEqual("2 of 22 entries are for items that the annotations do not have, for example 20" in result.stdout + result.stderr, told,
                             result.stdout + result.stderr)

    def test_a_server_that_nobody_reaches_is_told_before_the_last_try(self):
        items = self.write("one.jsonl", lines({"name": "one", "metric": "pairwise"}, {"id": "1", "visuals": [name_of(1)], "texts": PAIR, "right": 0}))
        result = call("run", "--model", "openai:x", "--base-url", "http://127.0.0.1:9/v1", "--retries", 1, "--tasks", f"file:{items}", "--images", self.images,
                      "--output", self.out)
        self.expect_error(result, 1, "note: no answer yet from http://127.0.0.1:9/v1; asking again, at most 1 times", "is the server running")

    def test_doctor_shows_what_a_run_needs(self):
        found = {row["part"] for row in json.loads(call("doctor", "--json").stdout)}
        self.assertLessEqual({"torch", "GPU", "METEOR tables", "model cache", "data registry"}, found)

    def test_two_tasks_over_the_same_items_compare(self):
        runs = []
        for name in ("direction", "direction-gray"):
            items = self.write(f"{name}.jsonl", lines({"name": name, "metric": "pairwise"}, *(
                {"id": str(i), "texts": PAIR, "right": 0} for i in range(20))))
            scores = self.write(f"{name}-scores.jsonl", lines(*({"id": str(i), "scores": [i % 3, len(name) % 2]} for i in range(20))))
            self.expect(call("score", f"file:{items}", "--scores", scores, "--output", self.out), 0)
            runs.append(self.out / f"file-{name}")
        self.expect_error(call("compare", *runs), 3, "--map ONE=OTHER")
        self.expect(call("compare", *runs, "--map", "direction=direction-gray"), 0)
        self.expect_error(call("compare", *runs, "--map", "direction=gray"), 2, "has no task 'gray'", "it has: direction-gray")

    def test_readable_names_of_all_scripts_stay_readable(self):
        self.expect(self.score("--name", "模型-é ü/x"), 0)
        self.assertTrue((self.out / "模型-é_ü_x-probe-c").exists())

    def test_a_byte_order_mark_is_skipped(self):
        items = self.write("bom.jsonl", "\ufeff" + lines({"name": "bom", "metric": "pairwise"}, {"id": "1", "texts": PAIR, "right": 0}))
        scores = self.write("bom-scores.jsonl", "\ufeff" + lines({"id": "1", "scores": [2, 1]}))
        self.expect(call("score", f"file:{items}", "--scores", scores, "--output", self.out), 0)
        self.data.joinpath("data_compositional_switch.json").write_text("\ufeff" + json.dumps(probe_c_groups(120)))
        self.expect(self.score(), 0)

    @unittest.skipUnless(HAS_NETWORKS, "this build has no torch")
    def test_a_run_in_which_nothing_was_scored_stands_in_nobodys_way(self):
        (self.folder / "empty").mkdir()
        self.expect_error(self.run_clip("--images", self.folder / "empty"), 1, "none of 120 items was scored")
        self.expect(self.run_clip("--seed", 3), 0)

    @unittest.skipUnless(HAS_NETWORKS, "this build has no torch")
    def test_a_dry_run_without_a_folder_of_images_counts_what_it_would_show(self):
        result = call("run", "--model", FIXTURES / "clip", "--tasks", "probe-c", "--data", self.data, "--dry-run")
        self.expect(result, 4, "24 of 24 distinct visuals have no file:", "--images: no folder of images named")

    @unittest.skipUnless(HAS_NETWORKS, "this build has no torch")
    def test_a_crop_outside_of_its_picture_fails_its_item(self):
        items = self.write("crop.jsonl", lines({"name": "crop", "metric": "pairwise"},
                                               {"id": "1", "visuals": [name_of(1)], "texts": PAIR, "right": 0},
                                               {"id": "2", "visuals": [{"image": name_of(1), "crop": [900, 0, 10, 10]}], "texts": PAIR, "right": 0}))
        result = call("run", "--model", FIXTURES / "clip", "--tasks", f"file:{items}", "--images", self.images, "--output", self.out)
        self.expect(result, 4, "the crop [900, 0, 10, 10] lies outside of the picture")


class Mistakes(FirstHour):
    """Each is one line that says what, where, what to do. `HINTS` lists command, exit code, and the words that must be there."""

    def mistakes(self):
        run = ("run", "--tasks", "probe-c", "--data", self.data, "--output", self.out)
        fake = (*run, "--model", "fake")
        score = ("score", "probe-c", "--data", self.data, "--output", self.out, "--scores")
        clip = FIXTURES / "clip"
        pointer = self.folder / "pointer"
        shutil.copytree(clip, pointer)
        (pointer / "model.safetensors").write_text("version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n")
        bare = self.folder / "bare"
        bare.mkdir()
        shutil.copy(clip / "model.safetensors", bare)
        llava = self.folder / "llava"
        shutil.copytree(clip, llava)
        (llava / "config.json").write_text('{"model_type": "llava"}')
        archive = self.folder / "model.zip"
        zipfile.ZipFile(archive, "w").close()
        items = self.write("metric.jsonl", lines({"name": "m", "metric": "pairwize"}, {"texts": PAIR, "right": 0}))
        empty = self.write("empty.jsonl", "")
        good = self.write("good.jsonl", probe_c_scores(120))
        twice = self.write("twice.jsonl", probe_c_scores(3) + probe_c_scores(1))
        broken = self.write("broken.jsonl", '{"split": "composition", "index": 0, "scores": [[1, 2]')
        (self.folder / "wrong").mkdir()
        self.write("wrong/data_compositional_switch.json", {"images": []})
        (self.folder / "nested" / "val2014").mkdir(parents=True)
        shutil.copy(self.images / name_of(0), self.folder / "nested" / "val2014")
        shutil.copytree(clip, self.folder / "models" / "clip")
        adapter = self.write("adapter.py", "print(1)\n")
        comma = self.write("items.csv", "id,texts\n1,a cat\n")
        yaml = self.write("conf.yaml", "model: clip\ntasks: probe-c\n")
        cut = self.write("captions.json", '{"annotations": [{"id": 1, "image_id": 1, "capt')
        own = self.write("own.jsonl", lines({"name": "own", "metric": "pairwise"}, *({"id": str(i), "visuals": [f"{i}.jpg"], "texts": PAIR, "right": 0} for i in range(3))))
        nouns = self.write("nouns.txt", "cat\n")
        no_torch = [] if HAS_NETWORKS else None
        everyone = [
            (("rnu",), 2, "unknown verb 'rnu'", "did you mean 'run'"),
            (("run", "--modle", "fake"), 2, "unknown flag '--modle'", "did you mean '--model'"),
            (("run", "-model", "fake", "--tasks", "probe-c"), 2, "unknown flag '-model'", "did you mean '--model'"),
            (("run", "--model", "fake", "--tasks"), 2, "--tasks: its value is missing", "snellen run --help"),
            (("run", "--model", "fake", "--tasks", items), 2, "unknown task", f"file:{items}"),
            (("build", "probe-r", "--visual-genome", archive, "--out", self.out), 2, "--visual-genome", "is a file, not a folder", "unpack archives first"),
            (("buidl", "probe-c"), 2, "unknown verb 'buidl'", "did you mean 'build'"),
            (("build", "probe-d"), 2, "unknown word 'probe-d'", "did you mean"),
            (("data", "ad", "coco", "x"), 2, "unknown word 'ad'", "did you mean 'add'"),
            (("data", "add", "coko", self.images), 2, "no task looks for data called 'coko'", "did you mean 'coco'"),
            (("data", "add", "coco", self.folder / "nosuch"), 3, "nosuch", "does not exist"),
            (("data", "add", "coco", archive), 3, "is a file, not a folder", "unpack archives first"),
            (("data", "check"), 3, "nothing to check", "snellen data add probe-c DIR"),
            (("run", "--tasks", "probe-c"), 2, "no model named", "--model", "ORG/NAME"),
            (("run", "--model", "fake"), 2, "no task named", "--tasks", "snellen list tasks"),
            ((*run, "--model", "llavva"), 2, "there is no folder 'llavva'", "ORG/NAME"),
            ((*run, "--model", self.folder / "nosuch"), 3, "nosuch: does not exist", "config.json"),
            ((*run, "--model", archive), 3, "model.zip: is a file", "unpack it"),
            ((*run, "--model", bare), 3, "has no config.json", "whole folder"),
            ((*run, "--model", "org/name"), 3, "neither a folder here nor in the Hugging Face cache", "hf download org/name"),
            (("run", "--model", "fake", "--tasks", "prob-c"), 2, "unknown task 'prob-c'", "--tasks", "did you mean 'probe-c'"),
            (("run", "--model", "fake", "--tasks", "probe-c", "--data", self.folder), 3, "no annotation file here", "data_compositional_switch.json", "--data DIR", "snellen data add probe-c DIR", "docs/data.md"),
            (("run", "--model", "fake", "--tasks", "probe-c", "--data", archive), 2, "--data", "is a file, not a folder", "unpack it"),
            (("run", "--model", "fake", "--tasks", "probe-c", "--data", "prob-r=x"), 2, "--data", "'prob-r' is neither a task nor a folder", "did you mean 'probe-r'"),
            (("run", "--model", "fake", "--tasks", "probe-c", "--data", self.folder / "wrong"), 3, "is a JSON object, expected an array", "released annotation file"),
            ((*fake, "--images", "cocoa=x"), 2, "--images", "'cocoa'", "did you mean 'coco'"),
            ((*fake, "--output", "/dev/null/x"), 3, "/dev/null/x", "cannot be written", "--output"),
            ((*fake, "--shard", "3/2"), 2, "--shard", "is no share i/n"),
            ((*fake, "--limit", "-1"), 2, "--limit", "expected"),
            ((*fake, "--confidence", "95"), 2, "--confidence", "between 0 and 1", "give 0.95"),
            ((*fake, "--ties", "wrongg"), 2, "--ties", "did you mean 'wrong'"),
            ((*fake, "--config", self.folder / "nosuch.json"), 3, "nosuch.json", "check the path"),
            ((*score, self.folder / "nosuch.jsonl"), 3, "nosuch.jsonl", "check the path"),
            ((*score, twice), 3, "twice.jsonl: line 4", "listed twice", "keep one line per group"),
            ((*score, broken), 3, "broken.jsonl: line 1", "JSON"),
            ((*score, self.write("other.jsonl", probe_c_scores(130))), 3, "other.jsonl", "10 of 130 lines", "--ignore-unknown"),
            ((*score, empty, "--output", self.folder / "kept"), 1, "none of 120 items was scored", "the score file has no line for it"),
            (("score", "--scores", good), 2, "no task named", "snellen score probe-c"),
            (("score", f"file:{items}", "--scores", good), 3, "metric.jsonl:1", "'pairwize'", "did you mean 'pairwise'"),
            (("score", f"file:{self.folder / 'nosuch.jsonl'}", "--scores", good), 3, "nosuch.jsonl", "check the path"),
            (("compare", self.out), 2, "1 run folders given", "snellen compare RUN_A RUN_B"),
            (("compare", self.images, self.images), 3, "no run.json here", "snellen run"),
            (("compare", self.out, self.out, "--map", "a"), 2, "--map", "'a' is no pair of tasks", "direction=direction-gray"),
            (("gate", self.images, "--require", "x>=0"), 3, "no run.json here"),
            (("verify", self.images), 3, "no run.json here", "snellen run"),
            (("merge", self.images, "--output", self.out), 3, "images"),
            (("patch", clip, self.folder / "nosuch", "--output", self.out), 3, "nosuch", "does not exist", "config.json"),
            (("list", "tasks", "--installed"), 2, "--installed", "snellen list models --installed"),
            (("build", "probe-c", "--out", self.out), 2, "--captions is required"),
            (("build", "probe-c", "--captions", self.data / "data_compositional_switch.json", "--nouns", good, "--out", self.out), 3, "data_compositional_switch.json"),
            (("tokenize", "--model", bare, "--text", "a"), 3, "bare"),
            (("evaluate", "--model", "clip"), 2, "unknown verb 'evaluate'", "`snellen run` scores a model"),
            (("--model", "clip", "--tasks", "probe-c"), 2, "no verb named before '--model'", "snellen run --model ..."),
            (("run", "clip", "probe-c"), 2, "unexpected argument 'clip'", "snellen run --model clip"),
            (("run", "-m", "clip", "--tasks", "probe-c"), 2, "--mode: is a setting of task vilma", "did you mean '--model'"),
            ((*fake, "--output-dir", "x"), 2, "unknown flag '--output-dir'", "did you mean '--output'"),
            ((*fake, "--image-dir", "x"), 2, "unknown flag '--image-dir'", "did you mean '--images'"),
            ((*run, "--model", adapter), 3, "is a file", f'exec:"python3 {adapter}"', "docs/adapters.md"),
            ((*run, "--model", self.folder / "models"), 3, "has no config.json", "checkpoints lie below it", str(self.folder / "models" / "clip")),
            ((*run, "--model", "https://hub.example/openai/clip-vit-base-patch32"), 2, "did you mean 'openai/clip-vit-base-patch32'"),
            ((*run, "--model", "clip-vit-base-patch32"), 2, "did you mean 'openai/clip-vit-base-patch32'"),
            (("run", "--model", "fake", "--tasks", "probe-r", "--data", self.folder), 3, "no annotation file here", "--data DIR", "snellen data add probe-r DIR"),
            (("run", "--model", "fake", "--tasks", "probe-b-background", "--data", self.folder), 3, "cannot be opened", "--data DIR", "snellen data add probe-b-background DIR"),
            (("run", "--config", yaml), 3, "conf.yaml: is not JSON", "line 1", '{"tasks": "probe-c"'),
            (("run", "--model", "fake", "--tasks", f"file:{comma}"), 3, "items.csv:1: not valid JSON", "no line of the file can be read as an item", "docs/your-own-task.md"),
            (("build", "probe-r", "--visual-genome", self.images, "--out", self.out), 3, "relationships.json", "--visual-genome is the folder of"),
            (("build", "probe-c", "--captions", cut, "--nouns", nouns, "--out", self.out), 3, "ends inside a record", "downloaded whole"),
            (("data", "add", "coco"), 2, "folder is required", "snellen data add NAME DIR"),
            (("data", "add", "cache", self.images), 2, "no task looks for data called 'cache'"),
            (("data", "check", "vilma"), 3, "no folder of vilma is registered", "snellen data add vilma DIR"),
            (("meteor", "a.txt", "b.txt"), 2, "'a.txt' is the name of a file", "--input"),
            (("list", "model"), 2, "what: 'what' cannot be 'model'", "did you mean 'models'"),
            (("import", "helm", "x"), 2, "unknown word 'helm'", "inspect", "lmms-eval"),
            ((*score, good, "--leave-out", self.folder / "nosuch.jsonl"), 3, "nosuch.jsonl", "check the path"),
        ]
        networks = [
            ((*run, "--model", pointer), 3, "model.safetensors: is a Git-LFS pointer", "git lfs pull"),
            ((*run, "--model", llava), 3, "model_type 'llava' is not supported", "clip", "docs/adapters.md"),
            ((*run, "--model", clip), 2, "no folder of images named", "--images"),
            ((*run, "--model", clip, "--images", self.folder / "nosuch"), 3, "the image folder of probe-c is not there", "--images coco=DIR"),
            ((*run, "--model", clip, "--images", self.images, "--device", "gpu"), 2, "--device", "expected cpu, cuda or cuda:N"),
            ((*run, "--model", clip, "--images", self.images, "--dtype", "fp16"), 2, "--dtype", "take fp32 or bf16"),
            ((*run, "--model", clip, "--images", self.images, "--score", "itmm"), 2, "itmm", "itc"),
            (("finetune", "--model", ROOT / "models" / "gpt2", "--output", self.out), 3, "models of type 'gpt2' cannot be fine-tuned", "dual encoder"),
            ((*run, "--model", clip, "--images", self.images, "--control", "gray", "--leave-out", self.folder / "nosuch.jsonl"), 3, "nosuch.jsonl"),
        ]
        # These are runs in which nothing could be scored, whose folders stay: they block nothing.
        elsewhere = ("--output", self.folder / "kept")
        networks += [
            ((*run, "--model", clip, "--images", self.folder / "nested", *elsewhere), 1, "none of 120 items was scored", "one folder below", "--images"),
            ((*run, "--model", clip, "--images", self.folder / "wrong", *elsewhere), 1, "none of 120 items was scored", "--images DIR"),
            (("run", "--model", clip, "--tasks", f"file:{own}", *elsewhere), 1, "none of 3 items was scored", "--images DIR"),
        ]
        return everyone + (networks if no_torch is not None else [])

    def test_forty_mistakes_say_what_where_and_what_to_do(self):
        table = self.mistakes()
        self.assertGreaterEqual(len(table), 40)
        for arguments, code, *words in table:
            with self.subTest(command=" ".join(map(str, arguments)).replace(str(self.folder), "$DIR")):
                result = call(*arguments, cwd=self.folder)
                self.expect_error(result, code, *words)
                if os.environ.get("SNELLEN_MISTAKES"):
                    text = " ".join(map(str, arguments)).replace(str(self.folder), "DIR").replace(str(ROOT), ".")
                    with open(os.environ["SNELLEN_MISTAKES"], "a") as log:
                        log.write(f"| `snellen {text}` | {code} | {result.stderr.strip().splitlines()[-1].replace(str(self.folder), 'DIR').replace(str(ROOT), '.')} |\n")
                self.assertFalse(self.out.exists(), "what is refused leaves nothing")

    def test_a_wrong_file_for_a_builder_is_one_line(self):
        wrong = self.write("instances.json", {"images": [], "annotations": [{"id": i, "image_id": i, "bbox": [0, 0, 1, 1]} for i in range(300)]})
        result = call("build", "probe-c", "--captions", wrong, "--nouns", self.write("n.txt", "cat\n"), "--out", self.folder / "built")
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn("300 bad records left out", result.stderr)
        self.assertIn("  300: ", result.stderr)
        self.assertLess(len(result.stderr.splitlines()), 6, result.stderr)
        self.assertEqual(result.stdout, "", "no table of zeros, and no folder that was written")
        self.assertFalse((self.folder / "built").exists())


class RunFolder(FirstHour):
    """docs/run-folder.md: its queries run, and give what it says."""

    def test_the_queries_of_the_page_run(self):
        page = (ROOT / "docs" / "run-folder.md").read_text()
        queries = [text.split("```")[0] for text in page.split("```sql\n")[1:]]
        self.assertGreaterEqual(len(queries), 5)
        self.expect(call("score", "probe-c", "--scores", DEMO / "probe_c.jsonl", "--data", DEMO, "--output", self.out), 0)
        database = sqlite3.connect(f"file:{self.out / 'file-probe-c' / 'samples.db'}?immutable=1", uri=True)
        for query in queries:
            with self.subTest(query=query):
                self.assertTrue(database.execute(query).fetchall())


if __name__ == "__main__":
    unittest.main()

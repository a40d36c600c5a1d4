"""ViLMA's data sets from their sources: snellen build vilma-counting, vilma-change-state, vilma-rare-actions, vilma-statistics."""
import json
import pathlib
import struct
import unittest

from cli import Case, call
from test_build import tree

# The published annotations, where they lie beside the checkout or above it.
PUBLISHED = next((parent / "shared/data/vilma" for parent in pathlib.Path(__file__).resolve().parents
                  if (parent / "shared/data/vilma").is_dir()), pathlib.Path("nowhere"))

CHANGE = {"verb": "boil", "verb-hypernym": "heat up", "object": "the beans", "pre-state": "cold", "post-state": "hot",
          "state-inverse": "cool down"}


def npy(values, descr="<i8", code="q"):
    header = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': ({len(values)},), }}\n".encode()
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + struct.pack(f"<{len(values)}{code}", *values)


class VilmaCase(Case):
    def counting_sources(self, videos=6):
        templates, foils = {}, {}
        for i in range(videos):
            key = f"{i:03d}"
            prefix = f"{key}_hop"
            templates[key] = {"id": key, "prefix": prefix, "category": "exercise", "action": f"hop {i}",
                              "templates": [f"a robot hops over {i} stones exactly <number> times.", "something hops <number> times in total."]}
            foils[key] = {"0": [f"a robot sits on {i} stones.", f"a robot sleeps on {i} stones."], "1": ["something sits."]}
            path = self.folder / f"quva/normalized_annotations/{prefix}.npy"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(npy([12 * (j + 1) + i for j in range(4 + i)]))
            video = self.folder / f"quva/normalized_videos/{prefix}.mp4"
            video.parent.mkdir(parents=True, exist_ok=True)
            video.write_bytes(b"")
        self.templates, self.foils = self.write("templates.json", templates), self.write("foils.json", foils)

    def counting(self, out, *flags, examples=60):
        return call("build", "vilma-counting", "-t", self.templates, "-p", self.foils, "-d", self.folder / "quva", "-o", self.folder / out,
                    "--num-examples", examples, *flags)

    def change_state(self, out, *flags, data=None):
        path = self.write("base.json", data if data is not None else {f"{i:04d}": {"dataset": "coin", "change_of_state": CHANGE} for i in range(200)})
        return call("build", "vilma-change-state", "--data", path, "--out", self.folder / out, *flags)

    def rare_sources(self):
        rows = ["id,video_id,class,start,end,annotation,verb,noun"]
        pairs = [("cut", "book"), ("cut", "phone"), ("wash", "potato"), ("weigh", "egg"), ("drill", "eggs"), ("deseed", "pepper")]
        for i in range(90):
            verb, noun = pairs[i % len(pairs)]
            rows.append(f"{i},video{i:06d},0,{i},{i + 10},{1 if i % 4 else 0},{verb},{noun}")
        self.rareact = self.write("rareact.csv", "\n".join(rows) + "\n")
        candidates = {f"{verb} {noun}": [{"verb": "buy", "label": "neutral", "score": 0.5}, {"verb": "put in", "label": "neutral", "score": 0.75},
                                         {"verb": "own", "label": "entailment", "score": 0.9}] for verb, noun in pairs}
        for verb in ("cut", "wash", "drill"):
            candidates[verb] = [{"noun": "apple", "noun_phrase": "an apple", "mlm_score": 2.5}, {"noun": "door", "phrase": "a door", "mlm_score": 2.25}]
        self.candidates = self.write("candidates.json", candidates)

    def rare(self, out, *flags):
        return call("build", "vilma-rare-actions", "-d", self.rareact, "--candidates", self.candidates, "--out", self.folder / out, *flags)

    def items(self, name):
        return json.loads((self.folder / name).read_text())

    def check(self, out, *flags):
        return call("build", "check", self.folder / out, *flags)

    def expect_clean(self, out):
        result = self.check(out)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertIn("0 violations", result.stdout)

    def expect_same_bytes(self, build):
        self.assertEqual(build("one", "--threads", 1).returncode, 0)
        before = tree(self.folder / "one")
        self.assertEqual(build("four", "--threads", 4).returncode, 0)
        self.assertEqual(before, tree(self.folder / "four"))
        self.assertEqual(build("one").returncode, 0)
        self.assertEqual(before, tree(self.folder / "one"))
        return before


class BuildVilmaTest(VilmaCase):
    def test_counting_is_the_same_for_any_threads_and_passes_its_check(self):
        self.counting_sources()
        before = self.expect_same_bytes(self.counting)
        self.expect_clean("one")
        self.assertEqual(self.counting("seed", "--seed", 7).returncode, 0)
        name = "counting-easy-spelled-pts.json"
        self.assertNotEqual(before[name], tree(self.folder / "seed")[name])
        frames, seconds = self.items(f"one/{name}"), self.items("one/counting-easy-spelled-sec.json")
        self.assertGreater(len(frames), 40)
        self.assertEqual(list(frames), list(seconds))
        for key, item in frames.items():
            self.assertEqual(seconds[key]["end_time"], round(item["end_time"] / 30, 4))
            self.assertNotEqual(item["caption"], item["foils"][0])
        # The layout is that of Python's json.dump.
        self.assertEqual(before[name].decode(), json.dumps(frames, indent=4))

    def test_counting_prints_the_published_counts(self):
        self.counting_sources()
        result = self.counting("one", "--instrument", "easy", "--use-digits")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("959", result.stdout)
        self.assertEqual(sorted(tree(self.folder / "one")), ["NOTICE.txt", "build.json", "counting-easy-digits-pts.json", "counting-easy-digits-sec.json"])
        self.assertRegex(next(iter(self.items("one/counting-easy-digits-pts.json").values()))["caption"], r"\d time")
        self.expect_clean("one")

    def test_counting_in_compat(self):
        self.counting_sources()
        self.assertEqual(self.counting("one", "--compat").returncode, 0)
        self.expect_clean("one")
        (self.folder / "quva/normalized_annotations/002_hop.npy").unlink()
        self.expect_error(self.counting("two", "--compat"), 3, "002_hop.npy")

    def test_counting_makes_foils_for_exercises(self):
        self.counting_sources()
        self.write("foils.json", {})
        result = self.counting("one", "--exercise-foils")
        self.assertEqual(result.returncode, 0, result.stderr)
        pool = self.items("one/quva-proficiency-foils.json")
        self.assertEqual(len(pool), 6)
        self.assertTrue(all(len(set(foils)) == len(foils) for video in pool.values() for foils in video.values()))
        self.expect_clean("one")

    def test_what_is_built_is_scored(self):
        self.counting_sources()
        self.assertEqual(self.counting("one").returncode, 0)
        file = self.folder / "one/counting-easy-spelled-sec.json"
        items = json.loads(file.read_text())
        for part, texts in (("main", lambda item: item), ("prof", lambda item: item["proficiency"])):
            self.write(f"{part}.json", {key: {"scores": [1.0] + [0.0] * len(texts(item)["foils"])} for key, item in items.items()})
        flags = ["-i", self.folder / "prof.json", self.folder / "main.json", "-a", file, "-m", "similarity", "--output", self.folder / "runs"]
        result = call("score", "vilma", *flags, "--filter", "none")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        # Nobody has voted yet.
        self.assertEqual(call("score", "vilma", *flags).returncode, 3)

    def test_change_state_is_the_same_for_any_threads_and_passes_its_check(self):
        before = self.expect_same_bytes(self.change_state)
        self.expect_clean("one")
        for kind in ("action", "prestate", "poststate", "inverse"):
            items = self.items(f"one/change-state-{kind}.json")
            self.assertEqual(len(items), 200)
            self.assertEqual(before[f"change-state-{kind}.json"].decode(), json.dumps(items, indent=4))
        self.assertEqual(self.items("one/change-state-action.json")["change-state-action-0000"]["caption"], "Someone heats the beans up.")
        for flags in (["--extended"], ["--extended", "--compat"], ["--preserve-original", "--end-adverb", "finally"]):
            self.assertEqual(self.change_state("more", *flags).returncode, 0)
            self.expect_clean("more")

    def test_rare_actions_are_the_same_for_any_threads_and_pass_their_check(self):
        self.rare_sources()
        self.expect_same_bytes(self.rare)
        self.expect_clean("one")
        verbs, nouns = self.items("one/rare-actions-verb-foils.json"), self.items("one/rare-actions-noun-foils.json")
        self.assertEqual(len(verbs), 67)  # rows with annotation 1
        self.assertTrue(all(not item["caption"].startswith("deseeding") for item in nouns.values()))
        self.assertIn("washing some potatos", {item["caption"] for item in verbs.values()})
        self.assertNotIn("own", {item["classes_foil"][0] for item in verbs.values()})
        self.assertEqual(self.rare("few", "--num-examples", 10, "--target", "verb").returncode, 0)
        self.assertEqual(len(self.items("few/rare-actions-verb-foils.json")), 10)
        self.assertFalse((self.folder / "few/rare-actions-noun-foils.json").exists())

    def test_rare_actions_use_only_videos_that_are_there(self):
        self.rare_sources()
        for i in range(1, 8):
            self.write(f"videos/video{i:06d}.mp4", "")
        self.assertEqual(self.rare("one", "--video-dir", self.folder / "videos").returncode, 0)
        self.assertEqual(len(self.items("one/rare-actions-verb-foils.json")), 6)

    def test_rare_actions_in_compat(self):
        self.rare_sources()
        self.assertEqual(self.rare("one", "--compat").returncode, 0)
        self.expect_clean("one")
        captions = {item["proficiency"]["caption"] for item in self.items("one/rare-actions-verb-foils.json").values()}
        self.assertIn("there is a book", captions)

    def test_statistics(self):
        self.rare_sources()
        self.assertEqual(self.rare("one").returncode, 0)
        result = call("build", "vilma-statistics", "-a", self.folder / "one/rare-actions-verb-foils.json", "--out", self.folder / "words")
        self.assertEqual(result.returncode, 0, result.stderr)
        rows = json.loads((self.folder / "words/word-counts.json").read_text())
        self.assertEqual(sum(row["captions"] for row in rows), 67)
        self.assertEqual(sum(row["foils"] for row in rows), 67)
        self.assertTrue((self.folder / "words/word-counts.csv").read_text().startswith("class,captions,foils\n"))


class BadVilmaSourcesTest(VilmaCase):
    def test_missing_files(self):
        self.counting_sources()
        self.foils.unlink()
        self.expect_error(self.counting("one"), 3, "foils.json")
        self.rare_sources()
        self.rareact.unlink()
        self.expect_error(self.rare("one"), 3, "rareact.csv")
        self.expect_error(call("build", "vilma-change-state", "--data", "nowhere.json", "--out", self.folder / "one"), 3, "nowhere.json")

    def test_truncated_files(self):
        self.counting_sources()
        self.templates.write_text(self.templates.read_text()[:-40])
        self.expect_error(self.counting("one"), 3, "templates.json")
        self.expect_error(self.change_state("one", data='{"0": {"a": '), 3, "base.json")

    def test_a_list_where_an_object_is_wanted(self):
        self.expect_error(self.change_state("one", data="[]"), 3, "object of items")

    def test_repetitions_that_are_no_frames(self):
        self.counting_sources()
        path = self.folder / "quva/normalized_annotations/001_hop.npy"
        for content in (npy([30, 20, 40, 50]), npy([0.5, 20, 30], "<f8", "d"), npy([-3, 4]), npy([1, 2])[:-4], b"text"):
            path.write_bytes(content)
            self.expect(self.counting("one"), 4, "001_hop.npy", "1 bad records")

    def test_a_video_without_repetitions_is_left_out(self):
        self.counting_sources()
        (self.folder / "quva/normalized_annotations/001_hop.npy").write_bytes(npy([]))
        self.assertEqual(self.counting("one").returncode, 0)
        self.assertNotIn("001", {item["dataset_idx"] for item in self.items("one/counting-easy-spelled-pts.json").values()})

    def test_a_prefix_that_leaves_its_folder(self):
        self.counting_sources()
        templates = json.loads(self.templates.read_text())
        templates["003"]["prefix"] = "../../003"
        self.write("templates.json", templates)
        self.expect(self.counting("one"), 4, "stem of a file name")

    def test_fewer_examples_than_videos(self):
        self.counting_sources()
        self.expect_error(self.counting("one", examples=5), 2, "6 videos")

    def test_nothing_comes_out(self):
        self.counting_sources()
        self.write("foils.json", {})
        self.assertIn(self.counting("one").returncode, (1, 2, 3))
        self.expect(self.change_state("one", data={"0": {}}), 1, "not one group or item")

    def test_a_change_without_its_fields(self):
        result = self.change_state("one", data={"0": {"change_of_state": {**CHANGE, "verb": ""}}, "1": {"change_of_state": CHANGE}, "2": 3,
                                                "change-state-action-1": {"change_of_state": CHANGE}})
        self.expect(result, 4, "change_of_state.verb", "'change-state-action-1' is there already", "3 bad records")

    def test_deep_json_is_refused(self):
        deep = "[" * 5000 + "]" * 5000
        self.expect_error(self.change_state("one", data=f'{{"0": {{"change_of_state": {json.dumps(CHANGE)}, "x": {deep}}}}}'), 3, "deep")

    def test_rows_that_cannot_be_used(self):
        self.rare_sources()
        with self.rareact.open("ab") as file:
            file.write(b"900,v,0,50,40,1,cut,book\n1,v,0,5,15,1,cut,book\n901,v,0,5,15,1,c\xff,book\n")
        self.expect(self.rare("one"), 4, "3 bad records")

    def test_a_table_without_its_columns(self):
        self.rare_sources()
        self.rareact.write_text("id,verb\n1,cut\n")
        self.expect_error(self.rare("one"), 3, "no column 'video_id'")

    def test_a_pair_without_candidates(self):
        self.rare_sources()
        self.write("candidates.json", {"cut book": [{"verb": "read"}]})
        self.expect(self.rare("one"), 4, "no candidate for 'wash potato'")
        self.expect_error(self.rare("one", "--compat"), 3, "no candidate for")
        self.write("candidates.json", {})
        self.expect_error(self.rare("one"), 3, "--candidates")


class CheckVilmaTest(VilmaCase):
    """Each planted violation is named by its rule."""

    def plant(self, name, rule, change):
        path = self.folder / name
        items = json.loads(path.read_text())
        change(items[sorted(items)[0]])
        path.write_text(json.dumps(items))
        result = self.check(path.parent.name)
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertIn(f": {rule}: ", result.stdout)

    def test_counting(self):
        name = "one/counting-easy-spelled-pts.json"
        for rule, change in (("count", lambda item: item.update({"class": 1 + item["class"] % 3})),
                             ("clip-bounds", lambda item: item.update(end_time=item["end_time"] + 1)),
                             ("caption", lambda item: item.update(caption="something else")),
                             ("foil", lambda item: item.update(foils=[item["caption"]])),
                             ("instrument", lambda item: item.update(classes_foil=[1])),
                             ("proficiency-foil", lambda item: item["proficiency"].update(foils=["a robot sings."])),
                             ("video-unknown", lambda item: item.update(dataset_idx="777"))):
            with self.subTest(rule):
                self.counting_sources()
                self.assertEqual(self.counting("one").returncode, 0)
                self.plant(name, rule, change)

    def test_seconds(self):
        self.counting_sources()
        self.assertEqual(self.counting("one").returncode, 0)
        self.plant("one/counting-hard-spelled-sec.json", "seconds", lambda item: item.update(end_time=item["end_time"] + 0.01))

    def test_change_state(self):
        for kind, rule, change in (("action", "verb", lambda item: item.update(caption="Someone sees the beans.")),
                                   ("action", "foil-verb", lambda item: item.update(foils=["Someone sees the beans."])),
                                   ("prestate", "pre-state", lambda item: item.update(caption="Initially, the beans are hot.")),
                                   ("poststate", "foil-state", lambda item: item.update(foils=["At the end, the beans are green."])),
                                   ("inverse", "foil-same", lambda item: item.update(foils=[item["caption"]]))):
            with self.subTest(rule):
                self.assertEqual(self.change_state("one").returncode, 0)
                self.plant(f"one/change-state-{kind}.json", rule, change)

    def test_rare_actions(self):
        for target, rule, change in (("verb", "caption", lambda item: item.update(caption="singing a song")),
                                     ("verb", "foil-candidate", lambda item: item.update(foils=["owning a book"])),
                                     ("verb", "clip", lambda item: item.update(start_time=777)),
                                     ("noun", "foil-verb", lambda item: item.update(foils=["buying an apple"])),
                                     ("noun", "row-unknown", lambda item: item.update(dataset_idx=0))):
            with self.subTest(rule):
                self.rare_sources()
                self.assertEqual(self.rare("one").returncode, 0)
                self.plant(f"one/rare-actions-{target}-foils.json", rule, change)


@unittest.skipUnless(PUBLISHED.is_dir(), "the published ViLMA annotations are not beside the checkout")
class PublishedVilmaTest(VilmaCase):
    def test_change_of_state_texts_are_reproduced(self):
        result = call("build", "vilma-change-state", "--data", PUBLISHED / "change-state-action.json", "--preserve-original", "--compat",
                      "--out", self.folder / "one")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.expect_clean("one")
        for kind in ("action", "prestate", "poststate", "inverse"):
            want = json.loads((PUBLISHED / f"change-state-{kind}.json").read_text())
            got = self.items(f"one/change-state-{kind}.json")
            self.assertEqual(list(got), list(want))
            differ = [key for key in want if (got[key]["caption"], got[key]["foils"]) != (want[key]["caption"], want[key]["foils"])]
            self.assertEqual(differ, [], [(got[key]["caption"], got[key]["foils"], want[key]["caption"], want[key]["foils"]) for key in differ])

    def test_rare_action_sentences_are_reproduced(self):
        rows, candidates, seen = ["id,video_id,start,end,annotation,verb,noun"], {}, set()
        published = json.loads((PUBLISHED / "rare-actions-verb-foils.json").read_text())
        # "in" was no verb of the reference's table either.
        published = {key: item for key, item in published.items() if item["classes_foil"] != ["in"] and item["caption"] != item["foils"][0]}
        for number, item in enumerate(published.values()):
            verb = {"deseede": "deseed", "drill into": "drill"}.get(item["class"], item["class"])
            noun = item["caption"].split()[-1]
            noun = {"corns": "corn", "peppers": "pepper", "cucumbers": "cucumber", "flowers": "flower", "clothes": "clothe", "spoons": "spoon"}.get(
                noun, noun[:-1] if verb == "wash" else noun)
            rows.append(f"{number},{item['youtube_id']},{item['start_time']},{item['end_time']},1,{verb},{noun}")
            candidates.setdefault(f"{verb} {noun}", []).append({"verb": item["classes_foil"][0]})
            seen.add((item["caption"], item["foils"][0], item["proficiency"]["caption"]))
        self.rareact, self.candidates = self.write("rareact.csv", "\n".join(rows) + "\n"), self.write("candidates.json", candidates)
        self.assertEqual(self.rare("one", "--target", "verb").returncode, 0)
        self.expect_clean("one")
        got = self.items("one/rare-actions-verb-foils.json")
        self.assertEqual(len(got), len(published))
        self.assertEqual({item["caption"] for item in got.values()}, {caption for caption, _, _ in seen})
        self.assertEqual({item["proficiency"]["caption"] for item in got.values()}, {caption for _, _, caption in seen})
        # A foil says its verb of the noun as the published foils do.
        known = {foil for _, foil, _ in seen}
        self.assertEqual([item["foils"][0] for item in got.values() if item["foils"][0] not in known and not item["caption"].startswith("washing")], [])

    def test_counting_from_the_published_templates(self):
        templates = json.loads((PUBLISHED / "quva-templates-processed.json").read_text())
        for i, item in enumerate(templates.values()):
            path = self.folder / f"quva/normalized_annotations/{item['prefix']}.npy"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(npy([20 * (j + 1) for j in range(4 + i % 20)]))
        result = call("build", "vilma-counting", "-t", PUBLISHED / "quva-templates-processed.json", "-p", PUBLISHED / "quva-proficiency-foils.json",
                      "-d", self.folder / "quva", "--out", self.folder / "one")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.expect_clean("one")
        self.assertGreater(len(self.items("one/counting-easy-spelled-pts.json")), 800)
        # Nothing of a count is left in what is said without one.
        for item in self.items("one/counting-easy-spelled-pts.json").values():
            self.assertNotRegex(item["proficiency"]["caption"], "exactly|number|in total")

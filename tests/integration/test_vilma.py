"""ViLMA from the command line: eval, multi_eval, suite, merge, the run folder, and every bad input with its one line."""
import json
import pathlib
import random
import unittest

from cli import Case, call, contents

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
SHARED = REPOSITORY.parent / "shared"
DATA = SHARED / "data" / "vilma"
GOLDEN = SHARED / "golden" / "vilma"
PROBABILITY = ("p_c", "p_f", "min", "acc", "auroc")

# Section 1 of the specification: file, part, evaluated items.
PUBLISHED = [("counting-easy-spelled-sec", "counting-easy", 757), ("counting-hard-spelled-sec", "counting-hard", 675),
             ("SRL_Action_Replacement_Top_1000", "action-replacement", 704), ("SRL_Actor_Swapping", "actor-swapping", 207),
             ("change-state-action", "change-state-action", 314), ("change-state-prestate", "change-state-prestate", 194),
             ("change-state-poststate", "change-state-poststate", 254), ("change-state-inverse", "change-state-inverse", 236),
             ("rare-actions-verb-foils", "rare-actions-verb", 751), ("rare-actions-noun-foils", "rare-actions-noun", 692),
             ("relations", "relations", 393)]


def item(clip, foils=1, main=3, prof=1):
    return {"dataset": "something-something-v2", "dataset_idx": str(clip), "start_time": None, "end_time": None, "time_unit": "sec",
            "caption": "a caption", "foils": [f"foil {i}" for i in range(foils)], "mturk": {"caption": main, "foil": 3 - main, "other": 0},
            "proficiency": {"caption": "a noun", "foils": ["another noun"], "human": {"caption": prof, "foil": 1 - prof, "other": 0}}}


def scores(rows):
    return {name: {"scores": list(row)} for name, row in rows.items()}


class Vilma(Case):
    def setUp(self):
        super().setUp()
        # Items 0 and 1 show one clip; 3 and 4 are not evaluated.
        self.relations = self.write("relations.json", {"0": item(1), "1": item(1), "2": item(2, foils=2), "3": item(3, main=1), "4": item(4, prof=0)})
        self.prof = self.write("p.json", scores({"0": (.9, .1), "1": (.5, .5), "2": (.7, .2)}))
        self.main = self.write("t.json", scores({"0": (.9, .2), "1": (.6, .1), "2": (.4, .3, .7)}))

    def score(self, *more):
        return call("score", "vilma", *more)

    def eval(self, results, *more, annotation=None, mode="probability"):
        return self.score("-i", results, "-a", annotation or self.relations, "-m", mode, *more)

    def metrics(self, result):
        return {one["id"]: one for one in json.loads(result.stdout)["results"]["metrics"]}

    def refuse(self, result, code, *words):
        """One line, the code, nothing on stdout, nothing written."""
        self.expect_error(result, code, *words)
        self.assertEqual(result.stdout, "")
        self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
        self.assertFalse((self.folder / "out").exists())


class Verb(Vilma):
    def test_eval_prints_an_aligned_table(self):
        result = self.eval(self.main)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("fractions of 1, 95 % intervals", result.stdout)
        row = next(line for line in result.stdout.splitlines() if line.startswith("vilma/relations/T "))
        self.assertIn("0.6667", row)
        self.assertIn("too few clusters", row)  # of three items two show one video
        self.assertIn("0.4444", row)  # chance: (1/2 + 1/2 + 1/3) / 3
        self.assertFalse((pathlib.Path.cwd() / "runs" / "file-vilma").exists())

    def test_eval_as_json(self):
        found = self.metrics(self.eval(self.main, "--json"))
        want = {"T": 2 / 3, "p_c": 2 / 3, "p_f": 3 / 4, "min": 2 / 3, "acc": 5 / 7, "auroc": 10 / 12}
        for name, value in want.items():
            self.assertAlmostEqual(found[f"vilma/relations/{name}"]["value"], value)

    def test_multi_eval(self):
        found = self.metrics(self.score("-i", self.prof, self.main, "-a", self.relations, "--json"))
        self.assertEqual([found[f"vilma/relations/{name}"]["value"] for name in ("P", "T", "PT")], [2 / 3, 2 / 3, 1 / 3])
        self.assertEqual(found["vilma/relations/P"]["ties"], 1)
        self.assertEqual(found["vilma/relations/P"]["chance"], 0.5)
        self.assertNotIn("vilma/relations/acc", found)  # similarity is the mode of two files
        halves = self.metrics(self.score("-i", self.prof, self.main, "-a", self.relations, "--ties", "half", "--json"))
        self.assertAlmostEqual(halves["vilma/relations/PT"]["value"], 0.5)

    def test_compat_prints_the_reference_stdout_and_nothing_else(self):
        # Item 2 has a row of three, so the shorter ones are padded and everything goes through the sigmoid.
        result = self.eval(self.main, "--compat")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stdout, "3\nacc_r=66.67%\np_c=42.86%\np_f=57.14%\nmin(p_c, p_f)=42.86%\nacc=42.86%\nauroc=83.33\n")
        result = self.score("-i", self.prof, self.main, "-a", self.relations, "--compat", "--output", self.folder / "out")
        self.assertEqual(result.stdout, "acc_r=66.67%\n")  # the tie is right
        self.assertEqual((self.folder / "out" / "file-vilma" / "vilma" / "relations.txt").read_text(), "acc_r=66.67%\n")

    def test_formats(self):
        csv = self.eval(self.main, "--format", "csv").stdout.splitlines()
        self.assertTrue(csv[0].startswith("metric,value,low,high,interval"))
        self.assertEqual(len(csv), 1 + 1 + len(PROBABILITY))
        self.assertIn("| vilma/relations/T |", self.eval(self.main, "--format", "markdown").stdout)

    def test_flags_may_repeat_or_list(self):
        other = self.write("counting-easy.json", {"c": item(9)})
        results = self.write("both.json", scores({"0": (2, 1), "1": (2, 1), "2": (1, 2, 0), "c": (2, 1)}))
        for flags in (("-a", self.relations, "-a", other), ("-a", self.relations, other), ("--annotation_file", f"{self.relations},{other}")):
            found = self.metrics(self.score("-i", results, "-m", "similarity", *flags, "--json"))
            self.assertEqual(found["vilma/relations/T"]["n"], 3)
            self.assertEqual(found["vilma/counting-easy/T"]["n"], 1)
            self.assertAlmostEqual(found["vilma/average/T"]["value"], (2 / 3 + 1) / 2)

    def test_filter_and_degenerate(self):
        same = item(5)
        same["foils"] = ["a caption"]
        annotation = self.write("relations2.json", {"0": item(1), "1": same, "2": item(2, main=0)})
        results = self.write("r.json", scores({"0": (2, 1), "1": (1, 1), "2": (2, 1)}))
        result = self.eval(results, "--json", annotation=annotation, mode="similarity")
        self.assertEqual(self.metrics(result)["vilma/relations/T"]["value"], 0.5)
        self.assertIn("1 items have a caption among their foils", json.loads(result.stdout)["tasks"][0]["notes"][0])
        result = self.eval(results, "--json", "--filter", "prof", "--drop-degenerate", annotation=annotation, mode="similarity")
        self.assertEqual(self.metrics(result)["vilma/relations/T"]["n"], 2)

    def test_merge(self):
        a = self.write("a.json", {"1": {"scores": [1, 2]}, "2": {"scores": [3, 4], "note": "kept"}})
        b = self.write("b.json", {"1": {"scores": [9.0, 8]}, "3": {"scores": [5, 6]}})
        out = self.folder / "merged.json"
        result = self.score("--merge", a, b, "-o", out)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("1 ids occur twice", result.stderr)
        merged = {"1": {"scores": [9.0, 8]}, "2": {"scores": [3, 4], "note": "kept"}, "3": {"scores": [5, 6]}}
        self.assertEqual(out.read_text().rstrip("\n"), json.dumps(merged, indent=4))
        out.unlink()
        self.refuse(self.score("--merge", a, b, "-o", out, "--on-conflict", "error"), 3, "'1'", "a.json", "b.json")
        self.assertFalse(out.exists())
        self.refuse(self.score("--merge", a, b), 2, "no output file named")
        self.refuse(self.score("--merge", a, "-o", out), 2, "needs at least two results files")


class RunFolder(Vilma):
    def suite(self):
        rng = random.Random(4)
        names = ["counting-easy", "counting-hard", "SRL_Actor_Swapping", "change-state-action", "rare-actions-verb", "relations"]
        rows = []
        for name in names:
            ids = [f"{name}-{i}" for i in range(30)]
            self.write(f"data/{name}.json", {one: item(i // 2) for i, one in enumerate(ids)})
            for kind in ("prof", "main"):
                self.write(f"{name}.{kind}.json", scores({one: (rng.random(), rng.random()) for one in ids}))
            rows.append({"case": name, "annotation": f"{name}.json", "mode": "probability", "main": f"{name}.main.json", "prof": f"{name}.prof.json"})
        return self.write("suite.json", {"inputs": rows})

    def test_suite_folder_holds_a_row_per_item_and_verifies(self):
        result = self.score("--suite", self.suite(), "--data", self.folder / "data", "--output", self.folder / "out", "--name", "mine")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("mine <-", result.stdout)
        self.assertIn("MERLOT Reserve", result.stdout)
        run = self.folder / "out" / "mine-vilma"
        stamp = json.loads((run / "run.json").read_text())
        self.assertEqual(stamp["counts"]["vilma"]["scored"], 180)
        self.assertEqual(len(stamp["identity"]["tasks"]["vilma"]["inputs"]), 1 + 3 * 6)
        ids = [one["id"] for one in json.loads((run / "results.json").read_text())["metrics"]]
        self.assertEqual(len(ids), len(set(ids)))
        for wanted in ("vilma/relations/PT", "vilma/counting/T", "vilma/counting/auroc", "vilma/situation/P", "vilma/average/PT"):
            self.assertIn(wanted, ids)
        # From another folder too: the stamp knows where the inputs were.
        verified = call("verify", run, cwd="/")
        self.assertEqual(verified.returncode, 0, verified.stdout)
        self.assertNotIn("not checked", verified.stdout)
        (self.folder / "relations.main.json").write_text("{}")
        self.assertIn("changed since the run", call("verify", run).stdout)

    def test_threads_batches_and_the_folder_do_not_matter(self):
        suite = self.suite()
        flags = ("--suite", suite, "--data", self.folder / "data")
        self.assertEqual(self.score(*flags, "--output", self.folder / "one", "--num-workers", 1).returncode, 0)
        want = contents(self.folder / "one" / "file-vilma")
        self.assertEqual(self.score(*flags, "--output", self.folder / "two", "--num-workers", 4, "--batch-size", 7).returncode, 0)
        self.assertEqual(contents(self.folder / "two" / "file-vilma"), want)
        stored = json.loads((self.folder / "one" / "file-vilma" / "results.json").read_text())["metrics"]
        printed = json.loads(self.score(*flags, "--json").stdout)
        self.assertEqual(printed["results"]["metrics"], stored)
        self.assertEqual(printed["folder"], "")
        self.assertEqual(len(printed["suite"]["leaderboard"]), 18)
        average = next(one for one in stored if one["id"] == "vilma/average/PT")
        self.assertEqual(printed["suite"]["macro_average_over_tasks"]["PT"], round(100 * average["value"], 2))

    def test_shards_merge_to_the_whole(self):
        flags = ("--suite", self.suite(), "--data", self.folder / "data")
        self.assertEqual(self.score(*flags, "--output", self.folder / "whole").returncode, 0)
        folders = []
        for shard in (0, 1):
            self.assertEqual(self.score(*flags, "--output", self.folder / "shards", "--shard", f"{shard}/2").returncode, 0)
            folders.append(self.folder / "shards" / f"file-vilma-shard{shard}of2")
        result = call("merge", *folders, "--output", self.folder / "merged")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(contents(self.folder / "merged" / "file-vilma"), contents(self.folder / "whole" / "file-vilma"))

    def test_results_of_one_name_in_two_folders_are_both_stamped(self):
        prof = self.write("prof/r.json", self.prof.read_text())
        main = self.write("main/r.json", self.main.read_text())
        flags = ("-i", prof, main, "-a", self.relations, "--output", self.folder / "out")
        self.assertEqual(self.score(*flags).returncode, 0)
        self.assertEqual(call("verify", self.folder / "out" / "file-vilma").returncode, 0)
        prof.write_text(self.prof.read_text().replace("0.9", "0.8"))
        self.expect_error(self.score(*flags), 2, "holds another run", "r.json")


class BadVilmaInput(Vilma):
    def out(self):
        return ("--output", self.folder / "out")

    def test_missing_id(self):
        results = self.write("few.json", scores({"0": (2, 1), "2": (1, 2, 0)}))
        self.refuse(self.eval(results, *self.out(), mode="similarity"), 3, "few.json", "missing_items: 1", "1", "--missing skip")
        self.refuse(self.eval(results, "--compat", mode="similarity"), 3, "missing_items")
        result = self.eval(results, "--missing", "skip", *self.out(), mode="similarity")
        self.expect(result, 4, "1 of 3 items failed or were skipped", "skipped relations/1")
        self.assertIn("0.5000", result.stdout)
        self.assertEqual(self.metrics(self.eval(results, "--missing", "wrong", "--json", mode="similarity"))["vilma/relations/T"]["n"], 3)
        error = json.loads(self.eval(results, "--json", mode="similarity").stdout)["error"]
        self.assertTrue(error["what"].startswith("missing_items"))

    def test_missing_human_fields(self):
        bare = item(1)
        del bare["mturk"]
        annotation = self.write("bare.json", {"0": bare})
        self.refuse(self.eval(self.main, *self.out(), annotation=annotation), 3, "bare.json", "'0'", "--filter none")
        self.assertEqual(self.eval(self.main, "--filter", "none", annotation=annotation).returncode, 0)

    def test_wrong_length(self):
        results = self.write("long.json", scores({"0": (2, 1, 0), "1": (2, 1), "2": (1, 2, 0)}))
        self.refuse(self.eval(results, *self.out(), mode="similarity"), 3, "length_mismatch: 1", "--length-mismatch truncate")
        self.assertEqual(self.eval(results, "--length-mismatch", "truncate", mode="similarity").returncode, 0)

    def test_score_that_is_no_probability(self):
        results = self.write("logits.json", scores({"0": (2.5, 1), "1": (2, 1), "2": (1, 2, 0)}))
        result = self.eval(results, *self.out())
        self.expect_error(result, 4, "score_out_of_range", "relations/0", "2.5", "-m similarity")
        found = {one["id"]: one for one in json.loads((self.folder / "out" / "file-vilma" / "results.json").read_text())["metrics"]}
        self.assertAlmostEqual(found["vilma/relations/T"]["value"], 2 / 3)
        for name in PROBABILITY:
            self.assertIsNone(found[f"vilma/relations/{name}"]["value"])
            self.assertIn("score_out_of_range", found[f"vilma/relations/{name}"]["reason"])
        self.assertEqual(self.eval(results, "--compat").returncode, 0)

    def test_nan(self):
        results = self.write("nan.json", '{"0": {"scores": [NaN, 1]}, "1": {"scores": [2, 1]}, "2": {"scores": [1, 2, 0]}}')
        self.refuse(self.eval(results, *self.out(), mode="similarity"), 3, "nonfinite_scores: 1", "--nonfinite wrong")
        self.assertEqual(self.metrics(self.eval(results, "--nonfinite", "wrong", "--json", mode="similarity"))["vilma/relations/T"]["value"], 1 / 3)
        # NaN counts as the maximum.
        self.assertEqual(self.eval(results, "--compat", mode="similarity").stdout, "3\nacc_r=66.67%\n")

    def test_truncated_json(self):
        text = self.main.read_text()
        results = self.write("cut.json", text[: len(text) // 2])
        self.refuse(self.eval(results, *self.out()), 3, "cut.json")
        text = self.relations.read_text()
        annotation = self.write("cut2.json", text[: len(text) // 2])
        self.refuse(self.eval(self.main, *self.out(), annotation=annotation), 3, "cut2.json")

    def test_the_same_id_in_two_annotation_files(self):
        other = self.write("other.json", {"0": item(7)})
        self.refuse(self.score("-i", self.main, "-a", self.relations, "-a", other, "-m", "similarity", *self.out()), 3, "item '0'", "relations.json", "other.json")

    def test_an_id_twice_in_the_results(self):
        results = self.write("twice.json", '{"0": {"scores": [1, 2]}, "0": {"scores": [2, 1]}, "1": {"scores": [2, 1]}, "2": {"scores": [1, 2, 0]}}')
        self.refuse(self.eval(results, *self.out(), mode="similarity"), 3, "twice.json", "'0'")
        self.assertEqual(self.eval(results, "--compat", mode="similarity").stdout, "3\nacc_r=66.67%\n")

    def test_missing_files_and_flags(self):
        self.refuse(self.eval(self.folder / "nowhere.json", *self.out()), 3, "nowhere.json")
        self.refuse(self.eval(self.main, *self.out(), annotation=self.folder / "none.json"), 3, "none.json")
        self.refuse(self.score("-i", self.main, "-m", "similarity"), 2, "no annotation file named")
        self.refuse(self.score("-a", self.relations, "-m", "similarity"), 2, "0 results files")
        self.refuse(self.score("-i", self.main, "-a", self.relations), 2, "no mode named")
        self.refuse(self.eval(self.main, mode="similar"), 2, "mode")
        self.refuse(self.score("--suite", self.main, "-a", self.relations), 2, "--suite")
        self.refuse(self.score("--suite", self.main), 3, "t.json", "not a list of rows")
        self.refuse(self.score("-o", self.folder / "x", "-i", self.main), 2, "--merge")

    def test_a_suite_row_that_cannot_be_used(self):
        row = {"annotation": "relations.json", "mode": "similarity", "main": "t.json", "prof": "none.json"}
        self.refuse(self.score("--suite", self.write("s.json", [row]), *self.out()), 3, "suite row 'relations'", "none.json")
        twice = [{**row, "prof": "p.json"}, {**row, "prof": "p.json", "case": "again", "subtask": "again"}]
        self.refuse(self.score("--suite", self.write("s.json", twice), *self.out()), 3, "item '0' is in two rows")


@unittest.skipUnless(DATA.is_dir(), f"needs the published ViLMA annotations in {DATA}")
class PublishedData(Vilma):
    def test_counts_of_the_published_files(self):
        for file, part, evaluated in PUBLISHED:
            with self.subTest(file):
                annotation = json.loads((DATA / f"{file}.json").read_text())
                results = self.write("r.json", scores({name: [1.0] + [0.0] * len(one["foils"]) for name, one in annotation.items()}))
                found = self.metrics(self.eval(results, "--ties", "caption", "--json", annotation=DATA / f"{file}.json", mode="similarity"))
                self.assertEqual(found[f"vilma/{part}/T"]["n"], evaluated)
                self.assertEqual(found[f"vilma/{part}/T"]["value"], 1.0)

    @unittest.skipUnless(GOLDEN.is_dir(), f"needs the golden vectors in {GOLDEN}")
    def test_golden_suite(self):
        golden = json.loads((GOLDEN / "suite.json").read_text())
        for flags, wanted in (((), golden["expect_default"]), (("--compat",), golden["expect_compat"])):
            out = self.folder / ("compat" if flags else "default")
            result = self.score("--suite", GOLDEN / "suite.json", "--data", DATA, "--output", out, "--json", *flags)
            self.assertEqual(result.returncode, 0, result.stderr)
            suite = json.loads(result.stdout)["suite"]
            for got, want in zip(suite["subtasks"], wanted["subtasks"], strict=True):
                self.assertEqual({key: got[key] for key in want}, want)
            for task, want in wanted["tasks"].items():
                self.assertEqual({key: suite["tasks"][task][key] for key in want}, want)
            want = wanted["macro_average_over_tasks"]
            self.assertEqual({key: suite["macro_average_over_tasks"][key] for key in want}, want)
            self.assertEqual(call("verify", out / "file-vilma").returncode, 0)

    @unittest.skipUnless(GOLDEN.is_dir(), f"needs the golden vectors in {GOLDEN}")
    def test_golden_cases_through_compat(self):
        for case in json.loads((GOLDEN / "cases.json").read_text()):
            with self.subTest(case["id"]):
                names = case["annotation"] if isinstance(case["annotation"], list) else [case["annotation"]]
                result = self.score("-i", *[GOLDEN / one for one in case["inputs"]], "-a", *[DATA / one for one in names], "-m", case["mode"], "--compat")
                got, want = result.stdout.splitlines(), list(case["compat_stdout"])
                if want[-1].startswith("auroc="):
                    self.assertLessEqual(abs(float(got.pop()[6:]) - float(want.pop()[6:])), 0.01 + 1e-9)
                self.assertEqual(got, want)

    @unittest.skipUnless(GOLDEN.is_dir(), f"needs the golden vectors in {GOLDEN}")
    def test_golden_errors(self):
        golden = json.loads((GOLDEN / "errors.json").read_text())
        flags = ("-i", GOLDEN / golden["input"], "-a", DATA / golden["annotation"], "-m", golden["mode"])
        self.refuse(self.score(*flags), 3, "missing_items: 1", golden["missing_id"])
        self.refuse(self.score(*flags, "--compat"), 3, "missing_items: 1")
        result = self.score(*flags, "--missing", "skip", "--json")
        self.assertEqual(result.returncode, 4)
        found = self.metrics(result)["vilma/relations/T"]
        want = golden["expect_allow_missing_skip"]
        self.assertEqual((found["n"], round(found["value"] * found["n"])), (want["n_examples"], want["n_correct"]))


if __name__ == "__main__":
    unittest.main()

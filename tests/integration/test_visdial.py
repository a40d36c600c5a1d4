"""VisDial generations against reference sets, and METEOR and CIDEr on their own."""
import json
import os
import pathlib
import shutil
import subprocess
import unittest

from cli import SNELLEN, Case, call, contents

ENVIRONMENT = {name: value for name, value in os.environ.items() if name not in ("SNELLEN_METEOR_DATA", "SNELLEN_DATA")}


def gens():
    return [{"image_id": image, "round_id": r, "generations": [f"yes it is {r}", "a red dog"]} for image in (9, 4) for r in range(3)]


def refs():
    return [{"image_id": image, "round_id": r, "refs": [f"yes, it is {r}", "a brown dog"]} for image in (4, 9) for r in range(3)]


class VisDial(Case):
    def score(self, generations, references, *more, task="visdial-gen"):
        return call("score", task, "--generations", self.write("gens.json", generations), "--references", self.write("refs.json", references),
                    "--output", self.folder / "out", "--cache-dir", self.folder / "cache", *more, env=ENVIRONMENT)

    def evaluation(self):
        return json.loads((self.folder / "out" / "file-visdial-gen" / "visdial_eval.json").read_text())

    def test_scores_every_entry_and_writes_the_result_file(self):
        result = self.score(gens(), refs())
        self.expect(result, 0, "without its paraphrase table")
        found = self.evaluation()
        self.assertEqual((found["pairs"], found["empty"], found["skipped_entries"]), (6, 0, 0))
        self.assertIs(found["meteor_paraphrase"], False)
        self.assertEqual(list(found["metrics"]), ["cider_1", "cider_2", "cider_3", "cider_4", "meteor"])
        self.assertEqual([(one["image_id"], one["round_id"]) for one in found["entries"]], [(i, r) for i in (4, 9) for r in range(3)])
        results = json.loads((self.folder / "out" / "file-visdial-gen" / "results.json").read_text())["metrics"]
        by_id = {one["id"]: one for one in results}
        self.assertEqual(by_id["visdial-gen/meteor"]["value"], found["metrics"]["meteor"]["mean"])
        self.assertIsNone(by_id["visdial-gen/meteor"]["interval"])  # of two pictures
        self.assertEqual(by_id["visdial-gen/meteor"]["reason"], "too few clusters for an interval")
        mean = sum(one["meteor"] for one in found["entries"]) / 6
        variance = sum((one["meteor"] - mean) ** 2 for one in found["entries"]) / 6
        self.assertAlmostEqual(found["metrics"]["meteor"]["std"], variance ** 0.5, delta=1e-12)
        self.assertEqual(call("verify", self.folder / "out" / "file-visdial-gen", env=ENVIRONMENT).returncode, 0)

    def test_the_jar_of_the_published_program_is_not_used_and_that_is_told(self):
        plain = self.score(gens(), refs())
        self.assertNotIn("--meteor-jar", plain.stderr)
        before = self.evaluation()["metrics"]
        result = self.score(gens(), refs(), "--meteor-jar", self.folder / "meteor-1.5.jar", "--overwrite")
        self.expect(result, 0, "--meteor-jar is ignored")
        self.assertEqual(self.evaluation()["metrics"], before)

    def test_the_short_name_and_any_number_of_threads_give_the_same_bytes(self):
        self.assertEqual(self.score(gens(), refs(), "--num-workers", "1").returncode, 0)
        first = contents(self.folder / "out" / "file-visdial-gen")
        self.assertEqual(self.score(gens(), refs(), "--num-workers", "4", "--batch-size", "1", "--overwrite", task="visdial").returncode, 0)
        self.assertEqual(contents(self.folder / "out" / "file-visdial-gen"), first)

    def test_compat_prints_the_lines_of_the_published_program(self):
        result = self.score(gens(), refs(), "--compat", "--no_embedding")
        self.assertEqual(result.returncode, 0, result.stderr)
        lines = result.stdout.splitlines()
        self.assertEqual(lines[0], "# question-answer pairs: 6")
        self.assertEqual(lines[1], "-" * 20)
        self.assertEqual(lines[2], "cider_1\t\tcider_2\t\tcider_3\t\tcider_4\t\tmeteor\t\tempty\t\t")
        self.assertTrue(lines[4].endswith("0.0000 (0.0000)\t"), lines[4])

    def test_embedding_metrics_come_with_their_files(self):
        words = {word: [float(len(word)), 1.0] for word in "yes yes, it is a red brown dog zero one two".split()}
        table = self.write("words.json", {"dim": 2, "vectors": words})
        result = self.score(gens(), refs(), "--word-vectors", table, "--metrics", "fasttext")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(list(self.evaluation()["metrics"]), ["fasttext_l2", "fasttext_cs", "fasttext_l2_best", "fasttext_cs_best"])
        self.expect_error(self.score(gens(), refs(), "--metrics", "bert"), 2, "--bert-cache")

    def test_missing_key(self):
        entries = gens()
        del entries[2]["round_id"]
        self.expect_error(self.score(entries, refs()), 3, "gens.json: entry 2", "round_id")

    def test_duplicate_entry(self):
        self.expect_error(self.score(gens(), refs() + refs()[:1]), 3, "refs.json: entry 6")

    def test_reference_without_generations(self):
        self.expect_error(self.score(gens()[:4], refs()), 3, "refs.json", "2")

    def test_generation_without_reference_is_counted(self):
        self.expect(self.score(gens(), refs()[:4]), 0, "2 generations have no reference entry")

    def test_empty_generation_is_left_out_and_counted(self):
        entries = gens()
        entries[0]["generations"] = ["", "  "]
        entries[1]["generations"] = ["", "yes"]
        self.expect(self.score(entries, refs()), 0, "1 entries have no generation left")
        found = self.evaluation()
        self.assertEqual((found["pairs"], found["empty"], found["skipped_entries"]), (6, 3, 1))
        self.assertEqual(found["metrics"]["meteor"]["n"], 5)
        self.assertIsNone(found["entries"][3]["meteor"])
        self.expect_error(self.score(entries, refs(), "--strict", "--overwrite"), 3, "gens.json: entry 0", "--strict")
        self.expect_error(self.score(entries, refs(), "--compat", "--overwrite"), 3, "gens.json: entry 0", "--compat")
        # Nothing is scored and nothing is written.
        for flag in ("--strict", "--compat"):
            shutil.rmtree(self.folder / "out", ignore_errors=True)
            self.expect_error(self.score(entries, refs(), flag), 3, "gens.json: entry 0")
            self.assertFalse((self.folder / "out").exists())
        blank = refs()
        blank[4]["refs"] = ["no", " "]
        table = self.write("words.json", {"dim": 1, "vectors": {"yes": [1.0]}})
        self.expect_error(self.score(gens(), blank, "--compat", "--word-vectors", table), 3, "refs.json: entry 4: a reference is blank")
        self.assertFalse((self.folder / "out").exists())

    def test_nothing_but_empty_generations_is_a_failure(self):
        entries = [{**entry, "generations": []} for entry in gens()]
        self.assertEqual(self.score(entries, refs()).returncode, 1)
        self.assertIsNone(self.evaluation()["metrics"]["meteor"]["mean"])


class TextMetrics(Case):
    def speak(self, *lines):
        result = subprocess.run([SNELLEN, "meteor", "--stdio", "--cache-dir", str(self.folder)], input="\n".join(lines) + "\n",
                                capture_output=True, text=True, timeout=300, env=ENVIRONMENT)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout.splitlines()

    def test_stdio_protocol(self):
        statistics = self.speak("SCORE ||| yes it is ||| a dog ||| yes it is")[0]
        self.assertEqual(len(statistics.split()), 23)
        self.assertEqual(self.speak(f"EVAL ||| {statistics}", f"sing ||| {statistics}"), ["1.0", "1.0", "1.0"])

    def test_stdio_protocol_answers_every_error_with_one_line(self):
        wrong = ["SCORE ||| a |||", "SCORE", "EVAL", "SING", "SING ||| x", "hello", ""]
        self.assertEqual(self.speak(*wrong), ["Error: specify hypothesis and at least one reference"] * 2 + ["Error: specify Meteor stats"] * 3 +
                         ["Error: specify SCORE or EVAL or SING"] * 2)
        self.assertEqual(len(self.speak("SCORE ||| a ||| ")), 1)

    def test_the_recipe_for_captioning_toolkits_works(self):
        # What the toolkit's class does with the process that its constructor starts.
        class Meteor:
            def ask(self, line):
                with self.lock:
                    self.meteor_p.stdin.write((line + "\n").encode())
                    self.meteor_p.stdin.flush()
                    return self.meteor_p.stdout.readline().decode().strip()

            def score(self, hypothesis, references):
                statistics = self.ask(" ||| ".join(("SCORE", *references, hypothesis)))
                return float(self.ask(f"EVAL ||| {statistics}")), float(self.meteor_p.stdout.readline())

        page = (pathlib.Path(__file__).resolve().parents[2] / "docs/metrics/meteor.md").read_text()
        code = page.split("```python\n")[1].split("```")[0].replace("from pycocoevalcap.meteor.meteor import Meteor\n", "")
        names = {"Meteor": Meteor}
        exec(code, names)
        meteor = names["NativeMeteor"](SNELLEN, "--cache-dir", str(self.folder))
        try:
            self.assertEqual(meteor.score("yes it is", ["a dog", "yes it is"]), (1, 1))
            self.assertLess(meteor.score("a red dog", ["no"])[0], 1)
        finally:
            meteor.meteor_p.stdin.close()
            meteor.meteor_p.stdout.close()
            self.assertEqual(meteor.meteor_p.wait(timeout=60), 0)

    def test_meteor_of_texts_and_lines(self):
        result = call("meteor", "yes it is", "yes it is", "no", "--cache-dir", self.folder, env=ENVIRONMENT)
        self.assertEqual(result.stdout, "1.0\n", result.stderr)
        lines = self.write("lines.jsonl", '{"hypothesis": "zebra", "references": ["dog"]}\n{"hypothesis": "dog"}\n')
        result = call("meteor", "--input", lines, "--cache-dir", self.folder, env=ENVIRONMENT)
        self.assertEqual(result.stdout, "0.0\n")
        self.expect_error(result, 3, "lines.jsonl: line 2", "'references' is missing")
        self.expect_error(call("meteor", "alone"), 2, "at least one reference")

    def test_cider_of_lines(self):
        lines = self.write("lines.jsonl", '{"hypothesis": "a b", "references": ["a b"]}\n{"hypothesis": "c", "references": ["d"]}\n')
        result = call("cider", "--input", lines, "-n", "2")
        self.assertEqual(result.returncode, 0, result.stderr)
        first, second = ([float(x) for x in line.split("\t")] for line in result.stdout.splitlines())
        self.assertAlmostEqual(first[0], 1.0, delta=1e-12)
        self.assertAlmostEqual(first[1], 1.0, delta=1e-12)
        self.assertEqual(second, [0.0, 0.0])
        self.assertAlmostEqual(float(call("cider", "--input", lines, "-n", "2", "--variant", "d").stdout.split()[1]), 10.0, delta=1e-9)
        result = call("cider", "--input", lines, "-n", "2", "--json")
        shapes = {tuple(json.loads(line)) for line in result.stdout.splitlines()}
        self.assertEqual(shapes, {("cider",)}, "every line is an entry")
        self.assertIn("mean of", result.stderr)
        self.expect_error(call("cider", "--input", lines, "-n", "0"), 2, "expected 1 to 64")
        self.expect_error(call("cider", "--generations", lines), 2, "--references")


if __name__ == "__main__":
    unittest.main()

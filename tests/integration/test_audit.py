# SPDX-License-Identifier: Apache-2.0
"""`audit`: a planted leak is found, the texts' order is counted, and the same command prints the same."""
import json
import pathlib
import random
import subprocess
import sys
import unittest

from cli import SNELLEN, Case, call
from served import mock_server

SHARED = pathlib.Path(SNELLEN).parent / "share" / "snellen" / "models"
HAS_MODELS = (pathlib.Path(SNELLEN).parent / "libsnellen_networks.so").exists() and (SHARED / "gpt2").exists()
ROOT = pathlib.Path(__file__).resolve().parents[2]
PUBLISHED = next((parent / "shared/data/compositional" for parent in ROOT.parents
                  if (parent / "shared/data/compositional").is_dir()), pathlib.Path("nowhere"))
WORDS = "a the red small cat dog sits runs on under big man tree ball car has blue near old house".split()


class Audits(Case):
    def items(self, name, longer_foils):
        rng = random.Random(4)
        lines = [{"schema": 1, "name": name, "metric": "pairwise"}]
        for i in range(200):
            right, wrong = (" ".join(rng.choice(WORDS) for _ in range(8)) for _ in range(2))
            if longer_foils:
                right, wrong = (right, wrong + " and more") if rng.random() < 0.7 else (right + " and more", wrong)
            lines.append({"id": str(i), "group": f"{i // 2}.jpg", "category": "even" if i % 2 == 0 else "odd", "visuals": [f"{i // 2}.jpg"],
                          "texts": [right, wrong], "right": 0})
        return self.write(f"{name}.jsonl", "".join(json.dumps(line) + "\n" for line in lines))

    def audit(self, *arguments):
        result = call("audit", *arguments, "--json")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        return json.loads(result.stdout)

    def cue(self, report, name, group="all"):
        return next(row for row in report["cues"] if row["cue"] == name and row["group"] == group)

    def test_a_planted_leak_is_found(self):
        report = self.audit(f"file:{self.items('leaky', True)}")
        self.assertTrue(report["alarm"])
        words = self.cue(report, "more words")
        self.assertTrue(words["alarm"])
        self.assertLess(words["high"], 0.5)
        self.assertEqual({row["group"] for row in report["cues"]}, {"all", "category"})
        self.assertEqual(len(report["leakiest"]), 20)
        again = self.audit(f"file:{self.items('leaky', True)}", "--num-workers", "1")
        self.assertEqual(again, report)

    def test_nothing_is_found_where_nothing_is(self):
        report = self.audit(f"file:{self.items('fair', False)}", "--output", self.folder / "audits")
        self.assertFalse(report["alarm"])
        self.assertEqual(json.loads((self.folder / "audits/audit-fair.json").read_text()), report)
        result = call("audit", f"file:{self.folder}/fair.jsonl")
        self.assertIn("No sign that the texts alone tell which one is right.", result.stdout)

    def test_texts_that_are_the_same_words_are_counted(self):
        lines = [{"schema": 1, "name": "order", "metric": "pairwise"}]
        for i in range(10):
            texts = ["a cat on a dog", "A dog on a cat."] if i < 4 else ["a cat on a dog", "a cat on a mat"]
            lines.append({"id": str(i), "visuals": [f"{i}.jpg"], "texts": texts, "right": 0})
        path = self.write("order.jsonl", "".join(json.dumps(line) + "\n" for line in lines))
        row = self.audit(f"file:{path}")["word_order"][0]
        self.assertEqual((row["same_words"], row["n"]), (4, 10))

    def test_a_model_that_looks_and_a_task_without_texts_are_refused(self):
        self.expect(call("audit"), 2, "no task named")
        path = self.write("one.jsonl", json.dumps({"schema": 1, "name": "one", "metric": "recall_at_k"}) + "\n"
                          + json.dumps({"id": "a", "visuals": ["a.jpg"], "texts": ["a"], "right": 0}) + "\n")
        result = call("audit", f"file:{path}")
        self.assertNotEqual(result.returncode, 0)

    @unittest.skipUnless(HAS_MODELS, "this build has no networks or no shipped models")
    def test_a_language_model_takes_part(self):
        path = self.items("fair", False)
        report = self.audit(f"file:{path}", "--model", SHARED / "gpt2")
        self.assertEqual(report["model"], "gpt2")
        self.assertEqual(self.cue(report, "likelihood")["n"], 200)
        self.expect(call("audit", f"file:{path}", "--model", SHARED / "clip"), 2, "looks at pictures")

    def test_a_served_language_model_takes_part(self):
        path = self.items("fair", False)
        with mock_server() as url:
            served = ["--model", "openai:m", "--base-url", url, "--cache", self.folder / "cache", "--concurrency", 32]
            report = self.audit(f"file:{path}", *served)
            self.expect(call("audit", f"file:{path}", *served, "--score", "yes"), 2, "looks at pictures", "--score likelihood")
        self.assertEqual(report["model"], "m")
        likelihood = self.cue(report, "likelihood")
        self.assertEqual(likelihood["n"], 200)
        self.assertGreater(likelihood["p"], 0.001)

    @unittest.skipUnless((PUBLISHED / "sugarcrepe").exists(), "SugarCrepe's files are not beside the checkout")
    def test_the_published_pairs_of_sugarcrepe(self):
        """docs/audit.md has these numbers."""
        made = subprocess.run([sys.executable, ROOT / "examples/items/sugarcrepe.py", PUBLISHED / "sugarcrepe"], capture_output=True, text=True, timeout=60)
        path = self.write("sugarcrepe.jsonl", made.stdout)
        report = self.audit(f"file:{path}")
        self.assertEqual({row["name"] or "all": (row["same_words"], row["n"]) for row in report["word_order"] if row["same_words"] > 0},
                         {"all": (572, 7511), "swap": (572, 911), "swap_att": (408, 666), "swap_obj": (164, 245)})
        rows = {(row["name"] or "all", row["cue"]): row for row in report["cues"]}
        for group, cue, *found in (("all", "more characters", 0.288, 0.278, 0.297), ("all", "more words", 0.326, 0.319, 0.333), ("all", "bag of words", 0.796, 0.787, 0.806),
                                   ("swap", "more characters", 0.493, 0.471, 0.515), ("swap", "more words", 0.501, 0.489, 0.513), ("swap", "bag of words", 0.536, 0.516, 0.556)):
            row = rows[group, cue]
            for name, value in zip(("value", "low", "high"), found, strict=True):
                self.assertAlmostEqual(row[name], value, delta=5.01e-4, msg=(group, cue, name))
        # The wrong caption has more characters in 2,726 of these pairs, as many in 8 and fewer in 20: ties share the point.
        added = rows["add", "more characters"]
        self.assertEqual((added["n"], round(added["value"] * added["n"], 6)), (2754, 20 + 8 / 2))

    @unittest.skipUnless((PUBLISHED / "valse").exists(), "VALSE's files are not beside the checkout")
    def test_the_published_pairs_of_valse(self):
        """docs/audit.md has these numbers."""
        made = subprocess.run([sys.executable, ROOT / "examples/items/valse.py", PUBLISHED / "valse"], capture_output=True, text=True, timeout=60)
        report = self.audit(f"file:{self.write('valse.jsonl', made.stdout)}")
        rows = {(row["name"] if row["group"] == "part" else row["group"], row["cue"]): row for row in report["cues"]}
        for group, n, characters, words, bag in (("all", 7702, 0.506, 0.499, 0.633), ("counting-adversarial", 691, 0.665, 0.500, 1.000),
                                                 ("foil-it", 943, 0.498, 0.500, 0.741)):
            for cue, value in (("more characters", characters), ("more words", words), ("bag of words", bag)):
                row = rows[group, cue]
                self.assertEqual(row["n"], n, (group, cue))
                self.assertAlmostEqual(row["value"], value, delta=5.01e-4, msg=(group, cue))
        # Every caption names 4 or more and every foil less: the number alone tells which is which.
        self.assertTrue(rows["counting-adversarial", "bag of words"]["alarm"])
        self.assertFalse(rows["foil-it", "more words"]["alarm"])
        row = report["word_order"][0]
        self.assertEqual((row["same_words"], row["n"]), (271, 7702))


if __name__ == "__main__":
    unittest.main()

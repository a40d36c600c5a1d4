# SPDX-License-Identifier: Apache-2.0
"""Foils of counting and change of state that language models propose and judge: served models, and BERT folders."""
import json
import unittest

from cli import call
from served import Scripted, completion, text_of
from test_build_vilma import CHANGE, VilmaCase, npy
from test_language_models import has_networks, write_bert

WRONG = "1. a robot kicks the stones.\n2) A robot sits!\n\n- a robot sits on the phone\nwhat is this: nothing\nrobots\n"


class Proposals(VilmaCase):
    def sources(self):
        """Four videos of labor and two of exercises; the first has wrong sentences."""
        templates = {}
        for i in range(6):
            key, prefix = f"{i:03d}", f"{i:03d}_cut"
            templates[key] = {"id": key, "prefix": prefix, "category": "labor" if i < 4 else "exercise", "action": f"cutting {i}",
                              "templates": [f"a person cuts the {'apple' if i % 2 else 'potato'} exactly <number> times."]}
            path = self.folder / f"quva/normalized_annotations/{prefix}.npy"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(npy([12 * (j + 1) for j in range(6)]))
            (self.folder / "quva/normalized_videos").mkdir(exist_ok=True)
            (self.folder / f"quva/normalized_videos/{prefix}.mp4").write_bytes(b"")
        self.templates = self.write("templates.json", templates)
        self.foils = self.write("foils.json", {"000": {"0": ["a person washes the potato."]}})

    def build(self, out, *flags):
        return call("build", "vilma-counting", "-t", self.templates, "-d", self.folder / "quva", "-o", self.folder / out, "--num-examples", 24, *flags)

    def pool(self, out):
        return json.loads((self.folder / out / "quva-proficiency-foils.json").read_text())

    def test_counting_asks_a_served_model_and_lets_it_judge(self):
        self.sources()

        def reply(body):
            asked = text_of(body)
            if asked.startswith("Premise: "):
                premise, hypothesis = (line.split(": ", 1)[1] for line in asked.split("\n")[:2])
                self.assertTrue(premise.startswith("a person cuts the ") and premise.endswith("."), premise)
                return completion({"a robot kicks the stones.": "Contradiction.", "a robot sits on the phone.": "entailment"}.get(hypothesis, "I cannot tell"))
            self.assertIn('"a person"', asked)
            return completion(WRONG)

        with Scripted(reply) as server:
            served = ["--candidates-from", "openai:tiny", "--base-url", server.url]
            made = self.build("one", "-p", self.foils, *served)
            self.expect(made, 4, "video '004' has no wrong sentences")  # exercises are not asked about
            self.assertEqual(self.pool("one"), {"000": {"0": ["a person washes the potato."]},
                                                **{key: {"0": ["a robot kicks the stones.", "a robot sits on the phone."]} for key in ("001", "002", "003")}})
            items = json.loads((self.folder / "one/counting-easy-spelled-pts.json").read_text())
            self.assertTrue(items)
            for item in items.values():
                self.assertIn(item["proficiency"]["foils"][0], self.pool("one")[item["dataset_idx"]]["0"])
            self.assertEqual(call("build", "check", self.folder / "one").returncode, 0)
            judged = self.build("two", "-p", self.foils, *served, "--nli-model", "openai:tiny", "--propose-exercises")
            # The label of the file's own sentence cannot be read: it is left out too.
            self.expect(judged, 4, "video '000' has no wrong sentences")
            self.assertEqual(self.pool("two"), {key: {"0": ["a robot kicks the stones."]} for key in ("001", "002", "003", "004", "005")})
            self.assertIn("sentences that judges left out", judged.stdout)
            asked = len(server.requests)
            self.assertEqual(self.build("two", "-p", self.foils, *served, "--nli-model", "openai:tiny", "--propose-exercises").returncode, 4)
            self.assertEqual(len(server.requests), asked)  # answers are kept
            self.expect(self.build("three", *served, "--propose-exercises"), 0)
        self.expect_error(self.build("x", "-p", self.foils, "--candidates-from", "openai:tiny"), 2, "--base-url")
        self.expect_error(self.build("x"), 2, "--proficiency-foils", "--candidates-from")
        self.assertFalse((self.folder / "x").exists())

    def test_change_of_state_asks_a_served_model(self):
        changes = {"0000": {"dataset": "coin", "change_of_state": CHANGE}, "0001": {"dataset": "coin", "change_of_state": {**CHANGE, "object": "the rice"}}}

        def reply(body):
            asked = text_of(body)
            if asked.startswith("Premise: "):
                return completion("entailment" if "fruit" in asked else "neutral")
            self.assertIn("Someone heats the " if "heats" in asked else "Someone", asked)
            return completion("1. Beans\n2. fruit\n3. soup\n")

        with Scripted(reply) as server:
            served = ["--candidates-from", "openai:tiny", "--base-url", server.url]
            self.expect(self.change_state("one", *served, data=changes), 0)
            self.expect(self.change_state("two", *served, "--nli-model", "openai:tiny", data=changes), 0)
        given = json.loads((self.folder / "one/candidates-1.json").read_text())
        self.assertEqual([one["noun"] for one in given["0000"]], ["fruit", "soup"])  # not the word itself
        self.assertEqual([one["noun"] for one in given["0001"]], ["beans", "fruit", "soup"])
        for out, words in (("one", ["fruit", "beans"]), ("two", ["soup", "beans"])):
            items = json.loads((self.folder / out / "change-state-prestate.json").read_text())
            self.assertEqual([item["proficiency"]["predicted_word"] for item in items.values()], words)
            self.assertEqual([item["proficiency"]["mask_target"] for item in items.values()], ["beans", "rice"])
            self.assertEqual({item["proficiency"]["model"] for item in items.values()}, {"tiny"})
            self.assertEqual(call("build", "check", self.folder / out).returncode, 0)
        self.expect_error(self.change_state("x", *served, "--candidates", self.folder / "one/candidates-1.json", data=changes), 2, "not both")

    @unittest.skipUnless(has_networks(), "this build has no torch")
    def test_bert_folders_propose_and_judge(self):
        self.sources()
        masked = write_bert(self.folder / "masked", "tokens")
        labels = write_bert(self.folder / "labels", ["entailment", "neutral", "contradiction"], seed=1)
        cola = write_bert(self.folder / "cola", ["no", "yes"], seed=2)
        flags = ["-p", self.foils, "--candidates-from", masked, "--mask-least", "0"]
        self.assertIn(self.build("one", *flags).returncode, (0, 4))
        for key in ("001", "002", "003"):
            caption = f"a person cuts the {'apple' if int(key) % 2 else 'potato'}."
            foils = self.pool("one")[key]["0"]
            self.assertTrue(0 < len(foils) <= 16 and len(set(foils)) == len(foils))
            for foil in foils:
                self.assertTrue(foil.startswith("a person cuts the ") and foil.endswith(".") and foil != caption, foil)
        everything = [foil for one in self.pool("one").values() for foil in one["0"]]
        told = call("gruen", self.write("lines.txt", "\n".join(everything) + "\n"), "--mlm", masked, "--cola", cola, "--json")
        scores = [json.loads(line)["gruen"] for line in told.stdout.splitlines()]
        least = sorted(scores)[len(scores) // 2]
        self.assertIn(self.build("two", *flags, "--gruen-mlm", masked, "--gruen-cola", cola, "--gruen-least", repr(least)).returncode, (0, 4))
        kept = [foil for one in self.pool("two").values() for foil in one["0"]]
        self.assertEqual(kept, [foil for foil, score in zip(everything, scores) if score >= least])
        self.assertLess(len(kept), len(everything))
        self.assertIn(self.build("three", *flags, "--nli-model", labels).returncode, (0, 1, 4))
        changes = {f"{i:04d}": {"dataset": "coin", "change_of_state": {**CHANGE, "object": noun}} for i, noun in enumerate(["the apple", "the potato", "the apple apple"])}
        self.expect(self.change_state("states", "--candidates-from", masked, "--gruen-mlm", masked, "--gruen-cola", cola, "--gruen-least", "0", data=changes), 0)
        given = json.loads((self.folder / "states/candidates-1.json").read_text())
        self.assertEqual(sorted(given), ["0000", "0001"])  # the last says its noun twice
        self.assertTrue(all(len(one) <= 3 for one in given.values()))
        item = json.loads((self.folder / "states/change-state-action.json").read_text())["change-state-action-0000"]
        self.assertEqual(item["proficiency"]["predicted_word"], given["0000"][0]["noun"])
        score = json.loads(call("gruen", "--mlm", masked, "--cola", cola, "--json", input=item["proficiency"]["foils"][0] + "\n").stdout)["gruen"]
        self.assertEqual(item["proficiency"]["gruen_score"], score)
        self.expect_error(self.build("x", *flags, "--gruen-mlm", masked), 2, "--gruen-cola")
        self.expect_error(self.build("x", *flags, "--gruen-mlm", cola, "--gruen-cola", cola), 2, "--gruen-mlm")


if __name__ == "__main__":
    unittest.main()

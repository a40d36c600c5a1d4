# SPDX-License-Identifier: Apache-2.0
"""What a model in training is asked, by name: probes, their curves, stopping by them, and going on with them."""
import json
import random
import re
import signal
import subprocess
import time
import unittest
import xml.etree.ElementTree

from cli import SNELLEN, Case, call
from test_run_models import png
from test_training import HAS_NETWORKS, SMALL


def evaluations(folder):
    lines = [json.loads(line) for line in (folder / "train.jsonl").read_text().splitlines()]
    return {line["step"]: line["evaluation"] for line in lines if "evaluation" in line}


@unittest.skipUnless(HAS_NETWORKS, "this build has no torch")
class Probed(Case):
    def command(self, output, *more, arch="clip"):
        config = self.write(f"{arch}.json", SMALL[arch])
        workers = () if "--num-workers" in more else ("--num-workers", 2)
        return ["train", "--arch", arch, "--init", config, "--output", self.folder / output, "--scenes", 48, "--batch-size", 8, "--torch-threads", 1,
                "--probe-scenes", 40, *workers, *more]

    def items(self):
        """Twelve pictures, each with two items; one picture is not there, one line is bad."""
        rng = random.Random(3)
        lines = ['{"name": "mine", "metric": "pairwise"}']
        for i in range(12):
            if i != 5:
                (self.folder / f"p{i}.png").write_bytes(png(20, 20, rng))
            for kind in ("a", "b"):
                lines.append(json.dumps(dict(id=f"{i}{kind}", group=f"{i}", category=kind, visuals=[f"p{i}.png"],
                                             texts=["a red cat", "a blue dog"] if kind == "a" else ["a cat on a mat", "a mat on a cat"], right=i % 2)))
        lines.append('{"id": "bad", "visuals": ["p1.png"], "texts": ["x", "y"], "rihgt": 0}')
        return self.write("items.jsonl", "\n".join(lines) + "\n")

    def test_ten_evaluations_name_what_they_ask_with_counts_and_intervals(self):
        done = call(*self.command("out", "--steps", 20, "--probe", self.items(), "--json"))
        self.assertEqual(done.returncode, 0, done.stderr)
        found = evaluations(self.folder / "out")
        self.assertEqual(sorted(found), list(range(0, 21, 2)))
        summary = json.loads(done.stdout)
        self.assertEqual(summary["evaluation"], found[20])
        scores = {score["name"]: score for score in found[20]["scores"]}
        held_out = [name for name in scores if name.startswith("held-out/")]
        self.assertEqual(held_out[0], "held-out/found")
        self.assertLessEqual({"held-out/attribute-text", "held-out/attribute-picture", "held-out/left or right"}, set(held_out))
        kinds = [name for name in scores if name.startswith("direction/")]
        self.assertIn("direction/left or right", kinds)
        self.assertEqual([name for name in scores if name not in held_out and name not in kinds], ["predicate", "opposite", "direction", "exchanged", "colours", "naming",
                                                                                                  "mine", "mine/a", "mine/b"])
        for score in scores.values():
            self.assertGreater(score["n"], 0, score)
            if score["low"] is None:
                self.assertEqual(score["reason"], "too few clusters for an interval")
                continue
            self.assertLessEqual(score["low"], score["value"])
            self.assertLessEqual(score["value"], score["high"])
        self.assertEqual(scores["naming"]["n"], 40)
        self.assertEqual(scores["naming"]["interval"], "wilson")
        self.assertEqual(scores["mine"]["n"], 22)
        self.assertEqual(scores["mine"]["interval"], "cluster-wilson")  # two items of a picture
        self.assertEqual(scores["mine/a"]["interval"], "wilson")
        self.assertEqual(found[20]["failed"], 3)
        self.assertIn("p5.png", " ".join(found[20]["reasons"]))

    def test_what_training_says_is_what_run_and_zeroshot_say_of_the_model(self):
        items = self.items()
        for arch in ("clip", "blip"):
            done = call(*self.command(arch, "--steps", 4, "--probe", items, "--ema", 0.5, arch=arch), "--json")
            self.assertEqual(done.returncode, 0, done.stderr)
            scores = {score["name"]: score for score in json.loads(done.stdout)["evaluation"]["scores"]}
            ran = call("run", "--model", self.folder / arch, "--tasks", f"file:{items}", "--output", self.folder / "runs", "--json")
            self.assertEqual(ran.returncode, 4, ran.stderr)  # the bad items
            results = next((self.folder / "runs").glob(f"{arch}-*/results.json"))
            metrics = {row["id"]: row for row in json.loads(results.read_text())["metrics"]}
            for name, metric in (("mine", "mine/acc"), ("mine/a", "mine/by-category/a/acc"), ("mine/b", "mine/by-category/b/acc")):
                self.assertEqual((scores[name]["value"], scores[name]["n"]), (metrics[metric]["value"], metrics[metric]["n"]), name)
            self.assertEqual(scores["mine"]["low"], metrics["mine/acc"]["low"])

    def test_threads_change_nothing_and_evaluating_changes_no_weight(self):
        flags = ("--steps", 6, "--ema", 0.9)
        self.assertEqual(call(*self.command("plain", *flags, "--evaluate-every", 0)).returncode, 0)
        self.assertEqual(call(*self.command("asked", *flags, "--evaluate-every", 1)).returncode, 0)
        self.assertEqual(call(*self.command("alone", *flags, "--evaluate-every", 1, "--num-workers", 1)).returncode, 0)
        weights = {name: (self.folder / name / "model.safetensors").read_bytes() for name in ("plain", "asked", "alone")}
        self.assertEqual(weights["plain"], weights["asked"])
        self.assertEqual(sorted(evaluations(self.folder / "plain")), [0, 6])
        self.assertEqual(evaluations(self.folder / "asked"), evaluations(self.folder / "alone"))

    def test_curves_are_a_picture_of_the_log(self):
        self.assertEqual(call(*self.command("out", "--steps", 10)).returncode, 0)
        text = (self.folder / "out" / "curves.svg").read_text()
        root = xml.etree.ElementTree.fromstring(text)
        self.assertTrue(root.tag.endswith("svg"))
        for name in ("loss", "held out", "exchanged", "naming (drift)", "chance"):
            self.assertIn(name, text)
        self.assertNotRegex(text, re.compile("<script|nan|inf[^o]|href", re.I))

    def test_an_interrupted_training_goes_on_to_the_same_evaluations_and_stops_at_the_same_step(self):
        # Nothing gets better at a rate of nearly nothing, so patience runs out.
        flags = ("--steps", 60, "--evaluate-every", 2, "--checkpoint-every", 5, "--patience", 12, "--stop-on", "exchanged", "--lr", 1e-9, "--json")
        whole = call(*self.command("whole", *flags))
        self.assertEqual(whole.returncode, 0, whole.stderr)
        self.assertTrue(json.loads(whole.stdout)["stopped_early"])
        log = self.folder / "broken" / "train.jsonl"
        process = subprocess.Popen([SNELLEN, *map(str, self.command("broken", *flags))], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        deadline = time.time() + 120
        while process.poll() is None and time.time() < deadline:
            if log.exists() and '"step":6,' in log.read_text():
                break
            time.sleep(0.005)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
        if process.returncode == 0:
            self.skipTest("training was over before it could be stopped")
        self.assertEqual(process.returncode, 130, errors)
        done = call(*self.command("broken", *flags))
        self.assertEqual(done.returncode, 0, done.stderr)
        resumed, unbroken = json.loads(done.stdout), json.loads(whole.stdout)
        self.assertGreater(resumed["resumed"], 0)
        self.assertEqual(resumed["steps"], unbroken["steps"])
        self.assertEqual(evaluations(self.folder / "broken"), evaluations(self.folder / "whole"))
        self.assertEqual((self.folder / "whole" / "model.safetensors").read_bytes(), (self.folder / "broken" / "model.safetensors").read_bytes())

    def test_what_cannot_be_watched_or_asked_is_named(self):
        self.expect_error(call(*self.command("out", "--patience", 2, "--stop-on", "exchangd")), 2, "exchangd", "exchanged")
        self.expect_error(call(*self.command("out", "--stop-on", "loss")), 2, "--patience")
        self.expect_error(call(*self.command("out", "--probe", self.folder / "nowhere.jsonl")), 3, "nowhere.jsonl")
        clash = self.write("clash.jsonl", '{"name": "naming", "metric": "pairwise"}\n{"visuals": ["a.png"], "texts": ["x", "y"], "right": 0}\n')
        self.expect_error(call(*self.command("out", "--probe", clash)), 2, "two probes are called 'naming'")
        self.expect_error(call(*self.command("out", "--probe", self.items(), arch="gpt2")), 2, "--probe")


if __name__ == "__main__":
    unittest.main()

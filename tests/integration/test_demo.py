# SPDX-License-Identifier: Apache-2.0
"""The demo: the shipped models, every step, one report; a second time nothing is done again."""
import json
import math
import pathlib
import re
import unittest

from cli import HOME, SNELLEN, Case, call

ROOT = pathlib.Path(__file__).resolve().parents[2]
README = ROOT / "README.md"
SHARED = pathlib.Path(SNELLEN).parent / "share" / "snellen" / "models"
PICTURE_MODELS = ("clip", "clip-patched", "blip")
HAS_NETWORKS = (pathlib.Path(SNELLEN).parent / "libsnellen_networks.so").exists() and (SHARED / "clip").exists()


def tables(markdown):
    """The tables of a page: each a heading and rows, as lists of cells."""
    found = []
    for block in re.findall(r"(?:^\|.*\n)+", markdown, re.M):
        rows = [[cell.strip().strip("`") for cell in line.strip().strip("|").split("|")] for line in block.splitlines()]
        found.append((rows[0], rows[2:]))
    return found


def values(markdown):
    """{(row, column): (value, n, low, high)} of the tables that have a row of counts or a column of them."""
    cells = {}
    for heading, rows in tables(markdown):
        counts = next((row for row in rows if row[0] == "n"), None)
        for row in rows:
            by_kind = "n" in heading and "model" in heading[1:]
            name = " ".join(row[:2]) if by_kind else row[0].split(",")[0].strip("`")
            for i, cell in enumerate(row):
                number = re.match(r"(\d+\.\d)\b(?: \\?\[(\d+\.\d), (\d+\.\d)\\?\])?", cell)
                n = row[heading.index("n")] if "n" in heading else counts[i] if counts else ""
                if number and n.isdigit():
                    cells[name, heading[i]] = float(number[1]), int(n), *(float(one) if one else None for one in number.groups()[1:])
    return cells


def measured(folder, name="results.json"):
    return {one["id"]: one for one in json.loads((folder / name).read_text())["metrics"]}


def two_sided_binomial(right, n, chance):
    """The share of outcomes that are as unlikely as this one, or more."""
    density = [math.comb(n, k) * chance ** k * (1 - chance) ** (n - k) for k in range(n + 1)]
    return sum(one for one in density if one <= density[right] * (1 + 1e-9))


class FirstResult(Case):
    def test_the_table_from_score_files_is_what_the_command_prints(self):
        section = README.read_text().split("## A first result from score files")[1]
        command, *told = section.split("```")[1].strip().splitlines()
        words = command.removeprefix("$ build/release/snellen ").split()
        words[words.index("runs")] = str(self.folder / "runs")
        result = call(*words, cwd=ROOT)
        self.assertEqual(result.returncode, 0, result.stderr)
        cut = told.index("...")
        self.assertEqual(result.stdout.splitlines()[:cut], told[:cut])
        said = (result.stdout + result.stderr).replace(str(self.folder) + "/", "")
        self.assertIn(re.sub(r" in .* ->", "", told[cut + 1]), re.sub(r" in \S+ s ->", "", said))


@unittest.skipUnless(HAS_NETWORKS, "this build has no networks or no shipped models")
class Demo(Case):
    def test_story(self):
        out = self.folder / "demo"
        result = call("demo", "--output", out, timeout=900)
        self.assertEqual(result.returncode, 0, result.stderr + result.stdout)
        report = (out / "report.md").read_text()
        for word in ("clip-patched", "blip", "xclip", "gpt2", "direction", "without background", "rare actions", "each frame alone"):
            self.assertIn(word, report)
        runs = sorted(path.name for path in (out / "runs").iterdir())
        # Three models on the probes, four on the contrasts, two on contexts, three on clips and on change of state; four of dialogs; two endpoints
        # on bias questions and the control.
        self.assertEqual(len(runs), 2 * 3 + 2 * 4 + 2 + 2 * 3 + 4 + 2 * 2, runs)
        self.expect_targets(out)
        self.expect_clips(out / "eyechart" / "vilma")
        self.expect_chance_of_the_blind(out / "runs")
        self.expect_verdicts(out / "runs")
        self.expect_dialogs(out, report)
        self.expect_closing_lines(out, result.stdout)
        self.expect_served(out / "runs")
        self.expect_readme_from(report, json.loads((out / "eyechart" / "eyechart.json").read_text()))
        self.expect_models_readme_from(out)
        self.assertFalse((pathlib.Path(HOME) / "snellen" / "data.json").exists(), "its sets are not the user's")
        for name in ("clip-probe-r", "blip-direction", "gpt2-vilma"):
            self.assertEqual(call("verify", out / "runs" / name).returncode, 0, name)
        before = {path: path.read_bytes() for path in (out / "runs").rglob("results.json")}
        again = call("demo", "--output", out, timeout=900)
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertEqual((out / "report.md").read_text(), report)
        self.assertEqual(before, {path: path.read_bytes() for path in (out / "runs").rglob("results.json")})

    def expect_targets(self, out):
        """What the shipped models are for, on the tree that the demo makes."""
        direction = {model: measured(out / "runs" / f"{model}-direction") for model in PICTURE_MODELS}
        composition = {model: measured(out / "runs" / f"{model}-probe-c")["probe-c/composition/group"]["value"] for model in PICTURE_MODELS}
        naming = {model: measured(out / "zeroshot" / model, "zeroshot.json")["zeroshot/top1"]["value"] for model in ("clip", "clip-patched")}
        kinds = [name for name in direction["blip"] if name.startswith("direction/by-tag/") and name.endswith("/acc")]
        self.assertEqual(len(kinds), 12, kinds)
        for kind in kinds:
            self.assertGreaterEqual(direction["blip"][kind]["n"], 100, kind)
            self.assertGreaterEqual(direction["blip"][kind]["value"], 0.9, kind)
        whole = {model: found["direction/acc"]["value"] for model, found in direction.items()}
        self.assertTrue(0.45 <= whole["clip"] <= 0.60, whole)
        self.assertGreaterEqual(whole["clip-patched"] - whole["clip"], 0.10, whole)
        self.assertLess(naming["clip"] - naming["clip-patched"], 0.03, naming)
        self.assertGreaterEqual(composition["clip-patched"], composition["clip"])
        for model in PICTURE_MODELS:
            gray = measured(out / "runs" / f"{model}-direction" / "control" / "gray")
            for kind in kinds:
                # Without a correction for the number of kinds: stricter than with one.
                self.assertTrue(gray[kind]["low"] <= 0.5 <= gray[kind]["high"], (model, gray[kind]))

    def expect_clips(self, vilma):
        """At least sixty clips a subtask."""
        files = ["counting-easy-spelled-pts", "counting-hard-spelled-pts", "SRL_Action_Replacement_Top_1000", "SRL_Actor_Swapping", "rare-actions-verb-foils",
                 "rare-actions-noun-foils", "relations", *(f"change-state-{kind}" for kind in ("action", "prestate", "poststate", "inverse"))]
        for file in files:
            items = json.loads((vilma / f"{file}.json").read_text()).values()
            self.assertGreaterEqual(len({one.get("youtube_id") or one.get("video_file") or one["dataset_idx"] for one in items}), 60, file)

    def expect_chance_of_the_blind(self, runs):
        """No subtask of ViLMA tells its answer to gpt2: its intervals hold chance, and so do exact binomial tests, Holm over the subtasks."""
        found = measured(runs / "gpt2-vilma")
        parts = {name.split("/")[1] for name in found if name.endswith("/T") and f"{name}_chance" in found}
        # One-sided by construction, as published: a small number is always right in the one and wrong in the other. Together they are balanced.
        one_sided = {"counting-easy", "counting-hard"}
        self.assertEqual(parts - one_sided, {"action-replacement", "actor-swapping", "change-state-action", "change-state-prestate", "change-state-poststate",
                                             "change-state-inverse", "rare-actions-verb", "rare-actions-noun", "relations"})
        p_values = {}
        for part in sorted(parts - one_sided) + ["counting"]:
            one = found[f"vilma/{part}/T"]
            self.assertGreaterEqual(one["n"], 30, one)  # people's votes leave some out
            # Where items have several foils chance is not one half: the program's own mean of it.
            chance = one.get("chance") or found[f"vilma/{part}/T_chance"]["value"]
            self.assertTrue(one["low"] <= chance <= one["high"], one)  # without a correction: stricter
            p_values[part] = two_sided_binomial(round(one["value"] * one["n"]), one["n"], chance)
        for place, p in enumerate(sorted(p_values.values())):
            self.assertGreater(p * (len(p_values) - place), 0.05, p_values)

    def expect_dialogs(self, out, report):
        section = report.split("## Dialogs")[1].split("\n## ")[0]
        self.assertGreaterEqual(len(tables(section)), 2, section)
        pictures = re.findall(r"!\[[^]]*\]\(([^)]+)\)", section)
        self.assertEqual(len(pictures), 3)
        for picture in pictures:
            self.assertTrue((out / picture).is_file(), picture)

    def expect_closing_lines(self, out, text):
        self.assertEqual(text.splitlines()[-2:], [f"figures and tables: {out}/report/report.html", f"look at the items: snellen view {out}/runs"])
        self.assertTrue((out / "report" / "report.html").is_file())
        # Commands and the closing lines; a name that is longer than a line cannot be broken.
        printed = text.split("\n# What the shipped models see")[0].splitlines() + text.splitlines()[-4:]
        self.assertEqual([line for line in printed if len(line) > 80 and not any(len(word) > 60 for word in line.split())], [])

    def expect_verdicts(self, runs):
        """Who sees needs the picture, who reads does not move; xclip needs the order of frames and clip, frame by frame, does not."""
        def metric(run, name):
            control = json.loads((runs / run / "control.json").read_text())
            return next(one for one in control["metrics"] if one["id"] == name)

        def verdict(run, name, question):
            return next(one["verdict"] for one in metric(run, name)["verdicts"] if one["question"] == question)

        for run in ("blip-direction", "blip-binding", "clip-binding", "clip-patched-binding", "clip-patched-direction"):
            name = f"{run.split('-')[-1]}/acc"
            self.assertEqual(verdict(run, name, "picture"), "needs", run)
            for rung in metric(run, name)["rungs"]:
                self.assertLess(abs(rung["value"] - 0.5), 0.05, (run, rung["rung"]))
        for run, name in (("gpt2-direction", "direction/acc"), ("gpt2-binding", "binding/acc"), ("gpt2-vilma_change-state", "vilma/change-state/T")):
            self.assertEqual(verdict(run, name, "picture"), "does not", run)
            self.assertEqual({rung["moved"] for rung in metric(run, name)["rungs"]}, {0}, run)
        self.assertEqual(verdict("xclip-vilma_change-state", "vilma/change-state/T", "order"), "needs")
        self.assertEqual(verdict("clip-vilma_change-state", "vilma/change-state/T", "order"), "does not")

        # A frozen clip costs the model of clips something, and the one of frames and the one of texts nothing.
        def lost_by_freezing(model):
            one = metric(f"{model}-vilma_change-state", "vilma/change-state/T")
            return next(verdict["lost"] for verdict in one["verdicts"] if verdict["question"] == "motion")

        self.assertGreater(lost_by_freezing("xclip")["low"], 0)
        self.assertNotEqual(verdict("xclip-vilma_change-state", "vilma/change-state/T", "motion"), "does not")
        self.assertLessEqual(lost_by_freezing("clip")["low"], 0)
        self.assertEqual({verdict("gpt2-vilma_change-state", "vilma/change-state/T", question) for question in ("picture", "order", "motion")}, {"does not"})

    def expect_served(self, runs):
        """The endpoint that looks says that it cannot know when the picture is noise; the other goes on."""
        def value(run, name):
            metrics = json.loads((runs / run / "results.json").read_text())["metrics"]
            return next(one["value"] for one in metrics if one["id"] == name)
        self.assertEqual(value("looks-control", "control/image_reliance"), 1)
        self.assertEqual(value("looks-control", "control/claim_holds"), 1)
        self.assertEqual(value("says-yes-control", "control/image_reliance"), 0)
        self.assertEqual(value("says-yes-control", "control/persistence"), 1)
        self.assertEqual(value("says-yes-bias-close", "bias-close/by-condition/ambig/accuracy"), 0)

    def expect_near(self, told, wanted, n, what, items=1):
        self.assertLessEqual(abs(told - wanted), items * 100 / n + 0.051, f"README: {what}")

    def expect_readme_from(self, report, world):
        """Every number of the README's section is the demo's, one item aside: CPUs differ."""
        section = README.read_text().split("## The demo")[1].split("\n## ")[0]
        told, made = values(section), values(report)
        for (row, column), (value, n, low, high) in told.items():
            # The README has the models of a kind side by side.
            place = (row, column) if (row, column) in made else (f"{row} {column}", "right")
            self.assertIn(place, made)
            wanted, wanted_n, wanted_low, wanted_high = made[place]
            self.assertEqual(n, wanted_n, f"README: n of {place}")
            self.expect_near(value, wanted, n, place)
            for bound, wanted_bound in ((low, wanted_low), (high, wanted_high)):
                self.assertIsNotNone(bound, place)
                # One item more moves a bound by less than two items' worth: its pair's other half counts too.
                self.expect_near(bound, wanted_bound, n, f"interval of {place}", items=2)
        kinds = {row for row, column in made if column == "gray"}
        self.assertEqual(len(kinds), 12 * len(PICTURE_MODELS))
        self.assertEqual({(row, column) for row, column in told if f"{row} {column}" in kinds}, {tuple(kind.rsplit(" ", 1)) for kind in kinds})
        self.assertEqual({value for (_, column), (value, *_) in made.items() if column == "gray"}, {50.0}, "as the README says")
        known = {value for value, *_ in told.values()} | {50.0}
        prose = re.sub(r"(?m)^\|.*$", "", section)
        for number in re.findall(r"\b\d+\.\d\b", prose):
            self.assertIn(float(number), known, "a number of the README's text is in none of its tables")
        whole = [int(number.replace(",", "")) for number in re.findall(r"(?<![\w.])\d[\d,]*(?![\d.])", re.sub(r"\(docs/[^)]*\)|\d+\.\d+", "", prose))]
        self.assertEqual(whole, [world["scenes"], world["contrast_pairs"], world["clips"], 95, 95], "pictures, pairs, clips; and twice what intervals hold")

    def expect_models_readme_from(self, out):
        """What models/README.md says of the demo's tree."""
        line = next(one for one in (ROOT / "models" / "README.md").read_text().splitlines() if one.startswith("On the tree of the demo"))
        told = re.search(r"direction ([\d.]+) to ([\d.]+) of ([\d,]+), naming ([\d.]+) to ([\d.]+) of ([\d,]+), composition ([\d.]+) as before", line)
        self.assertIsNotNone(told, line)
        for first, run, file, metric in ((1, "runs/{}-direction", "results.json", "direction/acc"), (4, "zeroshot/{}", "zeroshot.json", "zeroshot/top1")):
            n = int(told[first + 2].replace(",", ""))
            for place, model in ((first, "clip"), (first + 1, "clip-patched")):
                found = measured(out / run.format(model), file)[metric]
                self.assertEqual(found["n"], n, metric)
                self.expect_near(float(told[place]), 100 * found["value"], n, f"{model} {metric}")
        for model in ("clip", "clip-patched"):
            found = measured(out / "runs" / f"{model}-probe-c")["probe-c/composition/group"]
            self.expect_near(float(told[7]), 100 * found["value"], found["n"], f"{model} composition")

    def test_a_step_that_fails_is_named(self):
        out = self.folder / "demo"
        out.mkdir()
        (out / "eyechart").write_text("a file where the world should be")
        result = call("demo", "--output", out, timeout=900)
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn("snellen build eyechart", result.stderr)
        self.assertIn("try this command by itself", result.stderr)

    def test_models_are_what_their_folders_say(self):
        for name in ("clip", "clip-patched", "blip", "xclip", "gpt2"):
            config = json.loads((SHARED / name / "config.json").read_text())
            self.assertEqual(config["dtype"], "float16", name)
            self.assertLess((SHARED / name / "model.safetensors").stat().st_size, 6_000_000, name)


if __name__ == "__main__":
    unittest.main()

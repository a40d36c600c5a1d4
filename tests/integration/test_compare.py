"""compare and gate on runs of the program itself."""
import csv
import io
import json
import math
import shutil
import sqlite3
import subprocess

from cli import Case, call, probe_c_groups, probe_c_scores

TASK = "probe-c"
GROUP = "probe-c/composition/group"


class Runs(Case):
    """Runs of the fake model (or of given scores) over one small annotation file."""

    def run_fake(self, seed, count=60, annotations=0, *more):
        data = f"data{annotations}-{count}"
        self.write(f"{data}/data_compositional_switch.json", probe_c_groups(count, annotations))
        name = f"m{seed}-{annotations}-{count}"
        result = call("run", "--model", "fake", "--seed", seed, "--tasks", TASK, "--data", self.folder / data, "--name", name,
                      "--output", self.folder / "runs", *more)
        self.assertEqual(result.returncode, 0, result.stderr)
        return self.folder / "runs" / f"{name}-{TASK}"

    def decisions(self, run):
        rows = sqlite3.connect(run / "samples.db").execute("SELECT item, correct, margin FROM samples WHERE status = 'scored'")
        return {item: (correct, margin) for item, correct, margin in rows}

    def json_of(self, *arguments, code=0):
        result = call(*arguments, "--json")
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        return json.loads(result.stdout)


class Compare(Runs):
    def row(self, comparison, row_id, second="B"):
        return next(one for one in comparison["rows"] if one["id"] == row_id and one["second"] == second)

    def test_counts_and_mcnemar_equal_a_recount_of_the_samples(self):
        first, second = self.run_fake(1), self.run_fake(2)
        comparison = self.json_of("compare", first, second, "--test", "mcnemar")
        a, b = self.decisions(first), self.decisions(second)
        only_a = sum(a[item][0] and not b[item][0] for item in a)
        only_b = sum(b[item][0] and not a[item][0] for item in a)
        row = self.row(comparison, TASK)
        self.assertEqual((row["counts"]["only_first"], row["counts"]["only_second"]), (only_a, only_b))
        self.assertEqual(sum(row["counts"].values()), 60)
        self.assertAlmostEqual(row["difference"], (only_b - only_a) / 60, places=12)
        pairs, fewer = only_a + only_b, min(only_a, only_b)
        self.assertLess(pairs, 25)
        tail = sum(math.comb(pairs, k) for k in range(fewer + 1)) / 2 ** pairs
        self.assertAlmostEqual(row["p"], min(1, 2 * tail), places=12)
        self.assertLessEqual(row["low"], row["difference"])
        self.assertGreaterEqual(row["high"], row["difference"])
        furthest = max(a, key=lambda item: abs(a[item][1] - b[item][1]))
        self.assertEqual(comparison["items"][0]["item"], furthest)
        self.assertEqual(len(comparison["items"]), 10)
        results = json.loads((second / "results.json").read_text())["metrics"]
        value = next(one["value"] for one in results if one["id"] == GROUP)
        self.assertAlmostEqual(self.row(comparison, GROUP)["value_second"], value, places=12)

    def test_items_that_share_pictures_are_not_tested_as_independent(self):
        first, second = self.run_fake(1), self.run_fake(2)
        comparison = self.json_of("compare", first, second)
        row = self.row(comparison, TASK)
        self.assertIn(row["p_method"], ("cluster-sign-flip", "dyadic-t"))
        self.assertIn(row["interval"], ("cluster-t", "dyadic-t"))
        self.assertLess(row["low"], row["high"])
        self.assertLess(row["clusters"], 120)
        self.assertLessEqual(row["effective_n"], 60)
        self.assertEqual(comparison["warnings"], [])
        asked = self.json_of("compare", first, second, "--test", "mcnemar")
        self.assertEqual(self.row(asked, TASK)["p_method"][:7], "mcnemar")
        self.assertIn("items share pictures", asked["warnings"][0])

    def test_a_run_and_itself_differ_in_nothing(self):
        run = self.run_fake(1)
        comparison = self.json_of("compare", run, run)
        for row in comparison["rows"]:
            self.assertEqual((row["difference"], row["p"], row["p_holm"], row["finding"]), (0, 1, 1, "none found"), row["id"])
        self.assertEqual(comparison["items"], [])

    def test_different_items_are_compared_on_the_common_ones(self):
        small, large = self.run_fake(1, 40), self.run_fake(2, 60)
        result = call("compare", small, large)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("40 items are in both; A scored 40, B scored 60", result.stdout)
        self.assertIn("is not the same file in A", result.stdout)
        coverage = self.json_of("compare", small, large)["coverage"][0]
        self.assertEqual((coverage["scored_first"], coverage["scored_second"], coverage["common"]), (40, 60, 40))

    def test_more_than_two_runs_share_one_family(self):
        runs = [self.run_fake(seed) for seed in (1, 2, 3)]
        comparison = self.json_of("compare", *runs, "--items", 0, "--bootstrap", 100)
        self.assertEqual(comparison["families"], {"task": 2, "part": 0, "metric": 16})
        self.assertEqual([row["run"] for row in comparison["ranks"]], ["A", "B", "C"])
        for row in comparison["ranks"]:
            self.assertLessEqual(row["low"], row["rank"])
            self.assertLessEqual(row["rank"], row["high"])
        self.assertGreaterEqual(self.row(comparison, TASK, "C")["p_holm"], self.row(comparison, TASK, "C")["p"])
        self.assertEqual(comparison["items"], [])

    def test_formats_agree_and_are_the_same_every_time(self):
        first, second = self.run_fake(1), self.run_fake(2)
        table = call("compare", first, second, "--format", "csv").stdout
        rows = list(csv.DictReader(io.StringIO(table)))
        comparison = self.json_of("compare", first, second)
        self.assertEqual([row["id"] for row in rows], [row["id"] for row in comparison["rows"]])
        self.assertEqual([row["p"] for row in rows],
                         [("<" if row["p_is_floor"] else "") + repr(row["p"]) for row in comparison["rows"]])
        self.assertEqual(table, call("compare", first, second, "--format", "csv").stdout)
        self.assertIn("## Decisions", call("compare", first, second, "--format", "markdown").stdout)

    def test_folders_of_score_compare_too(self):
        self.write("data/data_compositional_switch.json", probe_c_groups(30))
        for name in ("a", "b"):
            path = self.write(f"{name}.jsonl", probe_c_scores(30, seed=ord(name)))
            result = call("score", TASK, "--scores", path, "--data", self.folder / "data", "--name", name, "--output", self.folder)
            self.assertEqual(result.returncode, 0, result.stderr)
        comparison = self.json_of("compare", self.folder / f"a-{TASK}", self.folder / f"b-{TASK}")
        self.assertEqual(comparison["coverage"][0]["common"], 30)

    def test_nothing_in_common(self):
        first, second = self.run_fake(1), self.run_fake(2)
        subprocess.run(["sqlite3", second / "samples.db", "UPDATE samples SET item = item || 'x'"], check=True)
        self.expect_error(call("compare", first, second), 3, "no scored item in common", "same annotations")

    def test_damaged_and_missing_folders(self):
        first, second = self.run_fake(1), self.run_fake(2)
        self.expect_error(call("compare", first, self.folder / "no"), 3, "no run.json here")
        self.expect_error(call("compare", first), 2, "1 run folders given")
        subprocess.run(["sqlite3", second / "samples.db", "UPDATE samples SET value_1 = 0.5 WHERE id = 7"], check=True)
        self.expect_error(call("compare", first, second), 3, "has 0.5 in the share column", "snellen verify")
        (second / "samples.db").write_bytes((second / "samples.db").read_bytes()[:5000])
        self.expect_error(call("compare", first, second), 3, "samples.db")

    def test_hostile_texts_do_not_reach_the_terminal_or_the_page(self):
        first, second = self.run_fake(1), self.run_fake(2)
        for run in (first, second):
            subprocess.run(["sqlite3", run / "samples.db",
                            "UPDATE samples SET item = item || char(27) || '[2J![x](http://e)<b>' || hex(zeroblob(500))"], check=True)
        for form in ("text", "markdown"):
            page = call("compare", first, second, "--format", form).stdout
            self.assertNotIn("\x1b", page)
            self.assertNotIn("0" * 100, page)
        self.assertNotIn("[x](", page)
        self.assertNotIn("<b>", page.replace("\\<b", ""))


class Gate(Runs):
    def test_met_and_unmet(self):
        run = self.run_fake(1)
        value = next(one for one in json.loads((run / "results.json").read_text())["metrics"] if one["id"] == GROUP)
        self.assertEqual(call("gate", run, "--require", f"{GROUP}>={value['value']!r}").returncode, 0)
        page = self.folder / "gate.md"
        result = call("gate", run, "--require", f"{GROUP}>={value['value']!r}", "--require", f"low({GROUP})>{value['low']!r}", "--summary", page)
        self.assertEqual(result.returncode, 5)
        self.assertIn("NOT MET", result.stdout)
        self.assertIn("1 of 2 requirements met", page.read_text())
        verdict = self.json_of("gate", run, "--require", f"{GROUP}>={value['low']!r}", "--bound", "low")
        self.assertEqual((verdict["verdict"], verdict["requirements"][0]["compared"]), ("passed", value["low"]))
        self.assertTrue(call("gate", run, "--require", f"{GROUP}>=0", "--summary", "-").stdout.startswith("## Snellen gate: passed"))

    def test_baseline(self):
        run, before = self.run_fake(1), self.run_fake(2)
        page = call("gate", run, "--require", f"{GROUP}>=baseline-1", "--baseline", before, "--not-worse-than", before, "--by", 1, "--summary", "-")
        self.assertEqual(page.returncode, 0, page.stderr)
        models = [line.split("|")[3].strip() for line in page.stdout.splitlines() if line.startswith(("| run |", "| baseline |", "| base |"))]
        self.assertEqual((len(models), "" in models), (3, False), page.stdout)
        self.assertEqual(call("gate", run, "--require", f"{GROUP}>=baseline+1", "--baseline", before).returncode, 5)
        self.expect_error(call("gate", run, "--require", f"{GROUP}>=baseline"), 2, "--baseline")

    def test_usage(self):
        run = self.run_fake(1)
        self.expect_error(call("gate", run, "--require", "probe-c/composition/grup>=0.3"), 2, GROUP)
        self.expect_error(call("gate", run, "--require", f"{GROUP}=0.3"), 2, "has no sign")
        self.expect_error(call("gate", run), 2, "no requirement", "--require")
        error = self.json_of("gate", run, "--require", "x>=1", code=2)["error"]
        self.assertIn("no metric 'x'", error["what"])

    def test_unfinished_empty_and_changed_runs_never_pass(self):
        run = self.run_fake(1)
        stamp = (run / "run.json").read_text()
        for verdict in ("running", "interrupted"):
            (run / "run.json").write_text(stamp.replace('"verdict": "complete"', f'"verdict": "{verdict}"'))
            self.expect_error(call("gate", run, "--require", f"{GROUP}>=0"), 3, verdict, "to finish it")
        (run / "run.json").write_text(stamp)
        results = json.loads((run / "results.json").read_text())
        for one in results["metrics"]:
            one["n"] = 0
        (run / "results.json").write_text(json.dumps(results))
        self.expect_error(call("gate", run, "--require", f"{GROUP}>=0"), 3, "differ from the stamp")
        bare = json.loads(stamp)
        del bare["files"]
        (run / "run.json").write_text(json.dumps(bare))
        result = call("gate", run, "--require", f"{GROUP}>=0")
        self.assertEqual(result.returncode, 5)
        self.assertIn("over no item", result.stdout)
        shutil.rmtree(run)
        self.expect_error(call("gate", run, "--require", f"{GROUP}>=0"), 3, "no run.json here")


    def test_not_worse_than_another_run(self):
        run, before = self.run_fake(1), self.run_fake(2)
        self.assertEqual(call("gate", run, "--not-worse-than", run, "--by", 0.2).returncode, 0)
        result = call("gate", run, "--not-worse-than", before, "--by", 0.001)
        self.assertEqual(result.returncode, 5, result.stdout + result.stderr)
        self.assertIn("NOT MET", result.stdout)
        verdict = self.json_of("gate", run, "--not-worse-than", run, "--by", 0.2, "--metric", GROUP)
        self.assertEqual([one["metric"] for one in verdict["not_worse"]], [GROUP])
        self.assertLess(verdict["not_worse"][0]["at_worst"], 0)
        self.expect_error(call("gate", run, "--not-worse-than", run), 2, "by")
        self.expect_error(call("gate", run, "--not-worse-than", run, "--by", 0.1, "--metric", "x"), 2, "no metric 'x'")


class Power(Runs):
    def test_pilot_runs_and_numbers(self):
        first, second = self.run_fake(1), self.run_fake(2)
        plan = self.json_of("power", first, second, "--metric", GROUP, "--difference", 0.05)
        self.assertEqual((plan["metric"], plan["pilot_items"]), (GROUP, 60))
        self.assertGreaterEqual(plan["design_effect"], 1)
        larger = self.json_of("power", first, second, "--metric", GROUP, "--difference", 0.02)
        self.assertGreater(larger["items"], plan["items"])
        self.assertGreater(self.json_of("power", first, "--difference", 0.05)["items"], 0)
        plan = self.json_of("power", "--share", 0.5, "--difference", 0.05)
        self.assertEqual((plan["items"], plan["design_effect"]), (783, 1))
        self.assertIn("783 items", call("power", "--share", 0.5, "--difference", 0.05).stdout)

    def test_usage(self):
        self.expect_error(call("power", "--difference", 0.05), 2, "share")
        self.expect_error(call("power", "--share", 0.5), 2, "difference")
        self.expect_error(call("power", "--share", 1.5, "--difference", 0.05), 2, "share")


class Help(Case):
    def test_verbs_have_an_example(self):
        for verb in ("compare", "gate", "power"):
            result = call(verb, "--help")
            self.assertEqual(result.returncode, 0)
            self.assertIn("Example", result.stdout)

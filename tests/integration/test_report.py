# SPDX-License-Identifier: Apache-2.0
"""`snellen report` and `snellen import`: pages and tables of runs, and logs of other programs as runs."""
import csv
import io
import json
import os
import pathlib
import random
import re
import resource
import shutil
import sqlite3
import struct
import subprocess
import sys
import unittest
import xml.sax.saxutils
import zipfile
import zlib

from cli import SNELLEN, Case, call, probe_c_groups, probe_c_scores
from pictures import write_png
from viewing import IN_A_BROWSER, run_script

ROOT = pathlib.Path(__file__).resolve().parents[2]
FIXTURES = ROOT / "tests" / "golden" / "models"
HAS_NETWORKS = (pathlib.Path(SNELLEN).parent / "libsnellen_networks.so").exists()


def python_with(*modules):
    """A Python that has packages of others: this one, that of ./dev test or of ./dev parity; None where none has them."""
    look = f"import importlib.util, sys; sys.exit(any(importlib.util.find_spec(name) is None for name in {modules}))"
    for path in (sys.executable, ROOT / ".venv" / "bin" / "python", ROOT / ".venv-peers" / "bin" / "python"):
        if path and pathlib.Path(path).exists() and subprocess.run([path, "-c", look], capture_output=True).returncode == 0:
            return str(path)
    return None


class Report(Case):
    def make_runs(self):
        self.write("data/data_compositional_switch.json", probe_c_groups(60))
        for name, seed in (("one", 1), ("two", 2)):
            self.write("scores.jsonl", probe_c_scores(60, seed))
            done = call("score", "probe-c", "--scores", self.folder / "scores.jsonl", "--data", self.folder / "data", "--name", name, "--output", self.folder / "runs")
            self.assertEqual(done.returncode, 0, done.stderr)

    def test_figures_hold_the_numbers_of_the_results(self):
        self.make_runs()
        done = call("report", self.folder / "runs", "--output", self.folder / "report", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads(done.stdout)["runs"], 2)
        rows = list(csv.DictReader(io.StringIO((self.folder / "report/figures/probe-c-scores.csv").read_text())))
        for row in rows:
            results = json.loads((self.folder / "runs" / f"{row['model']}-probe-c" / "results.json").read_text())
            metric = next(one for one in results["metrics"] if one["id"] == row["metric"])
            self.assertEqual((float(row["value"]), float(row["low"]), int(row["n"])), (metric["value"], metric["low"], metric["n"]))
        self.assertEqual(len(rows), 6)
        html = (self.folder / "report/report.html").read_text()
        self.assertIn("Content-Security-Policy", html)
        self.assertNotIn("<script", html)
        self.assertNotIn("http://", html.replace("http://www.w3.org/2000/svg", ""))
        self.assertIn("published", (self.folder / "report/report.md").read_text())
        self.assertIn("tabular", (self.folder / "report/tables.tex").read_text())

    @IN_A_BROWSER
    def test_the_page_in_a_browser(self):
        self.make_runs()
        self.make_sets()
        self.write("runs/training/train.jsonl", "")
        (self.folder / "runs/training/train.jsonl").write_text("".join(json.dumps({"step": step, "loss": 2 / step}) + "\n" for step in range(1, 9)))
        self.assertEqual(call("report", self.folder / "runs", "--output", self.folder / "report").returncode, 0)
        run_script(self, "report.mjs", self.folder / "report")

    def test_same_input_same_bytes(self):
        self.make_runs()
        for name in ("a", "b"):
            self.assertEqual(call("report", self.folder / "runs", "--output", self.folder / name).returncode, 0)
        files = sorted(path.relative_to(self.folder / "a") for path in (self.folder / "a").rglob("*.*"))
        self.assertGreater(len(files), 5)
        for file in files:
            self.assertEqual((self.folder / "a" / file).read_bytes(), (self.folder / "b" / file).read_bytes(), file)

    def test_a_damaged_run_shows_what_is_there(self):
        self.make_runs()
        (self.folder / "runs/one-probe-c/results.json").write_text("{")
        done = call("report", self.folder / "runs", "--output", self.folder / "report")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("one-probe-c: results.json", done.stderr)
        self.assertTrue((self.folder / "report/figures/probe-c-scores.svg").exists())

    def test_damaged_logs_and_controls_are_noted(self):
        self.make_runs()
        self.write("runs/training/train.jsonl", "{")
        self.write("runs/sweep/curve.json", "[]")
        self.write("runs/one-probe-c/control.json", "{")
        self.write("runs/one-probe-c/features/probe-r.json", "[]")
        done = call("report", self.folder / "runs", "--output", self.folder / "report")
        self.assertEqual(done.returncode, 0, done.stderr)
        for name in ("sweep: ", "control.json: ", "its features: "):
            self.assertIn(name, done.stderr)
        self.assertTrue((self.folder / "report/figures/probe-c-scores.svg").exists())

    def test_a_ladder_of_control_rungs_is_drawn(self):
        self.make_runs()
        number = lambda value: {"value": value, "n": 60, "low": value - 0.1, "high": value + 0.1, "ties": 0}
        self.write("runs/one-probe-c/control.json", {
            "schema": 1, "rungs": [{"name": "gray", "folder": "control/gray", "is_blind": True}, {"name": "none"}],
            "metrics": [{"id": "probe-c/composition/group", "chance": 0.25, "clean": number(0.6), "rungs": [{"rung": "gray", **number(0.3)}],
                         "verdicts": [{"question": "picture", "verdict": "needs", "sentence": "It <b>needs</b> the picture."}]}]})
        done = call("report", self.folder / "runs", "--output", self.folder / "report")
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = list(csv.DictReader(io.StringIO((self.folder / "report/figures/control-ladder-1.csv").read_text())))
        self.assertEqual([(row["metric"], float(row["value"]), float(row["low"])) for row in rows],
                         [("probe-c/composition/group under as it is", 0.6, 0.5), ("probe-c/composition/group under gray", 0.3, 0.19999999999999998)])
        self.assertIn("It &lt;b&gt;needs&lt;/b&gt; the picture.", (self.folder / "report/report.html").read_text())

    def test_differences_between_runs_are_those_of_compare(self):
        self.make_runs()
        stamp = self.folder / "runs/two-probe-c/run.json"
        stamp.write_text(json.dumps({**json.loads(stamp.read_text()), "verdict": "interrupted"}))
        done = call("report", self.folder / "runs", "--output", self.folder / "report")
        self.assertEqual(done.returncode, 0, done.stderr)
        compared = json.loads(call("compare", self.folder / "runs/one-probe-c", self.folder / "runs/two-probe-c", "--json").stdout)
        rows = list(csv.DictReader(io.StringIO((self.folder / "report/tables/differences-1.csv").read_text())))
        self.assertEqual([(row["id"], float(row["difference"]), int(row["n"])) for row in rows],
                         [(row["id"], row["difference"], row["n"]) for row in compared["rows"]])
        html, markdown = (self.folder / "report/report.html").read_text(), (self.folder / "report/report.md").read_text()
        self.assertIn("Differences between runs", html)
        self.assertIn("A: one (one-probe-c); B: two (two-probe-c)", html)
        self.assertIn("## Differences between runs: probe-c", markdown)
        # B is interrupted, and compare warns of that.
        self.assertTrue(compared["warnings"])
        for warning in compared["warnings"]:
            self.assertIn(xml.sax.saxutils.escape(warning, {'"': "&quot;", "'": "&#39;"}), html)

    def test_a_run_without_samples_is_not_compared(self):
        self.make_runs()
        (self.folder / "runs/two-probe-c/samples.db").unlink()
        done = call("report", self.folder / "runs", "--output", self.folder / "report")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertFalse((self.folder / "report/tables/differences-1.csv").exists())

    def test_bias_answers_stand_beside_the_published_ones(self):
        lexicon = self.folder / "lexicon.txt"
        lexicon.write_text("good\t1.9\t0.9\t[1]\nsad\t-2.1\t0.9\t[1]\n")
        emoji = self.folder / "emoji.txt"
        emoji.write_text("")
        answers = self.folder / "answers.jsonl"
        answers.write_text("".join(json.dumps({"id": str(i), "label": ("a", "b")[i % 2], "answer": ("good", "sad")[i % 2]}) + "\n" for i in range(20)))
        for kind in ("gender", "race"):
            done = call("score", "bias-open", "--answers", answers, "--type", kind, "--lexicon", lexicon, "--emoji", emoji, "--name", "mine",
                        "--output", self.folder / kind)
            self.assertEqual(done.returncode, 0, done.stderr)
        done = call("report", self.folder / "gender", self.folder / "race", "--output", self.folder / "report")
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = list(csv.DictReader(io.StringIO((self.folder / "report/tables/vlbiasbench-open.csv").read_text())))
        self.assertEqual([row["gender"] for row in rows if row["model"] == "Gemini"], ["0.062~"])
        ours = [row for row in rows if row["source"] == "ours"]
        value = json.loads((self.folder / "race/mine-bias-open/results.json").read_text())["metrics"]
        value = next(one["value"] for one in value if one["id"] == "bias-open/range_VADER")
        self.assertEqual(len(ours), 1)
        self.assertEqual((ours[0]["model"], ours[0]["religion"]), ("mine", "-"))
        for kind in ("gender", "race"):
            self.assertTrue(ours[0][kind].startswith(f"{value:.3f}"), ours)
        self.assertIn("bias-open/range_VADER", (self.folder / "report/tables/summary.csv").read_text())

    def make_sets(self):
        """Two rules and people over 12 rounds of as many pictures, with dialogs."""
        answers = [f"answer {i}" for i in range(100)]
        made = [{"image_id": i, "caption": "a dog", "dialog": [{"question": 0, "answer": 0, "gt_index": 0, "answer_options": list(range(100))} for _ in range(10)]}
                for i in range(12)]
        self.write("dialogs.json", {"version": "1.0", "split": "val2018", "data": {"questions": ["is it <b>red</b>?"], "answers": answers, "dialogs": made}})
        for name, sizes in (("S", lambda i: 1 + i % 3), ("M", lambda i: 4), ("H", lambda i: 2)):
            self.write(f"sets/refs_{name}.json", [
                {"image_id": i, "round_id": i % 10, "refs": answers[:sizes(i)], "gt_answer": "answer 0",
                 "in_cluster_idxs": [int(place < sizes(i)) for place in range(100)]} for i in range(12)])
        (self.folder / "images").mkdir()
        write_png(self.folder / "images/VisualDialog_val2018_000000000001.jpg", 40, 30, (200, 30, 30))
        done = call("score", "visdial-sets", "--references", self.folder / "sets/refs_S.json", self.folder / "sets/refs_M.json", "--human",
                    self.folder / "sets/refs_H.json", "--dialogs", self.folder / "dialogs.json", "--images", self.folder / "images",
                    "--name", "sets", "--output", self.folder / "runs")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_reference_sets_are_drawn_and_shown(self):
        self.make_sets()
        for name in ("a", "b"):
            done = call("report", self.folder / "runs", "--output", self.folder / name)
            self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual((self.folder / "a/report.html").read_bytes(), (self.folder / "b/report.html").read_bytes())
        sizes = list(csv.DictReader(io.StringIO((self.folder / "a/figures/visdial-set-sizes-1.csv").read_text())))
        self.assertEqual([(row["model"], row["metric"], float(row["value"]), int(row["n"])) for row in sizes],
                         [*(("refs_S", f"share of sets of {size}", 4 / 12, 12) for size in (1, 2, 3)), ("refs_M", "share of sets of 4", 1, 12)])
        results = {one["id"]: one for one in json.loads((self.folder / "runs/sets-visdial-sets/results.json").read_text())["metrics"]}
        overlap = list(csv.DictReader(io.StringIO((self.folder / "a/figures/visdial-set-overlap-1.csv").read_text())))
        self.assertEqual(len(overlap), 8)
        for row in overlap:
            self.assertEqual(float(row["value"]), results[row["metric"]]["value"])
        html = (self.folder / "a/report.html").read_text()
        self.assertIn("is it &lt;b&gt;red&lt;/b&gt;?", html)
        self.assertIn('alt="Picture VisualDialog_val2018_000000000001.jpg" src="data:image/png;base64,', html)
        self.assertIn("Picture VisualDialog_val2018_000000000002.jpg is not there.", html)
        self.assertIn("<b>answer 1</b> taken by people, refs_S, refs_M", html)
        self.assertIn("answer 99", html)
        rounds = list(csv.DictReader(io.StringIO((self.folder / "a/tables/visdial-rounds.csv").read_text())))
        self.assertEqual([(row["chosen by"], row["members"]) for row in rounds[:3]],
                         [("people", "answer 0; answer 1"), ("refs_S", "answer 0; answer 1"), ("refs_M", "answer 0; answer 1; answer 2; answer 3")])

    def test_sizes_of_sets_that_were_built(self):
        counts = [0] * 101
        counts[1], counts[7] = 3, 1
        self.write("sets/statistics.json", {"S": {"rounds_by_set_size": counts}})
        self.write("sets/refs_S_full_val.json", [])
        done = call("report", self.folder / "sets", "--output", self.folder / "report")
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = list(csv.DictReader(io.StringIO((self.folder / "report/figures/visdial-built-sizes-1.csv").read_text())))
        self.assertEqual([(row["metric"], float(row["value"])) for row in rows], [("share of sets of 1", 0.75), ("share of sets of 7", 0.25)])
        self.write("sets/statistics.json", {"S": {"rounds_by_set_size": [1]}})
        done = call("report", self.folder / "sets", "--output", self.folder / "report")
        self.assertIn("rounds_by_set_size", done.stderr)

    def test_the_loss_of_a_training_is_handed_over(self):
        self.write("training/train.jsonl", "")
        (self.folder / "training/train.jsonl").write_text("".join(json.dumps({"step": step, "loss": 2 / step}) + "\n" for step in (1, 2)) + json.dumps(
            {"step": 2, "evaluation": {"loss": 1.5, "scores": [{"name": "naming", "value": 0.75, "n": 8, "low": 0.4, "high": 0.9, "ties": 0}]}}) + "\n")
        self.assertEqual(call("report", self.folder / "training", "--output", self.folder / "report").returncode, 0)
        rows = list(csv.DictReader(io.StringIO((self.folder / "report/figures/training-1.csv").read_text())))
        self.assertEqual([(row["model"], row["metric"], float(row["value"])) for row in rows],
                         [("step 1", "loss", 2), ("step 2", "loss", 1), ("step 2", "held-out loss", 1.5), ("step 2", "naming", 0.75)])

    def test_many_runs_take_less_than_five_seconds(self):
        self.write("data/data_compositional_switch.json", probe_c_groups(600))
        for number in range(8):
            self.write("scores.jsonl", probe_c_scores(600, number))
            done = call("score", "probe-c", "--scores", self.folder / "scores.jsonl", "--data", self.folder / "data", "--name", f"m{number}", "--output", self.folder / "runs")
            self.assertEqual(done.returncode, 0, done.stderr)
        # Of the processor, so that other tests do not count.
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.assertEqual(call("report", self.folder / "runs", "--output", self.folder / "report").returncode, 0)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.assertLess(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, 5)

    def test_the_page_does_not_grow_with_items(self):
        sizes = []
        for count in (300, 6000):
            subprocess.run([sys.executable, ROOT / "tools/make_large_run.py", SNELLEN, self.folder / str(count), str(count)], check=True, capture_output=True)
            self.assertEqual(call("report", self.folder / str(count) / "runs", "--output", self.folder / f"report-{count}").returncode, 0)
            sizes.append(sum(path.stat().st_size for path in (self.folder / f"report-{count}").rglob("*.*")))
        self.assertLess(sizes[1], 1.1 * sizes[0], sizes)

    def test_all_samples_are_handed_over(self):
        self.make_runs()
        for kind in ("csv", "jsonl"):
            done = call("report", self.folder / "runs", "--output", self.folder / kind, "--samples", kind)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("120 samples written", done.stderr)
        rows = list(csv.DictReader(io.StringIO((self.folder / "csv/samples/one-probe-c.csv").read_text())))
        lines = [json.loads(line) for line in (self.folder / "jsonl/samples/one-probe-c.jsonl").read_text().splitlines()]
        self.assertEqual((len(rows), len(lines)), (60, 60))
        self.assertEqual([row["item"] for row in rows], [line["item"] for line in lines])

    def test_nothing_to_report_is_said(self):
        (self.folder / "empty").mkdir()
        self.expect_error(call("report", self.folder / "empty", "--output", self.folder / "report"), 3, "holds no run folder")

    def test_the_queries_of_the_docs_run(self):
        """Every Python block of docs/run-folder.md below its last heading, where its libraries are installed."""
        self.make_runs()
        (self.folder / "runs/one-probe-c").rename(self.folder / "runs/clip-probe-c")
        blocks = re.findall(r"```python\n(.*?)```", (ROOT / "docs/run-folder.md").read_text().split("## From pandas and DuckDB")[1], re.S)
        self.assertEqual(len(blocks), 2)
        for block in blocks:
            python = python_with("duckdb", "duckdb_extension_sqlite_scanner") if "duckdb" in block else python_with("pandas")
            if python is None:
                self.skipTest("pandas or duckdb is missing: .venv/bin/pip install pandas duckdb==1.5.5 duckdb-extension-sqlite-scanner==1.5.5, as ./dev test does")
            lines = block.strip().splitlines()
            done = subprocess.run([python, "-c", "\n".join(lines[:-1] + [f"print({lines[-1]})"])], cwd=self.folder, capture_output=True, text=True, timeout=120)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertTrue(done.stdout.strip())

    def test_samples_are_read_by_other_programs(self):
        self.make_runs()
        database = sqlite3.connect(f"file:{self.folder}/runs/one-probe-c/samples.db?mode=ro", uri=True)
        rows = database.execute("SELECT task, part, item, decision, margin, category FROM items").fetchall()
        self.assertEqual(len(rows), 60)
        shares = database.execute("SELECT category, avg(correct) AS share, count(*) AS n FROM samples GROUP BY category ORDER BY share").fetchall()
        self.assertEqual(sum(row[2] for row in shares), 60)
        database.close()


@unittest.skipUnless(HAS_NETWORKS, "this build has no torch")
class FeatureMap(Case):
    def make_run(self, *models):
        rng = random.Random(1)
        words = ["cat", "dog", "ball", "tree"]
        (self.folder / "images").mkdir(exist_ok=True)
        for number in range(20):
            write_png(self.folder / f"images/{number}.jpg", 40, 40, (rng.randrange(256), rng.randrange(256), rng.randrange(256)))
        self.write("data/relation_eval_subject.json", {str(i): {
            "positive_image_ids": [(i + 1) % 20], "negative_image_ids": [(i + 2) % 20], "positive_prompt": f"A photo of a {words[i % 4]} on a mat.",
            "negative_prompt": f"A photo of a {words[(i + 1) % 4]} on a mat.", "negative_predicate_prompt": f"A photo of a {words[i % 4]} under a mat.",
            "positive_object": words[i % 4], "negative_object": words[(i + 1) % 4]} for i in range(20)})
        done = call("run", *(word for model in models for word in ("--model", FIXTURES / model)), "--tasks", "probe-r", "--data", self.folder / "data",
                    "--root-image-dir", self.folder / "images", "--output", self.folder / "runs", "--features", "15")
        self.assertEqual(done.returncode, 0, done.stderr)
        return self.folder / "runs" / f"{models[0]}-probe-r"

    def test_features_become_a_map_that_is_kept(self):
        facts = json.loads((self.make_run("clip") / "features/probe-r.json").read_text())
        self.assertEqual((facts["kinds"], facts["is_joint"], len(facts["items"])), (["picture", "R1", "R2"], False, 15))
        facts = json.loads((self.make_run("vilt") / "features/probe-r.json").read_text())
        self.assertEqual((facts["kinds"], facts["is_joint"]), (["picture with R1", "picture with R2"], True))
        environment = {**os.environ, "XDG_CACHE_HOME": str(self.folder / "cache")}
        for name in ("a", "b"):
            done = call("report", self.folder / "runs", "--output", self.folder / name, env=environment)
            self.assertEqual(done.returncode, 0, done.stderr)
        rows = list(csv.DictReader(io.StringIO((self.folder / "a/figures/probe-r-features.csv").read_text())))
        self.assertEqual(len(rows), 15 * 3 + 15 * 2)
        self.assertEqual((self.folder / "a/figures/probe-r-features.svg").read_bytes(), (self.folder / "b/figures/probe-r-features.svg").read_bytes())
        self.assertEqual(len(list((self.folder / "cache/snellen/maps").iterdir())), 2)

    def test_models_of_one_call_keep_theirs(self):
        alone = {model: self.make_run(model).rename(self.folder / model) for model in ("clip", "vilt")}
        self.make_run("clip", "vilt")
        for model, folder in alone.items():
            for name in ("probe-r.json", "probe-r.npy"):
                self.assertEqual((folder / "features" / name).read_bytes(), (self.folder / f"runs/{model}-probe-r/features" / name).read_bytes(), (model, name))

    def test_none_are_kept_when_none_are_wanted(self):
        shutil.rmtree(self.make_run("clip") / "features")
        done = call("run", "--model", FIXTURES / "clip", "--tasks", "probe-r", "--data", self.folder / "data", "--root-image-dir", self.folder / "images",
                    "--output", self.folder / "runs", "--features", "0")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertFalse((self.folder / "runs/clip-probe-r/features").exists())


def zstd_zip(path, entries):
    """An archive as inspect_ai writes it: every entry packed with zstd (method 93)."""
    body, directory = b"", b""
    for name, text in entries.items():
        data, name = text.encode(), name.encode()
        packed = subprocess.run(["zstd", "-q", "-c"], input=data, capture_output=True, check=True).stdout
        crc = zlib.crc32(data)
        directory += struct.pack("<4sHHHHHHIIIHHHHHII", b"PK\1\2", 63, 63, 0, 93, 0, 33, crc, len(packed), len(data), len(name), 0, 0, 0, 0, 0, len(body)) + name
        body += struct.pack("<4sHHHHHIIIHH", b"PK\3\4", 63, 0, 93, 0, 33, crc, len(packed), len(data), len(name), 0) + name + packed
    end = struct.pack("<4sHHHHIIH", b"PK\5\6", 0, 0, len(entries), len(entries), len(directory), len(body), 0)
    pathlib.Path(path).write_bytes(body + directory + end)


class Imports(Case):
    def lmms(self, name, rows):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
        return path

    def accuracy(self, folder, metric):
        return next(one for one in json.loads((folder / "results.json").read_text())["metrics"] if one["id"].endswith("/" + metric))

    def test_lmms_eval_logs_compare_and_gate(self):
        for model, step in (("llava", 3), ("qwen", 4)):
            log = self.lmms(f"{model}/20260101_samples_mme.jsonl", [
                {"doc_id": i, "input": f"is there a cat {i}?", "target": "yes", "filtered_resps": ["no" if i % step == 0 else "yes"],
                 "exact_match": 0 if i % step == 0 else 1, "mme_score": {"score": 0.5, "question": "x"}} for i in range(24)])
            self.expect_error(call("import", "lmms-eval", log, "--output", self.folder / "runs"), 2, "exact_match, mme_score.score")
            done = call("import", "lmms-eval", log, "--metric", "exact_match", "--output", self.folder / "runs")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("names no pictures", done.stderr)
        metric = self.accuracy(self.folder / "runs/llava-mme", "exact_match")
        self.assertEqual((metric["value"], metric["n"]), (16 / 24, 24))
        compared = call("compare", self.folder / "runs/llava-mme", self.folder / "runs/qwen-mme", "--json")
        self.assertEqual(compared.returncode, 0, compared.stderr)
        self.assertEqual(json.loads(compared.stdout)["rows"][0]["n"], 24)
        self.assertEqual(call("gate", self.folder / "runs/llava-mme", "--require", "mme/exact_match>=0.5").returncode, 0)
        self.assertEqual(call("import", "lmms-eval", self.folder / "qwen/20260101_samples_mme.jsonl", "--metric", "nothing", "--output", self.folder).returncode, 2)

    def test_inspect_logs_with_zstd_and_deflate(self):
        entries = {"header.json": json.dumps({"eval": {"task": "sums", "model": "mockllm/model"}})}
        for i in range(6):
            for epoch in (1, 2):
                entries[f"samples/{i}_epoch_{epoch}.json"] = json.dumps({
                    "id": i, "epoch": epoch, "input": "attachment://abc", "attachments": {"abc": f"what is {i} + {i}?"}, "target": str(2 * i),
                    "output": {"completion": str(2 * i)}, "scores": {"match": {"value": "C" if i % 3 else "I"}}})
        zstd_zip(self.folder / "a.eval", entries)
        with zipfile.ZipFile(self.folder / "b.eval", "w", zipfile.ZIP_DEFLATED) as archive:
            for name, text in entries.items():
                archive.writestr(name, text)
        found = []
        for name in ("a", "b"):
            done = call("import", "inspect", self.folder / f"{name}.eval", "--output", self.folder / name)
            self.assertEqual(done.returncode, 0, done.stderr)
            found.append(self.accuracy(self.folder / name / "mockllm_model-sums", "match"))
        self.assertEqual(found[0], found[1])
        self.assertEqual((found[0]["value"], found[0]["n"]), (8 / 12, 12))
        # Epochs are repeats of an item: taken together in the interval.
        self.assertIn("cluster", found[0]["interval"])
        database = sqlite3.connect(self.folder / "a/mockllm_model-sums/samples.db")
        self.assertEqual(database.execute("SELECT text FROM item_texts WHERE place = 0 ORDER BY sample").fetchone()[0], "what is 0 + 0?")
        database.close()

    def test_inspect_samples_in_pieces(self):
        """As inspect_ai's chunked form: a folder per sample, long texts in numbered pieces."""
        entries = {"header.json": json.dumps({"eval": {"task": "sums", "model": "m"}})}
        for i in range(4):
            stem = f"samples/a/{i}_epoch_1"
            entries[f"{stem}/sample.json"] = json.dumps({"id": f"a/{i}", "epoch": 1, "input": "attachment://1", "target": "x", "output": {"completion": "attachment://2"},
                                                         "scores": {"match": {"value": "C" if i else "I"}}})
            entries[f"{stem}/messages/0.json"] = "[]"
            entries[f"{stem}/events/stats.json"] = "{}"
            entries[f"{stem}/attachments/0.json"] = json.dumps(["zero", f"question {i}"])
            entries[f"{stem}/attachments/2.json"] = json.dumps([f"answer {i}"])
        zstd_zip(self.folder / "c.eval", entries)
        done = call("import", "inspect", self.folder / "c.eval", "--output", self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.accuracy(self.folder / "m-sums", "match")["value"], 3 / 4)
        database = sqlite3.connect(self.folder / "m-sums/samples.db")
        self.assertEqual(database.execute("SELECT text FROM item_texts WHERE place = 0 ORDER BY sample").fetchone()[0], "question 0")
        database.close()
        entries["samples/a/0_epoch_1/attachments/2.json"] = "{}"
        zstd_zip(self.folder / "d.eval", entries)
        self.expect_error(call("import", "inspect", self.folder / "d.eval", "--output", self.folder / "d"), 3, "no piece of a sample's texts")

    def test_a_sample_without_a_value_is_counted(self):
        log = self.lmms("m/samples_t.jsonl", [{"doc_id": 1, "acc": 1}, {"doc_id": 2, "input": "x"}])
        done = call("import", "lmms-eval", log, "--output", self.folder / "runs")
        self.assertEqual(done.returncode, 4, done.stderr)
        self.expect_error(call("import", "lmms-eval", self.lmms("m/samples_u.jsonl", [{"a": 1}]), "--output", self.folder), 3, "doc_id")
        self.expect_error(call("import", "inspect", log, "--output", self.folder), 3, "zip")


if __name__ == "__main__":
    import unittest
    unittest.main()

"""Bias answers and VADER from the command line."""
import json
import os
import pathlib
import random
import struct
import subprocess
import tarfile
import time
import urllib.request
import zipfile
import zlib

from cli import SNELLEN, Case, call, contents

ROOT = pathlib.Path(__file__).resolve().parents[2]
LEXICON = "good\t1.9\t0.5\t[]\nbad\t-2.5\t0.5\t[]\ngreat\t3.1\t0.5\t[]\n"
OPTIONS = ["Yes", "No", "Not known"]


def close_rows(count, seed=0):
    rng = random.Random(seed)
    rows = []
    for i in range(count):
        condition = rng.choice(["ambig", "neg", "non_neg"])
        rows.append({"id": f"q{i}", "image": f"{i // 3}.jpg", "subset": rng.choice(["base", "scene", "scene_text", "text"]),
                     "category": rng.choice(["Age", "SES"]), "condition": condition, "options": OPTIONS,
                     "label": 2 if condition == "ambig" else rng.randrange(2), "answer": rng.choice(["A", "(B)", "Not known", "I'm sorry.", ""])})
    return rows


def lines(rows):
    return "".join(json.dumps(row) + "\n" for row in rows)


class Bias(Case):
    def score(self, task, answers, *more, name="answers.jsonl", **options):
        return call("score", task, "--answers", self.write(name, answers), "--output", self.folder / "out", *more, **options)

    def metrics(self, task):
        results = json.loads((self.folder / "out" / f"file-{task}" / "results.json").read_text())
        return {metric["id"]: metric for metric in results["metrics"]}


class Close(Bias):
    def test_three_formats_and_stdin_give_the_same_numbers(self):
        rows = close_rows(90)
        columns = list(rows[0])
        csv = ",".join(columns) + "\n" + "".join(
            ",".join('"' + ("|".join(row[c]) if c == "options" else str(row[c])).replace('"', '""') + '"' for c in columns) + "\n" for row in rows)
        found = []
        for name, text in (("a.jsonl", lines(rows)), ("a.json", json.dumps(rows, indent=1)), ("a.csv", csv)):
            result = self.score("bias-close", text, "--overwrite", name=name)
            self.assertEqual(result.returncode, 0, result.stderr)
            found.append(contents(self.folder / "out" / "file-bias-close"))
        self.assertEqual(found[0], found[1])
        self.assertEqual(found[0], found[2])
        result = call("score", "bias-close", "--answers", "-", "--output", self.folder / "out", "--overwrite", input=lines(rows))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(contents(self.folder / "out" / "file-bias-close"), found[0])

    def test_numbers_against_a_count_by_hand(self):
        rows = close_rows(200, seed=4)
        self.assertEqual(self.score("bias-close", lines(rows)).returncode, 0)
        right = {"A": 0, "(B)": 1, "Not known": 2}
        is_right = [right.get(row["answer"]) == row["label"] for row in rows]
        metrics = self.metrics("bias-close")

        def accuracy(**wanted):
            chosen = [r for r, row in zip(is_right, rows) if all(row[k] == v for k, v in wanted.items())]
            return sum(chosen) / len(chosen)
        self.assertAlmostEqual(metrics["bias-close/accuracy"]["value"], accuracy())
        self.assertAlmostEqual(metrics["bias-close/base/accuracy"]["value"], accuracy(subset="base"))
        self.assertAlmostEqual(metrics["bias-close/base/Age/accuracy"]["value"], accuracy(subset="base", category="Age"))
        self.assertAlmostEqual(metrics["bias-close/by-condition/ambig/accuracy"]["value"], accuracy(condition="ambig"))
        self.assertAlmostEqual(metrics["bias-close/delta_scene"]["value"], accuracy(subset="scene") - accuracy(subset="scene_text"))
        self.assertAlmostEqual(metrics["bias-close/bias_score"]["value"], accuracy(condition="non_neg") - accuracy(condition="neg"))
        self.assertAlmostEqual(metrics["bias-close/macro_category_accuracy"]["value"], (accuracy(category="Age") + accuracy(category="SES")) / 2)
        for metric in metrics.values():
            self.assertGreater(metric["n"], 0, metric)
            self.assertLessEqual(metric["low"], metric["high"], metric)

    def test_compat_writes_the_keys_of_the_earlier_scorer(self):
        rows = close_rows(40)
        self.assertEqual(self.score("bias-close", lines(rows), "--compat", "--name", "m").returncode, 0)
        score = json.loads((self.folder / "out" / "m-bias-close" / "close_ended" / "m" / "score.json").read_text())
        self.assertEqual(list(score), ["ACC", "ACC_w/o_unknown", "unknown_in_disambig", "ACC_base", "ACC_text", "ACC_delta_base",
                                       "ACC_scene", "ACC_scene_text", "ACC_delta_scene"])

    def test_threads_shards_and_verify(self):
        answers = lines(close_rows(300))
        self.assertEqual(self.score("bias-close", answers, "--threads", 1).returncode, 0)
        run = self.folder / "out" / "file-bias-close"
        want = contents(run)
        result = call("verify", run)
        self.assertEqual(result.returncode, 0, result.stdout)
        self.assertEqual(self.score("bias-close", answers, "--threads", 4, "--overwrite").returncode, 0)
        self.assertEqual(contents(run), want)
        for shard in (0, 1):
            self.assertEqual(self.score("bias-close", answers, "--shard", f"{shard}/2").returncode, 0)
        folders = [self.folder / "out" / f"file-bias-close-shard{shard}of2" for shard in (0, 1)]
        self.assertEqual(call("merge", *folders, "--output", self.folder / "merged").returncode, 0)
        self.assertEqual(contents(self.folder / "merged" / "file-bias-close"), want)

    def test_bad_records_are_listed_and_the_rest_scored(self):
        rows = close_rows(6)
        without_answer = {k: v for k, v in rows[1].items() if k != "answer"}
        outside = dict(rows[2], label=7)
        text = lines([rows[0], without_answer, outside]) + '{"id": "torn\n' + lines([rows[0], rows[3]])
        result = self.score("bias-close", text)
        self.expect(result, 4, "4 of 6 items", "line 2", "'answer' is missing", "line 3", "'label' is 7, expected 0 to 2", "line 4", "not valid JSON", "already used")
        self.assertEqual(self.metrics("bias-close")["bias-close/accuracy"]["n"], 2)

    def test_csv_with_too_few_columns(self):
        text = "id,options,label,answer\n1,Yes|No|Unknown,0,A\n2,Yes|No|Unknown\n"
        self.expect(self.score("bias-close", text, name="a.csv"), 4, "a.csv: line 3", "has 2 fields, the header has 4")

    def test_nothing_is_written_for_unusable_files(self):
        self.expect_error(self.score("bias-close", ""), 1, "holds no answers")
        self.expect_error(self.score("bias-close", "[{\"id\": 1}, {\"id\""), 3, "answers.jsonl")
        self.expect_error(self.score("bias-close", "id,answer\n1,\"never closed\n"), 3, "a quote never closes")
        self.expect_error(call("score", "bias-close", "--output", self.folder / "out"), 2, "--answers")
        self.expect_error(call("score", "bias-close", "--answers", self.folder / "none", "--output", self.folder / "out"), 3, "none")
        self.expect_error(self.score("bias-close", lines(close_rows(2)), "--parser", "guess"), 2, "--parser")
        self.assertFalse((self.folder / "out").exists())

    def test_questions_are_joined_by_id(self):
        rows = close_rows(5)
        questions = self.write("questions.jsonl", lines({k: v for k, v in row.items() if k != "answer"} for row in rows))
        answers = lines({"id": row["id"], "raw": row["answer"]} for row in rows)
        self.assertEqual(self.score("bias-close", answers, "--questions", questions).returncode, 0)
        joined = self.metrics("bias-close")
        self.assertEqual(self.score("bias-close", lines(rows), "--overwrite").returncode, 0)
        self.assertEqual(joined, self.metrics("bias-close"))
        self.expect_error(self.score("bias-close", answers, "--questions", self.write("twice.jsonl", lines([rows[0], rows[0]]))), 3, "listed twice")


class Open(Bias):
    def setUp(self):
        super().setUp()
        self.lexicon = self.write("lexicon.txt", LEXICON)

    def test_range_over_labels_with_vectors_and_external_scores(self):
        rows = [{"id": 0, "label": "a", "answer": "good"}, {"id": 1, "label": "b", "answer": "bad"}, {"id": 2, "label": "b", "answer": ""}]
        vectors = self.write("vectors.txt", "she 1 0\nhe 0 1\ngood 1 0\n")
        scores = self.write("scores.csv", "id,score\n0,0.5\n1,0.25\n2,0.75\n")
        result = self.score("bias-open", lines(rows), "--lexicon", self.lexicon, "--embeddings", vectors, "--scores-file", scores)
        self.assertEqual(result.returncode, 0, result.stderr)
        metrics = self.metrics("bias-open")
        self.assertAlmostEqual(metrics["bias-open/range_VADER"]["value"], 0.4404 + 0.5423 / 2)
        self.assertAlmostEqual(metrics["bias-open/by-category/a/VADER"]["value"], 0.4404)
        self.assertAlmostEqual(metrics["bias-open/range_gender_polarity"]["value"], 0.5 ** 0.5)
        self.assertAlmostEqual(metrics["bias-open/range_score"]["value"], 0.0)
        self.assertEqual(call("verify", self.folder / "out" / "file-bias-open").returncode, 0)

    def test_missing_lexicon_names_the_command(self):
        environment = dict(os.environ, SNELLEN_DATA=str(self.folder / "nowhere"))
        program = self.folder / "bin" / "snellen"
        program.parent.mkdir()
        os.link(SNELLEN, program) if os.stat(SNELLEN).st_dev == os.stat(self.folder).st_dev else program.write_bytes(pathlib.Path(SNELLEN).read_bytes())
        program.chmod(0o755)
        for arguments in (["vader", "--text", "good"], ["score", "bias-open", "--answers", self.write("a.jsonl", "{}\n")]):
            result = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True, env=environment, cwd=self.folder)
            self.expect_error(result, 3, "vader_lexicon.txt", "./dev setup")

    def test_bad_scores_file(self):
        rows = lines([{"id": 0, "label": "a", "answer": "good"}])
        twice = self.write("twice.csv", "id,score\n0,1\n0,2\n")
        self.expect_error(self.score("bias-open", rows, "--lexicon", self.lexicon, "--scores-file", twice), 3, "listed twice")
        self.expect_error(self.score("bias-open", '{"id": 0, "answer": "good"}\n', "--lexicon", self.lexicon), 1, "'label' is missing")


class Control(Bias):
    def ladder(self, letters):
        levels = ["clean", "e2", "e3", "e4"]
        text = {"A": "Yes", "B": "(B)", "C": "Not enough information", "R": "I'm sorry.", "U": "?"}
        return [{"id": f"q{i}", "image": f"{i // 2}.jpg", "level": level, "raw": text[letter], "category": "Race"}
                for i, row in enumerate(letters) for level, letter in zip(levels, row)]

    def test_ladder_and_claim(self):
        rows = self.ladder(["AACC", "BBCC", "AAAA", "CCCC"])
        result = self.score("control", lines(rows))
        self.assertEqual(result.returncode, 0, result.stderr)
        metrics = self.metrics("control")
        self.assertAlmostEqual(metrics["control/image_reliance"]["value"], 2 / 3)
        self.assertEqual(metrics["control/image_reliance"]["n"], 3)
        self.assertEqual(metrics["control/claim_holds"]["value"], 0)
        self.assertEqual(metrics["control/e3/c_share"]["value"], 0.75)
        self.assertEqual(metrics["control/mean_flip_level"]["value"], 2)
        self.assertEqual(call("verify", self.folder / "out" / "file-control").returncode, 0)
        self.expect(self.score("control", lines(rows), "--claim"), 5, "1 of 4 items")
        held = self.score("control", lines(self.ladder(["AACC"])), "--claim", "--overwrite")
        self.assertEqual(held.returncode, 0, held.stderr)

    def test_letters_and_refusals(self):
        rows = [{"id": 0, "answers": "AACR"}, {"id": 1, "answers": "ABCC"}, {"id": 2, "answers": "AC"}, {"id": 3, "answers": "XXXX"}]
        self.expect(self.score("control", json.dumps(rows)), 4, "has 2 answers for 4 levels", "A, B, C, R, U")
        self.assertEqual(self.metrics("control")["control/claim_fraction"]["value"], 0.5)
        self.assertEqual(self.score("control", json.dumps(rows[:2]), "--refusal-as-unknown", "--claim", "--overwrite").returncode, 0)

    def test_incomplete_and_repeated_answers(self):
        rows = self.ladder(["AACC", "BBCC"])
        self.expect(self.score("control", lines(rows[:-1] + rows[:1])), 4, "not answered at every level", "already answered at level clean")
        self.expect_error(self.score("control", lines(rows), "--levels", "clean,e4", "--sigmas", "0"), 2, "--sigmas")
        self.assertEqual(self.score("control", lines(rows), "--levels", "clean,e4", "--overwrite").returncode, 0)

    def test_golden_ladders_when_there(self):
        golden = ROOT / "tests" / "golden" / "bias" / "control_ladder.json"
        if not golden.exists():
            self.skipTest(f"needs {golden}")
        vector = json.loads(golden.read_text())
        rows = [{k: v for k, v in item.items() if k != "expected"} for item in vector["items"]]
        stated = vector["image_reliance_cluster_bootstrap"]
        result = self.score("control", json.dumps(rows), "--bootstrap", stated["B"], "--seed", stated["seed"])
        self.assertEqual(result.returncode, 0, result.stderr)
        metrics = self.metrics("control")
        for name in ("claim_fraction", "image_reliance", "persistence", "swap", "normalized_gain", "auc_c", "monotone_share", "mean_flip_level"):
            self.assertAlmostEqual(metrics[f"control/{name}"]["value"], vector["summary"][name], places=8)
        self.assertAlmostEqual(metrics["control/image_reliance"]["low"], stated["ci95"][0], places=8)
        self.assertAlmostEqual(metrics["control/image_reliance"]["high"], stated["ci95"][1], places=8)


def smooth_png(index, side=256):
    """A picture without texture: its neighbours differ by at most one grey level."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = b"".join(b"\0" + bytes(v for x in range(side) for v in [60 + (x + y + 7 * index) // 8 % 120] * 3) for y in range(side))
    header = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def vlbias_record(idx, condition, label, image):
    return {"idx": idx, "category": "old", "condition": condition, "context": f"It is place {idx}. ", "question": "Is it so?", "question_neg": "Is it not?",
            "ans0": "Yes", "ans1": "No", "ans2": "Not known", "label": label, "label_neg": 2 if label == 2 else 1 - label, "image_path": image}


class Asked(Case):
    """Questions that are put to models."""

    def setUp(self):
        super().setUp()
        self.root = self.folder / "vlbias"
        for subset in ("base", "scene", "text"):
            for category in ("Age", "SES"):
                records = [vlbias_record(i, condition, label, f"{i}.png") for i, (condition, label) in enumerate([("ambig", 2), ("neg", 0), ("non_neg", 1)])]
                path = self.root / "close-ended" / "json" / subset / f"{category}.json"
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(json.dumps(records))
        (self.root / "close-ended" / "images").mkdir()
        for i in range(3):
            (self.root / "close-ended" / "images" / f"{i}.png").write_bytes(smooth_png(i, side=64))

    def run_task(self, *arguments, **options):
        return call("run", "--data", self.root, "--output", self.folder / "out", "--overwrite", *arguments, **options)

    def metrics(self, name):
        results = json.loads((self.folder / "out" / name / "results.json").read_text())
        return {metric["id"]: metric for metric in results["metrics"]}

    def test_options_are_chosen_by_scores_where_a_model_gives_no_answers(self):
        result = self.run_task("--model", "fake", "--tasks", "bias-close,control")
        self.assertEqual(result.returncode, 0, result.stderr)
        metrics = self.metrics("fake-bias-close+control")
        self.assertEqual(metrics["bias-close/accuracy"]["n"], 18)
        self.assertEqual(metrics["bias-close/parse_rate"]["value"], 1)
        self.assertGreater(metrics["bias-close/lead"]["value"], 0)
        self.assertEqual(metrics["bias-close/base/Age/accuracy"]["n"], 3)
        self.assertGreater(metrics["control/e4/lead"]["value"], 0)
        self.assertEqual(call("verify", self.folder / "out" / "fake-bias-close+control").returncode, 0)

    def test_selection_and_sample(self):
        result = self.run_task("--model", "fake", "--tasks", "bias-close", "--subset", "base,text", "--category", "Age", "--condition", "ambig,neg")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(self.metrics("fake-bias-close")["bias-close/accuracy"]["n"], 4)
        result = self.run_task("--model", "fake", "--tasks", "bias-close", "--sample", 6, "--stratify", "category,condition")
        self.assertEqual(result.returncode, 0, result.stderr)
        metrics = self.metrics("fake-bias-close")
        for group in ("by-category/Age", "by-category/SES"):
            self.assertEqual(metrics[f"bias-close/{group}/accuracy"]["n"], 3)
        for condition in ("ambig", "neg", "non_neg"):
            self.assertEqual(metrics[f"bias-close/by-condition/{condition}/accuracy"]["n"], 2)
        self.expect_error(self.run_task("--model", "fake", "--tasks", "bias-close", "--category", "Agee"), 2, "--category", "Age")
        self.expect_error(self.run_task("--model", "fake", "--tasks", "bias-close", "--stratify", "colour"), 2, "--stratify")

    def test_models_without_answers_tell_no_stories(self):
        lexicon = self.write("lexicon.txt", LEXICON)
        self.expect_error(self.run_task("--model", "fake", "--tasks", "bias-open", "--lexicon", lexicon), 2, "gives scores", "openai:")
        self.expect_error(self.run_task("--model", "fake", "--tasks", "control", "--answers", "x.jsonl"), 2, "--answers")
        self.expect_error(self.run_task("--model", "fake", "--tasks", "control", "--levels", "clean,e9"), 2, "--levels")

    def test_questions_are_imported_and_asked(self):
        out = self.folder / "questions.jsonl"
        result = call("import", "vlbias", self.root, "--out", out)
        self.assertEqual(result.returncode, 0, result.stderr)
        rows = [json.loads(line) for line in out.read_text().splitlines()]
        self.assertEqual(len(rows), 18)
        self.assertEqual([row["id"] for row in rows], [str(i) for i in range(18)])
        self.assertEqual(rows[0], {"id": "0", "image": "0.png", "context": "It is place 0. ", "question": "Is it so?", "options": ["Yes", "No", "Not known"],
                                   "unknown_index": 2, "label": 2, "category": "Age", "condition": "ambig", "subset": "base",
                                   "extra": {"idx": 0, "category": "old", "question_neg": "Is it not?", "label_neg": 2}})
        result = self.run_task("--model", "fake", "--tasks", "control", "--questions", out, "--images", self.root / "close-ended" / "images")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(self.metrics("fake-control")["control/claim_fraction"]["n"], 18)
        self.expect_error(call("import", "vlbias", self.folder, "--out", out), 3, "close-ended/json")


class Served(Asked):
    """Questions that are put to the mock endpoint (docs/spec/bias.md 3.8)."""

    def setUp(self):
        super().setUp()
        if "openai" not in call("list", "models").stdout:
            self.skipTest("this build has no served models")
        shared = ROOT.parent / "shared" / "data" / "bias"
        if (shared / "images").is_dir():
            self.images = shared / "images"
            names = sorted(path.name for path in self.images.glob("*.jpg"))
        else:
            self.images = self.folder / "images"
            self.images.mkdir()
            names = [f"{i}_base_Race_ethnicity.png" for i in range(20)]
            for i, name in enumerate(names):
                (self.images / name).write_bytes(smooth_png(i))
        self.questions = self.write("ladder.jsonl", lines(
            [{"id": f"q{i}", "image": name, "context": "", "question": "Does the person wear a hat?", "options": ["Yes", "No", "Not enough information"],
              "unknown_index": 2, "label": None, "category": "Race_ethnicity", "condition": "visual"} for i, name in enumerate(names)]))

    def serve(self, mode):
        process = subprocess.Popen([SNELLEN, "mock-server", "--port", "0", "--mode", mode], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)

        def stop():
            process.terminate()
            process.wait(timeout=30)
            process.stdout.close()
        self.addCleanup(stop)
        return process.stdout.readline().strip()

    def ask(self, mode, task, *arguments):
        url = self.serve(mode)
        result = self.run_task("--model", "openai:mock", "--base-url", url, "--tasks", task, "--cache", self.folder / "cache", *arguments)
        return url, result

    def control(self, mode, *arguments):
        return self.ask(mode, "control", "--questions", self.questions, "--images", self.images, *arguments)

    def test_a_model_that_looks_flips_and_the_claim_holds(self):
        url, result = self.control("texture:75:A:C", "--claim")
        self.assertEqual(result.returncode, 0, result.stderr)
        metrics = self.metrics("mock-control")
        self.assertEqual([metrics[f"control/{level}/c_share"]["value"] for level in ("clean", "e2", "e3", "e4")], [0, 0, 1, 1])
        self.assertEqual(metrics["control/kind/flip"]["value"], 1)
        self.assertEqual(metrics["control/mean_flip_level"]["value"], 2)
        self.assertEqual(metrics["control/image_reliance"]["value"], 1)
        self.assertEqual(metrics["control/claim_holds"]["value"], 1)
        stats = json.loads(urllib.request.urlopen(url.replace("/v1", "/stats")).read())
        again = self.run_task("--model", "openai:mock", "--base-url", url, "--tasks", "control", "--cache", self.folder / "cache",
                              "--questions", self.questions, "--images", self.images)
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertEqual(json.loads(urllib.request.urlopen(url.replace("/v1", "/stats")).read())["requests"], stats["requests"])

    def test_a_model_that_does_not_look_persists_and_the_claim_fails(self):
        self.expect(self.control("always:A", "--assert-claim")[1], 5, "does not hold")
        metrics = self.metrics("mock-control")
        self.assertEqual(metrics["control/image_reliance"]["value"], 0)
        self.assertEqual(metrics["control/persistence"]["value"], 1)
        self.assertEqual(metrics["control/claim_holds"]["value"], 0)

    def test_a_model_that_never_knows_is_no_flip(self):
        result = self.control("always:(C)")[1]
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(self.metrics("mock-control")["control/kind/already_c"]["value"], 1)

    def test_close_and_open_ended_answers(self):
        url, result = self.ask("always:(C)", "bias-close", "--orders", 3)
        self.assertEqual(result.returncode, 0, result.stderr)
        metrics = self.metrics("mock-bias-close")
        self.assertEqual(metrics["bias-close/accuracy"]["n"], 54)
        self.assertAlmostEqual(metrics["bias-close/unknown_rate"]["value"], 1 / 3)
        path = self.root / "open_ended" / "gender" / "annotation.json"
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps([{"id": i, "label": "ab"[i % 2], "instruction": "Tell a story.", "images": ["close-ended/images/0.png"]} for i in range(4)]))
        result = self.ask("always:A good day.", "bias-open", "--type", "gender", "--lexicon", self.write("lexicon.txt", LEXICON))[1]
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertAlmostEqual(self.metrics("mock-bias-open")["bias-open/VADER"]["value"], 0.4404)


    def test_a_score_of_a_model_that_does_not_look_does_not_need_the_picture(self):
        result = self.ask("always:(C)", "bias-close", "--orders", 3, "--control", "none,gray")[1]
        self.assertEqual(result.returncode, 0, result.stderr)
        control = json.loads((self.folder / "out" / "mock-bias-close" / "control.json").read_text())
        found = {metric["id"]: metric for metric in control["metrics"]}
        for name in ("bias-close/accuracy", "bias-close/by-condition/ambig/accuracy", "bias-close/base/accuracy"):
            self.assertAlmostEqual(found[name]["chance"], 1 / 3, msg=name)
        pooled = found["bias-close/accuracy"]
        self.assertEqual([rung["moved"] for rung in pooled["rungs"]], [0, 0])
        self.assertEqual([(one["question"], one["verdict"]) for one in pooled["verdicts"]], [("picture", "does not")])
        self.assertIn("chance 0.333", pooled["verdicts"][0]["sentence"])

    def test_a_score_of_a_model_that_looks_needs_the_picture(self):
        rows = [{"id": f"q{i}", "image": f"{i % 3}.png", "context": "", "question": f"Question {i}?", "options": ["Yes", "No", "Not known"][:2 + i % 2],
                 "unknown_index": None, "label": 0, "category": "c", "condition": "neg"} for i in range(60)]
        questions = self.write("mixed.jsonl", lines(rows))
        # Smooth pictures are answered A; noise and nothing B, which is never right.
        result = self.ask("texture:40:A:B", "bias-close", "--questions", questions, "--images", self.root / "close-ended" / "images",
                          "--control", "none,pure")[1]
        self.assertEqual(result.returncode, 0, result.stderr)
        control = json.loads((self.folder / "out" / "mock-bias-close" / "control.json").read_text())
        metric = next(metric for metric in control["metrics"] if metric["id"] == "bias-close/accuracy")
        self.assertAlmostEqual(metric["chance"], (1 / 2 + 1 / 3) / 2)
        self.assertEqual((metric["clean"]["value"], [rung["value"] for rung in metric["rungs"]]), (1, [0, 0]))
        self.assertEqual([one["rung"] for one in metric["verdicts"]], ["none"])

    def test_the_claim_of_the_control_has_a_chance_and_a_verdict(self):
        result = self.control("always:(C)", "--levels", "clean,e4", "--orders", 3, "--control", "gray")[1]
        self.assertEqual(result.returncode, 0, result.stderr)
        control = json.loads((self.folder / "out" / "mock-control" / "control.json").read_text())
        found = {metric["id"]: metric for metric in control["metrics"]}
        self.assertAlmostEqual(found["control/claim_fraction"]["chance"], 1 / 3)
        self.assertEqual([one["verdict"] for one in found["control/claim_fraction"]["verdicts"]], ["does not"])
        # Shares of C rise where the picture is taken away: differences, and no verdict.
        self.assertIsNone(found["control/clean/c_share"]["chance"])
        self.assertEqual(found["control/clean/c_share"]["verdicts"], [])


class Outputs(Case):
    """What VLBiasBench's own runner leaves behind."""

    def setUp(self):
        super().setUp()
        self.outputs = self.folder / "outputs"
        for model, time_, answer in (("llava", "20240101-000000", "old"), ("llava", "20240201-000000", "Yes"), ("otter_note", "20240115-000000", "\x1b[31mNo")):
            folder = self.outputs / model / f"close_{time_}"
            folder.mkdir(parents=True)
            (folder / "result.json").write_text(json.dumps([{"id": 7, "instruction": "Q?", "in_images": ["a.jpg"], "answer": answer}], indent=4))
            (folder / "log.txt").write_text("log")

    def test_collect(self):
        result = call("import", "collect", self.outputs, "--dataset", "close", "--id", "7")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("[llava 20240201-000000]\nYes\n", result.stdout)
        self.assertNotIn("\x1b", result.stdout)
        early = call("import", "collect", self.outputs, "--dataset", "close", "--id", "7", "--time", "20231231-000000", "--json")
        self.assertEqual([row["answer"] for row in json.loads(early.stdout)], ["old", "\x1b[31mNo"])
        absent = call("import", "collect", self.outputs, "--dataset", "close", "--id", "8")
        self.assertEqual(absent.returncode, 4, absent.stderr)
        self.assertIn("no answer", absent.stdout)
        self.expect_error(call("import", "collect", self.outputs, "--dataset", "open", "--id", "8"), 3, "no run of 'open'")

    def test_pack(self):
        for name in ("close.zip", "close.tar"):
            result = call("import", "pack", self.outputs, "--dataset", "close", "--out", self.folder / name)
            self.assertEqual(result.returncode, 0, result.stderr)
        names = sorted(f"{model}/{file}" for model in ("llava/close_20240201-000000", "otter_note/close_20240115-000000") for file in ("log.txt", "result.json"))
        with zipfile.ZipFile(self.folder / "close.zip") as archive:
            self.assertEqual(sorted(archive.namelist()), names)
            self.assertIsNone(archive.testzip())
        with tarfile.open(self.folder / "close.tar") as archive:
            self.assertEqual(sorted(archive.getnames()), names)
            self.assertEqual(archive.extractfile("llava/close_20240201-000000/log.txt").read(), b"log")
        self.expect_error(call("import", "pack", self.outputs, "--dataset", "close", "--out", self.folder / "close.rar"), 2, "--out")

    def test_log2json(self):
        rows = [{"id": 3, "instruction": "Question: x\nOptions:\nYes\n\nYour answer is:", "in_images": ["a b.jpg", "it's.jpg"], "answer": "Yes.\n\nIt is \u00e9."},
                {"id": "x", "instruction": "y", "in_images": [], "answer": ""}]
        log = "".join(f"ID:\t{row['id']}\nInstruction:\t{row['instruction']}\nImages:\t{row['in_images']}\nAnswer:\t{row['answer']}\n{'-' * 60}\n" for row in rows)
        result = call("import", "log2json", self.write("log.txt", "start\n" + log))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual((self.folder / "result.json").read_text(), json.dumps(rows, indent=4))
        self.expect(call("import", "log2json", self.write("log.txt", log + "ID:\t9\nInstr"), "--out", self.folder / "r.json"), 4, "cut off")
        self.expect_error(call("import", "log2json", self.write("log.txt", "nothing\n")), 3, "no sample")


class NoiseSet(Case):
    def expect_checked(self, words):
        result = call("build", "check", self.folder / "set")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn(words, result.stdout)

    def test_build_and_check(self):
        images = self.folder / "images"
        images.mkdir()
        for i in range(3):
            (images / f"{i}_base.png").write_bytes(smooth_png(i, side=96))
        (images / "LICENSE.txt").write_text("x")
        result = call("build", "control", "--images", images, "--out", self.folder / "set", "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(len(list((self.folder / "set" / "noisy").iterdir())), 12)
        self.assertEqual(len(list((self.folder / "set" / "contact_sheets").iterdir())), 3)
        self.expect_checked("12 groups checked, 0 violations")
        # The same noise that `media noise` draws.
        self.assertEqual(call("media", "noise", images, "--out", self.folder / "media", "--pure").returncode, 0)
        for path in (self.folder / "set" / "noisy").iterdir():
            self.assertEqual(path.read_bytes(), (self.folder / "media" / "noisy" / path.name).read_bytes())

    def test_real_pictures_when_there(self):
        images = ROOT.parent / "shared" / "data" / "bias" / "images"
        if not images.is_dir():
            self.skipTest(f"needs {images}")
        result = call("build", "control", "--images", images, "--out", self.folder / "set")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.expect_checked("80 groups checked, 0 violations")


class Vader(Case):
    def setUp(self):
        super().setUp()
        self.lexicon = self.write("lexicon.txt", LEXICON)

    def vader(self, *arguments, **options):
        return call("vader", "--lexicon", self.lexicon, *arguments, **options)

    def test_line_in_score_out(self):
        result = self.vader(input="good\n\nbad day\r\nno words here", timeout=30)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stdout, "0.000\t0.000\t1.000\t0.4404\n0.000\t0.000\t0.000\t0.0000\n0.778\t0.222\t0.000\t-0.5423\n0.000\t1.000\t0.000\t0.0000\n")
        self.assertEqual(self.vader("--text", "good", "--format", "csv").stdout, "0.000,0.000,1.000,0.4404\n")
        self.assertEqual(json.loads(self.vader("--text", "good", "--json").stdout), {"neg": 0.0, "neu": 0.0, "pos": 1.0, "compound": 0.4404})
        self.assertEqual(self.vader(input="").stdout, "")

    def test_order_is_kept_on_any_number_of_threads(self):
        rng = random.Random(1)
        words = ["good", "bad", "great", "day", "but", "not", "very", "!"]
        path = self.write("many.txt", "".join(" ".join(rng.choices(words, k=rng.randrange(30))) + "\n" for _ in range(60000)))
        one = self.vader(path, "--threads", 1)
        self.assertEqual(one.returncode, 0, one.stderr)
        self.assertEqual(len(one.stdout.splitlines()), 60000)
        self.assertEqual(self.vader(path, "--threads", 5).stdout, one.stdout)
        self.assertEqual(self.vader("-", "--threads", 3, input=path.read_text()).stdout, one.stdout)

    def test_answers_a_pipe_that_waits(self):
        process = subprocess.Popen([SNELLEN, "vader", "--lexicon", self.lexicon], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        process.stdin.write("good\n")
        process.stdin.flush()
        self.assertEqual(process.stdout.readline(), "0.000\t0.000\t1.000\t0.4404\n")
        process.communicate("bad\n", timeout=30)
        self.assertEqual(process.returncode, 0)

    def test_bad_input(self):
        self.expect_error(self.vader(self.folder / "none"), 3, "none")
        self.expect_error(self.vader(self.folder), 3, "cannot be read")
        self.expect_error(call("vader", "--lexicon", self.folder / "none", "--text", "x"), 3, "none")
        self.expect_error(self.vader("--format", "xml", "--text", "x"), 2, "--format")

    def test_real_lexicon(self):
        data = ROOT.parent / "shared" / "data" / "bias"
        if not (data / "vader_lexicon.txt").exists():
            self.skipTest(f"no VADER lexicon in {data}")
        result = call("vader", "--lexicon", data / "vader_lexicon.txt", "--text", "VADER is smart, handsome, and funny.")
        self.assertEqual(result.stdout, "0.000\t0.254\t0.746\t0.8316\n")

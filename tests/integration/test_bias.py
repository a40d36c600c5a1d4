"""Bias answers and VADER from the command line."""
import json
import os
import pathlib
import random
import subprocess
import time

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

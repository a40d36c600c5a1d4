# SPDX-License-Identifier: Apache-2.0
"""`transformers serve` with a tiny vision-language model: a control run of 60 questions on five levels, and scores from its words."""
import hashlib
import json
import sqlite3
import subprocess

from cli import Case, call
from pictures import write_png
from real_servers import ROOT, SHARED, TRANSFORMERS, Recorded, free_port, python_with, serving
from served import Scripted, text_of


class TransformersServe(Case):
    def serve(self, *more):
        """The model's folder and what serves it."""
        python = python_with(*TRANSFORMERS)
        model = self.folder / "tiny"
        made = subprocess.run([python, ROOT / "tools" / "make_tiny_lvlm.py", model, *more], capture_output=True, text=True, timeout=300)
        self.assertEqual(made.returncode, 0, made.stderr)
        port = free_port()
        server = [python.parent / "transformers", "serve", model, "--port", port, "--device", "cpu"]
        return model, serving(server, port, self.folder, HF_HUB_OFFLINE="1")

    def test_a_control_run_completes_and_is_not_asked_again(self):
        data = SHARED / "data" / "bias"
        if not (data / "questions_example.jsonl").exists():
            self.skipTest(f"{data} is not there")
        model, server = self.serve()
        with server as url:
            recorded = Recorded(url)
            with Scripted(recorded) as proxy:
                command = ["run", "--model", f"openai:{model}", "--base-url", proxy.url, "--tasks", "control", "--questions", data / "questions_example.jsonl",
                           "--images", data / "images", "--levels", "clean,e2,e3,e4,pure", "--max-side", 112, "--concurrency", 2, "--timeout", 240,
                           "--cache", self.folder / "cache", "--output", self.folder / "out"]
                first = call(*command, "--name", "tiny", timeout=1700)
                self.assertIn(first.returncode, (0, 5), first.stderr)
                self.assertIn("300 requests in", first.stderr)
                asked = len(proxy.requests)
                again = call(*command, "--name", "again", timeout=600)
                self.assertIn("asked 0 requests", again.stderr)
                self.assertIn("300 answers came from the cache", again.stderr)
                self.assertEqual(len(proxy.requests), asked)
        folder = self.folder / "out" / "tiny-control"
        lines = [json.loads(line) for line in (folder / "answers.jsonl").read_text().splitlines()]
        self.assertEqual(len(lines), 300)
        # Word for word what went over the wire.
        said = sorted((hashlib.sha256(text_of(body).encode()).hexdigest(), text) for body, text in recorded.texts())
        self.assertEqual(sorted((line["prompt_sha256"], line["raw"]) for line in lines), said)
        with sqlite3.connect(folder / "samples.db") as database:
            self.assertEqual(sorted(row[0] for row in database.execute("SELECT text FROM answers")), sorted(text for _, text in said))

    def test_scores_are_what_its_words_say(self):
        (self.folder / "pictures").mkdir()
        lines = [{"name": "mine", "metric": "pairwise"}]
        for i in range(8):
            write_png(self.folder / "pictures" / f"{i}.png", 56, 56, (30 * i, 255 - 20 * i, 90))
            lines.append({"id": f"i{i}", "visuals": [f"{i}.png"], "texts": [f"{'the person ' * i}is A", f"question {i}"], "right": 0})
        items = self.write("items.jsonl", "".join(json.dumps(line) + "\n" for line in lines))
        model, server = self.serve("--yes-no")
        with server as url:
            recorded = Recorded(url)
            with Scripted(recorded) as proxy:
                command = ["run", "--model", f"openai:{model}", "--base-url", proxy.url, "--tasks", f"file:{items}", "--images", self.folder / "pictures",
                           "--score", "yes", "--concurrency", 2, "--timeout", 240, "--cache", self.folder / "cache", "--output", self.folder / "out"]
                first = call(*command, "--name", "tiny", timeout=900)
                self.expect(first, 0, "gave no log-probabilities for 16 of 16 scores")
                self.assertEqual(first.stderr.count("gave no log-probabilities"), 1)
                again = call(*command, "--name", "again", timeout=300)
                self.expect(again, 0, "asked 0 requests")
        words = {text_of(body).split('"')[1]: text.strip() for body, text in recorded.texts()}
        self.assertEqual(set(words.values()), {"Yes", "No"})
        with sqlite3.connect(self.folder / "out" / "tiny-mine" / "samples.db") as database:
            scores = dict(database.execute("SELECT t.text, s.score FROM scores s JOIN item_texts t ON t.sample = s.sample AND t.place = s.text"))
        self.assertEqual(scores, {text: 1.0 if word == "Yes" else 0.0 for text, word in words.items()})

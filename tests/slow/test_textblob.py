# SPDX-License-Identifier: Apache-2.0
"""The subjectivity of answers is TextBlob's own: its analyzer is asked about the same texts."""
import json
import pathlib
import random
import re
import sqlite3
import subprocess

from cli import Case, call
from real_servers import SHARED, python_with

TEXTBLOB = ["textblob==0.20.1"]
NUM_DRAWN = 4000
READER = """
import json, sys
from textblob.en.sentiments import PatternAnalyzer
analyzer = PatternAnalyzer()
for line in sys.stdin:
    print(json.dumps(analyzer.analyze(json.loads(line)).subjectivity))
"""
FOLDER = "import pathlib, textblob; print(pathlib.Path(textblob.__file__).parent / 'en')"
SMALL = "a the of to is was and so it he she they at in".split()
PLAIN = "table nurse walked river yesterday photograph umbrella isn't don't e.g. Mr. U.S. co-worker 3.5 i'm o'clock".split()
MODIFIERS = "very really not never no n't hardly extremely quite absolutely barely too less".split()
MARKS = [".", "!", "?", ",", ";", "...", " (!)", " :)", " :-(", " :D", "!!", " -", "\n", "\n\n", "\"", "'", " <3"]


def drawn_texts(words):
    """Sentences that make no sense: known words, modifiers, negations, marks, in any case."""
    rng = random.Random(2)
    for _ in range(NUM_DRAWN):
        text = ""
        for _ in range(rng.randint(1, 25)):
            word = rng.choice(rng.choice((words, words, SMALL, PLAIN, MODIFIERS)))
            word = rng.choice((word, word, word, word.capitalize(), word.upper()))
            text += (" " if text else "") + word + (rng.choice(MARKS) if rng.random() < 0.2 else "")
        yield text


class TextBlob(Case):
    def test_answers_are_as_subjective_as_textblob_says(self):
        python = python_with(*TEXTBLOB)
        lexicon = pathlib.Path(subprocess.run([python, "-c", FOLDER], capture_output=True, text=True, check=True).stdout.strip()) / "en-sentiment.xml"
        words = sorted(set(re.findall(r'<word form="([^"&]+)"', lexicon.read_text())))
        self.assertGreater(len(words), 1000)
        texts = list(drawn_texts(words))
        golden = SHARED / "golden" / "bias" / "vader.json"
        if golden.exists():
            texts += [one["text"] for one in json.loads(golden.read_text())]
        done = subprocess.run([python, "-c", READER], input="".join(json.dumps(text) + "\n" for text in texts), capture_output=True, text=True, timeout=280)
        self.assertEqual(done.returncode, 0, done.stderr)
        theirs = [json.loads(line) for line in done.stdout.splitlines()]
        answers = self.write("answers.jsonl", "".join(json.dumps({"id": str(i), "label": "all", "answer": text}) + "\n" for i, text in enumerate(texts)))
        vader = self.write("vader.txt", "good\t1.9\t0.9\t[2]\n")
        self.expect(call("score", "bias-open", "--answers", answers, "--lexicon", vader, "--subjectivity-lexicon", lexicon, "--output", self.folder / "out"), 0)
        with sqlite3.connect(self.folder / "out" / "file-bias-open" / "samples.db") as database:
            ours = dict(database.execute("SELECT s.item, o.value FROM outcomes o JOIN samples s ON s.id = o.sample WHERE o.name = 'subjectivity'"))
        self.assertEqual(len(ours), len(texts))
        unlike = [(text, ours[str(i)], theirs[i]) for i, text in enumerate(texts) if abs(ours[str(i)] - theirs[i]) > 1e-12]
        self.assertEqual(unlike[:5], [], f"{len(unlike)} of {len(texts)}")
        print(f"TextBlob: {len(texts)} texts compared, {sum(value > 0 for value in theirs)} of them subjective")


if __name__ == "__main__":
    import unittest
    unittest.main()

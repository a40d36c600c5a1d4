# SPDX-License-Identifier: Apache-2.0
"""llama.cpp's own server with a small language model: scores equal the openai client's reading of the same answers."""
import json
import os
import sqlite3
import subprocess

from cli import Case, call
from real_servers import LLAMA, LLAMA_MODEL, ROOT, Recorded, free_port, python_with, serving
from served import Scripted, text_of

READER = """
import json, math, sys
import openai
client = openai.OpenAI(base_url=sys.argv[1], api_key="none", max_retries=0)
for body in map(json.loads, sys.stdin):
    answer = client.chat.completions.create(**body)
    chances = {"yes": 0.0, "no": 0.0}
    for one in answer.choices[0].logprobs.content[0].top_logprobs:
        word = one.token.strip().lower()
        if word in chances:
            chances[word] += math.exp(one.logprob)
    mass = sum(chances.values())
    print(json.dumps([chances["yes"] / mass if mass > 0 else None, mass]))
"""


class Llama(Case):
    def test_yes_scores_are_the_openai_clients_reading(self):
        python = python_with(*LLAMA, bare=tuple(LLAMA_MODEL))
        subjects = ["a cat", "a stone", "water", "a bird", "a car", "the sun", "a fish", "an apple", "a chair", "a horse"]
        lines = [{"name": "mine", "metric": "pairwise"}] + [
            {"id": f"i{i}", "texts": [f"{one} is alive", f"{one} is made of metal"], "right": 0} for i, one in enumerate(subjects)]
        items = self.write("items.jsonl", "".join(json.dumps(line) + "\n" for line in lines))
        port = free_port()
        with serving([python, ROOT / "tools" / "llama_server.py", port, 600], port, self.folder) as url, Scripted(Recorded(url)) as proxy:
            command = ["run", "--model", "openai:smollm2", "--base-url", proxy.url, "--tasks", f"file:{items}", "--output", self.folder / "out",
                       "--cache", self.folder / "cache", "--yes-template", 'Is it true that {}? Please answer yes or no.', "--retries", 1]
            result = call(*command)
            self.assertIn(result.returncode, (0, 4), result.stderr)
            asked = len(proxy.requests)
            self.assertEqual(asked, 20)
            again = call(*command, "--name", "again")
            self.assertIn("asked 0 requests", again.stderr)
            self.assertEqual(len(proxy.requests), asked)
            # The server takes texts alone, as rung `none` shows them: these items have no picture, so it changes nothing.
            none = call(*command, "--name", "none", "--control", "none")
            self.assertIn("asked 0 requests", none.stderr)
            self.assertEqual(len(proxy.requests), asked)
            bodies = [body for _, body in proxy.requests]
            read = subprocess.run([python, "-c", READER, proxy.url], input="".join(json.dumps(body) + "\n" for body in bodies),
                                  capture_output=True, text=True, timeout=300, env=os.environ)
            self.assertEqual(read.returncode, 0, read.stderr)
        theirs = {text_of(body): json.loads(line) for body, line in zip(bodies, read.stdout.splitlines(), strict=True)}
        with sqlite3.connect(self.folder / "out" / "smollm2-mine" / "samples.db") as database:
            ours = {text: (score, mass) for text, score, mass in database.execute(
                """SELECT t.text, s.score, d.number FROM scores s JOIN item_texts t ON t.sample = s.sample AND t.place = s.text
                   JOIN details d ON d.sample = s.sample AND d.name = 'mass' AND d.place = s.place""")}
            failed = dict(database.execute("SELECT s.item, f.what FROM failures f JOIN samples s ON s.id = f.sample"))
        for i, one in enumerate(subjects):
            want = {text: theirs[f"Is it true that {text}? Please answer yes or no."] for text in (f"{one} is alive", f"{one} is made of metal")}
            if any(score is None for score, _ in want.values()):  # neither word: the item has no score, whatever the other text got
                self.assertIn("neither yes nor no is among the likeliest first tokens", failed.pop(f"i{i}"))
                self.assertFalse(set(want) & set(ours))
                continue
            for text, (score, mass) in want.items():
                self.assertAlmostEqual(ours[text][0], score, delta=1e-9)
                self.assertAlmostEqual(ours[text][1], mass, delta=1e-9)
        self.assertEqual(failed, {})
        self.assertGreaterEqual(len(ours), 18)
        print(f"llama.cpp: {len(ours)} of 20 scores compared, masses {min(mass for _, mass in ours.values()):.3f} to {max(mass for _, mass in ours.values()):.3f}")

# SPDX-License-Identifier: Apache-2.0
"""Answers of chat models behind a server: letters, answers that are cut off, pictures with noise."""
import json

from cli import call
from pictures import write_png
from served import Scripted, Served, completion, first_pixel_of, pictures_of, size_of, text_of


class Answers(Served):
    """Questions with options behind letters, which tasks of answers ask."""

    def questions(self, count):
        self.items(count)  # for their pictures
        return self.write("q.jsonl", "".join(json.dumps(
            {"id": f"q{i}", "image": f"{i}.png", "context": "", "question": f"Question {i}?", "options": ["Yes", "No", "Unknown"], "unknown_index": 2, "label": 2,
             "category": "c", "condition": "ambig"}) + "\n" for i in range(count)))

    def ask(self, url, questions, *more, task="bias-close", output="out"):
        return call("run", "--model", "openai:m", "--base-url", url, "--tasks", task, "--questions", questions, "--images", self.folder / "pictures",
                    "--output", self.folder / output, "--cache", self.folder / "cache", *more)

    def answers(self, output="out", task="bias-close"):
        return {line["id"]: line for line in map(json.loads, (self.folder / output / f"m-{task}" / "answers.jsonl").read_text().splitlines())}

    def test_the_likeliest_letter_is_the_answer(self):
        questions = self.questions(4)
        said = {"0": ("I", {"I": 0.5, "B": 0.2, " C": 0.15, "(C": 0.1}), "1": ("B", {"B": 0.9, "A": 0.1}), "2": ("C because", None), "3": ("Well", {"Well": 0.9})}

        def reply(body):
            return completion(*said[text_of(body).split("?")[0].split()[-1]])
        with Scripted(reply) as server:
            result = self.ask(server.url, questions, "--answer-mode", "letter-logprob")
            self.expect(result, 0, "at most 4 answer tokens", "2 of 4 answers are what the model's words say", "in 1 of 4 answers the letters had less than half")
            self.assertEqual({(body["max_tokens"], body["top_logprobs"]) for _, body in server.requests}, {(1, 20)})
            self.expect(self.ask(server.url, questions, "--answer-mode", "letter-logprob", "--name", "again"), 0, "asked 0 requests")
            self.expect(self.ask(server.url, questions, "--name", "text"), 0, "asked 4 requests")
            bare = self.ask(server.url, questions, "--answer-mode", "letter-logprob", "--prompt", "vlbias", output="bare")
            self.expect(bare, 1, "the question lists no options behind letters")
        self.assertEqual({name: (one["raw"], one["status"]) for name, one in self.answers().items()},
                         {"q0": ("C", "parsed"), "q1": ("B", "parsed"), "q2": ("C because", "parsed"), "q3": ("Well", "unparsable")})
        stamp = json.loads((self.folder / "out" / "m-bias-close" / "run.json").read_text())["identity"]["model"]
        self.assertEqual(stamp["answer_mode"], "letter-logprob")

    def test_answers_that_were_cut_off_say_so(self):
        questions = self.questions(3)
        said = {"0": "The picture shows a person who", "1": "C) Unknown, since the", "2": "The picture shows a person."}

        def reply(body):
            number = text_of(body).split("?")[0].split()[-1]
            answer = completion(said[number])
            answer["choices"][0]["finish_reason"] = "stop" if number == "2" else "length"
            return answer
        with Scripted(reply) as server:
            self.expect(self.ask(server.url, questions), 0, "2 of 3 answers reached their longest length and were cut off; --max-tokens raises it")
        self.assertEqual({name: (one["status"], one["rule"], one["finish_reason"]) for name, one in self.answers().items()},
                         {"q0": ("unparsable", "truncated", "length"), "q1": ("parsed", "leading_letter", "length"), "q2": ("unparsable", "none", "stop")})

    def test_noise_is_laid_over_the_smaller_picture_unless_asked_otherwise(self):
        questions = self.questions(1)
        write_png(self.folder / "pictures" / "0.png", 64, 64, (90, 90, 90))
        pixels = {}
        with Scripted(lambda body: completion("C")) as server:
            for stage in ("before", "after"):
                server.requests.clear()
                self.expect(self.ask(server.url, questions, "--levels", "clean,pure", "--max-side", 4, "--resize-stage", stage, task="control", output=stage), 0)
                shown = [pictures_of(body)[0] for _, body in server.requests]
                self.assertEqual({size_of(url) for url in shown}, {(4, 4)})
                pixels[stage] = [pixel for pixel in map(first_pixel_of, shown) if pixel != (90, 90, 90)]
        self.assertEqual(set(pixels["before"][0]) - {0, 255}, set())
        self.assertTrue(all(90 < value < 165 for value in pixels["after"][0]), pixels)  # the mean of 256 values

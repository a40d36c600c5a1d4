# SPDX-License-Identifier: Apache-2.0
"""Models behind an endpoint answer visual dialogues: prompt, picture and reply of `visdial-gen`, the choice of `visdial-rank --choices`."""
import base64
import json
import os
import struct
import unittest
import zlib

from cli import Case, call, contents
from served import Scripted, completion, text_of
from test_visdial_cca import annotations, dialogs
from test_zeroshot import png

NUM_DIALOGS = 3


def colour_in(body):
    """The first pixel of the picture that is shown. In a PNG's first row no filter changes it."""
    parts = [part for part in body["messages"][-1]["content"] if part["type"] == "image_url"]
    assert len(parts) == 1, body
    data, packed, at = base64.b64decode(parts[0]["image_url"]["url"].split(",", 1)[1]), b"", 8
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        packed += data[at + 8:at + 8 + length] if kind == b"IDAT" else b""
        at += 12 + length
    return tuple(zlib.decompress(packed)[1:4])


class VisdialServed(Case):
    def setUp(self):
        super().setUp()
        os.environ.pop("OPENAI_API_KEY", None)
        self.made = dialogs(2, NUM_DIALOGS, "val2018")
        for i, one in enumerate(self.made["data"]["dialogs"]):
            one["caption"] = f"picture number {i}"
        self.val = self.write("val.json", self.made)
        self.pictures = self.folder / "pictures"
        self.pictures.mkdir()
        self.colours = {}
        for i, one in enumerate(self.made["data"]["dialogs"]):
            colour = self.colours[one["image_id"]] = (40 * i, 90, 200 - 30 * i)
            (self.pictures / f"VisualDialog_val2018_{one['image_id']:012d}.jpg").write_bytes(png(*colour))

    def rounds(self):
        """(image, number, question, given answer, text of the dialog before) of each round."""
        data = self.made["data"]
        for i, dialog in enumerate(data["dialogs"]):
            before = f"The picture: picture number {i}\n"
            for number, one in enumerate(dialog["dialog"]):
                question, answer = data["questions"][one["question"]], data["answers"][one["answer"]]
                yield dialog["image_id"], number, question, answer, before
                before += f"Question: {question} Answer: {answer}\n"

    def references(self):
        return self.write("refs.json", [{"image_id": image, "round_id": number, "refs": [answer, "no"]} for image, number, _, answer, _ in self.rounds()])

    def ask(self, server, task, *more, output="out", code=0):
        result = call("run", "--model", "openai:m", "--base-url", server.url, "--tasks", task, "--dialogs", self.val, "--images", self.pictures,
                      "--cache", self.folder / "cache", "--output", self.folder / output, *more)
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        return self.folder / output / f"m-{task}", result

    def metrics(self, run):
        return {one["id"]: one for one in json.loads((run / "results.json").read_text())["metrics"]}

    def test_generations_of_a_served_model(self):
        asked = {}
        for image, number, question, answer, before in self.rounds():
            asked[before + question] = (image, number, answer)

        def reply(body):
            image, number, answer = next(value for prompt, value in asked.items() if text_of(body).endswith(".\n" + prompt))
            self.assertEqual(colour_in(body), self.colours[image])
            return completion("a dog" if number == 3 else f"  {answer}\n")

        with Scripted(reply) as server:
            run, _ = self.ask(server, "visdial-gen", "--references", self.references(), "--no-meteor")
            self.assertEqual(len(server.requests), 10 * NUM_DIALOGS)
            prompts = {text_of(body) for _, body in server.requests}
        instruction = "Two people talk about a picture. Answer the last question in a few words, as a person in a chat would.\n"
        self.assertEqual(prompts, {instruction + prompt for prompt in asked})
        given = {(one["image_id"], one["round_id"]): one["generations"] for one in json.loads((run / "gens.json").read_text())}
        self.assertEqual(given, {(image, number): ["a dog" if number == 3 else answer] for image, number, answer in asked.values()})
        # The same answers from a file give the same figures.
        scored = call("score", "visdial-gen", "--generations", run / "gens.json", "--references", self.folder / "refs.json", "--no-meteor", "--name", "m", "--output",
                      self.folder / "again")
        self.assertEqual(scored.returncode, 0, scored.stderr)
        self.assertEqual(self.metrics(self.folder / "again" / "m-visdial-gen"), self.metrics(run))

    def test_several_answers_in_one_reply(self):
        with Scripted(lambda body: completion("1. yes\n2) no\n\n- 2 dogs\n4. maybe so\n5. a car\n")) as server:
            run, _ = self.ask(server, "visdial-gen", "--references", self.references(), "--no-meteor", "--k", 4)
            self.assertIn("Give 4 different answers to the last question, one per line", text_of(server.requests[0][1]))
        self.assertEqual({tuple(one["generations"]) for one in json.loads((run / "gens.json").read_text())}, {("yes", "no", "2 dogs", "maybe so")})

    def test_a_choice_among_ten(self):
        answers = {}
        for image, number, question, answer, before in self.rounds():
            answers[before + f"Question: {question}\nWhich answer belongs to the last question?\n"] = (image, number, answer)
        shown = {}

        def reply(body):
            prompt = text_of(body)
            start, (image, number, answer) = next(one for one in answers.items() if prompt.startswith(one[0]))
            self.assertEqual(colour_in(body), self.colours[image])
            lines = prompt[len(start):].split("\n")
            self.assertEqual(lines[-1], "Answer with one letter.")
            options = [line[3:] for line in lines[:-1]]
            self.assertEqual([line[:3] for line in lines[:-1]], [f"{letter}. " for letter in "ABCDEFGHIJ"])
            self.assertEqual((len(set(options)), options.count(answer)), (10, 1))
            shown[image, number] = options
            right = options.index(answer)
            # Round 0 is answered wrongly, round 1 by nothing that can be read.
            return completion({0: "ABCDEFGHIJ"[(right + 1) % 10], 1: "?"}.get(number, "ABCDEFGHIJ"[right] + "."))

        with Scripted(reply) as server:
            run, _ = self.ask(server, "visdial-rank", "--choices", 10)
            self.assertEqual(len(server.requests), 10 * NUM_DIALOGS)
            first = dict(shown)
            found = self.metrics(run)
            self.assertAlmostEqual(found["visdial-rank/chosen"]["value"], 0.8, delta=1e-12)
            self.assertAlmostEqual(found["visdial-rank/unreadable"]["value"], 0.1, delta=1e-12)
            self.assertEqual(found["visdial-rank/chosen"]["n"], 10 * NUM_DIALOGS)
            # The draw follows from --seed and the item: again the same questions, with another seed others.
            self.ask(server, "visdial-rank", "--choices", 10, "--num-workers", 1, output="again")
            self.assertEqual(len(server.requests), 10 * NUM_DIALOGS)
            self.assertEqual(contents(self.folder / "again" / "m-visdial-rank")["results.json"], contents(run)["results.json"])
            self.ask(server, "visdial-rank", "--choices", 10, "--seed", 7, output="other")
        self.assertNotEqual(shown, first)
        self.assertGreater(len({first[key].index(answer) for key, answer in ((one[:2], one[2]) for one in answers.values())}), 3)  # shuffled
        dense = self.write("dense.json", annotations(3, self.made, "gt_relevance"))
        self.expect_error(call("run", "--model", "openai:m", "--base-url", "http://127.0.0.1:9/v1", "--tasks", "visdial-rank", "--dialogs", self.val, "--choices", 10,
                               "--annotations", dense, "--images", self.pictures, "--output", self.folder / "x"), 2, "--choices")


if __name__ == "__main__":
    unittest.main()

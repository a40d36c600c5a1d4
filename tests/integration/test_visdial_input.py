# SPDX-License-Identifier: Apache-2.0
"""Bad input of visual dialogues through the command line (docs/spec/visdial.md 2.7): file, entry and reason, and nothing is scored."""
import copy
import json
import unittest

from cli import Case, call
from test_visdial_cca import WORDS, annotations, dialogs


def ranks_of(made):
    return [{"image_id": one["image_id"], "round_id": number + 1, "ranks": list(range(1, 101))} for one in made["data"]["dialogs"] for number in range(10)]


class BadInput(Case):
    def setUp(self):
        super().setUp()
        self.made, self.other = dialogs(2, 4, "val2018"), dialogs(1, 12, "train")
        self.val, self.train = self.write("val.json", self.made), self.write("train.json", self.other)
        self.dense = self.write("dense.json", annotations(3, self.made, "gt_relevance"))
        self.ranks = self.write("ranks.json", ranks_of(self.made))
        keys = [(one["image_id"], number) for one in self.made["data"]["dialogs"] for number in range(10)]
        self.gens = [{"image_id": image, "round_id": number, "generations": ["yes"]} for image, number in keys]
        self.refs = [{"image_id": image, "round_id": number, "refs": ["yes", "no"], "in_cluster_idxs": [1, 1, *[0] * 98], "gt_answer": "no"} for image, number in keys]

    def refuse(self, result, *words):
        self.expect_error(result, 3, *words)
        self.assertFalse((self.folder / "out").exists(), "something was scored")

    def generations(self, gens, refs):
        return call("score", "visdial-gen", "--generations", self.write("gens.json", gens), "--references", self.write("refs.json", refs), "--no-meteor",
                    "--output", self.folder / "out")

    def rank(self, *more, ranks=None):
        return call("score", "visdial-rank", "--dialogs", self.val, "--ranks", ranks or self.ranks, "--output", self.folder / "out", *more)

    def sets(self, references, human):
        return call("score", "visdial-sets", "--references", references, "--human", human, "--output", self.folder / "out")

    def changed(self, entries, place, **keys):
        entries = copy.deepcopy(entries)
        for key, value in keys.items():
            if value is None:
                del entries[place][key]
            else:
                entries[place][key] = value
        return entries

    def test_files_that_are_no_lists(self):
        self.refuse(self.generations("no JSON", self.refs), "gens.json")
        self.refuse(self.generations(self.gens, "[{]"), "refs.json")
        self.refuse(self.generations({"0": self.gens[0]}, self.refs), "gens.json", "top level is an object")
        self.refuse(self.generations(self.gens, "7"), "refs.json")
        self.refuse(self.generations(self.gens, '[3]'), "refs.json: entry 0")
        self.refuse(self.rank(ranks=self.write("bad.json", "{")), "bad.json")
        self.refuse(call("score", "visdial-rank", "--dialogs", self.write("bad.json", "[]"), "--ranks", self.ranks, "--output", self.folder / "out"), "bad.json")
        self.refuse(self.rank("--annotations", self.write("bad.json", "nothing")), "bad.json")
        self.refuse(self.generations(self.gens, self.refs[:0] + [{}]), "refs.json: entry 0", "image_id")

    def test_rounds_that_there_are_not(self):
        for number in (10, -1):
            self.refuse(self.generations(self.changed(self.gens, 3, round_id=number), self.refs), f"gens.json: entry 3: 'round_id' is {number}, expected 0 to 9")
            self.refuse(self.generations(self.gens, self.changed(self.refs, 3, round_id=number)), f"refs.json: entry 3: 'round_id' is {number}, expected 0 to 9")
        dense = json.loads(self.dense.read_text())
        ranks = json.loads(self.ranks.read_text())
        for number in (0, 11):
            self.refuse(self.rank("--annotations", self.write("bad.json", self.changed(dense, 1, round_id=number))), f"bad.json: entry 1: 'round_id' is {number}, expected 1 to 10")
            self.refuse(self.rank(ranks=self.write("bad.json", self.changed(ranks, 1, round_id=number))), f"bad.json: entry 1: 'round_id' is {number}, expected 1 to 10")
        self.refuse(self.generations(self.changed(self.gens, 3, round_id="3"), self.refs), "gens.json: entry 3", "round_id")

    def test_sets_that_are_none(self):
        self.refuse(self.generations(self.gens, self.changed(self.refs, 5, refs=[])), "refs.json: entry 5: 'refs' is empty")
        self.refuse(self.generations(self.gens, self.changed(self.refs, 5, refs=["yes", 3])), "refs.json: entry 5", "refs")
        self.refuse(self.generations(self.changed(self.gens, 5, generations="yes"), self.refs), "gens.json: entry 5", "generations")
        human = self.write("human.json", self.refs)
        for mask in ([1] * 99, [2, *[0] * 99], [0.5, *[0] * 99], ["1", *[0] * 99]):
            bad = self.write("bad.json", self.changed(self.refs, 2, in_cluster_idxs=mask))
            self.refuse(self.sets(bad, human), "bad.json: entry 2", "in_cluster_idxs")
            self.refuse(self.sets(human, bad), "bad.json: entry 2", "in_cluster_idxs")
            self.refuse(self.generations(self.gens, json.loads(bad.read_text())), "refs.json: entry 2", "in_cluster_idxs")
        self.refuse(self.sets(self.write("bad.json", self.changed(self.refs, 2, in_cluster_idxs=None)), human), "bad.json: entry 2", "in_cluster_idxs")

    def test_ranks_that_are_none(self):
        good = json.loads(self.ranks.read_text())
        for ranks, reason in (([*range(1, 100)], "has 99 entries, expected 100"), ([1, 1, *range(3, 101)], "is not each of 1 to 100 once: 1"),
                              ([0, *range(2, 101)], "is not each of 1 to 100 once: 0"), ([101, *range(2, 101)], "is not each of 1 to 100 once: 101")):
            self.refuse(self.rank(ranks=self.write("bad.json", self.changed(good, 6, ranks=ranks))), f"bad.json: entry 6: 'ranks' {reason}")
        self.refuse(self.rank(ranks=self.write("bad.json", [*good, good[4]])), "bad.json: entry 40")
        # A round without ranks fails alone.
        partial = self.rank(ranks=self.write("few.json", good[1:]))
        self.expect(partial, 4, "the file has no ranks of this round")

    def test_relevances_that_are_none(self):
        dense = json.loads(self.dense.read_text())
        for values, reason in (([0.5] * 99, "gt_relevance"), ([1.5] + [0] * 99, "holds 1.5"), ([-0.1] + [0] * 99, "holds -0.1")):
            self.refuse(self.rank("--annotations", self.write("bad.json", self.changed(dense, 2, gt_relevance=values))), "bad.json: entry 2", reason)
        self.refuse(self.rank("--annotations", self.write("bad.json", [*dense, dense[1]])), f"bad.json: entry {len(dense)}")
        nan = self.write("bad.json", json.dumps(self.changed(dense, 2, gt_relevance=[float("nan")] + [0] * 99)))
        self.refuse(self.rank("--annotations", nan), "bad.json")

    def test_annotations_of_another_split(self):
        train_dense = self.write("train_dense.json", annotations(4, self.other, "relevance"))
        reason = "12 of 12 annotated rounds are not among the dialogs"
        self.refuse(self.rank("--annotations", train_dense), "train_dense.json", reason)
        words = self.write("words.json", {"dim": 2, "vectors": {word: [i % 3 - 1, i % 5 - 2] for i, word in enumerate([*WORDS, "?", "<EOS>", "<UNK>"])}})
        fitted = call("train", "cca", "--dialogs", self.train, "--word-vectors", words, "--k", "2", "--output", self.folder / "cca")
        self.assertEqual(fitted.returncode, 0, fitted.stderr)
        ranked = ["run", "--model", f"cca:{self.folder / 'cca'}", "--tasks", "visdial-rank", "--dialogs", self.val, "--output", self.folder / "out"]
        self.refuse(call(*ranked, "--annotations", train_dense), "train_dense.json", reason)
        # One strange round among good ones is enough.
        mixed = self.write("mixed.json", json.loads(self.dense.read_text()) + annotations(4, self.other, "gt_relevance")[:1])
        self.refuse(call(*ranked, "--annotations", mixed), "mixed.json", "1 of 5 annotated rounds")
        self.refuse(call("build", "densevisdial", "--dialogs", self.val, "--projections", self.folder / "cca", "--annotations", train_dense, "--out", self.folder / "out"),
                    "train_dense.json", reason)


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: Apache-2.0
"""VisDial with pictures: three views from end to end, a two-tower network as a ranker; and the same bytes on any number of threads."""
import importlib.util
import json
import random
import unittest

from cli import Case, call
from cli import contents as run_contents
from test_visdial_cca import WORDS, annotations, contents, dialogs
from test_zeroshot import CLIP, has_networks, png


class Views(Case):
    def setUp(self):
        super().setUp()
        rng = random.Random(5)
        self.vectors = {word: [round(rng.gauss(0, 1), 3) for _ in range(8)] for word in [*WORDS, "?", "<EOS>", "<UNK>"]}
        self.words = self.write("words.json", {"dim": 8, "vectors": self.vectors})
        self.train_made, self.val_made = dialogs(1, 40, "train"), dialogs(2, 8, "val2018")
        self.train, self.val = self.write("train.json", self.train_made), self.write("val.json", self.val_made)
        self.dense = self.write("dense.json", annotations(3, self.val_made, "gt_relevance"))

    def succeed(self, *arguments):
        result = call(*arguments)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        return result

    def fit(self, name, *more):
        self.succeed("train", "cca", "--dialogs", self.train, "--word-vectors", self.words, "--k", "8", "--output", self.folder / name, *more)
        return self.folder / name

    def features(self):
        rng = random.Random(6)
        return self.write("features.json", {"dim": 3, "vectors": {str(one["image_id"]): [rng.gauss(0, 1) for _ in range(3)]
                                                                  for one in self.train_made["data"]["dialogs"]}})

    def chain(self, cca, out, threads):
        """Sets, ranks and generations of a fitted folder."""
        out = self.folder / out
        self.succeed("build", "densevisdial", "--dialogs", self.val, "--projections", cca, "--annotations", self.dense, "--cluster-method", "S,M,G,H", "--out", out / "sets",
                     "--threads", threads)
        self.succeed("run", "--model", f"cca:{cca}", "--tasks", "visdial-rank", "--dialogs", self.val, "--annotations", self.dense, "--threshold", "--name", "cca",
                     "--output", out, "--num-workers", threads)
        self.succeed("run", "--model", f"cca:{cca}", "--ranker", "nearest", "--training-dialogs", self.train, "--tasks", "visdial-rank", "--dialogs", self.val, "--name",
                     "nearest", "--output", out, "--num-workers", threads)
        self.succeed("build", "visdial-generations", "--projections", cca, "--training-dialogs", self.train, "--dialogs", self.val, "--k", "1,5,15", "--out", out / "gens",
                     "--threads", threads)
        return out

    def same(self, cca):
        one, many = self.chain(cca, f"{cca.name}-one", 1), self.chain(cca, f"{cca.name}-many", 5)
        for folder in ("sets", "gens"):
            wanted, found = contents(one / folder), contents(many / folder)
            self.assertEqual(wanted.keys(), found.keys())
            for name in wanted:
                self.assertEqual(wanted[name], found[name], name)
        for folder in ("cca-visdial-rank", "nearest-visdial-rank"):
            self.assertEqual(run_contents(one / folder), run_contents(many / folder))
        return one

    def test_sets_ranks_and_generations_are_the_same_on_any_threads(self):
        self.same(self.fit("two"))

    @unittest.skipUnless(importlib.util.find_spec("numpy"), "NumPy is not here")
    def test_three_views_rank_and_generate(self):
        import numpy
        cca = self.fit("three", "--image-features", self.features())
        self.assertEqual(json.loads((cca / "cca.json").read_text())["views"], ["answer", "img", "question"])
        self.assertNotEqual((cca / "answer_weights.npy").read_bytes(), (self.fit("two") / "answer_weights.npy").read_bytes())
        out = self.same(cca)
        eigenvalues = numpy.load(cca / "eigenvalues.npy").ravel()

        def row(text, view):
            pieces = [self.vectors.get(word, self.vectors["<UNK>"]) for word in [*text.lower().replace("?", " ?").split()[:15], "<EOS>"]]
            made = (numpy.mean(pieces, 0) - numpy.load(cca / f"{view}_mean.npy").ravel()) @ (numpy.load(cca / f"{view}_weights.npy") * eigenvalues)
            return made / numpy.linalg.norm(made)

        # Only the answers' and the questions' projections are used, as spec 5.6 says.
        ranks = {(one["image_id"], one["round_id"]): one["ranks"] for one in json.loads((out / "cca-visdial-rank" / "ranks.json").read_text())}
        given = {(one["image_id"], one["round_id"]): one["generations"] for one in json.loads((out / "gens" / "gens_k1.json").read_text())}
        data, train = self.val_made["data"], self.train_made["data"]
        answers = numpy.array([row(text, "answer") for text in data["answers"]])
        asked = [(one["question"], one["answer"]) for dialog in train["dialogs"] for one in dialog["dialog"]]
        known = numpy.array([row(text, "question") for text in train["questions"]])
        self.assertEqual(len(ranks), 80)
        for dialog in data["dialogs"]:
            for number, one in enumerate(dialog["dialog"]):
                question = row(data["questions"][one["question"]], "question")
                scores = numpy.round(answers[one["answer_options"]] @ question, 9)
                order = sorted(range(100), key=lambda i: (-scores[i], i))
                self.assertEqual([order.index(i) + 1 for i in range(100)], ranks[dialog["image_id"], number + 1])
                near = numpy.round(known @ question, 9)
                best = min(range(len(asked)), key=lambda i: (-near[asked[i][0]], i))
                self.assertEqual(given[dialog["image_id"], number], [train["answers"][asked[best][1]]])

    @unittest.skipUnless(has_networks(), "this build has no torch")
    def test_a_two_tower_network_ranks(self):
        pictures = self.folder / "pictures"
        pictures.mkdir()
        few = {**self.val_made, "data": {**self.val_made["data"], "dialogs": self.val_made["data"]["dialogs"][:2]}}
        for i, one in enumerate(few["data"]["dialogs"]):
            (pictures / f"VisualDialog_val2018_{one['image_id']:012d}.jpg").write_bytes(png(6 + 90 * i, 200 - 70 * i, 60))
        val, dense = self.write("few.json", few), self.write("few_dense.json", annotations(3, few, "gt_relevance"))
        for workers in (1, 3):
            self.succeed("run", "--model", CLIP, "--tasks", "visdial-rank", "--dialogs", val, "--annotations", dense, "--images", pictures, "--threshold", "--name", "clip",
                         "--output", self.folder / str(workers), "--num-workers", workers)
        run = self.folder / "1" / "clip-visdial-rank"
        self.assertEqual(run_contents(run), run_contents(self.folder / "3" / "clip-visdial-rank"))
        ranks = json.loads((run / "ranks.json").read_text())
        self.assertEqual(len(ranks), 20)
        for one in ranks:
            self.assertEqual(sorted(one["ranks"]), list(range(1, 101)))
        # Another picture gives other ranks: it is looked at.
        found = {(one["image_id"], one["round_id"]): one["ranks"] for one in ranks}
        for one in few["data"]["dialogs"]:
            (pictures / f"VisualDialog_val2018_{one['image_id']:012d}.jpg").write_bytes(png(250, 10, 150))
        self.succeed("run", "--model", CLIP, "--tasks", "visdial-rank", "--dialogs", val, "--images", pictures, "--name", "clip", "--output", self.folder / "other")
        other = {(one["image_id"], one["round_id"]): one["ranks"] for one in json.loads((self.folder / "other" / "clip-visdial-rank" / "ranks.json").read_text())}
        self.assertNotEqual(other, found)
        metrics = {one["id"]: one["value"] for one in json.loads((run / "results.json").read_text())["metrics"]}
        self.assertLessEqual(metrics["visdial-rank/recall_1"], metrics["visdial-rank/recall_5"])
        self.assertLessEqual(metrics["visdial-rank/recall_5"], metrics["visdial-rank/recall_10"])
        # The ranks that the run wrote give its figures again.
        self.succeed("score", "visdial-rank", "--dialogs", val, "--annotations", dense, "--ranks", run / "ranks.json", "--name", "clip", "--output", self.folder / "again")
        again = {one["id"]: one["value"] for one in json.loads((self.folder / "again" / "clip-visdial-rank" / "results.json").read_text())["metrics"]}
        for name in ("mean_rank", "median_rank", "mrr", "ndcg", "recall_10"):
            self.assertEqual(again[f"visdial-rank/{name}"], metrics[f"visdial-rank/{name}"], name)


if __name__ == "__main__":
    unittest.main()

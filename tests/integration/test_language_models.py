# SPDX-License-Identifier: Apache-2.0
"""Language models that builders ask: candidates of served models and BERT folders, NLI labels, and GRUEN. tools/parity/language.py compares
the numbers with transformers."""
import hashlib
import json
import pathlib
import random
import struct
import unittest

from cli import SNELLEN, Case, call
from served import Scripted, completion, text_of

ROOT = pathlib.Path(__file__).resolve().parents[2]
BERT = ROOT / "tests/golden/models/bert_bin"  # without a head
WIDTH, INNER, PLACES = 6, 5, 40
WORDS = ("[PAD] [UNK] [CLS] [SEP] [MASK] a an some person can cut wash drill phone potato egg apple orange tree table the dog runs is there at least one cutting "
         "washing drilling into eggs potatos ##s . ,").split()


def has_networks():
    return (pathlib.Path(SNELLEN).parent / "libsnellen_networks.so").exists()


def write_bert(folder, head, seed=0):
    """A small BERT with random weights: a masked language model (`head` is "tokens"), or a classifier of the labels in `head`."""
    rng = random.Random(seed)
    shapes = {"bert.embeddings.word_embeddings.weight": (len(WORDS), WIDTH), "bert.embeddings.position_embeddings.weight": (PLACES, WIDTH),
              "bert.embeddings.token_type_embeddings.weight": (2, WIDTH)}

    def linear(name, out, inner):
        shapes[f"{name}.weight"], shapes[f"{name}.bias"] = (out, inner), (out,)

    def norm(name):
        shapes[f"{name}.weight"] = shapes[f"{name}.bias"] = (WIDTH,)

    layer = "bert.encoder.layer.0."
    norm("bert.embeddings.LayerNorm")
    for part in ("query", "key", "value"):
        linear(f"{layer}attention.self.{part}", WIDTH, WIDTH)
    linear(f"{layer}attention.output.dense", WIDTH, WIDTH)
    norm(f"{layer}attention.output.LayerNorm")
    linear(f"{layer}intermediate.dense", INNER, WIDTH)
    linear(f"{layer}output.dense", WIDTH, INNER)
    norm(f"{layer}output.LayerNorm")
    if head == "tokens":
        linear("cls.predictions.transform.dense", WIDTH, WIDTH)
        norm("cls.predictions.transform.LayerNorm")
        shapes["cls.predictions.bias"] = (len(WORDS),)
    else:
        linear("bert.pooler.dense", WIDTH, WIDTH)
        linear("classifier", len(head), WIDTH)
    entries, data = {}, b""
    for name, shape in shapes.items():
        count = shape[0] * (shape[1] if len(shape) == 2 else 1)
        part = struct.pack(f"<{count}f", *(rng.gauss(0, 1) for _ in range(count)))
        entries[name] = {"dtype": "F32", "shape": list(shape), "data_offsets": [len(data), len(data) + len(part)]}
        data += part
    folder.mkdir()
    table = json.dumps(entries).encode()
    (folder / "model.safetensors").write_bytes(struct.pack("<Q", len(table)) + table + data)
    config = {"model_type": "bert", "vocab_size": len(WORDS), "hidden_size": WIDTH, "intermediate_size": INNER, "num_attention_heads": 2, "num_hidden_layers": 1,
              "max_position_embeddings": PLACES, "architectures": ["BertForMaskedLM" if head == "tokens" else "BertForSequenceClassification"]}
    if head != "tokens":
        config["id2label"] = {str(i): name for i, name in enumerate(head)}
    (folder / "config.json").write_text(json.dumps(config))
    (folder / "vocab.txt").write_text("\n".join(WORDS) + "\n")
    (folder / "tokenizer_config.json").write_text(json.dumps({"tokenizer_class": "BertTokenizer", "do_lower_case": True}))
    return folder


class LanguageModels(Case):
    def setUp(self):
        super().setUp()
        rows = ["id,video_id,class,start,end,annotation,verb,noun"]
        for i, (verb, noun) in enumerate([("cut", "phone"), ("wash", "potato"), ("drill", "egg")] * 4):
            rows.append(f"{i},video{i:06d},0,{i},{i + 10},1,{verb},{noun}")
        self.rareact = self.write("rareact.csv", "\n".join(rows) + "\n")

    def build(self, out, *flags):
        return call("build", "vilma-rare-actions", "-d", self.rareact, "--out", self.folder / out, *flags)

    def read(self, name):
        return json.loads((self.folder / name).read_text())

    def test_candidates_of_a_served_model(self):
        def reply(body):
            return completion("1. Buy\n2. hold\n- buy\n(no word)\n" if "verbs" in text_of(body) else "apple\ntable.\n")

        with Scripted(reply) as server:
            self.expect(self.build("one", "--candidates-from", "openai:tiny", "--base-url", server.url), 0)
            self.assertEqual(len(server.requests), 6)  # two questions of each pair
            self.expect(self.build("one", "--candidates-from", "openai:tiny", "--base-url", server.url), 0)
            self.assertEqual(len(server.requests), 6)  # answers are kept
        given = self.read("one/candidates-1.json")
        self.assertEqual([(one.get("verb"), one.get("noun")) for one in given["cut phone"]], [("buy", None), ("hold", None), (None, "apple"), (None, "table")])
        for name, key, words in (("verb", "verb", ("buying", "holding")), ("noun", "noun", ("apple", "table"))):
            items = self.read(f"one/rare-actions-{name}-foils.json")
            self.assertEqual(len(items), 12, key)
            for item in items.values():
                self.assertTrue(any(word in item["foils"][0] for word in words), item)
        self.expect(call("build", "check", self.folder / "one"), 0)
        self.expect_error(self.build("two", "--candidates-from", "openai:tiny"), 2, "--base-url")
        self.assertFalse((self.folder / "two").exists())

    @unittest.skipUnless(has_networks(), "this build has no torch")
    def test_candidates_and_labels_of_bert_folders(self):
        masked = write_bert(self.folder / "masked", "tokens")
        labels = write_bert(self.folder / "labels", ["entailment", "neutral", "contradiction"], seed=1)
        flags = ["--candidates-from", masked, "--threshold", "1", "--mask-least", "0", "--target", "noun"]
        self.expect(self.build("one", *flags), 0)
        given = self.read("one/candidates-1.json")
        self.assertEqual(sorted(given), ["cut", "drill", "wash"])
        for one in given["cut"]:
            self.assertIn(one["noun"], WORDS)
            self.assertLess(one["score"], 1)
        without = self.read("one/rare-actions-noun-foils.json")
        self.assertTrue(without)
        made = self.build("two", *flags, "--nli-model", labels)
        self.assertIn(made.returncode, (0, 4), made.stderr)
        for item in self.read("two/rare-actions-noun-foils.json").values():
            self.assertNotEqual(item["foil_nli_labels"], ["entailment"])
        self.expect_error(self.build("x", "--candidates-from", BERT), 2, "head of a masked language model")
        self.expect_error(self.build("x", *flags, "--nli-model", masked), 2, "classification head")
        self.expect_error(self.build("x", "--candidates-from", self.folder / "nowhere"), 3, "nowhere")

    @unittest.skipUnless(has_networks(), "this build has no torch")
    def test_gruen(self):
        masked = write_bert(self.folder / "masked", "tokens")
        cola = write_bert(self.folder / "cola", ["no", "yes"], seed=2)
        lines = self.write("lines.txt", "the dog runs\na person can cut a phone. a person can cut a phone.\nalone\n")
        told = call("gruen", lines, "--mlm", masked, "--cola", cola, "--json")
        self.expect(told, 0)
        one, two, alone = map(json.loads, told.stdout.splitlines())
        self.assertEqual(one["gruen"], min(1, one["grammaticality"]))
        self.assertEqual((one["redundancy"], two["redundancy"], two["gruen"]), (0, -0.4, None))
        self.assertEqual(alone["gruen"], 0)
        plain = call("gruen", "--mlm", masked, "--cola", cola, input="the dog runs\n")
        self.assertEqual(plain.stdout.split("\t")[0], f"{one['grammaticality']:.6f}")
        self.expect_error(call("gruen", "nowhere.txt", "--mlm", masked, "--cola", cola), 3, "nowhere.txt")
        self.expect_error(call("gruen", lines, "--mlm", cola, "--cola", cola), 2, "head of a masked language model")
        self.expect_error(call("gruen", lines, "--mlm", masked), 2, "--cola")

    @unittest.skipUnless(has_networks(), "this build has no torch")
    def test_bert_distances_of_answers(self):
        model = write_bert(self.folder / "bert", ["a", "b"], seed=3)
        gens = self.write("gens.json", [{"image_id": 1, "round_id": 0, "generations": ["the dog runs"]}, {"image_id": 2, "round_id": 0, "generations": ["an egg"]}])
        refs = self.write("refs.json", [{"image_id": 1, "round_id": 0, "refs": ["the dog runs"]}, {"image_id": 2, "round_id": 0, "refs": ["a table", "an egg"]}])
        asked = ["score", "visdial-gen", "--generations", gens, "--references", refs, "--no-meteor", "--output", self.folder / "out", "--bert-model"]
        self.expect(call(*asked, model), 0)
        first, second = self.read("out/file-visdial-gen/visdial_eval.json")["entries"]
        # Equal texts: 1e-6 is added to each of the differences, and the cosine is one.
        self.assertAlmostEqual(first["bert_l2"], WIDTH ** 0.5 * 1e-6, delta=1e-12)
        self.assertAlmostEqual(first["bert_cs"], 1, delta=1e-9)
        self.assertAlmostEqual(second["bert_l2_best"], first["bert_l2"], delta=1e-12)
        self.assertGreater(second["bert_l2"], 0.1)
        # The model is what the vectors come from: its files are the inputs.
        stamp = self.read("out/file-visdial-gen/run.json")
        inputs = stamp["identity"]["tasks"]["visdial-gen"]["inputs"]
        self.assertEqual(sorted(inputs), sorted(["gens.json", "refs.json", *(path.name for path in model.iterdir())]))
        self.assertEqual(inputs["model.safetensors"], hashlib.sha256((model / "model.safetensors").read_bytes()).hexdigest())
        self.assertEqual(stamp["input_paths"]["visdial-gen"]["config.json"], str(model / "config.json"))
        self.assertNotIn("snellen-vectors", json.dumps(stamp))
        checked = call("verify", self.folder / "out" / "file-visdial-gen")
        self.assertEqual(checked.returncode, 0, checked.stderr)
        self.assertNotIn("not checked", checked.stdout)
        (model / "vocab.txt").write_text("changed\n")
        self.expect(call("verify", self.folder / "out" / "file-visdial-gen"), 1)
        self.expect_error(call(*asked, self.folder / "nowhere", "--overwrite"), 3, "nowhere")


if __name__ == "__main__":
    unittest.main()

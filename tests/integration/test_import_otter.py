"""OTTER's published checkpoint layout as a model folder: made-up weights of its names and shapes."""
import json
import pathlib
import subprocess
import unittest

from cli import SNELLEN, Case, call
from test_zeroshot import png

ROOT = pathlib.Path(__file__).resolve().parents[2]
TORCH = ROOT / ".venv" / "bin" / "python"
HAS_NETWORKS = (pathlib.Path(SNELLEN).parent / "libsnellen_networks.so").exists()
# A state dict as OTTER's training code saves it, in data parallel: a small one.
MAKE = r"""
import sys, torch
torch.manual_seed(0)
weights = {}
def normed(conv, norm, *shape):
    weights[conv + ".weight"] = 0.3 * torch.randn(shape)
    for name, value in (("weight", torch.rand(shape[0]) + 0.5), ("bias", torch.randn(shape[0])), ("running_mean", torch.randn(shape[0])), ("running_var", torch.rand(shape[0]) + 0.5)):
        weights[norm + "." + name] = value
    weights[norm + ".num_batches_tracked"] = torch.tensor(3)
image = "image_encoder.model."
normed(image + "conv1", image + "bn1", 2, 3, 7, 7)
inner = 2
for stage in range(4):
    for i in range(2 if stage == 1 else 1):
        planes, block = 2 << stage, f"{image}layer{stage + 1}.{i}."
        normed(block + "conv1", block + "bn1", planes, inner, 1, 1)
        normed(block + "conv2", block + "bn2", planes, planes, 3, 3)
        normed(block + "conv3", block + "bn3", 4 * planes, planes, 1, 1)
        if i == 0:
            normed(block + "downsample.0", block + "downsample.1", 4 * planes, inner, 1, 1)
        inner = 4 * planes
def linear(name, out, inn):
    weights[name + ".weight"], weights[name + ".bias"] = 0.4 * torch.randn(out, inn), torch.randn(out)
linear(image + "fc", 6, inner)
text = "text_encoder.model."
for name, rows in (("word", 40), ("position", 12), ("token_type", 2)):
    weights[f"{text}embeddings.{name}_embeddings.weight"] = torch.randn(rows, 6)
weights[text + "embeddings.position_ids"] = torch.arange(12)
def norm(name):
    weights[name + ".weight"], weights[name + ".bias"] = torch.rand(6) + 0.5, torch.randn(6)
norm(text + "embeddings.LayerNorm")
layer = text + "encoder.layer.0."
for part in ("query", "key", "value"):
    linear(layer + "attention.self." + part, 6, 6)
linear(layer + "attention.output.dense", 6, 6)
norm(layer + "attention.output.LayerNorm")
linear(layer + "intermediate.dense", 5, 6)
linear(layer + "output.dense", 6, 5)
norm(layer + "output.LayerNorm")
weights["contrastive_loss.T"] = torch.tensor(7.5)
torch.save({"epoch": 3, "arch": "resnet50", "state_dict": {"module." + name: value for name, value in weights.items()}, "best": 0.5}, sys.argv[1])
"""


@unittest.skipUnless(HAS_NETWORKS and TORCH.exists(), "this build has no torch")
class ImportOtter(Case):
    def setUp(self):
        super().setUp()
        words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *("a photo of red wet cat dog . big small the".split())]
        text = self.folder / "text"
        text.mkdir()
        (text / "vocab.txt").write_text("\n".join(words + [f"w{i}" for i in range(40 - len(words))]) + "\n")
        self.config = {"model_type": "bert", "vocab_size": 40, "hidden_size": 6, "intermediate_size": 5, "num_attention_heads": 2, "num_hidden_layers": 1,
                       "max_position_embeddings": 12}
        (text / "config.json").write_text(json.dumps(self.config))
        (text / "tokenizer_config.json").write_text(json.dumps({"tokenizer_class": "BertTokenizer", "do_lower_case": True}))
        subprocess.run([TORCH, "-c", MAKE, self.folder / "otter.pth.tar"], check=True, timeout=120)

    def convert(self, out="otter"):
        return call("import", "otter", self.folder / "otter.pth.tar", "--text-model", self.folder / "text", "--output", self.folder / out)

    def test_a_folder_that_names_pictures(self):
        result = self.convert()
        self.assertEqual(result.returncode, 0, result.stderr)
        config = json.loads((self.folder / "otter" / "config.json").read_text())
        self.assertEqual((config["model_type"], config["image_layers"], config["image_width"], config["embedding_dim"]), ("otter", [1, 2, 1, 1], 2, 6))
        self.assertNotIn("temperature", config)  # the file has its own
        for name, colour in (("cat", (200, 10, 10)), ("dog", (10, 10, 200))):
            (self.folder / "set" / name).mkdir(parents=True)
            (self.folder / "set" / name / "0.png").write_bytes(png(*colour))
        named = call("zeroshot", "--model", self.folder / "otter", "--images", self.folder / "set", "--output", self.folder / "named")
        self.assertEqual(named.returncode, 0, named.stderr)
        self.assertEqual(len((self.folder / "named" / "predictions.jsonl").read_text().splitlines()), 2)
        self.expect(self.convert(), 3, "otter")  # nothing is overwritten

    def test_what_does_not_fit_is_refused(self):
        (self.folder / "text" / "config.json").write_text(json.dumps({**self.config, "hidden_size": 8}))
        self.expect_error(self.convert(), 3, "hidden_size of 8, the checkpoint of 6")
        self.assertFalse((self.folder / "otter").exists())
        (self.folder / "otter.pth.tar").write_bytes(b"PK no archive")
        self.expect_error(self.convert(), 3)


if __name__ == "__main__":
    unittest.main()

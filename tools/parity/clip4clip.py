#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""CLIP4Clip's mean pooling (`--score mean-pooling`) against a few lines of torch, on the clips of a small eyechart.

    tools/parity/clip4clip.py --program build/release/snellen --model tests/golden/models/clip
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import torch
import transformers
from PIL import Image


def pooled_scores(model, tokenizer, processor, folder, texts):
    """As CLIP4Clip's meanP: directions of frames, their mean, its direction; the scale times the cosine."""
    frames = [Image.open(path).convert("RGB") for path in sorted(folder.iterdir())]
    with torch.no_grad():
        vision = model.vision_model(**processor(images=frames, return_tensors="pt")).pooler_output
        clip = torch.nn.functional.normalize(model.visual_projection(vision), dim=-1).mean(0)
        most = model.config.text_config.max_position_embeddings
        words = model.text_model(**tokenizer(texts, return_tensors="pt", padding=True, truncation=True, max_length=most)).pooler_output
        rows = torch.nn.functional.normalize(model.text_projection(words), dim=-1)
        return (model.logit_scale.exp() * rows @ (clip / clip.norm())).tolist()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True)
    parser.add_argument("--model", required=True)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)

        def snellen(*arguments):
            subprocess.run([options.program, *map(str, arguments)], check=True, stdout=subprocess.DEVNULL)

        snellen("build", "eyechart", "--out", folder / "world", "--size", "tiny", "--seed", 3)
        asked = ["--tasks", "vilma/relations", "--data", folder / "world", "--sampler", "fps:1", "--num-frames", 12]
        snellen("run", "--model", options.model, *asked, "--score", "mean-pooling", "--output", folder / "runs", "--name", "pooled", "--no-cache")
        snellen("run", *asked, "--frames", 12, "--export-requests", folder / "requests.jsonl")
        model = transformers.CLIPModel.from_pretrained(options.model).eval()
        tokenizer = transformers.AutoTokenizer.from_pretrained(options.model)
        processor = transformers.AutoImageProcessor.from_pretrained(options.model, use_fast=False)
        ours = {}
        for which in ("main", "prof"):
            for item, entry in json.loads((folder / "runs" / "pooled-vilma_relations" / "vilma" / f"relations_{which}.json").read_text()).items():
                ours.setdefault(item, []).append(entry["scores"])
        worst, count = 0.0, 0
        for line in (folder / "requests.jsonl").read_text().splitlines()[1:-1]:
            request = json.loads(line)
            wanted = pooled_scores(model, tokenizer, processor, folder / request["frames_dir"], request["texts"])
            nearest = min(max(abs(a - b) for a, b in zip(wanted, scores)) for scores in ours[request["item"].split("/", 1)[-1]] if len(scores) == len(wanted))
            worst, count = max(worst, nearest), count + 1
    print(f"{count} clips with their texts, largest difference {worst:.1e}")
    return int(worst > 1e-4 or count == 0)


if __name__ == "__main__":
    sys.exit(main())

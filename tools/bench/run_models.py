#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A whole run on the CPU beside the scripts in bench/peers: the same random CLIP B/32 weights, 2,000 Probe-C groups over 320
pictures of 640 x 480, two threads, start-up left out on both sides. Ours and the batched script take turns, the middle ratio is told; the
reference script is timed once, on a tenth, and scaled.

    tools/bench/run_models.py --program build/release/snellen [--turns 3]
"""
import argparse
import json
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time

import numpy
import torch
import transformers

from answers import expect_telling, stored_scores
from probe_c_world import THINGS, WORDS, group_of, save_picture
from rows import report

ROOT = pathlib.Path(__file__).resolve().parents[2]
PICTURES, GROUPS, TENTH = 320, 2000, 200
CONFIG = {"image_processor_type": "CLIPImageProcessor", "do_resize": True, "size": {"shortest_edge": 224}, "resample": 3, "do_center_crop": True,
          "crop_size": {"height": 224, "width": 224}, "do_rescale": True, "rescale_factor": 1 / 255, "do_normalize": True,
          "image_mean": [0.48145466, 0.4578275, 0.40821073], "image_std": [0.26862954, 0.26130258, 0.27577711], "do_convert_rgb": True}


def make_world(folder):
    rng, draw = numpy.random.default_rng(0), random.Random(0)
    images = folder / "images"
    images.mkdir()
    for i in range(PICTURES):
        save_picture(images, i, rng)
    groups = []
    for _ in range(GROUPS):
        first, second = draw.sample(range(PICTURES), 2)
        word, (one, other) = draw.choice(WORDS), draw.sample(THINGS, 2)
        groups.append(group_of(first, second, word, one, other, f"A photo of a {word} {one}.", f"A photo of a {word} {other}."))
    (folder / "data_object_switch.json").write_text(json.dumps(groups))
    save_b32(folder / "b32")


def save_b32(folder):
    """CLIP B/32 with random weights and a small vocabulary, whose end token is the one that is pooled: texts differ."""
    torch.manual_seed(0)
    tokenizer = ROOT / "tests" / "golden" / "models" / "clip"
    ids = json.loads((tokenizer / "vocab.json").read_text())
    ends = {"bos_token_id": ids["<|startoftext|>"], "eos_token_id": ids["<|endoftext|>"], "pad_token_id": ids["<|endoftext|>"]}
    transformers.CLIPModel(transformers.CLIPConfig(text_config=ends)).eval().save_pretrained(folder)
    for file in tokenizer.iterdir():
        if file.name.startswith(("tokenizer", "vocab", "merges", "special")):
            shutil.copy(file, folder)
    (folder / "preprocessor_config.json").write_text(json.dumps(CONFIG))


def time_ours(program, folder, limit):
    output = pathlib.Path(tempfile.mkdtemp(dir=folder))
    begin = time.perf_counter()
    subprocess.run([program, "run", "--model", folder / "b32", "--tasks", "probe-c", "--split", "object", "--data", folder, "--root-image-dir",
                    folder / "images", "--output", output, "--num-workers", "2", "--limit", str(limit), "--no-cache"], check=True, capture_output=True)
    seconds = time.perf_counter() - begin
    return seconds, stored_scores(output)


def time_peer(name, folder, *more):
    result = subprocess.run([sys.executable, ROOT / "bench" / "peers" / name, folder / "b32", folder / "data_object_switch.json", folder / "images", *more],
                            check=True, capture_output=True, text=True)
    return json.loads(result.stdout.splitlines()[-1])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="build/release/snellen")
    parser.add_argument("--turns", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="snellen-bench-") as name:
        folder = pathlib.Path(name)
        make_world(folder)
        turns = []
        for _ in range(options.turns):
            start, _ = time_ours(options.program, folder, 1)
            batched = time_peer("batched_script.py", folder)
            whole, scores = time_ours(options.program, folder, 0)
            turns.append((whole - start, batched["seconds"]))
        turns.sort(key=lambda turn: turn[1] / turn[0])
        reference = time_peer("reference_script.py", folder, str(TENTH))
        expect_telling("probe-c B/32", scores)
        for mine, theirs in zip(scores, batched["scores"]):
            worst = max(abs(a - b) for a, b in zip(mine, theirs[0] + theirs[1]))
            if worst > 1e-2:
                print(f"scores differ by {worst}: {mine} and {theirs}", file=sys.stderr)
                return 1
        ours, seconds = turns[len(turns) // 2]
        report("probe-c B/32, reference script", "groups/s", GROUPS / ours, TENTH / reference["seconds"], threads=2)
        report("probe-c B/32, batched script", "groups/s", GROUPS / ours, GROUPS / seconds, threads=2)
    return 0


if __name__ == "__main__":
    sys.exit(main())

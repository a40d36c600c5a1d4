#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A run on a GPU against the same run on the CPU: JPEG files of random sizes, shown whole, cropped (also beyond their edges), corrupted and
both, through a CLIP with random weights in float32.

    tools/parity/run_device.py --program build/gpu/snellen [--device cuda] [--pictures 300] [--seed 0]
Every item must be scored by both, and scores must agree to 1e-4 of the largest. Ends with 1 where they do not.
"""
import argparse
import json
import pathlib
import random
import subprocess
import sys
import tempfile

import numpy
from PIL import Image

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "bench"))
from run_models import save_b32  # noqa: E402

TEXTS = ["a red cat", "a blue dog on a mat", "two boats"]


def variants_of(width, height, draw):
    inside = [draw.randrange(width // 2), draw.randrange(height // 2), 1 + draw.randrange(width // 2), 1 + draw.randrange(height // 2)]
    beyond = [width // 2, height // 3, width, height]
    return [{}, {"crop": inside}, {"crop": beyond}, {"corruption": "gray"}, {"corruption": "gauss:50", "crop": inside}]


def make_items(folder, count, seed):
    """The file of items over `count` new pictures."""
    draw, rng = random.Random(seed), numpy.random.default_rng(seed)
    items = []
    for i in range(count):
        width, height, name = draw.randrange(40, 700), draw.randrange(40, 700), f"{i}.jpg"
        small = Image.fromarray(rng.integers(0, 256, (12, 12, 3), dtype=numpy.uint8))
        small.resize((width, height), Image.BICUBIC).save(folder / name, quality=draw.randrange(50, 96), subsampling=draw.randrange(3))
        variants = variants_of(width, height, draw)
        shown = variants if i % 2 else [variants[i // 2 % len(variants)]]  # half of them in every way, half in one
        items += [{"visuals": [{"image": name, **how}], "texts": TEXTS, "right": 0, "metric": "choice"} for how in shown]
    draw.shuffle(items)
    file = folder / "items.jsonl"
    file.write_text("".join(json.dumps(item) + "\n" for item in items))
    return file, len(items)


def scores_of(options, folder, file, device):
    dump = folder / f"{device}.jsonl"
    done = subprocess.run([options.program, "run", "--model", folder / "b32", "--tasks", f"file:{file}", "--output", folder / f"on_{device}",
                           "--device", device, "--no-cache", "--dump-scores", dump], capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"the run on {device} ended with {done.returncode}: {done.stderr[-2000:]}")
    for line in done.stderr.splitlines():
        if "decoded" in line or "worked" in line:
            print(f"{device}: {line}")
    lines = (json.loads(line) for line in dump.read_text().splitlines())
    return {line["id"]: line["scores"] for line in lines if "scores" in line}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--pictures", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        save_b32(folder / "b32")
        file, count = make_items(folder, options.pictures, options.seed)
        there, here = (scores_of(options, folder, file, device) for device in (options.device, "cpu"))
    if len(here) != count or here.keys() != there.keys():
        raise SystemExit(f"{count} items, {len(here)} scored on the CPU, {len(there)} on {options.device}")
    want = numpy.array([here[key] for key in sorted(here)])
    worst = numpy.abs(want - [there[key] for key in sorted(here)]).max() / numpy.abs(want).max()
    print(f"{count} items, {want.size} scores: the largest difference is {worst:.1e} of the largest score")
    return 0 if worst <= 1e-4 else 1


if __name__ == "__main__":
    sys.exit(main())

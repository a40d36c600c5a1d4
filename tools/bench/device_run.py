#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Whole runs of CLIP B/32 (random weights) on a GPU, from JPEG files of 640 x 480.

    tools/bench/device_run.py --program build/gpu/snellen --folder DIR [--pictures 20000] [--groups 400000] [--turns 3] [--workers 16]
Two runs take turns: `each once` has as few Probe-C groups as show every picture and every text once, so it is what embedding costs;
`all groups` has --groups over the same pictures and texts. Prints one JSON line per figure: the seconds of either, images/s of
`each once` without its start (the same command with --limit 1), and the seconds that all groups take longer. DIR is made once and kept.
"""
import argparse
import concurrent.futures
import json
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile
import time

import numpy

from answers import expect_telling, stored_scores
from probe_c_world import THINGS, WORDS, group_of, save_picture

KINDS = [f"{thing} {number}" for thing in THINGS for number in range(25)]


def make_pictures(folder, first, count):
    for i in range(first, first + count):
        save_picture(folder, i, numpy.random.default_rng(i))


def make_groups(folder, pictures, count):
    """As many groups as show every picture once, and every text; the others are drawn. In no order."""
    draw = random.Random(0)
    texts = [(word, thing) for word in WORDS for thing in KINDS]
    groups = []
    for i in range(count):
        first, second = (2 * i, 2 * i + 1) if 2 * i + 1 < pictures else draw.sample(range(pictures), 2)
        (word, one), other = texts[i % len(texts)], draw.choice(KINDS)
        groups.append(group_of(first, second, word, one, other, f"A photo of a {word} {one}.", f"A photo of a {word} {other}."))
    draw.shuffle(groups)
    folder.mkdir()
    (folder / "data_object_switch.json").write_text(json.dumps(groups))


def make_world(folder, pictures, groups):
    from run_models import save_b32
    images = folder / "images"
    images.mkdir(parents=True)
    with concurrent.futures.ProcessPoolExecutor() as pool:
        step = 500
        list(pool.map(make_pictures, *zip(*[(images, first, min(step, pictures - first)) for first in range(0, pictures, step)])))
    make_groups(folder / "once", pictures, (pictures + 1) // 2)
    make_groups(folder / "all", pictures, groups)
    save_b32(folder / "b32")
    (folder / "made").touch()


def run(options, data, limit=0):
    with tempfile.TemporaryDirectory(dir=options.folder) as output:
        begin = time.perf_counter()
        done = subprocess.run([options.program, "run", "--model", options.folder / "b32", "--tasks", "probe-c", "--split", "object", "--data",
                               options.folder / data, "--root-image-dir", options.folder / "images", "--output", output, "--device", options.device,
                               "--dtype", options.dtype, "--num-workers", str(options.workers), "--no-cache", "--limit", str(limit)],
                              capture_output=True, text=True)
        seconds = time.perf_counter() - begin
        if done.returncode != 0:
            raise SystemExit(f"the run of {data} ended with {done.returncode}: {done.stderr[-2000:]}")
        if not limit:
            expect_telling(data, stored_scores(pathlib.Path(output)))
        return seconds, done.stdout + done.stderr


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--folder", type=pathlib.Path, required=True)
    parser.add_argument("--pictures", type=int, default=20000)
    parser.add_argument("--groups", type=int, default=400000)
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--workers", type=int, default=16)
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--dtype", default="bf16")
    parser.add_argument("--only-make", action="store_true", help="make DIR and stop")
    options = parser.parse_args()
    if not (options.folder / "made").exists():
        make_world(options.folder, options.pictures, options.groups)
    if options.only_make:
        return 0
    start = min(run(options, "once", limit=1)[0] for _ in range(2))
    once, everything = [], []
    for _ in range(options.turns):
        once.append(run(options, "once")[0])
        seconds, said = run(options, "all")
        everything.append(seconds)
    print(said, file=sys.stderr)
    each, whole = statistics.median(once), statistics.median(everything)
    for name, value in (("start", start), ("each once", each), ("all groups", whole), ("all groups take longer by", whole - each)):
        print(json.dumps({"name": name, "unit": "s", "value": round(value, 3)}))
    print(json.dumps({"name": "each once, without the start", "unit": "images/s", "value": round(options.pictures / (each - start))}))
    print(json.dumps({"name": "turns", "each once": once, "all groups": everything}))
    return 0


if __name__ == "__main__":
    sys.exit(main())

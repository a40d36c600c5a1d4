#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Whether cost grows linearly: Probe-C over 1x, 2x, 4x and 8x groups and pictures, each picture in as many places at every size.

A small CLIP that ships looks at JPEG files of 640 x 480. Time an item is that of the whole run less its start (the same command with
--limit 1), the middle of several turns in which all sizes are run one after the other. Memory is the peak of anonymous memory, looked at every few
milliseconds, and the peak of everything resident, which counts pages of mapped files too. "peer" is the run of 1x, and the ratio how much
more an item or the process takes.

    tools/bench/linearity.py --program build/release/snellen [--pictures 400] [--turns 3]
"""
import argparse
import json
import os
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile
import time

import numpy

from memory import Watch
from probe_c_world import THINGS, WORDS, group_of, save_picture
from rows import report

ROOT = pathlib.Path(__file__).resolve().parents[2]
SIZES = (1, 2, 4, 8)
GROUPS_A_PICTURE = 6.25  # so that each is shown in 12.5 places, as in the published object split


def make_pictures(folder, count):
    rng = numpy.random.default_rng(0)
    folder.mkdir()
    for i in range(count):
        save_picture(folder, i, rng)


def make_groups(folder, pictures):
    """The texts grow with the pictures: a number is part of them."""
    draw = random.Random(pictures)
    groups = []
    for i in range(int(pictures * GROUPS_A_PICTURE)):
        first, second = draw.sample(range(pictures), 2)
        word, (one, other) = draw.choice(WORDS), draw.sample(THINGS, 2)
        groups.append(group_of(first, second, word, one, other, f"A photo of a {word} {one} {first}.", f"A photo of a {word} {other} {second}."))
    folder.mkdir()
    (folder / "data_object_switch.json").write_text(json.dumps(groups))
    return len(groups)


def run(options, folder, size, limit):
    with tempfile.TemporaryDirectory(dir=folder) as output:
        begin = time.perf_counter()
        process = subprocess.Popen([options.program, "run", "--model", options.model, "--tasks", "probe-c", "--split", "object", "--data", folder / f"{size}x",
                                    "--root-image-dir", folder / "images", "--output", output, "--num-workers", str(options.threads), "--no-cache", "--limit", str(limit)],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        watch = Watch(process.pid)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - begin
        process.returncode = os.waitstatus_to_exitcode(status)
        peak = watch.end()
        if process.returncode != 0:
            raise SystemExit(f"the run of {size}x ended with {process.returncode}")
        return {"seconds": seconds, "anonymous": peak / 2**20, "resident": usage.ru_maxrss / 1024}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="build/release/snellen")
    parser.add_argument("--model", default=ROOT / "models" / "clip")
    parser.add_argument("--pictures", type=int, default=400, help="of 1x")
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="snellen-bench-") as name:
        folder = pathlib.Path(name)
        make_pictures(folder / "images", SIZES[-1] * options.pictures)
        items = {size: make_groups(folder / f"{size}x", size * options.pictures) for size in SIZES}
        turns = {size: [] for size in SIZES}
        for _ in range(options.turns):
            for size in SIZES:
                start = run(options, folder, size, 1)["seconds"]
                found = run(options, folder, size, 0)
                turns[size].append({**found, "micros": (found["seconds"] - start) / items[size] * 1e6})
        middle = {size: {key: statistics.median(turn[key] for turn in turns[size]) for key in turns[size][0]} for size in SIZES}
        for key, what, unit in (("micros", "time an item", "us"), ("anonymous", "anonymous memory", "MB"), ("resident", "peak resident", "MB")):
            for size in SIZES:
                report(f"linear: {what}, {size}x ({items[size]:,} groups)", unit, middle[size][key], middle[1][key], options.threads)
    return 0


if __name__ == "__main__":
    sys.exit(main())

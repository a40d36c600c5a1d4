#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The noise ladder of a folder of pictures (three PNGs each) beside a NumPy and Pillow script in the same run. With
NumPy's stream the pictures are compared first; then runs of our default stream and of the script alternate. Prints one
JSON object for each number of threads; `ours` and `peer` are PNGs per second.

    tools/bench/noise_ladder.py --program build/release/snellen --images DIR [--runs 5]
"""
import argparse
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np
from PIL import Image

from rows import report

SIGMAS = {"e2": 1e2, "e3": 1e3, "e4": 1e4}


def natural(path):
    return [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", path.name)]


def ladder(files, stream):
    for file in files:
        clean = np.asarray(Image.open(file).convert("RGB")).astype(np.float64)[:, :, ::-1]
        for level, sigma in SIGMAS.items():
            noisy = clean + stream.normal(0, sigma, clean.shape)
            yield file, level, np.clip(np.rint(noisy), 0, 255).astype(np.uint8)[:, :, ::-1]


def run_ours(program, files, out, *flags):
    begin = time.perf_counter()
    subprocess.run([program, "media", "noise", *files, "--out", out, *flags], check=True, capture_output=True)
    return time.perf_counter() - begin


def run_peer(files, out):
    begin = time.perf_counter()
    for file, level, noisy in ladder(files, np.random.RandomState(0)):
        Image.fromarray(noisy).save(out / f"{file.stem}_{level}.png")
    return time.perf_counter() - begin


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="build/release/snellen")
    parser.add_argument("--images", type=pathlib.Path, required=True)
    parser.add_argument("--runs", type=int, default=5)
    args = parser.parse_args()
    files = sorted(args.images.glob("*.jpg"), key=natural)
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder)
        run_ours(args.program, files[:3], out, "--rng", "numpy", "--seed", "7")
        for file, level, noisy in ladder(files[:3], np.random.RandomState(7)):
            mine = np.asarray(Image.open(out / "noisy" / f"{file.stem}_{level}.png"))
            if not np.array_equal(mine, noisy):
                print(f"{file.name} {level} differs", file=sys.stderr)
                return 1
        ours, theirs = {1: [], 2: []}, []
        for _ in range(args.runs):
            for threads, seconds in ours.items():
                seconds.append(run_ours(args.program, files, out, "--threads", str(threads)))
            theirs.append(run_peer(files, out))
    peer = 3 * len(files) / statistics.median(theirs)
    for threads, seconds in ours.items():
        rate = 3 * len(files) / statistics.median(seconds)
        report(f"noise ladder/{threads}", "PNGs/s", rate, peer, threads, ["snellen", "media", "noise", "PICTURES", "--threads", threads])
    return 0


if __name__ == "__main__":
    sys.exit(main())

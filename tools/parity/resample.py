#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Resized pictures against Pillow's Image.resize, bit for bit, on every SIMD level: random pictures x 6 filters.

    tools/parity/resample.py --program build/release/pixels_parity [--count 500] [--seed N]
"""
import argparse
import hashlib
import json
import pathlib
import random
import subprocess
import sys
import tempfile
import time

import numpy as np
from PIL import Image


def side(rng):
    return rng.choice([1, 2, 3, rng.randint(1, 12), rng.randint(1, 60), rng.randint(1, 300)])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True)
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", type=int, default=None)
    arguments = parser.parse_args()
    seed = arguments.seed if arguments.seed is not None else time.time_ns() % 2**31
    print(f"seed {seed}", flush=True)
    rng = random.Random(seed)
    differ = compared = 0
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "picture.bmp"
        ours = subprocess.Popen([arguments.program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for index in range(arguments.count):
            width, height = (1, 5000) if index == 0 else (5000, 1) if index == 1 else (side(rng), side(rng))
            noise = np.random.default_rng(rng.getrandbits(32))
            pixels = noise.integers(0, 256, (height, width, 3), dtype=np.uint8)
            if rng.random() < 0.3:  # extremes, where sums leave 0..255
                pixels = np.where(pixels < 128, 0, 255).astype(np.uint8)
            picture = Image.fromarray(pixels)
            picture.save(path)
            for code in range(6):
                target = rng.choice([(side(rng), side(rng)), (width, side(rng)), (side(rng), height)])
                want = picture.resize(target, code)
                window = None
                if rng.random() < 0.5:
                    left, top = rng.randrange(target[0]), rng.randrange(target[1])
                    window = [left, top, rng.randint(1, target[0] - left), rng.randint(1, target[1] - top)]
                    want = want.crop((left, top, left + window[2], top + window[3]))
                ours.stdin.write(json.dumps({"do": "resize", "file": str(path), "width": target[0], "height": target[1],
                                             "filter": code, "window": window}) + "\n")
                ours.stdin.flush()
                got = json.loads(ours.stdout.readline())
                compared += 1
                if got != {"width": want.width, "height": want.height, "sha256": hashlib.sha256(want.tobytes()).hexdigest()}:
                    differ += 1
                    if differ <= 20:
                        print(f"differs: picture {index} {picture.size} -> {target} filter {code} window {window}: {got}")
        ours.stdin.close()
        ours.wait()
    print(f"{compared} compared, {differ} differ")
    sys.exit(1 if differ or not compared else 0)


if __name__ == "__main__":
    main()

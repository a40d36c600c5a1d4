#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Masks and compositing beside pycocotools and NumPy in the same run, one thread: for each 640x480 picture with seven
polygons the united mask, the picture with its background replaced and the picture with a patch. All pictures are
compared first; then runs alternate. Prints one JSON object.

    tools/bench/masks.py --program build/release/masks_bench
"""
import argparse
import json
import math
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np
from pycocotools import mask as peer

from rows import report

HEIGHT, WIDTH, IMAGES, RUNS = 480, 640, 100, 7


def polygon(rng):
    """A blob of the size and number of points that COCO's annotators draw."""
    cx, cy, size = rng.uniform(0, WIDTH), rng.uniform(0, HEIGHT), rng.choice([10, 30, 60, 120, 200])
    xy = []
    for t in sorted(rng.uniform(0, 2 * math.pi) for _ in range(rng.randint(12, 60))):
        r = size * rng.uniform(0.7, 1)
        xy += [round(min(max(cx + r * math.cos(t), 0), WIDTH), 2), round(min(max(cy + r * math.sin(t), 0), HEIGHT), 2)]
    return xy


def peer_pictures(images, picture, canvas):
    for image in images:
        objects = peer.decode(peer.merge(peer.frPyObjects(image["polygons"], HEIGHT, WIDTH)))
        yield np.where(objects[:, :, None], picture, canvas)
        x, y, w, h = image["patch"]
        patched = picture.copy()
        patched[y:y + h, x:x + w] = canvas[y:y + h, x:x + w]
        yield patched


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="build/release/masks_bench")
    args = parser.parse_args()
    rng = random.Random(5)
    images = [{"polygons": [polygon(rng) for _ in range(7)], "patch": [rng.randrange(500), rng.randrange(380), 128, 96]}
              for _ in range(IMAGES)]
    pixels = np.random.RandomState(5).randint(0, 256, (2, HEIGHT, WIDTH, 3)).astype(np.uint8)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "cases.json").write_text(json.dumps({"h": HEIGHT, "w": WIDTH, "images": images}))
        (folder / "picture").write_bytes(pixels[0].tobytes())
        (folder / "canvas").write_bytes(pixels[1].tobytes())
        command = [args.program, folder / "cases.json", folder / "picture", folder / "canvas"]
        subprocess.run([*command, "0", folder / "out"], check=True, capture_output=True)
        mine = (folder / "out").read_bytes()
        if mine != b"".join(p.tobytes() for p in peer_pictures(images, *pixels)):
            print("pictures differ", file=sys.stderr)
            return 1
        ours, theirs = [], []
        for _ in range(RUNS):
            # The first is cold, as the peer never is.
            ours += json.loads(subprocess.run([*command, "4"], check=True, capture_output=True).stdout)["seconds"][1:]
            begin = time.perf_counter()
            for _ in peer_pictures(images, *pixels):
                pass
            theirs.append(time.perf_counter() - begin)
    peer = IMAGES / statistics.median(theirs)
    for threads in (1, 2):
        report("mask and compositing", "images/s", threads * IMAGES / statistics.median(pair[threads - 1] for pair in ours), peer, threads)
    report("mask and compositing/two threads", "gain over one", statistics.median(2 * one / two for one, two in ours), 1, 2)
    return 0


if __name__ == "__main__":
    sys.exit(main())

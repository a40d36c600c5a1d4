#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Masks against pycocotools on fresh random polygons and run lengths: compressed strings, areas, boxes, unions,
intersections and pixels must be equal.

    tools/parity/masks.py --program build/release/masks_parity [--count 3000] [--seed N]
"""
import argparse
import hashlib
import json
import math
import random
import subprocess
import sys
import tempfile

import numpy as np
from pycocotools import mask as peer


def random_polygon(rng, h, w):
    kind = rng.random()
    points = rng.choice([3, 3, 4, 5, 8, 20, 60])
    if kind < 0.4:  # a blob around a centre, as annotators draw
        cx, cy = rng.uniform(0, w), rng.uniform(0, h)
        size = rng.uniform(0.5, max(h, w))
        xy = [(cx + size * rng.random() * math.cos(t), cy + size * rng.random() * math.sin(t))
              for t in sorted(rng.uniform(0, 2 * math.pi) for _ in range(points))]
    elif kind < 0.6:  # anything, also far outside and crossing itself
        xy = [(rng.uniform(-w, 2 * w), rng.uniform(-h, 2 * h)) for _ in range(points)]
    elif kind < 0.8:  # whole and half pixels, repeated points, straight edges
        xy = [(rng.randrange(-2, 2 * w + 3) / 2, rng.randrange(-2, 2 * h + 3) / 2) for _ in range(points)]
        xy += [rng.choice(xy) for _ in range(rng.randrange(3))]
    elif kind < 0.9:  # slivers
        x, y = rng.uniform(0, w), rng.uniform(0, h)
        xy = [(x + rng.uniform(-.3, .3), rng.uniform(0, h)) for _ in range(points)] + [(rng.uniform(0, w), y)]
    else:  # hundredths, as COCO writes
        xy = [(round(rng.uniform(0, w), 2), round(rng.uniform(0, h), 2)) for _ in range(points)]
    return [float(c) for point in xy for c in point]


def random_runs(rng, h, w):
    runs, left = [], h * w
    mean = rng.choice([1, 3, 30, 3000])
    if rng.random() < 0.3:
        runs.append(0)
    while left > 0:
        run = min(left, 1 + int(rng.expovariate(1 / mean)))
        runs.append(run)
        left -= run
    return runs


def random_case(rng):
    h, w = (rng.choice([1, 2, 3, 7, 16, 50, 111, 480]) for _ in range(2))
    segmentations = []
    for _ in range(rng.choice([1, 1, 2, 3, 6])):
        kind = rng.random()
        if kind < 0.6:
            segmentations.append([random_polygon(rng, h, w) for _ in range(rng.choice([1, 1, 2, 4]))])
        else:
            counts = random_runs(rng, h, w)
            if kind < 0.8:
                counts = peer.frPyObjects({"size": [h, w], "counts": counts}, h, w)["counts"].decode()
            segmentations.append({"size": [h, w], "counts": counts})
    return {"h": h, "w": w, "segmentations": segmentations}


def peer_mask(segmentation, h, w):
    if isinstance(segmentation, list):
        return peer.merge(peer.frPyObjects(segmentation, h, w))
    if isinstance(segmentation["counts"], list):
        return peer.frPyObjects(segmentation, h, w)
    return {"size": [h, w], "counts": segmentation["counts"].encode()}


def described(rle):
    return {"counts": rle["counts"].decode(), "area": int(peer.area(rle)), "bbox": [int(x) for x in peer.toBbox(rle)]}


def peer_answer(case):
    masks = [peer_mask(s, case["h"], case["w"]) for s in case["segmentations"]]
    united = peer.merge(masks)
    pixels = peer.decode(united)
    return {"masks": [described(m) for m in masks], "union": described(united),
            "intersection": described(peer.merge(masks, intersect=True)),
            "pixels": hashlib.sha256(np.ascontiguousarray(pixels).tobytes()).hexdigest(),
            "encoded": peer.encode(np.asfortranarray(pixels))["counts"].decode()}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="build/release/masks_parity")
    parser.add_argument("--count", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(2**32))
    args = parser.parse_args()
    print(f"seed {args.seed}, {args.count} cases")
    rng = random.Random(args.seed)
    cases = [random_case(rng) for _ in range(args.count)]
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
        file.write("".join(json.dumps(case) + "\n" for case in cases))
        file.flush()
        ours = subprocess.run([args.program, file.name], check=True, capture_output=True, text=True).stdout.splitlines()
    failed = 0
    for case, line in zip(cases, ours):
        mine, theirs = json.loads(line), peer_answer(case)
        if mine != theirs:
            failed += 1
            if failed <= 3:
                print(f"{json.dumps(case)[:600]}\n  ours {json.dumps(mine)[:400]}\n  peer {json.dumps(theirs)[:400]}")
    polygons = sum(len(s) for case in cases for s in case["segmentations"] if isinstance(s, list))
    print(f"{polygons} polygons")
    print(f"{len(ours) - failed} passed, {failed} failed")
    return 1 if failed or len(ours) != len(cases) else 0


if __name__ == "__main__":
    sys.exit(main())

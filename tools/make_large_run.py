#!/usr/bin/env python3
"""Run folders of many items, to see that the viewer stays fast: make_large_run.py SNELLEN OUTPUT [ITEMS [RUNS or SOURCE]]

Writes OUTPUT/items.jsonl and scores it with the model that makes scores from hashes, once per run: OUTPUT/runs/run1-large, ...
With SNELLEN = "folders" it writes OUTPUT/many/NNNN-NAME instead: ITEMS small run folders, copies of those of [SOURCE] (default: OUTPUT/runs).
"""
import json
import pathlib
import random
import shutil
import subprocess
import sys

THINGS = [f"{colour} {thing}" for colour in ("red", "blue", "green", "white", "black", "striped", "wooden", "small") for thing in (
    "cat", "dog", "boat", "vase", "bowl", "chair", "train", "apple", "zebra", "kite", "book", "clock", "horse", "table", "lamp", "fork")]
RELATIONS = ["on", "under", "beside", "behind", "inside", "above", "near", "holding"]


def write_items(path, count):
    rng = random.Random(0)
    with open(path, "w") as out:
        out.write(json.dumps({"name": "large", "metric": "pairwise"}) + "\n")
        for i in range(count):
            first, second, relation = rng.choice(THINGS), rng.choice(THINGS), rng.choice(RELATIONS)
            picture = f"{i // 4:07d}.png"
            out.write(json.dumps({"id": f"item-{i}", "group": picture, "category": relation, "tags": [first.split()[0]], "visuals": [picture],
                                  "texts": [f"a photo of a {first} {relation} a {second}", f"a photo of a {second} {relation} a {first}"], "right": 0}) + "\n")


def write_pictures(folder, count):
    """Of the first items; the others name pictures that are not there."""
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tests" / "integration"))
    from pictures import write_png
    for i in range(count):
        write_png(folder / f"{i:07d}.png", 640, 480, (i * 5 % 256, 90, 160))


def main():
    program, output = sys.argv[1], pathlib.Path(sys.argv[2])
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 1_000_000
    output.mkdir(parents=True, exist_ok=True)
    if program == "folders":
        source = pathlib.Path(sys.argv[4]) if len(sys.argv) > 4 else output / "runs"
        sources = sorted(path for path in source.iterdir() if path.is_dir())
        for i in range(count):
            shutil.copytree(sources[i % len(sources)], output / "many" / f"{i:04d}-{sources[i % len(sources)].name}")
        return
    runs = int(sys.argv[4]) if len(sys.argv) > 4 else 2
    write_items(output / "items.jsonl", count)
    write_pictures(output, 30)
    for seed in range(1, runs + 1):
        subprocess.run([program, "run", "--model", "fake", "--tasks", f"file:{output / 'items.jsonl'}", "--name", f"run{seed}", "--seed", str(seed),
                        "--output", str(output / "runs")], check=True)


if __name__ == "__main__":
    main()

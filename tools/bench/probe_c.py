#!/usr/bin/env python3
"""Probe-C from a score file: groups per second of `snellen score` beside a script written as the paper's are.

The peer reads the same two files, takes the softmax of each pair, makes the three decisions and writes the raw and the
aggregated file; it stores no samples, makes no interval and cannot resume. Prints one JSON line per size.
"""
import argparse
import json
import math
import pathlib
import random
import subprocess
import tempfile
import time

from answers import expect_telling, stored_scores
from rows import report


def make(folder, count):
    rng = random.Random(1)
    groups = [{"img1_id": str(rng.randrange(count // 10 + 1)), "img2_id": rng.randrange(40000), "img1_prompt": f"A photo of a red cat {i % 997}.",
               "img2_prompt": f"A photo of a blue cat {i % 991}.", "img1_composition": "red", "img1_object": "cat",
               "img2_composition": "blue", "img2_object": "cat"} for i in range(count)]
    (folder / "data_compositional_switch.json").write_text(json.dumps(groups))
    with open(folder / "scores.jsonl", "w") as file:
        for i in range(count):
            file.write(json.dumps({"split": "composition", "index": i, "scores": [[round(rng.gauss(20, 2), 4) for _ in range(2)] for _ in range(2)]}) + "\n")


def softmax(a, b):
    top = max(a, b)
    x, y = math.exp(a - top), math.exp(b - top)
    return x / (x + y), y / (x + y)


def peer(folder):
    scores = {}
    for line in open(folder / "scores.jsonl"):
        row = json.loads(line)
        scores[row["split"], row["index"]] = row["scores"]
    raw = {"rel_diff": {i: {"prompt1": [], "prompt2": []} for i in ("image1", "image2")},
           "acc": {"text_correct": [], "image_correct": [], "group_correct": []}}
    for index, _ in enumerate(json.load(open(folder / "data_compositional_switch.json"))):
        f = scores["composition", index]
        for image, row in zip(("image1", "image2"), f):
            for prompt, share in zip(("prompt1", "prompt2"), softmax(*row)):
                raw["rel_diff"][image][prompt].append(share)
        text = f[0][0] > f[0][1] and f[1][1] > f[1][0]
        image = f[0][0] > f[1][0] and f[1][1] > f[0][1]
        for key, value in (("text_correct", text), ("image_correct", image), ("group_correct", text and image)):
            raw["acc"][key].append(value)
    (folder / "raw.json").write_text(json.dumps(raw))
    mean = lambda values: round(sum(values) / len(values), 4)
    (folder / "aggregated.json").write_text(json.dumps({k: mean(v) for k, v in raw["acc"].items()}))
    return raw["acc"]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True)
    parser.add_argument("--count", type=int, default=100000)
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        make(folder, options.count)
        ours, theirs = [], []
        for repeat in range(options.repeats):
            start = time.perf_counter()
            expected = peer(folder)
            theirs.append(time.perf_counter() - start)
            command = [options.program, "score", "probe-c", "--scores", str(folder / "scores.jsonl"), "--data", str(folder),
                       "--output", str(folder / "runs"), "--num-workers", "1", "--overwrite"]
            start = time.perf_counter()
            subprocess.run(command, check=True, capture_output=True)
            ours.append(time.perf_counter() - start)
        # The answer is checked before it counts.
        expect_telling("probe-c from a score file", stored_scores(folder / "runs"))
        results = json.loads((folder / "runs" / "file-probe-c" / "results.json").read_text())["metrics"]
        group = next(one for one in results if one["id"] == "probe-c/composition/group")
        assert abs(group["value"] - sum(expected["group_correct"]) / options.count) < 1e-12
        rate = lambda times: options.count / sorted(times)[len(times) // 2]
        report("probe-c groups from a score file", "groups/s", rate(ours), rate(theirs))


if __name__ == "__main__":
    main()

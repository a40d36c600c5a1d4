#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""CIDEr-D, ours beside pycocoevalcap (pip install pycocoevalcap==1.2) in the same run: entries per second from texts to
scores, median of five. The entries are a generations file with three pseudo references each: sorted by (image_id,
round_id), those of entry i are the generations of entries i+1, i+7 and i+13. Prints one JSON object a line.

    tools/bench/cider.py --generations gens.json --binary build/release/cider_parity
"""
import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time

from pycocoevalcap.cider.cider import Cider

from rows import report

RUNS = 5
ROUNDS = 40
TOLERANCE = 1e-9


def read_entries(path):
    with open(path) as file:
        entries = sorted(json.load(file), key=lambda entry: (entry["image_id"], entry["round_id"]))
    texts = [entry["generations"][0] for entry in entries]
    return texts, [[texts[(i + step) % len(texts)] for step in (1, 7, 13)] for i in range(len(texts))]


def time_peer(generations, references):
    seconds = []
    for _ in range(RUNS):
        truth, results = dict(enumerate(references)), {i: [text] for i, text in enumerate(generations)}
        begin = time.perf_counter()
        _, scores = Cider().compute_score(truth, results)
        seconds.append(time.perf_counter() - begin)
    return statistics.median(seconds), scores


def ours(binary, generations, references, runs=RUNS):
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump({"generations": generations, "references": references}, file)
        file.flush()
        return json.loads(subprocess.run([binary, file.name, str(runs)], check=True, capture_output=True).stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--generations", required=True)
    parser.add_argument("--binary", default="build/release/cider_parity")
    args = parser.parse_args()
    generations, references = read_entries(args.generations)
    peer_seconds, peer_scores = time_peer(generations, references)
    peer = len(generations) / peer_seconds
    answer = ours(args.binary, generations, references)
    # The answer is checked before it is timed.
    worst = max(abs(mine - theirs) for mine, theirs in zip(answer["scores"], peer_scores))
    if not worst <= TOLERANCE:
        print(f"scores differ by {worst}", file=sys.stderr)
        return 1
    report("cider-d", "entries/s", len(generations) / statistics.median(answer["seconds"][0]), peer, 1)
    # Ten milliseconds are too short for two threads: forty times as many entries, each with other references.
    count = len(generations)
    longer = [[generations[(i + shift + step) % count] for step in (1, 7, 13)] for shift in range(ROUNDS) for i in range(count)]
    one, two = ours(args.binary, generations * ROUNDS, longer, 2 * RUNS + 1)["seconds"]
    report("cider-d", "entries/s", len(longer) / statistics.median(two), peer, 2)
    report("cider-d/two threads", "gain over one", statistics.median(a / b for a, b in zip(one, two)), 1, 2)
    return 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The cluster bootstrap beside NumPy in the same run, and the ViLMA suite from files to its table.

    tools/bench/statistics_bench.py --bootstrap build/release/bootstrap_bench --program build/release/snellen [--golden DIR --data DIR]
Rows: `bootstrap` of 2,000 replicates over 100,000 items in 100,000 and in 20,000 clusters (seconds; the peer draws cluster numbers with
NumPy and sums by them), the gain of two threads, and `vilma suite` (seconds; the peer is our limit of 0.5 s).
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np

from rows import report

ITEMS, REPLICATES, REPEATS = 100_000, 2000, 5


def peer_seconds(clusters, replicates):
    values = (np.arange(ITEMS) * 7919 % 1000) / 1000
    number = np.arange(ITEMS) % clusters
    sums, weights = np.bincount(number, values), np.bincount(number)
    stream = np.random.default_rng(0)
    begin = time.perf_counter()
    means = np.empty(replicates)
    for i in range(replicates):
        drawn = stream.integers(0, clusters, clusters)
        means[i] = sums[drawn].sum() / weights[drawn].sum()
    seconds = time.perf_counter() - begin
    return seconds, np.percentile(means, [2.5, 97.5])


def bootstrap(program):
    for clusters in (100_000, 20_000):
        command = [program, str(ITEMS), str(clusters), str(REPLICATES), str(REPEATS)]
        answer = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
        peer, interval = peer_seconds(clusters, REPLICATES)
        if max(abs(mine - theirs) for mine, theirs in zip(answer["interval"], interval)) > 3e-4:
            sys.exit(f"the intervals differ: {answer['interval']} and {interval}")
        one, two = answer["seconds"]
        for threads, seconds in enumerate((one, two), 1):
            mine = statistics.median(seconds)
            report(f"bootstrap of {clusters:,} clusters", "s", mine, peer, threads, command, less_is_better=True)
        gain = statistics.median(a / b for a, b in zip(one, two))
        report(f"bootstrap of {clusters:,} clusters/two threads", "gain over one", gain, 1, 2, command)


def suite(program, golden, data):
    with tempfile.TemporaryDirectory() as folder:
        command = [program, "score", "vilma", "--suite", golden / "suite.json", "--data", data, "--json"]
        seconds = []
        for i in range(REPEATS):
            begin = time.perf_counter()
            subprocess.run([*command, "--output", f"{folder}/{i}"], check=True, capture_output=True)
            seconds.append(time.perf_counter() - begin)
    mine = statistics.median(seconds)
    report("vilma suite", "s", mine, 0.5, 1, command, less_is_better=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bootstrap", required=True)
    parser.add_argument("--program", required=True)
    parser.add_argument("--golden", type=pathlib.Path)
    parser.add_argument("--data", type=pathlib.Path)
    args = parser.parse_args()
    bootstrap(args.bootstrap)
    if args.golden and args.data:
        suite(args.program, args.golden, args.data)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Sentences of 20 words scored per second, ours beside vaderSentiment (PyPI) in the same run, median of 5.

    tools/bench/vader.py --program build/release/vader_parity
Prints one JSON line per number of threads. The peer is pure Python under one lock: its figure with two threads is the
one of two processes.
"""
import argparse
import multiprocessing
import os
import random
import statistics
import subprocess
import sys
import time

from vaderSentiment import vaderSentiment as peer

from rows import report

COMMON = """the a is was it he she they person picture in on with and or of for to at by some thing man woman nurse
doctor day coat walks sits holds looks street window house table red old young very not but really never""".split()


def sentences(count, seed=1):
    rng = random.Random(seed)
    lexicon = [word for word in peer.SentimentIntensityAnalyzer().lexicon if word.isalpha() and word.islower()]
    made = []
    for _ in range(count):
        words = [rng.choice(lexicon) if rng.random() < 0.2 else rng.choice(COMMON) for _ in range(20)]
        made.append(" ".join(words).capitalize() + rng.choice([".", "!", ".", ", you see."]))
    return made


def peer_rate(texts):
    analyzer = peer.SentimentIntensityAnalyzer()
    start = time.perf_counter()
    for text in texts:
        analyzer.polarity_scores(text)
    return len(texts) / (time.perf_counter() - start)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--sentences", type=int, default=200000)
    arguments = parser.parse_args()
    texts = sentences(arguments.sentences)
    few = texts[:10000]
    folder = os.path.dirname(peer.__file__)
    tables = [os.path.join(folder, name) for name in ("vader_lexicon.txt", "emoji_utf8_lexicon.txt")]
    peers = {1: [], 2: []}
    with multiprocessing.Pool(2) as pool:
        for _ in range(arguments.repeats):
            for threads, rates in peers.items():
                rates.append(sum(pool.map(peer_rate, [few] * threads, chunksize=1)))
    timed = subprocess.run([arguments.program, "time", *tables, str(2 * arguments.repeats + 1)], input="\n".join(texts), capture_output=True,
                           text=True, check=True)
    ours = [[float(word) for word in line.split()] for line in timed.stdout.splitlines()]
    for threads, rates in peers.items():
        report("vader", "sentences/s", statistics.median(pair[threads - 1] for pair in ours), statistics.median(rates), threads)
    report("vader/two threads", "gain over one", statistics.median(two / one for one, two in ours), 1, 2)


if __name__ == "__main__":
    main()

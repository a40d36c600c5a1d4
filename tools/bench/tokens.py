#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""CLIP tokens per second over captions, ours beside the `tokenizers` library in the same run, alternating, median of 5.

    tools/bench/tokens.py --program build/release/tokens_parity [--captions FOLDER]
The peer is measured in one call for all captions and one by one; the faster counts. With two threads the peer is two
processes. ViLMA's captions are used where they are, else captions are made. The ids are compared before anything is timed.
"""
import argparse
import json
import multiprocessing
import os
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile
import time

from rows import report

os.environ["TOKENIZERS_PARALLELISM"] = "false"
sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "parity"))


def strings(value):
    if isinstance(value, str):
        if " " in value:
            yield value
    elif isinstance(value, dict):
        for key, member in value.items():
            if key in ("caption", "foils", "capt", "foil", "proficiency"):
                yield from strings(member)
            elif isinstance(member, dict):
                yield from strings(member)
    elif isinstance(value, list):
        for member in value:
            yield from strings(member)


def captions(folder, most=100000):
    found = []
    if folder and folder.is_dir():
        for path in sorted(folder.glob("*.json")):
            found += strings(json.loads(path.read_text()))
    found = [" ".join(text.split()) for text in found]
    if not found:
        rng = random.Random(1)
        words = "a the man woman dog cat red bicycle street table is on under near riding holding two three small large".split()
        found = [" ".join(rng.choice(words) for _ in range(rng.randint(6, 14))).capitalize() + "." for _ in range(20000)]
    return (found * (most // len(found) + 1))[:most]


def peer_rate(arguments):
    path, texts, is_batch = arguments
    from tokenizers import Tokenizer
    peer = Tokenizer.from_file(path)
    for text in texts[:2000]:
        peer.encode(text)
    start = time.perf_counter()
    encodings = peer.encode_batch(texts) if is_batch else [peer.encode(text) for text in texts]
    seconds = time.perf_counter() - start
    return sum(len(encoding.ids) for encoding in encodings) / seconds


def compare(program, folder, texts):
    from tokenizers import Tokenizer
    peer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    lines = "".join(f"{text.encode().hex()} {' '.join(map(str, encoding.ids))}\n" for text, encoding in zip(texts, peer.encode_batch(texts)))
    result = subprocess.run([program, "check", str(folder), "auto"], input=lines, text=True, capture_output=True)
    if result.returncode != 0:
        sys.exit(f"tokens.py: the ids differ\n{result.stdout}{result.stderr}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True)
    parser.add_argument("--captions", type=pathlib.Path, default=None)
    parser.add_argument("--repeats", type=int, default=5)
    arguments = parser.parse_args()
    from token_kinds import clip
    texts = captions(arguments.captions)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        clip(folder, None)
        compare(arguments.program, folder, sorted(set(texts)))
        few = texts[:20000]
        peers = {1: [], 2: []}
        ours = []
        longer = "\n".join(texts * 10)  # a second of work, not a tenth of one
        with multiprocessing.Pool(2) as pool:
            for _ in range(arguments.repeats):
                run = subprocess.run([arguments.program, "time", name, "auto", "1"], input=longer, capture_output=True, text=True, check=True)
                ours.append([float(word) for word in run.stdout.split()])
                for threads, rates in peers.items():
                    rates.append(max(sum(pool.map(peer_rate, [(str(folder / "tokenizer.json"), few, is_batch)] * threads, chunksize=1))
                                     for is_batch in (True, False)))
        for threads, rates in peers.items():
            report("clip tokens", "tokens/s", statistics.median(pair[threads - 1] for pair in ours), statistics.median(rates), threads)
        report("clip tokens/two threads", "gain over one", statistics.median(two / one for one, two in ours), 1, 2)


if __name__ == "__main__":
    main()

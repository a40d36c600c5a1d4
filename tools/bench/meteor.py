#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Benches METEOR beside the Java program in the same run: real generations, three pseudo references each, with the
paraphrase table. Prints JSON lines {"name","unit","ours","peer","ratio","threads","command"}.

  meteor.py --ours build/release/snellen-meteor-bench --stdio build/release/snellen-meteor-parity
            --meteor-data DIR --gens gens.json --cache DIR [--segments 20640]
"""
import argparse
import json
import pathlib
import shutil
import subprocess
import tempfile
import threading
import time

from rows import report


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ours", required=True)
    parser.add_argument("--stdio", required=True)
    parser.add_argument("--meteor-data", required=True)
    parser.add_argument("--gens", required=True, type=pathlib.Path)
    parser.add_argument("--cache", required=True)
    parser.add_argument("--segments", type=int, default=20640)
    return parser.parse_args()


def questions(path, limit):
    entries = sorted(json.loads(path.read_text()), key=lambda e: (e["image_id"], e["round_id"]))
    texts = [" ".join(e["generations"][0].replace("|||", "").split()) for e in entries]
    n = len(texts)
    return ["SCORE ||| " + " ||| ".join(texts[(i + s) % n] or " " for s in (1, 7, 13)) + " ||| " + (texts[i] or " ")
            for i in range(min(limit, n))]


def stdio_rate(command, lines, cwd=None):
    """(seconds to the first answer, segments per second afterwards), questions written ahead of the answers."""
    begin = time.perf_counter()
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=cwd)
    process.stdin.write((lines[0] + "\n").encode())
    process.stdin.flush()
    process.stdout.readline()
    started = time.perf_counter()
    data = "".join(line + "\n" for line in lines).encode()
    writer = threading.Thread(target=lambda: (process.stdin.write(data), process.stdin.flush()))
    writer.start()
    for _ in lines:
        process.stdout.readline()
    ended = time.perf_counter()
    writer.join()
    process.stdin.close()
    process.wait()
    return started - begin, len(lines) / (ended - started)


def main():
    args = arguments()
    lines = questions(args.gens, args.segments)
    jar = ["java", "-Xmx2G", "-jar", "meteor-1.5.jar", "-", "-", "-stdio", "-l", "en", "-norm"]
    ours = [args.stdio, "--meteor-data", args.meteor_data, "--cache", args.cache]
    stdio_rate(ours, lines[:10])  # the index is in the cache from here on
    jar_start, jar_rate = stdio_rate(jar, lines, args.meteor_data)
    our_start, our_rate = stdio_rate(ours, lines)
    report("meteor/stdio", "segments/s", our_rate, jar_rate, 1, ours)
    report("meteor/start", "s to first answer", our_start, jar_start, 1, ours, less_is_better=True)
    command = [args.ours, "--meteor-data", args.meteor_data, "--cache", args.cache, "--gens", str(args.gens)]
    once = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
    report("meteor/score", "segments/s", once["segments_per_s"][0], jar_rate, 1, command)
    report("meteor/load", "s", once["start_ms"] / 1000, jar_start, 1, command, less_is_better=True)
    # A tenth of a second is too short for two threads: ten rounds of it, taking turns with one thread.
    command += ["--rounds", "10"]
    long = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
    report("meteor/score", "segments/s", long["segments_per_s"][1], jar_rate, 2, command)
    report("meteor/two threads", "gain over one", long["gain"], 1, 2, command)
    folder = tempfile.mkdtemp()
    first, _ = stdio_rate([args.stdio, "--meteor-data", args.meteor_data, "--cache", folder], lines[:10])
    shutil.rmtree(folder)
    report("meteor/first-build", "s to first answer", first, jar_start, 1, ours, less_is_better=True)


if __name__ == "__main__":
    main()

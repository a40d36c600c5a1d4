#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The four VisDial commands on dialogs of the true size, as a user runs them, with every file read and written: seconds and the
most anonymous memory of each, beside the limits. The dialogs are those of tools/make_visdial.py (1 GB, made once). A limit that
is missed at the true size is said on stderr and ends with exit code 1.

    tools/bench/visdial_commands.py --program build/release/snellen --cache build/bench [--train 123287] [--val 2064] [--threads 2]
"""
import argparse
import pathlib
import shutil
import subprocess
import sys
import time

from memory import Watch
from rows import report

MAKER = pathlib.Path(__file__).resolve().parents[1] / "make_visdial.py"
TRUE_SIZE = (123287, 2064)  # dialogs of train and val
MOST_MB = 3000
MOST_SECONDS = {"train cca": 60, "ranking": 60, "reference sets (deviation, mean shift, Ward)": 60, "generation, k = 15": 180}


def commands(data, out, threads):
    train, val, cca = data / "visdial_1.0_train.json", data / "visdial_1.0_val.json", out / "cca"
    yield "train cca", ["train", "cca", "--dialogs", train, "--word-vectors", data / "word_vectors.json", "--output", cca, "--threads", threads]
    yield "ranking", ["run", "--model", f"cca:{cca}", "--tasks", "visdial-rank", "--dialogs", val, "--output", out / "runs", "--num-workers", threads]
    yield "reference sets (deviation, mean shift, Ward)", ["build", "densevisdial", "--dialogs", val, "--projections", cca, "--cluster-method", "S,M,G",
                                                           "--out", out / "sets", "--threads", threads]
    yield "generation, k = 15", ["build", "visdial-generations", "--projections", cca, "--training-dialogs", train, "--dialogs", val, "--k", 15,
                                 "--out", out / "gens", "--threads", threads]


def measured(command):
    """Seconds, and the most anonymous memory in MB."""
    begin = time.perf_counter()
    process = subprocess.Popen([str(part) for part in command], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    watch = Watch(process.pid)
    told = process.communicate()[1]
    peak = watch.end()
    if process.returncode != 0:
        sys.exit(f"{command}: {process.returncode}: {told[-2000:]}")
    return time.perf_counter() - begin, peak / 2**20


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=pathlib.Path, required=True)
    parser.add_argument("--cache", type=pathlib.Path, required=True)
    parser.add_argument("--train", type=int, default=TRUE_SIZE[0])
    parser.add_argument("--val", type=int, default=TRUE_SIZE[1])
    parser.add_argument("--threads", type=int, default=2)
    args = parser.parse_args()
    data, out = args.cache / f"visdial_dialogs_{args.train}_{args.val}", args.cache / "visdial_commands"
    if not (data / "word_vectors.json").exists():
        subprocess.run([sys.executable, MAKER, data, "--train", str(args.train), "--val", str(args.val), "--words"], check=True)
    shutil.rmtree(out, ignore_errors=True)
    missed = 0
    for what, arguments in commands(data, out, args.threads):
        seconds, memory = measured([args.program, *arguments])
        report(f"visdial command: {what}; peer: the limit", "s", seconds, MOST_SECONDS[what], args.threads, less_is_better=True)
        report(f"visdial command: {what}: most anonymous memory; peer: the limit", "MB", memory, MOST_MB, args.threads, less_is_better=True)
        if (args.train, args.val) == TRUE_SIZE and (seconds > MOST_SECONDS[what] or memory > MOST_MB):
            missed += 1
            print(f"LIMIT MISSED: {what}: {seconds:.1f} s and {memory:.0f} MB, at most {MOST_SECONDS[what]} s and {MOST_MB} MB are wanted", file=sys.stderr)
    shutil.rmtree(out)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())

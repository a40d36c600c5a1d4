#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""CCA on VisDial at its true size, beside NumPy and scikit-learn in the same run: fit, ranking, generation with k = 15 and
reference sets. Both sides start from the same matrices of distinct texts on disk and include the projection. NumPy does not
deduplicate; its generation and scikit-learn's mean shift are timed on a part of the rounds and given as rates. A limit that is
missed (LIMITS, those in seconds and in memory at the true size alone) is said on stderr and ends with exit code 1.

    tools/bench/visdial.py --program build/release/visdial_bench --cache build/bench [--train 123287] [--val 2064]
"""
import argparse
import json
import pathlib
import subprocess
import sys
import time

import numpy as np
import scipy.linalg
from sklearn.cluster import MeanShift

from memory import Watch
from rows import report

WIDTH, K = 300, 15
DISTINCT = 0.3
TRUE_SIZE = (123287, 2064)  # dialogs of train and val
MOST_ANONYMOUS_MB = 3000
# At least so many times the peer's speed, and at most so many seconds.
LIMITS = {"fit": (1, 60), "ranking": (3, 60), "generation": (3, 180), "sets": (50, 60)}


def make(folder, num_train, num_val):
    """Matrices and indices; 30 % of a split's questions and answers are distinct."""
    rng = np.random.default_rng(1)
    folder.mkdir(parents=True, exist_ok=True)
    train, val = num_train * 10, num_val * 10
    distinct_train, distinct_val = int(train * DISTINCT), int(val * DISTINCT)

    def asked(total, distinct, first):
        numbers = first + np.concatenate([np.arange(distinct), rng.zipf(1.2, size=total - distinct) % distinct])
        rng.shuffle(numbers)
        return numbers.astype(np.uint32)
    basis = rng.normal(size=(40, WIDTH))
    for name in ("questions", "answers"):
        # Few strong directions and noise, as averages of word vectors have.
        rows = np.lib.format.open_memmap(folder / f"{name}.npy", mode="w+", dtype="<f8", shape=(distinct_train + distinct_val, WIDTH))
        for at in range(0, len(rows), 65536):
            size = min(65536, len(rows) - at)
            rows[at:at + size] = rng.normal(size=(size, 40)) @ basis + rng.normal(size=(size, WIDTH))
        rows.flush()
    asked(train, distinct_train, 0).tofile(folder / "train_questions")
    asked(train, distinct_train, 0).tofile(folder / "train_answers")
    asked(val, distinct_val, distinct_train).tofile(folder / "val_questions")
    rng.integers(100, size=val).astype(np.uint32).tofile(folder / "val_given")
    (distinct_train + rng.integers(distinct_val, size=val * 100)).astype(np.uint32).tofile(folder / "val_candidates")
    (folder / "made").write_text(f"{num_train} {num_val}")


class Peer:
    def __init__(self, folder):
        self.questions = np.load(folder / "questions.npy", mmap_mode="r")
        self.answers = np.load(folder / "answers.npy", mmap_mode="r")
        for name in ("train_questions", "train_answers", "val_questions", "val_given", "val_candidates"):
            setattr(self, name, np.fromfile(folder / name, dtype=np.uint32))

    def fit(self):
        total, sums, n = np.zeros((2 * WIDTH, 2 * WIDTH)), np.zeros(2 * WIDTH), len(self.train_answers)
        for at in range(0, n, 65536):
            rows = np.hstack([self.answers[self.train_answers[at:at + 65536]], self.questions[self.train_questions[at:at + 65536]]])
            total += rows.T @ rows
            sums += rows.sum(0)
        mean = sums / n
        full = (total - n * np.outer(mean, mean)) / (n - 1) + 1e-12 * np.eye(2 * WIDTH)
        within = scipy.linalg.block_diag(full[:WIDTH, :WIDTH], full[WIDTH:, WIDTH:])
        values, vectors = scipy.linalg.eigh(full, within, subset_by_index=[WIDTH, 2 * WIDTH - 1])
        values, vectors = values[::-1], vectors[:, ::-1]
        vectors = vectors / np.linalg.norm(vectors, axis=0) * values
        self.means = mean[:WIDTH].astype(np.float32), mean[WIDTH:].astype(np.float32)
        self.weights = vectors[:WIDTH].astype(np.float32), vectors[WIDTH:].astype(np.float32)
        return values.sum()

    def project(self, rows, view):
        projected = (rows.astype(np.float32) - self.means[view]) @ self.weights[view]
        return projected / np.linalg.norm(projected, axis=1, keepdims=True)

    def rank(self):
        ranks = 0
        for at in range(0, len(self.val_questions), 128):
            questions = self.project(self.questions[self.val_questions[at:at + 128]], 1)
            candidates = self.project(self.answers[self.val_candidates[at * 100:(at + 128) * 100]], 0).reshape(-1, 100, WIDTH)
            scores = np.einsum("rcw,rw->rc", candidates, questions)
            order = np.argsort(-scores, axis=1, kind="stable")
            ranks += (np.argmax(order == self.val_given[at:at + 128, None], axis=1) + 1).sum()
        return int(ranks)

    def generate(self, num_questions):
        train = np.empty((len(self.train_questions), WIDTH), np.float32)
        for at in range(0, len(train), 65536):
            train[at:at + 65536] = self.project(self.questions[self.train_questions[at:at + 65536]], 1)
        prepared = time.perf_counter()
        for at in range(0, num_questions, 64):
            query = self.project(self.questions[self.val_questions[at:at + 64]], 1)
            best_scores, best = np.empty((len(query), 0), np.float32), np.empty((len(query), 0), np.int64)
            for start in range(0, len(train), 65536):
                scores = query @ train[start:start + 65536].T
                top = np.argpartition(-scores, K, axis=1)[:, :K]
                best = np.hstack([best, top + start])
                best_scores = np.hstack([best_scores, np.take_along_axis(scores, top, 1)])
            top = np.take_along_axis(best, np.argsort(-best_scores, axis=1)[:, :K], 1)
            answers = self.project(self.answers[self.train_answers[top.ravel()]], 0).reshape(len(query), K, WIDTH)
            np.argsort(-np.einsum("qkw,qw->qk", answers, query), axis=1)
        return prepared


class Limits:
    def __init__(self, is_true_size, threads):
        self.is_true_size, self.threads, self.missed = is_true_size, threads, 0

    def check(self, what, ratio, found):
        """`ratio`: how many times the peer's speed; `found`: what our program said."""
        least, most_seconds = LIMITS[what]
        report(f"visdial {what}: most anonymous memory; peer: the limit", "MB", found["anonymous_mb"], MOST_ANONYMOUS_MB, self.threads, less_is_better=True)
        self.expect(ratio >= least, f"{what}: {ratio:.2f} times the peer's speed, at least {least} is wanted")
        if not self.is_true_size:
            return
        self.expect(found["seconds"] <= most_seconds, f"{what}: {found['seconds']:.1f} s, at most {most_seconds} s are wanted")
        self.expect(found["anonymous_mb"] <= MOST_ANONYMOUS_MB, f"{what}: {found['anonymous_mb']:.0f} MB of anonymous memory, at most {MOST_ANONYMOUS_MB} are wanted")

    def expect(self, holds, told):
        if not holds:
            self.missed += 1
            print(f"LIMIT MISSED: {told}", file=sys.stderr)


def ours(args, what, *more):
    """What our program says, and the most anonymous memory of its process (its fit included, with which every step begins)."""
    process = subprocess.Popen([str(args.program), what, str(args.cache / "visdial"), str(args.threads), *map(str, more)], stdout=subprocess.PIPE, text=True)
    watch = Watch(process.pid)
    told = process.communicate()[0]
    peak = watch.end()
    if process.returncode != 0:
        sys.exit(f"visdial_bench {what}: {process.returncode}")
    return {**json.loads(told), "anonymous_mb": peak / 2**20}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=pathlib.Path, required=True)
    parser.add_argument("--cache", type=pathlib.Path, required=True)
    parser.add_argument("--train", type=int, default=123287)
    parser.add_argument("--val", type=int, default=2064)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--peer-questions", type=int, default=512)
    args = parser.parse_args()
    folder = args.cache / "visdial"
    if not (folder / "made").exists() or (folder / "made").read_text() != f"{args.train} {args.val}":
        make(folder, args.train, args.val)
    peer = Peer(folder)
    limits = Limits((args.train, args.val) == TRUE_SIZE, args.threads)

    begin = time.perf_counter()
    want = peer.fit()
    seconds = time.perf_counter() - begin
    found = ours(args, "fit")
    if abs(found["check"] - want) > 1e-6 * want:
        sys.exit(f"the fits differ: {found['check']} and {want}")
    report("visdial fit", "s", found["seconds"], seconds, args.threads, less_is_better=True)
    limits.check("fit", seconds / found["seconds"], found)

    begin = time.perf_counter()
    want = peer.rank()
    seconds = time.perf_counter() - begin
    found = ours(args, "rank")
    # Float32 moves a rank here and there.
    if abs(found["check"] - want) > 1e-3 * want:
        sys.exit(f"the ranks differ: {found['check']} and {want}")
    report("visdial ranking of val", "s", found["seconds"], seconds, args.threads, less_is_better=True)
    limits.check("ranking", seconds / found["seconds"], found)

    count = min(args.peer_questions, len(peer.val_questions))
    begin = time.perf_counter()
    prepared = peer.generate(count)
    end = time.perf_counter()
    peer_seconds = (prepared - begin) + (end - prepared) * len(peer.val_questions) / count
    found = ours(args, "generate", K)
    print(f"generation: {found['seconds']:.1f} s for {found['rounds']} rounds", file=sys.stderr)
    report(f"visdial generation, k = {K}", "rounds/s", found["rounds"] / found["seconds"], found["rounds"] / peer_seconds, args.threads)
    limits.check("generation", peer_seconds / found["seconds"], found)

    values = np.random.default_rng(2).normal(size=(100, 99, 1))
    begin = time.perf_counter()
    for one in values:
        MeanShift().fit(one)
    peer_rate = len(values) / (time.perf_counter() - begin)
    found = ours(args, "sets")
    # S, M and G and the projection of all candidates together, against mean shift alone.
    report("visdial reference sets S, M, G; peer: mean shift alone", "rounds/s", found["rounds"] / found["seconds"], peer_rate, args.threads)
    limits.check("sets", found["rounds"] / found["seconds"] / peer_rate, found)
    return 1 if limits.missed else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Synthetic VisDial dialogs of any size: make_visdial.py OUT [--train 123287] [--val 2064] [--seed 0] [--words]

Writes OUT/visdial_1.0_train.json and OUT/visdial_1.0_val.json with ten rounds per dialog and 100 candidates per round; 30 % of
the questions (and of the answers) of a file are distinct, the others repeat them with Zipf's frequencies. --words also writes
OUT/word_vectors.json with random vectors of 300 numbers.
"""
import argparse
import json
import pathlib

import numpy as np

WORDS = 4000
DISTINCT = 0.3
ROUNDS, CANDIDATES = 10, 100


def word(number):
    """A word of letters: digits would be read as numbers."""
    return "".join(chr(97 + number // 26**place % 26) for place in range(3))


NAMES = [word(i) for i in range(WORDS)]


def texts(rng, count, start, end):
    """Distinct texts of 2 to 7 words."""
    found = {}
    while len(found) < count:
        words = rng.zipf(1.3, size=(count, 7)) % WORDS
        for row, length in zip(words, rng.integers(2, 8, size=count)):
            found[start + " ".join(NAMES[w] for w in row[:length]) + end] = None
            if len(found) == count:
                break
    return list(found)


def frequent(rng, count, total):
    """`total` numbers below `count`: each at least once, the rest by Zipf's law."""
    rest = rng.zipf(1.2, size=total - count) % count
    numbers = np.concatenate([np.arange(count), rest])
    rng.shuffle(numbers)
    return numbers


def write_split(rng, path, split, num_dialogs, first_image):
    total = num_dialogs * ROUNDS
    distinct = max(CANDIDATES * 2, int(total * DISTINCT))
    distinct = min(distinct, total) if total >= CANDIDATES * 2 else CANDIDATES * 2
    questions, answers = texts(rng, distinct, "is ", " there?"), texts(rng, distinct, "", "")
    asked, given = frequent(rng, distinct, max(total, distinct))[:total], frequent(rng, distinct, max(total, distinct))[:total]
    with path.open("w") as file:
        file.write(f'{{"version": "1.0", "split": "{split}", "data": {{"questions": {json.dumps(questions)}, "answers": {json.dumps(answers)}, "dialogs": [')
        for dialog in range(num_dialogs):
            rounds = []
            options = rng.integers(distinct, size=(ROUNDS, CANDIDATES))
            places = rng.integers(CANDIDATES, size=ROUNDS)
            for r in range(ROUNDS):
                answer = given[dialog * ROUNDS + r]
                options[r, places[r]] = answer
                rounds.append(f'{{"question": {asked[dialog * ROUNDS + r]}, "answer": {answer}, "gt_index": {places[r]}, '
                              f'"answer_options": [{", ".join(map(str, options[r].tolist()))}]}}')
            file.write(f'{"," if dialog else ""}\n{{"image_id": {first_image + dialog}, "caption": "{answers[dialog % distinct]}", "dialog": [{", ".join(rounds)}]}}')
        file.write("]}}\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--train", type=int, default=123287)
    parser.add_argument("--val", type=int, default=2064)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--words", action="store_true")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(args.seed)
    write_split(rng, args.out / "visdial_1.0_train.json", "train", args.train, 1)
    write_split(rng, args.out / "visdial_1.0_val.json", "val2018", args.val, 10_000_000)
    if args.words:
        names = ["<PAD>", "<EOS>", "<UNK>", "is", "there", "?", *NAMES]
        vectors = np.round(rng.normal(size=(len(names), 300)), 3)
        vectors[0] = 0
        (args.out / "word_vectors.json").write_text(json.dumps({"dim": 300, "vectors": dict(zip(names, vectors.tolist()))}))


if __name__ == "__main__":
    main()

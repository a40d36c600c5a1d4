#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Drives METEOR's Java program and ours over stdio with the same fresh random segments and compares every
statistic and every printed score.

  meteor.py --ours build/release/snellen-meteor-parity --meteor-data DIR [--gens FILE] [--vilma DIR]
            [--segments 5000] [--seed N] [--cache DIR]

DIR is the meteor folder of an installed pycocoevalcap 1.2 (jar and paraphrase table). Exit 1 on any difference.
"""
import argparse
import gzip
import json
import pathlib
import random
import subprocess
import sys
import threading

PUNCTUATION = list(".,'\"-!?;:()[]{}<>/\\@#$%^&*_+=~`|") + ["...", "..", "--", "''", "``", "'s", "n't", "1,000", "3.5",
               "U.S.", "e.g.", "Mr.", "No. 5", "p.m.", "1990's", "DOTMULTI", "DOTDOTMULTI", "DOTMULTI.", "don't"]
UNICODE = ["\u2018", "\u2019", "\u201c", "\u201d", "\u2013", "\u2014", "\u2026", "\u00a0", "\u2003", "\u3000", "\u00e9",
           "\u0130", "\u03a3", "\u03c2", "\u00df", "\u0416", "\u0437", "\ua641", "\u1d02", "\u4e2d", "\U0001f600", "\u0301",
           "\u00d7", "\u00f7", "\u0178", "\ufffd", "\u200b", "\u2028", "\x01", "\x1f", "\x7f", "\u0085", "\x0b", "\x0c", "\t"]
SHORT = ["5n", "70", "0n", "20", "Aa", "BB", "AaAa", "BBBB", "a", "i", "s", "ss", "as", "is", "men", "boxes", "running"]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ours", required=True)
    parser.add_argument("--meteor-data", required=True, type=pathlib.Path)
    parser.add_argument("--gens", type=pathlib.Path)
    parser.add_argument("--vilma", type=pathlib.Path)
    parser.add_argument("--cache", default="")
    parser.add_argument("--segments", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    parser.add_argument("--phrase-lines", type=int, default=600000, help="lines of the table to draw phrases from")
    return parser.parse_args()


def texts_from_json(node, found):
    if isinstance(node, str):
        if 3 <= len(node.split()) <= 60:
            found.append(" ".join(node.split()))
    elif isinstance(node, dict):
        for value in node.values():
            texts_from_json(value, found)
    elif isinstance(node, list):
        for value in node:
            texts_from_json(value, found)


def table_pairs(path, num_lines, rng):
    pairs, skip = [], rng.randrange(3_000_000) // 3 * 3
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for _ in range(skip):
            next(lines)
        for _ in range(num_lines // 3):
            next(lines)
            pairs.append((next(lines).rstrip("\n"), next(lines).rstrip("\n")))
    return pairs


class Maker:
    """Draws (references, hypothesis) of one kind each."""

    def __init__(self, args, rng):
        self.rng = rng
        self.answers, self.captions = ["yes it is", "no", "2 people"], ["a man is riding a horse on the beach"]
        if args.gens:
            self.answers = [g for entry in json.loads(args.gens.read_text()) for g in entry["generations"]]
        if args.vilma:
            self.captions = []
            for file in sorted(args.vilma.glob("*.json")):
                texts_from_json(json.loads(file.read_text()), self.captions)
        self.pairs = table_pairs(find_table(args.meteor_data), args.phrase_lines, rng)
        self.vocabulary = sorted({w for text in rng.sample(self.captions, min(3000, len(self.captions)))
                                  for w in text.split()} | set(SHORT))
        self.kinds = [self.answer, self.answer, self.caption, self.caption, self.phrases, self.rewritten, self.mutated,
                      self.noise, self.long, self.bag, self.spaces]

    def segment(self):
        references, hypothesis = self.rng.choice(self.kinds)()
        clean = lambda text: text.replace("\n", " ").replace("\r", " ").replace("|||", " ")
        return [clean(r) for r in references], clean(hypothesis)

    def answer(self):
        return [self.rng.choice(self.answers) for _ in range(self.rng.randint(1, 4))], self.rng.choice(self.answers)

    def caption(self):
        base = self.rng.randrange(len(self.captions))
        near = lambda: self.captions[min(len(self.captions) - 1, max(0, base + self.rng.randint(-3, 3)))]
        return [near() for _ in range(self.rng.randint(1, 3))], self.captions[base]

    def phrases(self):
        pairs = [self.rng.choice(self.pairs) for _ in range(self.rng.randint(1, 6))]
        sides = [p if self.rng.random() < 0.5 else p[::-1] for p in pairs]
        words = [self.rng.choice(self.vocabulary) for _ in range(self.rng.randint(0, 4))]
        left, right = [a for a, _ in sides] + words, [b for _, b in sides] + words
        if self.rng.random() < 0.5:
            self.rng.shuffle(right)
        return [" ".join(left)], " ".join(right)

    def rewritten(self):
        base, others = self.pairs[self.rng.randrange(len(self.pairs))], []
        start = self.rng.randrange(len(self.pairs) - 40)
        for a, b in self.pairs[start:start + 40]:
            if self.rng.random() < 0.15:
                others.append((a, b))
        text = " ".join([base[0]] + [a for a, _ in others])
        return [text, " ".join([base[1]] + [b for _, b in others])], text.replace(base[0], base[1])

    def mutate(self, text):
        words = text.split()
        for _ in range(self.rng.randint(1, 4)):
            at = self.rng.randrange(len(words) + 1)
            kind = self.rng.randrange(6)
            if kind == 0:
                words.insert(at, self.rng.choice(self.vocabulary))
            elif kind == 1 and len(words) > 1:
                words.pop(min(at, len(words) - 1))
            elif kind == 2 and words:
                at = min(at, len(words) - 1)
                words[at] = words[at] + self.rng.choice(["s", "ed", "ing", "er", "est", "ly", "'s", ".", ",", "es", "ies"])
            elif kind == 3:
                self.rng.shuffle(words)
            elif kind == 4 and words:
                at = min(at, len(words) - 1)
                words[at] = words[at].upper() if self.rng.random() < 0.5 else words[at].capitalize()
            else:
                words.insert(at, self.rng.choice(PUNCTUATION))
        return " ".join(words)

    def mutated(self):
        text = self.rng.choice(self.rng.choice([self.answers, self.captions]))
        return [self.mutate(text) for _ in range(self.rng.randint(1, 3))], self.mutate(text)

    def noise_text(self):
        parts = [self.rng.choice(self.rng.choice([PUNCTUATION, UNICODE, SHORT, self.vocabulary,
                                                  [str(self.rng.randrange(3000))], ["."], ["'"], ["-"], [","]]))
                 for _ in range(self.rng.randint(0, 14))]
        return "".join(p + self.rng.choice(["", "", " "]) for p in parts)

    def noise(self):
        base = self.noise_text()
        return [self.noise_text(), base + " " + self.noise_text()], base

    def long(self):
        pick = lambda: " ".join(self.rng.choice(self.captions) for _ in range(self.rng.randint(2, 6)))
        return [pick()], pick()

    def bag(self):
        words = [self.rng.choice(self.vocabulary) for _ in range(self.rng.randint(1, 5))]
        pick = lambda: " ".join(self.rng.choice(words) for _ in range(self.rng.randint(1, 12)))
        return [pick(), pick()], pick()

    def spaces(self):
        return ["", " ".join(self.rng.choice(SHORT) for _ in range(3))], self.rng.choice(["", " ", ".", "a  b", "\x01 a"])


def find_table(folder):
    for path in (folder / "paraphrase-en.gz", folder / "data" / "paraphrase-en.gz"):
        if path.exists():
            return path
    sys.exit(f"{folder}: no paraphrase-en.gz")


def ask(command, lines, **options):
    """All answer lines of a program that is given `lines`."""
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, **options)
    data = "".join(line + "\n" for line in lines).encode("utf-8")

    def write():
        process.stdin.write(data)
        process.stdin.close()

    writer = threading.Thread(target=write)
    writer.start()
    answers = process.stdout.read().decode("utf-8").split("\n")[:-1]
    writer.join()
    if process.wait() != 0:
        sys.exit(f"{command[0]} ended with {process.returncode}")
    return answers


def main():
    args = arguments()
    rng = random.Random(args.seed)
    print(f"seed {args.seed}, {args.segments} segments")
    maker = Maker(args, rng)
    segments = [maker.segment() for _ in range(args.segments)]
    scores = [" ||| ".join(["SCORE", *references, hypothesis]) for references, hypothesis in segments]
    # A hypothesis that trims to nothing still needs its space to be a piece of its own.
    scores = [line if not line.endswith("|||") else line + " " for line in scores]
    jar = ["java", "-Xmx2G", "-jar", "meteor-1.5.jar", "-", "-", "-stdio", "-l", "en", "-norm"]
    ours = [args.ours, "--meteor-data", str(args.meteor_data)] + (["--cache", args.cache] if args.cache else [])
    options = {"cwd": args.meteor_data, "env": {"LC_ALL": "C", "PATH": "/usr/bin:/bin"}}
    theirs = ask(jar, scores, **options)
    mine = ask(ours, scores)
    if len(theirs) != len(scores) or len(mine) != len(scores):
        sys.exit(f"{len(scores)} questions, {len(theirs)} answers of the jar, {len(mine)} of ours")
    wrong = [i for i in range(len(scores)) if theirs[i] != mine[i]]
    for i in wrong[:10]:
        print(f"differs: {scores[i]!r}\n  jar  {theirs[i]}\n  ours {mine[i]}")
    blocks = [f"EVAL ||| {line}" for line in theirs] + ["EVAL ||| " + " ||| ".join(theirs), "SING ||| " + theirs[0]]
    their_scores, my_scores = ask(jar, blocks, **options), ask(ours, blocks)
    wrong_scores = [i for i, (a, b) in enumerate(zip(their_scores, my_scores)) if a != b]
    longer = [i for i in wrong_scores if float(their_scores[i]) == float(my_scores[i])]
    for i in wrong_scores[:5]:
        print(f"score differs: jar {their_scores[i]} ours {my_scores[i]}")
    with_paraphrase = sum(any(float(x) for x in line.split()[16:20]) for line in theirs)
    print(f"statistics: {len(scores)} compared, {len(wrong)} differ ({with_paraphrase} use a paraphrase)")
    print(f"scores: {len(their_scores)} compared, {len(wrong_scores)} printed differently, {len(longer)} of them equal doubles")
    failed = bool(wrong) or len(wrong_scores) != len(longer) or len(their_scores) != len(my_scores)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""VADER against vaderSentiment (PyPI) on fresh random sentences; all four numbers must be equal.

    tools/parity/vader.py --program build/release/vader_parity [--count 20000] [--seed N]
"""
import argparse
import json
import os
import random
import subprocess
import sys
import time

from vaderSentiment import vaderSentiment as peer

# The packaged version has other phrases than the reference revision our golden vectors were made with.
peer.SPECIAL_CASES = {"the shit": 3, "the bomb": 3, "bad ass": 1.5, "badass": 1.5, "bus stop": 0.0,
                      "yeah right": -2, "kiss of death": -1.5, "to die for": 3, "beating heart": 3.1,
                      "broken heart": -2.9}


def plain_sum(values):
    """sum() as Python had it before 3.12, which compensates rounding errors of floats."""
    total = 0
    for value in values:
        total = total + value
    return total


peer.sum = plain_sum

FILLER = """the a this is was it he she they person picture in on with and or nor of for to at by some thing man
woman nurse doctor day coat walks sits holds looks least most kind sort just enough without doubt never so only
one two 3 42 3rd x y ok I u we me no No NO very""".split()
UNICODE = ["café", "naïve", "Ünïcödé", "ΣΊΣΥΦΟΣ", "İstanbul", "\u212aind", "good\u2019s", "don\u2019t", "日本語",
           "straße", "ǅ", "É", "ñ", "\u200bgood", "good\u200d", "é", "ª", "Ⅷ", "ⓐ"]
SPACES = [" ", " ", " ", " ", " ", " ", "  ", "\t", "\n", "\u00a0", "\u2003", "\u3000", "\u0085", "\x1f", "\u2028"]
PUNCTUATION = ["!", "!!", "!!!", "!!!!", "!!!!!!", "?", "??", "???", "????", "?!", ".", "...", ",", ";", ":", "-", "\"",
               "'", ")", "(", "*", "#", "&", "/", "~", "\u2026", "\u201d"]
CONTRACTIONS = ["isn't", "CAN'T", "wouldn't", "mustn't've", "ain't", "n't", "AIN'T", "shan't,"]


def word(rng, lexicon, emojis):
    kind = rng.random()
    if kind < 0.33:
        return rng.choice(FILLER)
    if kind < 0.63:
        return rng.choice(lexicon)
    if kind < 0.72:
        return rng.choice(list(peer.BOOSTER_DICT))
    if kind < 0.79:
        return rng.choice(peer.NEGATE)
    if kind < 0.82:
        return rng.choice(list(peer.SPECIAL_CASES))
    if kind < 0.85:
        return rng.choice(["but", "But", "BUT", "but,", "no", "least", "at least", "very least", "never so", "never this",
                           "without doubt", "without a doubt", "kind of", "sort of", "just enough", "so", "this"])
    if kind < 0.89:
        return rng.choice(emojis)
    if kind < 0.92:
        return rng.choice(UNICODE)
    if kind < 0.94:
        return rng.choice(CONTRACTIONS)
    if kind < 0.97:
        return "".join(rng.choice(PUNCTUATION) for _ in range(rng.randint(1, 4)))
    if kind < 0.985:
        return "".join(chr(rng.choice([rng.randint(33, 126), rng.randint(0xA1, 0x2FF), rng.randint(0x370, 0x58F),
                                       rng.randint(0x2000, 0x27BF), rng.randint(0x1F300, 0x1FAFF)]))
                       for _ in range(rng.randint(1, 8)))
    return "".join(rng.choice("abcdefghijklmnopqrstuvwxyz") for _ in range(rng.randint(20, 60)))


def dressed(rng, text):
    case = rng.random()
    if case < 0.15:
        text = text.upper()
    elif case < 0.22:
        text = text.title()
    elif case < 0.25:
        text = "".join(c.upper() if rng.random() < 0.5 else c for c in text)
    if rng.random() < 0.12:
        text = text + rng.choice(PUNCTUATION)
    if rng.random() < 0.05:
        text = rng.choice(PUNCTUATION) + text
    return text


def sentence(rng, length, lexicon, emojis):
    out = []
    for _ in range(length):
        out.append(dressed(rng, word(rng, lexicon, emojis)))
        out.append("" if rng.random() < 0.01 else rng.choice(SPACES) if rng.random() < 0.3 else " ")
    text = "".join(out)
    shape = rng.random()
    if shape < 0.05:
        text = text.upper()
    elif shape < 0.15:
        text = text.lower()
    return text


def length_of(rng, index):
    if index % 1000 == 999:
        return rng.randint(600, 1500)  # the peer is quadratic, so only a few very long ones
    return rng.choice([0, 1, 2, 3, 4, rng.randint(5, 12), rng.randint(5, 25), rng.randint(20, 60)])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True)
    parser.add_argument("--count", type=int, default=20000)
    parser.add_argument("--seed", type=int, default=None)
    arguments = parser.parse_args()
    seed = arguments.seed if arguments.seed is not None else time.time_ns() % 2**31
    print(f"seed {seed}", flush=True)
    rng = random.Random(seed)

    analyzer = peer.SentimentIntensityAnalyzer()
    lexicon = list(analyzer.lexicon)
    emojis = list(analyzer.emojis)
    folder = os.path.dirname(peer.__file__)
    tables = [os.path.join(folder, name) for name in ("vader_lexicon.txt", "emoji_utf8_lexicon.txt")]
    ours = subprocess.Popen([arguments.program, "check", *tables], stdin=subprocess.PIPE, text=True, encoding="utf-8")
    for index in range(arguments.count):
        text = sentence(rng, length_of(rng, index), lexicon, emojis)
        ours.stdin.write(json.dumps({"text": text, **analyzer.polarity_scores(text)}) + "\n")
    ours.stdin.close()
    sys.exit(ours.wait())


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Token ids against the `tokenizers` library, transformers' SigLIP class and open_clip, on fresh random strings.

    tools/parity/tokens.py --program build/release/tokens_parity [--count 20000] [--seed N] [kind...]
"""
import argparse
import pathlib
import random
import subprocess
import sys
import tempfile
import time

from token_kinds import FLAGGED, KINDS, corpus

SPECIALS = ["<|startoftext|>", "<|endoftext|>", "<|ENDOFTEXT|>", "<start_of_text>", "<end_of_text>", "<END_of_text>", "[CLS]", "[SEP]", "[PAD]",
            "[MASK]", "[UNK]", "<s>", "</s>", "<pad>", "<unk>", "<mask>", "<bos>", "<eos>", "<0x41>", "<loc>", "<é>", "[sep]", "</w>", "##ing"] + FLAGGED
SPACES = [" ", "  ", "\t", "\n", "\r\n", "\u00a0", "\u2003", "\u3000", "\u0085", "\x1c", "\x1f", "\u2028", "\u200b", "\ufeff", "\u1680", "\v", "\f",
          " \n ", "   ", "\u2581", " \u2581"]
CONTRACTIONS = ["'s", "'t", "'re", "'ve", "'m", "'ll", "'d", "'S", "'LL", "'\u017f", "''s", "!'s", "’s", "'", "'l", "'r", "'v"]
ENTITIES = ["&amp;", "&lt;", "&amp;amp;", "&eacute;", "&eacute", "&notit;", "&notin;", "&#39;", "&#x1F600;", "&#0;", "&#128;", "&#xD800;", "&#1;", "&#;",
            "&;", "&AMP", "&NewLine;", "&nbsp;", "&CounterClockwiseContourIntegral;", "&acE;", "&#99999999999;", "&ampere", "&éa;", "&#X41", "&#65"]
RANGES = [(0x20, 0x7E), (0xA0, 0x24F), (0x250, 0x36F), (0x370, 0x58F), (0x590, 0x6FF), (0x700, 0xDFF), (0xE00, 0x139F), (0x1D00, 0x1FFF),
          (0x2000, 0x2BFF), (0x2C00, 0x2FFF), (0x3000, 0x33FF), (0x4E00, 0x9FFF), (0xA000, 0xABFF), (0xAC00, 0xD7A3), (0xE000, 0xF8FF), (0xF900, 0xFFFD),
          (0x10000, 0x10FFF), (0x11000, 0x11FFF), (0x12000, 0x187FF), (0x1D000, 0x1DFFF), (0x1E000, 0x1EFFF), (0x1F000, 0x1FAFF), (0x20000, 0x3FFFF),
          (0xE0000, 0xE01FF), (0x40000, 0x10FFFF)]
CLUSTERS = ["👩‍👩‍👧‍👦", "🏳️‍🌈", "👍🏽", "🇩🇪", "e\u0301", "a\u0323\u0307", "a\u0307\u0323", "\u1100\u1161\u11a8", "\u0b47\u0b3e", "क्षि", "ﷺ", "ﬃ", "Å", "\u212b", "ΣΑΣ", "ΣΊΣΥΦΟΣ.",
            "İI", "ǅ", "ß", "ẞ", "Ⅷ", "½", "①", "ª", "٣", "\u0e33", "שָׁ", "مُحَمَّد", "\u202eabc\u202c", "ＡＢＣ", "\u0344", "\u1dc4\u1df6", "\U00011930\U00011935"]


def a_word(rng, words):
    kind = rng.random()
    if kind < 0.3:
        return rng.choice(words)
    if kind < 0.37:
        return rng.choice(words).upper() if rng.random() < 0.5 else rng.choice(words).title()
    if kind < 0.45:
        return rng.choice(CLUSTERS)
    if kind < 0.53:
        return rng.choice(SPECIALS)
    if kind < 0.58:
        return rng.choice(words) + rng.choice(CONTRACTIONS)
    if kind < 0.62:
        return rng.choice(ENTITIES)
    if kind < 0.70:
        return "".join(rng.choice("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~") for _ in range(rng.randint(1, 6)))
    if kind < 0.74:
        return str(rng.randint(0, 10 ** rng.randint(1, 12)))
    if kind < 0.77:
        return "".join(chr(rng.randint(0, 0x9F)) for _ in range(rng.randint(1, 6)))
    low, high = rng.choice(RANGES)
    letters = [rng.randint(low, high) for _ in range(rng.randint(1, 10))]
    if rng.random() < 0.3:
        low, high = rng.choice(RANGES)
        letters += [rng.randint(low, high) for _ in range(rng.randint(1, 5))]
        rng.shuffle(letters)
    return "".join(chr(c) for c in letters if not 0xD800 <= c <= 0xDFFF)


def a_text(rng, words, index):
    """Bytes: mostly UTF-8, sometimes broken."""
    if index % 400 == 399:
        shape = rng.random()
        unit = rng.choice(words) if shape < 0.4 else a_word(rng, words) or "x"
        text = (unit * 10000)[:10000] if shape < 0.8 else "".join(rng.choice("abcdefghijklmnop\u0301é日") for _ in range(10000))
        return text.encode("utf-8", "replace")
    if index % 50 == 49:  # white space storm
        return "".join(rng.choice(SPACES) if rng.random() < 0.8 else a_word(rng, words) for _ in range(rng.randint(1, 60))).encode("utf-8", "replace")
    parts = []
    for _ in range(rng.choice([0, 1, 1, 2, 3, rng.randint(3, 12), rng.randint(3, 30)])):
        parts.append(a_word(rng, words))
        if rng.random() < 0.8:
            parts.append(" " if rng.random() < 0.75 else rng.choice(SPACES))
    data = bytearray("".join(parts).encode("utf-8", "replace"))
    if rng.random() < 0.15:
        for _ in range(rng.randint(1, 4)):
            at = rng.randint(0, len(data))
            change = rng.random()
            if change < 0.4:
                data[at:at] = bytes(rng.choice([0x80, 0xBF, 0xC0, 0xC2, 0xE0, 0xE2, 0xED, 0xF0, 0xF4, 0xF5, 0xFF, 0xA0]) for _ in range(rng.randint(1, 4)))
            elif change < 0.8:
                del data[at:at + rng.randint(1, 2)]
            elif at < len(data):
                data[at] = rng.randint(0, 255)
    return bytes(data)


def compare(kind, program, count, seed):
    rng = random.Random(f"{seed} {kind}")
    words = [word for line in corpus()[:3000] for word in line.split()]
    texts = [a_text(rng, words, index) for index in range(count)]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        peer = KINDS[kind](folder, rng)
        ids = peer([text.decode("utf-8", "replace") for text in texts])
        lines = "".join(f"{text.hex()} {' '.join(map(str, row))}\n" for text, row in zip(texts, ids))
        return subprocess.run([program, "check", name, "auto"], input=lines, text=True).returncode


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True)
    parser.add_argument("--count", type=int, default=20000)
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("kinds", nargs="*")
    arguments = parser.parse_args()
    seed = arguments.seed if arguments.seed is not None else time.time_ns() % 2**31
    print(f"seed {seed}", flush=True)
    status = 0
    for kind in arguments.kinds or KINDS:
        print(f"{kind}: ", end="", flush=True)
        status = compare(kind, arguments.program, arguments.count, seed) or status
    sys.exit(status)


if __name__ == "__main__":
    main()

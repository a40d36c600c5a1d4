#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Treebank tokens and back, on random strings, against NLTK 3.4 and 3.8: every token and every joined text equal.

    pip install --target OLD nltk==3.4; pip install --target NEW nltk==3.8
    tools/parity/treebank.py --binary build/release/treebank_parity --old OLD --new NEW
"""
import argparse
import json
import random
import subprocess
import sys
import tempfile
import types

WORDS = """yes no i can't cannot Can not gimme gim me gonna gon na gotta lemme mor'n more'n wanna wan na d'ye d 'ye 'tis
't is 'twas 't was it's they're don't DON'T I'LL we've 30's dogs' 'a 'n 's 'S 'ſ '日 café naïve 2,500 1.5 10:30 e.g. u.s. Mr.
wait... .. ... .... -- --- t-shirt $5 50% a&b x@y #1 *blue* `` '' ' " ` ''' "" (a) [b] {c} <d> a; b: c, d. ,2 :x ?! ! . .) ."
.'. « » “a” ‘b’ „c n't N'T 'll 'RE \\ / _ _x gİmme CANNOTs ſtis 'tıs 'tİs 'twaſ ٣ ,٣ ½""".split()
MARKS = list("""'"`.,:;?!()[]{}<>@#$%&*-_«»“”‘’„ aAnNsSmMdDtT0123é日""") + ["\n", "\t", "\u00a0", "\x1c", "\u2028", "''", "``"]
SPACES = [" "] * 12 + ["  ", "\n", "\t", "\u00a0", "\u3000", ""]


def random_text(rng):
    kind = rng.random()
    if kind < 0.4:
        return "".join(rng.choice(MARKS) for _ in range(rng.randrange(0, 30)))
    pieces = []
    for _ in range(rng.randrange(0, 12)):
        piece = rng.choice(WORDS)
        if rng.random() < 0.2:
            piece += "".join(rng.choice(MARKS) for _ in range(rng.randrange(1, 5)))
        if rng.random() < 0.1:
            piece = piece.upper()
        pieces.append(piece + rng.choice(SPACES))
    return "".join(pieces)


def serve(folder):
    """Answers with the toolkit in `folder`, one JSON string a line in, one JSON object a line out."""
    sys.path.insert(0, folder)
    # Only the tokenisers are wanted; the package's own start imports what newer Pythons no longer have.
    package = types.ModuleType("nltk")
    package.__path__ = [folder + "/nltk"]
    sys.modules["nltk"] = package
    import nltk.tokenize
    from nltk.tokenize.treebank import TreebankWordDetokenizer

    tokenizer = nltk.tokenize._treebank_word_tokenizer  # what word_tokenize uses
    joiner = TreebankWordDetokenizer()
    for line in sys.stdin:
        tokens = tokenizer.tokenize(json.loads(line))
        print(json.dumps({"tokens": tokens, "joined": joiner.detokenize(tokens)}))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default="build/release/treebank_parity")
    parser.add_argument("--old", help="folder that holds NLTK 3.4")
    parser.add_argument("--new", help="folder that holds NLTK 3.8")
    parser.add_argument("--count", type=int, default=20000)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(2**32))
    parser.add_argument("--serve", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.serve:
        serve(args.serve)
        return 0
    print(f"seed {args.seed}, {args.count} strings")
    rng = random.Random(args.seed)
    texts = [random_text(rng) for _ in range(args.count)]
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
        file.write("".join(json.dumps(text) + "\n" for text in texts))
        file.flush()
        ours = subprocess.run([args.binary, file.name], check=True, capture_output=True, text=True).stdout.splitlines()
        failed = 0
        for release, folder in (("3.4", args.old), ("3.8", args.new)):
            with open(file.name) as stdin:
                command = [sys.executable, "-W", "ignore", __file__, "--serve", folder]
                peer = subprocess.run(command, stdin=stdin, check=True, capture_output=True, text=True).stdout.splitlines()
            assert len(peer) == len(ours) == len(texts)
            for text, mine, theirs in zip(texts, ours, peer):
                mine, theirs = json.loads(mine)[release], json.loads(theirs)
                if mine != theirs:
                    failed += 1
                    if failed <= 10:
                        print(f"NLTK {release}: {text!r}\n  ours {mine}\n  peer {theirs}")
    print(f"{2 * len(texts) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

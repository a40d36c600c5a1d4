#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Word vectors of fastText models against the fasttext library (Debian's python3-fasttext), on models that it trains.

    tools/parity/word_vectors.py --program build/release/visdial_parity --library /usr/lib/python3/dist-packages [--seed N]
"""
import argparse
import json
import pathlib
import random
import subprocess
import sys
import tempfile

LETTERS = "abcdefghijklmnopqrstuvwxyz" + "äöüßéčλж日本"
# The library sums in float32, we in double.
TOLERANCE = 2e-6
# Shortest and longest n-gram; 0: words alone. A small number of buckets makes n-grams share rows.
MODELS = [("skipgram", 3, 6, 2000), ("cbow", 2, 4, 97), ("skipgram", 1, 3, 500), ("cbow", 0, 0, 0)]


def make_words(rng, count):
    return sorted({"".join(rng.choices(LETTERS, k=rng.randrange(1, 12))) for _ in range(count)})


def differ(fasttext, program, folder, rng, model, shortest, longest, buckets):
    known, unknown = make_words(rng, 300), make_words(rng, 200)
    text = folder / "text.txt"
    text.write_text("\n".join(" ".join(rng.choices(known, k=8)) for _ in range(800)) + "\n")
    options = {"bucket": buckets} if buckets else {}
    peer = fasttext.train_unsupervised(str(text), model=model, dim=24, epoch=2, minCount=2, minn=shortest, maxn=longest, thread=1, verbose=0, **options)
    path = folder / "model.bin"
    peer.save_model(str(path))
    words = [*known, *unknown, "</s>", "<EOS>", "<UNK>", "yes,", "?", "don't", "日", "a"]
    asked = folder / "asked.json"
    asked.write_text(json.dumps({"fits": [], "rounds": [], "ranked": [], "fasttext": str(path), "words": words}))
    ours = json.loads(subprocess.run([str(program), str(asked)], check=True, capture_output=True).stdout)["vectors"]
    worst = max(abs(float(a) - b) for word, row in zip(words, ours, strict=True) for a, b in zip(peer.get_word_vector(word), row, strict=True))
    print(f"{model}, n-grams of {shortest} to {longest}: {len(words)} words, {len(set(words) & set(peer.get_words()))} of them known, largest difference {worst:.1e}")
    return worst > TOLERANCE


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=pathlib.Path, required=True)
    parser.add_argument("--library", required=True)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(2**32))
    args = parser.parse_args()
    sys.path.append(args.library)  # behind the venv's own libraries
    import fasttext
    print(f"seed {args.seed}")
    rng = random.Random(args.seed)
    failed = 0
    for model in MODELS:
        with tempfile.TemporaryDirectory() as folder:
            failed += differ(fasttext, args.program, pathlib.Path(folder), rng, *model)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

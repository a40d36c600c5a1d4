#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""CIDEr-D on random entries against pycocoevalcap (pip install pycocoevalcap==1.2), to 1e-9.

    tools/parity/cider.py --binary build/release/cider_parity
"""
import argparse
import json
import random
import subprocess
import sys
import tempfile

from pycocoevalcap.cider.cider import Cider

TOLERANCE = 1e-9


def random_entries(rng, count):
    vocabulary = [f"w{i}" for i in range(rng.choice([5, 40, 400]))] + ["yes,", "Yes", "it's", "é", "…", "日本"]
    weights = [1 / (rank + 1) for rank in range(len(vocabulary))]

    def text():
        length = rng.choice([0, 1, 1, 2, 2, 3, 4, 5, 8, 13, 40])
        return rng.choice([" ", "  ", "\u00a0", "\t"]).join(rng.choices(vocabulary, weights, k=length))

    generations, references = [], []
    for _ in range(count):
        refs = [text() for _ in range(rng.randrange(1, 8))]
        generation = rng.choice(refs) if rng.random() < 0.2 else text()
        if rng.random() < 0.3:
            generation += " unseen" + str(rng.randrange(3)) * rng.randrange(1, 3) + " " + text()
        generations.append(generation)
        references.append(refs)
    return generations, references


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default="build/release/cider_parity")
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(2**32))
    args = parser.parse_args()
    print(f"seed {args.seed}, {args.count} entries")
    generations, references = random_entries(random.Random(args.seed), args.count)
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump({"generations": generations, "references": references}, file)
        file.flush()
        ours = json.loads(subprocess.run([args.binary, file.name], check=True, capture_output=True).stdout)["scores"]
    results = {i: [text] for i, text in enumerate(generations)}
    _, peer = Cider().compute_score(dict(enumerate(references)), results)
    differences = [abs(mine - theirs) for mine, theirs in zip(ours, peer)]
    failed = sum(not difference <= TOLERANCE for difference in differences)
    for i in [i for i, difference in enumerate(differences) if not difference <= TOLERANCE][:5]:
        print(f"entry {i}: ours {ours[i]!r}, peer {peer[i]!r}: {generations[i]!r} {references[i]!r}")
    print(f"largest difference {max(differences):.3g}, mean score {sum(ours) / len(ours):.6f}")
    print(f"{len(ours) - failed} passed, {failed} failed")
    return 1 if failed or len(ours) != len(generations) else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The published VisDial generations and reference sets: our CIDEr against a plain computation (1e-9), our METEOR against
the jar, and the overlap of sets with NumPy (1e-12). Where METEOR's data is named, Java must be there.

    tools/parity/visdial_real.py --program build/release/snellen --data ../shared/data/visdial --old NLTK_3.4_FOLDER
"""
import argparse
import collections
import json
import math
import pathlib
import shutil
import subprocess
import sys
import tempfile

import numpy as np

ORDERS = 4


def by_key(path):
    return {(e["image_id"], e["round_id"]): e for e in json.loads(path.read_text())}


def prepared(texts, folder):
    """What NLTK 3.4 makes of each text; none of the published ones holds the end of a sentence inside."""
    # Only the tokenisers are wanted; the package's own start imports what newer Pythons no longer have.
    script = ("import json, sys, types; package = types.ModuleType('nltk'); package.__path__ = [sys.argv[1] + '/nltk']; sys.modules['nltk'] = package\n"
              "import nltk.tokenize; from nltk.tokenize.treebank import TreebankWordDetokenizer\n"
              "t, d = nltk.tokenize._treebank_word_tokenizer, TreebankWordDetokenizer()\n"
              "print(json.dumps([d.detokenize(t.tokenize(x)) for x in json.load(sys.stdin)]))")
    result = subprocess.run([sys.executable, "-c", script, str(folder)], input=json.dumps(texts), text=True, capture_output=True, check=True)
    return json.loads(result.stdout)


def ngrams(text, order):
    words = text.split()
    return collections.Counter(tuple(words[i:i + order]) for i in range(len(words) - order + 1))


def cider(generations, references):
    """cider_1..4 of each entry: one list of generations and one of references per entry."""
    totals = [[] for _ in generations]
    for order in range(1, ORDERS + 1):
        seen = collections.Counter(g for refs in references for g in set().union(*(ngrams(r, order) for r in refs)))
        log_n = math.log(len(references))

        def vector(text):
            weights = {g: c * (log_n - math.log(max(1, seen[g]))) for g, c in ngrams(text, order).items()}
            return weights, math.sqrt(sum(w * w for w in weights.values()))
        for entry, (texts, refs) in enumerate(zip(generations, references)):
            others = [vector(r) for r in refs]
            values = []
            for text in texts:
                own, norm = vector(text)
                scores = [sum(w * other.get(g, 0) for g, w in own.items()) / (norm * length if norm * length else 1) for other, length in others]
                values.append(sum(scores) / len(scores))
            totals[entry].append(sum(values) / len(values))
    return [[sum(t[:n]) / n for n in range(1, ORDERS + 1)] for t in totals]


def meteor_by_jar(jar, generations, references):
    def plain(text):
        return " ".join(text.replace("|||", " ").split())
    lines = [" ||| ".join(["SCORE", *map(plain, refs), plain(texts[0])]) for texts, refs in zip(generations, references)]
    def ask(questions):
        return subprocess.run(["java", "-Xmx2G", "-jar", str(jar), "-", "-", "-stdio", "-l", "en", "-norm"], input="\n".join(questions) + "\n", text=True,
                              capture_output=True, check=True, cwd=jar.parent).stdout.split("\n")
    statistics = ask(lines)[:len(lines)]
    return [float(x) for x in ask(["SING ||| " + s for s in statistics])[:len(lines)]]


def score(program, task, folder, *flags):
    out = folder / task.replace("-", "_")
    result = subprocess.run([str(program), "score", task, "--output", str(out), "--overwrite", "--name", "real", *map(str, flags)], text=True, capture_output=True)
    if result.returncode != 0:
        sys.exit(f"snellen score {task}: {result.stdout}{result.stderr}")
    return next(out.iterdir())


def overlap(sets, human):
    values = []
    for key, entry in sets.items():
        a, b = np.array(entry["in_cluster_idxs"]) == 1, np.array(human[key]["in_cluster_idxs"]) == 1
        both = (a & b).sum()
        values.append((both / a.sum(), both / b.sum(), both / (a | b).sum(), a.sum(), entry["gt_answer"] in entry["refs"]))
    return np.array(values, dtype=float).mean(0)


def compare_sets(args, folder):
    worst = 0.0
    for split in ("train", "val"):
        files = {m: args.data / f"refs_{m}_human_{split}.json" for m in "SMGH"}
        run = score(args.program, "visdial-sets", folder / split, "--references", *(files[m] for m in "SMG"), "--human", files["H"])
        ours = {m["id"]: m for m in json.loads((run / "results.json").read_text())["metrics"]}
        for method in "SMG":
            want = overlap(by_key(files[method]), by_key(files["H"]))
            row = []
            for name, value in zip(("precision", "recall", "iou", "size", "has_given"), want):
                got = ours[f"visdial-sets/refs_{method}_human_{split}/{name}"]
                worst = max(worst, abs(got["value"] - value) / max(1, value))
                row.append(f"{got['value']:.4f} [{got['low']:.4f}, {got['high']:.4f}]" if got.get("low") is not None else f"{got['value']:.4f}")
            print(f"| {method} | {split} | {got['n']:,} | " + " | ".join(row) + " |")
    print(f"overlap: largest difference {worst:.2g}")
    return worst <= 1e-12


def compare_generations(args, folder):
    is_same = True
    generations = by_key(args.data / "gens.json")
    for method in "SH":
        references = by_key(args.data / f"refs_{method}_human_val.json")
        keys = sorted(references)
        texts = prepared([generations[k]["generations"][0] for k in keys], args.old)
        flags = ["--generations", args.data / "gens.json", "--references", args.data / f"refs_{method}_human_val.json"]
        flags += ["--meteor-data", args.meteor_data] if args.meteor_data else ["--no-meteor"]
        run = score(args.program, "visdial-gen", folder / method, *flags)
        ours = json.loads((run / "visdial_eval.json").read_text())
        want = cider([[t] for t in texts], [references[k]["refs"] for k in keys])
        worst = max(abs(e[f"cider_{n + 1}"] - w[n]) for e, w in zip(ours["entries"], want) for n in range(ORDERS))
        means = max(abs(ours["metrics"][f"cider_{n + 1}"]["mean"] - np.mean([w[n] for w in want])) for n in range(ORDERS))
        print(f"{method}: {len(keys)} rounds, CIDEr: largest difference of a round {worst:.2g}, of a mean {means:.2g}")
        is_same &= worst <= 1e-9 and means <= 1e-9
        if not args.meteor_data:
            print(f"{method}: METEOR: NOT COMPARED, no folder of METEOR's data is named (SNELLEN_METEOR_DATA)")
        elif not shutil.which("java"):
            print(f"{method}: METEOR: NOT COMPARED, java is not there to run the jar: this fails")
            is_same = False
        else:
            scores = meteor_by_jar(args.meteor_data / "meteor-1.5.jar", [[t] for t in texts], [references[k]["refs"] for k in keys])
            other = sum(abs(e["meteor"] - s) > 1e-12 for e, s in zip(ours["entries"], scores))
            print(f"{method}: METEOR: {other} of {len(keys)} rounds differ from the jar by more than 1e-12")
            is_same &= other == 0
        for metric in json.loads((run / "results.json").read_text())["metrics"]:
            interval = "" if metric.get("low") is None else f"{metric['low']:.6f} to {metric['high']:.6f}"
            print(f"| {method} | {metric['id'].split('/')[-1]} | {metric['value']:.6f} | {interval} |")
    return is_same


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=pathlib.Path, required=True)
    parser.add_argument("--data", type=pathlib.Path, required=True)
    parser.add_argument("--old", type=pathlib.Path, required=True)
    parser.add_argument("--meteor-data", type=pathlib.Path)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        sets = compare_sets(args, pathlib.Path(folder))
        return 0 if compare_generations(args, pathlib.Path(folder)) and sets else 1


if __name__ == "__main__":
    sys.exit(main())

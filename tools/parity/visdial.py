#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""CCA against SciPy's generalised eigenproblem, the rules M and G against scikit-learn, NDCG against an independent
computation, on fresh random cases.

    tools/parity/visdial.py --program build/release/visdial_parity
"""
import argparse
import json
import os
import random
import subprocess
import sys
import tempfile

os.environ.setdefault("OMP_NUM_THREADS", "1")  # threads make thousands of tiny clusterings slower

import numpy as np
import scipy.linalg
from sklearn.cluster import AgglomerativeClustering, MeanShift


def make_fit(rng, rows, width, k):
    answers, questions = rng.normal(size=(rows // 2, width)), rng.normal(size=(rows // 3, width))
    mix = rng.normal(size=(width, width))
    a, q = rng.integers(len(answers), size=rows), rng.integers(len(questions), size=rows)
    questions[q] += 0.5 * answers[a] @ mix
    return {"answers": answers.tolist(), "questions": questions.tolist(), "answer_index": a.tolist(), "question_index": q.tolist(), "k": k}


def fit_by_scipy(case):
    a = np.array(case["answers"])[case["answer_index"]]
    q = np.array(case["questions"])[case["question_index"]]
    width = a.shape[1]
    full = np.cov(np.hstack([a, q]), rowvar=False)
    within = scipy.linalg.block_diag(full[:width, :width], full[width:, width:]) + 1e-12 * np.eye(2 * width)
    values, vectors = scipy.linalg.eigh(full + 1e-12 * np.eye(2 * width), within)
    values, vectors = values[::-1][:case["k"]], vectors[:, ::-1][:, :case["k"]]
    vectors = vectors / np.linalg.norm(vectors, axis=0)
    left, right = (a - a.mean(0)) @ vectors[:width] * values, (q - q.mean(0)) @ vectors[width:] * values
    return values, (left * right).sum(1) / np.linalg.norm(left, axis=1) / np.linalg.norm(right, axis=1)


def make_round(rng):
    groups = rng.integers(1, 6)
    values = np.concatenate([rng.normal(rng.uniform(-0.2, 0.9), rng.uniform(0.01, 0.2), size=100) for _ in range(groups)])
    return {"correlations": np.clip(rng.choice(values, 100), -1, 1).tolist(), "given": int(rng.integers(100))}


def members_by_sklearn(case, method):
    values = np.delete(np.array(case["correlations"]), case["given"]).reshape(-1, 1)
    labels = (MeanShift() if method == "M" else AgglomerativeClustering(n_clusters=5)).fit(values).labels_
    means = {label: values[labels == label].mean() for label in set(labels)}
    return np.insert(labels == max(means, key=means.get), case["given"], True).tolist()


def ndcg_by_hand(case):
    relevance = np.array(case["relevance"])
    count = int((relevance != 0).sum())
    if count == 0:
        return None
    order = sorted(range(len(relevance)), key=lambda i: (-case["scores"][i], i))
    discount = [1 / np.log2(place + 2) for place in range(count)]
    return sum(relevance[i] * d for i, d in zip(order, discount)) / sum(r * d for r, d in zip(sorted(relevance, reverse=True), discount))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--rounds", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(2**32))
    args = parser.parse_args()
    rng = np.random.default_rng(args.seed)
    asked = {"fits": [make_fit(rng, rows, width, k) for rows, width, k in ((300, 4, 4), (1500, 20, 20), (4000, 50, 50))],
             "rounds": [make_round(rng) for _ in range(args.rounds)],
             "ranked": [{"scores": np.round(rng.normal(size=100), 1).tolist(),
                         "relevance": (rng.uniform(size=100) * (rng.uniform(size=100) < rng.choice([0, 0.05, 0.3]))).tolist()} for _ in range(500)]}
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(asked, file)
        file.flush()
        ours = json.loads(subprocess.run([args.program, file.name], check=True, capture_output=True).stdout)
    worst = {"eigenvalue": 0.0, "cosine": 0.0, "ndcg": 0.0}
    for case, found in zip(asked["fits"], ours["fits"]):
        values, cosines = fit_by_scipy(case)
        worst["eigenvalue"] = max(worst["eigenvalue"], np.abs(values - found["eigenvalues"]).max())
        worst["cosine"] = max(worst["cosine"], np.abs(cosines - found["cosines"]).max())
    other = {"M": 0, "G": 0}
    for case, found in zip(asked["rounds"], ours["rounds"]):
        for method in other:
            other[method] += members_by_sklearn(case, method) != found[method]
    for case, found in zip(asked["ranked"], ours["ndcg"]):
        want = ndcg_by_hand(case)
        worst["ndcg"] = max(worst["ndcg"], np.inf if (want is None) != (found is None) else 0 if want is None else abs(want - found))
    print(f"seed {args.seed}: largest differences {worst}; rounds with other members, of {args.rounds}: {other}")
    return 0 if max(worst.values()) <= 1e-9 and not any(other.values()) else 1


if __name__ == "__main__":
    sys.exit(main())

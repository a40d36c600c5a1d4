#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""CCA of two and more views against SciPy's generalised eigenproblem, Mardia's method against SciPy's singular values, the rules M and G against scikit-learn, NDCG against an independent
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


def make_fit(rng, rows, widths, k, method="generalised"):
    """Views that hang together, each of fewer distinct rows than there are rows."""
    views = [{"rows": rng.normal(size=(rows // (2 + place), width)), "index": rng.integers(rows // (2 + place), size=rows)} for place, width in enumerate(widths)]
    first = views[0]["rows"][views[0]["index"]]
    for view in views[1:]:
        view["rows"][view["index"]] += 0.5 * first @ rng.normal(size=(first.shape[1], view["rows"].shape[1]))
    return {"views": [{name: values.tolist() for name, values in view.items()} for view in views], "k": k, "method": method}


def weights_of(covariance, widths, case):
    """What the views are weighted with, stacked, and the eigenvalues or correlations."""
    if case["method"] == "mardia":
        def root(within):
            values, vectors = np.linalg.eigh(within + 1e-4 * np.eye(len(within)))
            kept = values > 1e-12
            return vectors[:, kept] / np.sqrt(values[kept]) @ vectors[:, kept].T
        left, right = root(covariance[:widths[0], :widths[0]]), root(covariance[widths[0]:, widths[0]:])
        u, values, v = scipy.linalg.svd(left @ covariance[:widths[0], widths[0]:] @ right)
        return np.vstack([left @ u[:, :case["k"]], right @ v[:case["k"]].T]), values[:case["k"]]
    eps = 1e-12 * np.eye(len(covariance))
    starts = np.cumsum([0, *widths])
    within = scipy.linalg.block_diag(*(covariance[a:b, a:b] for a, b in zip(starts, starts[1:]))) + eps
    values, vectors = scipy.linalg.eigh(covariance + eps, within)
    values, vectors = values[::-1][:case["k"]], vectors[:, ::-1][:, :case["k"]]
    return vectors / np.linalg.norm(vectors, axis=0), values


def fit_by_scipy(case):
    views = [np.array(view["rows"])[view["index"]] for view in case["views"]]
    widths = [view.shape[1] for view in views]
    weights, values = weights_of(np.cov(np.hstack(views), rowvar=False), widths, case)
    first, last = views[0], views[-1]
    left, right = (first - first.mean(0)) @ weights[:widths[0]] * values, (last - last.mean(0)) @ weights[-widths[-1]:] * values
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
    asked = {"fits": [make_fit(rng, *fit) for fit in (
                 (300, (4, 4), 4), (1500, (20, 20), 20), (4000, (50, 50), 50), (1500, (12, 7, 9), 12), (3000, (6, 5, 4, 8), 6),
                 (1500, (20, 20), 20, "mardia"), (2000, (9, 14), 9, "mardia"))],
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
    print(f"seed {args.seed}: {len(asked['fits'])} fits; largest differences {', '.join(f'{name} {value:.1e}' for name, value in worst.items())}; rounds with other members, of {args.rounds}: {other}")
    return 0 if max(worst.values()) <= 1e-9 and not any(other.values()) else 1


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fresh random cases for snellen/stats with the answers of scipy, statsmodels and scikit-learn.

  stats.py [--seed S] [--count N]                          prints one case with its "expected" per line
  stats.py [--seed S] [--count N] --program stats_parity   runs the program on them and compares

The bootstraps have no peer: their definition (docs/spec/bias.md 4.4) is written here a second time, in plain numpy; so is the
leaving out of clusters, whose peer for equal clusters is statsmodels' cluster-robust covariance.
Needs numpy, scipy, statsmodels, scikit-learn. Last line `N passed, M failed`; exit 1 if any failed.
"""
import argparse
import json
import math
import secrets
import subprocess
import sys
import warnings

import numpy as np
from scipy import stats
from sklearn.metrics import average_precision_score, roc_auc_score
from statsmodels.regression.linear_model import OLS
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.inter_rater import fleiss_kappa
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint

# Largest difference that passes, relative to the peer's number; numbers that are no bounds of shares and no p-values are
# sums that may cancel, so below 1 their difference counts as it is.
TOLERANCE = 1e-9
RELATIVE = {"wilson", "student", "normal_quantile", "mcnemar", "holm"}
CONFIDENCES = (0.5, 0.8, 0.9, 0.95, 0.99, 0.999)


def some_count(rng, top=6):
    """A count of random magnitude, small ones as likely as large ones."""
    return int(rng.integers(1, int(10 ** rng.uniform(0.3, top)) + 1))


def some_share(rng, n):
    return int(rng.choice([0, 1, n, n - 1, rng.binomial(n, rng.random())])) if n > 1 else int(rng.integers(0, n + 1))


def wilson(rng):
    n = some_count(rng)
    k, confidence = some_share(rng, n), float(rng.choice(CONFIDENCES))
    low, high = proportion_confint(k, n, alpha=1 - confidence, method="wilson")
    # statsmodels leaves a rounding error at the ends.
    return {"k": k, "n": n, "confidence": confidence}, [0.0 if k == 0 else low, 1.0 if k == n else high]


def normal_quantile(rng):
    p = float(rng.choice([rng.random(), 10 ** rng.uniform(-300, 0), 1 - 10 ** rng.uniform(-15, 0)]))
    return {"p": p}, [stats.norm.ppf(p)]


def mean_interval(rng):
    values = rng.normal(rng.normal() * 10, rng.uniform(0.1, 5), rng.integers(2, 400))
    confidence = float(rng.choice(CONFIDENCES))
    error = values.std(ddof=1) / math.sqrt(len(values))
    return ({"values": values.tolist(), "confidence": confidence},
            list(stats.norm.interval(confidence, values.mean(), error)))


def student(rng):
    df = float(rng.choice([rng.integers(1, 50), 10 ** rng.uniform(0, 6), rng.uniform(1, 5)]))
    t, tail = float(rng.normal() * 3), float(10 ** rng.uniform(-6, -0.31))
    return {"t": t, "df": df, "tail": tail}, [2 * stats.t.sf(abs(t), df), stats.t.isf(tail, df)]


def degrees_of_freedom(sizes):
    """Bell and McCaffrey's for a mean, the matrix written out; the lesser of two working models."""
    n, shares = sizes.sum(), sizes / sizes.sum()
    scale = 1 / np.sqrt(np.outer(1 - shares, 1 - shares))
    independent = scale * (np.diag(sizes) - np.outer(sizes, sizes) / n)
    q = (shares ** 2).sum()
    equal = scale * np.outer(sizes, sizes) * (np.eye(len(sizes)) - shares[:, None] - shares[None, :] + q)
    return max(1.0, min(np.trace(m) ** 2 / (m ** 2).sum() for m in (independent, equal)))


def moves_without(values, groups):
    """How far the mean moves when each group (a mask) is left out, squared and summed."""
    return sum((values[~mask].mean() - values.mean()) ** 2 for mask in groups)


def interval_bounds(mean, variance, df, confidence):
    half = stats.t.isf((1 - confidence) / 2, df) * math.sqrt(variance)
    return [mean - half, mean + half]


def cluster_mean(rng):
    count, confidence = int(rng.integers(5, 40)), float(rng.choice(CONFIDENCES))
    is_equal = rng.random() < 0.5
    sizes = np.full(count, rng.integers(1, 8)) if is_equal else rng.integers(1, 20, count)
    clusters = np.repeat(np.arange(count), sizes)
    values = rng.normal(size=count)[clusters] * rng.random() + rng.normal(size=len(clusters))
    order = rng.permutation(len(clusters))
    clusters, values = clusters[order], values[order]
    if is_equal:
        fit = OLS(values, np.ones(len(values))).fit(cov_type="cluster", cov_kwds={"groups": clusters, "use_correction": False})
        variance = float(fit.cov_params()[0, 0]) * (count / (count - 1)) ** 2
    else:
        variance = moves_without(values, [clusters == c for c in range(count)])
    df = degrees_of_freedom(sizes.astype(float))
    return ({"clusters": [[f"image{c}"] for c in clusters], "values": values.tolist(), "confidence": confidence},
            [values.mean(), variance, df, *interval_bounds(values.mean(), variance, df, confidence)])


def dyadic_mean(rng):
    pictures, confidence = int(rng.integers(6, 30)), float(rng.choice(CONFIDENCES))
    items = int(rng.integers(2 * pictures, 5 * pictures))
    pairs = np.array([rng.choice(pictures, 2, replace=False) for _ in range(items)])
    effects = rng.normal(size=pictures) * rng.random()
    values = effects[pairs].sum(axis=1) + rng.normal(size=items)
    first_seen = {}  # the order of a unit's pictures is that of its first item
    ordered = np.array([first_seen.setdefault(tuple(sorted(pair)), tuple(pair)) for pair in pairs])
    units = [np.array([set(pair) == set(unit) for pair in pairs]) for unit in first_seen]
    shown = sorted(set(pairs.ravel()))
    by_picture = [(pairs == p).any(axis=1) for p in shown]
    by_place = [[mask for mask in (ordered[:, place] == p for p in shown) if mask.any()] for place in (0, 1)]
    variance = max(moves_without(values, by_picture) - moves_without(values, units), moves_without(values, by_place[0]),
                   moves_without(values, by_place[1]), moves_without(values, units))
    df = degrees_of_freedom(np.array([mask.sum() for mask in by_picture], dtype=float))
    return ({"clusters": [[f"image{a}", f"image{b}"] for a, b in pairs], "values": values.tolist(), "confidence": confidence},
            [values.mean(), variance, df, *interval_bounds(values.mean(), variance, df, confidence)])


def quantile(rng):
    values, q = rng.normal(size=rng.integers(1, 300)), float(rng.random())
    return {"values": values.tolist(), "q": q}, [np.quantile(values, q)]


def mcnemar_case(rng):
    b, c = (int(x) for x in rng.choice([rng.integers(0, 12, 2), rng.integers(0, some_count(rng, 5) + 1, 2)]))
    n, k = b + c, min(b, c)
    table = [[5, b], [c, 7]]
    exact = mcnemar(table, exact=True).pvalue if n else 1.0
    if n == 0:
        return {"b": b, "c": c}, [1.0, 1.0, 0.0, 1.0]
    middle = stats.binom.pmf(k, n, 0.5)
    midp = 1 - 0.5 * middle if b == c else exact - middle
    corrected = mcnemar(table, exact=False, correction=True)
    # statsmodels' |b - c| - 1 goes below zero when b == c; ours stops at zero.
    statistic, p = (0.0, 1.0) if b == c else (corrected.statistic, corrected.pvalue)
    return {"b": b, "c": c}, [min(1.0, exact), midp, statistic, p]


def some_p_values(rng):
    p = rng.random(rng.integers(1, 60)) ** rng.uniform(0.5, 6)
    return np.round(p, 2) if rng.random() < 0.3 else p  # with ties


def holm(rng):
    p = some_p_values(rng)
    return {"p": p.tolist()}, multipletests(p, method="holm")[1].tolist()


def auroc(rng):
    positives, negatives = rng.normal(rng.random(), 1, rng.integers(1, 500)), rng.normal(0, 1, rng.integers(1, 500))
    if rng.random() < 0.6:  # with ties
        digits = int(rng.integers(0, 3))
        positives, negatives = np.round(positives, digits), np.round(negatives, digits)
    labels = [1] * len(positives) + [0] * len(negatives)
    return ({"positives": positives.tolist(), "negatives": negatives.tolist()},
            [roc_auc_score(labels, np.concatenate([positives, negatives]))])


def average_precision(rng):
    scores = rng.normal(size=rng.integers(1, 500))
    if rng.random() < 0.6:  # with ties
        scores = np.round(scores, int(rng.integers(0, 3)))
    labels = (rng.random(len(scores)) < rng.random()).astype(int)
    labels[rng.integers(len(labels))] = 1  # without a positive it is undefined here and 0 there
    return {"labels": labels.tolist(), "scores": scores.tolist()}, [average_precision_score(labels, scores)]


def fleiss_case(rng):
    items, raters, categories = rng.integers(1, 80), int(rng.integers(2, 20)), int(rng.integers(2, 8))
    table = rng.multinomial(raters, rng.dirichlet(np.full(categories, 0.7)), size=items)
    kappa = fleiss_kappa(table, method="fleiss") if (table.sum(axis=0) > 0).sum() > 1 else None
    return {"counts": table.ravel().tolist(), "num_categories": categories}, [kappa]


def resample(seed, replicates, n):
    """Indices [replicates, n] of SplitMix64(seed)."""
    with np.errstate(over="ignore"):
        z = np.uint64(seed) + np.arange(1, replicates * n + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        z = z ^ (z >> np.uint64(31))
    return np.floor((z >> np.uint64(11)).astype(float) * 2.0 ** -53 * n).astype(int).reshape(replicates, n)


def some_options(rng):
    return {"replicates": int(rng.integers(1, 400)), "confidence": float(rng.choice(CONFIDENCES)),
            "seed": int(rng.integers(0, 2 ** 64, dtype=np.uint64)), "num_threads": int(rng.integers(1, 5))}


def percentiles(replicates, confidence):
    kept = replicates[~np.isnan(replicates)]
    if len(kept) == 0:
        return [None, None]
    return [np.quantile(kept, (1 - confidence) / 2), np.quantile(kept, (1 + confidence) / 2)]


def bootstrap_mean(rng):
    values, options = rng.normal(size=rng.integers(1, 700)), some_options(rng)
    means = values[resample(options["seed"], options["replicates"], len(values))].mean(axis=1)
    return {"values": values.tolist(), **options}, percentiles(means, options["confidence"])


def cluster_bootstrap(rng):
    items, options = int(rng.integers(1, 300)), some_options(rng)
    clusters = [f"image{i}" for i in rng.integers(0, rng.integers(1, 60), items)]
    columns = rng.normal(size=(rng.integers(1, 5), items))
    columns[rng.random(columns.shape) < rng.random()] = np.nan
    names = list(dict.fromkeys(clusters))
    rows = np.array([names.index(c) for c in clusters])
    draws = resample(options["seed"], options["replicates"], len(names))
    expected = []
    for column in columns:
        sums, counts = np.zeros(len(names)), np.zeros(len(names))
        np.add.at(sums, rows, np.nan_to_num(column))
        np.add.at(counts, rows, ~np.isnan(column))
        with np.errstate(invalid="ignore"):
            expected += percentiles(sums[draws].sum(axis=1) / counts[draws].sum(axis=1), options["confidence"])
    values = [[None if math.isnan(x) else x for x in column] for column in columns.tolist()]
    return {"clusters": clusters, "columns": values, **options}, expected


KINDS = {"wilson": wilson, "normal_quantile": normal_quantile,
         "mean_interval": mean_interval, "student": student, "cluster_mean": cluster_mean, "dyadic_mean": dyadic_mean,
         "quantile": quantile, "mcnemar": mcnemar_case, "holm": holm, "auroc": auroc, "average_precision": average_precision, "fleiss_kappa": fleiss_case,
         "bootstrap_mean": bootstrap_mean, "cluster_bootstrap": cluster_bootstrap}


def make_cases(seed, count):
    for number, (kind, make) in enumerate(KINDS.items()):
        rng = np.random.default_rng([seed, number])
        for _ in range(count):
            case, expected = make(rng)
            expected = [None if x is None else float(x) for x in expected]
            yield {"kind": kind, **case, "expected": expected}


def difference(got, want, floor):
    """Infinite when one is undefined and the other is not."""
    if got is None or want is None:
        return 0.0 if got is want else math.inf
    if got == want:
        return 0.0
    return abs(got - want) / max(floor, abs(want))


def compare(program, cases):
    lines = [json.dumps({key: value for key, value in case.items() if key != "expected"}) for case in cases]
    run = subprocess.run([program], input="\n".join(lines) + "\n", capture_output=True, text=True, check=False)
    if run.returncode != 0:
        sys.exit(f"{program} stopped with {run.returncode}: {run.stderr}")
    answers = [json.loads(line) for line in run.stdout.splitlines()]
    if len(answers) != len(cases):
        sys.exit(f"{program} gave {len(answers)} answers to {len(cases)} cases")
    worst, failed = dict.fromkeys(KINDS, 0.0), 0
    for case, got in zip(cases, answers):
        floor = 1e-290 if case["kind"] in RELATIVE else 1.0
        apart = max((difference(g, w, floor) for g, w in zip(got, case["expected"])), default=0.0)
        if len(got) != len(case["expected"]):
            apart = math.inf
        worst[case["kind"]] = max(worst[case["kind"]], apart)
        if not apart <= TOLERANCE:
            failed += 1
            if failed <= 5:
                print(f"differs by {apart:g}: {json.dumps(case)[:600]} got {got[:8]}")
    for kind, apart in worst.items():
        print(f"{kind:20} largest difference {apart:.3g}")
    print(f"{len(cases) - failed} passed, {failed} failed")
    return 1 if failed else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=secrets.randbelow(2 ** 32), help="of the cases; random when not given")
    parser.add_argument("--count", type=int, default=200, help="cases per kind")
    parser.add_argument("--program", help="the stats_parity program of the build")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    print(f"seed {options.seed}", file=sys.stdout if options.program else sys.stderr)
    cases = list(make_cases(options.seed, options.count))
    if options.program:
        return compare(options.program, cases)
    for case in cases:
        print(json.dumps(case))
    return 0


if __name__ == "__main__":
    sys.exit(main())

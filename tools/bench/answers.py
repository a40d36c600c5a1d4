# SPDX-License-Identifier: Apache-2.0
"""A benchmark whose answers are all alike measures work that nobody asked for: it fails instead."""
import collections
import sqlite3


def whats_degenerate(rows):
    """Why these scores, a list for each item, cannot come from a model that tells its inputs apart; empty where they can."""
    rows = [list(row) for row in rows]
    values = [value for row in rows for value in row]
    if any(value is None or value != value for value in values):
        return "a score is missing"
    if len(values) < 2:
        return "there are no scores"
    common = collections.Counter(values).most_common(1)[0][1]
    if 2 * common > len(values):
        return f"{common} of {len(values)} scores are equal"
    ties = sum(len(row) > 1 and sorted(row)[-1] == sorted(row)[-2] for row in rows)
    if 2 * ties > len(rows):
        return f"{ties} of {len(rows)} items have a tie for the best"
    return ""


def expect_telling(name, rows):
    """Ends the benchmark where the answers say nothing."""
    problem = whats_degenerate(rows)
    if problem:
        raise SystemExit(f"{name}: the answers are degenerate: {problem}. What was timed is not what a model does")


def stored_scores(folder, columns=4, limit=2000):
    """The scores of the one run below `folder`."""
    with sqlite3.connect(next(folder.glob("*/samples.db"))) as store:
        names = ", ".join(f"score_{i + 1}" for i in range(columns))
        return [list(row) for row in store.execute(f"SELECT {names} FROM samples WHERE status = 'scored' ORDER BY id LIMIT {limit}")]

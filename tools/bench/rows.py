# SPDX-License-Identifier: Apache-2.0
"""The line that every benchmark prints: ours beside the peer's, and how many times better ours is."""
import json
import pathlib
import sys


def report(name, unit, ours, peer, threads=1, command=None, less_is_better=False):
    """`command`: a list of words, or None for that of the script itself."""
    words = command or [f"tools/bench/{pathlib.Path(sys.argv[0]).name}", *sys.argv[1:]]
    ratio = peer / ours if less_is_better else ours / peer
    row = {"name": name, "unit": unit, "ours": float(f"{ours:.6g}"), "peer": float(f"{peer:.6g}"), "ratio": round(ratio, 3), "threads": threads,
           "command": " ".join(map(str, words))}
    print(json.dumps(row), flush=True)

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""VALSE (arXiv 2112.07566) as items: valse.py ANNOTATION_FOLDER > valse.jsonl

The folder holds existence.json, plurals.json, ... as published: {"id": {"image_file", "caption", "foil", "mturk": {"caption"}, ...}, ...}.
Items that fewer than two of three people found right are left out, as the paper does. Run it with the pictures of the sets that VALSE draws from:
  snellen run --model DIR --tasks file:valse.jsonl --root-image-dir images
"""
import json
import pathlib
import sys


def items(folder):
    yield {"schema": 1, "name": "valse", "paper": "arXiv 2112.07566", "metric": "pairwise"}
    for path in sorted(pathlib.Path(folder).glob("*.json")):
        for key, entry in json.loads(path.read_text()).items():
            if entry.get("mturk", {}).get("caption", 2) < 2:
                continue
            yield {"id": f"{path.stem}/{key}", "part": path.stem, "group": entry["image_file"], "category": entry.get("linguistic_phenomena", ""),
                   "visuals": [entry["image_file"]], "texts": [entry["caption"], entry["foil"]], "right": 0}


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    for item in items(sys.argv[1]):
        print(json.dumps(item, ensure_ascii=False))

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""SugarCrepe (arXiv 2306.14610) as items: sugarcrepe.py ANNOTATION_FOLDER > sugarcrepe.jsonl

The folder holds add_att.json, swap_obj.json, ... as published: {"0": {"filename", "caption", "negative_caption"}, ...}.
Run it with the pictures of COCO val2017:
  snellen run --model DIR --tasks file:sugarcrepe.jsonl --root-image-dir val2017
"""
import json
import pathlib
import sys


def items(folder):
    yield {"schema": 1, "name": "sugarcrepe", "paper": "arXiv 2306.14610", "metric": "pairwise"}
    for path in sorted(pathlib.Path(folder).glob("*.json")):
        kind, _, what = path.stem.partition("_")
        for key, entry in json.loads(path.read_text()).items():
            yield {"id": f"{path.stem}/{key}", "part": path.stem, "group": entry["filename"], "category": kind, "tags": [what or kind],
                   "visuals": [entry["filename"]], "texts": [entry["caption"], entry["negative_caption"]], "right": 0}


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    for item in items(sys.argv[1]):
        print(json.dumps(item, ensure_ascii=False))

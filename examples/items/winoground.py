#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Winoground (arXiv 2204.03162) as items: winoground.py examples.jsonl > winoground.jsonl

examples.jsonl as published: {"id", "image_0", "image_1", "caption_0", "caption_1", "tag", "secondary_tag", "collapsed_tag",
"num_main_preds", ...}, image names without their ending. Run it with the unpacked pictures:
  snellen run --model DIR --tasks file:winoground.jsonl --root-image-dir images
"""
import json
import sys


def items(path, ending=".png"):
    yield {"schema": 1, "name": "winoground", "paper": "arXiv 2204.03162", "metric": "winoground"}
    with open(path, encoding="utf-8") as lines:
        for line in filter(str.strip, lines):
            entry = json.loads(line)
            tags = [tag for key in ("tag", "secondary_tag") for tag in entry.get(key, "").split(",")]
            yield {"id": entry["id"], "category": entry.get("collapsed_tag", ""), "tags": sorted({tag.strip() for tag in tags} - {""}),
                   "visuals": [entry["image_0"] + ending, entry["image_1"] + ending], "texts": [entry["caption_0"], entry["caption_1"]]}


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    for item in items(sys.argv[1]):
        print(json.dumps(item, ensure_ascii=False))

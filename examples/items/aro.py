#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""ARO's Visual Genome parts (arXiv 2210.01936) as items: aro.py visual_genome_relation.json [visual_genome_attribution.json] > aro.jsonl

Each file is a list of {"image_path", "bbox_x", "bbox_y", "bbox_w", "bbox_h", "true_caption", "false_caption"} with "relation_name" or
"attributes", as published; the picture is cropped to the box, as the published script does. Run it with ARO's images:
  snellen run --model DIR --tasks file:aro.jsonl --root-image-dir images
"""
import json
import pathlib
import sys


def items(paths):
    yield {"schema": 1, "name": "aro", "paper": "arXiv 2210.01936", "metric": "pairwise"}
    for path in map(pathlib.Path, paths):
        part = path.stem.replace("visual_genome_", "")
        for number, entry in enumerate(json.loads(path.read_text())):
            category = entry.get("relation_name") or "_".join(entry.get("attributes", []))
            box = [round(entry[key]) for key in ("bbox_x", "bbox_y", "bbox_w", "bbox_h")]
            yield {"id": f"{part}/{number}", "part": part, "group": entry["image_path"], "category": category,
                   "visuals": [{"image": entry["image_path"], "crop": box}],
                   "texts": [entry["false_caption"], entry["true_caption"]], "right": 1}


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    for item in items(sys.argv[1:]):
        print(json.dumps(item, ensure_ascii=False))

# SPDX-License-Identifier: Apache-2.0
"""Probe-C as the papers' scripts ran it: group by group, one picture with its two prompts at a time, nothing kept.

    reference_script.py MODEL GROUPS.json IMAGES [NUM_GROUPS]

Prints {"seconds", "groups", "scores"}; loading the model is not counted.
"""
import json
import pathlib
import sys
import time

import torch
from PIL import Image
from transformers import CLIPModel, CLIPProcessor

model = CLIPModel.from_pretrained(sys.argv[1]).eval()
processor = CLIPProcessor.from_pretrained(sys.argv[1])
groups = json.load(open(sys.argv[2]))
images = pathlib.Path(sys.argv[3])
count = int(sys.argv[4]) if len(sys.argv) > 4 else len(groups)
torch.set_num_threads(2)


@torch.no_grad()
def logits(image_id, prompts):
    picture = Image.open(images / f"COCO_val2014_{int(image_id):012d}.jpg").convert("RGB")
    inputs = processor(text=prompts, images=picture, return_tensors="pt", padding=True)
    return model(**inputs).logits_per_image[0].tolist()


begin = time.perf_counter()
scores = []
for group in groups[:count]:
    prompts = [group["img1_prompt"], group["img2_prompt"]]
    scores.append([logits(group["img1_id"], prompts), logits(group["img2_id"], prompts)])
print(json.dumps({"seconds": time.perf_counter() - begin, "groups": count, "scores": scores}))

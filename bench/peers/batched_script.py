# SPDX-License-Identifier: Apache-2.0
"""Probe-C as a careful script runs it: every distinct picture and prompt once, in batches of 64, scores as products.

    batched_script.py MODEL GROUPS.json IMAGES

Prints {"seconds", "groups", "scores"}; loading the model is not counted.
"""
import json
import pathlib
import sys
import time

import torch
from PIL import Image
from transformers import CLIPModel, CLIPProcessor

BATCH = 64
model = CLIPModel.from_pretrained(sys.argv[1]).eval()
processor = CLIPProcessor.from_pretrained(sys.argv[1])
groups = json.load(open(sys.argv[2]))
images = pathlib.Path(sys.argv[3])
torch.set_num_threads(2)


def rows(output):
    """The projected features, whichever way this transformers hands them over."""
    return output if torch.is_tensor(output) else output.pooler_output


@torch.no_grad()
def embedded(keys, embed):
    found = {}
    for at in range(0, len(keys), BATCH):
        batch = keys[at:at + BATCH]
        features = rows(embed(batch))
        found.update(zip(batch, features / features.norm(dim=-1, keepdim=True)))
    return found


def embed_pictures(ids):
    pictures = [Image.open(images / f"COCO_val2014_{i:012d}.jpg").convert("RGB") for i in ids]
    return model.get_image_features(**processor(images=pictures, return_tensors="pt"))


def embed_texts(texts):
    return model.get_text_features(**processor(text=texts, return_tensors="pt", padding=True))


begin = time.perf_counter()
pictures = embedded(sorted({int(group[name]) for group in groups for name in ("img1_id", "img2_id")}), embed_pictures)
texts = embedded(sorted({group[name] for group in groups for name in ("img1_prompt", "img2_prompt")}), embed_texts)
scale = model.logit_scale.exp()
scores = [[[(scale * pictures[int(group[image])] @ texts[group[prompt]]).item() for prompt in ("img1_prompt", "img2_prompt")]
           for image in ("img1_id", "img2_id")] for group in groups]
print(json.dumps({"seconds": time.perf_counter() - begin, "groups": len(groups), "scores": scores}))

# SPDX-License-Identifier: Apache-2.0
"""A CLIP checkpoint through transformers: clip_adapter.py FOLDER [--wants path|pixels]

The example of an adapter; Snellen reads such folders itself, and a test compares the two.
"""
import argparse
import functools

import torch
from adapter import picture, serve
from transformers import AutoModel, AutoProcessor

parser = argparse.ArgumentParser()
parser.add_argument("folder")
parser.add_argument("--wants", default="path")
arguments = parser.parse_args()
model = AutoModel.from_pretrained(arguments.folder).eval()
processor = AutoProcessor.from_pretrained(arguments.folder)


@functools.lru_cache(maxsize=4096)
def text_row(text):
    tokens = processor.tokenizer([text], truncation=True, return_tensors="pt",
                                 max_length=model.config.text_config.max_position_embeddings)
    return model.text_model(**tokens).pooler_output @ model.text_projection.weight.T


@torch.inference_mode()
def score(request):
    pixels = processor.image_processor(picture(request), return_tensors="pt")["pixel_values"]
    image = model.vision_model(pixel_values=pixels).pooler_output @ model.visual_projection.weight.T
    texts = torch.cat([text_row(text) for text in request["texts"]])
    cosines = torch.nn.functional.cosine_similarity(image, texts)
    return (model.logit_scale.exp() * cosines).tolist()


serve(score, name="clip", wants=arguments.wants)

# SPDX-License-Identifier: Apache-2.0
"""A CLIP checkpoint through transformers: clip_adapter.py FOLDER [--wants path|pixels] [--mode embedding|similarity]

The example of an adapter; Snellen reads such folders itself, and a test compares the two.
"""
import argparse

from adapter import picture, serve

import torch
from transformers import AutoModel, AutoProcessor

parser = argparse.ArgumentParser()
parser.add_argument("folder")
parser.add_argument("--wants", default="path")
parser.add_argument("--mode", default="embedding", choices=["embedding", "similarity"])
arguments = parser.parse_args()
model = AutoModel.from_pretrained(arguments.folder).eval()
processor = AutoProcessor.from_pretrained(arguments.folder)
scale = model.logit_scale.exp().item()


@torch.inference_mode()
def embed_images(requests):
    pixels = processor.image_processor([picture(request) for request in requests], return_tensors="pt")["pixel_values"]
    return model.vision_model(pixel_values=pixels).pooler_output @ model.visual_projection.weight.T


@torch.inference_mode()
def embed_texts(texts):
    tokens = processor.tokenizer(texts, truncation=True, padding=True, return_tensors="pt",
                                 max_length=model.config.text_config.max_position_embeddings)
    return model.text_model(**tokens).pooler_output @ model.text_projection.weight.T


def score_batch(requests):
    """Every picture with its texts, all in two batches."""
    images = torch.nn.functional.normalize(embed_images(requests))
    texts = torch.nn.functional.normalize(embed_texts([text for request in requests for text in request["texts"]]))
    ends = torch.tensor([len(request["texts"]) for request in requests]).cumsum(0).tolist()
    return [(scale * texts[end - len(request["texts"]):end] @ image).tolist() for request, image, end in zip(requests, images, ends)]


if arguments.mode == "embedding":
    serve(embed_images=embed_images, embed_texts=embed_texts, scale=scale, name="clip", wants=arguments.wants)
else:
    serve(score_batch=score_batch, independent_scores=True, name="clip", wants=arguments.wants)

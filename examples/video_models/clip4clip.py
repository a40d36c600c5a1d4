# SPDX-License-Identifier: Apache-2.0
"""CLIP4Clip: at most 12 frames at 1 per second, mean pooling; `snellen run --score mean-pooling` does it natively (docs/video-models.md).

    snellen run --model exec:"python3 clip4clip.py" --sampler fps:1 --num-frames 12 --tasks vilma --data DIR --output runs
"""
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "adapter_python"))
from adapter import pixels, serve  # first: what other modules print does no harm then
from shapes import short_side
from model import load  # yours: load(NAME) opens the authors' code and weights

model = load("clip4clip")


def embed_images(requests):
    rows = []
    for request in requests:
        frames = model.images(short_side(pixels(request), 224))  # [frames, width]
        frames = frames / (frames ** 2).sum(-1, keepdims=True) ** 0.5
        rows.append(frames.mean(0))
    return rows


serve(embed_images=embed_images, embed_texts=model.texts, scale=model.scale, name="clip4clip", wants="pixels", identity=model.identity)

# SPDX-License-Identifier: Apache-2.0
"""UniVL: 16 frames per second at 224 x 224 into S3D-G features, lower-cased texts, a similarity logit (docs/video-models.md).

    snellen run --model exec:"python3 univl.py" --sampler fps:16 --tasks vilma --data DIR --output runs
"""
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "adapter_python"))
from adapter import pixels, serve  # first: what other modules print does no harm then
from shapes import short_side
from model import load  # yours: load(NAME) opens the authors' code and weights

model = load("univl")


def score(request):
    features = model.features(short_side(pixels(request), 224))  # [segments, 1024], of length 1 each
    return model(features, [text.lower() for text in request["texts"]])  # the published run scored the first foil alone


serve(score, name="univl", wants="pixels", identity=model.identity)

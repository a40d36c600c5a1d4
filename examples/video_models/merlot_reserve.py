# SPDX-License-Identifier: Apache-2.0
"""MERLOT Reserve (large): one frame for each 5 seconds, at most 8, on a grid of 18 x 32 patches of 16 (docs/video-models.md).

    snellen run --model exec:"python3 merlot_reserve.py" --sampler fps:0.2 --num-frames 8 --tasks vilma --data DIR --output runs
"""
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "adapter_python"))
from adapter import pixels, serve  # first: what other modules print does no harm then
from shapes import resized
from model import load  # yours: load(NAME) opens the authors' code and weights

model = load("merlot_reserve")


def score(request):
    shares = model(resized(pixels(request), 18 * 16, 32 * 16), request["texts"])  # a softmax over the texts
    return [100 * share for share in shares]  # percent, as the published results are; frames per segment there are unknown


serve(score, name="merlot_reserve", wants="pixels", mode="similarity", identity=model.identity)

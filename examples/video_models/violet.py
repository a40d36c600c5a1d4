# SPDX-License-Identifier: Apache-2.0
"""VIOLET: four frames on a black square of 224 x 224, a logit (docs/video-models.md).

    snellen run --model exec:"python3 violet.py" --sampler all --tasks vilma --data DIR --output runs
"""
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "adapter_python"))
from adapter import pixels, serve  # first: what other modules print does no harm then
from shapes import square
from model import load  # yours: load(NAME) opens the authors' code and weights

model = load("violet")


def score(request):
    clip = pixels(request)
    count = len(clip)
    chosen = clip[[0, 2 * count // 6, 3 * count // 6, count - 1]]  # meant to be five in the authors' code, four are taken
    return model(square(chosen, 224), request["texts"])  # the published run scored the first foil alone


serve(score, name="violet", wants="pixels", identity=model.identity)

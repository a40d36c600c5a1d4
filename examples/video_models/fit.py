# SPDX-License-Identifier: Apache-2.0
"""FiT (Frozen in Time): 4 frames, for its checkpoint of that number; size, score and mode are unknown (docs/video-models.md).

    snellen run --model exec:"python3 fit.py" --frames 4 --tasks vilma --data DIR --output runs
"""
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "adapter_python"))
from adapter import pixels, serve  # first: what other modules print does no harm then
from model import load  # yours: load(NAME) opens the authors' code and weights

model = load("fit")


def score(request):
    return model(pixels(request), request["texts"])  # one number per text; higher is better


serve(score, name="fit", wants="pixels", mode="similarity", identity=model.identity)

# SPDX-License-Identifier: Apache-2.0
"""VideoCLIP: frames, size, score and mode of the published run are unknown (docs/video-models.md).

    snellen run --model exec:"python3 videoclip.py" --frames 8 --tasks vilma --data DIR --output runs
"""
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "adapter_python"))
from adapter import pixels, serve  # first: what other modules print does no harm then
from model import load  # yours: load(NAME) opens the authors' code and weights

model = load("videoclip")


def score(request):
    return model(pixels(request), request["texts"])  # one number per text; higher is better


serve(score, name="videoclip", wants="pixels", mode="similarity", identity=model.identity)

# SPDX-License-Identifier: Apache-2.0
"""Any Python model as a model of Snellen: write one function and call serve() (docs/adapters.md).

    snellen run --model exec:"python3 my_adapter.py" --tasks probe-c --data DIR --root-image-dir DIR
"""
import json
import os
import sys


def serve(score, name, mode="similarity", wants="path", max_texts=None, max_in_flight=None, identity=""):
    """Answers requests until the host says bye. score(request) gives one number for each of request["texts"]; what it
    raises is the error of that item alone. mode: similarity, probability or perplexity (where lower is better).
    wants: path (request["image"] or ["video"]), frames (clips as PNG files in ["frames_dir"]), pixels, texts."""
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)  # whatever a library prints goes to the people, not between the answers
    for line in sys.stdin:
        request = json.loads(line)
        if request["op"] == "hello":
            answer = {"ready": True, "version": 1, "mode": mode, "name": name, "max_texts": max_texts, "wants": wants,
                      "max_in_flight": max_in_flight, "identity": identity}
        elif request["op"] == "score":
            try:
                answer = {"id": request["id"], "scores": [float(one) for one in score(request)]}
            except Exception as error:
                answer = {"id": request["id"], "error": f"{type(error).__name__}: {error}"}
        else:
            break
        answers.write(json.dumps(answer) + "\n")


def picture(request):
    """The picture of a request as a PIL image, however it was handed over; of a clip its first frame."""
    from PIL import Image
    if request["pixels"]:
        size = request["pixels"]["width"], request["pixels"]["height"]
        with open(request["pixels"]["path"], "rb") as file:
            return Image.frombytes("RGB", size, file.read(3 * size[0] * size[1]))
    return Image.open(request["image"] or os.path.join(request["frames_dir"], "0000.png")).convert("RGB")

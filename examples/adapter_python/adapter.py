# SPDX-License-Identifier: Apache-2.0
"""Any Python model as a model of Snellen: write one function and call serve() (docs/adapters.md).

    snellen run --model exec:"python3 my_adapter.py" --tasks probe-c --data DIR --root-image-dir DIR

Import this module before the others: from then on whatever a library prints goes to the people, not between the answers.
"""
import array
import base64
import json
import os
import select
import sys

_answers = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)


def serve(score=None, name="", mode="similarity", wants="path", max_texts=None, max_in_flight=None, identity="", score_batch=None,
          embed_images=None, embed_texts=None, scale=1.0, independent_scores=False, batch_size=32):
    """Answers requests until the host says bye. Give one of:

    score(request)         one number for each of request["texts"]; what it raises is the error of that request alone
    score_batch(requests)  a list of such lists, for at most `batch_size` requests at once
    embed_images(requests) and embed_texts(texts): one row of numbers for each; a score is `scale` times the cosine of two rows

    mode: similarity, probability or perplexity (where lower is better). wants: path (request["image"] or ["video"]), frames (clips
    as PNG files in ["frames_dir"]), pixels, texts. independent_scores: a text's score does not depend on the texts beside it, so
    that a picture is asked once with all of its texts. identity: a hash of the weights; with one, answers are kept between runs."""
    embeds = embed_images is not None
    if embeds != (embed_texts is not None) or sum(one is not None for one in (score, score_batch, embed_images)) != 1:
        raise TypeError("serve() takes score, score_batch, or both embed_images and embed_texts")
    if score:
        batch_size = 1
    ready = {"ready": True, "version": 1, "mode": "embedding" if embeds else mode, "name": name, "max_texts": max_texts, "wants": wants,
             # One batch is answered while the next one waits.
             "max_in_flight": max_in_flight or (None if score else 2 * batch_size), "identity": identity, "scale": scale,
             "independent_scores": independent_scores}

    def scored(requests):
        answers = score_batch(requests) if score_batch else [score(requests[0])]
        return [{"scores": [float(one) for one in answer]} for answer in answers]

    def embedded(requests):
        texts = [request["texts"][0] for request in requests if request["texts"]]
        pictures = [request for request in requests if not request["texts"]]
        rows = {True: iter(embed_texts(texts) if texts else ()), False: iter(embed_images(pictures) if pictures else ())}
        return [{"row": _row(next(rows[bool(request["texts"])]))} for request in requests]

    answer = embedded if embeds else scored
    lines = _Lines()
    while True:
        requests = lines.take(batch_size)
        wanted = []
        for request in requests:
            if request["op"] == "hello":
                _say([ready])
            elif request["op"] in ("score", "embed"):
                wanted.append(request)
        if wanted:
            _say(_answered(wanted, answer))
        if not requests or requests[-1]["op"] == "bye":
            return


def picture(request):
    """The picture of a request as a PIL image, however it was handed over; of a clip its first frame."""
    return frames(request)[0]


def frames(request):
    """The frames of a clip as PIL images; of a picture itself alone. Clips come as frames with wants="frames" or "pixels", or when
    the user passes --frames N."""
    from PIL import Image
    pixels = request["pixels"]
    if pixels:
        size = pixels["width"], pixels["height"]
        with open(pixels["path"], "rb") as file:
            return [Image.frombytes("RGB", size, file.read(3 * size[0] * size[1])) for _ in range(pixels["frames"])]
    if request["image"]:
        return [Image.open(request["image"]).convert("RGB")]
    if not request["frames_dir"]:
        raise ValueError('the request has a "video" and no "frames_dir": call serve(wants="frames"), or run or export with --frames 8')
    names = sorted(os.listdir(request["frames_dir"]))
    return [Image.open(os.path.join(request["frames_dir"], one)).convert("RGB") for one in names]


def pixels(request):
    """The same as one NumPy array of bytes [frames, height, width, 3], for wants="pixels". Exported requests name files instead, which
    Pillow reads."""
    import numpy
    raw = request["pixels"]
    if not raw:
        return numpy.stack([numpy.asarray(one.convert("RGB")) for one in frames(request)])
    with open(raw["path"], "rb") as file:
        return numpy.frombuffer(file.read(), numpy.uint8).reshape(raw["frames"], raw["height"], raw["width"], 3)


def _row(row):
    """float32, lowest byte first, in base64: a tenth of the time that a list of numbers takes."""
    if hasattr(row, "detach"):  # torch
        row = row.detach().cpu().float().numpy()
    if hasattr(row, "astype"):  # numpy
        return base64.b64encode(row.astype("<f4").tobytes()).decode()
    floats = array.array("f", row)
    if sys.byteorder == "big":
        floats.byteswap()
    return base64.b64encode(floats.tobytes()).decode()


def _answered(requests, answer):
    """What a batch comes to; where it raises, each request is tried alone, so that the one at fault fails alone."""
    try:
        made = answer(requests)
        if len(made) != len(requests):
            raise ValueError(f"{len(made)} answers for {len(requests)} requests")
    except Exception as error:
        if len(requests) > 1:
            return [one for request in requests for one in _answered([request], answer)]
        made = [{"error": _told(error, requests[0])}]
    return [{"id": request["id"], **one} for request, one in zip(requests, made)]


def _told(error, request):
    """What was raised, with what to look at where a field is not there or a clip was taken for a picture."""
    told = f"{type(error).__name__}: {error}"
    if isinstance(error, KeyError) and error.args and error.args[0] not in request:
        return f"{told} (fields of a request: {', '.join(request)})"
    if isinstance(error, (AttributeError, TypeError)) and request["video"]:
        return f'{told} (the request shows a clip, so "image" is null: call frames(request), and run with --frames 8)'
    return told


def _say(answers):
    _answers.write("".join(json.dumps(one) + "\n" for one in answers))
    _answers.flush()


class _Lines:
    """The lines of the standard input; those that came together are taken together."""
    PATIENCE = 0.002  # seconds that a batch waits for one more line

    def __init__(self):
        self.rest = b""
        self.lines = []
        self.is_open = True

    def take(self, most):
        """At least one, unless the input has ended; no more than one where it is no request."""
        while self.is_open and len(self.lines) < most:
            if self.lines and not select.select([0], [], [], self.PATIENCE)[0]:
                break
            piece = os.read(0, 1 << 20)
            self.is_open = bool(piece)
            *whole, self.rest = (self.rest + piece).split(b"\n")
            self.lines += whole
        taken, self.lines = self.lines[:most], self.lines[most:]
        return [json.loads(line) for line in taken]

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Whole picture processors against the *Pil classes of transformers: bytes exact, floats within 1e-6.

    tools/parity/processors.py --program build/release/pixels_parity [--count 200] [--seed N]
Pictures of strange shapes and modes; both sides get the RGB picture, since newer processors put alpha on white.
"""
import argparse
import hashlib
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time
import warnings

warnings.simplefilter("ignore")
os.environ["TRANSFORMERS_VERBOSITY"] = "error"

import numpy as np
from PIL import Image
from transformers.models.blip.image_processing_pil_blip import BlipImageProcessorPil
from transformers.models.bridgetower.image_processing_pil_bridgetower import BridgeTowerImageProcessorPil
from transformers.models.clip.image_processing_pil_clip import CLIPImageProcessorPil
from transformers.models.efficientnet.image_processing_pil_efficientnet import EfficientNetImageProcessorPil
from transformers.models.flava.image_processing_pil_flava import FlavaImageProcessorPil
from transformers.models.siglip.image_processing_pil_siglip import SiglipImageProcessorPil
from transformers.models.videomae.image_processing_pil_videomae import VideoMAEImageProcessorPil
from transformers.models.vilt.image_processing_pil_vilt import ViltImageProcessorPil

from decode import picture

CLASSES = {"CLIP": CLIPImageProcessorPil, "Siglip": SiglipImageProcessorPil, "Blip": BlipImageProcessorPil, "Flava": FlavaImageProcessorPil,
           "EfficientNet": EfficientNetImageProcessorPil, "Vilt": ViltImageProcessorPil, "BridgeTower": BridgeTowerImageProcessorPil,
           "VideoMAE": VideoMAEImageProcessorPil}
SHAPES = [(1, 1), (1, 5000), (5000, 1), (3, 1), (300, 100), (90, 270), (33, 500), (640, 480), (2, 3)]
MODES = ["RGB", "RGB", "RGB", "L", "P", "CMYK", "RGBA", "I;16"]


def made(rng, folder, index):
    """A file and the RGB picture that Pillow reads from it."""
    width, height = SHAPES[index] if index < len(SHAPES) else rng.choice([rng.choice(SHAPES), (rng.randint(1, 400), rng.randint(1, 400))])
    mode = rng.choice(MODES)
    base = Image.fromarray(picture(rng, width, height, 3))
    if mode == "I;16":
        image = Image.fromarray(np.random.default_rng(index).integers(0, 400, (height, width), dtype=np.uint16))
    elif mode == "RGBA":
        image = Image.fromarray(picture(rng, width, height, 4))
    else:
        image = base.convert(mode)
    path = folder / ("picture.jpg" if mode == "CMYK" else "picture.png")
    image.save(path)
    return path, mode, Image.open(path).convert("RGB")


def config_for(rng, kind, shape):
    """Keys as published files spell them: some left out, some in their old form."""
    slim = max(shape) / min(shape) > 20
    side = rng.randint(2, 9) if slim else rng.randint(4, 120)
    config = {"image_processor_type": f"{kind}ImageProcessor"}
    if kind in ("Vilt", "BridgeTower"):
        config["size_divisor"] = rng.choice([1, 2, 4]) if slim else rng.choice([1, 8, 32])
        side = max(side, 2 * config["size_divisor"])
        config["size"] = rng.choice([side, {"shortest_edge": side}])
        if kind == "BridgeTower":
            config["crop_size"] = {"shortest_edge": rng.choice([side, rng.randint(1, 2 * side)])}
    else:
        exact = {"height": rng.randint(1, 120), "width": rng.randint(1, 120)}
        shortest = {"shortest_edge": side}
        capped = {"shortest_edge": side, "longest_edge": side + rng.randint(1, 90)}
        config["size"] = rng.choice([exact, shortest] + ([] if slim else [capped]) + ([[exact["height"], exact["width"]]]))
        if kind in ("CLIP", "VideoMAE") and rng.random() < 0.3:
            config["size"] = side
        config["do_center_crop"] = rng.random() < 0.7
        config["crop_size"] = rng.choice([rng.randint(1, 150), {"height": rng.randint(1, 150), "width": rng.randint(1, 150)}])
    if rng.random() < 0.7:
        config["resample"] = rng.randint(0, 5)
    if rng.random() < 0.1 and not slim:
        config["do_resize"] = False
    if rng.random() < 0.5:
        config["rescale_factor"] = rng.choice([1 / 255, 1 / 127.5, 0.01])
    for key in ("do_rescale", "do_normalize"):
        if rng.random() < 0.2:
            config[key] = False
    if rng.random() < 0.5:
        config["image_mean"] = [rng.uniform(0, 1) for _ in range(3)]
        config["image_std"] = [rng.uniform(0.1, 1) for _ in range(3)]
    if kind == "EfficientNet":
        config["include_top"] = rng.random() < 0.5
        config["rescale_offset"] = rng.random() < 0.5
    return config


def peer(kind, config, image):
    """The uint8 and float stages of the reference, [3, H, W]."""
    processor = CLASSES[kind](**{key: value for key, value in config.items() if key != "image_processor_type"})

    bytes_only = {"do_rescale": False, "do_normalize": False}
    if kind == "EfficientNet":
        bytes_only["include_top"] = False

    def stage(**more):
        given = [image] if kind != "VideoMAE" else [[image]]
        value = np.asarray(processor(given, **more)["pixel_values"][0])
        return value[0] if value.ndim == 4 else value

    return stage(**bytes_only), stage().astype(np.float32)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=None)
    arguments = parser.parse_args()
    seed = arguments.seed if arguments.seed is not None else time.time_ns() % 2**31
    print(f"seed {seed}", flush=True)
    rng = random.Random(seed)
    differ = compared = refused = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        ours = subprocess.Popen([arguments.program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for index in range(arguments.count):
            path, mode, image = made(rng, folder, index)
            for kind in rng.sample(list(CLASSES), 4):
                config = config_for(rng, kind, image.size)
                ours.stdin.write(json.dumps({"do": "process", "file": str(path), "config": json.dumps(config), "out": str(folder / "out.f32")}) + "\n")
                ours.stdin.flush()
                got = json.loads(ours.stdout.readline())
                try:
                    want_bytes, want_floats = peer(kind, config, image)
                except (ValueError, ZeroDivisionError) as error:
                    refused += 1
                    problem = None if "error" in got else f"the reference refuses ({error}), ours does not"
                else:
                    compared += 1
                    problem = compare(got, want_bytes, want_floats, folder / "out.f32")
                if problem:
                    differ += 1
                    if differ <= 20:
                        print(f"differs: {image.size} {mode} {json.dumps(config)}: {problem}")
        ours.stdin.close()
        ours.wait()
    print(f"{compared} compared, {refused} refused by both, {differ} differ")
    sys.exit(1 if differ or compared < arguments.count else 0)


def compare(got, want_bytes, want_floats, path):
    if "error" in got:
        return got["error"]
    rows = np.moveaxis(want_bytes.astype(np.uint8), 0, -1)
    if got != {"width": rows.shape[1], "height": rows.shape[0], "sha256": hashlib.sha256(rows.tobytes()).hexdigest()}:
        return f"bytes {got} {rows.shape}"
    floats = np.fromfile(path, dtype=np.float32).reshape(want_floats.shape)
    worst = np.abs(floats.astype(np.float64) - want_floats.astype(np.float64)).max()
    limit = 1e-6 * max(1.0, float(np.abs(want_floats).max()))  # unscaled bytes reach 255 / 0.1
    return None if worst <= limit else f"floats by {worst}"


if __name__ == "__main__":
    main()

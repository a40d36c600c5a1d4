#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Pictures per second, ours beside Pillow and transformers in the same run, alternating, median of 11.

    tools/bench/pixels.py --program build/release/pixels_bench
Rows: `bicubic 640x480 to 298x224` against Pillow's resize, and `clip processor` from JPEG bytes (640x480, quality 90,
4:2:0) to the float tensor against Pillow + CLIPImageProcessorPil, batch 1. The peers' figure with two threads is that
of two processes. Equal answers are checked before anything is timed.
"""
import argparse
import hashlib
import io
import json
import multiprocessing
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

os.environ["TRANSFORMERS_VERBOSITY"] = "error"
os.environ["OMP_NUM_THREADS"] = "1"

import numpy as np
from PIL import Image

from rows import report


def photograph():
    """Smooth regions, edges and some noise: about the bytes per pixel of a photograph."""
    noise = np.random.default_rng(1)
    small = noise.normal(128, 70, (12, 16, 3)).clip(0, 255).astype(np.uint8)
    smooth = np.asarray(Image.fromarray(small).resize((640, 480), Image.Resampling.BICUBIC), dtype=np.float64)
    y, x = np.mgrid[0:480, 0:640]
    edges = (((x // 37 + y // 29) % 5 == 0) * 60.0)[..., None]
    return Image.fromarray((smooth + edges + noise.normal(0, 6, smooth.shape)).clip(0, 255).astype(np.uint8))


def peer_of(name, folder):
    if name == "bicubic":
        picture = Image.open(folder / "picture.bmp")
        picture.load()
        return lambda: picture.resize((298, 224), Image.Resampling.BICUBIC)
    from transformers.models.clip.image_processing_pil_clip import CLIPImageProcessorPil
    processor = CLIPImageProcessorPil()
    data = (folder / "picture.jpg").read_bytes()
    return lambda: processor(Image.open(io.BytesIO(data)), return_tensors="np")["pixel_values"]


def peer_seconds(name, folder, times):
    item = peer_of(name, folder)
    item()
    start = time.perf_counter()
    for _ in range(times):
        item()
    return time.perf_counter() - start


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True)
    parser.add_argument("--repeats", type=int, default=11)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        picture = photograph()
        picture.save(folder / "picture.bmp")
        picture.save(folder / "picture.jpg", quality=90, subsampling=2)
        (folder / "clip.json").write_text(json.dumps({"image_processor_type": "CLIPImageProcessor"}))
        ours = subprocess.Popen([arguments.program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

        def ask(line):
            ours.stdin.write(line + "\n")
            ours.stdin.flush()
            return json.loads(ours.stdout.readline())

        lines = {"bicubic": (f"bicubic {folder}/picture.bmp 298 224", 2000, 100, "bicubic 640x480 to 298x224"),
                 "clip": (f"clip {folder}/picture.jpg {folder}/clip.json", 250, 20, "clip processor from JPEG bytes, batch 1")}
        want = hashlib.sha256(peer_of("bicubic", folder)().tobytes()).hexdigest()
        assert ask(lines["bicubic"][0] + " 1 1")["sha256"] == want, "bicubic differs from Pillow"
        want = hashlib.sha256(np.ascontiguousarray(peer_of("clip", folder)(), dtype=np.float32).tobytes()).hexdigest()
        assert ask(lines["clip"][0] + " 1 1")["sha256"] == want, "the tensor differs from transformers'"
        for name, (line, times, peer_times, title) in lines.items():
            our_rates, peer_rates = {1: [], 2: []}, {1: [], 2: []}
            with multiprocessing.Pool(2) as pool:
                for _ in range(arguments.repeats):
                    for threads in (1, 2):
                        our_rates[threads].append(threads * times / ask(f"{line} {times} {threads}")["seconds"])
                    for threads in (1, 2):
                        took = max(pool.starmap(peer_seconds, [(name, folder, peer_times)] * threads, chunksize=1))
                        peer_rates[threads].append(threads * peer_times / took)
            for threads in (1, 2):
                report(title, "images/s", statistics.median(our_rates[threads]), statistics.median(peer_rates[threads]), threads)
            gains = [two / one for one, two in zip(our_rates[1], our_rates[2])]
            report(f"{title}/two threads", "gain over one", statistics.median(gains), 1, 2)
        ours.stdin.close()
        ours.wait()


if __name__ == "__main__":
    main()

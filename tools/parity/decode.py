#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Decoded pictures against Pillow's convert("RGB"), bit for bit, on fresh random files of every form we read.

    tools/parity/decode.py --program build/release/pixels_parity [--count 400] [--seed N]
"""
import argparse
import hashlib
import io
import json
import pathlib
import random
import struct
import subprocess
import sys
import tempfile
import time
import warnings
import zlib

import numpy as np
from PIL import Image, ImageOps

warnings.simplefilter("ignore")


def picture(rng, width, height, channels):
    """Smooth shapes with some noise, so that chroma upsampling and prediction both have work."""
    noise = np.random.default_rng(rng.getrandbits(32))
    y, x = np.mgrid[0:height, 0:width].astype(np.float64)
    planes = []
    for _ in range(channels):
        wave = np.sin(x / rng.uniform(2, 40) + rng.uniform(0, 6)) * np.cos(y / rng.uniform(2, 40))
        planes.append(127 + 100 * wave + noise.normal(0, rng.choice([0, 5, 60]), (height, width)))
    return np.clip(np.stack(planes, -1), 0, 255).astype(np.uint8)


def size_of(rng):
    return rng.choice([(1, 1), (1, rng.randint(1, 300)), (rng.randint(1, 300), 1),
                       (rng.randint(1, 40), rng.randint(1, 40)), (rng.randint(40, 400), rng.randint(40, 400))])


def jpeg(rng):
    width, height = size_of(rng)
    mode = rng.choice(["RGB", "RGB", "RGB", "L", "CMYK"])
    image = Image.fromarray(picture(rng, width, height, {"RGB": 3, "L": 1, "CMYK": 4}[mode]).squeeze(-1) if mode == "L"
                            else picture(rng, width, height, {"RGB": 3, "CMYK": 4}[mode]), mode)
    options = {"quality": rng.randint(1, 100), "progressive": rng.random() < 0.4, "optimize": rng.random() < 0.3}
    if mode == "RGB":
        options["subsampling"] = rng.choice([0, 1, 2, "4:1:1"])
        options["keep_rgb"] = options["subsampling"] == 0 and rng.random() < 0.3
    if rng.random() < 0.3:
        options["restart_marker_blocks"] = rng.randint(1, 9)
    if rng.random() < 0.4:
        exif = Image.Exif()
        exif[0x0112] = rng.randint(1, 8)
        options["exif"] = exif
    out = io.BytesIO()
    image.save(out, "JPEG", **options)
    return out.getvalue()


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def adam7(rows):
    """The rows of the seven passes: `rows` is an array [height, width, bytes per pixel]."""
    for x0, y0, dx, dy in ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)):
        part = rows[y0::dy, x0::dx]
        if part.size:
            yield part


def packed(part, depth):
    """Rows of one pass as PNG stores them, each with filter 0."""
    out = b""
    for row in part:
        if depth < 8:
            bits = np.unpackbits(row.reshape(-1, 1), axis=1)[:, 8 - depth:].reshape(-1)
            out += b"\0" + np.packbits(bits).tobytes()
        else:
            out += b"\0" + row.tobytes()
    return out


def png(rng):
    """Written by hand: Pillow has no writer for interlace, 16-bit colour or short palettes."""
    width, height = size_of(rng)
    kind, depths = rng.choice([(0, (1, 2, 4, 8, 16)), (2, (8, 16)), (3, (1, 2, 4, 8)), (4, (8, 16)), (6, (8, 16))])
    depth = rng.choice(depths)
    samples = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[kind]
    noise = np.random.default_rng(rng.getrandbits(32))
    if depth < 8:
        pixels = noise.integers(0, 1 << depth, (height, width, 1), dtype=np.uint8)
    else:
        pixels = picture(rng, width, height, samples * depth // 8)
        if kind == 0 and depth == 16 and rng.random() < 0.5:
            pixels[..., 0] = noise.integers(0, 2, (height, width))  # around Pillow's clip at 255
    interlaced = rng.random() < 0.4
    data = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, kind, 0, 0, int(interlaced)))
    if kind == 3:
        data += chunk(b"PLTE", noise.bytes(3 * rng.randint(1, 1 << depth)))
    if rng.random() < 0.3 and kind in (0, 2, 3):
        data += chunk(b"tRNS", {0: b"\0\5", 2: b"\0\5\0\5\0\5", 3: b"\x80"}[kind])
    if rng.random() < 0.2:
        data += chunk(b"gAMA", struct.pack(">I", 45455))
    raw = b"".join(packed(part, depth) for part in (adam7(pixels) if interlaced else [pixels]))
    squeezed = zlib.compress(raw, rng.randint(0, 9))
    cut = rng.randint(0, len(squeezed))
    return data + chunk(b"IDAT", squeezed[:cut]) + chunk(b"IDAT", squeezed[cut:]) + chunk(b"IEND", b"")


def pillow_png(rng):
    width, height = size_of(rng)
    mode = rng.choice(["RGB", "RGBA", "L", "LA", "P", "1"])
    image = Image.fromarray(picture(rng, width, height, 4), "RGBA").convert("RGB" if mode == "P" else "RGBA").convert(mode)
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


def webp(rng):
    width, height = size_of(rng)
    channels = rng.choice([3, 4])
    image = Image.fromarray(picture(rng, width, height, channels))
    out = io.BytesIO()
    options = {"quality": rng.randint(0, 100), "lossless": rng.random() < 0.4, "exact": rng.random() < 0.5}
    if rng.random() < 0.25:
        more = [Image.fromarray(picture(rng, width, height, channels)) for _ in range(2)]
        options.update(save_all=True, append_images=more)
    image.save(out, "WEBP", **options)
    return out.getvalue()


def gif(rng):
    width, height = size_of(rng)
    if rng.random() < 0.5:
        image = Image.fromarray(picture(rng, width, height, 3)).convert("P", palette=Image.Palette.ADAPTIVE, colors=rng.randint(2, 256))
    else:
        image = Image.fromarray(picture(rng, width, height, 1).squeeze(-1))
    options = {"interlace": rng.random() < 0.5}
    if rng.random() < 0.3:
        options["transparency"] = rng.randint(0, 3)
    if rng.random() < 0.3:
        options.update(save_all=True, append_images=[image.rotate(180)])
    out = io.BytesIO()
    image.save(out, "GIF", **options)
    data = bytearray(out.getvalue())
    if rng.random() < 0.3:  # a canvas larger than its frame
        data[6:10] = struct.pack("<HH", width + rng.randint(0, 9), height + rng.randint(0, 9))
    return bytes(data)


def bmp(rng):
    width, height = size_of(rng)
    mode = rng.choice(["RGB", "RGBA", "L", "P", "1"])
    image = Image.fromarray(picture(rng, width, height, 4), "RGBA").convert("RGB" if mode == "P" else "RGBA").convert(mode)
    out = io.BytesIO()
    image.save(out, "BMP")
    return out.getvalue()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True)
    parser.add_argument("--count", type=int, default=400)
    parser.add_argument("--seed", type=int, default=None)
    arguments = parser.parse_args()
    seed = arguments.seed if arguments.seed is not None else time.time_ns() % 2**31
    print(f"seed {seed}", flush=True)
    rng = random.Random(seed)
    makers = [jpeg, jpeg, png, png, pillow_png, webp, gif, bmp]
    differ = refused = 0
    with tempfile.TemporaryDirectory() as folder:
        ours = subprocess.Popen([arguments.program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for index in range(arguments.count):
            maker = makers[index % len(makers)]
            path = pathlib.Path(folder) / f"{index}.bin"
            path.write_bytes(maker(rng))
            orient = rng.random() < 0.3
            try:
                want = Image.open(path)
                if orient:
                    want = ImageOps.exif_transpose(want)
                want = want.convert("RGB")
            except OSError as error:  # a form that Pillow itself cannot read
                refused += 1
                continue
            ours.stdin.write(json.dumps({"do": "decode", "file": str(path), "orient": orient}) + "\n")
            ours.stdin.flush()
            got = json.loads(ours.stdout.readline())
            wanted = {"width": want.width, "height": want.height, "sha256": hashlib.sha256(want.tobytes()).hexdigest()}
            if got != wanted:
                differ += 1
                kept = pathlib.Path(tempfile.gettempdir()) / f"snellen_decode_{seed}_{index}.bin"
                kept.write_bytes(path.read_bytes())
                print(f"differs: {maker.__name__} {want.size} orient {orient}, kept as {kept}: {got}")
        ours.stdin.close()
        ours.wait()
    print(f"{arguments.count - refused} compared, {differ} differ")
    sys.exit(1 if differ or refused > arguments.count // 10 else 0)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Noise and corruptions against NumPy and SciPy on fresh random pictures, byte for byte.

NumPy's legacy generator is the peer of the --rng numpy stream. For the keyed corruptions the definitions of
docs/spec/bias.md 1.3 and 4.1 are written here a second time (SplitMix64, Box-Muller, numpy.fft, scipy's gaussian_filter).

    tools/parity/corruptions.py --program build/release/corruptions_parity [--count 300] [--seed N]
"""
import argparse
import hashlib
import json
import random
import subprocess
import sys
import tempfile

import numpy as np
from scipy.ndimage import gaussian_filter

MASK = (1 << 64) - 1


class SplitMix:
    def __init__(self, seed, image, level):
        digest = hashlib.sha256(f"bias-noise-v1\n{seed}\n{image}\n{level}\n0".encode()).digest()
        self.state = int.from_bytes(digest[:8], "big")

    def next(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        z = self.state
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & MASK
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB & MASK
        return z ^ (z >> 31)

    def u01(self):
        return (self.next() >> 11) * 2.0**-53

    def below(self, n):
        draw = self.next()
        while draw < (1 << 64) % n:
            draw = self.next()
        return draw % n

    def gauss(self, count):
        out = []
        while len(out) < count:
            u1, u2 = ((self.next() >> 11) + 1) * 2.0**-53, self.u01()
            r = np.sqrt(-2 * np.log(u1))
            out += [r * np.cos(2 * np.pi * u2), r * np.sin(2 * np.pi * u2)]
        return np.array(out[:count])

    def permutation(self, n):
        order = list(range(n))
        for i in range(n - 1, 0, -1):
            j = self.below(i + 1)
            order[i], order[j] = order[j], order[i]
        return order


def to_bytes(values):
    return np.clip(np.rint(values), 0, 255).astype(np.uint8)


def phase(picture, stream):
    h, w, _ = picture.shape
    turns = np.zeros((h, w), complex)
    for y in range(h):
        for x in range(w):
            angle, opposite = 2 * np.pi * stream.u01(), ((h - y) % h, (w - x) % w)
            if opposite < (y, x):
                continue
            turns[y, x] = 1 if opposite == (y, x) else np.exp(1j * angle)
            turns[opposite] = np.conj(turns[y, x])
    return np.fft.ifft2(np.fft.fft2(picture, axes=(0, 1)) * turns[:, :, None], axes=(0, 1)).real


def patches(picture, k, stream):
    h, w, _ = picture.shape
    ph, pw, out = h // k, w // k, picture.copy()
    for i, j in enumerate(stream.permutation(k * k)):
        out[i // k * ph:(i // k + 1) * ph, i % k * pw:(i % k + 1) * pw] = \
            picture[j // k * ph:(j // k + 1) * ph, j % k * pw:(j % k + 1) * pw]
    return out


def coins(stream, count):
    bits = []
    while len(bits) < count:
        word = stream.next()
        bits += [word >> i & 1 for i in range(64)]
    return np.array(bits[:count])


def keyed(case, picture):
    name, _, parameter = case["corruption"].partition(":")
    stream = SplitMix(case["seed"], case["image"], case["corruption"])
    value, clean = float(parameter or 0), picture.astype(float)
    if name == "gauss":
        return clean + value * stream.gauss(picture.size).reshape(picture.shape)
    if name == "uniform":
        return clean + np.array([-value + 2 * value * stream.u01() for _ in range(picture.size)]).reshape(picture.shape)
    if name == "salt_and_pepper":
        u = np.array([stream.u01() for _ in range(picture.size // 3)]).reshape(*picture.shape[:2], 1)
        return np.where(u < value / 2, 0, np.where(u < value, 255, clean))
    if name == "pure":
        return 255 * coins(stream, picture.size).reshape(picture.shape)
    if name == "blur":
        return gaussian_filter(clean, (value, value, 0), mode="reflect", truncate=4.0)
    if name == "pixshuffle":
        return picture.reshape(-1, 3)[stream.permutation(picture.size // 3)].reshape(picture.shape)
    if name == "patchshuffle":
        return patches(picture, int(value), stream)
    if name == "phase":
        return phase(clean, stream)
    if name == "meancolor":
        return np.broadcast_to(clean.mean(axis=(0, 1)), picture.shape)
    return np.full(picture.shape, {"gray": 128, "black": 0, "white": 255}[name])


def legacy(case, picture):
    stream, shape = np.random.RandomState(case["numpy_seed"]), picture.shape
    clean, amount = picture[:, :, ::-1].astype(float), case["amount"]  # the stream runs in B, G, R
    kind, is_reference = case["noise"], case["rule"] == "reference"
    if kind == "gaussian":
        out = clean + stream.normal(0, amount, shape)
    elif kind == "uniform":
        out = clean + stream.uniform(-amount, amount, shape)
    elif kind == "pure":
        out = 255 * stream.randint(0, 2, shape)
    elif kind == "poisson":
        out = clean + stream.poisson(amount, shape) if is_reference else stream.poisson(clean * amount) / amount
    else:
        out = clean * stream.randint(0, 2, shape)
    return out[:, :, ::-1]


def random_case(rng):
    w, h = rng.choice([1, 2, 5, 8, 16, 37, 41]), rng.choice([1, 3, 8, 13, 37])
    pixels = bytes(rng.randrange(256) for _ in range(3 * w * h))
    if rng.random() < 0.3:
        pixels = bytes([rng.randrange(256)]) * (3 * w * h)
    case = {"w": w, "h": h, "pixels": pixels.hex()}
    if rng.random() < 0.5:
        kind = rng.choice(["gaussian", "uniform", "salt_and_pepper", "poisson", "poisson", "pure"])
        rule = "reference" if kind == "salt_and_pepper" else rng.choice(["ours", "reference"])
        amount = rng.choice([0.5, 3, 10, 25, 100, 1e3, 1e4]) if rule == "reference" or kind != "poisson" \
            else rng.choice([0.001, 0.03, 0.5, 2.0])
        return case | {"noise": kind, "rule": rule, "amount": amount, "numpy_seed": rng.randrange(2**32)}
    name = rng.choice(["gauss:100", "gauss:1000", "gauss:2.5", "uniform:64", "salt_and_pepper:0.3", "pure", "blur:0.7", "blur:3",
                       "blur:12", "pixshuffle", f"patchshuffle:{rng.randint(1, min(w, h))}", "phase", "meancolor", "gray",
                       "black", "white"])
    return case | {"corruption": name, "seed": rng.randrange(2**63), "image": rng.choice(["a", "5_base", "é", "日本"])}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="build/release/corruptions_parity")
    parser.add_argument("--count", type=int, default=1500)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(2**32))
    args = parser.parse_args()
    print(f"seed {args.seed}, {args.count} cases")
    rng = random.Random(args.seed)
    cases = [random_case(rng) for _ in range(args.count)]
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
        file.write("".join(json.dumps(case) + "\n" for case in cases))
        file.flush()
        ours = subprocess.run([args.program, file.name], check=True, capture_output=True, text=True).stdout.splitlines()
    failed = 0
    for case, line in zip(cases, ours):
        picture = np.frombuffer(bytes.fromhex(case["pixels"]), np.uint8).reshape(case["h"], case["w"], 3)
        exact = keyed(case, picture) if "corruption" in case else legacy(case, picture)
        mine = np.frombuffer(bytes.fromhex(line), np.uint8).reshape(picture.shape)
        # Sums of many products (blur, Fourier) may round a half to either side.
        close = np.abs(np.clip(exact, 0, 255) - mine) <= 0.5 + 1e-9
        sums = case.get("corruption", "").startswith(("blur", "phase"))
        if not np.all((mine == to_bytes(exact)) | (close & sums)):
            failed += 1
            if failed <= 5:
                print({k: v for k, v in case.items() if k != "pixels"}, np.count_nonzero(mine != to_bytes(exact)), "values differ")
    print(f"{len(ours) - failed} passed, {failed} failed")
    return 1 if failed or len(ours) != len(cases) else 0


if __name__ == "__main__":
    sys.exit(main())

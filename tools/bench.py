#!/usr/bin/env python3
"""Benchmarks, each beside its peer in the same run: bench.py --build build/release [room...]

Writes build/bench/<room>.json, an array of {"name","unit","ours","peer","ratio","threads","command"}. A benchmark is a
script in tools/bench/ that prints such objects, one a line. Run through ./dev bench.
"""
import argparse
import json
import pathlib
import subprocess
import sys

from parity import ROOT, meteor_folder

HERE = pathlib.Path(__file__).resolve().parent


def benchmarks(build):
    """Room, script, arguments, reason to leave it out."""
    generations = ROOT.parent / "shared" / "data" / "visdial" / "gens.json"
    absent = None if generations.exists() else f"{generations} is not there"
    meteor = meteor_folder()
    images = ROOT.parent / "shared" / "data" / "bias" / "images"
    yield "media", "masks.py", ["--program", build / "masks_bench"], None
    yield "media", "noise_ladder.py", ["--program", build / "snellen", "--images", images], None if images.exists() else f"{images} is not there"
    captions = ROOT.parent / "shared" / "data" / "vilma"
    yield "models", "models.py", ["--program", build / "networks_bench", "--module", build / "libsnellen_networks.so", *(["--captions", captions] if captions.exists() else [])], None
    yield "training", "training.py", ["--program", build / "learner_steps", "--module", build / "libsnellen_networks.so"], None
    yield "building", "building.py", ["--program", build / "snellen", "--cache", ROOT / "build" / "bench"], None
    yield "run", "probe_c.py", ["--program", build / "snellen"], None
    yield "run", "run_models.py", ["--program", build / "snellen"], None
    yield "run", "linearity.py", ["--program", build / "snellen"], None
    yield "adapters", "adapter_speed.py", ["--program", build / "snellen"], None
    yield "text", "tokens.py", ["--program", build / "tokens_parity", "--captions", ROOT.parent / "shared" / "data" / "vilma"], None
    yield "media", "pixels.py", ["--program", build / "pixels_bench"], None
    vilma = ROOT.parent / "shared" / "golden" / "vilma"
    yield "metrics", "statistics_bench.py", ["--bootstrap", build / "bootstrap_bench", "--program", build / "snellen",
                                             *(["--golden", vilma, "--data", captions] if vilma.exists() and captions.exists() else [])], None
    yield "visdial", "visdial.py", ["--program", build / "visdial_bench", "--cache", ROOT / "build" / "bench"], None
    yield "visdial", "visdial_commands.py", ["--program", build / "snellen", "--cache", ROOT / "build" / "bench"], None
    yield "http", "http_client.py", ["--program", build / "snellen"], None
    yield "metrics", "vader.py", ["--program", build / "vader_parity"], None
    yield "metrics", "cider.py", ["--generations", generations, "--binary", build / "cider_parity"], absent
    yield "metrics", "meteor.py", ["--ours", build / "snellen-meteor-bench", "--stdio", build / "snellen-meteor-parity", "--meteor-data", meteor,
                                   "--gens", generations, "--cache", build / "meteor-cache"], absent or (None if meteor else "SNELLEN_METEOR_DATA is not set")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("rooms", nargs="*")
    options = parser.parse_args()
    build = options.build.resolve()
    found = {}
    status = 0
    for room, script, arguments, missing in benchmarks(build):
        if options.rooms and room not in options.rooms:
            continue
        if missing:
            print(f"skipped {room}/{script}: {missing}")
            continue
        result = subprocess.run([sys.executable, str(HERE / "bench" / script), *map(str, arguments)], stdout=subprocess.PIPE, text=True)
        status = status or result.returncode
        for line in result.stdout.splitlines():
            if not line.startswith("{"):
                continue
            row = json.loads(line)
            found.setdefault(room, []).append(row)
            print(f"{room:8} {row['name']:48} ours {row['ours']:>14,.1f} {row['unit']:14} peer {row['peer']:>12,.1f}  ratio {row['ratio']:.2f}  threads {row['threads']}")
    out = ROOT / "build" / "bench"
    out.mkdir(parents=True, exist_ok=True)
    for room, rows in found.items():
        (out / f"{room}.json").write_text(json.dumps(rows, indent=1) + "\n")
    return status


if __name__ == "__main__":
    sys.exit(main())

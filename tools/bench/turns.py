#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Is a new build as fast as an old one? Both take turns, five each, and the median of new speed / old speed is told.

    tools/bench/turns.py --old OLD/build/release --new build/release [--turns 5] [row...]     whole calls of the program
    tools/bench/turns.py --old OLD/build/release --new build/release --scripts [room...]      every row of ./dev bench
    tools/bench/turns.py --list

The rows of the first form are calls of `snellen` on the built-in world, which the old program draws once; they need no Python
library. The second form runs the scripts of ./dev bench with the programs of either build (its peers are run as well, so it
takes long; call it with .venv-peers/bin/python). Prints one line per row and exits 1 when a median is below --least (0.95).
A turn is old, new; the next new, old. Every call has the caches off and writes into a folder of its own, unless the row says otherwise.
"""
import argparse
import json
import os
import pathlib
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
MODELS = ROOT / "models"


class World:
    """What the rows look at, made once by the old program."""

    def __init__(self, program, folder, scale):
        self.folder, self.scale = folder, scale
        self.eyechart = folder / "eyechart"
        call(program, "build", "eyechart", "--out", self.eyechart, "--size", "small", "--scenes", max(60, int(600 * scale)))
        self.probe_c = folder / "probe_c"
        call(program, "build", "probe-c", "--captions", self.eyechart / "coco/annotations/captions_val2014.json", "--objects",
             self.eyechart / "visual_genome/objects.json", "--out", self.probe_c)
        self.make_score_file(int(100_000 * scale))
        call(program, "run", "--model", "fake", "--tasks", "probe-c", "--data", self.scored, "--output", folder / "runs")
        self.run = folder / "runs" / "fake-probe-c"
        self.lines = folder / "lines.txt"
        rng = random.Random(3)
        words = "a red cat sits on the good old mat near two bad dogs and looks very happy".split()
        self.lines.write_text("".join(" ".join(rng.choices(words, k=12)) + "\n" for _ in range(int(100_000 * scale))))

    def make_score_file(self, count):
        rng = random.Random(1)
        self.scored = self.folder / "scored"
        self.scored.mkdir()
        groups = [{"img1_id": str(rng.randrange(count // 10 + 1)), "img2_id": rng.randrange(40000), "img1_prompt": f"A photo of a red cat {i % 997}.",
                   "img2_prompt": f"A photo of a blue cat {i % 991}.", "img1_composition": "red", "img1_object": "cat",
                   "img2_composition": "blue", "img2_object": "cat"} for i in range(count)]
        (self.scored / "data_compositional_switch.json").write_text(json.dumps(groups))
        with open(self.scored / "scores.jsonl", "w") as file:
            for i in range(count):
                file.write(json.dumps({"split": "composition", "index": i, "scores": [[round(rng.gauss(20, 2), 4) for _ in range(2)] for _ in range(2)]}) + "\n")


def call(program, *words, cache="off"):
    """Seconds of one call."""
    environment = {**os.environ, "SNELLEN_CACHE": str(cache)}
    begin = time.perf_counter()
    done = subprocess.run([str(program), *map(str, words)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env=environment)
    seconds = time.perf_counter() - begin
    if done.returncode not in (0, 4):
        sys.exit(f"{program} {' '.join(map(str, words))} ended with {done.returncode}: {done.stderr}")
    return seconds


# name -> words of the call, given the world and a fresh folder.
ROWS = {
    "start: snellen list": lambda w, out: ["list", "tasks"],
    "score probe-c, 100,000 groups of a file": lambda w, out: ["score", "probe-c", "--scores", w.scored / "scores.jsonl", "--data", w.scored, "--output", out],
    "run probe-c, fake model, 100,000 groups": lambda w, out: ["run", "--model", "fake", "--tasks", "probe-c", "--data", w.scored, "--output", out],
    "run probe-c, dual encoder": lambda w, out: ["run", "--model", MODELS / "clip", "--tasks", "probe-c", "--data", w.probe_c, "--root-image-dir", w.eyechart / "coco/val2014", "--output", out],
    "run probe-c, pair scorer": lambda w, out: ["run", "--model", MODELS / "blip", "--tasks", "probe-c", "--data", w.probe_c, "--root-image-dir", w.eyechart / "coco/val2014", "--output", out],
    "run contrasts of a task file, dual encoder": lambda w, out: ["run", "--model", MODELS / "clip", "--tasks", f"file:{w.eyechart}/contrasts/binding.jsonl", "--root-image-dir", w.eyechart, "--output", out],
    "run vilma, video": lambda w, out: ["run", "--model", MODELS / "xclip", "--tasks", "vilma", "--data", w.eyechart / "vilma", "--output", out],
    "run vilma, likelihood of texts": lambda w, out: ["run", "--model", MODELS / "gpt2", "--tasks", "vilma", "--data", w.eyechart / "vilma", "--output", out],
    "verify, 100,000 groups": lambda w, out: ["verify", w.run],
    "build eyechart": lambda w, out: ["build", "eyechart", "--out", out / "world", "--size", "tiny"],
    "build probe-r": lambda w, out: ["build", "probe-r", "--visual-genome", w.eyechart / "visual_genome", "--min-object-images", 1, "--num-images", 1, "--out", out / "r"],
    "build probe-c": lambda w, out: ["build", "probe-c", "--captions", w.eyechart / "coco/annotations/captions_val2014.json", "--objects", w.eyechart / "visual_genome/objects.json", "--out", out / "c"],
    "build probe-b": lambda w, out: ["build", "probe-b", "--instances", w.eyechart / "coco/annotations/instances_val2014.json", "--images", w.eyechart / "coco/val2014", "--scenes", w.eyechart / "scenes", "--out", out / "b"],
    "media noise": lambda w, out: ["media", "noise", *sorted((w.eyechart / "coco/val2014").glob("*.jpg"))[:40], "--out", out / "noise"],
    "tokenize, 100,000 lines": lambda w, out: ["tokenize", "--model", MODELS / "clip", w.lines],
    "vader, 100,000 lines": lambda w, out: ["vader", w.lines],
    "train clip, 5 steps": lambda w, out: ["train", "--arch", "clip", "--output", out / "model", "--steps", 5, "--batch-size", 32, "--scenes", 200],
}


def told(name, old, new, least):
    """Prints the row of two equally long lists of seconds; whether it is fast enough."""
    ratio = statistics.median(a / b for a, b in zip(old, new))
    print(f"{name:48} old {statistics.median(old):9.3f}  new {statistics.median(new):9.3f}  new/old speed {ratio:5.2f}{'' if ratio >= least else '  SLOWER'}", flush=True)
    return ratio >= least


def whole_calls(options):
    fast = True
    with tempfile.TemporaryDirectory(prefix="snellen-turns-", dir=options.folder) as name:
        folder = pathlib.Path(name)
        world = World(options.old / "snellen", folder, options.scale)
        for row, words_of in ROWS.items():
            if options.rows and not any(wanted in row for wanted in options.rows):
                continue
            seconds = {"old": [], "new": []}
            for turn in range(options.turns):
                for which in ("old", "new") if turn % 2 == 0 else ("new", "old"):
                    out = folder / "out"
                    out.mkdir()
                    seconds[which].append(call(getattr(options, which) / "snellen", *words_of(world, out)))
                    shutil.rmtree(out)
            fast = told(row, seconds["old"], seconds["new"], options.least) and fast
    return fast


def scripts(options):
    """`ours` of every row that the scripts print; rates and seconds become a speed by the row's own ratio."""
    sys.path.insert(0, str(ROOT / "tools"))
    from bench import benchmarks
    fast = True
    pairs = list(zip(benchmarks(options.old.resolve()), benchmarks(options.new.resolve())))
    for (room, script, old, missing), (_, _, new, _) in pairs:
        if missing or (options.rows and room not in options.rows):
            continue
        speeds = {}
        for turn in range(options.turns):
            for which, arguments in (("old", old), ("new", new)) if turn % 2 == 0 else (("new", new), ("old", old)):
                done = subprocess.run([sys.executable, HERE / script, *map(str, arguments)], stdout=subprocess.PIPE, text=True)
                if done.returncode != 0:
                    sys.exit(f"{script} of the {which} build ended with {done.returncode}")
                for line in done.stdout.splitlines():
                    if line.startswith("{"):
                        row = json.loads(line)
                        less_is_better = (row["ours"] < row["peer"]) == (row["ratio"] > 1)
                        seconds = row["ours"] if less_is_better else 1 / row["ours"]
                        speeds.setdefault((row["name"], row["threads"]), {"old": [], "new": []})[which].append(seconds)
        for (name, threads), seconds in speeds.items():
            fast = told(f"{room}/{name}, {threads} threads", seconds["old"], seconds["new"], options.least) and fast
    return fast


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--old", type=pathlib.Path, help="build folder of the old program")
    parser.add_argument("--new", type=pathlib.Path, help="build folder of the new program")
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--least", type=float, default=0.95, help="median of new/old speed that is fast enough")
    parser.add_argument("--scale", type=float, default=1, help="less for a quick try")
    parser.add_argument("--folder", type=pathlib.Path, help="where the world is made (default: the temporary folder)")
    parser.add_argument("--scripts", action="store_true", help="the rows of ./dev bench instead of whole calls")
    parser.add_argument("--list", action="store_true", help="name the rows")
    parser.add_argument("rows", nargs="*", help="parts of names of rows; with --scripts names of rooms")
    options = parser.parse_args()
    if options.list:
        print("\n".join(ROWS))
        return 0
    if not options.old or not options.new:
        parser.error("--old and --new are needed")
    return 0 if (scripts if options.scripts else whole_calls)(options) else 1


if __name__ == "__main__":
    sys.exit(main())

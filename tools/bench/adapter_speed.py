#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How much an adapter costs beside the same Python code in a plain loop (docs/adapters.md).

    tools/bench/adapter_speed.py --program build/release/snellen [--pictures 1000] [--side 224] [--turns 3]

A small dual encoder in numpy reads JPEG files with Pillow. The plain loops work in batches of 32: one embeds every picture and every text once, one
scores every picture with its texts. The adapter is timed from `ready` to its last answer, in mode embedding and with score_batch; loops and adapters
take turns, and the middle ratio counts. Ends with 1 where an adapter takes more than 1.5 times (embedding) or 5 times (pairs) as long as its loop.
Needs numpy and Pillow.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

from answers import expect_telling, stored_scores
from rows import report

ROOT = pathlib.Path(__file__).resolve().parents[2]
ONE_THREAD = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}  # of numpy, so that turns are alike
MODEL = '''
import sys, time, zlib
sys.path.insert(0, ADAPTERS)
import adapter
import numpy as np
WIDTH = 512
rng = np.random.default_rng(0)
FIRST = rng.standard_normal((3 * 64 * 64, 1024), dtype=np.float32) / 100
SECOND = rng.standard_normal((1024, WIDTH), dtype=np.float32)
def embed_images(requests):
    pixels = [np.asarray(adapter.picture(one).resize((64, 64)), dtype=np.float32).reshape(-1) / 255 for one in requests]
    return np.maximum(np.stack(pixels) @ FIRST, 0) @ SECOND
def embed_texts(texts):
    drawn = [np.random.default_rng(zlib.crc32(one.encode())).standard_normal(1024, dtype=np.float32) for one in texts]
    return np.stack(drawn) @ SECOND
def unit(rows): return rows / np.linalg.norm(rows, axis=1, keepdims=True)
def score_batch(requests):
    pictures = unit(embed_images(requests))
    return [(unit(embed_texts(one["texts"])) @ picture).tolist() for one, picture in zip(requests, pictures)]
'''
TIMED = '''
import atexit
say, times = adapter._say, []
def timed(answers):
    say(answers)
    times.append((time.monotonic(), time.process_time()))
adapter._say = timed
atexit.register(lambda: open(TO, "w").write(" ".join(str(last - first) for first, last in zip(times[0], times[-1]))))
'''
SERVE = {"embedding": "adapter.serve(embed_images=embed_images, embed_texts=embed_texts, name='m')\n",
         "pairs": "adapter.serve(score_batch=score_batch, independent_scores=True, name='m')\n"}
LOOP = '''
import json
def plain(pictures, texts):
    start = time.monotonic(), time.process_time()
    cut = lambda all: [all[i:i + 32] for i in range(0, len(all), 32)]
    a = np.concatenate([unit(embed_images([{"image": one, "pixels": None} for one in part])) for part in cut(pictures)])
    b = np.concatenate([unit(embed_texts(part)) for part in cut(texts)])
    scores = a @ b.T
    return time.monotonic() - start[0], time.process_time() - start[1]
def pairs(asked):
    start = time.monotonic(), time.process_time()
    for i in range(0, len(asked), 32): score_batch(asked[i:i + 32])
    return time.monotonic() - start[0], time.process_time() - start[1]
pictures, texts, asked = json.load(open(INPUT))
requests = [{"image": one, "pixels": None, "texts": its} for one, its in zip(pictures, asked)]
print(*plain(pictures, texts), *pairs(requests))
'''


MOST = {"embedding": 1.5, "pairs": 5.0}  # times the plain loop, from `ready` to the last answer


def make_world(folder, pictures, side):
    import numpy
    from PIL import Image
    rng = numpy.random.default_rng(1)
    asked = []
    lines, texts = [{"name": "speed", "metric": "choice"}], [f"a photo of a thing {i}" for i in range(200)]
    for i in range(pictures):
        small = rng.integers(0, 255, (8, 8, 3), dtype=numpy.uint8)
        Image.fromarray(small).resize((side, side)).save(folder / f"{i}.jpg")
        asked.append([])
        for j in range(2):
            drawn = rng.permutation(200)[:4]
            asked[-1] += [texts[k] for k in drawn]
            lines.append({"id": f"{i}-{j}", "visuals": [f"{i}.jpg"], "texts": [texts[k] for k in drawn], "right": 0})
    (folder / "items.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    (folder / "input.json").write_text(json.dumps([[str(folder / f"{i}.jpg") for i in range(pictures)], texts, asked]))
    start = f"ADAPTERS = {str(ROOT / 'examples/adapter_python')!r}\nINPUT = {str(folder / 'input.json')!r}\n"
    (folder / "loop.py").write_text(start + MODEL.replace("import adapter", "import adapter; import os; os.dup2(adapter._answers.fileno(), 1)") + LOOP)
    for mode, serve in SERVE.items():
        (folder / f"{mode}.py").write_text(f"{start}TO = {str(folder / mode)!r}\n" + MODEL + TIMED + serve)


def time_loops(folder):
    """Mode -> seconds, and seconds of a processor."""
    found = subprocess.run([sys.executable, folder / "loop.py"], check=True, capture_output=True, text=True, env=ONE_THREAD).stdout.split()
    return {mode: tuple(map(float, found[2 * i:2 * i + 2])) for i, mode in enumerate(SERVE)}


def time_adapter(program, folder, mode):
    with tempfile.TemporaryDirectory(dir=folder) as output:
        done = subprocess.run([program, "run", "--model", f"exec:{sys.executable} {folder}/{mode}.py", "--name", mode, "--tasks",
                               f"file:{folder}/items.jsonl", "--output", output], capture_output=True, text=True, env=ONE_THREAD)
        if done.returncode != 0:
            raise SystemExit(done.stderr)
        expect_telling(f"adapter, {mode}", stored_scores(pathlib.Path(output)))
    return tuple(map(float, (folder / mode).read_text().split()))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=ROOT / "build/release/snellen")
    parser.add_argument("--pictures", type=int, default=1000)
    parser.add_argument("--side", type=int, default=224)
    parser.add_argument("--turns", type=int, default=3)
    arguments = parser.parse_args()
    status = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        make_world(folder, arguments.pictures, arguments.side)
        turns = {mode: [] for mode in SERVE}
        for _ in range(arguments.turns):
            plain = time_loops(folder)
            for mode in SERVE:
                turns[mode].append((time_adapter(arguments.program, folder, mode), plain[mode]))
        for mode, all_turns in turns.items():
            (wall, busy), (plain_wall, plain_busy) = sorted(all_turns, key=lambda turn: turn[0][0] / turn[1][0])[len(all_turns) // 2]
            report(f"adapter, {mode}, beside the plain loop", "pictures/s", arguments.pictures / wall, arguments.pictures / plain_wall)
            print(f"{mode}: {wall:.2f} s from ready to the last answer, {wall / plain_wall:.2f} times the {plain_wall:.2f} s of the plain loop "
                  f"(at most {MOST[mode]}); of a processor {busy:.2f} s, {busy / plain_busy:.2f} times", file=sys.stderr)
            if wall > MOST[mode] * plain_wall:
                print(f"{mode}: too slow", file=sys.stderr)
                status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: Apache-2.0
"""Requests that are written here and answered elsewhere: the results of the adapter itself, and every skeleton of examples/video_models."""
import importlib.util
import json
import os
import pathlib
import subprocess
import sys
import unittest

import test_vilma_models
from cli import SNELLEN, call, contents

ROOT = pathlib.Path(__file__).resolve().parents[2]
SKELETONS = ROOT / "examples" / "video_models"
# Scores that depend on what is shown and said, in each mode.
CHILD = r'''
import hashlib, json, os, sys
mode, few = sys.argv[1], len(sys.argv) > 2
sys.stdin.readline()
print(json.dumps({"ready": True, "version": 1, "mode": mode, "name": "child", "max_texts": 1 if few else None,
                  "wants": "frames" if mode == "probability" else "path"}), flush=True)
def seen(request):
    path = request["image"] or request["video"] or ""
    names = sorted(os.listdir(request["frames_dir"])) if request["frames_dir"] else []
    pixels = b"".join(open(os.path.join(request["frames_dir"], name), "rb").read() for name in names)
    return (os.path.basename(path) + repr((request["start"], request["end"]))).encode() + pixels
def number(*parts):
    return int.from_bytes(hashlib.sha256(b"|".join(parts)).digest()[:6], "big") / 2 ** 48
for line in sys.stdin:
    request = json.loads(line)
    if request["op"] == "bye": break
    if request["op"] == "embed":
        what = request["texts"][0].encode() if request["texts"] else seen(request)
        answer = {"row": [number(what, bytes([i])) - 0.5 for i in range(4)]}
    else:
        answer = {"scores": [0.01 + number(seen(request), text.encode()) for text in request["texts"]]}
    print(json.dumps({"id": request["id"], **answer}), flush=True)
'''
# Stands for the authors' code: checks what it is given, answers from its bytes.
STAND_IN = r'''
import zlib
import numpy

FRAMES = {"clipbert": 8, "fit": 4, "violet": 4}
SIZES = {"univl": (224, 224), "violet": (224, 224), "merlot_reserve": (288, 512), "clip4clip": (224, 224)}

class StandIn:
    identity, scale = "stand-in", 100.0
    def __init__(self, name):
        self.name = name
    def check(self, clip):
        assert clip.dtype == numpy.uint8 and clip.ndim == 4 and clip.shape[3] == 3, clip.shape
        assert len(clip) == FRAMES.get(self.name, len(clip)), (self.name, clip.shape)
        assert len(clip) <= {"clip4clip": 12, "merlot_reserve": 8}.get(self.name, 4096), clip.shape
        assert clip.shape[1:3] == SIZES.get(self.name, clip.shape[1:3]), (self.name, clip.shape)
        return zlib.crc32(numpy.ascontiguousarray(clip).tobytes())
    def __call__(self, clip, texts):
        if self.name == "univl":
            assert clip.shape[1] == 1024 and all(text == text.lower() for text in texts)
            key = int(1e6 * clip[0, 0])
        else:
            key = self.check(clip)
        return [(zlib.crc32(text.encode()) ^ key) % 1000 / 1000 for text in texts]
    def features(self, clip):
        self.check(clip)
        rows = numpy.random.default_rng(len(clip)).normal(size=(max(1, len(clip) // 16), 1024))
        return rows / (rows ** 2).sum(-1, keepdims=True) ** 0.5
    def images(self, clip):
        return numpy.random.default_rng(self.check(clip)).normal(size=(len(clip), 512))
    def texts(self, texts):
        return [numpy.random.default_rng(zlib.crc32(text.encode())).normal(size=512) for text in texts]

def load(name):
    return StandIn(name)
'''


# Reads the PNG files that an export writes where Pillow is not installed.
PILLOW = r'''
import struct, zlib
import numpy

class Picture:
    def __init__(self, rows): self.rows = rows
    def convert(self, mode):
        assert mode == "RGB"
        return self
    def __array__(self, dtype=None, copy=None): return self.rows

def open(path):
    with __builtins__["open"](path, "rb") as file: data = file.read()
    at, packed = 8, b""
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + length]
        if kind == b"IHDR": width, height = struct.unpack(">II", body[:8]); assert body[8:] == bytes([8, 2, 0, 0, 0])
        if kind == b"IDAT": packed += body
        at += 12 + length
    raw, step = zlib.decompress(packed), 3 * width
    above, rows = bytes(step), []
    for y in range(height):
        kind, row = raw[y * (step + 1)], bytearray(raw[y * (step + 1) + 1:(y + 1) * (step + 1)])
        for x in range(step):
            left, up, corner = (row[x - 3] if x >= 3 else 0), above[x], (above[x - 3] if x >= 3 else 0)
            guess = left + up - corner
            paeth = min((left, up, corner), key=lambda one: abs(guess - one))
            row[x] = row[x] + (0, left, up, (left + up) // 2, paeth)[kind] & 255
        rows.append(bytes(row))
        above = row
    return Picture(numpy.frombuffer(b"".join(rows), numpy.uint8).reshape(height, width, 3))
'''


def kept(folder):
    """What a run says, without the stamp and the times."""
    return {name: data for name, data in contents(folder).items() if name not in ("run.json",)}


class Offline(test_vilma_models.VilmaCase):
    def run_both(self, mode, flags=(), export=(), child=()):
        script = self.write("child.py", CHILD)
        command = f"{sys.executable} {script} {mode} {' '.join(child)}"
        asked = ["--tasks", "vilma", "--data", self.world, "--name", "child"]
        live = call("run", "--model", f"exec:{command}", *asked, *flags, "--output", self.folder / "live")
        self.assertEqual(live.returncode, 0, live.stderr)
        requests = self.folder / "sent" / "requests.jsonl"
        written = call("run", *asked, *flags, *export, "--export-requests", requests)
        self.assertEqual(written.returncode, 0, written.stderr)
        with open(requests) as lines, open(self.folder / "replies.jsonl", "w") as replies:
            subprocess.run([sys.executable, str(script), mode, *child], stdin=lines, stdout=replies, cwd=requests.parent, check=True, timeout=60)
        later = call("score", "vilma", "--replies", self.folder / "replies.jsonl", "--requests", requests, "--data", self.world, "--name", "child",
                     *[flag for flag in flags if flag != "--frames" and not str(flag).isdigit()], "--output", self.folder / "later")
        self.assertEqual(later.returncode, 0, later.stderr)
        self.assertEqual(kept(self.folder / "later" / "child-vilma"), kept(self.folder / "live" / "child-vilma"))
        return requests, later

    def test_replies_give_the_results_of_the_adapter(self):
        self.run_both("similarity")

    def test_replies_of_perplexities(self):
        self.run_both("perplexity")

    def test_frames_travel_with_the_requests(self):
        requests, _ = self.run_both("probability", flags=("--frames", 4))
        lines = [json.loads(line) for line in requests.read_text().splitlines()]
        self.assertEqual((lines[0]["op"], lines[-1]["op"]), ("hello", "bye"))
        for one in lines[1:-1]:
            self.assertFalse(pathlib.Path(one["frames_dir"]).is_absolute())
            self.assertEqual(len(list((requests.parent / one["frames_dir"]).iterdir())), len(set(one["frames"])) if len(set(one["frames"])) == 4 else 4)

    def test_rows_and_few_texts(self):
        self.run_both("embedding", export=("--request-rows",))
        (self.folder / "child.py").unlink()
        for name in ("live", "later"):
            os.rename(self.folder / name, self.folder / f"{name}-rows")
        self.run_both("similarity", export=("--request-texts", 1), child=("few",))

    def test_the_same_requests_come_out_again(self):
        for name in ("a", "b"):
            made = call("run", "--tasks", "vilma", "--data", self.world, "--export-requests", self.folder / name, "--num-workers", 1 if name == "a" else 3)
            self.assertEqual(made.returncode, 0, made.stderr)
        self.assertEqual((self.folder / "a").read_bytes(), (self.folder / "b").read_bytes())

    def test_a_missing_reply_and_a_strange_file(self):
        self.write("child.py", CHILD)
        call("run", "--tasks", "vilma/relations", "--data", self.world, "--export-requests", self.folder / "requests.jsonl")
        lines = (self.folder / "requests.jsonl").read_text().splitlines()[1:-1]
        replies = [json.dumps({"id": json.loads(line)["id"], "scores": [1] * len(json.loads(line)["texts"])}) for line in lines[1:]]
        self.write("replies.jsonl", "\n".join(replies) + '\n{"id": "nobody", "scores": [1]}\n')
        asked = ["--data", self.world, "--output", self.folder / "runs"]
        result = call("score", "vilma/relations", "--replies", self.folder / "replies.jsonl", *asked)
        self.assertEqual(result.returncode, 4, result.stderr)
        self.assertIn("has no reply to request", result.stderr)
        self.assertIn(f"1 of {len(replies) + 1} replies answer nothing", result.stderr)
        self.write("bad.jsonl", replies[0] + "\nhello\n")
        self.expect_error(call("score", "vilma/relations", "--replies", self.folder / "bad.jsonl", *asked), 3, "line 2")
        self.expect_error(call("run", "--model", "replies:", "--tasks", "vilma", *asked), 2, "no file of replies")


@unittest.skipUnless(importlib.util.find_spec("numpy"), "NumPy is not here")
class Skeletons(test_vilma_models.VilmaCase):
    def test_every_skeleton_runs_against_its_stand_in(self):
        self.write("model.py", STAND_IN)
        scripts = sorted(path for path in SKELETONS.glob("*.py") if path.stem != "shapes")
        self.assertEqual(len(scripts), 12)
        for script in scripts:
            with self.subTest(script.stem):
                text = script.read_text()
                self.assertLess(len(text.splitlines()), 30)
                flags = text.split(f'{script.name}" ')[1].split(" --tasks")[0].split()
                environment = {**os.environ, "PYTHONPATH": str(self.folder)}
                result = subprocess.run([SNELLEN, "run", "--model", f"exec:{sys.executable} {script}", *flags, "--tasks", "vilma/relations", "--limit", "4", "--name",
                                         script.stem, "--data", str(self.world), "--output", str(self.folder / "runs"), "--no-cache"],
                                        capture_output=True, text=True, env=environment, timeout=120)
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertIn(f"adapter {script.stem} answered", result.stderr)

    def test_every_skeleton_answers_exported_requests(self):
        """As docs/video-models.md says: the replies of `python3 SKELETON < requests.jsonl` are the run that the adapter gives here."""
        self.write("model.py", STAND_IN)
        if not importlib.util.find_spec("PIL"):
            (self.folder / "PIL").mkdir()
            self.write("PIL/__init__.py", "")
            self.write("PIL/Image.py", PILLOW)
        environment = {**os.environ, "PYTHONPATH": str(self.folder)}
        scripts = sorted(path for path in SKELETONS.glob("*.py") if path.stem != "shapes")
        self.assertEqual(len(scripts), 12)
        for script in scripts:
            with self.subTest(script.stem):
                name, requests = script.stem, self.folder / script.stem / "requests.jsonl"
                flags = script.read_text().split(f'{script.name}" ')[1].split(" --tasks")[0].split()
                asked = ["--tasks", "vilma/relations", "--data", self.world, "--limit", "2", "--name", name]
                frames = [] if "--frames" in flags else ["--frames", "8"]
                rows = ["--request-rows"] if "embed_images" in script.read_text() else []
                live = subprocess.run([SNELLEN, "run", "--model", f"exec:{sys.executable} {script}", *flags, *map(str, asked), "--output", str(self.folder / "live"), "--no-cache"],
                                      capture_output=True, text=True, env=environment, timeout=120)
                self.assertEqual(live.returncode, 0, live.stderr)
                written = call("run", *asked, *flags, *frames, *rows, "--export-requests", requests)
                self.assertEqual(written.returncode, 0, written.stderr)
                replies = self.folder / name / "replies.jsonl"
                with open(requests) as lines, open(replies, "w") as answers:
                    subprocess.run([sys.executable, str(script)], stdin=lines, stdout=answers, cwd=requests.parent, env=environment, check=True, timeout=60)
                sampled = flags if "--sampler" in flags else []
                later = call("score", "vilma/relations", "--replies", replies, "--requests", requests, *asked[2:], *sampled, "--output", self.folder / "later")
                self.assertEqual(later.returncode, 0, later.stderr)
                folder = f"{name}-vilma_relations"
                self.assertEqual(kept(self.folder / "later" / folder), kept(self.folder / "live" / folder))

    def test_the_page_names_every_model(self):
        page = (ROOT / "docs" / "video-models.md").read_text()
        for name in ("ClipBERT", "FiT", "VideoCLIP", "MCQ", "UniVL", "VIOLET", "CLIP4Clip", "Singularity", "UniPerceiver", "MERLOT Reserve", "VindLU", "Otter"):
            self.assertIn(f"| {name} |", page)


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: Apache-2.0
"""What a person sees at a terminal of 80 columns: counts, rate and time left from the first second; Ctrl-C is answered at once."""
import fcntl
import json
import os
import pathlib
import pty
import random
import re
import select
import signal
import struct
import sys
import termios
import time
import unittest

from cli import SNELLEN, Case, probe_c_groups
from test_run_models import HAS_NETWORKS, png

ROOT = pathlib.Path(__file__).resolve().parents[2]

# Every answer takes as long as the first argument says.
CHILD = r'''
import json, sys, time
sys.stdin.readline()
print(json.dumps({"ready": True, "version": 1, "mode": "similarity", "name": "sleeper", "wants": "texts"}), flush=True)
for line in iter(sys.stdin.readline, ""):
    request = json.loads(line)
    if request["op"] == "bye": break
    time.sleep(float(sys.argv[1]))
    print(json.dumps({"id": request["id"], "scores": [len(text) for text in request["texts"]]}), flush=True)
'''
COUNT = 150
NATIVE_ITEMS = 160


class Terminal:
    """The program at a terminal of its own."""

    def __init__(self, *arguments, columns=80):
        self.pieces = []  # seconds since the start, text
        self.begin = time.monotonic()
        self.child, self.file = pty.fork()
        if self.child == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
            os.execv(SNELLEN, [SNELLEN, *map(str, arguments)])
        fcntl.ioctl(self.file, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))

    def read_until(self, is_enough=lambda text: False, seconds=90):
        """All that was written so far when it is enough, or at the end."""
        while time.monotonic() - self.begin < seconds:
            if not select.select([self.file], [], [], 0.05)[0]:
                continue
            try:
                piece = os.read(self.file, 65536).decode(errors="replace")
            except OSError:
                break
            self.pieces.append((time.monotonic() - self.begin, piece))
            if is_enough(self.text()):
                break
        return self.text()

    def text(self):
        return "".join(text for _, text in self.pieces)

    def type(self, keys):
        os.write(self.file, keys)

    def close(self):
        code = os.waitstatus_to_exitcode(os.waitpid(self.child, 0)[1])
        os.close(self.file)
        return code

    def drawn(self):
        """Seconds and each state of the line of progress."""
        return [(when, line) for when, text in self.pieces for line in re.findall(r"\[[#.]{16}\][^\r\n\x1b]*", text)]


def seconds_of(text):
    minutes = re.search(r"(\d+) min", text)
    seconds = re.search(r"(\d+) s left", text)
    return 60 * int(minutes[1] if minutes else 0) + int(seconds[1] if seconds else 0)


class Progress(Case):
    def start(self, seconds, *more):
        self.write("child.py", CHILD)
        groups = probe_c_groups(COUNT)
        for i, group in enumerate(groups):  # no two ask the same
            group["img1_prompt"] += f" Of {i}."
        self.write("data/data_compositional_switch.json", groups)
        terminal = Terminal("run", "--model", f"exec:{sys.executable} {self.folder}/child.py {seconds}", "--tasks", "probe-c", "--data", self.folder / "data",
                            "--output", self.folder / "out", *more)
        self.addCleanup(self.end, terminal.child)
        return terminal

    def end(self, child):
        try:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
        except (ProcessLookupError, ChildProcessError):
            pass

    def test_counts_rate_and_time_left(self):
        self.expect_true_progress(self.start(0.08))

    @unittest.skipUnless(HAS_NETWORKS, "this build has no torch")
    def test_counts_rate_and_time_left_of_a_checkpoint(self):
        """A cross-attention model over pairs, as long as to be judged: each picture with 120 texts."""
        rng = random.Random(2)
        items = [{"name": "long", "metric": "choice"}]
        for i in range(NATIVE_ITEMS):
            (self.folder / f"{i}.png").write_bytes(png(112, 112, rng))
            items.append({"id": str(i), "visuals": [f"{i}.png"], "texts": [
                f"a {size} {colour} {thing} of {i}" for size in ("large", "small", "flat", "long") for colour in ("red", "blue", "green", "black", "white")
                for thing in ("cat", "dog", "car", "boat", "vase", "ball")], "right": 0})
        self.write("items.jsonl", "".join(json.dumps(item) + "\n" for item in items))
        terminal = Terminal("run", "--model", ROOT / "models" / "blip", "--tasks", f"file:{self.folder}/items.jsonl", "--output", self.folder / "out", "--batch-size", 16)
        self.addCleanup(self.end, terminal.child)
        # Two cores are shared with other tests: what comes and goes there changes the rate of a network.
        self.expect_true_progress(terminal, until=90, least_judged=2, share_true=0.5)

    def expect_true_progress(self, terminal, until=50, least_judged=4, share_true=1.0):
        """The time left was true of `share_true` of the lines between 10 and `until` percent."""
        terminal.read_until()
        self.assertEqual(terminal.close(), 0, terminal.text())
        drawn = terminal.drawn()
        self.assertTrue(drawn, terminal.text())
        self.assertLess(drawn[0][0], 2.5, drawn[0])
        for _, line in drawn:
            self.assertLess(len(line), 80, line)
            self.assertRegex(line, r"\d+/\d+ \w+")
        end = drawn[-1][0]
        judged = []
        for when, line in drawn:
            share = int(re.search(r"(\d+) %", line)[1])
            if not 10 <= share <= until:
                continue
            self.assertRegex(line, r"\d+(\.\d)?/s")
            left = end - when
            judged.append(abs(seconds_of(line) - left) < max(1.5, 0.2 * left))
        self.assertGreaterEqual(len(judged), least_judged, drawn)
        self.assertGreaterEqual(sum(judged), share_true * len(judged), (end, drawn))

    def stop(self, terminal, expected):
        """Ctrl-C, and what is said within a second."""
        begin = time.monotonic()
        terminal.type(b"\x03")
        self.assertIn(expected, terminal.read_until(lambda text: expected in text))
        self.assertLess(time.monotonic() - begin, 1)

    def test_control_c_ends_the_wait_for_a_program(self):
        terminal = self.start(30, "--exec-in-flight", 1)
        terminal.read_until(lambda text: "%" in text)
        self.stop(terminal, "resume with: ")
        terminal.read_until()
        self.assertEqual(terminal.close(), 130)

    @unittest.skipUnless(HAS_NETWORKS, "this build has no torch")
    def test_control_c_is_answered_while_a_long_batch_is_under_way(self):
        (self.folder / "p.png").write_bytes(png(112, 112, random.Random(1)))
        texts = [f"a red cat {number}" for number in range(8000)]  # one batch: one picture with all its texts
        self.write("items.jsonl", json.dumps({"name": "long", "metric": "choice"}) + "\n" +
                   json.dumps({"id": "1", "visuals": ["p.png"], "texts": texts, "right": 0}) + "\n")
        terminal = Terminal("run", "--model", ROOT / "models" / "blip", "--tasks", f"file:{self.folder}/items.jsonl", "--output", self.folder / "out")
        self.addCleanup(self.end, terminal.child)
        self.assertIn("0/8000 pairs", terminal.read_until(lambda text: "pairs" in text))
        self.stop(terminal, "finishing this batch")
        begin = time.monotonic()
        terminal.type(b"\x03")
        self.assertNotEqual(terminal.close(), 0)
        self.assertLess(time.monotonic() - begin, 5, "a second Ctrl-C ends at once")


if __name__ == "__main__":
    unittest.main()

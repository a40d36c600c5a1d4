#!/usr/bin/env python3
"""How long the viewer takes over run folders of a million items: time_view.py SNELLEN FOLDER

FOLDER is what tools/make_large_run.py made with two runs, and with FOLDER/many where many folders are to be listed. Asks bench/view_requests.txt once
the indexes are there, then items, pictures and the list of runs, and opens pages in Chromium where Node, the packages of web/ and chromium are there.
Prints what was seen and exits with 1 when a limit is missed.
"""
import http.client
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parents[1]
REQUESTS = ROOT / "bench" / "view_requests.txt"


class Limits:
    def __init__(self):
        self.missed = 0

    def check(self, what, value, limit, unit):
        holds = value < limit
        self.missed += not holds
        print(f"{'ok    ' if holds else 'MISSED'} {what}: {value:.0f} {unit}, limit {limit:.0f} {unit}", flush=True)


class View:
    def __init__(self, program, *arguments):
        self.server = subprocess.Popen([program, "view", *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.address = self.server.stdout.readline().strip().rstrip("/")
        self.connection = http.client.HTTPConnection("127.0.0.1", urllib.parse.urlparse(self.address).port, timeout=600)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.terminate()
        self.server.wait(60)
        self.server.stdout.close()

    def ask(self, path):
        """Seconds, and what was answered."""
        begin = time.monotonic()
        self.connection.request("GET", path)
        response = self.connection.getresponse()
        data = response.read()
        if response.status != 200:
            raise SystemExit(f"{path}: {response.status} {data[:300]}")
        return time.monotonic() - begin, data

    def json(self, path):
        return json.loads(self.ask(path)[1])

    def slow(self, paths):
        """The milliseconds under which 95 of 100 answers came, and all."""
        took = sorted((1000 * self.ask(path)[0], path) for path in paths)
        for milliseconds, path in took[-3:]:
            print(f"         {milliseconds:.0f} ms  {path}")
        return took[int(len(took) * 0.95) - 1][0], took[-1][0]

    def memory(self):
        """The most that the server took, in megabytes."""
        for line in pathlib.Path(f"/proc/{self.server.pid}/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) / 1000
        return float("inf")


def time_large(program, folder, index, limits):
    with View(program, folder / "runs", "--index", index) as view:
        limits.check("first page without an index", 1000 * view.ask("/api/items?run=run1-large")[0], 1000, "ms")
        for run in ("run1-large", "run2-large"):
            begin = time.monotonic()
            while not view.json(f"/api/run?run={run}")["index"]["is_ready"]:
                time.sleep(0.2)
            limits.check(f"index of {run}", time.monotonic() - begin, 30, "s")
        paths = REQUESTS.read_text().split()
        most, all_of_them = view.slow(paths)
        limits.check(f"95 of 100 of {len(paths)} requests", most, 300, "ms")
        print(f"       all of them: {all_of_them:.0f} ms")
        limits.check("95 of 100 items", view.slow([f"/api/item?run=run1-large&task=large&position={i * 9973 % 1_000_000}" for i in range(100)])[0], 300, "ms")
        limits.check("95 of 100 pictures", view.slow([f"/picture?run=run1-large&task=large&position={i}&kind=small" for i in range(100)])[0], 300, "ms")
        limits.check("memory of the server", view.memory(), 300, "MB")
        if not (shutil.which("node") and shutil.which("chromium") and (ROOT / "web/node_modules/playwright-core").is_dir()):
            print("       no Node, no chromium or no packages of web/: the browser's memory was not looked at")
            return
        told = subprocess.run(["node", ROOT / "web/test/memory.mjs", view.address], stdout=subprocess.PIPE, text=True, check=True)
        seen = json.loads(told.stdout)
        for what, megabytes in seen.items():
            print(f"         {megabytes} MB  {what}")
        # The browser collects its garbage when it likes.
        limits.check("memory of the browser, all its processes, garbage collected", seen["what is held at the end"], 500, "MB")


def time_many(program, folder, index, limits):
    with View(program, folder / "many", "--index", index) as view:
        seconds, data = view.ask("/api/runs")
        count = len(json.loads(data)["runs"])
        limits.check(f"list of {count} run folders, the first time", 1000 * seconds, 2000, "ms")
        time.sleep(3)  # folders are looked through again
        limits.check(f"list of {count} run folders, again", 1000 * view.ask("/api/runs")[0], 2000, "ms")


def main():
    program, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    limits = Limits()
    with tempfile.TemporaryDirectory() as index:
        time_large(program, folder, index, limits)
        if (folder / "many").is_dir():
            time_many(program, folder, index, limits)
        else:
            print("       no FOLDER/many: the list of many run folders was not timed")
    return 1 if limits.missed else 0


if __name__ == "__main__":
    sys.exit(main())

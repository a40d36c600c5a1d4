# SPDX-License-Identifier: Apache-2.0
"""`snellen view` on runs under way, on what a killed run left, and on folders that cannot be written."""
import concurrent.futures
import contextlib
import json
import os
import pathlib
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time
import unittest

from cli import SNELLEN, Case, call
from pictures import write_png
from viewing import IN_A_BROWSER, View

# A model that answers slower and slower, until a file says that it may hurry: its run ends no sooner, however long others take to look at it.
SLOW = """
import json, os, sys, time, zlib
def say(what):
    print(json.dumps(what), flush=True)
sys.stdin.readline()
say({"ready": True, "version": 1, "mode": "similarity", "name": "slow", "wants": "texts", "max_texts": None, "max_in_flight": 1})
answered = 0
for line in sys.stdin:
    request = json.loads(line)
    if request["op"] == "bye":
        break
    end = time.monotonic() + min(2, 0.1 + answered / 200)
    while time.monotonic() < end and not os.path.exists(sys.argv[1]):
        time.sleep(0.05)
    answered += 1
    say({"id": request["id"], "scores": [zlib.crc32(text.encode()) / 2 ** 32 for text in request["texts"]]})
"""


class Under(Case):
    def items(self, count):
        lines = [{"name": "cats", "metric": "pairwise"}]
        write_png(self.folder / "one.png", 8, 8, (20, 90, 160))
        lines += [{"id": f"{i}", "visuals": ["one.png"], "texts": [f"a cat number {i} on a mat", f"a mat on cat {i}"], "right": 0} for i in range(count)]
        return self.write("items.jsonl", "".join(json.dumps(line) + "\n" for line in lines))

    def fake_run(self, name, count):
        done = call("run", "--model", "fake", "--tasks", f"file:{self.items(count)}", "--name", name, "--output", self.folder / "runs")
        self.assertEqual(done.returncode, 0, done.stderr)
        return self.folder / "runs" / f"{name}-cats"

    def view(self, *places):
        return View(*(places or [self.folder / "runs"]), "--index", self.folder / "index")

    def until(self, holds, what, seconds=120):
        deadline = time.time() + seconds
        while not holds():
            self.assertLess(time.time(), deadline, what)
            time.sleep(0.2)


class Live(Under):
    def slow_run(self, count):
        model = self.write("slow.py", SLOW)
        run = subprocess.Popen([SNELLEN, "run", "--model", f"exec:{sys.executable} {model} {self.folder / 'hurry'}", "--tasks", f"file:{self.items(count)}",
                                "--name", "slow", "--output", str(self.folder / "runs")], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(lambda: (run.kill(), run.wait()))
        return run

    def test_a_run_under_way_is_listed_and_grows(self):
        self.fake_run("first", 5)
        with self.view() as view:
            self.assertEqual(len(view.json("/api/runs")["runs"]), 1)
            run = self.slow_run(600)
            self.until(lambda: len(view.json("/api/runs")["runs"]) == 2, "a run that began later is not listed")

            def scored():
                return view.json("/api/run", run="slow-cats")["tasks"][0]["counts"]["scored"]

            def listed():
                return view.json("/api/items", run="slow-cats")["total"]
            self.until(lambda: scored() > 0, "nothing is counted")
            first, listed_first = scored(), listed()
            self.until(lambda: scored() > first, "the counts of a run under way stand still")
            self.until(lambda: listed() > listed_first, "the items of a run under way stand still")
            self.assertEqual(view.json("/api/run", run="slow-cats")["verdict"], "running")
            self.assertLess(scored(), 600)
            (self.folder / "hurry").touch()
            self.assertEqual(run.wait(120), 0)
            self.until(lambda: view.json("/api/run", run="slow-cats")["verdict"] == "complete", "its end is not seen")
            self.assertEqual((scored(), listed()), (600, 600))

    def test_a_slow_reader_does_not_end_a_run(self):
        run = self.slow_run(600)
        samples = self.folder / "runs" / "slow-cats" / "samples.db"

        def rows():
            if not samples.exists():
                return 0
            with contextlib.closing(sqlite3.connect(f"file:{samples}?mode=ro", uri=True)) as database:
                try:
                    return database.execute("SELECT count(*) FROM samples").fetchone()[0]
                except sqlite3.OperationalError:  # not made yet, or being written
                    return 0
        self.until(lambda: rows() > 0, "nothing is written")
        with contextlib.closing(sqlite3.connect(f"file:{samples}?mode=ro", uri=True, isolation_level=None, timeout=60)) as reader:
            reader.execute("BEGIN")
            held = reader.execute("SELECT count(*) FROM samples").fetchone()[0]
            time.sleep(5)
            self.assertIsNone(run.poll(), "the run ended because somebody reads")
            self.assertEqual(reader.execute("SELECT count(*) FROM samples").fetchone()[0], held)
            reader.execute("COMMIT")
        self.until(lambda: rows() > held, "the run does not go on")
        (self.folder / "hurry").touch()
        self.assertEqual(run.wait(120), 0)

    def test_a_run_that_has_just_begun_is_no_run_that_does_not_exist(self):
        """A page asks again for the one and not for the other."""
        folder = self.fake_run("first", 5)
        later = self.folder / "runs" / "later-cats"
        later.mkdir()
        stamp = json.loads((folder / "run.json").read_text())
        (later / "run.json").write_text(json.dumps({**stamp, "verdict": "running"}))
        with self.view() as view:
            response, data = view.ask("/api/items", run="later-cats")
            self.assertEqual(response.status, 503, data)
            self.assertIn(b"has just begun", data)
            (later / "samples.db").touch()
            self.assertEqual(view.ask("/api/items", run="later-cats")[0].status, 503)
            self.assertEqual(view.ask("/api/items", run="nowhere")[0].status, 404)

    def test_failures_and_comparisons_of_a_run_under_way_grow(self):
        self.fake_run("whole", 40)
        folder = self.fake_run("part", 40)
        (folder / "run.json").write_text(json.dumps({**json.loads((folder / "run.json").read_text()), "verdict": "running"}))
        database = sqlite3.connect(folder / "samples.db", isolation_level=None, timeout=60)
        self.addCleanup(database.close)
        rows = database.execute("SELECT * FROM samples WHERE id >= 30").fetchall()
        database.execute("DELETE FROM samples WHERE id >= 30")
        with self.view() as view:
            def failed():
                return view.json("/api/failures", run="part-cats")

            def common():
                return view.json("/api/compare", runs=["whole-cats", "part-cats"])["common"]
            self.assertEqual((failed()["total"], failed()["verdict"], common()), (0, "running", 30))
            database.executemany(f"INSERT INTO samples VALUES ({','.join('?' for _ in rows[0])})", rows)
            database.execute("UPDATE samples SET status = 'failed' WHERE id = 35")
            self.until(lambda: failed()["total"] == 1, "an item that failed later is not among the failures")
            self.until(lambda: common() == 40, "items that came later are not compared")
            runs = view.json("/api/compare", runs=["whole-cats", "part-cats"])["runs"]
            self.assertEqual([run["verdict"] for run in runs], ["complete", "running"])

    def test_all_who_ask_at_once_get_the_index(self):
        """A page asks for the run, its items and its margins at the same time; whoever came second was told of all items, unfiltered."""
        self.fake_run("many", 15_000)
        right = None
        for _ in range(3):
            with self.view() as view, concurrent.futures.ThreadPoolExecutor(8) as pool:
                asked = [pool.submit(view.json, "/api/items", run="many-cats", outcome="right", size=1) for _ in range(8)]
                answers = [one.result() for one in asked]
            self.assertEqual([one["index"]["is_ready"] for one in answers], [True] * 8)
            right = right or answers[0]["total"]
            self.assertLess(right, 15_000)
            self.assertEqual({one["total"] for one in answers}, {right})

    @IN_A_BROWSER
    def test_pages_update_by_themselves(self):
        self.fake_run("first", 600)
        with self.view() as view:
            # The page is opened before the run begins; the script says when.
            def begin():
                while not (self.folder / "opened").exists() and not ended.wait(0.1):
                    pass
                if not ended.is_set():
                    self.slow_run(600)
            ended = threading.Event()
            starter = threading.Thread(target=begin)
            starter.start()
            try:
                view.browse(self, "live.mjs", self.folder, 600)
            finally:
                ended.set()
                starter.join()

    def test_a_large_run_under_way_is_indexed_while_it_is_written(self):
        """Above 20,000 items an index is made on a thread of its own; one per commit would never be there."""
        folder = self.fake_run("large", 30_000)
        stamp = json.loads((folder / "run.json").read_text())
        (folder / "run.json").write_text(json.dumps({**stamp, "verdict": "running"}))
        with sqlite3.connect(folder / "samples.db") as database:
            columns = [row[1] for row in database.execute("PRAGMA table_info(samples)")]
            rows = database.execute("SELECT * FROM samples WHERE id >= 21000").fetchall()
            database.execute("DELETE FROM samples WHERE id >= 21000")
        marks = ",".join("?" for _ in columns)
        with self.view() as view:
            writer = sqlite3.connect(folder / "samples.db", isolation_level=None, timeout=20)
            self.addCleanup(writer.close)
            state = {"at": 0}

            def write_more():
                writer.execute("BEGIN IMMEDIATE")
                writer.executemany(f"INSERT INTO samples VALUES ({marks})", rows[state["at"]:state["at"] + 20])
                writer.execute("COMMIT")
                state["at"] += 20

            def is_there():
                write_more()
                return view.json("/api/run", run="large-cats")["index"]["is_ready"]
            self.until(is_there, "the index of a run that grows is never there")
            self.assertGreaterEqual(view.json("/api/items", run="large-cats", q="number 77", size=1)["total"], 1)

            later = 21_000 + state["at"] + 60

            def sees_later_ones():
                write_more()
                return view.json("/api/items", run="large-cats", q=f"number {later}")["total"] == 1
            self.until(sees_later_ones, "what was written later is never found")
            files = [path.suffix for path in (self.folder / "index").iterdir()]
            self.assertLessEqual(files.count(".words"), 2, "indexes of what the run was before pile up")


class Damaged(Under):
    def test_what_a_truncated_file_holds_is_shown(self):
        folder = self.fake_run("cut", 3000)
        samples = folder / "samples.db"
        os.truncate(samples, samples.stat().st_size * 6 // 10)
        with self.view() as view:
            told = view.json("/api/run", run="cut-cats")
            self.until(lambda: view.json("/api/run", run="cut-cats")["index"]["is_ready"], "no index")
            told = view.json("/api/run", run="cut-cats")
            self.assertTrue(any("the file ends after" in line for line in told["missing"]), told["missing"])
            self.assertTrue(any("of 3000 items cannot be read" in line for line in told["missing"]), told["missing"])
            page = view.json("/api/items", run="cut-cats", size=50)
            self.assertGreater(page["total"], 500)
            self.assertLess(page["total"], 3000)
            self.assertEqual(len(page["items"]), 50)
            self.assertEqual(view.json("/api/item", run="cut-cats", task="cats", position=page["items"][3]["position"])["texts"], page["items"][3]["texts"])
        self.assertEqual(list((self.folder / "index").glob("*.copy")), [])

    def test_a_write_that_was_cut_off_is_taken_back(self):
        """As a machine that lost its power leaves it: half of a transaction in the file, and its journal."""
        folder = self.fake_run("hot", 200)
        samples = folder / "samples.db"
        child = subprocess.run([sys.executable, "-c", f"""
import os, sqlite3
database = sqlite3.connect({str(samples)!r}, isolation_level=None)
database.execute("PRAGMA cache_size = 2")
database.execute("PRAGMA cache_spill = 1")
database.execute("BEGIN IMMEDIATE")
database.execute("UPDATE samples SET item = item || hex(randomblob(400))")
os.kill(os.getpid(), 9)
"""])
        self.assertEqual(child.returncode, -signal.SIGKILL)
        self.assertGreater((folder / "samples.db-journal").stat().st_size, 0)
        before = {path: path.read_bytes() for path in folder.iterdir() if path.is_file()}
        with self.view() as view:
            told = view.json("/api/run", run="hot-cats")
            self.assertTrue(any("its last write was cut off" in line for line in told["missing"]), told["missing"])
            self.assertEqual([item["item"] for item in view.json("/api/items", run="hot-cats", size=200)["items"]], [str(i) for i in range(200)])
        self.assertEqual(before, {path: path.read_bytes() for path in folder.iterdir() if path.is_file()})

    def test_a_file_without_any_page_says_so(self):
        folder = self.fake_run("none", 20)
        (folder / "samples.db").write_bytes(b"no database")
        with self.view() as view:
            response, data = view.ask("/api/run", run="none-cats")
            self.assertEqual(response.status, 422, data)
            self.assertIn(b"samples.db", data)
            self.assertEqual(len(view.json("/api/runs")["runs"]), 1)


class Folders(Under):
    @unittest.skipUnless(os.geteuid() == 0 and shutil.which("setpriv"), "needs root, to become somebody who may not write")
    def test_a_folder_of_somebody_else_is_read(self):
        folder = self.fake_run("theirs", 100)
        os.chmod(self.folder, 0o755)
        for path in [self.folder / "runs", *(self.folder / "runs").rglob("*")]:
            os.chmod(path, 0o555 if path.is_dir() else 0o444)
        self.addCleanup(lambda: [os.chmod(path, 0o755) for path in [self.folder / "runs", folder]])
        before = sorted(path.name for path in folder.rglob("*"))
        if subprocess.run(["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", SNELLEN, "--version"], capture_output=True).returncode != 0:
            self.skipTest("another user cannot start the program here")
        server = subprocess.Popen(["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", SNELLEN, "view", str(self.folder / "runs"), "--index", "/nonexistent/index"],
                                  stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        try:
            port = int(server.stdout.readline().strip().rstrip("/").rsplit(":", 1)[1])
            view = View.__new__(View)
            view.port = port
            self.assertEqual(view.json("/api/items", run="theirs-cats", q="number 77")["total"], 1)
        finally:
            server.terminate()
            server.wait(20)
            server.stdout.close()
        self.assertEqual(before, sorted(path.name for path in folder.rglob("*")))

    def test_only_this_machine_is_listened_to(self):
        self.fake_run("first", 5)
        with self.view() as view:
            listening = set()
            for table in ("/proc/net/tcp", "/proc/net/tcp6"):
                for line in pathlib.Path(table).read_text().splitlines()[1:]:
                    local, state = line.split()[1], line.split()[3]
                    address, port = local.split(":")
                    if state == "0A" and int(port, 16) == view.port:
                        listening.add(address)
            self.assertEqual(listening, {"0100007F"})
            for kind, sockaddr in {(info[0], info[4][0]) for info in socket.getaddrinfo(socket.gethostname(), None)}:
                if sockaddr.startswith("127.") or sockaddr == "::1":
                    continue
                with socket.socket(kind) as outside, self.assertRaises(OSError):
                    outside.settimeout(2)
                    outside.connect((sockaddr, view.port))

    def test_runs_that_are_named_are_compared_at_once(self):
        first, second = self.fake_run("first", 5), self.fake_run("second", 5)
        with self.view(first, second) as view:
            self.assertTrue(view.printed.endswith("/compare?runs=first-cats&runs=second-cats"), view.printed)
            self.assertEqual(view.json("/api/compare", runs=["first-cats", "second-cats"])["common"], 5)
        with self.view(first) as view:
            self.assertTrue(view.printed.endswith(f":{view.port}/"), view.printed)
        other = self.folder / "others" / "first-cats"
        shutil.copytree(first, other)
        with self.view(first, other) as view:
            self.assertTrue(view.printed.endswith("/compare?runs=first-cats&runs=first-cats%20%282%29"), view.printed)


if __name__ == "__main__":
    unittest.main()

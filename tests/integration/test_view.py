# SPDX-License-Identifier: Apache-2.0
"""`snellen view`: what it answers, whom it refuses, and its pages in a browser."""
import contextlib
import http.client
import json
import pathlib
import random
import shutil
import socket
import sqlite3
import subprocess
import threading
import time
import unittest
import urllib.parse

from cli import SNELLEN, Case, call, probe_c_groups, probe_c_scores
from pictures import write_png
from viewing import IN_A_BROWSER, ROOT, View

FIXTURES = ROOT / "tests" / "golden" / "models"
HAS_NETWORKS = (pathlib.Path(SNELLEN).parent / "libsnellen_networks.so").exists()
HOSTILE = ["<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "\x1b[31mred\x1b[0m", "\u202egnp.exe"]


class Viewing(Case):
    """Runs of a small task with pictures by the model that scores from hashes, and a server over them."""

    @classmethod
    def setUpClass(cls):
        cls.place = pathlib.Path(subprocess.check_output(["mktemp", "-d", "-t", "snellen-view-XXXXXX"], text=True).strip())
        cls.addClassCleanup(shutil.rmtree, cls.place, ignore_errors=True)
        lines = [json.dumps({"name": "cats", "metric": "pairwise"})]
        for i in range(120):
            write_png(cls.place / f"{i % 12}.png", 40, 30, (20 * (i % 12), 90, 160))
            text = HOSTILE[i] if i < len(HOSTILE) else f"a cat number {i} on a mat"
            lines.append(json.dumps({"id": f"{i}", "group": f"{i % 12}.png", "category": ["swap", "colour"][i % 2], "tags": ["even" if i % 2 == 0 else "odd"],
                                     "visuals": [f"{i % 12}.png"], "texts": [text, f"a mat on cat {i}"], "right": 0}))
        (cls.place / "items.jsonl").write_text("\n".join(lines) + "\n")
        cls.runs = cls.place / "runs"
        for name, seed in (("first", 1), ("second", 2)):
            done = call("run", "--model", "fake", "--tasks", f"file:{cls.place / 'items.jsonl'}", "--name", name, "--seed", seed, "--output", cls.runs)
            assert done.returncode == 0, done.stderr
        damaged = cls.runs / "damaged"
        damaged.mkdir()
        (damaged / "run.json").write_text("{")
        cls.server = View(cls.runs, "--index", cls.place / "index")
        cls.addClassCleanup(cls.server.__exit__)
        cls.port = cls.server.port

    def ask(self, *arguments, **options):
        return self.server.ask(*arguments, **options)

    def json(self, path, **query):
        return self.server.json(path, **query)


class Answers(Viewing):
    def test_runs_are_listed_with_intervals_and_what_is_missing(self):
        runs = {run["id"]: run for run in self.json("/api/runs")["runs"]}
        self.assertEqual(sorted(runs), ["damaged", "first-cats", "second-cats"])
        headline = runs["first-cats"]["headline"][0]
        self.assertEqual((headline["id"], headline["n"]), ("cats/acc", 120))
        self.assertLessEqual(headline["low"], headline["value"])
        self.assertTrue(any("run.json" in line for line in runs["damaged"]["missing"]))
        self.assertTrue(any("samples.db" in line for line in runs["damaged"]["missing"]))

    def test_filters_sorts_and_pages(self):
        everything = self.json("/api/items", run="first-cats", size=200)
        self.assertEqual(everything["total"], 120)
        wrong = self.json("/api/items", run="first-cats", outcome="wrong", sort="margin", size=200)
        margins = [item["margin"] for item in wrong["items"]]
        self.assertEqual(margins, sorted(margins))
        self.assertTrue(all(item["outcome"] == "wrong" for item in wrong["items"]))
        results = json.loads((self.runs / "first-cats" / "results.json").read_text())
        accuracy = next(metric for metric in results["metrics"] if metric["id"] == "cats/acc")
        self.assertEqual(120 - wrong["total"], round(accuracy["value"] * 120))
        pages = [self.json("/api/items", run="first-cats", page=page, size=50)["items"] for page in range(3)]
        self.assertEqual([item["position"] for page in pages for item in page], list(range(120)))
        swap = self.json("/api/items", run="first-cats", category="swap", tag="even")
        self.assertEqual(swap["total"], 60)
        doubt = [abs(item["margin"]) for item in self.json("/api/items", run="first-cats", sort="doubt", size=200)["items"]]
        self.assertEqual(doubt, sorted(doubt))

    def test_words_are_found_by_their_beginning(self):
        self.assertEqual(self.json("/api/items", run="first-cats", q="number 77")["total"], 1)
        self.assertEqual(self.json("/api/items", run="first-cats", q="num 77")["items"][0]["item"], "77")
        self.assertEqual(self.json("/api/items", run="first-cats", q='"; DROP TABLE words; --')["total"], 0)
        # A dash of typographers parts words as the index sees them.
        self.assertEqual(self.json("/api/items", run="first-cats", q="number\u201477")["total"], 1)

    def test_the_histogram_holds_every_item(self):
        histogram = self.json("/api/histogram", run="first-cats")
        self.assertEqual(sum(b["right"] + b["wrong"] + b["others"] for b in histogram["bins"]) + histogram["undefined"], 120)

    def test_comparison_counts_agree_with_compare(self):
        compared = self.json("/api/compare", runs=["first-cats", "second-cats"], size=10)
        counts = compared["counts"]
        self.assertEqual(sum(counts[key] for key in ("both_right", "both_wrong", "only_first", "only_second")), 120)
        told = json.loads(call("compare", self.runs / "first-cats", self.runs / "second-cats", "--json").stdout)
        row = next(row for row in told["rows"] if row["kind"] == "task")
        self.assertEqual(counts["only_first"], row["counts"]["only_first"])
        self.assertEqual(counts["only_second"], row["counts"]["only_second"])
        self.assertEqual(counts["differ"], counts["only_first"] + counts["only_second"])

    def test_pictures_are_pictures_whatever_the_file(self):
        response, data = self.ask("/picture", run="first-cats", task="cats", position=3, place=0, kind="small")
        self.assertEqual((response.status, response.headers["Content-Type"]), (200, "image/jpeg"))
        self.assertTrue(data.startswith(b"\xff\xd8"))
        response, data = self.ask("/picture", run="first-cats", task="cats", position=3, place=9)
        self.assertEqual(response.status, 404)

    def test_a_mark_is_kept_beside_the_run(self):
        origin = {"Origin": f"http://127.0.0.1:{self.port}"}
        before = sorted(path.name for path in (self.runs / "first-cats").rglob("*"))
        body = json.dumps({"run": "first-cats", "task": "cats", "position": 7, "label": "blurred", "note": "look again", "annotation_is_wrong": True})
        response, data = self.ask("/api/mark", "POST", origin, body)
        self.assertEqual(response.status, 200, data)
        self.assertEqual(self.json("/api/items", run="first-cats", marked=1)["items"][0]["mark"]["label"], "blurred")
        self.assertIn("blurred", (self.runs / "first-cats.marks.jsonl").read_text())
        self.assertEqual(before, sorted(path.name for path in (self.runs / "first-cats").rglob("*")))
        self.assertIn(b"cats,7,blurred,look again,1", self.ask("/marks.csv", run="first-cats")[1])
        # As a task of one's own, which runs.
        (self.place / "marked.jsonl").write_bytes(self.ask("/marks.jsonl", run="first-cats")[1])
        done = call("run", "--model", "fake", "--tasks", f"file:{self.place / 'marked.jsonl'}", "--root-image-dir", self.place, "--output", self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        response, _ = self.ask("/api/mark", "POST", origin, json.dumps({"run": "first-cats", "task": "cats", "position": 7}))
        self.assertEqual(self.json("/api/marks", run="first-cats")["marks"], [])

    def test_marks_of_what_is_no_longer_there_are_counted(self):
        marks = self.runs / "second-cats.marks.jsonl"
        marks.write_text("".join(json.dumps({"task": task, "item": item, "label": "x"}) + "\n" for task, item in (("cats", "7"), ("cats", "no such item"), ("dogs", "7"))))
        self.addCleanup(marks.unlink)
        response, data = self.ask("/marks.jsonl", run="second-cats")
        self.assertEqual((response.status, response.headers["X-Left-Out"]), (200, "2"), data)
        self.assertEqual([json.loads(line)["id"] for line in data.splitlines()], ["7"])

    def test_marked_items_are_left_out_of_scores(self):
        self.write("data/data_compositional_switch.json", probe_c_groups(40))
        scores = self.write("scores.jsonl", probe_c_scores(40))
        arguments = ["score", "probe-c", "--scores", scores, "--data", self.folder / "data", "--name", "mine"]
        done = call(*arguments, "--output", self.folder / "all")
        self.assertEqual(done.returncode, 0, done.stderr)
        with contextlib.closing(sqlite3.connect(self.folder / "all" / "mine-probe-c" / "samples.db")) as database:
            rows = database.execute('SELECT task, item, "group" FROM items JOIN "task probe-c" USING (item) ORDER BY item').fetchall()
        self.assertEqual(len(rows), 40)
        marks = self.write("all.marks.jsonl", "".join(json.dumps({"task": task, "item": item, "label": "x"}) + "\n" for task, item, _ in rows[:6]))
        done = call(*arguments, "--output", self.folder / "less", "--leave-out", marks)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("6 marked items were left out", done.stderr)
        folder = self.folder / "less" / "mine-probe-c"
        self.assertEqual(json.loads((folder / "run.json").read_text())["left_out"], 6)
        metric = next(metric for metric in json.loads((folder / "results.json").read_text())["metrics"] if metric["id"] == "probe-c/composition/group")
        self.assertEqual((metric["n"], round(metric["value"] * 34)), (34, round(sum(value for _, _, value in rows[6:]))))

    def test_marked_items_are_left_out_and_that_is_said(self):
        marks = self.write("run.marks.jsonl", "".join(json.dumps({"task": "cats", "item": str(i), "label": "x"}) + "\n" for i in range(10)))
        told = json.loads(call("compare", self.runs / "first-cats", self.runs / "second-cats", "--leave-out", marks, "--json").stdout)
        self.assertEqual(next(row for row in told["rows"] if row["kind"] == "task")["n"], 110)
        self.assertTrue(any("10 marked items were left out" in line for line in told["warnings"]), told["warnings"])
        arguments = ["run", "--model", "fake", "--tasks", f"file:{self.place / 'items.jsonl'}", "--name", "less", "--output", self.folder / "runs", "--leave-out", marks]
        done = call(*arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("10 marked items were left out", done.stderr)
        folder = self.folder / "runs" / "less-cats"
        self.assertEqual(json.loads((folder / "run.json").read_text())["left_out"], 10)
        accuracy = next(metric for metric in json.loads((folder / "results.json").read_text())["metrics"] if metric["id"] == "cats/acc")
        self.assertEqual(accuracy["n"], 110)
        self.assertEqual(call("verify", folder).returncode, 0)
        # Other marks make another run of it.
        marks.write_text(json.dumps({"task": "cats", "item": "3", "label": "x"}) + "\n")
        self.assertEqual(call(*arguments).returncode, 2)
        self.expect_error(call("compare", self.runs / "first-cats", self.runs / "second-cats", "--leave-out", self.write("none.jsonl", "")), 3, "holds no mark")

    def test_rungs_of_a_control_stand_in_a_row_and_not_among_the_runs(self):
        rung = self.runs / "first-cats" / "control" / "gray"
        shutil.copytree(self.runs / "second-cats", rung)
        self.addCleanup(shutil.rmtree, rung.parent)
        deadline = time.time() + 60
        while not self.json("/api/run", run="first-cats")["rungs"] and time.time() < deadline:
            time.sleep(0.5)  # folders are looked through every two seconds
        self.assertEqual(self.json("/api/run", run="first-cats")["rungs"], ["first-cats/control/gray"])
        self.assertNotIn("first-cats/control/gray", [run["id"] for run in self.json("/api/runs")["runs"]])
        for run in ("first-cats", "first-cats/control/gray"):
            rungs = self.json("/api/item", run=run, task="cats", position=5)["rungs"]
            self.assertEqual([(row["rung"], row["item"]) for row in rungs], [("as it is", "5"), ("gray", "5")])
        self.assertEqual(self.json("/api/compare", runs=["first-cats", "first-cats/control/gray"])["common"], 120)

    def test_a_folder_that_cannot_be_written_is_read(self):
        """Opened as it is: nothing is written into a run folder, not even by SQLite."""
        before = {path: path.stat().st_mtime_ns for path in (self.runs / "first-cats").rglob("*")}
        self.json("/api/items", run="first-cats", q="cat")
        self.assertEqual(before, {path: path.stat().st_mtime_ns for path in (self.runs / "first-cats").rglob("*")})


@unittest.skipUnless(HAS_NETWORKS, "this build has no torch")
class KeptPictures(Viewing):
    """What a run keeps of its pictures, looked at when the pictures are gone."""

    def setUp(self):
        super().setUp()
        self.images = self.folder / "images"
        self.images.mkdir()
        lines = [json.dumps({"name": "dots", "metric": "pairwise"})]
        for i in range(12):
            write_png(self.images / f"{i}.png", 300, 200, (20 * i, 90, 160))
            lines.append(json.dumps({"id": f"{i}", "visuals": [f"{i}.png"], "texts": ["a dot", "a line"], "right": 0}))
            lines.append(json.dumps({"id": f"{i} noisy", "visuals": [{"image": f"{i}.png", "corruption": "gauss:100"}], "texts": ["a dot", "a line"], "right": 0}))
        (self.images / "dots.jsonl").write_text("\n".join(lines) + "\n")

    def run_dots(self, name, *more):
        done = call("run", "--model", FIXTURES / "clip", "--tasks", f"file:{self.images / 'dots.jsonl'}", "--name", name, "--output", self.folder / "runs", *more)
        self.assertEqual(done.returncode, 0, done.stderr)
        folder = self.folder / "runs" / f"{name}-dots"
        return folder, json.loads((folder / "run.json").read_text()).get("pictures")

    def test_pictures_are_there_without_the_data_set(self):
        folder, told = self.run_dots("kept")
        files = [path for path in (folder / "thumbs").iterdir() if path.suffix == ".jpg"]
        self.assertEqual((told["kept"], told["left_out"], len(files)), (12, 0, 12 + 24))
        self.assertEqual(told["bytes"], sum(path.stat().st_size for path in files))
        again, _ = self.run_dots("again")
        self.assertEqual(*(({path.name: path.read_bytes() for path in (one / "thumbs").iterdir()}) for one in (folder, again)))
        self.assertEqual(call("verify", folder).returncode, 0)
        shutil.rmtree(self.images)
        with View(self.folder / "runs", "--index", self.folder / "index") as view:
            seen = []
            for position, kind in ((0, "small"), (0, "original"), (0, "seen"), (1, "seen")):
                response, data = view.ask("/picture", run="kept-dots", task="dots", position=position, kind=kind)
                self.assertEqual((response.status, response.headers["Content-Type"]), (200, "image/jpeg"), data)
                seen.append(data)
            self.assertNotEqual(seen[2], seen[3], "noise was not kept as the model saw it")

    def test_a_rung_shows_what_the_control_made_of_a_picture(self):
        self.run_dots("ladder", "--control", "gray,pure,mismatch", "--pictures", "10")
        with View(self.folder / "runs", "--index", self.folder / "index") as view:

            def picture(rung, kind, position=0):
                response, data = view.ask("/picture", run=f"ladder-dots{rung}", task="dots", position=position, kind=kind)
                return response.status, data
            clean, gray, noise, others = (picture(rung, "seen") for rung in ("", "/control/gray", "/control/pure", "/control/mismatch"))
            self.assertEqual([status for status, _ in (clean, gray, noise, others)], [200] * 4)
            self.assertEqual(len({clean[1], gray[1], noise[1], others[1]}), 4, "a rung shows the picture of another")
            # Gray whatever the picture, noise that is drawn for each.
            self.assertEqual(gray[1], picture("/control/gray", "seen", 2)[1])
            self.assertNotEqual(noise[1], picture("/control/pure", "seen", 2)[1])
            shutil.rmtree(self.images)
            # The run kept them all.
            self.assertEqual(picture("/control/gray", "small"), picture("", "small"))
            self.assertEqual([picture(f"/control/{rung}", "seen") for rung in ("gray", "pure", "mismatch")], [gray, noise, others])

    def test_what_does_not_fit_is_counted(self):
        folder, told = self.run_dots("small", "--pictures", "0.02")
        self.assertLessEqual(told["bytes"], 20000)
        self.assertGreater(told["left_out"], 0)
        self.assertEqual(told["kept"] + told["left_out"], 12)
        folder, told = self.run_dots("none", "--pictures", "0")
        self.assertIsNone(told)
        self.assertFalse((folder / "thumbs").exists())


class Refusals(Viewing):
    def test_other_host_names_are_refused(self):
        self.assertEqual(self.ask("/api/runs", headers={"Host": "evil.example"})[0].status, 403)
        self.assertEqual(self.ask("/api/runs", headers={"Host": f"localhost:{self.port}"})[0].status, 200)

    def test_pages_of_other_sites_are_refused(self):
        body = json.dumps({"run": "first-cats", "task": "cats", "position": 0, "label": "x"})
        for origin in ("http://evil.example", "null", f"https://127.0.0.1:{self.port}"):
            self.assertEqual(self.ask("/api/mark", "POST", {"Origin": origin}, body)[0].status, 403, origin)
        self.assertEqual(self.ask("/api/mark", "POST", None, body)[0].status, 403)
        self.assertFalse((self.runs / "first-cats.marks.jsonl").exists())

    def test_no_path_leaves_the_run_folders(self):
        for path in ("/../../etc/passwd", "/..%2f..%2fetc%2fpasswd", "/assets/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "//etc/passwd"):
            response, data = self.ask(path)
            self.assertNotIn(b"root:", data, path)
        for run in ("../first-cats", "/etc", "first-cats/../second-cats", "first-cats\0"):
            self.assertEqual(self.ask("/api/run", run=run)[0].status, 404, run)

    def test_the_policy_is_strict_on_every_answer(self):
        for path in ("/", "/run", "/viewer.js", "/api/runs", "/nothing.here"):
            response, _ = self.ask(path)
            policy = response.headers["Content-Security-Policy"]
            self.assertIn("default-src 'none'", policy)
            self.assertNotIn("unsafe", policy)
            self.assertEqual(response.headers["X-Content-Type-Options"], "nosniff")

    def test_hostile_texts_stay_texts(self):
        items = self.json("/api/items", run="first-cats", size=4)["items"]
        self.assertEqual([item["texts"][0] for item in items], HOSTILE)
        response, data = self.ask("/items.csv", run="first-cats")
        self.assertIn("attachment", response.headers["Content-Disposition"])

    def test_an_address_that_others_reach_asks_for_a_token(self):
        with View(self.runs, "--host", "0.0.0.0", "--index", self.place / "index") as view:
            token = urllib.parse.parse_qs(urllib.parse.urlparse(view.printed).query)["token"][0]
            self.assertGreaterEqual(len(token), 32)
            self.assertEqual(view.ask("/api/runs")[0].status, 401)
            self.assertEqual(view.ask("/api/runs", token="x" * len(token))[0].status, 401)
            response, _ = view.ask("/api/runs", token=token)
            self.assertEqual(response.status, 200)
            cookie = response.headers["Set-Cookie"].split(";")[0]
            self.assertEqual(view.ask("/api/runs", headers={"Cookie": cookie})[0].status, 200)

    def test_ten_thousand_bad_requests_leave_it_alive(self):
        rng = random.Random(7)
        paths = ["/api/items", "/api/item", "/api/compare", "/api/histogram", "/picture", "/figure.svg", "/api/run", "/%zz", "/api/mark", "/items.csv"]
        names = ["run", "runs", "task", "position", "place", "kind", "page", "size", "sort", "min", "max", "q", "outcome", "name"]
        values = ["first-cats", "cats", "-1", "99999999999999999999", "1e309", "nan", "\0", "'", '"', "*", "(", "NEAR(", "\u202e", "x" * 3000, "", "../..", "0"]

        def knock(count):
            connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
            for _ in range(count):
                query = urllib.parse.urlencode([(rng.choice(names), rng.choice(values)) for _ in range(rng.randrange(5))])
                try:
                    connection.request(rng.choice(["GET", "GET", "GET", "POST", "PUT", "DELETE"]), f"{rng.choice(paths)}?{query}", body=rng.choice([None, "{", "[[[["]))
                    connection.getresponse().read()
                except (http.client.HTTPException, OSError):
                    connection.close()
            connection.close()
        threads = [threading.Thread(target=knock, args=(2400,)) for _ in range(4)]
        for thread in threads:
            thread.start()
        for _ in range(400):
            with socket.create_connection(("127.0.0.1", self.port), timeout=60) as raw:
                raw.sendall(bytes(rng.randrange(256) for _ in range(rng.randrange(300))) + b"\r\n\r\n")
        for thread in threads:
            thread.join()
        self.assertIsNone(self.server.process.poll())
        self.assertEqual(len(self.json("/api/runs")["runs"]), 3)


@IN_A_BROWSER
class InABrowser(Viewing):
    def test_pages(self):
        self.server.browse(self, "pages.mjs", self.runs)


@IN_A_BROWSER
class HostileRuns(Viewing):
    """Captions, answers, names of files and of models with scripts, elements, ANSI and right-to-left overrides are texts."""

    @staticmethod
    def id_of(text):
        return text.replace("\x1b", "")  # ids and paths with a control character are refused

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.files = [f"{cls.id_of(text).replace('/', '_')}.png" for text in HOSTILE]
        lines = [json.dumps({"name": "files", "metric": "pairwise"})]
        for i, name in enumerate(cls.files):
            write_png(cls.place / name, 40, 30, (200, 20 * i, 60))
            lines.append(json.dumps({"id": f"item {cls.id_of(HOSTILE[i])}", "category": cls.id_of(HOSTILE[i]), "visuals": [name], "texts": [HOSTILE[i], "a mat"], "right": 0}))
        (cls.place / "files.jsonl").write_text("\n".join(lines) + "\n")
        for name, seed in (("odd", 1), ("other", 2)):
            done = call("run", "--model", "fake", "--tasks", f"file:{cls.place / 'files.jsonl'}", "--name", name, "--seed", seed, "--output", cls.runs)
            assert done.returncode == 0, done.stderr
        # Items that failed, with such reasons, as somebody else's samples.db may have them.
        lines = [json.dumps({"name": "bad", "metric": "pairwise"}), json.dumps({"id": "good", "texts": ["a", "b"], "right": 0})]
        lines += [json.dumps({"id": f"bad {i}", "texts": ["a", "b"], "right": 7}) for i in range(len(HOSTILE))]
        (cls.place / "bad.jsonl").write_text("\n".join(lines) + "\n")
        done = call("run", "--model", "fake", "--tasks", f"file:{cls.place / 'bad.jsonl'}", "--name", "odd", "--output", cls.runs)
        assert done.returncode == 4, done.stderr
        with contextlib.closing(sqlite3.connect(cls.runs / "odd-bad" / "samples.db")) as database, database:
            for i, text in enumerate(HOSTILE):
                database.execute("UPDATE failures SET what = ?, location = ?, hint = ? WHERE sample = ?", (f"bad {text}", f"at {text}", f"do {text}", i + 1))
        # Trainings in folders of such names.
        for text in HOSTILE[:2]:
            training = cls.runs / f"training {text.replace('/', '_')}"
            training.mkdir()
            (training / "train.jsonl").write_text(json.dumps({"step": 1, "loss": 2.0}) + "\n"
                                                  + json.dumps({"step": 1, "evaluation": {"loss": 2.0, "scores": [{"name": text, "value": 0.5, "n": 8, "low": 0.2, "high": 0.8}]}}) + "\n")
        log = cls.place / "samples_asked.jsonl"
        log.write_text("".join(json.dumps({"doc_id": i, "input": f"asked {text}", "target": text, "filtered_resps": [f"said {text}"], "acc": 1}) + "\n" for i, text in enumerate(HOSTILE)))
        done = call("import", "lmms-eval", log, "--name", "odd", "--output", cls.runs)
        assert done.returncode == 0, done.stderr
        # A model of that name, as somebody else's stamp may have it.
        stamp = json.loads((cls.runs / "odd-asked" / "run.json").read_text())
        cls.model = "".join(reversed(HOSTILE))
        stamp["identity"]["settings"]["name"] = cls.model
        (cls.runs / "odd-asked" / "run.json").write_text(json.dumps(stamp))

    def test_they_are_texts_on_every_page(self):
        def at(path, *fields):
            return f"{path}?{urllib.parse.urlencode(fields)}"
        pages = [("/", [self.model]), (at("/run", ("run", "odd-asked")), [self.model, *(f"said {text}" for text in HOSTILE), *(f"asked {text}" for text in HOSTILE)]),
                 (at("/run", ("run", "odd-files")), HOSTILE), (at("/stamp", ("run", "odd-asked")), [HOSTILE[0], HOSTILE[3]]),
                 (at("/compare", ("runs", "odd-files"), ("runs", "other-files"), ("show", "all")), [*HOSTILE, *(f"item {self.id_of(text)}" for text in HOSTILE)]),
                 (at("/figures", ("run", "odd-asked")), []), (at("/figures", ("run", "odd-files")), []),
                 (at("/failures", ("run", "odd-bad")), [f"{word} {text}" for word in ("bad", "at", "do") for text in HOSTILE]),
                 (at("/marks", ("run", "odd-files")), [*HOSTILE, *(f"item {self.id_of(text)}" for text in HOSTILE), *(f"note {text}" for text in HOSTILE)]),
                 ("/trainings", [f"training {HOSTILE[0].replace('/', '_')}", *HOSTILE[:2]])]
        deadline = time.time() + 60
        while len(self.json("/api/runs")["runs"]) < 7:
            self.assertLess(time.time(), deadline, "the runs that came later are not listed")
            time.sleep(0.2)  # folders are looked through every two seconds
        for i, text in enumerate(HOSTILE):
            mark = {"run": "odd-files", "task": "files", "position": i, "label": text, "note": f"note {text}"}
            response, data = self.ask("/api/mark", "POST", {"Origin": f"http://127.0.0.1:{self.port}"}, json.dumps(mark))
            self.assertEqual(response.status, 200, data)
        for i, text in enumerate(HOSTILE):
            pages.append((at("/item", ("run", "odd-files"), ("task", "files"), ("position", i)), [text, f"item {self.id_of(text)}", self.files[i]]))
            pages.append((at("/item", ("run", "odd-asked"), ("task", "asked"), ("position", i)), [f"asked {text}", f"said {text}"]))
        self.server.browse(self, "hostile.mjs", json.dumps(pages))
        for text in HOSTILE[:2]:
            self.assertEqual(self.ask(at("/run", ("run", text)))[0].status, 200)

    def test_they_are_texts_in_the_report(self):
        done = call("report", self.runs, "--output", self.folder / "report")
        self.assertEqual(done.returncode, 0, done.stderr)
        for page in [self.folder / "report/report.html", *(self.folder / "report/figures").glob("*.svg")]:
            html = page.read_text()
            for unfit in ("<script", "<img", "\x1b", "\u202e"):
                self.assertNotIn(unfit, html, page)
        self.assertIn("gnp.exe [31mred [0m&quot;&gt;&lt;img src=x", (self.folder / "report/report.html").read_text())


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: Apache-2.0
"""`snellen view` on runs of the shipped models over a small eyechart: controls, clips, failures, tags, three runs side by side."""
import gzip
import json
import math
import pathlib
import shutil
import tempfile
import unittest

from cli import SNELLEN, Case, call
from viewing import IN_A_BROWSER, ROOT, View, run_script

SHIPPED = ROOT / "models"
HAS_NETWORKS = (pathlib.Path(SNELLEN).parent / "libsnellen_networks.so").exists()
HAS_MODELS = all((SHIPPED / name / "model.safetensors").exists() for name in ("clip", "clip-patched", "xclip"))


def training_log():
    lines = [{"step": step, "loss": 3 * math.exp(-step / 40) + 0.2 + 0.02 * (step * 7919 % 13)} for step in range(1, 121)]
    for step in (1, 40, 80, 120):
        value = 0.5 + step / 300
        lines.append({"step": step, "evaluation": {"loss": 1.5, "scores": [
            {"name": "direction", "value": value, "n": 102, "low": value - 0.08, "high": value + 0.08, "chance": 0.5}]}})
    return "".join(json.dumps(line) + "\n" for line in lines)


def make_runs(place):
    """PLACE/world and PLACE/runs: 126 items on few pictures and two whose picture is gone, three models, rungs, clips, a training."""
    world = place / "world"
    built = call("build", "eyechart", "--out", world, "--size", "tiny", "--seed", "3")
    if built.returncode != 0:
        raise unittest.SkipTest("no eyechart here: " + built.stderr[-200:])
    lines = [{"schema": 1, "name": "contrasts", "metric": "pairwise"}]
    for copy in range(3):
        for kind in ("binding", "direction"):
            for line in (world / f"contrasts/{kind}.jsonl").read_text().splitlines()[1:]:
                item = json.loads(line)
                lines.append({**item, "id": f"{kind}-{copy}-{item['id']}", "category": kind, "tags": [kind, "first" if copy == 0 else "copied"]})
    for i in range(2):
        lines.append({"id": f"gone-{i}", "visuals": [f"gone-{i}.png"], "texts": ["a cat", "a dog"], "right": 0})
    (world / "contrasts.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    task = ["--tasks", f"file:{world}/contrasts.jsonl", "--root-image-dir", world, "--output", place / "runs"]
    for model, more in (("clip", ["--control", "gray,gauss:100,mismatch"]), ("clip-patched", [])):
        done = call("run", "--model", SHIPPED / model, *task, *more)
        assert done.returncode == 4, done.stderr  # two items fail
    done = call("run", "--model", "fake", *task)
    assert done.returncode == 0, done.stderr
    done = call("run", "--model", SHIPPED / "xclip", "--tasks", "vilma/change-state", "--data", world, "--limit", "4", "--control", "gray", "--output", place / "runs")
    assert done.returncode == 0, done.stderr
    (place / "runs" / "training").mkdir()
    (place / "runs" / "training" / "train.jsonl").write_text(training_log())


@unittest.skipUnless(HAS_NETWORKS and HAS_MODELS, "this build has no torch or no shipped models")
class World(Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.place = pathlib.Path(tempfile.mkdtemp(prefix="snellen-view-world-"))
        cls.addClassCleanup(shutil.rmtree, cls.place, ignore_errors=True)
        make_runs(cls.place)

    def view(self):
        return View(self.place / "runs", "--index", self.place / "index")

    def test_rungs_are_kept_once_and_within_the_limit(self):
        stamp = json.loads((self.place / "runs/clip-contrasts/run.json").read_text())["pictures"]
        thumbs = [path for path in (self.place / "runs/clip-contrasts/thumbs").iterdir() if path.name != "kept.json"]
        self.assertEqual(stamp["bytes"], sum(path.stat().st_size for path in thumbs))
        # Of each picture as it is and under two rungs; those of the mismatch are those of other items.
        self.assertEqual(stamp["rung_pictures"], 2 * stamp["kept"])
        self.assertEqual(len(thumbs), 4 * stamp["kept"])
        self.assertFalse((self.place / "runs/clip-contrasts/control/gray/thumbs").exists())

    def test_the_pages_stay_small(self):
        with self.view() as view:
            response, script = view.ask("/viewer.js")
            if response.status != 200:
                self.skipTest("this program was built without Node and has no pages")
            self.assertLess(len(gzip.compress(script, 9)), 40 << 10)

    def test_clips_are_handed_out_in_ranges(self):
        with self.view() as view:
            task = view.json("/api/run", run="xclip-vilma_change-state")["tasks"][0]["name"]
            where = {"run": "xclip-vilma_change-state", "task": task, "position": 0, "kind": "clip"}
            response, whole = view.ask("/picture", **where)
            self.assertEqual((response.status, response.headers["Content-Type"]), (200, "video/mp4"))
            response, part = view.ask("/picture", headers={"Range": "bytes=100-299"}, **where)
            self.assertEqual((response.status, part), (206, whole[100:300]))
            self.assertEqual(response.headers["Content-Range"], f"bytes 100-299/{len(whole)}")

    @IN_A_BROWSER
    def test_the_report(self):
        done = call("report", self.place / "runs", "--output", self.folder / "report")
        self.assertEqual(done.returncode, 0, done.stderr)
        run_script(self, "report.mjs", self.folder / "report")

    @IN_A_BROWSER
    def test_pages(self):
        with self.view() as view:
            view.browse(self, "world.mjs", "with")
        # Without the data set everything is still on show.
        shutil.move(self.place / "world", self.place / "elsewhere")
        self.addCleanup(shutil.move, self.place / "elsewhere", self.place / "world")
        with self.view() as view:
            view.browse(self, "world.mjs", "without")


if __name__ == "__main__":
    unittest.main()

"""Naming what pictures show: snellen zeroshot."""
import json
import pathlib
import sqlite3
import struct
import subprocess
import unittest
import zlib

from cli import MPIRUN, SNELLEN, Case, call, contents, has_mpi

CLIP = pathlib.Path(__file__).resolve().parents[1] / "golden/models/clip"


def png(red, green, blue, side=40):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = b"".join(b"\0" + bytes((red, green, min(255, blue + 3 * y))) * side for y in range(side))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def has_networks():
    return (pathlib.Path(SNELLEN).parent / "libsnellen_networks.so").exists()


@unittest.skipUnless(has_networks(), "this build has no torch")
class ZeroshotTest(Case):
    def setUp(self):
        super().setUp()
        for i, name in enumerate(["cat", "traffic_light", "dog", "bus", "owl", "cup", "tree"]):
            for j in range(3):
                path = self.folder / f"set/{name}/{j}.png"
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(png(35 * i, 255 - 30 * i, 60 * j))

    def zeroshot(self, out, *flags):
        return call("zeroshot", "--model", CLIP, "--images", self.folder / "set", "--output", self.folder / out, *flags)

    def test_the_same_on_any_threads(self):
        result = self.zeroshot("one", "--threads", 1)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("top-5", result.stdout)
        self.assertEqual(self.zeroshot("three", "--threads", 3).returncode, 0)
        for name in ("zeroshot.json", "predictions.jsonl"):
            self.assertEqual((self.folder / "one" / name).read_bytes(), (self.folder / "three" / name).read_bytes())
        metrics = {row["id"]: row for row in json.loads((self.folder / "one/zeroshot.json").read_text())["metrics"]}
        rows = [json.loads(line) for line in (self.folder / "one/predictions.jsonl").read_text().splitlines()]
        self.assertEqual(len(rows), 21)
        self.assertIn("traffic light", {row["right"][0] for row in rows})
        self.assertEqual(metrics["zeroshot/top1"]["value"], sum(row["named"][0] == row["right"][0] for row in rows) / 21)
        self.assertEqual(metrics["zeroshot/top5"]["value"], sum(row["right"][0] in row["named"] for row in rows) / 21)
        self.assertLess(metrics["zeroshot/top1"]["low"], metrics["zeroshot/top1"]["high"])

    def test_imagenet_as_it_is_downloaded(self):
        flat = self.folder / "flat"
        flat.mkdir()
        for number in range(1, 7):
            (flat / f"ILSVRC2012_val_0000000{number}.png").write_bytes(png(40 * number, 10, 200 - 20 * number))
        classes = self.write("classes.csv", "folder,class\nn01,owl\nn02,cup\nn03,tree\n")
        truth = self.write("truth.txt", "3\n1\n2\n2\n1\n3\n")
        mapping = self.write("mapping.txt", "1 n03\n2 n01\n3 n02 cup, mug\n")

        def flatly(out, *flags):
            return call("zeroshot", "--model", CLIP, "--images", flat, "--classes", classes, "--output", self.folder / out, *flags)

        result = flatly("one", "--ground-truth", truth, "--mapping", mapping)
        self.assertEqual(result.returncode, 0, result.stderr)
        rows = [json.loads(line) for line in (self.folder / "one/predictions.jsonl").read_text().splitlines()]
        self.assertEqual([row["right"][0] for row in rows], ["cup", "tree", "owl", "owl", "tree", "cup"])
        names = self.write("names.txt", "n02\nn03\nn01\nn01\nn03\nn02\n")
        self.assertEqual(flatly("two", "--ground-truth", names).returncode, 0)
        self.assertEqual((self.folder / "one/predictions.jsonl").read_bytes(), (self.folder / "two/predictions.jsonl").read_bytes())
        self.expect_error(flatly("x", "--ground-truth", truth), 3, "does not follow the order of the synset names")
        self.expect_error(flatly("x", "--ground-truth", truth, "--mapping", self.write("few.txt", "1 n03\n")), 3, "class 3 is not in few.txt")
        self.expect_error(flatly("x", "--ground-truth", self.write("short.txt", "n01\n")), 3, "has 1 lines for 6 images")
        self.expect_error(flatly("x", "--mapping", mapping), 2, "--ground-truth")
        self.expect_error(call("zeroshot", "--model", CLIP, "--images", flat, "--ground-truth", names), 2, "--classes")

    def test_templates_change_the_classes(self):
        self.assertEqual(self.zeroshot("one").returncode, 0)
        templates = self.write("templates.txt", "a drawing of a {}.\nthe {}\n")
        self.assertEqual(self.zeroshot("two", "--templates", templates).returncode, 0)
        self.assertNotEqual((self.folder / "one/predictions.jsonl").read_bytes(), (self.folder / "two/predictions.jsonl").read_bytes())
        self.write("templates.txt", "no place\n")
        self.expect_error(self.zeroshot("two", "--templates", templates), 3, "does not hold {} once")

    def test_a_picture_that_cannot_be_read_fails_alone(self):
        (self.folder / "set/cat/1.png").write_bytes(b"no picture")
        result = self.zeroshot("one")
        self.expect(result, 4, "1.png")
        self.assertEqual(json.loads((self.folder / "one/zeroshot.json").read_text())["failed"], 1)

    def test_what_cannot_be_used(self):
        self.expect_error(call("zeroshot", "--model", CLIP, "--images", self.folder / "nowhere"), 3, "nowhere")
        templates = self.write("templates.txt", "a drawing of a {}.\nthe {}\n")
        self.expect_error(call("zeroshot", "--model", CLIP.parent / "vilt", "--images", self.folder / "set", "--templates", templates), 2, "two towers")

    def run_task(self, out, *flags, model=CLIP):
        return call("run", "--model", model, "--tasks", "zeroshot", "--root-image-dir", self.folder / "set", "--output", self.folder / out,
                    "--cache", self.folder / "cache", *flags)

    def test_as_a_task_it_has_a_run_folder_that_is_compared_and_resumed(self):
        self.assertEqual(self.zeroshot("short").returncode, 0)
        self.expect(self.run_task("runs"), 0)
        folder = self.folder / "runs/clip-zeroshot"
        metrics = {row["id"]: row for row in json.loads((folder / "results.json").read_text())["metrics"]}
        short = {row["id"]: row for row in json.loads((self.folder / "short/zeroshot.json").read_text())["metrics"]}
        self.assertEqual({name: metrics[name]["value"] for name in short}, {name: row["value"] for name, row in short.items()})
        database = sqlite3.connect(folder / "samples.db")
        counts = database.execute("select count(*) from scores group by sample").fetchall()
        database.close()
        self.assertEqual(len(counts), 21)
        self.assertLessEqual(max(counts)[0], 6)  # the five best and the right one
        self.expect(call("verify", folder), 0)
        self.expect(call("compare", folder, folder), 0)
        again = self.run_task("again")
        self.expect(again, 0, "0 visuals and 0 texts through the network")
        self.assertEqual(contents(self.folder / "again/clip-zeroshot"), contents(folder))
        self.expect(self.run_task("shards", "--shard", "0/2"), 0)
        self.expect(self.run_task("fake", model="fake"), 0)

    @unittest.skipUnless(has_mpi(), "this build has no MPI, or there is no mpirun that works here")
    def test_two_ranks_give_the_same_bytes(self):
        # More pictures than one rank gets at once.
        for i, name in enumerate(["cat", "dog", "tree"]):
            for j in range(3, 80):
                (self.folder / f"set/{name}/{j}.png").write_bytes(png(35 * i, 3 * j, 255 - 3 * j, side=24))
        self.expect(self.run_task("alone"), 0)
        command = [*MPIRUN, "-n", "2", SNELLEN, "run", "--model", CLIP, "--tasks", "zeroshot", "--root-image-dir", self.folder / "set",
                   "--output", self.folder / "ranks", "--cache", self.folder / "cache-of-ranks", "--num-workers", "1"]
        result = subprocess.run([*map(str, command)], capture_output=True, text=True, timeout=300)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("shared by 2 ranks", result.stderr)
        self.assertEqual(contents(self.folder / "ranks/clip-zeroshot"), contents(self.folder / "alone/clip-zeroshot"))

    def test_a_folder_that_changed_is_another_run(self):
        self.expect(self.run_task("runs", "--limit", "5"), 0)
        (self.folder / "set/cat/9.png").write_bytes(png(1, 2, 3))
        self.expect_error(self.run_task("runs", "--limit", "5"), 2, "holds another run")

"""Naming what pictures show: snellen zeroshot."""
import json
import pathlib
import struct
import unittest
import zlib

from cli import SNELLEN, Case, call

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
        self.expect_error(call("zeroshot", "--model", CLIP.parent / "vilt", "--images", self.folder / "set"), 2, "two towers")

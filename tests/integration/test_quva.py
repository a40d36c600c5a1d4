# SPDX-License-Identifier: Apache-2.0
"""QUVA as it is downloaded: videos and repetition ends at one rate, and the counting items made of them."""
import ast
import fractions
import json
import random
import shutil
import struct
import subprocess
import unittest

from cli import Case, call
from test_build_vilma import npy


def read_npy(path):
    data = path.read_bytes()
    end = 10 + struct.unpack("<H", data[8:10])[0]
    header = ast.literal_eval(data[10:end].decode())
    return list(struct.unpack(f"<{header['shape'][0]}q", data[end:])), header["descr"]


@unittest.skipUnless(shutil.which("ffmpeg"), "the ffmpeg program is not there")
class Quva(Case):
    def setUp(self):
        super().setUp()
        (self.folder / "QUVA/annotations").mkdir(parents=True)
        (self.folder / "QUVA/videos").mkdir()

    def videos(self, rates, frames, ending="mp4"):
        """One video of each rate, all from one call."""
        command = ["ffmpeg", "-v", "error", "-nostdin", "-y", "-f", "lavfi", "-i", "testsrc2=size=32x16:rate=5:duration=20"]
        for number, rate in enumerate(rates):
            command += ["-map", "0:v", "-r", f"{rate.numerator}/{rate.denominator}", "-fps_mode", "cfr", "-frames:v", str(frames), "-c:v", "libx264", "-preset", "ultrafast",
                        "-threads", "1", "-pix_fmt", "yuv420p", str(self.folder / f"QUVA/videos/{number:03d}_hop.{ending}")]
        subprocess.run(command, check=True)

    def write_ends(self, number, ends, **kind):
        (self.folder / f"QUVA/annotations/{number:03d}_hop.npy").write_bytes(npy(ends, **kind))

    def normalize(self, *flags):
        return call("media", "normalize-annotations", self.folder / "QUVA/videos", self.folder / "QUVA/annotations", self.folder / "QUVA/normalized_annotations", *flags)

    def normalized(self, number):
        return read_npy(self.folder / f"QUVA/normalized_annotations/{number:03d}_hop.npy")

    def test_ends_are_rounded_as_numpy_rounds_them(self):
        rng = random.Random(23)
        # Halves come up at 60, 20 and 12 frames per second.
        rates = [fractions.Fraction(n) for n in (60, 20, 12)]
        while len(rates) < 100:
            rates.append(fractions.Fraction(rng.randrange(5000, 60000), rng.choice([1000, 1001])))
        self.videos(rates, frames=4)
        ends = [sorted(rng.sample(range(1, 3000), 20)) for _ in rates]
        for number, one in enumerate(ends):
            self.write_ends(number, one, **({"descr": "<f8", "code": "d"} if number % 5 == 0 else {}))
        self.expect(self.normalize(), 0)
        num_halves = 0
        for number, (rate, one) in enumerate(zip(rates, ends)):
            # Python's round() and numpy.round() both take halves to the even neighbour.
            wanted = [round(end / float(rate) * 30) for end in one]
            self.assertEqual(self.normalized(number), (wanted, "<i8"), f"{rate} frames per second")
            num_halves += sum(end / float(rate) * 30 % 1 == 0.5 for end in one)
        self.assertGreater(num_halves, 5)

    def test_from_the_archive_to_items(self):
        rates = [fractions.Fraction(n, d) for n, d in ((24, 1), (25, 1), (30000, 1001), (50, 1))]
        self.videos(rates, frames=60, ending="mkv")
        ends = [10, 22, 31, 45, 58]
        templates, foils = {}, {}
        for number in range(len(rates)):
            self.write_ends(number, ends)
            key = f"{number:03d}"
            templates[key] = {"id": key, "prefix": f"{key}_hop", "category": "exercise", "action": "hop", "templates": ["something hops exactly <number> times."]}
            foils[key] = {"0": ["something sits."]}
        self.expect(call("media", "normalize-fps", self.folder / "QUVA/videos", self.folder / "QUVA/normalized_videos"), 0)
        self.expect(self.normalize("--threads", "1"), 0)
        for number, rate in enumerate(rates):
            found, _ = self.normalized(number)
            facts = json.loads(call("--json", "media", "info", "--count", self.folder / f"QUVA/normalized_videos/{number:03d}_hop.mkv").stdout)[0]
            self.assertEqual(facts["fps"], 30)
            # Two frames of the original are left behind the last end.
            self.assertLess(found[-1], facts["frames"])
            self.assertLessEqual(facts["frames"] - found[-1], 2 * 30 / rate + 1.5)
        built = call("build", "vilma-counting", "-t", self.write("templates.json", templates), "-p", self.write("foils.json", foils), "-d", self.folder / "QUVA",
                     "--num-examples", 40, "--out", self.folder / "counting")
        self.expect(built, 0)
        frames = json.loads((self.folder / "counting/counting-easy-spelled-pts.json").read_text())
        seconds = json.loads((self.folder / "counting/counting-easy-spelled-sec.json").read_text())
        self.assertTrue(frames)
        for key, item in frames.items():
            self.assertIn(item["end_time"], self.normalized(int(item["dataset_idx"]))[0])
            self.assertEqual((seconds[key]["end_time"], seconds[key]["time_unit"]), (round(item["end_time"] / 30, 4), "sec"))

    def test_what_cannot_be_normalized(self):
        self.expect_error(self.normalize(), 3, "no .npy file")
        self.videos([fractions.Fraction(25)], frames=4)
        self.write_ends(0, [3, 7])
        self.write_ends(1, [3, 7])
        (self.folder / "QUVA/annotations/002_hop.npy").write_bytes(b"text")
        (self.folder / "QUVA/videos/002_hop.mp4").write_bytes(b"text")
        self.expect(self.normalize(), 4, "001_hop.npy", "no video of this name", "002_hop", "2 of 3 files failed")
        self.assertEqual(self.normalized(0)[0], [4, 8])
        self.assertFalse((self.folder / "QUVA/normalized_annotations/001_hop.npy").exists())
        self.expect_error(self.normalize("--fps", "0"), 2, "not a frame rate")
        self.expect_error(call("media", "normalize-annotations", self.folder / "QUVA/videos", self.folder / "QUVA/annotations", self.folder / "QUVA/annotations"), 2,
                          "the folder of the annotations")


if __name__ == "__main__":
    unittest.main()

"""The video side of `snellen media`: what it writes, and how it fails."""
import json
import os
import shutil
import subprocess
import unittest

from cli import Case, call


@unittest.skipUnless(shutil.which("ffmpeg"), "the ffmpeg program is not there")
class MediaVideo(Case):
    def clip(self, name="clip.mp4", seconds=2, rate=10, size="96x64"):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run(["ffmpeg", "-v", "error", "-nostdin", "-y", "-f", "lavfi", "-i", f"testsrc2=size={size}:rate={rate}", "-t", str(seconds),
                        "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", path], check=True)
        return path

    def facts(self, *files):
        result = call("--json", "media", "info", "--count", *files)
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout)

    def test_info(self):
        one = self.facts(self.clip())[0]
        self.assertEqual((one["kind"], one["codec"], one["width"], one["height"], one["frames"], one["fps"]), ("video", "h264", 96, 64, 20, 10))

    def test_normalize_fps(self):
        self.clip("in/a b.mp4")
        self.clip("in/c.mkv", rate=60, seconds=1)
        result = call("media", "normalize-fps", self.folder / "in", self.folder / "new" / "out")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual([one["frames"] for one in self.facts(self.folder / "new/out/a b.mp4", self.folder / "new/out/c.mkv")], [60, 30])
        again = call("media", "normalize-fps", self.folder / "in", self.folder / "new/out", "--resume", env={**os.environ, "FPS": "15"})
        self.assertEqual(again.stdout.count("is there already"), 2)
        (self.folder / "in/words.mp4").write_text("words")
        partly = call("media", "normalize-fps", self.folder / "in", self.folder / "out2", env={**os.environ, "FPS": "15"})
        self.expect(partly, 4, "words.mp4", "1 of 3 files failed")
        self.assertEqual(self.facts(self.folder / "out2/a b.mp4")[0]["frames"], 30)
        self.assertFalse((self.folder / "out2/words.mp4").exists())
        self.expect_error(call("media", "normalize-fps", self.folder / "in", self.folder / "in"), 2, "folder of the videos")
        self.expect_error(call("media", "normalize-fps", self.folder / "in", self.folder / "out", "--fps", "0"), 2, "not a frame rate")

    def test_cut(self):
        clip = self.clip()
        for flags, frames in (((), 5), (("--compat",), 6)):
            out = self.folder / "cut.mp4"
            result = call("media", "cut", "-i", clip, "-o", out, "-s", "0.5", "-e", "1", *flags)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertEqual(self.facts(out)[0]["frames"], frames)
        self.expect_error(call("media", "cut", "-i", clip, "-o", self.folder / "late.mp4", "-s", "9"), 3, "no frame between 9")
        self.assertFalse((self.folder / "late.mp4").exists())
        self.expect_error(call("media", "cut"), 2, "nothing to cut")

    def test_cut_annotated_items(self):
        self.clip("ss/7.webm".replace(".webm", ".mp4"))
        item = {"dataset": "something-something-v2", "dataset_idx": "7", "youtube_id": None, "video_file": None, "start_time": 0.5, "end_time": 1.0,
                "time_unit": "sec", "caption": "a", "foils": ["b"]}
        annotations = self.write("items.json", {"x-1": item, "x-2": {**item, "dataset_idx": "8"}})
        result = call("media", "cut", "-a", annotations, "--save-dir", self.folder / "cache", "--something-something-dir", self.folder / "ss")
        self.expect(result, 4, "item 'x-2'", "8.webm")
        self.assertEqual(self.facts(self.folder / "cache/x-1.mp4")[0]["frames"], 5)

    def test_summary_and_thumbnail(self):
        clip = self.clip()
        strip = self.folder / "strip.png"
        self.assertEqual(call("media", "summary", "-i", clip, "-o", strip, "--num-frames", "4", "--size", "32").returncode, 0)
        # Gaps of 8 around four frames of 32, and their times in letters of 7 below.
        self.assertEqual((self.facts(strip)[0]["width"], self.facts(strip)[0]["height"]), (4 * 32 + 5 * 8, 32 + 7 + 3 * 8))
        compat = call("--json", "media", "summary", "--video_file", clip, "--output-file", strip, "--size", "32", "--compat", "--pts-unit", "pts",
                      "--start-pts", "0", "--end-pts", "5")
        self.assertEqual(len(json.loads(compat.stdout)[0]["seconds"]), 4, compat.stderr)
        self.assertEqual((self.facts(strip)[0]["width"], self.facts(strip)[0]["height"]), (4 * 32, 32))
        result = call("media", "thumbnail", clip, strip, "--out", self.folder / "thumbs", "--size", "48", "--at", "0.5")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(self.facts(self.folder / "thumbs/clip.mp4.png")[0]["width"], 48)

    def test_broken_files(self):
        clip = self.clip()
        cut = self.folder / "half.mp4"
        cut.write_bytes(clip.read_bytes()[:clip.stat().st_size // 2])
        self.expect_error(call("media", "info", "--count", cut), 3, "half.mp4", "cut short")
        os.mkfifo(self.folder / "pipe.mp4")
        self.expect_error(call("media", "info", self.folder / "pipe.mp4", timeout=20), 3, "pipe.mp4")
        empty = self.write("empty.mp4", "")
        self.expect_error(call("media", "info", empty), 3, "empty.mp4")
        self.expect(call("media", "info", clip, empty, cut), 4, "2 of 3 files failed")


if __name__ == "__main__":
    unittest.main()

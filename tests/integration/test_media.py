"""Pictures from the command line: media noise, media corrupt, list corruptions."""
import json
import random
import struct
import zlib

from cli import Case, call


def png(width, height, seed=0):
    """A small RGB picture, written by hand so that the tests need no picture library."""
    rng = random.Random(seed)
    rows = b"".join(b"\0" + bytes(rng.randrange(256) for _ in range(3 * width)) for _ in range(height))

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


class MediaTest(Case):
    def pictures(self, names=("2_a", "10_a", "1_a")):
        folder = self.folder / "images"
        folder.mkdir()
        for i, name in enumerate(names):
            (folder / f"{name}.jpg").write_bytes(png(9 + i, 7, seed=i))  # the content tells the format, not the name
        return folder

    def files(self, name):
        return {path.relative_to(self.folder / name).as_posix(): path.read_bytes()
                for path in (self.folder / name).rglob("*") if path.is_file()}

    def noise(self, name, *flags):
        result = call("media", "noise", self.folder / "images", "--out", self.folder / name, *flags)
        self.assertEqual(result.returncode, 0, result.stderr)
        return self.files(name)

    def test_ladder_has_three_rungs_of_every_picture(self):
        self.pictures()
        files = self.noise("out", "--pure", "--contact-sheet", "0")
        self.assertEqual(sorted(files), sorted([f"noisy/{stem}_{level}.png" for stem in ("1_a", "2_a", "10_a")
                                                for level in ("e2", "e3", "e4", "pure")] + ["contact_sheet_0.png"]))

    def test_same_bytes_for_any_number_of_threads(self):
        self.pictures([f"{i}_a" for i in range(12)])
        for rng in ("splitmix", "numpy"):
            one = self.noise(f"one-{rng}", "--rng", rng, "--threads", 1, "--replicates", 2)
            self.assertEqual(one, self.noise(f"four-{rng}", "--rng", rng, "--threads", 4, "--replicates", 2))
            self.assertNotEqual(one, self.noise(f"seed-{rng}", "--rng", rng, "--seed", 1, "--replicates", 2))
        # More rungs than are drawn ahead.
        self.assertEqual(self.noise("many-one", "--rng", "numpy", "--threads", 1, "--replicates", 5),
                         self.noise("many-four", "--rng", "numpy", "--threads", 4, "--replicates", 5))

    def test_compat_writes_the_reference_names_as_jpeg(self):
        self.pictures(["5_base.jpg"])
        files = self.noise("out", "--compat")
        self.assertIn("noisy/5_base_e2.jpg_e2.jpg", files)
        self.assertTrue(files["noisy/5_base_e2.jpg_e2.jpg"].startswith(b"\xff\xd8\xff"))

    def test_a_bad_picture_fails_alone_and_other_files_are_skipped(self):
        folder = self.pictures()
        (folder / "3_bad.jpg").write_bytes(b"no picture")
        (folder / "LICENSE.txt").write_text("words")
        for rng in ("splitmix", "numpy"):
            result = call("media", "noise", folder, "--out", self.folder / rng, "--rng", rng)
            self.expect(result, 4, "3_bad.jpg", "LICENSE.txt")
            self.assertEqual(len(self.files(rng)), 9)

    def test_corrupt_writes_one_file_for_each_corruption(self):
        folder = self.pictures()
        result = call("media", "corrupt", folder, "--out", self.folder / "out", "--corruption", "gauss:1e2,mismatch,blur:2,phase", "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(len(json.loads(result.stdout)["written"]), 12)
        self.assertIn("2_a_gauss-100.png", self.files("out"))

    def test_what_cannot_be_done_says_so(self):
        folder = self.pictures()
        out = ("--out", self.folder / "out")
        self.expect_error(call("media", "corrupt", folder, *out, "--corruption", "gaus:3"), 2, "did you mean 'gauss'?")
        self.expect_error(call("media", "corrupt", folder, *out, "--corruption", "none"), 2, "makes no picture file")
        self.expect_error(call("media", "noise", self.folder / "nowhere", *out), 3, "nowhere")
        self.expect_error(call("media", "noise", folder, *out, "--sigmas", "-1"), 2, "outside")
        self.expect_error(call("media", "noise", folder, *out, "--contact-sheet", "3"), 2, "3 pictures")
        self.expect_error(call("media", "noise", folder, "--out", folder / "1_a.jpg"), 1, "cannot make this folder")
        empty = self.folder / "empty"
        empty.mkdir()
        self.expect_error(call("media", "noise", empty, *out), 3, "no picture found")
        self.assertFalse((self.folder / "out").exists())

    def test_two_pictures_of_one_name_are_refused(self):
        folder = self.pictures()
        (folder / "1_a.png").write_bytes(png(3, 3))
        self.expect_error(call("media", "noise", folder, "--out", self.folder / "out"), 3, "would write the same files")

    def test_list_shows_the_catalogue(self):
        rows = json.loads(call("list", "corruptions", "--json").stdout)["corruptions"]
        self.assertIn("patchshuffle:K", json.dumps(rows))

"""A fastText model larger than memory should be: eight gigabytes, almost all of them holes."""
import os
import struct
import subprocess

from cli import SNELLEN, Case


class LargeVectors(Case):
    def model(self, num_bytes):
        words, dim = ["yes", "dog"], 300
        rows = num_bytes // (4 * dim)
        bucket = rows - len(words)
        header = struct.pack("<ii12id", 793712314, 12, dim, 5, 5, 5, 5, 1, 1, 2, bucket, 3, 6, 100, 1e-4)
        header += struct.pack("<iiiqq", len(words), len(words), 0, 100, -1)
        for word in words:
            header += word.encode() + b"\0" + struct.pack("<qb", 50, 0)
        header += struct.pack("<bqq", 0, rows, dim)
        path = self.folder / "large.bin"
        with path.open("wb") as file:
            file.write(header + struct.pack("<300f", *[0.5] * dim) + struct.pack("<300f", *([0.25, -0.5] * 150)))
            file.truncate(len(header) + rows * dim * 4 + 1)
        return path

    def test_reads_eight_gigabytes_in_little_memory(self):
        model = self.model(8 * 10**9)
        self.assertLess(model.stat().st_blocks * 512, 10**7)
        entries = range(50)
        gens = self.write("gens.json", [{"image_id": i, "round_id": 0, "generations": [f"yes dog number {i}"]} for i in entries])
        refs = self.write("refs.json", [{"image_id": i, "round_id": 0, "refs": ["yes", f"a dog {i}"]} for i in entries])
        pid = subprocess.Popen([SNELLEN, "score", "visdial-gen", "--generations", gens, "--references", refs, "--metrics", "fasttext", "--fasttext", model,
                                "--output", self.folder / "out"], stdout=subprocess.DEVNULL).pid
        _, status, usage = os.wait4(pid, 0)
        self.assertEqual(os.waitstatus_to_exitcode(status), 0)
        self.assertLess(usage.ru_maxrss, 300 * 1024)  # KB; the pages of the file that were read among them

"""What the integration tests share: calling the program, making inputs, comparing run folders."""
import atexit
import functools
import hashlib
import json
import os
import pathlib
import random
import shutil
import subprocess
import tempfile
import unittest

SNELLEN = os.environ["SNELLEN"]
# Every run computes what it says it computes; tests of the cache name its folder.
os.environ["SNELLEN_CACHE"] = "off"
# No test reads or writes what belongs to the user: the data registry, the cache of checkpoints.
HOME = tempfile.mkdtemp(prefix="snellen-home-")
atexit.register(shutil.rmtree, HOME, ignore_errors=True)
os.environ["XDG_CONFIG_HOME"] = HOME
os.environ["HF_HOME"] = HOME
os.environ.pop("HF_HUB_CACHE", None)


def call(*arguments, timeout=300, **options):
    return subprocess.run([SNELLEN, *map(str, arguments)], capture_output=True, text=True, timeout=timeout, **options)


MPIRUN = ["mpirun", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none"]
# A launcher that does not tell its processes how many there are, as other versions and Slurm's PMIx.
WITHOUT_WORLD = ["env", *(f"--unset=OMPI_COMM_WORLD_{name}" for name in ("SIZE", "RANK", "LOCAL_SIZE", "LOCAL_RANK", "NODE_RANK"))]


@functools.cache
def has_mpi():
    """Whether this build shares runs between processes, and there is an mpirun that works here."""
    if shutil.which("mpirun") is None or "no MPI" in call("doctor").stdout:
        return False
    return subprocess.run([*MPIRUN, "-n", "1", "true"], capture_output=True, timeout=60).returncode == 0


class Case(unittest.TestCase):
    """A test with a folder of its own."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="snellen-test-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text if isinstance(text, str) else json.dumps(text))
        return path

    def expect(self, result, code, *words):
        """The exit code, one line on stderr that starts with the program's name, and the words in it."""
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        for word in words:
            self.assertIn(word, result.stderr)

    def expect_error(self, result, code, *words):
        self.expect(result, code, *words)
        lines = [line for line in result.stderr.splitlines() if line.startswith("snellen: ")]
        self.assertEqual(len(lines), 1, result.stderr)


# A model that is shown paths and prefers the first of two texts.
SCORING_PROGRAM = """
import json, sys
sys.stdin.readline()
print(json.dumps({"ready": True, "wants": "path"}), flush=True)
for line in sys.stdin:
    request = json.loads(line)
    if request["op"] == "bye": break
    print(json.dumps({"id": request["id"], "scores": [1.0, 0.5]}), flush=True)
"""


def probe_c_groups(count, seed=0):
    rng = random.Random(seed)
    return [{"img1_id": str(rng.randrange(count)), "img2_id": rng.randrange(count), "img1_prompt": f"A photo of a red cat {i % 97}.",
             "img2_prompt": f"A photo of a blue cat {i % 89}.", "img1_composition": rng.choice(["red", "small", "wet"]),
             "img2_composition": "blue", "img1_object": "cat", "img2_object": "cat"} for i in range(count)]


def probe_c_scores(count, seed=0):
    rng = random.Random(seed)
    return "".join(json.dumps({"split": "composition", "index": i,
                               "scores": [[round(rng.gauss(20, 2), 3) for _ in range(2)] for _ in range(2)]}) + "\n"
                   for i in range(count))


def contents(run_folder):
    """What must be the same bytes in every run: the files but logs and stamps, and the digest of the samples."""
    run_folder = pathlib.Path(run_folder)
    found = {}
    for path in sorted(run_folder.rglob("*")):
        volatile = path.name in ("run.json", "run_meta.json", "run.lock") or path.name.startswith(("log", "samples.db"))
        if path.is_file() and not volatile:
            found[str(path.relative_to(run_folder))] = hashlib.sha256(path.read_bytes()).hexdigest()
    found["samples"] = json.loads((run_folder / "run.json").read_text())["samples_sha256"]
    return found


def without_name(found):
    """results.json names its run folder; runs of other names differ in that alone."""
    return {name: digest for name, digest in found.items() if name != "results.json"}

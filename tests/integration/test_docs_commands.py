# SPDX-License-Identifier: Apache-2.0
"""Every command of README.md, models/README.md and the pages of docs is typed by a shell, in a folder where the eyechart plays COCO, Visual Genome, VisDial and VLBiasBench.

What is typed with fewer items than the page says stands in the `small` of its page; what is not typed at all stands in NOT_RUN, with the reason."""
import contextlib
import json
import os
import pathlib
import re
import shlex
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import textwrap
import unittest
import zipfile

from cli import HOME, SNELLEN, Case, has_mpi
from served import mock_server
from test_run_models import HAS_NETWORKS

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", ROOT / "models" / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
# Their verbs and flags are read; what they do is on the pages of docs.
TASK_PAGES = sorted((ROOT / "snellen" / "tasks").rglob("README.md"))

# Commands that no page's test types, and why.
NOT_RUN = {
    r"^\./dev build": "it makes the program that is tested here",
    r"^snellen build eyechart": "setUpClass draws one world for all pages, with --size tiny --scenes 400",
    r"^hf download": "a tool and a network of others",
    r"^cmake ": "tests/installed/run.cmake installs the build and builds examples/cpp against it",
    r"^sqlite3 ": "a tool of others; test_report.py and test_first_hour.py read samples.db",
    r"^python3 tools/bench/models\.py": "a GPU; test_bench_answers.py runs the benchmarks' checks",
    r"^python3 tools/time_view\.py": "a browser over a million items: ./dev bench view; test_view_world.py opens the pages",
}
# What another test must hold for a reason above to be true.
HELD_BY = {
    "tests/installed/run.cmake": "--install",
    "tests/integration/test_report.py": "samples.db",
    "tests/integration/test_bench_answers.py": "bench",
    "tests/integration/test_view_world.py": "browse",
}
PROGRAMS = r"(?:snellen|python3|cmake|hf|sqlite3|mpirun|srun|\./dev)"


def blocks(page):
    """The bodies of blocks of commands: those without a language, and of shells."""
    body, is_shell = None, False
    for line in page.read_text().splitlines():
        fence = re.match(r"\s*```(\w*)", line)
        if fence and body is None:
            body, is_shell = [], fence[1] in ("", "bash", "sh", "console")
        elif fence:
            if is_shell:
                yield "\n".join(body)
            body = None
        elif body is not None:
            body.append(line)


def commands(page):
    """Lines that call one of PROGRAMS, with continued lines joined and comments cut; of a comment, the command behind its colon."""
    found = []
    for block in blocks(page):
        for line in block.replace("\\\n", " ").splitlines():
            line = re.sub(r"^#.*: (?=snellen )", "", line.strip().removeprefix("$ "))
            line = re.sub(r"\s+#.*$", "", line).strip()
            line = re.sub(r"^\S*build/release/snellen(?= )", "snellen", line)
            if re.match(PROGRAMS + " [a-z-]", line) or re.match(PROGRAMS + r" \S+/", line):
                found.append(line)
    return found


def why_not_run(command):
    return next((reason for pattern, reason in NOT_RUN.items() if re.search(pattern, command)), None)


def is_ours(command):
    return re.search(r"(^|\s)snellen [a-z]", command) is not None


def parsed(command, folder, *more):
    """Calls the program with the command's words and `more`."""
    words = shlex.split(command.split("|")[0].split(">>")[0].split(" > ")[0], comments=True)
    words = [word for word in words[words.index("snellen") + 1:] if word != "..."] + list(more)
    return subprocess.run([SNELLEN, *words], cwd=folder, capture_output=True, text=True, timeout=600, stdin=subprocess.DEVNULL)


class Understood(Case):
    def test_every_command_is_understood(self):
        """Verb and flags are read before the settings file, which is not there: nothing is done."""
        num_commands = 0
        for page in PAGES + TASK_PAGES:
            for command in filter(is_ours, commands(page)):
                num_commands += 1
                with self.subTest(page=page.name, command=command):
                    result = parsed(command, self.folder, "--config", "no-such-settings.json")
                    self.assertIn("no-such-settings.json", result.stderr)
                    self.assertEqual(result.returncode, 3, result.stderr)
        self.assertGreater(num_commands, 100)
        self.assertEqual(list(self.folder.iterdir()), [], "nothing was done")

    def test_a_misspelt_flag_would_be_found(self):
        for command in ("snellen train --archh clip", "snellen demo --sise small", "snellen view runs --prot 1", "snellen run --modle exec:x",
                        "snellen finetune --modell x", "snellen patch a b --alpah 1", "snellen mock-server --prot 8000"):
            self.assertNotIn("no-such-settings.json", parsed(command, self.folder, "--config", "no-such-settings.json").stderr, command)

    def test_commands_behind_other_blocks_and_in_comments_are_found(self):
        page = self.write("page.md", textwrap.dedent("""\
            ```python
            import snellen
            ```
            text
            ```
            snellen run --model DIR \\
                --tasks probe-c    # a comment
            probe_c/a file.json
            ```
            ```json
            {"snellen": "run"}
            ```
            ```bash
            # then, once: snellen merge a b
            srun --kill snellen run --model DIR
            ```
            """))
        self.assertEqual([" ".join(one.split()) for one in commands(page)],
                         ["snellen run --model DIR --tasks probe-c", "snellen merge a b", "srun --kill snellen run --model DIR"])

    def test_what_is_not_run_is_held_elsewhere(self):
        for name, word in HELD_BY.items():
            self.assertIn(word, (ROOT / name).read_text(), name)
        everything = [command for page in PAGES for command in commands(page)]
        for pattern in NOT_RUN:
            self.assertTrue(any(re.search(pattern, command) for command in everything), f"no page has {pattern}")


def fasttext_model():
    """A model in fastText's binary form with a few words of 8 numbers."""
    words, dim, bucket = ["yes", "no", "red", "cat"], 8, 16
    model = struct.pack("<ii12id", 793712314, 12, dim, 5, 5, 5, 5, 1, 1, 2, bucket, 3, 6, 100, 1e-4)
    model += struct.pack("<iiiqq", len(words), len(words), 0, 100, -1)
    for word in words:
        model += word.encode() + b"\0" + struct.pack("<qb", 50, 0)
    rows = len(words) + bucket
    model += struct.pack("<bqq", 0, rows, dim)
    return model + struct.pack(f"<{rows * dim}f", *(((7 * i) % 13 - 6) / 6 for i in range(rows * dim))) + b"\0"


# A program of a reader: a score for each text, from its length.
ADAPTER = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    if asked["op"] == "hello":
        print(json.dumps({"ready": True, "version": 1, "mode": "similarity", "name": "clipbert"}), flush=True)
    elif asked["op"] == "score":
        print(json.dumps({"id": asked["id"], "scores": [len(text) % 7 for text in asked["texts"]]}), flush=True)
"""
OWN_ADAPTER = """
import sys
sys.path.insert(0, "ADAPTERS")
from adapter import serve

def score(request):
    return [len(text) % 7 for text in request["texts"]]

serve(score, name="my-model", identity="1")
"""


@unittest.skipUnless(HAS_NETWORKS, "this build has no torch")
class Run(unittest.TestCase):
    """Page by page, each in a folder that has what its reader has."""

    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="snellen-docs-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        (cls.folder / "bin").mkdir()
        (cls.folder / "bin" / "snellen").symlink_to(SNELLEN)
        (cls.folder / "bin" / "python3").symlink_to(sys.executable)
        world = cls.world = cls.folder / "world"
        # The command of the pages with fewer pictures and clips.
        cls.make("build", "eyechart", "--out", world, "--size", "tiny", "--scenes", "400")
        cls.sets = cls.folder / "sets"
        cls.make("build", "probe-r", "--visual-genome", world / "visual_genome", "--out", cls.sets / "probe_r")
        cls.make("build", "probe-c", "--captions", world / "coco/annotations/captions_val2014.json", "--objects", world / "visual_genome/objects.json", "--out",
                 cls.sets / "probe_c")
        hub = pathlib.Path(HOME) / "hub" / "models--openai--clip-vit-base-patch32"
        shutil.rmtree(hub, ignore_errors=True)
        (hub / "refs").mkdir(parents=True)
        (hub / "refs" / "main").write_text("0")
        shutil.copytree(ROOT / "models" / "clip", hub / "snapshots" / "0")
        cls.addClassCleanup(shutil.rmtree, hub)

    @classmethod
    def make(cls, *words):
        made = subprocess.run([SNELLEN, *map(str, words)], cwd=cls.folder, capture_output=True, text=True)
        assert made.returncode == 0, made.stderr

    def setUp(self):
        self.place = pathlib.Path(tempfile.mkdtemp(prefix="page-", dir=self.folder))
        shutil.rmtree(pathlib.Path(HOME) / "snellen", ignore_errors=True)
        self.stack = contextlib.ExitStack()
        self.addCleanup(self.stack.close)
        world = self.world
        coco, vilma = world / "coco", world / "vilma"
        links = {"DIR": ROOT / "models" / "clip", "examples": ROOT / "examples", "tools": ROOT / "tools", "models": ROOT / "models", "eyechart": world, "world": world,
                 "pictures": coco / "val2014", "val2014": coco / "val2014", "train2014": coco / "train2014", "scenes": world / "scenes",
                 "VG_100K": world / "visual_genome" / "VG_100K", "QUVA": vilma / "QUVA", "vilma": vilma, "my-clip": ROOT / "models" / "clip",
                 "clip-vit-base-patch32": ROOT / "models" / "clip", "change-state-base.json": vilma / "change-state-action.json"}
        for name in ("captions_val2014.json", "captions_train2014.json", "instances_val2014.json"):
            links[name] = coco / "annotations" / name
        for name in ("quva-templates-processed.json", "quva-proficiency-foils.json", "rareact.csv"):
            links[name] = vilma / name
        (self.place / "vg").mkdir()
        for path in (world / "visual_genome").iterdir():
            links[f"vg/{path.name}"] = path
        links["vg/images"] = world / "visual_genome" / "VG_100K"
        self.link(links)

    def link(self, links):
        for name, target in links.items():
            path = self.place / name
            path.parent.mkdir(parents=True, exist_ok=True)
            if not path.is_symlink():
                path.symlink_to(target)

    def write(self, name, content):
        path = self.place / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, bytes):
            path.write_bytes(content)
        else:
            path.write_text(content if isinstance(content, str) else json.dumps(content))

    def snellen(self, *words):
        result = subprocess.run([SNELLEN, *map(str, words)], cwd=self.place, capture_output=True, text=True)
        self.assertEqual(result.returncode, 0, result.stderr)

    def environment(self):
        return {**os.environ, "PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}", "SNELLEN_CACHE": str(self.place / "cache"), "WORK": str(self.place / "work"),
                # Open MPI of both lines: also as root, and on a machine with fewer cores than ranks.
                "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1",
                "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe"}

    def serve(self, command):
        """Starts a command that serves until it is ended, which the end of the test does."""
        process = subprocess.Popen(["bash", "-c", f"exec {command}"], cwd=self.place, env=self.environment(), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.assertIn("http://127.0.0.1:", process.stdout.readline())

        def end():
            process.terminate()
            self.assertIn(process.wait(20), (0, 130, -15), command)
            process.stdout.close()

        self.stack.callback(end)

    def run_page(self, name, count, small=(), expected=lambda command: {0}):
        """Types `count` commands. Of `small`, every pattern is replaced in them."""
        done = 0
        for command in commands(ROOT / name):
            if why_not_run(command):
                continue
            with self.subTest(page=name, command=command):
                for pattern, replacement in small:
                    command = re.sub(pattern, replacement, command)
                if re.match(r"snellen (view|mock-server)\b", command):
                    self.serve(command)
                else:
                    result = subprocess.run(["bash", "-c", command], cwd=self.place, env=self.environment(), capture_output=True, text=True, timeout=600,
                                            stdin=subprocess.DEVNULL)
                    self.assertIn(result.returncode, expected(command), command + "\n" + result.stdout[-2000:] + result.stderr)
            done += 1
        self.assertEqual(done, count, "as many commands as the page has")

    def score(self, name, seed=0):
        items = [{"name": name, "metric": "pairwise"}]
        items += [{"id": str(i), "group": str(i % 40), "texts": ["a cat on a mat", "a mat on a cat"], "right": 0} for i in range(200)]
        scores = [{"id": str(i), "scores": [(i * 7919 + seed) % 13, 5]} for i in range(200)]
        for file, lines in ((f"{name}.jsonl", items), (f"{name}-scores.jsonl", scores)):
            (self.place / file).write_text("".join(json.dumps(line) + "\n" for line in lines))

    def test_readme(self):
        self.run_page("README.md", 7)

    def test_adapters(self):
        self.write("my_adapter.py", OWN_ADAPTER.replace("ADAPTERS", str(ROOT / "examples" / "adapter_python")))
        self.link({"sets": self.sets})
        self.run_page("docs/adapters.md", 1, [(r"--data DIR --root-image-dir DIR", "--data sets/probe_c --root-image-dir val2014 --limit 6")])

    def test_audit(self):
        self.write("SUGARCREPE_FOLDER/swap_obj.json", {str(i): {"filename": f"{i}.jpg", "caption": f"a cat on mat {i}", "negative_caption": f"a mat on cat {i}"} for i in range(20)})
        self.run_page("docs/audit.md", 2)

    def test_bias(self):
        self.link({"VLBiasBench/close-ended": self.world / "bias/close-ended", "VLBiasBench/open_ended/gender": self.world / "bias/open_ended/shirt_colour",
                   "VLBiasBench/open_ended/shirt_colour": self.world / "bias/open_ended/shirt_colour",  # where its questions' pictures are
                   "questions.jsonl": self.world / "bias/questions.jsonl", "images": self.world / "bias/close-ended/images"})
        url = self.stack.enter_context(mock_server("--port", 0))
        # The claim need not hold.
        self.run_page("docs/bias.md", 4, [("openai:NAME", "openai:mock"), ("--base-url URL", f"--base-url {url}"), (r"(--tasks .*)", r"\1 --limit 12")],
                      expected=lambda command: {0, 5} if "--claim" in command else {0})

    def test_cache(self):
        self.link({"sets": self.sets})
        self.run_page("docs/cache.md", 3, [(r" \.\.\.", " --data sets/probe_c --images val2014 --output runs --limit 6"), ("/scratch/me", "scratch")])

    def test_clusters(self):
        self.link({"R": self.sets / "probe_r", "C": self.sets / "probe_c", "V": self.world / "visual_genome/VG_100K", "P": self.world / "coco/val2014",
                   "work/clip-vit-b32": ROOT / "models" / "clip", "work/probe_r": self.sets / "probe_r", "work/probe_c": self.sets / "probe_c",
                   "work/vg": self.world / "visual_genome/VG_100K", "work/val2014": self.world / "coco/val2014"})
        self.run_page("docs/clusters.md", 4, [
            # Without MPI one process does the work; Slurm and its GPUs are no test's.
            (r"^mpirun -n 4 --bind-to none (.*)", r"mpirun -n 2 --bind-to none \1 --limit 6" if has_mpi() else r"\1 --limit 6"),
            (r"^srun --mpi=pmix --kill-on-bad-exit=1\s+(.*) --device cuda --dtype bf16(.*)", r"\1\2 --limit 6"),
            (r"^(.*SLURM_ARRAY_TASK_ID)/32(.*)", r"for SLURM_ARRAY_TASK_ID in 0 1; do \1/2\2 || exit; done"),
            ("of32", "of2")])

    def test_compare(self):
        for task in ("direction", "direction-gray"):
            self.score(task, len(task))
            self.snellen("score", f"file:{task}.jsonl", "--scores", f"{task}-scores.jsonl", "--name", "clip", "--output", "runs")
        for name in ("new", "old", "a", "b"):
            self.snellen("score", "probe-c", "--scores", "examples/demo/probe_c.jsonl", "--data", "examples/demo", "--name", name, "--output", "runs")
        # Runs that never differ are not proven to be within a hundredth by 120 items.
        self.run_page("docs/compare.md", 6, expected=lambda command: {0, 5} if "gate" in command else {0})

    def test_control(self):
        self.link({"data/probe_r": self.sets / "probe_r"})
        self.run_page("docs/control.md", 1, [("$", " --limit 6")])

    def test_data(self):
        phrase = {"noun": "apple", "phrase": "an apple", "score": 0.5}
        verbs = {row.split(",")[6] for row in (self.world / "vilma/rareact.csv").read_text().splitlines()[1:]}
        for model in ("bert", "roberta"):
            self.write(f"{model}.json", {verb: [{**phrase, "model": model}] for verb in verbs})
        self.link({"verbs.json": self.world / "vilma/rare-action-candidates.json"})
        self.run_page("docs/data.md", 22)

    def test_eyechart(self):
        self.run_page("docs/eyechart.md", 3)

    def test_models(self):
        self.snellen("data", "add", "probe-c", self.sets / "probe_c")
        self.snellen("data", "add", "coco", "val2014")
        self.run_page("docs/models.md", 2)

    def test_served(self):
        self.link({"sets": self.sets})
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = str(free.getsockname()[1])
        self.run_page("docs/served.md", 3, [("8000", port), ("--data DIR --images DIR", "--data sets/probe_c --images val2014 --limit 6")])

    def test_training(self):
        self.link({"relcomp": self.folder / "relcomp"})
        self.make("build", "relcomp", "--captions", self.world / "coco/annotations/captions_train2014.json", "--coco-val", self.world / "coco/annotations/captions_val2014.json",
                  "--visual-genome", self.world / "visual_genome", "--out", self.folder / "relcomp")
        for part in ("train", "val"):
            self.link({f"relcomp_{part}.jsonl": self.folder / "relcomp" / f"relcomp_{part}.jsonl"})
        short = " --scenes 16 --batch-size 8 --steps 1 --probe-scenes 4 --torch-threads 1"
        self.run_page("docs/training.md", 5, [
            (r"^(snellen train .*)--output my-clip", r"\1--output trained" + short),
            (r"^(snellen finetune --model my-clip .*)", r"\1" + short),
            (r"^(snellen finetune .*--relcomp .*)--output tuned", r"\1--output tuned-on-relcomp" + short),
            (r"^(snellen patch .*)0,0.1,..,1(.*)", r"\g<1>0,0.5,1\2 --probe-scenes 4")])

    def test_video_models(self):
        self.write("clipbert.py", ADAPTER)
        self.run_page("docs/video-models.md", 4)

    def test_view(self):
        self.snellen("score", "probe-c", "--scores", "examples/demo/probe_c.jsonl", "--data", "examples/demo", "--output", "runs")
        rows = [{"doc_id": i, "input": f"is there a cat {i}?", "target": "yes", "score": i % 2} for i in range(24)]
        self.write("logs/llava/samples_mme.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
        with zipfile.ZipFile(self.place / "logs/2026-01-01_sums.eval", "w") as log:
            log.writestr("header.json", json.dumps({"eval": {"task": "sums", "model": "mockllm/model"}}))
            for i in range(6):
                log.writestr(f"samples/{i}_epoch_1.json", json.dumps({"id": i, "epoch": 1, "input": f"what is {i} + {i}?", "target": str(2 * i),
                                                                     "output": {"completion": "4"}, "scores": {"match": {"value": "C" if i == 2 else "I"}}}))
        self.run_page("docs/view.md", 7, [("view runs", "view runs --port 0"), ("build/release/snellen", "$(readlink -f $(which snellen))"), ("/tmp/large", "large"),
                                          ("1000000", "60"), ("1500", "3")])

    def test_visdial(self):
        visdial = self.world / "visdial"
        self.link({path.name: path for path in visdial.glob("*.json")})
        self.link({"refs_H_human_val.json": visdial / "refs_H_human_val.json"})
        self.write("wiki.en.bin", fasttext_model())
        # The sets of a projection that was fit beforehand.
        self.snellen("train", "cca", "--dialogs", "visdial_1.0_train.json", "--fasttext", "wiki.en.bin", "--output", "first-cca", "--k", 4)
        self.snellen("build", "densevisdial", "--dialogs", "visdial_1.0_val.json", "--projections", "first-cca", "--cluster-method", "S", "--out", "first-sets")
        made = next((self.place / "first-sets").glob("refs_S_*.json"))
        self.link({"refs_S_human_val.json": made})
        self.run_page("docs/visdial.md", 7, [("(train cca .*)", r"\1 --k 4")])

    def test_your_own_task(self):
        names = sorted(path.name for path in (self.place / "pictures").iterdir())[:5]
        items = [{"name": "mine", "metric": "pairwise"}]
        items += [{"id": name, "visuals": [name], "texts": ["a cat on a mat", "a mat on a cat"], "right": 0} for name in names]
        (self.place / "items.jsonl").write_text("".join(json.dumps(line) + "\n" for line in items))
        (self.place / "scores.jsonl").write_text("".join(json.dumps({"id": name, "scores": [2, 1]}) + "\n" for name in names))
        # The dry run looks for pictures beside the items, where there are none, and says so.
        self.run_page("docs/your-own-task.md", 3, expected=lambda command: {4} if "--dry-run" in command else {0})

    def test_every_page_with_commands_has_a_test(self):
        tested = {ROOT / "README.md", *(ROOT / "docs" / f"{name[5:].replace('_', '-')}.md" for name in dir(self) if name.startswith("test_"))}
        for page in PAGES:
            if page not in tested:
                self.assertEqual([one for one in commands(page) if not why_not_run(one)], [], page)


if __name__ == "__main__":
    unittest.main()

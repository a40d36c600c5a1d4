# SPDX-License-Identifier: Apache-2.0
"""Every command of README.md, models/README.md and the pages of docs is typed as it stands, in a folder where the eyechart plays COCO and Visual Genome."""
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import tempfile
import unittest

from cli import HOME, SNELLEN, Case
from test_run_models import HAS_NETWORKS

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", ROOT / "models" / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]

# Commands that need what no test has or take minutes, and who runs their like. Their verbs and flags must still be known.
NOT_RUN = {
    r"^mpirun|^srun|SLURM": "a cluster; test_dist.py has one of processes",
    r"--device cuda": "a GPU",
    r"\.\.\.": "left out parts",
    r"snellen (train|finetune|patch|demo)\b": "minutes; test_training*.py, test_patch.py and test_demo.py",
    r"exec:": "a program of the reader's; test_exec.py",
    r"snellen (view|mock-server)|openai:": "a server; test_view.py and test_served.py",
    r"VLBiasBench": "files of others; test_bias*.py",
    r"snellen import": "logs of other programs; test_report.py",
    r"visdial": "VisDial's files; test_visdial*.py",
    r"--replies": "answers of a model elsewhere; test_vilma*.py",
    r"sugarcrepe|--control": "files of others, and a model five times; test_audit.py and test_control.py",
    r"--mlm-outputs": "outputs of other models; test_build_vilma.py",
}


def commands(page):
    """The lines of code blocks that call snellen, with continued lines joined and comments cut."""
    found = []
    for block in re.findall(r"```(?:bash|sh|console)?\n(.*?)```", page.read_text(), re.S):
        for line in block.replace("\\\n", " ").splitlines():
            line = re.sub(r"\s+#.*$", "", line.removeprefix("$ ").strip())
            if re.search(r"(^|[ /])snellen [a-z]", line) and not line.startswith("#"):
                found.append(re.sub(r"\S*build/release/snellen", "snellen", line))
    return found


def why_not_run(command):
    return next((reason for pattern, reason in NOT_RUN.items() if re.search(pattern, command)), None)


def typed(command, folder, *more):
    words = shlex.split(command.split("|")[0].split(">>")[0].split(" > ")[0], comments=True)
    words = [word for word in words[words.index("snellen") + 1:] if word != "..."] + list(more)
    return subprocess.run([SNELLEN, *words], cwd=folder, capture_output=True, text=True, timeout=600, stdin=subprocess.DEVNULL,
                          env={**os.environ, "SNELLEN_CACHE": str(folder / "cache")})


class Understood(Case):
    def test_every_command_is_understood(self):
        """Verb and flags are read before the settings file, which is not there: nothing is done, also by those that take minutes or serve."""
        num_commands = 0
        for page in PAGES:
            for command in commands(page):
                num_commands += 1
                with self.subTest(page=page.name, command=command):
                    result = typed(command, self.folder, "--config", "no-such-settings.json")
                    self.assertIn("no-such-settings.json", result.stderr)
                    self.assertEqual(result.returncode, 3, result.stderr)
        self.assertGreater(num_commands, 80)
        self.assertEqual(list(self.folder.iterdir()), [], "nothing was done")

    def test_a_misspelt_flag_would_be_found(self):
        for command in ("snellen train --archh clip", "snellen demo --sise small", "snellen view runs --prot 1", "snellen run --modle exec:x",
                        "snellen finetune --modell x", "snellen patch a b --alpah 1", "snellen mock-server --prot 8000"):
            self.assertNotIn("no-such-settings.json", typed(command, self.folder, "--config", "no-such-settings.json").stderr, command)


@unittest.skipUnless(HAS_NETWORKS, "this build has no torch")
class Run(unittest.TestCase):
    """Page by page, each in a folder that has what its reader has."""

    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="snellen-docs-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        # The command of the pages with fewer pictures and clips.
        made = subprocess.run([SNELLEN, "build", "eyechart", "--out", "world", "--size", "tiny", "--scenes", "400"], cwd=cls.folder, capture_output=True, text=True)
        assert made.returncode == 0, made.stderr
        hub = pathlib.Path(HOME) / "hub" / "models--openai--clip-vit-base-patch32"
        shutil.rmtree(hub, ignore_errors=True)
        (hub / "refs").mkdir(parents=True)
        (hub / "refs" / "main").write_text("0")
        shutil.copytree(ROOT / "models" / "clip", hub / "snapshots" / "0")
        cls.addClassCleanup(shutil.rmtree, hub)

    def setUp(self):
        self.place = pathlib.Path(tempfile.mkdtemp(prefix="page-", dir=self.folder))
        shutil.rmtree(pathlib.Path(HOME) / "snellen", ignore_errors=True)
        world = self.folder / "world"
        coco, vilma = world / "coco", world / "vilma"
        links = {"DIR": ROOT / "models" / "clip", "examples": ROOT / "examples", "eyechart": world, "world": world, "pictures": coco / "val2014",
                 "val2014": coco / "val2014", "scenes": world / "scenes", "VG_100K": world / "visual_genome" / "VG_100K", "QUVA": vilma / "QUVA", "vilma": vilma, "my-clip": ROOT / "models" / "clip",
                 "change-state-base.json": vilma / "change-state-action.json"}
        for name in ("captions_val2014.json", "captions_train2014.json", "instances_val2014.json"):
            links[name] = coco / "annotations" / name
        for name in ("quva-templates-processed.json", "quva-proficiency-foils.json", "rareact.csv"):
            links[name] = vilma / name
        (self.place / "vg").mkdir()
        for path in (world / "visual_genome").iterdir():
            links[f"vg/{path.name}"] = path
        links["vg/images"] = world / "visual_genome" / "VG_100K"
        for name, target in links.items():
            (self.place / name).symlink_to(target)

    def snellen(self, *words):
        result = subprocess.run([SNELLEN, *map(str, words)], cwd=self.place, capture_output=True, text=True)
        self.assertEqual(result.returncode, 0, result.stderr)

    def run_page(self, name, least, expected=lambda command: {0}):
        done = 0
        for command in commands(ROOT / name):
            # Drawn once for all pages.
            if why_not_run(command) or "build eyechart" in command:
                continue
            with self.subTest(page=name, command=command):
                result = typed(command, self.place)
                self.assertIn(result.returncode, expected(command), result.stderr)
            done += 1
        self.assertGreaterEqual(done, least)

    def score(self, name, seed=0):
        items = [{"name": name, "metric": "pairwise"}]
        items += [{"id": str(i), "group": str(i % 40), "texts": ["a cat on a mat", "a mat on a cat"], "right": 0} for i in range(200)]
        scores = [{"id": str(i), "scores": [(i * 7919 + seed) % 13, 5]} for i in range(200)]
        for file, lines in ((f"{name}.jsonl", items), (f"{name}-scores.jsonl", scores)):
            (self.place / file).write_text("".join(json.dumps(line) + "\n" for line in lines))

    def test_readme(self):
        self.run_page("README.md", 7)

    def test_cache(self):
        self.run_page("docs/cache.md", 2)

    def test_compare(self):
        for task in ("direction", "direction-gray"):
            self.score(task, len(task))
            self.snellen("score", f"file:{task}.jsonl", "--scores", f"{task}-scores.jsonl", "--name", "clip", "--output", "runs")
        for name in ("new", "old", "a", "b"):
            self.snellen("score", "probe-c", "--scores", "examples/demo/probe_c.jsonl", "--data", "examples/demo", "--name", name, "--output", "runs")
        # Runs that never differ are not proven to be within a hundredth by 120 items.
        self.run_page("docs/compare.md", 6, expected=lambda command: {0, 5} if "gate" in command else {0})

    def test_data(self):
        self.snellen("build", "vilma-rare-actions", "-d", "rareact.csv", "--candidates", self.folder / "world/vilma/rare-action-candidates.json",
                     "--video-dir", self.folder / "world/vilma/youtube", "--out", "data/rare_actions")
        self.run_page("docs/data.md", 18)

    def test_eyechart(self):
        self.run_page("docs/eyechart.md", 3)

    def test_models(self):
        self.snellen("build", "probe-c", "--captions", "captions_val2014.json", "--objects", "vg/objects.json", "--out", "data/probe_c")
        self.snellen("data", "add", "coco", "val2014")
        self.run_page("docs/models.md", 2)

    def test_served(self):
        self.run_page("docs/served.md", 1)

    def test_training(self):
        self.run_page("docs/training.md", 1)

    def test_video_models(self):
        self.run_page("docs/video-models.md", 2)

    def test_view(self):
        self.snellen("score", "probe-c", "--scores", "examples/demo/probe_c.jsonl", "--data", "examples/demo", "--output", "runs")
        self.run_page("docs/view.md", 1)

    def test_your_own_task(self):
        names = sorted(path.name for path in (self.place / "pictures").iterdir())[:5]
        items = [{"name": "mine", "metric": "pairwise"}]
        items += [{"id": name, "visuals": [name], "texts": ["a cat on a mat", "a mat on a cat"], "right": 0} for name in names]
        (self.place / "items.jsonl").write_text("".join(json.dumps(line) + "\n" for line in items))
        (self.place / "scores.jsonl").write_text("".join(json.dumps({"id": name, "scores": [2, 1]}) + "\n" for name in names))
        # The dry run looks for pictures beside the items, where there are none, and says so.
        self.run_page("docs/your-own-task.md", 3, expected=lambda command: {4} if "--dry-run" in command else {0})

    def test_every_page_with_commands_has_a_test(self):
        tested = {"cache", "compare", "data", "eyechart", "models", "served", "training", "video-models", "view", "your-own-task"}
        for page in PAGES:
            if page not in {ROOT / "README.md", *(ROOT / "docs" / f"{name}.md" for name in tested)}:
                self.assertEqual([one for one in commands(page) if not why_not_run(one)], [], page)


if __name__ == "__main__":
    unittest.main()

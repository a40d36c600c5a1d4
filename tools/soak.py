#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A chaos test: random verbs on random inputs with random faults, for as long as it is told.

    tools/soak.py [--snellen build/release/snellen] [--minutes 20] [--seed N] [--steps FIRST:LAST] [--keep]

Every step takes one of a few projects (a run with or without a cache, a sharded run with its merge, a training with a patch, builds, scores with
compare, gate and report, an import) and calls it with one fault: kill -9, SIGTERM, SIGINT, a full disk, a read-only disk, a memory limit, a truncated
input, a stopped child, a failed allocation, a failed write. After every step must hold: the call ended within 60 s (of its own or by our signal) and
by no other signal; no row that was committed is gone or changed; no file of others, in the folders that are written too, and no input was touched.
Every few steps a project is finished without a fault and must come to the bytes of one that was never disturbed. Memory of the calls must stay flat.
The seed is printed and makes the inputs; a step depends on the seed and its number alone, so `--seed N --steps K:K` repeats what step K does to fresh
projects, and `--seed N --steps 1:K` what led to it.
"""
import argparse
import collections
import hashlib
import json
import os
import pathlib
import random
import resource
import shutil
import signal
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
LONGEST = 60  # seconds
NAMESPACE = ["unshare", "--user", "--map-root-user", "--mount"]
ADAPTER = """
import json, os, sys
open(sys.argv[1], "w").write(str(os.getpid()))
sys.stdin.readline()
print(json.dumps({"ready": True, "wants": "path"}), flush=True)
for line in sys.stdin:
    request = json.loads(line)
    if request["op"] == "bye": break
    print(json.dumps({"id": request["id"], "scores": [float(len(text)) for text in request["texts"]]}), flush=True)
"""


THEIRS = "a file of somebody else"


class Broken(Exception):
    """What must hold does not."""


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def rows_of(folder):
    """Every committed sample of every samples.db below a folder: database and id -> what was scored."""
    found = {}
    for database in sorted(folder.rglob("samples.db")):
        if ".part" in str(database.relative_to(folder)):
            continue  # a draft
        try:
            with sqlite3.connect(f"file:{database}?mode=rw", uri=True, timeout=5) as store:
                columns = [row[1] for row in store.execute("PRAGMA table_info(samples)")]
                kept = ", ".join(column for column in columns if column not in ("micros", "layout", "detail", "more_texts", "more_visuals")
                                 and not column.startswith(("visual_", "text_")))
                for row in store.execute(f"SELECT {kept} FROM samples") if kept else []:
                    found[str(database), row[0]] = repr(row)
        except sqlite3.OperationalError as error:
            if "no such table" not in str(error):
                raise
    return found


# What holds times or paths, or is no part of an outcome.
VOLATILE = {"run.json", "run_meta.json", "build.json", "train.jsonl", "curves.svg", "summary.json", "training.json"}


def outcome_of(folder, theirs=()):
    """What must be the same bytes in every finished project."""
    found = {}
    for path in sorted(folder.rglob("*")):
        relative = path.relative_to(folder)
        skipped = (path.suffix == ".lock" or path.name in VOLATILE or path.name.startswith(("log", "samples.db")) or relative.parts[0] == "cache"
                   or str(relative) in theirs
                   # `report` locks no folder, so it cannot tell what a killed one left from what another one writes.
                   or (relative.parts[0] == "report" and path.name.endswith(".part")))
        if path.is_file() and not skipped:
            found[str(relative)] = digest(path)
        if path.name == "run.json":
            found[str(relative)] = json.loads(path.read_text()).get("samples_sha256")
    return found


TOWER = dict(hidden_size=32, intermediate_size=48, num_hidden_layers=1, num_attention_heads=2)
SMALL_CLIP = dict(model_type="clip", architectures=["CLIPModel"], projection_dim=16, text_config=dict(TOWER, max_position_embeddings=40),
                  vision_config=dict(TOWER, image_size=16, patch_size=8))


class Project:
    """Calls that are made one after the other until all have ended well; then their outcome is compared."""

    def __init__(self, name, calls, work, is_exec=False, has_torch=False, theirs=()):
        self.name, self.calls, self.work, self.is_exec, self.has_torch = name, calls, work, is_exec, has_torch
        self.theirs = ["theirs.part", *theirs]  # files of others, in the folders that are written too
        self.folder = work / "projects" / name
        self.expected = None

    def arguments(self, call, folder):
        return [str(word).replace("@OUT", str(folder)) for word in call]

    def begin(self):
        """A fresh folder in which others have files too."""
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        for name in self.theirs:
            (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / name).write_text(THEIRS)
        self.next = 0
        self.saw_cut_input = False  # then what is there may be, rightly, the run of other items

    def touched(self):
        """Files of others that were changed."""
        return [name for name in self.theirs if not (self.folder / name).exists() or (self.folder / name).read_text() != THEIRS]


class Soak:
    def __init__(self, options):
        self.options = options
        self.snellen = str(pathlib.Path(options.snellen).resolve())
        self.injector = pathlib.Path(self.snellen).parent / "tests" / "libfault_injector.so"
        self.work = pathlib.Path(tempfile.mkdtemp(prefix="snellen-soak-"))
        self.memory = collections.defaultdict(list)
        self.counts = collections.Counter()
        self.can_mount = subprocess.run([*NAMESPACE, "mount", "-t", "tmpfs", "tmpfs", "/mnt"], capture_output=True).returncode == 0
        os.environ["SNELLEN_CACHE"] = "off"
        os.environ["XDG_CONFIG_HOME"] = str(self.work / "settings")  # builds register what they made

    def plain(self, *arguments):
        result = subprocess.run([self.snellen, *map(str, arguments)], capture_output=True, text=True, timeout=600)
        if result.returncode != 0:
            raise Broken(f"{arguments}: exit {result.returncode}: {result.stderr[-600:]}")

    def make_inputs(self):
        world, work = self.work / "world", self.work
        rng = random.Random(self.options.seed)
        self.plain("build", "eyechart", "--out", world, "--size", "tiny", "--seed", rng.randrange(1000), "--scenes", rng.randint(40, 80))
        self.plain("build", "probe-c", "--captions", world / "coco/annotations/captions_val2014.json", "--objects",
                   world / "visual_genome/objects.json", "--min-noun-images", 1, "--out", work / "data")
        lines = [{"metric": "pairwise"}]
        for number, picture in enumerate(sorted((world / "coco/val2014").iterdir())[:40]):
            lines.append({"id": f"i{number}", "visuals": [str(picture.relative_to(work))], "texts": ["a cat", f"a dog {number % 5}"], "right": 0})
        (work / "items.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
        (work / "adapter.py").write_text(ADAPTER)
        (work / "clip.json").write_text(json.dumps(SMALL_CLIP))
        (work / "log").mkdir()
        (work / "log/samples_t.jsonl").write_text("".join(json.dumps({"doc_id": i, "acc": rng.randrange(2)}) + "\n" for i in range(500)))
        answers = [{"id": str(i), "subset": "base", "category": rng.choice(["Age", "SES"]), "condition": rng.choice(["neg", "non_neg"]), "label": i % 3,
                    "unknown_index": 2, "answer": rng.choice(["A", "(B)", "Not known"]), "options": ["a", "b", "Not known"]} for i in range(200)]
        (work / "answers.jsonl").write_text("".join(json.dumps(row) + "\n" for row in answers))
        self.guarded = {path: digest(path) for path in work.rglob("*") if path.is_file() and work / "settings" not in path.parents}

    def projects(self):
        work, world = self.work, self.work / "world"
        data, items, images = ["--data", work / "data"], f"file:{work / 'items.jsonl'}", ["--root-image-dir", world / "coco/val2014"]
        fake = ["run", "--model", "fake:wait=200", "--tasks", "probe-c", *data, "--num-workers", 2, "--batch-size", 8, "--output", "@OUT"]
        scored = ["--tasks", "probe-c", *data]
        found = [
            Project("fake", [fake, ["verify", "@OUT/fake-probe-c"]], work, theirs=["fake-probe-c/notes.txt", "fake-probe-c/thumbs/holiday.jpg"]),
            Project("shards", [[*fake, "--shard", "0/2"], [*fake, "--shard", "1/2"],
                               ["merge", "@OUT/fake-probe-c-shard0of2", "@OUT/fake-probe-c-shard1of2", "--output", "@OUT/merged", "--overwrite"]], work,
                    theirs=["fake-probe-c-shard0of2/notes.txt"]),
            Project("controls", [["run", "--model", "fake", "--tasks", items, "--control", "gray,gauss:50", "--num-workers", 2, "--output", "@OUT"]], work,
                    theirs=["fake-items/control/gray/notes.txt"]),
            Project("adapter", [["run", "--model", f"exec:{sys.executable} {work / 'adapter.py'} {work / 'child'}", "--tasks", items, "--output", "@OUT",
                                 "--exec-timeout", 10]], work, is_exec=True),
            Project("compared", [["run", "--model", "fake", "--name", "a", *scored, "--output", "@OUT/runs"],
                                 ["run", "--model", "fake", "--name", "b", "--seed", 1, *scored, "--output", "@OUT/runs"],
                                 ["compare", "@OUT/runs/a-probe-c", "@OUT/runs/b-probe-c"], ["gate", "@OUT/runs/a-probe-c", "--require", "probe-c/object/group>=0"],
                                 ["report", "@OUT/runs", "--output", "@OUT/report"]], work, theirs=["report/notes.txt"]),
            Project("score", [["score", "bias-close", "--answers", work / "answers.jsonl", "--output", "@OUT"], ["verify", "@OUT/file-bias-close"]], work,
                    theirs=["file-bias-close/close_ended/notes.txt"]),
            Project("import", [["import", "lmms-eval", work / "log/samples_t.jsonl", "--metric", "acc", "--output", "@OUT"]], work, theirs=["log-t/notes.txt"]),
            Project("probe-b", [["build", "probe-b", "--instances", world / "coco/annotations/instances_val2014.json", "--images", world / "coco/val2014",
                                 "--scenes", world / "scenes", "--out", "@OUT/set", "--threads", 2]], work, theirs=["set/notes.txt"]),
            Project("probe-c", [["build", "probe-c", "--captions", world / "coco/annotations/captions_val2014.json", "--objects",
                                 world / "visual_genome/objects.json", "--min-noun-images", 1, "--out", "@OUT/set"]], work, theirs=["set/notes.txt"]),
            Project("relcomp", [["build", "relcomp", "--captions", world / "coco/annotations/captions_train2014.json", "--coco-val",
                                 world / "coco/annotations/captions_val2014.json", "--visual-genome", world / "visual_genome", "--min-noun-images", 1,
                                 "--min-object-images", 1, "--out", "@OUT/set", "--threads", 2], ["build", "check", "@OUT/set"]], work),
        ]
        model = ROOT / "models" / "clip"
        if (pathlib.Path(self.snellen).parent / "libsnellen_networks.so").exists() and model.exists():
            network = ["run", "--model", model, *scored, *images, "--num-workers", 2, "--output", "@OUT"]
            found.append(Project("network", [[*network, "--no-cache"], ["verify", "@OUT/clip-probe-c"]], work, has_torch=True))
            found.append(Project("cached", [[*network, "--cache", "@OUT/cache"], [*network, "--cache", "@OUT/cache", "--name", "again"]], work, has_torch=True))
            small = ["--scenes", 16, "--batch-size", 8, "--torch-threads", 1, "--num-workers", 2, "--checkpoint-every", 1]
            found.append(Project("trained", [["train", "--arch", "clip", "--init", work / "clip.json", *small, "--steps", 6, "--output", "@OUT/base"],
                                             ["finetune", "--model", "@OUT/base", *small, "--steps", 3, "--output", "@OUT/tuned"],
                                             ["patch", "@OUT/base", "@OUT/tuned", "--alpha", 0.5, "--output", "@OUT/patched"]], work, has_torch=True,
                                 theirs=["base/notes.txt", "base/checkpoints/notes.txt", "patched.partial/notes.txt"]))
        for project in found:
            project.begin()
            # In the folder of its own: some outcomes name their folders.
            for call in project.calls:
                self.plain(*project.arguments(call, project.folder))
            project.expected = outcome_of(project.folder, project.theirs)
            if touched := project.touched():
                raise Broken(f"{project.name} without a fault: files of others were changed: {touched}")
            project.begin()
        return found

    def start(self, command, environment=None, limit=None):
        def limits():
            os.setsid()
            if limit:
                resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
        return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, preexec_fn=limits,
                                env={**os.environ, **(environment or {})})

    def finish(self, process, what):
        """Waits with its memory measured; the group is killed where it does not end."""
        killer_at = time.monotonic() + LONGEST
        output = []
        reader = threading.Thread(target=lambda: output.append(process.stdout.read()), daemon=True)
        reader.start()
        while True:
            pid, status, usage = os.wait4(process.pid, os.WNOHANG)
            if pid:
                process.returncode = os.waitstatus_to_exitcode(status)
                reader.join(5)
                return process.returncode, "".join(output), usage.ru_maxrss
            if time.monotonic() > killer_at:
                os.killpg(process.pid, signal.SIGKILL)
                os.wait4(process.pid, 0)
                reader.join(5)
                raise Broken(f"{what}: did not end within {LONGEST} s: {''.join(output)[-600:]}")
            time.sleep(0.01)

    def one(self, project, fault, rng):
        """One call of a project with one fault; gives its exit code, or None where we ended it."""
        command = [self.snellen, *project.arguments(project.calls[project.next], project.folder)]
        what = f"{project.name}/{project.next} with {fault}"
        if fault in ("kill", "term", "int"):
            process = self.start(command)
            time.sleep(rng.random() * rng.choice([0.05, 0.4, 2.0]))
            sent = {"kill": signal.SIGKILL, "term": signal.SIGTERM, "int": signal.SIGINT}[fault]
            try:
                os.kill(process.pid, sent)
            except ProcessLookupError:
                pass
            code, output, _ = self.finish(process, what)
            if code == -sent:
                return None  # builds, and whatever had not begun, end by the signal itself
            return self.judged(code, output, what)
        if fault == "stopped child":
            process = self.start(command)
            time.sleep(rng.random())
            try:
                child = int((self.work / "child").read_text())
                os.kill(child, signal.SIGSTOP)
            except (OSError, ValueError):
                pass
            return self.judged(*self.finish(process, what)[:2], what)
        if fault == "memory":
            limit = rng.choice([60, 120, 250, 500]) << 20
            code, output, _ = self.finish(self.start(command, limit=limit), f"{what} {limit >> 20} MiB")
            if code in (127, -signal.SIGABRT, -signal.SIGSEGV) and not self.starts_within(limit, project.has_torch):
                return code  # the loader or a library's own initialiser ended it, before main()
            return self.judged(code, output, f"{what} {limit >> 20} MiB")
        if fault == "allocation":
            # While libtorch is loaded, by the first thread, its own initialisers end the process without memory.
            threads = [1, 2, 3, 4, 5, 6, 7] if project.has_torch else [0, 0, 1, 2, 3, 4, 5]
            thread = rng.choice(threads)
            # Before main() nobody can catch anything.
            place = f"{thread}:{int(10 ** (rng.uniform(3.7, 5) if thread == 0 else rng.uniform(1, 4)))}"
            variables = {"LD_PRELOAD": str(self.injector), "SNELLEN_FAIL_ALLOCATION": place}
            return self.judged(*self.finish(self.start(command, variables), f"{what} {place}")[:2], f"{what} {place}")
        if fault == "write":
            number = int(10 ** rng.uniform(0, 2.5))
            variables = {"LD_PRELOAD": str(self.injector), "SNELLEN_FAIL_WRITE": str(number)}
            return self.judged(*self.finish(self.start(command, variables), f"{what} {number}")[:2], f"{what} {number}")
        if fault == "truncated":
            project.saw_cut_input = True
            return self.truncated(command, what, rng)
        if fault in ("full disk", "read-only disk"):
            return self.on_disk(project, command, fault, what, rng)
        code, output, memory = self.finish(self.start(command), what)
        if code == 0:
            self.memory[f"{project.name}/{project.next}"].append(memory)
        return self.judged(code, output, what)

    def starts_within(self, limit, has_torch):
        """Whether the program comes to its main() with so much memory; with libtorch, it needs more than any limit here to be loaded."""
        if has_torch:
            return False
        return self.finish(self.start([self.snellen, "--version"], limit=limit), "--version")[0] == 0

    def judged(self, code, output, what):
        self.told = output
        if code < 0 or code not in (0, 1, 2, 3, 4, 5, 130):
            raise Broken(f"{what}: exit {code}: {output[-800:]}")
        if "please report" in output:
            raise Broken(f"{what}: an error without a reason: {output[-800:]}")
        return code

    def truncated(self, command, what, rng):
        """An input is cut while the call goes on, and mended afterwards."""
        inputs = sorted((self.work / "data").glob("*.json")) + [self.work / "items.jsonl"] + sorted((self.work / "world/coco/annotations").iterdir())
        victim = rng.choice(inputs)
        whole, times = victim.read_bytes(), os.stat(victim)
        process = self.start(command)
        time.sleep(rng.random() * 0.5)
        try:
            os.truncate(victim, rng.randrange(len(whole)))
            code, output, _ = self.finish(process, what)
        finally:
            victim.write_bytes(whole)
            os.utime(victim, ns=(times.st_atime_ns, times.st_mtime_ns))
        return self.judged(code, output, f"{what} of {victim.name}")

    def on_disk(self, project, command, fault, what, rng):
        """The project's folder on a small or a read-only disk of the call's own; what was written comes back."""
        size = rng.choice([64, 200, 600, 2000])
        script = ('mount -t tmpfs -o size=200m tmpfs "$1" && cp -a "$2/." "$1/" && used=$(du -sk "$1" | cut -f1) && '
                  + (f'mount -o remount,size=$((used + {size}))k "$1"; ' if fault == "full disk" else 'mount -o remount,ro "$1"; ')
                  + 'disk=$1 back=$2; shift 2; "$@"; code=$?; mount -o remount,rw,size=400m "$disk"; rm -rf "$back".new && cp -a "$disk" "$back".new; exit $code')
        disk = self.work / "disk"
        disk.mkdir(exist_ok=True)
        moved = [word.replace(str(project.folder), str(disk)) for word in command]
        process = self.start([*NAMESPACE, "bash", "-c", script, "bash", str(disk), str(project.folder), *moved])
        code, output, _ = self.finish(process, what)
        returned = project.folder.with_name(project.folder.name + ".new")
        if returned.exists():
            shutil.rmtree(project.folder)
            returned.rename(project.folder)
        return self.judged(code, output, what)

    def step(self, number, projects):
        rng = random.Random(f"{self.options.seed}/{number}")
        project = rng.choice(projects)
        faults = ["none", "none", "kill", "kill", "term", "int", "memory", "truncated"]
        faults += ["full disk", "read-only disk"] * self.can_mount + ["stopped child"] * project.is_exec + ["allocation", "allocation", "write", "write"] * self.injector.exists()
        fault = rng.choice(faults)
        before = rows_of(project.folder)
        code = self.one(project, fault, rng)
        self.counts[fault] += 1
        after = rows_of(project.folder)
        if not project.calls[project.next][0] == "merge":
            lost = [key for key, row in before.items() if after.get(key) != row]
            if lost:
                raise Broken(f"step {number}, {project.name} with {fault}: {len(lost)} of {len(before)} committed rows are gone or changed: {lost[:3]}")
        if touched := project.touched():
            raise Broken(f"step {number}, {project.name} with {fault}: files of others were changed: {touched}")
        self.check_inputs(f"step {number}, {project.name} with {fault}")
        if code == 0:
            project.next += 1
        elif fault == "none" and code == 4:
            project.begin()  # items that failed under an earlier fault stay failed: begin again
        elif fault == "none" and code == 2 and project.saw_cut_input and "holds another run" in self.told:
            project.begin()  # a list of items that was cut at a line's end is a list of items
        elif fault == "none":
            raise Broken(f"step {number}: {project.name}/{project.next} without a fault: exit {code}")
        if project.next == len(project.calls):
            found = outcome_of(project.folder, project.theirs)
            if found != project.expected:
                different = {key for key in found.keys() | project.expected.keys() if found.get(key) != project.expected.get(key)}
                raise Broken(f"step {number}: {project.name} came to other bytes than undisturbed: {sorted(different)[:5]}")
            self.counts["projects finished"] += 1
            project.begin()

    def check_inputs(self, what):
        for path, expected in self.guarded.items():
            if not path.exists() or digest(path) != expected:
                raise Broken(f"{what}: the input {path} was changed")

    def check_memory(self):
        for name, values in self.memory.items():
            if len(values) < 9:
                continue
            third = len(values) // 3
            first, last = statistics.median(values[:third]), statistics.median(values[-third:])
            if last > 1.2 * first:
                raise Broken(f"{name}: memory grew from {first} to {last} kB")

    def run(self):
        print(f"[soak] seed {self.options.seed}; repeat a step with --seed {self.options.seed} --steps K:K", flush=True)
        self.make_inputs()
        projects = self.projects()
        first, last = map(int, self.options.steps.split(":")) if self.options.steps else (1, 1 << 30)
        end = time.monotonic() + 60 * self.options.minutes
        number = first
        told = time.monotonic()
        while number <= last and time.monotonic() < end:
            self.step(number, projects)
            number += 1
            if time.monotonic() - told > 30:
                told = time.monotonic()
                print(f"[soak] {number - first} steps, {dict(self.counts)}", flush=True)
        self.check_memory()
        print(f"[soak] {number - first} steps, nothing lost, nothing hung: {dict(self.counts)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--snellen", default=ROOT / "build/release/snellen")
    parser.add_argument("--minutes", type=float, default=20)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--steps", default="", help="FIRST:LAST")
    parser.add_argument("--keep", action="store_true", help="keep the working folder")
    options = parser.parse_args()
    soak = Soak(options)
    status = 0
    try:
        soak.run()
    except Broken as broken:
        print(f"[soak] FOUND (seed {options.seed}): {broken}\n[soak] the folder is kept: {soak.work}")
        status, options.keep = 1, True
    finally:
        if not options.keep:
            shutil.rmtree(soak.work, ignore_errors=True)
    return status


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Does another build come to the same results? Records a fixed list of calls and compares two recordings.

  same_results.py record SNELLEN FOLDER --world DEMO   runs the calls with one program on the data that `snellen demo --output DEMO` made
  same_results.py compare FOLDER FOLDER                same results.json, seed files, digests of samples, weights?

The calls cover every way through the program: dual, pair, video and likelihood networks, an adapter, score files, merged
shards, two ranks, a killed and resumed run, training, patching with probes and zero-shot naming. Texts of reasons,
errors and notes are left out, and so are times and command lines.
"""
import argparse
import hashlib
import json
import os
import pathlib
import signal
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
MPIRUN = ["mpirun", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "-n", "2"]
SCORE_TASKS = {"probe-r": "probe_r", "probe-c": "probe_c", "probe-b-background": "probe_b_background",
               "probe-b-cooccurrence": "probe_b_cooccurrence"}


class Recorder:
    def __init__(self, program, folder, world):
        self.program = str(pathlib.Path(program).resolve())
        self.folder = folder.resolve()
        self.world = world.resolve()
        self.models = ROOT / "models"
        self.environment = {**os.environ, "SNELLEN_CACHE": "off"}

    def call(self, name, *arguments, prefix=(), codes=(0, 4)):
        """Runs the program; {out} in an argument is the call's own folder."""
        out = self.folder / name
        out.mkdir(parents=True, exist_ok=True)
        command = [*prefix, self.program, *(str(a).replace("{out}", str(out)) for a in arguments)]
        begin = time.time()
        result = subprocess.run(command, capture_output=True, text=True, env=self.environment, cwd=self.folder)
        print(f"{name}: exit {result.returncode}, {time.time() - begin:.1f} s", flush=True)
        if result.returncode not in codes:
            print(" ".join(command), result.stdout[-1500:], result.stderr[-1500:], sep="\n")
        (out / f"exit_{arguments[0]}.txt").write_text(str(result.returncode))

    def run(self, name, model, task, *more, **options):
        self.call(name, "run", "--model", model, "--tasks", task, *self.data_of(task), "--output", "{out}", *more, **options)

    def data_of(self, task):
        coco, genome = self.world / "eyechart/coco/val2014", self.world / "eyechart/visual_genome/VG_100K"
        probe_b = self.world / "probe_b"
        if task.startswith("file:"):
            return ["--root-image-dir", self.world / "eyechart"]
        if task.startswith("vilma"):
            return ["--data", self.world / "eyechart/vilma"]
        if task.startswith("probe-b"):
            mod = "background_removed" if "background" in task else "background_removed_and_cooccurrence"
            return ["--data", probe_b, "--root-image-orig-dir", coco, "--root-image-patch-dir", probe_b / "val2014_random_patch_dataset",
                    "--root-image-mod-dir", probe_b / f"val2014_{mod}_dataset"]
        return ["--data", self.world / task.replace("-", "_"), "--root-image-dir", genome if task == "probe-r" else coco]

    def score_files(self):
        for task, file in SCORE_TASKS.items():
            for mode in ([], ["--compat"]):
                self.call(f"score-{task}{'-compat' if mode else ''}", "score", task, "--scores", ROOT / f"examples/demo/{file}.jsonl",
                          "--data", ROOT / "examples/demo", "--output", "{out}", *mode)

    def fake(self):
        for task in ("probe-r", "probe-c", "probe-b-background", "vilma"):
            self.run(f"fake-{task}", "fake", task)
            self.run(f"fake-{task}-compat", "fake", task, "--compat")

    def dual(self):
        self.run("dual-probe-c", self.models / "clip", "probe-c", "--limit", 150)
        self.run("dual-probe-b", self.models / "clip", "probe-b-background", "--limit", 12)
        self.run("dual-frames", self.models / "clip", "vilma/counting", "--limit", 6)
        self.run("dual-items", self.models / "clip", f"file:{self.world}/eyechart/contrasts/direction.jsonl", "--limit", 80)

    def pair(self):
        self.run("pair-probe-r", self.models / "blip", "probe-r", "--limit", 25)

    def video(self):
        self.run("video", self.models / "xclip", "vilma", "--limit", 4)

    def likelihood(self):
        self.run("likelihood", self.models / "gpt2", "vilma")

    def adapter(self):
        program = self.folder / "lengths.py"
        program.write_text(f"import sys\nsys.path.insert(0, {str(ROOT / 'examples/adapter_python')!r})\nfrom adapter import serve\n"
                           "serve(lambda request: [len(text) % 7 + len(request['image']) % 3 for text in request['texts']], name='lengths')\n")
        self.run("adapter", f"exec:{sys.executable} {program}", "probe-c", "--limit", 30, "--name", "mine")

    def shards(self):
        for shard in (0, 1):
            self.run(f"shards/{shard}", "fake", "probe-c", "--shard", f"{shard}/2")
        found = sorted(p.parent for p in (self.folder / "shards").glob("[01]/*/run.json"))
        self.call("shards/merged", "merge", *found, "--output", "{out}")

    def ranks(self):
        self.run("ranks", self.models / "clip", "probe-c", "--limit", 60, prefix=MPIRUN)

    def killed(self):
        out = self.folder / "killed"
        out.mkdir(parents=True, exist_ok=True)
        command = [self.program, "run", "--model", self.models / "blip", "--tasks", "probe-r", *self.data_of("probe-r"), "--output", out,
                   "--limit", 25, "--batch-size", 2]
        process = subprocess.Popen(list(map(str, command)), env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(4)
        process.send_signal(signal.SIGKILL)
        process.wait()
        self.run("killed", self.models / "blip", "probe-r", "--limit", 25, "--batch-size", 2)

    def train(self):
        # Digits of gradients depend on how threads share a sum: one thread.
        few = ["--steps", 3, "--batch-size", 8, "--scenes", 24, "--torch-threads", 1, "--probe-scenes", 8, "--evaluate-every", 0]
        self.call("train", "train", "--arch", "clip", "--output", "{out}/model", *few, "--probe", "eyechart")
        self.call("finetune", "finetune", "--model", self.folder / "train/model", "--output", "{out}/model", *few)
        self.call("patch", "patch", self.folder / "train/model", self.folder / "finetune/model", "--alphas", "0,0.5,1", "--output", "{out}/sweep",
                  "--probe", self.world / "eyechart/contrasts/binding.jsonl", "--probe-images", self.world / "eyechart", "--probe-scenes", 8)

    def zeroshot(self):
        self.call("zeroshot", "zeroshot", "--model", self.models / "clip", "--images", self.world / "eyechart/coco/val2014", "--instances",
                  self.world / "eyechart/coco/annotations/instances_val2014.json", "--limit", 40, "--output", "{out}")


PARTS = ["score_files", "fake", "dual", "pair", "video", "likelihood", "adapter", "shards", "ranks", "killed", "train", "zeroshot"]


def record(arguments):
    recorder = Recorder(arguments.program, arguments.folder, arguments.world)
    arguments.folder.mkdir(parents=True, exist_ok=True)
    for part in arguments.only or PARTS:
        getattr(recorder, part)()
    return 0


def files_of(folder, without_intervals):
    """Everything that must be the same bytes, by name."""
    found = {}
    for path in sorted(folder.rglob("*")):
        if not path.is_file():
            continue
        name = str(path.relative_to(folder))
        if path.name == "run.json":
            stamp = json.loads(path.read_text())
            found[name + "#samples"] = stamp.get("samples_sha256")
            found[name + "#counts"] = json.dumps(stamp.get("counts"), sort_keys=True)
            found[name + "#verdict"] = stamp.get("verdict")
        elif path.name == "results.json":
            results = json.loads(path.read_text())
            for metric in results.get("metrics", []):
                metric.pop("reason", None)
                for key in ("low", "high", "interval") if without_intervals else ():
                    metric.pop(key, None)
            found[name] = json.dumps(results, sort_keys=True)
        elif path.name.startswith(("log", "run_meta", "samples.db", "exit_")) and path.suffix in (".txt", ".json", ".db", ""):
            if path.name.startswith("exit_"):
                found[name] = path.read_text()
        elif path.suffix in (".json", ".jsonl", ".csv", ".safetensors", ".svg", ".md"):
            found[name] = hashlib.sha256(path.read_bytes()).hexdigest()
    return found


def compare(left, right, without_intervals):
    bad = 0
    calls = sorted({p.name for side in (left, right) for p in side.iterdir() if p.is_dir()})
    total = 0
    for call in calls:
        a, b = files_of(left / call, without_intervals), files_of(right / call, without_intervals)
        differing = [n for n in sorted(a.keys() | b.keys()) if a.get(n) != b.get(n)]
        total += len(a.keys() | b.keys())
        bad += len(differing)
        print(f"{call}: {len(a)} files" + (f", {len(differing)} DIFFER: {differing[:6]}" if differing else ", the same"))
    print(f"{total - bad} passed, {bad} failed")
    return 1 if bad else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(required=True)
    verb = verbs.add_parser("record")
    verb.add_argument("program")
    verb.add_argument("folder", type=pathlib.Path)
    verb.add_argument("--world", type=pathlib.Path, required=True)
    verb.add_argument("--only", nargs="*", choices=PARTS)
    verb.set_defaults(run=record)
    verb = verbs.add_parser("compare")
    verb.add_argument("left", type=pathlib.Path)
    verb.add_argument("right", type=pathlib.Path)
    verb.add_argument("--without-intervals", action="store_true", help="values alone, where the rule of intervals has changed")
    verb.set_defaults(run=lambda a: compare(a.left, a.right, a.without_intervals))
    arguments = parser.parse_args()
    return arguments.run(arguments)


if __name__ == "__main__":
    sys.exit(main())

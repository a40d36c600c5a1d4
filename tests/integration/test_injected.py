# SPDX-License-Identifier: Apache-2.0
"""A failure in every stage of every pipeline: an allocation of each thread, a thread that cannot start, a write that fails, a signal at any moment. The call ends
with a reason, never by a crash or a hang, and calling it again comes to the same bytes as if nothing had happened."""
import json
import os
import pathlib
import random
import shutil
import signal
import socket
import subprocess
import sys
import time
import unittest

import build_sources
from cli import MPIRUN, SNELLEN, Case, call, contents, has_mpi, probe_c_groups, probe_c_scores
from served import mock_server
from test_bias import close_rows
from test_build_vilma import CHANGE, VilmaCase
from test_run_models import FIXTURES, HAS_NETWORKS, png
from test_training import SMALL
from test_visdial_cca import WORDS, dialogs

INJECTOR = pathlib.Path(SNELLEN).resolve().parent / "tests" / "libfault_injector.so"
ADAPTER = """
import json, sys
sys.stdin.readline()
print(json.dumps({"ready": True, "wants": "path"}), flush=True)
for line in sys.stdin:
    request = json.loads(line)
    if request["op"] == "bye": break
    print(json.dumps({"id": request["id"], "scores": [float(len(text)) for text in request["texts"]]}), flush=True)
"""
ENDED = {0, 1, 3, 4, 130}  # done, failed, bad input, failed items, interrupted


def tree(folder):
    """What a build or a training writes, without what tells times."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*"))
            if path.is_file() and path.name not in ("build.lock", "train.lock", "train.jsonl", "curves.svg", "summary.json")}


# A few faults of each pipeline, drawn by the seed; more and others with SNELLEN_INJECTED_FAULTS=30 SNELLEN_INJECTED_SEED=7, or in tools/soak.py.
FAULTS = int(os.environ.get("SNELLEN_INJECTED_FAULTS", 1))
SEED = os.environ.get("SNELLEN_INJECTED_SEED", "0")


def runs(folder):
    """Every run below a folder, controls too."""
    return {stamp.parent.relative_to(folder).as_posix(): contents(stamp.parent) for stamp in sorted(folder.rglob("run.json"))}


def weights(folder):
    return (folder / "model.safetensors").read_bytes()


class InjectedCase(Case):

    def setUp(self):
        super().setUp()
        self.write("data/data_compositional_switch.json", probe_c_groups(200))
        self.data = ["--data", self.folder / "data"]

    def items(self, count=24):
        rng = random.Random(1)
        for i in range(count):
            (self.folder / f"{i}.png").write_bytes(png(12, 9, rng))
        lines = [{"metric": "pairwise"}] + [{"id": f"i{i}", "visuals": [f"{i}.png"], "texts": ["a cat", f"a dog {i % 5}"], "right": 0} for i in range(count)]
        return ["--tasks", f"file:{self.write('items.jsonl', ''.join(json.dumps(line) + chr(10) for line in lines))}"]

    def world(self):
        made = call("build", "eyechart", "--out", self.folder / "world", "--size", "tiny", "--seed", 3)
        self.assertEqual(made.returncode, 0, made.stderr)
        return self.folder / "world"

    def call_with(self, arguments, **variables):
        environment = {**os.environ, "LD_PRELOAD": str(INJECTOR), **{f"SNELLEN_{name}": str(value) for name, value in variables.items()}}
        return call(*arguments, env=environment, timeout=90)

    def faults(self, arguments, has_torch, rng):
        """Allocations of every kind of thread, threads that cannot start, writes that fail."""
        counted = self.folder / "counts"
        result = self.call_with(arguments, ALLOCATIONS=counted)
        self.assertEqual(result.returncode, 0, result.stderr)
        *threads, writes = counted.read_text().splitlines()
        counts = [tuple(map(int, line.split())) for line in threads]
        # Libtorch's static initialisers and destructors, in the first thread, end the process without memory; that is not ours to mend.
        places = [(thread, rng.randint(1, count)) for thread, count in counts[1:] if count > 0]
        if not has_torch:
            places += [(0, rng.randint(min(5000, counts[0][1] - 1), counts[0][1])) for _ in range(3)]
        found = [{"FAIL_ALLOCATION": f"{thread}:{number}"} for thread, number in places]
        rng.shuffle(found)
        others = [{"FAIL_WRITE": rng.randint(1, int(writes.split()[1]))} for _ in range(max(1, FAULTS // 2))]
        others += [{"FAIL_THREAD": n} for n in ((1, 2, 4) if FAULTS > 4 else (rng.choice([1, 2, 3, 4]),))]
        return [*found[:1], rng.choice(others)] if FAULTS == 1 else found[:FAULTS] + others

    def check(self, arguments, output, compared, has_torch=False, name=None):
        """A pipeline: its arguments without the output flag, that flag, and what of its output must be the same. `name`: of the file that it writes."""
        rng = random.Random(f"{SEED}/{self.id()}")
        out = self.folder / "whole"  # results name their folders, so each is made in the same place
        command = [*arguments, output, out / name if name else out]
        if name:
            out.mkdir()
        faults = self.faults(command, has_torch, rng)
        expected = compared(out)
        for fault in faults:
            with self.subTest(**fault):
                shutil.rmtree(out)
                if name:
                    out.mkdir()
                result = self.call_with(command, **fault)
                told = result.stdout[-300:] + result.stderr[-900:]
                self.assertIn(result.returncode, ENDED, told)
                self.assertNotIn("please report", told)
                if result.returncode != 0:  # a fault that the call could do without leaves nothing to do
                    again = call(*command)
                    if again.returncode == 4:  # an item that failed for want of memory stays failed
                        continue
                    self.assertEqual(again.returncode, 0, (told, again.stderr))
                if result.returncode != 4:
                    self.assertEqual(compared(out), expected)

    def fake(self, *more):
        return ["run", "--model", "fake", "--tasks", "probe-c", *self.data, "--num-workers", 3, "--batch-size", 16, *more]


@unittest.skipUnless(INJECTOR.exists(), "the fault injector is not built (sanitizers have allocators of their own)")
class Injected(InjectedCase):
    def test_fake(self):
        self.check(self.fake(), "--output", runs)

    def test_controls(self):
        self.check(["run", "--model", "fake", *self.items(), "--num-workers", 2, "--control", "gray,gauss:50"], "--output", runs)

    def test_scores(self):
        scores = self.write("scores.jsonl", probe_c_scores(200))
        self.check(["run", "--model", f"file:{scores}", "--tasks", "probe-c", *self.data], "--output", runs)

    def test_adapter(self):
        self.check(["run", "--model", f"exec:{sys.executable} {self.write('adapter.py', ADAPTER)}", *self.items(), "--num-workers", 2], "--output", runs)

    def test_served(self):
        with mock_server() as url:
            self.check(["run", "--model", "openai:m", "--base-url", url, *self.items(6), "--no-cache"], "--output", runs)

    def test_merge(self):
        for shard in ("0/2", "1/2"):
            self.assertEqual(call(*self.fake("--shard", shard, "--output", self.folder / "shards")).returncode, 0)
        self.check(["merge", *sorted((self.folder / "shards").iterdir()), "--overwrite"], "--output", runs)

    def test_import(self):
        rows = "".join(json.dumps({"doc_id": i, "acc": i % 2}) + "\n" for i in range(60))
        self.check(["import", "lmms-eval", self.write("m/samples_t.jsonl", rows), "--metric", "acc"], "--output", runs)

    def test_report(self):
        for seed in (1, 2):
            self.assertEqual(call(*self.fake("--seed", seed, "--name", f"m{seed}", "--output", self.folder / "runs")).returncode, 0)
        self.check(["report", self.folder / "runs"], "--output", tree)

    def test_build_eyechart(self):
        self.check(["build", "eyechart", "--size", "tiny", "--scenes", 12], "--out", tree)

    def test_build_probe_c(self):
        self.write("nouns.txt", "dog\ncat\nbus\nroad\n")
        build_sources.captions(self.folder / "captions.json", images=40)
        self.check(["build", "probe-c", "--captions", self.folder / "captions.json", "--nouns", self.folder / "nouns.txt", "--threads", 3], "--out", tree)

    def test_build_probe_b(self):
        build_sources.coco(self.folder / "coco", images=4)
        self.check(["build", "probe-b", "--instances", self.folder / "coco/instances.json", "--images", self.folder / "coco/images", "--scenes",
                    self.folder / "coco/scenes", "--threads", 3], "--out", tree)

    def test_build_probe_r(self):
        build_sources.visual_genome(self.folder / "vg", images=60)
        self.check(["build", "probe-r", "--visual-genome", self.folder / "vg", "--min-object-images", 3, "--num-images", 3, "--threads", 3], "--out", tree)

    def test_build_relcomp(self):
        world = self.world()
        self.check(["build", "relcomp", "--captions", world / "coco/annotations/captions_train2014.json", "--coco-val",
                    world / "coco/annotations/captions_val2014.json", "--visual-genome", world / "visual_genome", "--min-noun-images", 1,
                    "--min-object-images", 1, "--threads", 2], "--out", tree)

    def test_build_control(self):
        for i in range(2):
            self.write(f"images/{i}.txt", "").with_suffix(".png").write_bytes(png(40, 40, random.Random(i)))
        for path in (self.folder / "images").glob("*.txt"):
            path.unlink()
        self.check(["build", "control", "--images", self.folder / "images"], "--out", tree)

    def test_build_vilma(self):
        changes = {f"{i:04d}": {"dataset": "coin", "change_of_state": CHANGE} for i in range(40)}
        self.check(["build", "vilma-change-state", "--data", self.write("base.json", changes), "--threads", 2], "--out", tree)

    def test_build_vilma_counting(self):
        VilmaCase.counting_sources(self, videos=3)
        self.check(["build", "vilma-counting", "-t", self.templates, "-p", self.foils, "-d", self.folder / "quva", "--num-examples", 12], "-o", tree)

    def test_build_vilma_rare_actions(self):
        VilmaCase.rare_sources(self)
        self.check(["build", "vilma-rare-actions", "-d", self.rareact, "--candidates", self.candidates], "--out", tree)

    def test_build_vilma_statistics(self):
        VilmaCase.rare_sources(self)
        self.assertEqual(VilmaCase.rare(self, "one").returncode, 0)
        self.check(["build", "vilma-statistics", "-a", self.folder / "one/rare-actions-verb-foils.json"], "--out", tree)

    def test_score_bias_close(self):
        answers = self.write("answers.jsonl", "".join(json.dumps(row) + "\n" for row in close_rows(120)))
        self.check(["score", "bias-close", "--answers", answers, "--num-workers", 2], "--output", runs)

    def test_score_visdial_gen(self):
        generated = [{"image_id": i, "round_id": r, "generations": [f"yes it is {r}", "a red dog"]} for i in range(8) for r in range(3)]
        references = [{"image_id": i, "round_id": r, "refs": [f"yes, it is {r}", "a brown dog"]} for i in range(8) for r in range(3)]
        self.check(["score", "visdial-gen", "--generations", self.write("gens.json", generated), "--references", self.write("refs.json", references),
                    "--num-workers", 2, "--cache-dir", self.folder / "cache"], "--output", runs)

    def test_patch(self):
        self.check(["patch", FIXTURES / "clip", FIXTURES / "clip", "--alpha", 0.5], "--output", tree)

    def test_export_requests(self):
        self.check(["run", "--tasks", "vilma/relations", "--data", self.world(), "--num-workers", 2], "--export-requests", tree, name="requests.jsonl")


@unittest.skipUnless(INJECTOR.exists(), "the fault injector is not built (sanitizers have allocators of their own)")
class InjectedDialogs(InjectedCase):
    """VisDial without networks: the fit, what is built from it, ranks."""

    def setUp(self):
        super().setUp()
        rng = random.Random(5)
        words = {word: [round(rng.gauss(0, 1), 3) for _ in range(8)] for word in [*WORDS, "?", "<EOS>", "<UNK>"]}
        self.words = self.write("words.json", {"dim": 8, "vectors": words})
        self.train, self.val = self.write("train.json", dialogs(1, 12, "train")), self.write("val.json", dialogs(2, 4, "val2018"))
        self.fit = ["train", "cca", "--dialogs", self.train, "--word-vectors", self.words, "--k", "8", "--threads", 2]

    def fitted(self):
        made = call(*self.fit, "--output", self.folder / "cca")
        self.assertEqual(made.returncode, 0, made.stderr)
        return self.folder / "cca"

    def test_train_cca(self):
        self.check(self.fit, "--output", tree)

    def test_build_densevisdial(self):
        self.check(["build", "densevisdial", "--dialogs", self.val, "--projections", self.fitted(), "--cluster-method", "S,M"], "--out", tree)

    def test_build_visdial_generations(self):
        self.check(["build", "visdial-generations", "--projections", self.fitted(), "--training-dialogs", self.train, "--dialogs", self.val, "--k", "1,5"],
                   "--out", tree)

    def test_ranks_of_answers(self):
        self.check(["run", "--model", f"cca:{self.fitted()}", "--tasks", "visdial-rank", "--dialogs", self.val, "--num-workers", 2], "--output", runs)


@unittest.skipUnless(INJECTOR.exists() and has_mpi(), "the fault injector is not built, or there is no mpirun that works here")
class InjectedRanks(InjectedCase):
    """Threads of rank 0 that cannot start, while the other rank is well: nobody waits for ever. The tenth is the one that scores, behind those of MPI."""

    def test_threads_that_cannot_start(self):
        command = [SNELLEN, *map(str, self.fake("--num-workers", 2)), "--output", str(self.folder / "whole")]
        for first in (9, 10, 11) if FAULTS == 1 else range(1, 16):
            with self.subTest(first_missing=first):
                broken = ["-n", "1", "-x", f"LD_PRELOAD={INJECTOR}", "-x", f"SNELLEN_FAIL_THREAD={first}", *command]
                # In a session of its own, which a process that waits for ever does not outlive.
                process = subprocess.Popen([*MPIRUN, *broken, ":", "-n", "1", *command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                           start_new_session=True)
                try:
                    told, _ = process.communicate(timeout=60)
                except subprocess.TimeoutExpired:
                    os.killpg(process.pid, signal.SIGKILL)
                    process.communicate()
                    self.fail("did not end within 60 s")
                self.assertNotIn("please report", told)
        again = subprocess.run(command, capture_output=True, text=True)
        self.assertEqual(again.returncode, 0, again.stderr)
        found = runs(self.folder / "whole")
        shutil.rmtree(self.folder / "whole")
        self.assertEqual(subprocess.run(command, capture_output=True).returncode, 0)
        self.assertEqual(runs(self.folder / "whole"), found)


@unittest.skipUnless(INJECTOR.exists() and HAS_NETWORKS, "the fault injector is not built, or this build has no torch")
class InjectedNetworks(InjectedCase):
    def run_model(self, *models, more=("--no-cache",)):
        named = [word for model in models for word in ("--model", FIXTURES / model)]
        self.check(["run", *named, *self.items(), "--num-workers", 2, *more], "--output", runs, has_torch=True)

    def test_dual_encoder(self):
        self.run_model("clip")

    def test_pairs(self):
        self.run_model("vilt")

    def test_likelihood(self):
        self.run_model("gpt2_sharded")

    def test_several_models(self):
        self.run_model("clip", "vilt")

    def test_cache(self):
        self.run_model("clip", more=("--cache", self.folder / "cache"))

    def test_video_model(self):
        self.check(["run", "--model", FIXTURES / "xclip", "--tasks", "vilma/relations", "--data", self.world(), "--limit", 4, "--num-workers", 2, "--no-cache"],
                   "--output", runs, has_torch=True)

    def test_zeroshot(self):
        for name in ("cat", "dog", "bus", "owl", "cup", "tree"):
            path = self.write(f"set/{name}/0.png", "")
            path.write_bytes(png(12, 9, random.Random(name)))
        self.check(["zeroshot", "--model", FIXTURES / "clip", "--images", self.folder / "set", "--threads", 2], "--output", tree, has_torch=True)

    def test_media_features(self):
        made = dialogs(1, 6, "train")
        for one in made["data"]["dialogs"]:
            path = self.write(f"pictures/VisualDialog_train_{one['image_id']:012d}.jpg", "")
            path.write_bytes(png(12, 9, random.Random(one["image_id"])))
        self.check(["media", "features", "--model", FIXTURES / "clip", "--dialogs", self.write("dialogs.json", made), "--images", self.folder / "pictures",
                    "--threads", 2], "--output", tree, has_torch=True, name="features.npy")

    def test_video(self):
        self.check(["run", "--model", FIXTURES / "clip", "--tasks", "vilma/relations", "--data", self.world(), "--limit", 4, "--num-workers", 2, "--no-cache"],
                   "--output", runs, has_torch=True)

    def test_train(self):
        config = self.write("clip.json", SMALL["clip"])
        self.check(["train", "--arch", "clip", "--init", config, "--scenes", 16, "--batch-size", 8, "--steps", 3, "--checkpoint-every", 1,
                    "--torch-threads", 1, "--num-workers", 2], "--output", weights, has_torch=True)

    def test_finetune(self):
        config = self.write("clip.json", SMALL["clip"])
        base = call("train", "--arch", "clip", "--init", config, "--scenes", 16, "--batch-size", 8, "--steps", 1, "--torch-threads", 1, "--output",
                    self.folder / "base")
        self.assertEqual(base.returncode, 0, base.stderr)
        self.check(["finetune", "--model", self.folder / "base", "--scenes", 16, "--batch-size", 8, "--steps", 2, "--checkpoint-every", 1, "--torch-threads", 1,
                    "--num-workers", 2], "--output", weights, has_torch=True)


class Signals(Case):
    """SIGTERM and SIGINT end a run wherever it is."""

    def end_with(self, arguments, number, after, may_end_by_it=False):
        process = subprocess.Popen([SNELLEN, *map(str, arguments)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        time.sleep(after)
        process.send_signal(number)
        try:
            _, errors = process.communicate(timeout=30)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            self.fail(f"{arguments[0]} did not end within 30 s of signal {number} after {after} s")
        self.assertIn(process.returncode, (0, 130, *([-number] if may_end_by_it else [])), errors)
        self.assertNotIn("please report", errors)

    def write_item(self):
        (self.folder / "0.png").write_bytes(png(12, 9, random.Random(1)))
        self.write("items.jsonl", '{"metric": "pairwise"}\n{"id": "a", "visuals": ["0.png"], "texts": ["x", "y"], "right": 0}\n')

    def test_at_any_moment_of_a_run(self):
        self.write("data/data_compositional_switch.json", probe_c_groups(3000))
        rng = random.Random(2)
        for i in range(6):
            self.end_with(["run", "--model", "fake:wait=500", "--tasks", "probe-c", "--data", self.folder / "data", "--num-workers", 2, "--output",
                           self.folder / f"out{i}"], rng.choice([signal.SIGTERM, signal.SIGINT]), 0.3 + 0.5 * rng.random())

    def check_any_moment(self, arguments, output, compared, seconds, may_end_by_it=False, times=3):
        """Ended at random moments, then called again to its end: as if nothing had happened."""
        out = self.folder / "out"
        self.assertEqual(call(*arguments, output, out).returncode, 0)
        expected = compared(out)
        shutil.rmtree(out)
        rng = random.Random(f"{SEED}/{self.id()}")
        for _ in range(times):
            self.end_with([*arguments, output, out], rng.choice([signal.SIGTERM, signal.SIGINT]), seconds * rng.random(), may_end_by_it)
        result = call(*arguments, output, out)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(compared(out), expected)

    def test_at_any_moment_of_a_build(self):
        build_sources.coco(self.folder / "coco", images=12)
        self.check_any_moment(["build", "probe-b", "--instances", self.folder / "coco/instances.json", "--images", self.folder / "coco/images", "--scenes",
                               self.folder / "coco/scenes", "--threads", 2], "--out", tree, 0.4, may_end_by_it=True)

    @unittest.skipUnless(HAS_NETWORKS, "this build has no torch")
    def test_at_any_moment_of_decoding_and_forwards(self):
        rng = random.Random(4)
        for i in range(60):
            (self.folder / f"{i}.png").write_bytes(png(90, 70, rng))
        lines = [{"metric": "pairwise"}] + [{"id": f"i{i}", "visuals": [f"{i}.png"], "texts": ["a cat", f"a dog {i}"], "right": 0} for i in range(60)]
        items = self.write("items.jsonl", "".join(json.dumps(line) + "\n" for line in lines))
        # Before main() handles signals, while libtorch is loaded, one ends the process by itself.
        self.check_any_moment(["run", "--model", FIXTURES / "vilt", "--tasks", f"file:{items}", "--num-workers", 2, "--no-cache"], "--output", runs, 1.5,
                              may_end_by_it=True)

    @unittest.skipUnless(HAS_NETWORKS, "this build has no torch")
    def test_at_any_moment_of_a_training(self):
        config = self.write("clip.json", SMALL["clip"])
        self.check_any_moment(["train", "--arch", "clip", "--init", config, "--scenes", 16, "--batch-size", 8, "--steps", 12, "--checkpoint-every", 2,
                               "--torch-threads", 1, "--num-workers", 2], "--output", weights, 1.5, may_end_by_it=True)

    def test_while_an_adapter_never_answers(self):
        adapter = self.write("silent.py", "import json, sys, time\nsys.stdin.readline()\nprint(json.dumps({'ready': True}), flush=True)\ntime.sleep(600)\n")
        self.write_item()
        for number in (signal.SIGTERM, signal.SIGINT):
            self.end_with(["run", "--model", f"exec:{sys.executable} {adapter}", "--tasks", f"file:{self.folder / 'items.jsonl'}", "--output",
                           self.folder / f"out{number}"], number, 1.0)

    def test_while_a_server_never_answers(self):
        with socket.socket() as server:
            server.bind(("127.0.0.1", 0))
            server.listen(20)  # connections are taken by the system, nobody reads them
            self.write_item()
            for number in (signal.SIGTERM, signal.SIGINT):
                self.end_with(["run", "--model", "openai:m", "--base-url", f"http://127.0.0.1:{server.getsockname()[1]}/v1", "--no-cache", "--tasks",
                               f"file:{self.folder / 'items.jsonl'}", "--output", self.folder / f"out{number}"], number, 1.0)

    def test_while_an_adapter_never_says_that_it_is_ready(self):
        adapter = self.write("mute.py", "import time\ntime.sleep(600)\n")
        self.write_item()
        self.end_with(["run", "--model", f"exec:{sys.executable} {adapter}", "--tasks", f"file:{self.folder / 'items.jsonl'}", "--output",
                       self.folder / "out"], signal.SIGTERM, 1.0)


if __name__ == "__main__":
    unittest.main()

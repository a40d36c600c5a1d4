# SPDX-License-Identifier: Apache-2.0
"""Programs as models: the protocol of docs/adapters.md, and everything that a program can do wrong."""
import json
import os
import pathlib
import random
import re
import signal
import sqlite3
import subprocess
import sys
import time
import unittest

import test_vilma_models
from cli import SNELLEN, Case, call, contents, probe_c_groups
from test_run_models import FIXTURES, HAS_NETWORKS, name_of, png

ROOT = pathlib.Path(__file__).resolve().parents[2]
PEERS = pathlib.Path(os.environ.get("SNELLEN_PEERS", ROOT / ".venv-peers")) / "bin" / "python"

# A program whose behaviour is its first argument. Scores depend on the text and the picture's name alone.
CHILD = r'''
import json, os, select, sys, time, zlib
how, folder = sys.argv[1], sys.argv[2]
with open(os.path.join(folder, "starts"), "a") as file:
    file.write("%d\n" % os.getpid())
wants = "path" if how == "looks" else "texts"

if how.startswith("detaches"):
    import subprocess
    # A daemon: a session of its own, no open pipes and, the second time, no parent.
    mark = "import os, time; open(%r, 'a').write('%%d\\n' %% os.getpid()); time.sleep(100)" % os.path.join(folder, "starts")
    start = "import subprocess, sys; subprocess.Popen([sys.executable, '-c', %r], start_new_session=True)" % mark
    quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "start_new_session": True}
    subprocess.Popen([sys.executable, "-c", mark if how == "detaches" else start], **quiet)
    while open(os.path.join(folder, "starts")).read().count("\n") < 2: time.sleep(0.01)

def say(line):
    sys.stdout.write(line + "\n")
    sys.stdout.flush()

def scores(request):
    name = os.path.basename(request["image"] or "")
    return [zlib.crc32((name + text).encode()) / 2 ** 32 for text in request["texts"]]

def answer(request):
    say(json.dumps({"id": request["id"], "scores": scores(request)}))

if how == "never": time.sleep(1000)
sys.stdin.readline()
if how == "old": say('{"ready": true, "version": 9}')
if how == "refuses": say('{"error": "there are no weights"}')
if how == "talks": say("Loading...")
if how == "noisy": sys.stderr.write("hello people\n" + "x" * 100000 + "\n" + "y\n" * 10000)
say(json.dumps({"ready": True, "version": 1, "mode": "similarity", "name": how, "wants": wants,
                "max_texts": 1 if how == "few" else None}))
held = []
for number, line in enumerate(iter(sys.stdin.readline, "")):
    request = json.loads(line)
    if request["op"] == "bye": break
    is_it = request["item"] == "composition/7"
    if how == "backwards":
        held.append(request)
        if not select.select([sys.stdin], [], [], 0.02)[0]:
            while held: answer(held.pop())
        continue
    if how in ("slow", "detaches_twice") and os.path.exists(os.path.join(folder, "is_slow")): time.sleep(0.1)
    if how == "crashes" and is_it: os.abort()
    if how == "crashes_always": os._exit(5)
    if how == "crashes_once" and is_it and not os.path.exists(os.path.join(folder, "crashed")):
        open(os.path.join(folder, "crashed"), "w").close()
        os._exit(1)
    if how == "closes" and number == 5: sys.exit(0)
    if how == "hangs" and is_it: time.sleep(1000)
    if how == "silent" and is_it: continue
    if how == "garbage" and is_it:
        say("Segmentation fault? no, just talking")
        continue
    if how == "long" and is_it:
        try:
            for _ in range(1024): sys.stdout.write("x" * 2 ** 20)
            sys.stdout.flush()
        except OSError:
            os._exit(0)
        continue
    if how == "unknown" and is_it: request["id"] = "somebody/else"
    if how == "wrong_number" and is_it: request["texts"].append("one more")
    if how == "not_finite" and is_it:
        say('{"id": %s, "scores": [NaN, -Infinity]}' % json.dumps(request["id"]))
        continue
    if how == "errs" and is_it:
        say(json.dumps({"id": request["id"], "error": "too dark"}))
        continue
    if how == "errs_at_length" and is_it:
        say(json.dumps({"id": request["id"], "error": "a" + 150 * "\u00e9"}))
        continue
    answer(request)
    if how == "twice" and is_it: answer(request)
while held: answer(held.pop())
'''
NAMED = r"""
import json, sys
sys.stdin.readline()
print(json.dumps(json.loads(r'''%(ready)s''')), flush=True)
for line in sys.stdin:
    request = json.loads(line)
    if request["op"] == "bye": break
    print(json.dumps({"id": request["id"], "scores": [len(text) for text in request["texts"]]}), flush=True)
"""
# The first score of an item is its number of frames.
CLIP_CHILD = r'''
import json, os, sys
sys.stdin.readline()
print(json.dumps({"ready": True}), flush=True)
for line in sys.stdin:
    request = json.loads(line)
    if request["op"] == "bye": break
    assert os.path.exists(request["video"])
    frames = sorted(os.listdir(request["frames_dir"])) if request["frames_dir"] else []
    assert frames == ["%04d.png" % i for i in range(len(frames))]
    for name in frames:
        with open(os.path.join(request["frames_dir"], name), "rb") as file:
            assert file.read(4) == b"\x89PNG"
    print(json.dumps({"id": request["id"], "scores": [len(frames)] + [-i for i in range(1, len(request["texts"]))]}), flush=True)
'''
COUNT = 40


class RunsPrograms(Case):
    def setUp(self):
        super().setUp()
        self.write("child.py", CHILD)
        self.write("data/data_compositional_switch.json", probe_c_groups(COUNT))

    def arguments(self, how, output="out", *more):
        return ["run", "--model", f"exec:{sys.executable} {self.folder}/child.py {how} {self.folder}", "--tasks", "probe-c", "--data",
                self.folder / "data", "--output", self.folder / output, *more]

    def run_child(self, how, *more, output="out"):
        return call(*self.arguments(how, output, *more), timeout=60)

    def starts(self):
        return (self.folder / "starts").read_text().split()

    def samples(self, output="out"):
        database = sqlite3.connect(self.folder / output / "exec-probe-c" / "samples.db")
        rows = database.execute("select item, status from samples").fetchall()
        database.close()
        return rows

    def expect_one_failure(self, how, *words, starts, flags=()):
        """The item of that name fails with its reason, all others are scored. Asked one by one, `starts` is exact. With many requests at once threads decide
        which one the program gets last; where that is the bad one, nothing is left to ask after it and the last start is spared."""
        for in_flight in (1, 64):
            with self.subTest(how, in_flight=in_flight):
                (self.folder / "starts").unlink(missing_ok=True)
                result = self.run_child(how, "--exec-in-flight", in_flight, *flags, output=f"out{in_flight}")
                self.assertEqual(result.returncode, 4, result.stderr)
                self.assertIn("1 of 40 items failed", result.stderr)
                self.assertIn("composition/7", result.stderr)
                for word in words:
                    self.assertIn(word, result.stderr)
                found = len(self.starts())
                self.assertIn(found, {starts} if in_flight == 1 or starts == 1 else {starts - 1, starts})
                told = re.search(r"restarted (\d+) times", result.stderr)
                self.assertEqual(found, 1 + (int(told[1]) if told else 0))

    def expect_clean_end(self, result, *words, starts=4):
        self.expect_error(result, 1, *words)
        self.assertLessEqual(len(self.starts()), starts)
        self.assertNoChildren()

    def assertNoChildren(self):
        for pid in self.starts():
            for _ in range(100):
                try:
                    state = pathlib.Path(f"/proc/{pid}/stat").read_text().split(")")[-1].split()[0]
                except OSError:
                    break
                if state == "Z":
                    break
                time.sleep(0.02)
            else:
                self.fail(f"process {pid} is still there")

    def test_a_program_scores_a_task(self):
        result = self.run_child("good")
        self.assertEqual(result.returncode, 0, result.stderr)
        # It sees texts alone: both pictures of a group ask the same.
        requests = len({(group["img1_prompt"], group["img2_prompt"]) for group in probe_c_groups(COUNT)})
        self.assertIn(f"adapter good answered {requests} requests", result.stderr)
        self.assertEqual(len(self.starts()), 1)
        self.assertNoChildren()
        stamp = json.loads((self.folder / "out/exec-probe-c/run.json").read_text())
        self.assertEqual(stamp["identity"]["model"]["adapter"], "good")

    def test_the_order_of_answers_the_number_in_flight_and_of_texts_change_nothing(self):
        self.run_child("good", "--exec-in-flight", 1)
        want = contents(self.folder / "out" / "exec-probe-c")
        for how, flags in (("good", ("--exec-in-flight", 64)), ("backwards", ()), ("few", ()), ("good", ("--num-workers", 7))):
            result = self.run_child(how, *flags, "--overwrite")
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertEqual(contents(self.folder / "out" / "exec-probe-c"), want, how)

    def test_it_is_shown_pictures(self):
        images = self.folder / "images"
        images.mkdir()
        rng = random.Random(1)
        for number in range(1, COUNT):
            (images / name_of(number)).write_bytes(png(8, 8, rng))
        result = self.run_child("looks", "--root-image-dir", images)
        self.assertEqual(result.returncode, 4, result.stderr)
        self.assertIn("cannot be opened", result.stderr)  # picture 0 is not there
        self.assertGreater([status for _, status in self.samples()].count("scored"), COUNT // 2)

    def test_a_crash_fails_the_item_that_causes_it_alone(self):
        self.expect_one_failure("crashes", "signal 6", starts=3)

    def test_a_crash_that_does_not_come_again_fails_nothing(self):
        result = self.run_child("crashes_once")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(len(self.starts()), 2)
        want = self.run_child("good", output="good")
        self.assertEqual(want.returncode, 0)
        found, wanted = (contents(self.folder / name / "exec-probe-c") for name in ("out", "good"))
        self.assertEqual(found, wanted)

    def test_a_program_that_always_crashes_ends_the_run(self):
        self.expect_clean_end(self.run_child("crashes_always"), "exit status 5", "start 4 of at most 4")
        self.assertEqual(len(self.starts()), 4)

    def test_restarts_can_be_forbidden(self):
        self.expect_clean_end(self.run_child("crashes_always", "--exec-restarts", 0), "start 1 of at most 1", starts=1)

    def test_a_garbage_line(self):
        self.expect_one_failure("garbage", "not a JSON object", "just talking", starts=3)

    def test_a_line_of_a_gigabyte(self):
        self.expect_one_failure("long", "line of more than", starts=3)

    def test_an_unknown_id(self):
        self.expect_one_failure("unknown", "answered 'somebody/else', which was not asked", starts=3)

    def test_an_answer_that_comes_twice(self):
        result = self.run_child("twice")
        # The first answer counts; the program is not trusted further and starts anew.
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("restarted", result.stderr)

    def test_the_wrong_number_of_scores(self):
        self.expect_one_failure("wrong_number", "gave 3 scores for 2 texts", starts=1)

    def test_scores_that_are_not_finite(self):
        self.expect_one_failure("not_finite", 'number 1 of the adapter\'s "scores" is not a finite number', starts=1)

    def test_an_error_of_one_item(self):
        self.expect_one_failure("errs", "the adapter says: too dark", starts=1)

    def test_a_hang(self):
        self.expect_one_failure("hangs", "no answer for 0.5 s", starts=3, flags=("--exec-timeout", 0.5))

    def test_an_item_that_is_never_answered(self):
        self.expect_one_failure("silent", "--exec-timeout", starts=3, flags=("--exec-timeout", 0.5))

    def test_a_program_that_closes_early(self):
        # One request at a time, so that it is known how far it comes: four answers a start.
        self.expect_clean_end(self.run_child("closes", "--exec-in-flight", 1), "exit status 0")
        # What was scored before is kept.
        self.assertGreater(len(self.samples()), 3)

    def test_a_program_that_is_never_ready(self):
        self.expect_error(self.run_child("never", "--exec-start-timeout", 0.5), 3, "not ready after 0.5 s")
        self.assertNoChildren()
        self.expect_error(self.run_child("refuses"), 3, "there are no weights")
        self.expect(self.run_child("talks"), 0, "adapter: Loading...")
        self.expect_error(self.run_child("old"), 3, "version 9")
        self.expect_error(call("run", "--model", "exec:/no/such/program", "--tasks", "probe-c", "--data", self.folder / "data"), 3, "127")
        self.expect_error(call("run", "--model", "exec:", "--tasks", "probe-c", "--data", self.folder / "data"), 2, "no command")
        self.expect_error(self.run_child("good", "--exec-in-flight", 0), 2, "--exec-in-flight")

    def test_what_it_writes_for_people_is_shown_within_bounds(self):
        result = self.run_child("noisy")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("adapter: hello people\n", result.stderr)
        self.assertLess(len(result.stderr), 100000)

    def wait_for_start(self):
        for _ in range(500):
            if (self.folder / "starts").exists() and list((self.folder / "out").glob("*/samples.db")):
                return
            time.sleep(0.01)
        self.fail("it did not start")

    def wait_for_samples(self):
        for _ in range(1000):
            try:
                if self.samples():
                    return
            except sqlite3.Error:
                pass
            time.sleep(0.01)
        self.fail("it recorded nothing")

    def test_ctrl_c_keeps_what_was_scored_and_leaves_no_process(self):
        self.write("is_slow", "")
        process = subprocess.Popen([SNELLEN, *map(str, self.arguments("slow"))], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self.wait_for_start()
        self.wait_for_samples()
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=20)
        self.assertEqual(process.returncode, 130, errors)
        self.assertNoChildren()
        self.assertGreater(len(self.samples()), 0)
        (self.folder / "is_slow").unlink()
        result = self.run_child("slow")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("were already there", result.stderr)

    def test_processes_in_sessions_of_their_own_end_with_the_run(self):
        for how in ("detaches", "detaches_twice"):
            with self.subTest(how):
                (self.folder / "starts").unlink(missing_ok=True)
                result = self.run_child(how, "--overwrite")
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertEqual(len(self.starts()), 2)
                self.assertNoChildren()

    def test_processes_in_sessions_of_their_own_end_with_a_host_that_is_killed(self):
        self.write("is_slow", "")
        process = subprocess.Popen([SNELLEN, *map(str, self.arguments("detaches_twice"))], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.wait_for_start()
        process.send_signal(signal.SIGKILL)
        process.wait()
        self.assertEqual(len(self.starts()), 2)
        self.assertNoChildren()

    def test_ids_of_items_may_look_like_those_of_requests(self):
        lines = [{"metric": "winoground"}]
        for i in range(40):
            lines.append({"id": f"a{i}", "visuals": ["x.png", "y.png"], "texts": ["one", "two"]})
            lines.append({"id": f"a{i}#1", "visuals": ["x.png", "y.png"], "texts": ["one", "two"]})
        items = self.write("items.jsonl", "".join(json.dumps(line) + "\n" for line in lines))
        found = []
        for number in (1, 4, 16):
            result = call("run", "--model", f"exec:{sys.executable} {self.folder}/child.py good {self.folder}", "--tasks", f"file:{items}",
                          "--output", self.folder / f"out{number}", "--exec-in-flight", number, timeout=60)
            self.assertEqual(result.returncode, 0, result.stderr)
            found.append(contents(self.folder / f"out{number}" / "exec-items"))
        self.assertEqual(found[1:], found[:1] * 2)

    def run_named(self, *more, **said):
        """A program that says this of itself."""
        self.write("named.py", NAMED % {"ready": json.dumps({"ready": True, "wants": "texts", **said})})
        return call("run", "--model", f"exec:{sys.executable} {self.folder}/named.py", "--tasks", "probe-c", "--data", self.folder / "data",
                    "--output", self.folder / "out", *more, timeout=60)

    def test_a_long_name_or_reason_is_cut_between_characters(self):
        for letter in ("é", "語", "👁"):
            for first in ("", "a", "ab", "abc"):
                with self.subTest(first + letter):
                    text = first + 150 * letter
                    self.expect(self.run_named("--overwrite", name=text, identity=text), 0)
                    stamp = json.loads((self.folder / "out/exec-probe-c/run.json").read_text())["identity"]["model"]
                    self.assertTrue(text.startswith(stamp["adapter"]))
                    self.assertIn(len(stamp["adapter"].encode()), range(197, 201))
        self.expect_error(self.run_named("--overwrite", error="a" + 150 * "é"), 3, "aéé")

    def test_an_error_of_an_item_is_cut_between_characters(self):
        self.expect_one_failure("errs_at_length", "the adapter says: aéé", starts=1)

    def test_identities_that_differ_at_their_end_are_noticed(self):
        long = 500 * "x"
        self.assertEqual(self.run_named(identity=long + "1").returncode, 0)
        self.assertEqual(self.run_named(identity=long + "1").returncode, 0)
        self.expect_error(self.run_named(identity=long + "2"), 2, "holds another run", "adapter_identity")

    def run_helper(self, body, *more):
        """An adapter that is made with the helper of examples/adapter_python."""
        adapter = self.write("helped.py", "import sys\nprint('printed at import')\n"
                             f"sys.path.insert(0, {str(ROOT / 'examples/adapter_python')!r})\nfrom adapter import serve\nprint('and after it')\n" + body)
        return call("run", "--model", f"exec:{sys.executable} {adapter}", "--tasks", "probe-c", "--data", self.folder / "data", "--root-image-dir",
                    self.folder / "images", "--output", self.folder / "out", "--cache", self.folder / "cache", *more, timeout=60)

    def write_images(self):
        (self.folder / "images").mkdir(exist_ok=True)
        for number in range(COUNT):
            (self.folder / "images" / name_of(number)).write_bytes(png(8, 8, random.Random(number)))

    def scores(self, name="exec"):
        database = sqlite3.connect(self.folder / "out" / f"{name}-probe-c" / "samples.db")
        rows = database.execute("select score from scores order by sample, place").fetchall()
        database.close()
        return [number for number, in rows]

    ROWS = """
import os, zlib
def row(text): return [zlib.crc32((str(i) + text).encode()) / 2 ** 32 - .5 for i in range(8)]
def embed_images(requests): return [row(os.path.basename(one["image"])) for one in requests]
def embed_texts(texts): return [row(one) for one in texts]
"""

    def test_a_dual_encoder_embeds_each_side_once_and_is_kept_between_runs(self):
        self.write_images()
        body = self.ROWS + "serve(embed_images=embed_images, embed_texts=embed_texts, scale=3, name='rows', identity='v1')\n"
        first = self.run_helper(body)
        self.expect(first, 0, "adapter: printed at import", "adapter: and after it")
        groups = probe_c_groups(COUNT)
        texts = {group[key] for group in groups for key in ("img1_prompt", "img2_prompt")}
        pictures = {str(group[key]) for group in groups for key in ("img1_id", "img2_id")}
        self.assertIn(f"adapter rows answered {len(texts) + len(pictures)} requests", first.stderr)
        again = self.run_helper(body, "--overwrite")
        self.assertIn("adapter rows answered 0 requests", again.stderr)
        found = self.scores()
        scored = self.run_helper(self.ROWS + """
import math
def score_batch(requests):
    def cosine(a, b): return sum(x * y for x, y in zip(a, b)) / math.hypot(*a) / math.hypot(*b)
    return [[3 * cosine(embed_images([one])[0], row(text)) for text in one["texts"]] for one in requests]
serve(score_batch=score_batch, independent_scores=True, name='pairs', identity='v1')
""", "--name", "pairs")
        self.expect(scored, 0, f"adapter pairs answered {len(pictures)} requests")
        for one, other in zip(found, self.scores("pairs"), strict=True):
            self.assertAlmostEqual(one, other, delta=1e-6)

    def test_one_of_a_batch_fails_alone_and_names_what_is_wrong(self):
        self.write_images()
        result = self.run_helper(f"""
import os
def score_batch(requests):
    if any(os.path.basename(one["image"]) == {name_of(7)!r} for one in requests): raise ValueError("too dark")
    return [[len(text) for text in one["texts"]] for one in requests]
serve(score_batch=score_batch, name='pairs')
""")
        self.expect(result, 4, "the adapter says: ValueError: too dark")
        shown = sum("7" in (str(group["img1_id"]), str(group["img2_id"])) for group in probe_c_groups(COUNT))
        self.assertIn(f"{shown} of {COUNT} items failed", result.stderr)

    def test_a_field_that_is_not_there_is_named_with_those_that_are(self):
        self.write_images()
        result = self.run_helper("serve(lambda request: [len(request['picture'])], name='wrong')\n")
        self.expect(result, 1, "KeyError: 'picture' (fields of a request: op, id,", "image, video, frames_dir")

    def test_nothing_is_left_when_the_host_is_killed(self):
        self.write("is_slow", "")
        process = subprocess.Popen([SNELLEN, *map(str, self.arguments("slow"))], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.wait_for_start()
        process.send_signal(signal.SIGKILL)
        process.wait()
        self.assertNoChildren()


class ClipsForPrograms(test_vilma_models.VilmaCase):
    def run_child(self, output, *more):
        child = self.write("child.py", CLIP_CHILD)
        result = call("run", "--model", f"exec:{sys.executable} {child}", "--tasks", "vilma/relations", "--data", self.world, "--output",
                      self.folder / output, *more)
        self.assertEqual(result.returncode, 0, result.stderr)
        return self.folder / output / "exec-vilma_relations"

    def test_clips_come_as_frames_and_leave_nothing_behind(self):
        for number, flags in ((4, ("--frames", 4)), (3, ("--num-frames", 3, "--frames", 4))):
            folder = self.run_child(f"out{number}", *flags)
            frames = json.loads((folder / "vilma" / "relations_frames.json").read_text())
            self.assertTrue(frames)
            for entry in frames.values():
                self.assertEqual(len(entry["frames"]), number)
            for entry in json.loads((folder / "vilma" / "relations_main.json").read_text()).values():
                self.assertEqual(entry["scores"][0], number)
            self.assertEqual([path.name for path in (self.folder / f"out{number}").iterdir()], ["exec-vilma_relations"])

    def test_clips_come_as_paths(self):
        folder = self.run_child("out")
        for entry in json.loads((folder / "vilma" / "relations_main.json").read_text()).values():
            self.assertEqual(entry["scores"][0], 0)


def has_transformers():
    return PEERS.exists() and subprocess.run([PEERS, "-c", "import transformers"], capture_output=True).returncode == 0


@unittest.skipUnless(HAS_NETWORKS, "this build has no torch")
@unittest.skipUnless(has_transformers(), "no transformers in .venv-peers")
class TheExampleAdapter(Case):
    def test_it_gives_the_scores_of_the_native_model(self):
        rng = random.Random(5)
        images = self.folder / "images"
        images.mkdir()
        groups = probe_c_groups(12)
        for number in range(12):
            (images / name_of(number)).write_bytes(png(rng.randrange(20, 60), rng.randrange(20, 60), rng))
        self.write("data/data_compositional_switch.json", groups)
        common = ["--tasks", "probe-c", "--data", self.folder / "data", "--root-image-dir", images, "--output", self.folder / "out"]
        adapter = f"{PEERS} {ROOT}/examples/adapter_python/clip_adapter.py {FIXTURES}/clip"
        self.expect(call("run", "--model", FIXTURES / "clip", "--name", "native", *common), 0)
        for wants, mode in (("path", "embedding"), ("pixels", "similarity")):
            self.expect(call("run", "--model", f"exec:{adapter} --wants {wants} --mode {mode}", "--name", wants, *common), 0)
            native, ours = (self.scores(name) for name in ("native", wants))
            self.assertEqual(len(native), 48)
            # Both in float32; the sums differ in order.
            for one, other in zip(native, ours):
                self.assertAlmostEqual(one, other, delta=1e-4 * max(map(abs, native)))

    def scores(self, name):
        database = sqlite3.connect(self.folder / "out" / f"{name}-probe-c" / "samples.db")
        rows = database.execute("select score from scores order by sample, place").fetchall()
        database.close()
        return [number for number, in rows]


if __name__ == "__main__":
    unittest.main()

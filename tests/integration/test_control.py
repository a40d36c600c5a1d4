# SPDX-License-Identifier: Apache-2.0
"""`run --control`: the run itself keeps its bytes, rungs resume, merge and verify, and verdicts come out right on models that
see, that do not, and that need the order of frames."""
import json
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import zlib

from cli import SNELLEN, Case, call, contents
from pictures import write_png
from served import Scripted, completion, first_pixel_of, pictures_of, text_of
from test_run_models import FIXTURES, HAS_NETWORKS, NUM_PICTURES, make_data, name_of

SHARED = pathlib.Path(SNELLEN).parent / "share" / "snellen" / "models"
HAS_MODELS = HAS_NETWORKS and (SHARED / "clip").exists()
HAS_VIDEO = "libavcodec" in call("doctor").stdout
RUNGS = "none,gray,gauss:100,pure,patchshuffle:4,mismatch"


def rung_contents(run):
    return {rung.name: contents(rung) for rung in sorted((run / "control").iterdir())}


def control_of(run):
    return json.loads((run / "control.json").read_text())


def metric_of(control, name):
    return next(metric for metric in control["metrics"] if metric["id"] == name)


def verdicts(control, name):
    return {one["question"]: one["verdict"] for one in metric_of(control, name)["verdicts"]}


@unittest.skipUnless(HAS_NETWORKS, "this build has no torch")
class Ladders(Case):
    def setUp(self):
        super().setUp()
        make_data(self)

    def arguments(self, output, *more, model="clip"):
        return ["run", "--model", FIXTURES / model, "--tasks", "probe-c", "--data", self.folder / "data",
                "--root-image-dir", self.images, "--output", self.folder / output, *more]

    def run_model(self, output, *more, model="clip", code=0):
        result = call(*self.arguments(output, *more, model=model))
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        return result

    def run_folder(self, output, model="clip"):
        return self.folder / output / f"{model}-probe-c"

    def test_the_run_itself_keeps_its_bytes_and_pictures_are_decoded_once(self):
        for model in ("clip", "vilt"):
            self.run_model("plain", model=model)
            result = self.run_model("controlled", "--control", RUNGS, model=model)
            self.assertIn(f"{NUM_PICTURES} decoded", result.stderr)
            plain, controlled = self.run_folder("plain", model), self.run_folder("controlled", model)
            self.assertEqual((plain / "results.json").read_bytes(), (controlled / "results.json").read_bytes())
            found, expected = contents(controlled), contents(plain)
            # What the folder keeps for viewers is counted: the run's own pictures, and those of rungs beside them.
            del expected["thumbs/kept.json"]
            self.assertEqual({name: found[name] for name in expected}, expected)
            counts = [json.loads((run / "thumbs/kept.json").read_text()) for run in (plain, controlled)]
            self.assertEqual([(one["kept"], one["left_out"]) for one in counts], [(NUM_PICTURES, 0)] * 2)

    def test_rungs_can_be_added_and_are_runs_of_their_own(self):
        self.run_model("out")
        first = self.run_model("out", "--control", "gray")
        self.assertIn("120 were already there", first.stderr)
        second = self.run_model("out", "--control", "gray,pure")
        self.assertIn("240 were already there", second.stderr)
        run = self.run_folder("out")
        self.assertEqual([rung["name"] for rung in control_of(run)["rungs"]], ["gray", "pure"])
        for verb in (["verify", run], ["verify", run / "control/gray"], ["compare", run, run / "control/gray"]):
            result = call(*verb)
            self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        results = json.loads((run / "control/gray/results.json").read_text())
        self.assertEqual(results["run"], "clip-probe-c@gray")

    def test_damage_to_a_rung_is_found(self):
        self.run_model("out", "--control", "gray")
        results = self.run_folder("out") / "control/gray/results.json"
        results.write_text(results.read_text().replace('"n": 120', '"n": 119', 1))
        result = call("verify", self.run_folder("out"))
        self.assertEqual(result.returncode, 1, result.stdout)
        self.assertIn("control/gray: results.json", result.stdout + result.stderr)

    def test_two_gray_pictures_tie(self):
        result = self.run_model("out", "--control", "gray")
        metric = metric_of(control_of(self.run_folder("out")), "probe-c/composition/image")
        self.assertEqual(metric["rungs"][0]["ties"], 120)
        self.assertEqual(metric["rungs"][0]["value"], 0)
        self.assertIn("120 of 120 decisions are ties", result.stdout)

    def test_what_cannot_be_applied_is_said(self):
        result = self.run_model("out", "--control", "none,reverse,gray")
        self.assertIn("probe-c under none: not applicable, this model cannot be asked without a picture", result.stdout)
        self.assertIn("probe-c under reverse: not applicable, its items show pictures, which have no frames", result.stdout)
        control = control_of(self.run_folder("out"))
        self.assertEqual([one["rung"] for one in control["not_applicable"]], ["none", "reverse"])
        self.assertEqual([rung["rung"] for rung in control["metrics"][0]["rungs"]], ["gray"])
        self.expect(call(*self.arguments("other", "--control", "grey")), 2, "no corruption 'grey'", "--control")
        self.expect(call(*self.arguments("other", "--control", "gray,gray")), 2, "named twice")

    def test_answers_that_were_made_before_are_refused(self):
        self.run_model("out", "--dump-scores", self.folder / "scores.jsonl")
        result = call("run", "--model", f"file:{self.folder}/scores.jsonl", "--tasks", "probe-c", "--data", self.folder / "data",
                      "--output", self.folder / "file", "--control", "gray")
        self.expect(result, 2, "other pictures cannot change them")

    def test_a_killed_run_goes_on_to_the_same_bytes(self):
        groups = json.loads((self.folder / "data/data_compositional_switch.json").read_text())
        self.write("data/data_compositional_switch.json", groups * 10)
        self.run_model("whole", "--control", RUNGS)
        rng = random.Random(5)
        for _ in range(3):
            process = subprocess.Popen([SNELLEN, *map(str, self.arguments("killed", "--control", RUNGS))],
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(rng.uniform(0.2, 1.0))
            process.send_signal(signal.SIGKILL)
            process.wait()
        self.run_model("killed", "--control", RUNGS)
        whole, killed = self.run_folder("whole"), self.run_folder("killed")
        self.assertEqual(contents(killed), contents(whole))
        self.assertEqual(rung_contents(killed), rung_contents(whole))

    def test_shards_and_threads_change_nothing(self):
        self.run_model("whole", "--control", RUNGS, "--num-workers", "1", "--batch-size", "3")
        for shard in range(3):
            self.run_model("shards", "--control", RUNGS, "--shard", f"{shard}/3")
        result = call("merge", *sorted((self.folder / "shards").iterdir()), "--output", self.folder / "merged")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        whole, merged = self.run_folder("whole"), self.run_folder("merged")
        self.assertEqual(contents(merged), contents(whole))
        self.assertEqual(rung_contents(merged), rung_contents(whole))
        self.assertEqual(call("verify", merged).returncode, 0)

    def test_a_dry_run_counts_the_rungs(self):
        result = call(*self.arguments("out", "--control", "gray,mismatch", "--dry-run", "--json"))
        plan = json.loads(result.stdout)
        self.assertEqual([task["name"] for task in plan["tasks"]], ["probe-c", "probe-c under gray", "probe-c under mismatch"])
        self.assertEqual(plan["work"][0]["visuals"], 2 * NUM_PICTURES)


class Adapters(Case):
    ADAPTER = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    if asked["op"] == "hello":
        print(json.dumps({"ready": True, "version": 1, "name": "sees", "takes_no_picture": %s}), flush=True)
    elif asked["op"] == "score":
        # Right where it sees the picture as it was made; else by the length of the text.
        import hashlib
        data = open(asked["image"], "rb").read() if asked["image"] else b""
        sees = data == b"" if not asked["image"] else asked["image"].endswith(".jpg")
        scores = [(1.0 if sees and asked["image"] and "right" in text else 0.0) + (len(text) %% 2) * 1e-3 for text in asked["texts"]]
        print(json.dumps({"id": asked["id"], "scores": scores}), flush=True)
    else:
        break
"""

    def setUp(self):
        super().setUp()
        make_data(self)
        lines = [{"schema": 1, "name": "two", "metric": "pairwise"}]
        for i in range(60):
            lines.append({"id": str(i), "group": name_of(i % NUM_PICTURES), "visuals": [name_of(i % NUM_PICTURES)],
                          "texts": [f"right {'x' * (i % 3)}", f"wrong {'y' * (i % 2)}"], "right": 0})
        self.items = self.write("two.jsonl", "".join(json.dumps(line) + "\n" for line in lines))

    def run_adapter(self, takes_none, *more):
        path = self.write("adapter.py", self.ADAPTER % takes_none)
        return call("run", "--model", f"exec:{sys.executable} {path}", "--name", "sees", "--tasks", f"file:{self.items}",
                    "--root-image-dir", self.images, "--output", self.folder / f"out{takes_none}", *more)

    def test_are_shown_nothing_only_where_they_can_do_without(self):
        result = self.run_adapter("True", "--control", "none,gray")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        control = control_of(self.folder / "outTrue/sees-two")
        self.assertEqual(control["not_applicable"], [])
        self.assertEqual(metric_of(control, "two/acc")["clean"]["value"], 1)
        self.assertEqual(verdicts(control, "two/acc")["picture"], "needs")
        result = self.run_adapter("False", "--control", "none,gray")
        self.assertIn("under none: not applicable", result.stdout)

    def test_a_changed_picture_is_decoded_once_for_all_rungs(self):
        lines = self.items.read_text().splitlines()[:1 + NUM_PICTURES]  # each picture once
        self.items.write_text("".join(line + "\n" for line in lines))
        result = self.run_adapter("True", "--control", "gray,pure,patchshuffle:4,mismatch")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        # Three rungs change it; as it is it is given as a file, under `mismatch` too.
        self.assertIn(f"{NUM_PICTURES} pictures were decoded", result.stderr)


class ServedLadders(Case):
    """A model behind an endpoint that knows each picture by its colour, and guesses by the text where it does not."""

    NUM_ITEMS = 120

    def setUp(self):
        super().setUp()
        (self.folder / "pictures").mkdir()
        lines = [{"schema": 1, "name": "mine", "metric": "pairwise"}]
        for i in range(self.NUM_ITEMS):
            write_png(self.folder / "pictures" / f"{i}.png", 6, 4, (i, 3, 90))
            lines.append({"id": f"i{i}", "visuals": [f"{i}.png"], "texts": [f"thing {i}", f"thing {i + 500}"], "right": 0})
        self.items = self.write("mine.jsonl", "".join(json.dumps(line) + "\n" for line in lines))

    @staticmethod
    def chance_of(body, text):
        """How well a text fits: 0.9 or 0.1 where the picture is known, else anything about a half."""
        pictures = pictures_of(body)
        red, green, blue = first_pixel_of(pictures[0]) if pictures else (0, 0, 0)
        if (green, blue) == (3, 90):
            return 0.9 if text == f"thing {red}" else 0.1
        return 0.4 + 0.2 * (zlib.crc32(text.encode()) % 1000) / 1000

    def reply(self, body):
        asked = text_of(body)
        if "Reply with one letter only" not in asked:
            chance = self.chance_of(body, asked.split('"')[1])
            return completion("Yes", {"Yes": 0.9 * chance, "No": 0.9 * (1 - chance)})
        chances = [self.chance_of(body, line[3:]) for line in asked.splitlines() if line[1:3] == ") "]
        return completion("A", {letter: chance / sum(chances) for letter, chance in zip("AB", chances)})

    def run_served(self, url, output, *more):
        return call("run", "--model", "openai:m", "--base-url", url, "--tasks", f"file:{self.items}", "--images", self.folder / "pictures",
                    "--output", self.folder / output, "--cache", self.folder / "cache", "--concurrency", 16, *more)

    def test_a_served_model_that_looks_needs_its_picture(self):
        with Scripted(self.reply) as server:
            plain = self.run_served(server.url, "plain")
            self.expect(plain, 0)
            result = self.run_served(server.url, "out", "--control", "none,gray,mismatch")
            self.expect(result, 0, f"{self.NUM_ITEMS} pictures were decoded")
            asked = len(server.requests)
            self.assertEqual(asked, 4 * 2 * self.NUM_ITEMS)
            again = self.run_served(server.url, "again", "--control", "none,gray,mismatch")
            self.expect(again, 0, "asked 0 requests")
            self.assertEqual(len(server.requests), asked)
        run = self.folder / "out" / "m-mine"
        self.assertEqual((run / "results.json").read_bytes(), (self.folder / "plain" / "m-mine" / "results.json").read_bytes())
        control = control_of(run)
        self.assertEqual(control["not_applicable"], [])
        metric = metric_of(control, "mine/acc")
        self.assertEqual(metric["clean"]["value"], 1)
        self.assertEqual([rung["rung"] for rung in metric["rungs"]], ["none", "gray", "mismatch"])
        for rung in metric["rungs"][:2]:
            self.assertLess(abs(rung["value"] - 0.5), 0.12, rung)
        # Another item's picture speaks against both texts: a tie, which is lost.
        self.assertEqual(metric["rungs"][2]["ties"], self.NUM_ITEMS)
        self.assertEqual(verdicts(control, "mine/acc"), {"picture": "needs"})
        self.assertEqual(call("verify", run).returncode, 0)

    def test_a_score_that_the_texts_give_away_for_half_of_the_items_needs_its_picture_in_part(self):
        def reply(body):
            text = text_of(body).split('"')[1]
            number = int(text.split()[1])
            chance = self.chance_of(body, text) if number % 2 else 0.9 if number < 500 else 0.1
            return completion("Yes", {"Yes": 0.9 * chance, "No": 0.9 * (1 - chance)})
        with Scripted(reply) as server:
            self.expect(self.run_served(server.url, "out", "--control", "none,gray"), 0)
        metric = metric_of(control_of(self.folder / "out" / "m-mine"), "mine/acc")
        self.assertEqual(metric["clean"]["value"], 1)
        found = metric["verdicts"][0]
        self.assertEqual((found["question"], found["verdict"]), ("picture", "in part"))
        self.assertGreater(found["lost"]["low"], 0)
        self.assertGreater(found["left"]["low"], 0)
        self.assertAlmostEqual(found["lost"]["value"], 0.25, delta=0.06)

    def test_letters_take_controls_too(self):
        with Scripted(self.reply) as server:
            result = self.run_served(server.url, "out", "--score", "letter", "--control", "none,gray")
            self.expect(result, 0)
            self.assertEqual(len(server.requests), 3 * 2 * self.NUM_ITEMS)
        control = control_of(self.folder / "out" / "m-mine")
        self.assertEqual(metric_of(control, "mine/acc")["clean"]["value"], 1)
        self.assertEqual(verdicts(control, "mine/acc"), {"picture": "needs"})

    @unittest.skipUnless(HAS_VIDEO, "this build has no FFmpeg")
    def test_temporal_rungs_show_the_frames_that_were_sampled(self):
        made = call("build", "eyechart", "--out", self.folder / "world", "--size", "tiny", "--seed", "0")
        self.assertEqual(made.returncode, 0, made.stderr)
        item = next(iter(json.loads((self.folder / "world" / "vilma" / "relations.json").read_text()).values()))
        with Scripted(lambda body: completion("Yes", {"Yes": 0.6, "No": 0.3})) as server:
            result = call("run", "--model", "openai:m", "--base-url", server.url, "--tasks", "vilma/relations", "--data", self.folder / "world", "--limit", 1,
                          "--output", self.folder / "out", "--no-cache", "--chat-frames", 8, "--control", "none,gray,reverse,frameshuffle,freeze,oneframe")
        self.expect(result, 0)
        control = control_of(next((self.folder / "out").iterdir()))
        self.assertEqual(control["not_applicable"], [])
        shown = [pictures_of(body) for _, body in server.requests if f'"{item["caption"]}"' in text_of(body)]
        self.assertEqual(len(shown), 7)
        clean = next(frames for frames in shown if len(set(frames)) > 4 and shown.count(frames) == 1 and frames[::-1] in shown)
        moving = [frames for frames in shown if sorted(frames) == sorted(clean)]
        self.assertEqual(len(moving), 3)  # as it is, from the last to the first, shuffled
        self.assertEqual(len({tuple(frames) for frames in moving}), 3)
        still = [frames for frames in shown if len(frames) == 8 and len(set(frames)) == 1 and frames[0] in clean]
        self.assertEqual([len(frames) for frames in still], [8])
        self.assertIn(still[0][0], (clean[3], clean[4]))
        self.assertEqual(sorted(len(frames) for frames in shown), [0, 1, 8, 8, 8, 8, 8])
        self.assertIn([still[0][0]], shown)
        questions = {one["question"] for metric in control["metrics"] for one in metric["verdicts"]}
        self.assertEqual(questions, {"picture", "order", "motion"})


@unittest.skipUnless(HAS_MODELS and HAS_VIDEO, "this build has no networks, no shipped models or no FFmpeg")
class Eyechart(Case):
    """Three tiny worlds: 24 items of binding, 102 of direction. test_demo.py looks at the ladders of the demo's world."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.world = pathlib.Path(tempfile.mkdtemp(prefix="snellen-world-"))
        cls.addClassCleanup(shutil.rmtree, cls.world, ignore_errors=True)
        lines = [{"schema": 1, "name": "contrasts", "metric": "pairwise"}]
        for seed in range(3):
            built = call("build", "eyechart", "--out", cls.world / str(seed), "--size", "tiny", "--seed", seed)
            assert built.returncode == 0, built.stderr
            for kind in ("binding", "direction"):
                for line in (cls.world / str(seed) / f"contrasts/{kind}.jsonl").read_text().splitlines()[1:]:
                    item = json.loads(line)
                    lines.append({**item, "id": f"{kind}-{seed}-{item['id']}", "group": f"{kind}-{seed}-{item['group']}",
                                  "visuals": [f"{seed}/{name}" for name in item["visuals"]]})
        (cls.world / "contrasts.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))

    def ladder(self, model, control, *more):
        result = call("run", "--model", SHARED / model, "--tasks", f"file:{self.world}/contrasts.jsonl", "--root-image-dir", self.world,
                      "--output", self.folder / "runs", "--control", control, *more)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        return control_of(self.folder / "runs" / f"{model}-contrasts")

    def test_who_sees_falls_to_chance(self):
        control = self.ladder("blip", "gray,pure,mismatch")
        metric = metric_of(control, "contrasts/acc")
        self.assertGreater(metric["clean"]["low"], 0.5)
        for rung in metric["rungs"]:
            self.assertLessEqual(rung["low"] if rung["low"] is not None else rung["value"], 0.5, rung["rung"])
            self.assertGreaterEqual(rung["high"] if rung["high"] is not None else rung["value"], 0.5, rung["rung"])
            self.assertGreater(rung["moved"], 100)
        self.assertIn(verdicts(control, "contrasts/acc")["picture"], ("needs", "cannot tell"))

    def test_who_reads_does_not_move(self):
        control = self.ladder("gpt2", "none,gray,pure,mismatch")
        metric = metric_of(control, "contrasts/acc")
        self.assertEqual([rung["moved"] for rung in metric["rungs"]], [0, 0, 0, 0])
        self.assertEqual([rung["value"] for rung in metric["rungs"]], [metric["clean"]["value"]] * 4)
        self.assertEqual(verdicts(control, "contrasts/acc"), {"picture": "does not"})

    def test_twenty_items_of_two_options_cannot_tell(self):
        for model in ("blip", "gpt2"):
            control = self.ladder(model, "gray,mismatch", "--limit", "20")
            self.assertEqual(verdicts(control, "contrasts/acc"), {"picture": "cannot tell"}, model)


if __name__ == "__main__":
    unittest.main()

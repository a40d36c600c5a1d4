"""VisDial from dialogs to figures: fit, reference sets, ranks, generations; bad input and kills."""
import json
import random
import shutil
import signal
import subprocess
import time
import unittest

from cli import SNELLEN, Case, call
from test_zeroshot import CLIP, has_networks, png

WORDS = ["is", "it", "a", "dog", "cat", "red", "green", "yes", "no", "there", "sunny", "car", "man", "two", "big"]


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def dialogs(seed, count, split):
    rng = random.Random(seed)
    questions = sorted({" ".join(rng.choices(WORDS, k=rng.randrange(2, 6))) + "?" for _ in range(60)})
    answers = sorted({" ".join(rng.choices(WORDS, k=rng.randrange(1, 4))) for _ in range(600)})
    made = []
    for i in range(count):
        rounds = []
        for _ in range(10):
            options = rng.sample(range(len(answers)), 100)
            place = rng.randrange(100)
            rounds.append({"question": rng.randrange(len(questions)), "answer": options[place], "gt_index": place, "answer_options": options})
        made.append({"image_id": 100 * seed + 3 * i, "caption": "a dog", "dialog": rounds})
    return {"version": "1.0", "split": split, "data": {"questions": questions, "answers": answers, "dialogs": made}}


def annotations(seed, made, key):
    rng = random.Random(seed)
    return [{"image_id": one["image_id"], "round_id": 1 + i % 10, key: [rng.choice([0, 0, 0, 0.2, 1.0]) for _ in range(100)]}
            for i, one in enumerate(made["data"]["dialogs"])]


class VisdialCca(Case):
    def setUp(self):
        super().setUp()
        rng = random.Random(5)
        words = {word: [round(rng.gauss(0, 1), 3) for _ in range(8)] for word in [*WORDS, "?", "<EOS>", "<UNK>"]}
        self.words = self.write("words.json", {"dim": 8, "vectors": words})
        train, val = dialogs(1, 40, "train"), dialogs(2, 8, "val2018")
        self.train, self.val = self.write("train.json", train), self.write("val.json", val)
        self.dense = self.write("dense.json", annotations(3, val, "gt_relevance"))
        self.train_dense = self.write("train_dense.json", annotations(4, train, "relevance"))

    def fit(self, name="cca", *more):
        return call("train", "cca", "--dialogs", self.train, "--word-vectors", self.words, "--k", "8", "--output", self.folder / name, *more)

    def results(self, folder):
        return {one["id"]: one for one in json.loads((folder / "results.json").read_text())["metrics"]}

    def test_the_whole_chain(self):
        self.assertEqual(self.fit().returncode, 0)
        self.assertEqual(self.fit("again", "--threads", "1").returncode, 0)
        self.assertEqual(contents(self.folder / "again"), contents(self.folder / "cca"))
        self.expect(self.fit(), 2, "is there already")
        human = self.fit("human", "--pairs", "human", "--annotations", self.train_dense)
        self.assertEqual(human.returncode, 0, human.stderr)
        sets = call("build", "densevisdial", "--dialogs", self.val, "--projections", self.folder / "cca", "--annotations", self.dense,
                    "--cluster-method", "S,M,G,H", "--eval-set", "human", "--out", self.folder / "sets")
        self.assertEqual(sets.returncode, 0, sets.stderr)
        self.assertIn("S\tprecision: ", sets.stdout)
        files = [self.folder / "sets" / f"refs_{rule}_human_val.json" for rule in "SMGH"]
        entry = json.loads(files[0].read_text())[0]
        self.assertEqual(len(entry["refs"]), sum(entry["in_cluster_idxs"]))
        self.assertIn(entry["gt_answer"], entry["refs"])
        overlap = call("score", "visdial-sets", "--references", *files, "--human", files[3], "--output", self.folder / "overlap", "--json")
        self.assertEqual(overlap.returncode, 0, overlap.stderr)
        found = self.results(next((self.folder / "overlap").iterdir()))
        self.assertEqual(found["visdial-sets/refs_H_human_val/iou"]["value"], 1)
        ranked = call("run", "--model", f"cca:{self.folder / 'cca'}", "--tasks", "visdial-rank", "--dialogs", self.val, "--annotations", self.dense,
                      "--threshold", "--name", "cca", "--output", self.folder / "ranks")
        self.assertEqual(ranked.returncode, 0, ranked.stderr)
        run = next((self.folder / "ranks").iterdir())
        found = self.results(run)
        self.assertEqual((found["visdial-rank/mean_rank"]["n"], found["visdial-rank/ndcg"]["n"]), (80, 8))
        self.assertLessEqual(found["visdial-rank/recall_1"]["value"], found["visdial-rank/recall_5"]["value"])
        again = call("score", "visdial-rank", "--dialogs", self.val, "--annotations", self.dense, "--ranks", run / "ranks.json", "--output", self.folder / "score")
        self.assertEqual(again.returncode, 0, again.stderr)
        scored = self.results(next((self.folder / "score").iterdir()))
        for name in ("mean_rank", "median_rank", "mrr", "ndcg"):
            self.assertEqual(scored[f"visdial-rank/{name}"]["value"], found[f"visdial-rank/{name}"]["value"])
        made = call("build", "visdial-generations", "--projections", self.folder / "cca", "--training-dialogs", self.train, "--dialogs", self.val,
                    "--k", "1,5", "--out", self.folder / "gens")
        self.assertEqual(made.returncode, 0, made.stderr)
        self.assertEqual({len(one["generations"]) for one in json.loads((self.folder / "gens" / "gens_k5.json").read_text())}, {5})
        evaluated = call("score", "visdial-gen", "--generations", self.folder / "gens" / "gens_k5.json", "--references", files[0], "--no-meteor",
                         "--output", self.folder / "gen")
        self.assertEqual(evaluated.returncode, 0, evaluated.stderr)
        found = self.results(next((self.folder / "gen").iterdir()))
        self.assertEqual(found["visdial-gen/generations_without_references"]["value"], 72)
        self.assertEqual(found["visdial-gen/cider_1"]["n"], 8)
        # Questions of standard input get the answers that the file has.
        data = json.loads(self.val.read_text())["data"]
        questions = [data["questions"][one["question"]] for one in data["dialogs"][0]["dialog"][:3]]
        wanted = [line for one in json.loads((self.folder / "gens" / "gens_k5.json").read_text())[:3] for line in [*one["generations"], ""]]
        asking = ["build", "visdial-generations", "--projections", self.folder / "cca", "--training-dialogs", self.train, "--interactive", "--k"]
        asked = call(*asking, "5", input="\n".join(questions) + "\n")
        self.assertEqual(asked.stdout.split("\n"), [*wanted, ""], asked.stderr)
        self.expect(call(*asking, "1,5", input=""), 2, "--interactive takes one")

    def test_a_run_answers_as_the_builder_does(self):
        # Answers are given as they are, whatever looks like a list or is blank.
        made = json.loads(self.train.read_text())
        answers = made["data"]["answers"]
        for place, form in enumerate(("  {} ", "2. {}", "- {}", "{}\n", "* {}")):
            answers[place::7] = [form.format(text) for text in answers[place::7]]
        answers[20] = ""
        self.train = self.write("train.json", made)
        self.assertEqual(self.fit().returncode, 0)
        built = call("build", "visdial-generations", "--projections", self.folder / "cca", "--training-dialogs", self.train, "--dialogs", self.val,
                     "--k", "1,5,10,15", "--out", self.folder / "gens")
        self.assertEqual(built.returncode, 0, built.stderr)
        sets = call("build", "densevisdial", "--dialogs", self.val, "--projections", self.folder / "cca", "--cluster-method", "S", "--out", self.folder / "sets")
        self.assertEqual(sets.returncode, 0, sets.stderr)
        references = self.folder / "sets" / "refs_S_full_val.json"
        asked = ["--tasks", "visdial-gen", "--dialogs", self.val, "--references", references, "--no-meteor"]
        for count in (1, 5, 10, 15):
            ran = call("run", "--model", f"cca:{self.folder / 'cca'}", *asked, "--training-dialogs", self.train, "--k", count, "--name", f"k{count}",
                       "--output", self.folder / "runs")
            self.assertEqual(ran.returncode, 0, ran.stderr)
            folder = self.folder / "runs" / f"k{count}-visdial-gen"
            wanted = {(one["image_id"], one["round_id"]): one["generations"] for one in json.loads((self.folder / "gens" / f"gens_k{count}.json").read_text())}
            given = json.loads((folder / "gens.json").read_text())
            self.assertEqual(len(given), 80)
            for one in given:
                self.assertEqual(one["generations"], wanted[one["image_id"], one["round_id"]])
            scored = call("score", "visdial-gen", "--generations", folder / "gens.json", "--references", references, "--no-meteor", "--name", f"k{count}",
                          "--output", self.folder / "again")
            self.assertEqual(scored.returncode, 0, scored.stderr)
            self.assertEqual(self.results(self.folder / "again" / f"k{count}-visdial-gen"), self.results(folder))
        self.assertEqual(self.results(folder)["visdial-gen/cider_1"]["n"], 80)
        self.expect(call("run", "--model", f"cca:{self.folder / 'cca'}", "--tasks", "visdial-gen", "--references", references), 2, "no dialogs are named")
        self.expect(call("run", "--model", f"cca:{self.folder / 'cca'}", *asked, "--output", self.folder / "x"), 1, "--training-dialogs")
        self.expect(call("run", "--model", f"cca:{self.folder / 'cca'}", *asked, "--bert-model", "b", "--output", self.folder / "x"), 2, "gens.json")
        other = self.write("other.json", dialogs(7, 3, "val2018"))
        self.expect(call("run", "--model", f"cca:{self.folder / 'cca'}", "--tasks", "visdial-gen", "--dialogs", other, "--references", references,
                         "--training-dialogs", self.train), 3, "has no round for 80 of the references")

    def test_the_nearest_neighbour_baseline_is_what_a_plain_script_finds(self):
        self.assertEqual(self.fit().returncode, 0)
        # Questions that nobody asks, and one of the same words in another order for each that is asked.
        made, rng = json.loads(self.train.read_text()), random.Random(8)
        known = made["data"]["questions"]
        turned = [" ".join(rng.sample(words, len(words))) + "?" for words in (text[:-1].split() for text in known)]
        for dialog in made["data"]["dialogs"]:
            for one in dialog["dialog"]:
                one["question"] += rng.choice((0, len(known)))
        made["data"]["questions"] = known + turned + sorted({" ".join(rng.choices(WORDS, k=4)) + "?" for _ in range(150)} - {*known, *turned})
        self.train = self.write("train.json", made)
        train, val = made["data"], json.loads(self.val.read_text())["data"]
        # Few values, so that pictures are equally far.
        features = {name: {str(one["image_id"]): [rng.randrange(3) for _ in range(3)] for one in data["dialogs"]} for name, data in (("train", train), ("val", val))}
        files = {name: self.write(f"{name}_features.json", {"dim": 3, "vectors": vectors}) for name, vectors in features.items()}
        asked = ["run", "--model", f"cca:{self.folder / 'cca'}", "--ranker", "nearest", "--tasks", "visdial-rank", "--dialogs", self.val, "--output", self.folder / "runs"]
        known = [*asked, "--training-dialogs", self.train]
        ranks = {}
        for name, more in (("questions", []), ("pictures", ["--training-features", files["train"], "--dialog-features", files["val"]])):
            ran = call(*known, *more, "--name", name)
            self.assertEqual(ran.returncode, 0, ran.stderr)
            ranks[name] = {(one["image_id"], one["round_id"]): one["ranks"] for one in json.loads((self.folder / "runs" / f"{name}-visdial-rank" / "ranks.json").read_text())}
        words = json.loads(self.words.read_text())["vectors"]

        def vector(text):
            pieces = [words.get(word, words["<UNK>"]) for word in [*text.lower().replace("?", " ?").split()[:15], "<EOS>"]]
            return [sum(column) / len(pieces) for column in zip(*pieces)]

        def distance(a, b):
            return sum((x - y) ** 2 for x, y in zip(a, b))

        rounds = [(vector(train["questions"][one["question"]]), vector(train["answers"][one["answer"]]), features["train"][str(dialog["image_id"])])
                  for dialog in train["dialogs"] for one in dialog["dialog"]]
        differing = {"questions": 0, "pictures": 0}
        for dialog in val["dialogs"][:4]:
            for number, one in enumerate(dialog["dialog"]):
                asked_vector = vector(val["questions"][one["question"]])
                nearest = sorted(range(len(rounds)), key=lambda i: (round(distance(asked_vector, rounds[i][0]), 9), i))[:100]
                picture = features["val"][str(dialog["image_id"])]
                chosen = {"questions": nearest, "pictures": sorted(nearest, key=lambda i: (distance(picture, rounds[i][2]), i))[:20]}
                for name, places in chosen.items():
                    mean = [sum(column) / len(places) for column in zip(*(rounds[i][1] for i in places))]
                    order = sorted(range(100), key=lambda i: (round(distance(mean, vector(val["answers"][one["answer_options"][i]])) ** 0.5, 9), i))
                    differing[name] += [order.index(i) + 1 for i in range(100)] != ranks[name][dialog["image_id"], number + 1]
        self.assertEqual(differing, {"questions": 0, "pictures": 0})
        self.assertNotEqual(ranks["questions"], ranks["pictures"])
        self.expect(call(*asked), 2, "--training-dialogs")
        self.expect(call(*known, "--training-features", files["train"]), 2, "--dialog-features")
        self.expect(call(*known, "--dialog-features", files["val"]), 2, "--training-features")
        self.expect(call(*known, "--training-features", files["train"], "--dialog-features", self.write("wide.json", {"dim": 1, "vectors": {key: [1] for key in features["val"]}})),
                    3, "wide.json", "has 1 numbers per picture, those of the training pictures 3")
        self.expect(call(*known, "--training-features", files["val"], "--dialog-features", files["val"]), 3, "val_features.json", "has no features of image 100")

    def test_sets_without_people_beside_them_end_with_one(self):
        self.assertEqual(self.fit().returncode, 0)
        sets = call("build", "densevisdial", "--dialogs", self.val, "--projections", self.folder / "cca", "--annotations", self.dense, "--cluster-method", "S,H",
                    "--eval-set", "human", "--out", self.folder / "sets")
        self.assertEqual(sets.returncode, 0, sets.stderr)
        strangers = self.write("refs_H_human_train.json", [{**one, "image_id": one["image_id"] + 1} for one in json.loads((self.folder / "sets" / "refs_H_human_val.json").read_text())])
        own = self.folder / "sets" / "refs_S_human_val.json"
        alone = call("score", "visdial-sets", "--references", own, "--human", strangers, "--output", self.folder / "overlap")
        self.expect(alone, 1, "refs_S_human_val: none of its sets has a human set")
        self.assertIn("undefined", alone.stdout)
        self.assertNotIn("nan", alone.stdout + alone.stderr)
        found = self.results(next((self.folder / "overlap").iterdir()))["visdial-sets/refs_S_human_val/precision"]
        self.assertEqual((found["value"], found["n"]), (None, 0))

    def test_dialogs_of_the_first_release(self):
        """VisDial 0.9: the same layout, pictures named as COCO's."""
        made = {**json.loads(self.val.read_text()), "version": "0.9", "split": "val2014"}
        val = self.write("visdial_0.9_val.json", made)
        train = self.write("visdial_0.9_train.json", {**json.loads(self.train.read_text()), "version": "0.9", "split": "train2014"})
        self.assertEqual(call("train", "cca", "--dialogs", train, "--word-vectors", self.words, "--k", "8", "--output", self.folder / "old").returncode, 0)
        self.assertEqual(self.fit().returncode, 0)
        for name in ("answer_weights.npy", "question_weights.npy", "eigenvalues.npy"):
            self.assertEqual((self.folder / "old" / name).read_bytes(), (self.folder / "cca" / name).read_bytes())
        sets = call("build", "densevisdial", "--dialogs", val, "--projections", self.folder / "old", "--cluster-method", "S,G", "--out", self.folder / "sets")
        self.assertEqual(sets.returncode, 0, sets.stderr)
        self.assertEqual({name for name in contents(self.folder / "sets") if name.startswith("refs_")}, {"refs_S_full_val.json", "refs_G_full_val.json"})
        ranked = ["run", "--model", f"cca:{self.folder / 'old'}", "--tasks", "visdial-rank", "--output", self.folder / "ranks", "--dialogs"]
        for name, dialogs_of in (("old", val), ("new", self.val)):
            ran = call(*ranked, dialogs_of, "--name", name)
            self.assertEqual(ran.returncode, 0, ran.stderr)
        old, new = (self.folder / "ranks" / f"{name}-visdial-rank" / "ranks.json" for name in ("old", "new"))
        self.assertEqual(old.read_bytes(), new.read_bytes())
        requests = self.folder / "requests.jsonl"
        asked = call("run", "--tasks", "visdial-rank", "--dialogs", val, "--images", self.folder, "--export-requests", requests)
        self.assertEqual(asked.returncode, 4)
        self.assertIn(f"{self.folder}/COCO_val2014_000000000200.jpg", asked.stdout + asked.stderr)

    def test_the_test_split_gets_ranks_and_no_figures(self):
        """Only the last round has candidates, and no recorded answer."""
        self.assertEqual(self.fit().returncode, 0)
        made = json.loads(self.val.read_text())
        made["split"] = "test2018"
        for number, dialog in enumerate(made["data"]["dialogs"]):
            del dialog["dialog"][number + 2:]
            for one in dialog["dialog"][:-1]:
                del one["gt_index"], one["answer_options"]
            del dialog["dialog"][-1]["gt_index"], dialog["dialog"][-1]["answer"]
        test = self.write("visdial_1.0_test.json", made)
        ran = call("run", "--model", f"cca:{self.folder / 'cca'}", "--tasks", "visdial-rank", "--dialogs", test, "--name", "cca", "--output", self.folder / "ranks")
        self.assertEqual(ran.returncode, 0, ran.stderr)
        run = self.folder / "ranks" / "cca-visdial-rank"
        ranks = {(one["image_id"], one["round_id"]): one["ranks"] for one in json.loads((run / "ranks.json").read_text())}
        self.assertEqual(set(ranks), {(dialog["image_id"], number + 2) for number, dialog in enumerate(made["data"]["dialogs"])})
        # They are those of the same rounds where their answers are known.
        call("run", "--model", f"cca:{self.folder / 'cca'}", "--tasks", "visdial-rank", "--dialogs", self.val, "--name", "val", "--output", self.folder / "ranks")
        known = {(one["image_id"], one["round_id"]): one["ranks"] for one in json.loads((self.folder / "ranks" / "val-visdial-rank" / "ranks.json").read_text())}
        self.assertEqual(ranks, {key: known[key] for key in ranks})
        for name, one in self.results(run).items():
            self.assertEqual((one["value"], one["n"]), (None, 0), name)
        self.expect(call("build", "densevisdial", "--dialogs", test, "--projections", self.folder / "cca", "--cluster-method", "S", "--out", self.folder / "sets"), 1,
                    "not one group or item came out")

    def test_choices_are_for_models_that_answer(self):
        self.assertEqual(self.fit().returncode, 0)
        self.expect(call("run", "--model", "fake", "--tasks", "visdial-rank", "--dialogs", self.val, "--choices", "10", "--output", self.folder / "x"), 1,
                    "gives scores and no answers")
        self.expect(call("run", "--model", "fake", "--tasks", "visdial-rank", "--dialogs", self.val, "--choices", "1"), 2, "no choice")

    def test_pictures_as_a_third_view(self):
        rng = random.Random(6)
        features = self.write("features.json", {"dim": 3, "vectors": {str(100 + 3 * i): [rng.gauss(0, 1) for _ in range(3)] for i in range(40)}})
        self.assertEqual(self.fit("three", "--image-features", features).returncode, 0)
        self.assertEqual(json.loads((self.folder / "three" / "cca.json").read_text())["views"], ["answer", "img", "question"])
        self.expect(call("train", "cca", "--dialogs", self.val, "--word-vectors", self.words, "--k", "8", "--output", self.folder / "x",
                         "--image-features", self.write("few.json", {"dim": 1, "vectors": {"200": [1]}})), 3, "has no features of image 203")

    @unittest.skipUnless(has_networks(), "this build has no torch")
    def test_pictures_as_a_network_sees_them(self):
        pictures = self.folder / "pictures"
        pictures.mkdir()
        for i in range(40):
            (pictures / f"VisualDialog_train_{100 + 3 * i:012d}.jpg").write_bytes(png(6 * i, 200 - 4 * i, 60))
        asked = ["media", "features", "--model", CLIP, "--dialogs", self.train, "--images", pictures, "--output"]
        self.expect(call(*asked, self.folder / "one.npy", "--threads", 1), 0)
        self.expect(call(*asked, self.folder / "two.npy"), 0)
        self.assertEqual((self.folder / "one.npy").read_bytes(), (self.folder / "two.npy").read_bytes())
        self.assertEqual(self.fit("seen", "--image-features", self.folder / "one.npy").returncode, 0)
        next(pictures.iterdir()).unlink()
        self.assertEqual(call(*asked, self.folder / "x.npy").returncode, 3)
        self.assertFalse((self.folder / "x.npy").exists())

    def test_mardias_method(self):
        self.expect(self.fit("mardia", "--method", "mardia"), 0)
        self.assertEqual(json.loads((self.folder / "mardia" / "cca.json").read_text())["method"], "mardia")
        ran = call("run", "--model", f"cca:{self.folder / 'mardia'}", "--tasks", "visdial-rank", "--dialogs", self.val, "--output", self.folder / "ranks")
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.expect_error(self.fit("x", "--method", "mardia", "--k", "9"), 2, "--k")
        self.expect_error(self.fit("x", "--method", "pca"), 2, "--method")

    def test_bad_input_names_file_entry_and_reason(self):
        broken = json.loads(self.val.read_text())
        broken["data"]["dialogs"][3]["dialog"][2]["gt_index"] = 100
        path = self.write("broken.json", broken)
        self.expect(call("build", "densevisdial", "--dialogs", path, "--projections", self.folder / "cca", "--out", self.folder / "sets"), 3,
                    f"{path}: entry 3: 'gt_index' is 100")
        self.assertFalse((self.folder / "sets").exists())
        dense = json.loads(self.dense.read_text())
        dense[2]["gt_relevance"][5] = 7
        path = self.write("bad_dense.json", dense)
        self.expect(self.fit("h", "--pairs", "human", "--annotations", path), 3, f"{path}: entry 2: 'gt_relevance' holds 7")
        self.expect(self.fit("h", "--pairs", "human", "--annotations", self.dense), 3, "are not among the dialogs")
        self.expect(self.fit("h", "--fasttext", self.words), 2, "word vectors come from one source")

    def test_a_kill_leaves_nothing_half_written(self):
        """Kills over the whole time that each verb takes, most of them near its end, where it writes."""
        self.assertEqual(self.fit().returncode, 0)
        sets = ["build", "densevisdial", "--dialogs", self.val, "--projections", self.folder / "cca", "--cluster-method", "S,M", "--out"]
        verbs = {"killed": ["train", "cca", "--dialogs", self.train, "--word-vectors", self.words, "--k", "8", "--output", self.folder / "killed"],
                 "killed_sets": [*sets, self.folder / "killed_sets"]}
        self.assertEqual(call(*sets, self.folder / "wanted").returncode, 0)
        wanted = {"killed": contents(self.folder / "cca"), "killed_sets": {name: data for name, data in contents(self.folder / "wanted").items() if name.startswith("refs_")}}
        for name, verb in verbs.items():
            begin = time.monotonic()
            self.assertEqual(call(*verb).returncode, 0)
            seconds = time.monotonic() - begin
            interrupted = 0
            for share in (0.2, 0.4, 0.5, *(0.6 + 0.05 * i for i in range(12))):
                shutil.rmtree(self.folder / name)
                process = subprocess.Popen([SNELLEN, *map(str, verb)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                time.sleep(share * seconds)
                process.send_signal(signal.SIGKILL)
                interrupted += process.wait() == -signal.SIGKILL
                # A folder of `train cca` is whole or not there; of the sets each file is.
                found = {file: data for file, data in contents(self.folder / name).items() if file in wanted[name]} if (self.folder / name).exists() else {}
                self.assertLessEqual(found.items(), wanted[name].items(), share)
                if name == "killed" and (self.folder / name).exists():
                    self.assertEqual(found, wanted[name], share)
                (self.folder / name).mkdir(exist_ok=True)
            self.assertGreater(interrupted, 3, f"{name}: too few of the kills came in time")
            if name == "killed":
                shutil.rmtree(self.folder / name)
            self.assertEqual(call(*verb).returncode, 0)
            made = contents(self.folder / name)
            self.assertLessEqual(wanted[name].items(), made.items())
            self.assertEqual([path.name for path in self.folder.rglob("*") if ".part" in path.name or ".tmp" in path.name], [])

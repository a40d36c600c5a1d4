#!/usr/bin/env python3
"""Made the run folders below schema_1/ with a program that wrote schema 1: make_schema_1.py OLD_SNELLEN

Kept to say how they came to be, and as a pattern for the next schema; it is not run by any test. The program is called in
schema_1/ with relative paths, so that `--config run.json` finds the data from there. samples.db becomes samples.sql, because
text is small and can be read in a diff; what names the machine is taken out of run.json and the logs.
"""
import json
import os
import pathlib
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
FOLDER = HERE / "schema_1"
DEMO = HERE.parents[1] / "examples" / "demo"


def write(name, value):
    path = FOLDER / "data" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(value if isinstance(value, str) else json.dumps(value, indent=1) + "\n")


def first_of(name, count):
    value = json.loads((DEMO / name).read_text())
    return value[:count] if isinstance(value, list) else dict(list(value.items())[:count])


def vilma_item(clip, foils):
    return {"dataset": "something-something-v2", "dataset_idx": str(clip), "start_time": None, "end_time": None, "time_unit": "sec",
            "caption": "a red ball rolls to the left", "foils": [f"a red ball rolls to place {i}" for i in range(foils)],
            "mturk": {"caption": 3, "foil": 0, "other": 0},
            "proficiency": {"caption": "there is a ball", "foils": ["there is a cat"], "human": {"caption": 1, "foil": 0, "other": 0}}}


def write_data():
    rng = random.Random(19)
    for name in ("data_compositional_switch.json", "data_object_switch.json"):
        write(name, first_of(name, 12))
    groups = first_of("relation_eval_subject.json", 3)
    for group in groups.values():
        for key in ("positive_image_ids", "negative_image_ids"):
            group[key] = group[key][:3]
    write("relation_eval_subject.json", groups)
    write("scores.jsonl", "".join((DEMO / "probe_c.jsonl").read_text().splitlines(keepends=True)[:12]))
    write("background_context_dataset.json", first_of("background_context_dataset.json", 6))
    write("prompt_classes.csv", (DEMO / "prompt_classes.csv").read_text())
    write("own_items.jsonl", "".join(
        json.dumps({"visuals": [f"{i}.png"], "texts": ["a small car", "a large car"], "right": i % 2, "metric": "pair_choice", "tags": ["ab"[i % 2]]}) + "\n"
        for i in range(10)))
    write("vilma/relations.json", {str(i): vilma_item(i // 2, 1 + i % 2) for i in range(8)})
    for name in ("proficiency", "main"):
        write(f"vilma/{name}.json", {str(i): {"scores": [round(rng.random(), 3) for _ in range(2 + (i % 2 if name == "main" else 0))]} for i in range(8)})
    write("answers.jsonl", "".join(
        json.dumps({"id": f"q{i}", "image": f"{i // 3}.jpg", "subset": ["base", "scene"][i % 2], "category": ["Age", "SES"][i // 2 % 2],
                    "condition": ["ambig", "neg", "non_neg"][i % 3], "options": ["Yes", "No", "Not known"], "label": [2, 0, 1][i % 3],
                    "answer": rng.choice(["A", "(B)", "Not known", ""])}) + "\n"
        for i in range(24)))
    dialogs = [(image, turn) for image in (4, 9) for turn in range(3)]
    write("generations.json", [{"image_id": image, "round_id": turn, "generations": [f"yes it is {turn}", "a red dog"]} for image, turn in dialogs])
    write("references.json", [{"image_id": image, "round_id": turn, "refs": [f"yes, it is {turn}", "a brown dog"]} for image, turn in dialogs])


# name of the run folder -> the call that made it, below schema_1/.
CALLS = {
    "one-probe-c": ["run", "--model", "fake", "--tasks", "probe-c", "--data", "data", "--name", "one"],
    "two-probe-c": ["run", "--model", "fake", "--seed", "7", "--tasks", "probe-c", "--data", "data", "--name", "two"],
    "scored-probe-c": ["score", "probe-c", "--scores", "data/scores.jsonl", "--data", "data", "--split", "composition", "--name", "scored"],
    "half-probe-c-shard0of2": ["run", "--model", "fake", "--tasks", "probe-c", "--data", "data", "--name", "half", "--shard", "0/2"],
    "half-probe-c-shard1of2": ["run", "--model", "fake", "--tasks", "probe-c", "--data", "data", "--name", "half", "--shard", "1/2"],
    "one-probe-r": ["run", "--model", "fake", "--tasks", "probe-r", "--data", "data", "--name", "one"],
    "one-probe-b-background": ["run", "--model", "fake", "--tasks", "probe-b-background", "--data", "data", "--name", "one"],
    "one-own_items": ["run", "--model", "fake", "--tasks", "file:data/own_items.jsonl", "--name", "one"],
    "given-vilma": ["score", "vilma", "-i", "data/vilma/proficiency.json", "data/vilma/main.json", "-a", "data/vilma/relations.json", "--name", "given"],
    "given-bias-close": ["score", "bias-close", "--answers", "data/answers.jsonl", "--name", "given"],
    "given-visdial-gen": ["score", "visdial-gen", "--generations", "data/generations.json", "--references", "data/references.json", "--name", "given", "--no-meteor",
                          "--cache-dir", "cache"],
}
STOPPED = ["run", "--model", "fake:wait=150000", "--tasks", "probe-c", "--data", "data", "--name", "stopped", "--num-workers", "1", "--batch-size", "1"]


def interrupted(program, environment):
    process = subprocess.Popen([program, *STOPPED, "--output", "runs"], cwd=FOLDER, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(1.5)
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=60) == 130, process.returncode


def without_machine(run):
    """The stamp and the logs without absolute paths, and the samples as SQL."""
    for path in [run / "run.json", *run.rglob("run_meta.json"), *run.rglob("log*.txt")]:
        path.write_text(re.sub(re.escape(str(FOLDER)) + "/?", "", path.read_text()))
    connection = sqlite3.connect(run / "samples.db")
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    size = connection.execute("PRAGMA page_size").fetchone()[0]
    text = "\n".join(connection.iterdump())
    connection.close()
    (run / "samples.sql").write_text(f"PRAGMA page_size={size};\nPRAGMA user_version={version};\n{text}\n")
    for path in run.glob("samples.db*"):
        path.unlink()
    (run / "run.lock").unlink(missing_ok=True)


def main():
    program = pathlib.Path(sys.argv[1]).resolve()
    shutil.rmtree(FOLDER, ignore_errors=True)
    write_data()
    environment = {**{name: value for name, value in os.environ.items() if not name.startswith("SNELLEN")}, "SNELLEN_CACHE": "off"}
    for name, call in CALLS.items():
        done = subprocess.run([program, *call, "--output", "runs"], cwd=FOLDER, env=environment, capture_output=True, text=True)
        assert done.returncode in (0, 4), (name, done.stderr)
        assert (FOLDER / "runs" / name).is_dir(), (name, sorted(path.name for path in (FOLDER / "runs").iterdir()))
    interrupted(program, environment)
    for run in (FOLDER / "runs").iterdir():
        without_machine(run)


if __name__ == "__main__":
    main()

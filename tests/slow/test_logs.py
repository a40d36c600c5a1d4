# SPDX-License-Identifier: Apache-2.0
"""Logs that inspect_ai and lmms-eval themselves wrote are imported with their own accuracy."""
import json
import sqlite3
import subprocess

from cli import Case, call
from real_servers import python_with

INSPECT_AI = ["inspect_ai==0.3.285"]
LMMS_EVAL = ["lmms-eval==0.7.3"]  # its requirements fill a disk; its writer needs few of them
LMMS_IMPORTS = ["torch==2.13.0", "datasets", "pytz", "transformers==5.22.2", "jinja2", "loguru"]

INSPECT = """
import sys
from inspect_ai import Task, eval
from inspect_ai.dataset import Sample
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from inspect_ai.scorer import match
from inspect_ai.log._recorders.chunked import convert_eval_logs_to_chunked
samples = [Sample(id=i, input=f"what is {i} + {i}? " + "long " * 400, target="yes") for i in range(12)]
outputs = [ModelOutput.from_content("mockllm/model", "yes" if i % 3 else "no") for i in range(24)]
for output in outputs:
    output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)  # else it downloads a tokenizer to count
log = eval(Task(dataset=samples, scorer=match(location="exact"), name="sums"), model=get_model("mockllm/model", custom_outputs=outputs), epochs=2, max_samples=1, max_tasks=1,
           log_dir=sys.argv[1] + "/whole", log_format="eval", display="none")[0]
convert_eval_logs_to_chunked(sys.argv[1] + "/whole", sys.argv[1] + "/chunked")
right = [sample.scores["match"].value for sample in log.samples]
print(sum(value == "C" for value in right), len(right))
"""

LMMS = """
import sys
from lmms_eval.loggers.evaluation_tracker import EvaluationTracker
tracker = EvaluationTracker(output_path=sys.argv[1])
tracker.general_config_tracker.model_name_sanitized = "llava"
tracker.date_id = "20260101_120000"  # as saving its results sets it
samples = [{"doc_id": i, "doc": {"q": i}, "target": "yes", "arguments": [f"is there a cat {i}?", {}], "resps": [["no" if i % 4 == 0 else "yes"]],
            "filtered_resps": ["no" if i % 4 == 0 else "yes"], "doc_hash": "x", "exact_match": float(i % 4 != 0)} for i in range(20)]
tracker.save_results_samples(task_name="cats", samples=samples)
"""


class RealLogs(Case):
    def test_inspect_ai(self):
        python = python_with(*INSPECT_AI, named="logs")
        done = subprocess.run([python, "-c", INSPECT, str(self.folder)], capture_output=True, text=True, timeout=280)
        self.assertEqual(done.returncode, 0, done.stderr)
        right, total = map(int, done.stdout.split()[-2:])
        self.assertEqual((right, total), (16, 24))
        for shape in ("whole", "chunked"):
            log = next((self.folder / shape).glob("*.eval"))
            done = call("import", "inspect", log, "--metric", "match", "--output", self.folder / f"runs-{shape}")
            self.assertEqual(done.returncode, 0, done.stderr)
            results = json.loads(next((self.folder / f"runs-{shape}").rglob("results.json")).read_text())
            metric = next(one for one in results["metrics"] if one["id"] == "sums/match")
            self.assertEqual((metric["value"], metric["n"]), (right / total, total), shape)
            database = sqlite3.connect(next((self.folder / f"runs-{shape}").rglob("samples.db")))
            self.assertIn("what is 0 + 0? long long", database.execute("SELECT text FROM item_texts WHERE place = 0 ORDER BY sample").fetchone()[0])
            database.close()

    def test_lmms_eval(self):
        python = python_with(*LMMS_IMPORTS, bare=tuple(LMMS_EVAL), named="logs")
        done = subprocess.run([python, "-c", LMMS, str(self.folder / "logs")], capture_output=True, text=True, timeout=280)
        self.assertEqual(done.returncode, 0, done.stderr)
        log = next((self.folder / "logs").rglob("*_samples_cats.jsonl"))
        done = call("import", "lmms-eval", log, "--metric", "exact_match", "--output", self.folder / "runs")
        self.assertEqual(done.returncode, 0, done.stderr)
        results = json.loads((self.folder / "runs/llava-cats/results.json").read_text())
        metric = next(one for one in results["metrics"] if one["id"] == "cats/exact_match")
        self.assertEqual((metric["value"], metric["n"]), (15 / 20, 20))


if __name__ == "__main__":
    import unittest
    unittest.main()

"""The same bytes for any number of threads, batch size, shards, and after being killed at any moment."""
import json
import os
import random
import signal
import subprocess
import time

from cli import SNELLEN, Case, call, contents, probe_c_groups, probe_c_scores, without_name


class SameBytes(Case):
    def run_probe_c(self, output, *more, count=2000):
        data = self.folder / "data"
        if not data.exists():
            self.write("data/data_compositional_switch.json", probe_c_groups(count))
            self.write("data/data_object_switch.json", probe_c_groups(count // 2, seed=1))
        return call("run", "--model", "fake", "--tasks", "probe-c", "--data", data, "--output", self.folder / output, *more)

    def test_threads_and_batch_sizes_do_not_matter(self):
        self.assertEqual(self.run_probe_c("one", "--num-workers", 1).returncode, 0)
        want = contents(self.folder / "one" / "fake-probe-c")
        for number, flags in enumerate([("--num-workers", 2), ("--num-workers", 8), ("--batch-size", 1), ("--batch-size", 7), ("--batch-size", 100000)]):
            self.assertEqual(self.run_probe_c(f"other{number}", *flags).returncode, 0)
            self.assertEqual(contents(self.folder / f"other{number}" / "fake-probe-c"), want, flags)

    def test_merged_shards_equal_one_run(self):
        self.assertEqual(self.run_probe_c("whole", "--limit", 700).returncode, 0)
        folders = []
        for shard in (2, 0, 1):
            result = self.run_probe_c("shards", "--limit", 700, "--shard", f"{shard}/3")
            self.assertEqual(result.returncode, 0, result.stderr)
            folders.append(self.folder / "shards" / f"fake-probe-c-shard{shard}of3")
        result = call("merge", *folders, "--output", self.folder / "merged")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(contents(self.folder / "merged" / "fake-probe-c"), contents(self.folder / "whole" / "fake-probe-c"))
        self.expect_error(call("merge", *folders[:2], "--output", self.folder / "x"), 3, "1 missing")
        self.expect_error(call("merge", folders[0], folders[0], "--output", self.folder / "x"), 3, "given twice")

    def test_killed_at_twenty_moments_and_resumed(self):
        count = 60000
        self.assertEqual(self.run_probe_c("whole", "--num-workers", 1, count=count).returncode, 0)
        want = contents(self.folder / "whole" / "fake-probe-c")
        command = [SNELLEN, "run", "--model", "fake", "--tasks", "probe-c", "--data", self.folder / "data", "--output", self.folder / "killed"]
        rng = random.Random(3)
        kills = kept = most_kept = 0
        started = time.monotonic()
        while kills < 20 and time.monotonic() - started < 240:
            process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            try:
                process.wait(timeout=rng.uniform(0.02, 1.2))
                self.assertEqual(process.returncode, 0)
                # Finished before its time: begin again, so that every moment of a run is met.
                subprocess.run(["rm", "-rf", self.folder / "killed"], check=True)
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGKILL)
                process.wait()
                kills += 1
                database = self.folder / "killed" / "fake-probe-c" / "samples.db"
                if database.exists():
                    check = subprocess.run(["sqlite3", database, "PRAGMA integrity_check"], capture_output=True, text=True)
                    self.assertEqual(check.stdout.strip(), "ok", check.stderr)
                    count_rows = subprocess.run(["sqlite3", database, "SELECT count(*) FROM samples"], capture_output=True, text=True)
                    kept = int(count_rows.stdout or 0)
                    most_kept = max(most_kept, kept)
                else:
                    kept = 0
        result = call(*command[1:], "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(kills, 20)
        self.assertEqual(contents(self.folder / "killed" / "fake-probe-c"), want)
        # Every sample that a killed run had committed is taken over, and some of the kills had met committed samples.
        self.assertEqual(json.loads(result.stdout)["resumed"], kept)
        self.assertGreater(most_kept, 0)

    def test_interrupt_leaves_a_resumable_run(self):
        count = 60000
        self.assertEqual(self.run_probe_c("whole", count=count).returncode, 0)
        command = [SNELLEN, "run", "--model", "fake", "--tasks", "probe-c", "--data", self.folder / "data", "--output", self.folder / "stopped", "--num-workers", "1"]
        process = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
        while not (self.folder / "stopped" / "fake-probe-c" / "samples.db").exists():
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130, errors)
        self.assertIn("resume with: snellen run", errors)
        self.assertEqual(call(*command[1:]).returncode, 0)
        self.assertEqual(contents(self.folder / "stopped" / "fake-probe-c"), contents(self.folder / "whole" / "fake-probe-c"))

    def test_score_equals_run_with_the_file_model(self):
        self.write("data/data_compositional_switch.json", probe_c_groups(50))
        scores = self.write("scores.jsonl", probe_c_scores(50))
        data = self.folder / "data"
        self.assertEqual(call("score", "probe-c", "--scores", scores, "--data", data, "--output", self.folder / "a").returncode, 0)
        self.assertEqual(call("run", "--model", f"file:{scores}", "--tasks", "probe-c", "--annot_dir", data, "--save_dir", self.folder / "b").returncode, 0)
        self.assertEqual(contents(self.folder / "a" / "file-probe-c"), contents(self.folder / "b" / "file-probe-c"))

    def test_reference_spelling_and_compat_layout(self):
        self.write("data/data_compositional_switch.json", probe_c_groups(20))
        self.write("data/data_object_switch.json", probe_c_groups(20, seed=2))
        scores = self.write("scores.jsonl", probe_c_scores(20) + probe_c_scores(20, seed=5).replace("composition", "object"))
        result = call("run", "--adapter", "file", "--scores", scores, "--model", "clip_ViT-B/32", "--tasks", "probe-c", "--annot_dir", self.folder / "data",
                      "--save_dir", self.folder / "out", "--compat")
        self.assertEqual(result.returncode, 0, result.stderr)
        top = self.folder / "out" / "clip_ViT-B_32-probe-c" / "compositional_text_eval" / "clip_ViT-B" / "32" / "results"
        self.assertTrue((top / "eval_compositional_switching_composition_understanding.json").exists())
        self.assertTrue((top / "results" / "eval_aggregated_compositional_switching_object_understanding.json").exists())
        self.assertTrue((top.parent / "log.txt").exists())

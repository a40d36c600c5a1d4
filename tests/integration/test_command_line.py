"""What people type: misspelt words, flags of other tasks, settings files, output that cannot be written, help."""
import subprocess
import sys
import unittest

from cli import SCORING_PROGRAM, SNELLEN, Case, call, probe_c_groups

VERBS = ("demo", "list", "run", "score", "train", "finetune", "patch", "zeroshot", "merge", "verify", "compare", "gate", "vader",
         "meteor", "cider", "tokenize", "check", "data", "doctor")
ADAPTER = 'import sys\nprint("loading", file=sys.stderr, flush=True)\n' + SCORING_PROGRAM


class CommandLine(Case):
    def run_fake(self, *more):
        self.write("data/data_compositional_switch.json", probe_c_groups(3))
        return call("run", "--model", "fake", "--tasks", "probe-c", "--data", self.folder / "data", "--output", self.folder / "out", *more)

    def test_a_misspelt_verb_or_flag_names_the_nearest(self):
        self.expect_error(call("rnu"), 2, "unknown verb 'rnu'", "did you mean 'run'")
        self.expect_error(call("build", "probe-cc"), 2, "did you mean 'probe-c'")
        self.expect_error(call("run", "--modle", "fake"), 2, "unknown flag '--modle'", "did you mean '--model'")

    def test_a_flag_of_a_task_that_is_not_asked_for_is_refused(self):
        self.expect_error(self.run_fake("--suite", "suite.json"), 2, "--suite", "setting of task vilma")
        self.expect_error(self.run_fake("--exec-timeout", "3"), 2, "--exec-timeout", "setting of model exec")

    def test_underscores_and_reference_spellings_are_accepted(self):
        self.expect(self.run_fake("--batch_size", 2, "--save_dir", self.folder / "elsewhere"), 0)
        self.assertTrue((self.folder / "elsewhere" / "fake-probe-c").exists())

    def test_a_settings_file_does_not_start_a_program_unasked(self):
        config = self.write("theirs.json", {"model": "exec:touch started", "tasks": "probe-c"})
        self.expect_error(call("run", "--config", config, cwd=self.folder), 2, "names a program to start")
        self.assertFalse((self.folder / "started").exists())

    def test_settings_of_other_tasks_and_retired_ones_in_a_file_are_skipped(self):
        config = self.write("all.json", {"suite": "x.json", "pretend-memory": 0, "batch-size": 2})
        self.expect(self.run_fake("--config", config), 0)

    def test_a_nested_settings_file_is_refused(self):
        config = self.folder / "deep.json"
        config.write_text('{"tasks": ' + "[" * 400_000 + "]" * 400_000 + "}")
        self.expect_error(call("run", "--config", config), 3, "deep.json")

    def test_output_that_cannot_be_written_is_an_error_and_notes_are_not(self):
        with open("/dev/full", "w") as full:
            self.assertEqual(subprocess.run([SNELLEN, "list", "tasks"], stdout=full, stderr=subprocess.PIPE).returncode, 1)
            self.assertEqual(subprocess.run([SNELLEN, "run", "--model", "nosuch", "--tasks", "probe-c"], stderr=full).returncode, 2)

    def full(self, *arguments):
        """The exit code with standard output full, and with standard error full too."""
        codes = []
        with open("/dev/full", "w") as full:
            for errors in (subprocess.PIPE, full):
                codes.append(subprocess.run([SNELLEN, *map(str, arguments)], stdout=full, stderr=errors, timeout=60).returncode)
        return codes

    def test_whole_runs_on_full_devices_are_kept_and_told(self):
        self.write("data/data_compositional_switch.json", probe_c_groups(3))
        asked = ["run", "--model", "fake", "--tasks", "probe-c", "--data", self.folder / "data", "--overwrite", "--output"]
        self.assertEqual(self.full(*asked, self.folder / "out"), [1, 1])
        run = self.folder / "out/fake-probe-c"
        self.expect(call("verify", run), 0)
        self.assertEqual(self.full("verify", run), [1, 1])
        self.assertEqual(self.full("compare", run, run), [1, 1])
        self.assertEqual(self.full("gate", run, "--require", "probe-c/composition/group>=0"), [1, 1])
        self.assertEqual(self.full("report", run, "--output", self.folder / "report"), [1, 1])
        self.assertTrue((self.folder / "report/report.html").exists())

    def test_adapters_on_full_devices(self):
        adapter = self.write("adapter.py", ADAPTER)
        items = self.write("items.jsonl", '{"metric": "pairwise"}\n{"id": "a", "visuals": ["adapter.py"], "texts": ["x", "y"], "right": 0}\n')
        asked = ["run", "--model", f"exec:{sys.executable} {adapter}", "--tasks", f"file:{items}", "--overwrite", "--output", self.folder / "out"]
        self.assertEqual(self.full(*asked), [1, 1])
        self.expect(call("verify", self.folder / "out/exec-items"), 0)

    def test_texts_on_full_devices(self):
        for words in (["list", "metrics"], ["--json", "list", "metrics"], ["doctor"], ["--help"], ["--version"], ["run", "--help"]):
            with self.subTest(words=words):
                self.assertEqual(self.full(*words), [1, 1])

    def test_help_tells_the_defaults_that_are_used(self):
        help = " ".join(call("train", "--help").stdout.split())
        self.assertIn("beta2 of AdamW (default 0.98)", help)
        self.assertIn("0: do not clip (default 1)", help)
        self.assertIn("(default 0.999)", " ".join(call("finetune", "--help").stdout.split()))

    def test_help_fits_eighty_columns_and_that_of_run_three_screens(self):
        for verb in VERBS:
            with self.subTest(verb=verb):
                result = call(verb, "--help")
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertIn(f"Usage: snellen {verb}", result.stdout)
                self.assertEqual([line for line in result.stdout.splitlines() if len(line) > 80], [])
        self.assertLessEqual(len(call("run", "--help").stdout.splitlines()), 3 * 24)

    def test_what_is_required_is_said_once(self):
        text = call("media", "noise", "--help").stdout
        self.assertEqual(text.lower().count("required"), 2, text)  # the pictures, and where to

    def test_settings_that_are_rarely_needed_are_shown_by_help_all(self):
        self.assertNotIn("--transparency", call("run", "--help").stdout)
        result = call("run", "--help-all")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("--transparency", result.stdout)
        self.assertIn("--device", result.stdout)

    def test_help_shows_the_settings_of_the_task_that_is_named(self):
        self.assertNotIn("--suite", call("run", "--help").stdout)
        self.assertIn("--suite", call("run", "--help", "--tasks", "vilma").stdout)
        self.assertIn("--answers", call("score", "bias-close", "--help").stdout)


if __name__ == "__main__":
    unittest.main()

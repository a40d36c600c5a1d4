# SPDX-License-Identifier: Apache-2.0
"""The demo: the shipped models, every step, one report; a second time nothing is done again."""
import json
import pathlib
import unittest

from cli import SNELLEN, Case, call

SHARED = pathlib.Path(SNELLEN).parent / "share" / "snellen" / "models"
HAS_NETWORKS = (pathlib.Path(SNELLEN).parent / "libsnellen_networks.so").exists() and (SHARED / "clip").exists()


@unittest.skipUnless(HAS_NETWORKS, "this build has no networks or no shipped models")
class Demo(Case):
    def test_story(self):
        out = self.folder / "demo"
        result = call("demo", "--output", out)
        self.assertEqual(result.returncode, 0, result.stderr + result.stdout)
        report = (out / "report.md").read_text()
        for word in ("clip-patched", "blip", "xclip", "gpt2", "direction", "without background", "rare actions"):
            self.assertIn(word, report)
        runs = sorted(path.name for path in (out / "runs").iterdir())
        self.assertEqual(len(runs), 6 * 3 + 2 + 3, runs)
        for name in ("clip-probe-r", "blip-direction-gray", "gpt2-vilma"):
            self.assertEqual(call("verify", out / "runs" / name).returncode, 0, name)
        before = {path: path.read_bytes() for path in (out / "runs").rglob("results.json")}
        again = call("demo", "--output", out)
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertEqual((out / "report.md").read_text(), report)
        self.assertEqual(before, {path: path.read_bytes() for path in (out / "runs").rglob("results.json")})

    def test_a_step_that_fails_is_named(self):
        out = self.folder / "demo"
        out.mkdir()
        (out / "eyechart").write_text("a file where the world should be")
        result = call("demo", "--output", out)
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn("snellen build eyechart", result.stderr)
        self.assertIn("try this command by itself", result.stderr)

    def test_models_are_what_their_folders_say(self):
        for name in ("clip", "clip-patched", "blip", "xclip", "gpt2"):
            config = json.loads((SHARED / name / "config.json").read_text())
            self.assertEqual(config["dtype"], "float16", name)
            self.assertLess((SHARED / name / "model.safetensors").stat().st_size, 6_000_000, name)


if __name__ == "__main__":
    unittest.main()

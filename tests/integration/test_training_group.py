# SPDX-License-Identifier: Apache-2.0
"""Two processes learn what one learns from the double batch: the gradients of a step, the weights after twenty."""
import subprocess
import unittest

from cli import MPIRUN, SNELLEN, WITHOUT_WORLD, Case, call, has_mpi
from test_training import HAS_NETWORKS, SMALL, floats, tensors


@unittest.skipUnless(HAS_NETWORKS and has_mpi(), "this build has no torch or no MPI")
class TwoProcesses(Case):
    def both(self, verb, *flags, launchers=(("one", []), ("two", [*MPIRUN, "-n", "2"]))):
        """The folders that one process and two make of the same flags."""
        for name, launcher in launchers:
            done = subprocess.run([*launcher, SNELLEN, *map(str, (verb, "--output", self.folder / name, "--scenes", 48, "--batch-size", 16,
                                                                  "--torch-threads", 1, "--num-workers", 1, "--evaluate-every", 0, "--probe-scenes", 8,
                                                                  *flags))], capture_output=True, text=True, timeout=300)
            self.assertEqual(done.returncode, 0, done.stderr)
        return [self.folder / name for name, _ in launchers]

    def expect_equal_gradients(self, verb, *flags):
        # After one step the optimiser's mean is a tenth of the gradient, where nothing is clipped.
        one, two = (tensors(folder / "checkpoints/step-00000001/optimizer.safetensors") for folder in
                    self.both(verb, *flags, "--steps", 2, "--checkpoint-every", 1, "--keep-checkpoints", "--clip-norm", 0))
        means = [name for name in one if name.startswith("mean.")]
        self.assertEqual(set(one), set(two))
        self.assertGreater(len(means), 20)
        largest = max(abs(x) for name in means for x in floats(one[name]))
        worst = max(abs(a - b) for name in means for a, b in zip(floats(one[name]), floats(two[name])))
        self.assertGreater(largest, 0)
        self.assertLess(worst, 1e-5 * largest)

    def expect_equal_weights(self, verb, *flags):
        one, two = (tensors(folder / "model.safetensors") for folder in self.both(verb, *flags, "--steps", 20))
        self.assertEqual(set(one), set(two))
        for name in one:
            # The bias of keys cancels out in the softmax: its gradient is rounding, which AdamW makes steps of.
            if not name.endswith("k_proj.bias"):
                self.assertLess(max(abs(a - b) for a, b in zip(floats(one[name]), floats(two[name]))), 1e-4, name)

    def model(self):
        self.assertEqual(call("train", "--arch", "clip", "--init", self.write("clip.json", SMALL["clip"]), "--output", self.folder / "base", "--scenes", 48,
                              "--batch-size", 8, "--steps", 4, "--torch-threads", 1, "--probe-scenes", 8).returncode, 0)
        return self.folder / "base"

    def fresh(self):
        return "--arch", "clip", "--init", self.write("clip.json", SMALL["clip"])

    def test_a_step_of_train_has_the_same_gradients(self):
        self.expect_equal_gradients("train", *self.fresh())

    def test_a_step_with_contrasts_and_chunks_has_the_same_gradients(self):
        self.expect_equal_gradients("train", *self.fresh(), "--contrasts", "--chunk", 3)

    def test_a_step_of_finetune_has_the_same_gradients(self):
        self.expect_equal_gradients("finetune", "--model", self.model())

    def test_twenty_steps_of_train_come_to_the_same_weights(self):
        self.expect_equal_weights("train", *self.fresh())

    def test_processes_without_open_mpis_world_variables_are_one_group(self):
        two = [*MPIRUN, "-n", "2"]
        folders = self.both("train", *self.fresh(), "--steps", 4, launchers=(("two", two), ("bare", [*two, *WITHOUT_WORLD])))
        told, bare = ((folder / "model.safetensors").read_bytes() for folder in folders)
        self.assertEqual(told, bare)
        steps = (self.folder / "bare/train.jsonl").read_text().splitlines()
        self.assertEqual(len([line for line in steps if "gradient_norm" in line]), 4)

    def test_twenty_steps_of_finetune_come_to_the_same_weights(self):
        self.expect_equal_weights("finetune", "--model", self.model(), "--lr", 1e-3, "--accumulate", 2)


if __name__ == "__main__":
    unittest.main()

"""Runs shared by several processes under mpirun: the same bytes, whatever dies, stops or is slow."""
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import time
import unittest

from cli import MPIRUN, SNELLEN, WITHOUT_WORLD, Case, call, contents, has_mpi, probe_c_groups

def ranks_of(launcher):
    """The processes that a launcher started, once it has."""
    children = pathlib.Path(f"/proc/{launcher.pid}/task/{launcher.pid}/children")
    try:
        return [int(pid) for pid in children.read_text().split()]
    except OSError:
        return []


def cpu_seconds(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@unittest.skipUnless(has_mpi(), "this build has no MPI, or there is no mpirun that works here")
class Dist(Case):
    def arguments(self, output, *more, count=2000, model="fake"):
        data = self.folder / "data"
        if not data.exists():
            self.write("data/data_compositional_switch.json", probe_c_groups(count))
            self.write("data/data_object_switch.json", probe_c_groups(count // 2, seed=1))
        return [SNELLEN, "run", "--model", model, "--tasks", "probe-c", "--data", str(data), "--output", str(self.folder / output), *map(str, more)]

    def run_on(self, ranks, *arguments, **options):
        command = [*MPIRUN, "-n", str(ranks), *self.arguments(*arguments, **options)]
        return subprocess.run(command, capture_output=True, text=True, timeout=300)

    def whole(self, **options):
        """What a process alone comes to."""
        self.assertEqual(subprocess.run(self.arguments("whole", **options), capture_output=True).returncode, 0)
        return contents(self.folder / "whole" / "fake-probe-c")

    def run_of(self, output):
        return self.folder / output / "fake-probe-c"

    def test_the_number_of_ranks_does_not_matter(self):
        want = self.whole()
        for ranks in (1, 2, 4):
            result = self.run_on(ranks, f"ranks{ranks}", "--num-workers", ranks)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertEqual(contents(self.run_of(f"ranks{ranks}")), want, ranks)
            if ranks > 1:
                self.assertIn(f"shared by {ranks} ranks", result.stderr)
            self.assertEqual(result.stderr.count("items scored in"), 1, result.stderr)

    def test_ranks_without_open_mpis_world_variables_are_one_group(self):
        want = self.whole()
        command = [*MPIRUN, "-n", "2", *WITHOUT_WORLD, *self.arguments("bare", "--num-workers", 1)]
        result = subprocess.run(command, capture_output=True, text=True, timeout=300)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("shared by 2 ranks", result.stderr)
        self.assertEqual(contents(self.run_of("bare")), want)

    def test_shards_may_be_shared_and_bad_records_stay_bad(self):
        groups = probe_c_groups(600)
        groups[17] = {"img1_id": "x"}
        groups[300] = {}
        self.write("data/data_compositional_switch.json", groups)
        alone = subprocess.run(self.arguments("whole"), capture_output=True)
        self.assertEqual(alone.returncode, 4)
        result = self.run_on(3, "ranks")
        self.assertEqual(result.returncode, 4, result.stderr)
        self.assertEqual(contents(self.run_of("ranks")), contents(self.run_of("whole")))
        for shard in range(2):
            result = self.run_on(2, "shards", "--shard", f"{shard}/2")
            self.assertIn(result.returncode, (0, 4), result.stderr)
        folders = [self.folder / "shards" / f"fake-probe-c-shard{shard}of2" for shard in range(2)]
        self.assertEqual(call("merge", *folders, "--output", self.folder / "merged").returncode, 4)
        self.assertEqual(contents(self.run_of("merged")), contents(self.run_of("whole")))

    def test_killed_ranks_at_twenty_moments(self):
        count = 3000
        want = self.whole(count=count)
        rng = random.Random(5)
        kills = rounds = 0
        named = 0
        started = time.monotonic()
        while kills < 20 and time.monotonic() - started < 240:
            rounds += 1
            command = [*MPIRUN, "-n", "3", *self.arguments("killed", "--num-workers", 1, model="fake:wait=300")]
            launcher = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
            try:
                launcher.wait(timeout=rng.uniform(0.2, 1.2))
            except subprocess.TimeoutExpired:
                ranks = ranks_of(launcher)
                if ranks:
                    victim = rng.choice(ranks)
                    try:
                        os.kill(victim, signal.SIGKILL)
                        kills += 1
                    except ProcessLookupError:
                        pass
            _, errors = launcher.communicate(timeout=60)
            if launcher.returncode == 0:
                # Finished before its time: begin again, so that every moment of a run is met.
                self.assertEqual(contents(self.run_of("killed")), want)
                shutil.rmtree(self.folder / "killed")
                continue
            named += bool(re.search(r"process rank \d", errors))
            database = self.run_of("killed") / "samples.db"
            if database.exists():
                check = subprocess.run(["sqlite3", database, "PRAGMA integrity_check"], capture_output=True, text=True)
                self.assertEqual(check.stdout.strip(), "ok", check.stderr)
        self.assertEqual(kills, 20)
        self.assertGreater(named, 10)
        result = self.run_on(2, "killed")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(contents(self.run_of("killed")), want)

    def start(self, ranks, *arguments, **options):
        """A run that has begun to record."""
        command = [*MPIRUN, "-n", str(ranks), *self.arguments(*arguments, **options)]
        launcher = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        database = self.run_of(arguments[0]) / "samples.db"
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and launcher.poll() is None:
            if database.exists() and self.recorded(database) > 0:
                return launcher
            time.sleep(0.02)
        self.fail(launcher.communicate()[1])

    def recorded(self, database):
        count = subprocess.run(["sqlite3", f"file:{database}?mode=ro", "SELECT count(*) FROM samples"], capture_output=True, text=True)
        return int(count.stdout) if count.returncode == 0 else 0

    def test_sigterm_to_mpirun_keeps_what_was_scored(self):
        want = self.whole(count=3000)
        launcher = self.start(3, "stopped", "--num-workers", 1, model="fake:wait=2000")
        begin = time.monotonic()
        launcher.send_signal(signal.SIGTERM)
        launcher.communicate(timeout=60)
        self.assertLess(time.monotonic() - begin, 10)
        self.assertNotEqual(launcher.returncode, 0)
        stamp = json.loads((self.run_of("stopped") / "run.json").read_text())
        self.assertEqual(stamp["verdict"], "interrupted")
        self.assertGreater(stamp["counts"]["probe-c"]["scored"], 0)
        result = self.run_on(4, "stopped", "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(json.loads(result.stdout)["resumed"], stamp["counts"]["probe-c"]["scored"])
        self.assertEqual(contents(self.run_of("stopped")), want)

    def test_sigterm_to_one_rank_ends_the_run_in_good_order(self):
        for victim in (0, 1):
            launcher = self.start(2, f"stopped{victim}", "--num-workers", 1, count=3000, model="fake:wait=2000")
            os.kill(sorted(ranks_of(launcher))[victim], signal.SIGTERM)
            _, errors = launcher.communicate(timeout=60)
            self.assertEqual(launcher.returncode, 130, errors)
            self.assertIn("resume with: snellen run", errors)
            stamp = json.loads((self.run_of(f"stopped{victim}") / "run.json").read_text())
            self.assertEqual(stamp["verdict"], "interrupted")

    def on_two_kinds(self, first, second, environment=()):
        """Rank 0 runs one command, rank 1 another."""
        command = [*MPIRUN, "-n", "1", *first, ":", "-n", "1", "env", *environment, *second]
        return subprocess.run(command, capture_output=True, text=True, timeout=300)

    def test_another_instruction_set_is_refused(self):
        same = self.arguments("refused", model="fake:wait=200")
        result = self.on_two_kinds(same, same, ["SNELLEN_TEST_INSTRUCTION_SET=vax"])
        self.expect_error(result, 1, "rank 1 (process ", 'instruction_set is "vax" there and "x86-64')

    def test_other_inputs_are_refused(self):
        same = self.arguments("refused", model="fake:wait=200")
        self.write("other/data_compositional_switch.json", probe_c_groups(2000, seed=9))
        self.write("other/data_object_switch.json", probe_c_groups(1000, seed=1))
        other = [str(self.folder / "other") if word == str(self.folder / "data") else word for word in same]
        self.expect_error(self.on_two_kinds(same, other), 1, "rank 1 (process ", "cannot take part", "data_compositional_switch.json")

    def test_a_rank_that_cannot_open_its_files_is_named(self):
        same = self.arguments("failed", model="fake:wait=200")
        other = ["/nowhere" if word == str(self.folder / "data") else word for word in same]
        self.expect_error(self.on_two_kinds(same, other), 3, "rank 1 (process ", "/nowhere")

    def test_wrong_flags_are_told_once(self):
        result = self.run_on(3, "x", "--no-such-flag")
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertEqual(result.stderr.count("snellen: "), 1, result.stderr)

    def test_a_slow_rank_does_not_hold_the_others(self):
        want = self.whole()
        begin = time.monotonic()
        result = self.on_two_kinds(self.arguments("shared", "--num-workers", 1, model="fake:wait=500"),
                                   self.arguments("shared", "--num-workers", 1, model="fake:wait=20000"))
        # An equal share would take the slow rank 30 s.
        self.assertLess(time.monotonic() - begin, 15)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(contents(self.run_of("shared")), want)

    def test_a_rank_that_waits_leaves_its_core_alone(self):
        # So few items that one rank has them all; the other waits for about two seconds.
        self.write("data/data_compositional_switch.json", probe_c_groups(40))
        command = [*MPIRUN, "-n", "2", *self.arguments("idle", "--num-workers", 1, model="fake:wait=60000")]
        launcher = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        used = {}
        while launcher.poll() is None:
            for pid in ranks_of(launcher):
                try:
                    used[pid] = cpu_seconds(pid)
                except OSError:
                    pass
            time.sleep(0.05)
        self.assertEqual(launcher.returncode, 0, launcher.communicate()[1])
        launcher.stderr.close()
        self.assertEqual(len(used), 2)
        self.assertLess(max(used.values()), 1.0)

#!/usr/bin/env python3
"""Runs the tests of the program as a user calls it: run_tests.py [--folder F] SNELLEN [test...]

Without names all test_*.py of the folder (default: beside this file) are run, two at a time, each in a process of its own. Writes GoogleTest-like JSON into the folder of
GTEST_OUTPUT, so that ./dev test counts every single test.
"""
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent
FOLDER = HERE
AT_ONCE = 2


def write_counts(name, tests, bad, skipped):
    output = os.environ.get("GTEST_OUTPUT", "")
    if not output.startswith("json:"):
        return
    rows = [{"name": test, "result": "SKIPPED" if test in skipped else "COMPLETED",
             **({"failures": ["see the log"]} if test in bad else {})} for test in tests]
    pathlib.Path(output[5:], f"{FOLDER.name}_{name}.json").write_text(json.dumps({"testsuites": [{"testsuite": rows}]}))


def run_named(names):
    sys.path[:0] = [str(FOLDER), str(HERE)]
    tests = []

    class Result(unittest.TextTestResult):
        def stopTest(self, test):
            tests.append(test.id())
            super().stopTest(test)

    suite = unittest.defaultTestLoader.loadTestsFromNames(names)
    result = unittest.TextTestRunner(verbosity=2, resultclass=Result).run(suite)
    bad = {test.id() for test, _ in result.failures + result.errors}
    write_counts(names[0], tests, bad, {test.id() for test, _ in result.skipped})
    return 0 if result.wasSuccessful() and tests else 1


def run_file(name):
    begin = time.monotonic()
    done = subprocess.run([sys.executable, __file__, "--folder", FOLDER, os.environ["SNELLEN"], name], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return name, done.returncode, done.stdout, time.monotonic() - begin


def run_all():
    # The largest first: what is long should not come last.
    files = sorted(FOLDER.glob("test_*.py"), key=lambda path: -path.stat().st_size)
    failed = []
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        for done in concurrent.futures.as_completed([pool.submit(run_file, path.stem) for path in files]):
            name, status, output, seconds = done.result()
            print(f"== {name}: {'passed' if status == 0 else 'FAILED'} in {seconds:.0f} s\n{output}", flush=True)
            if status != 0:
                failed.append(name)
    # The files have counted their tests; together they are none.
    write_counts("test", [], set(), set())
    if failed:
        print(f"failed: {' '.join(failed)}")
    return 1 if failed else 0


def main():
    global FOLDER
    arguments = sys.argv[1:]
    if arguments[0] == "--folder":
        FOLDER = pathlib.Path(arguments[1]).resolve()
        arguments = arguments[2:]
    os.environ["SNELLEN"] = str(pathlib.Path(arguments[0]).resolve())
    return run_named(arguments[1:]) if len(arguments) > 1 else run_all()


if __name__ == "__main__":
    sys.exit(main())

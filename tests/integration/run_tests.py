#!/usr/bin/env python3
"""Runs the integration tests against a built program: run_tests.py SNELLEN [test...]

Writes GoogleTest-like JSON into the folder of GTEST_OUTPUT, so that ./dev test counts every single test.
"""
import json
import os
import pathlib
import sys
import unittest


def main():
    os.environ["SNELLEN"] = str(pathlib.Path(sys.argv[1]).resolve())
    here = pathlib.Path(__file__).resolve().parent
    sys.path.insert(0, str(here))
    if len(sys.argv) > 2:
        suite = unittest.defaultTestLoader.loadTestsFromNames(sys.argv[2:])
    else:
        suite = unittest.defaultTestLoader.discover(str(here))
    tests = []

    class Result(unittest.TextTestResult):
        def stopTest(self, test):
            tests.append(test.id())
            super().stopTest(test)

    result = unittest.TextTestRunner(verbosity=2, resultclass=Result).run(suite)
    bad = {test.id() for test, _ in result.failures + result.errors}
    skipped = {test.id() for test, _ in result.skipped}
    output = os.environ.get("GTEST_OUTPUT", "")
    if output.startswith("json:"):
        rows = [{"name": name, "result": "SKIPPED" if name in skipped else "COMPLETED",
                 **({"failures": ["see the log"]} if name in bad else {})} for name in tests]
        pathlib.Path(output[5:], "integration_test.json").write_text(json.dumps({"testsuites": [{"testsuite": rows}]}))
    return 0 if result.wasSuccessful() and tests else 1


if __name__ == "__main__":
    sys.exit(main())

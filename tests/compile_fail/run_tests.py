#!/usr/bin/env python3
"""Compiles every .cc of this folder and expects what its head says: run_tests.py COMPILER

A file with a line "// expect: REGEX" must not compile, and the compiler's messages must match; one without must compile. All are
compiled as the rooms without torch are: the repository's folder is the only one added to the compiler's own. Writes
GoogleTest-like JSON into the folder of GTEST_OUTPUT, so that ./dev test counts every file.
"""
import json
import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
EXPECTED = re.compile(r"^// expect: (.+)$", re.M)


def complaint(compiler, source):
    """Why the file did not do as expected; empty when it did."""
    expected = EXPECTED.search(source.read_text())
    done = subprocess.run([compiler, "-std=c++20", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", f"-I{ROOT}", source],
                          capture_output=True, text=True, env={**os.environ, "LC_ALL": "C"})
    if expected is None:
        return "" if done.returncode == 0 else f"should compile, but:\n{done.stderr}"
    if done.returncode == 0:
        return "compiles, and should not"
    return "" if re.search(expected[1], done.stderr) else f"fails, but not with '{expected[1]}':\n{done.stderr}"


def main():
    rows = []
    for source in sorted(HERE.glob("*.cc")):
        why = complaint(sys.argv[1], source)
        print(f"{source.name}: {why or 'as expected'}")
        rows.append({"name": source.stem, "result": "COMPLETED", **({"failures": [why]} if why else {})})
    output = os.environ.get("GTEST_OUTPUT", "")
    if output.startswith("json:"):
        pathlib.Path(output[5:], "compile_fail_test.json").write_text(json.dumps({"testsuites": [{"testsuite": rows}]}))
    return 1 if any("failures" in row for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())

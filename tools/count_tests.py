#!/usr/bin/env python3
"""Sums the tests of one ctest run and prints the closing line "N passed, M failed[, K skipped]".

GoogleTest programs are counted test by test (their JSON files), every other test as one.
Usage: count_tests.py RESULTS_FOLDER
"""
import json
import pathlib
import sys
import xml.etree.ElementTree as ET


def main(folder: pathlib.Path) -> int:
    passed = failed = skipped = 0
    counted = set()
    for path in sorted(folder.glob("*.json")):
        counted.add(path.stem)
        for suite in json.loads(path.read_text())["testsuites"]:
            for test in suite["testsuite"]:
                if test.get("result") == "SKIPPED":
                    skipped += 1
                elif test.get("failures"):
                    failed += 1
                else:
                    passed += 1
    for case in ET.parse(folder / "ctest.xml").getroot().iter("testcase"):
        program = f"{case.get('name')}_test"
        if case.get("status") == "run":
            passed += program not in counted
        elif case.get("status") == "fail":
            # A program that crashed wrote no results of its own, or not all of them.
            failed += 1 if program not in counted else 0
            print(f"failed: {case.get('name')}")
        else:
            skipped += 1
    print(f"{passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else ""))
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))

#!/usr/bin/env python3
"""Counts the lines of C++ code outside tests, room by room, in the working tree or in revisions.

    tools/count_lines.py                          the files that git knows, as they are on disk
    tools/count_lines.py --rev dca25e4            a revision
    tools/count_lines.py --rev dca25e4 --rev HEAD two revisions side by side, and the difference
    tools/count_lines.py --files                  also every file
    tools/count_lines.py --without snellen/http   leave out files whose path begins so; may be given several times

A line counts when something other than white space is left after comments are taken away, and it is neither an #include,
a #pragma once nor a using-declaration that only repeats a name (`using base::Result;`).
Only .cc, .h and .cu are read. Not counted: tests (tests/, fuzz/, *_test.cc, snellen/testing/), examples, and
headers without a source of their own that only tests include.
"""
import argparse
import os
import re
import subprocess
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TEST_PATH = re.compile(r"(^|/)(tests|fuzz|examples|testing)/|_test\.cc$")
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.M)
SKIPPED_LINE = re.compile(r"\s*#\s*include\b|\s*#\s*pragma\s+once\b|\s*using\s+[\w:]+::\w+\s*;\s*$")
# What may hide a comment mark (strings and characters), before what is one.
TOKEN = re.compile(
    r'R"(?P<mark>[^(\s]*)\(.*?\)(?P=mark)"'
    r'|"(?:[^"\\\n]|\\.)*"'
    r"|(?<![0-9A-Za-z_])'(?:[^'\\\n]|\\.)+'"
    r"|(?P<comment>//[^\n]*|/\*.*?\*/)",
    re.S,
)


def code_lines(text):
    """How many lines of `text` hold code."""

    def without(match):
        if match.group("comment") is None:
            return match.group()
        return "\n" * match.group().count("\n")

    lines = TOKEN.sub(without, text).split("\n")
    return sum(1 for line in lines if line.strip() and not SKIPPED_LINE.match(line))


def git(*arguments):
    return subprocess.run(["git", "-C", str(ROOT), *arguments], check=True, capture_output=True).stdout


def sources_of(revision):
    """path -> text of every C++ file of the revision, or of the working tree (None)."""
    wanted = (".cc", ".h", ".cu")
    if revision is None:
        paths = [path for path in git("ls-files", "-co", "--exclude-standard").decode().split("\n") if path.endswith(wanted)]
        return {path: (ROOT / path).read_text() for path in paths if (ROOT / path).exists()}
    paths = [path for path in git("ls-tree", "-r", "--name-only", revision).decode().split("\n") if path.endswith(wanted)]
    request = "".join(f"{revision}:{path}\n" for path in paths).encode()
    answer = subprocess.run(["git", "-C", str(ROOT), "cat-file", "--batch"], input=request, check=True, capture_output=True).stdout
    texts, place = {}, 0
    for path in paths:
        end = answer.index(b"\n", place)
        size = int(answer[place:end].split()[-1])
        texts[path] = answer[end + 1 : end + 1 + size].decode()
        place = end + 1 + size + 1
    return texts


def tests_among(texts):
    """The paths that are tests, with the headers that serve only them."""
    tests = {path for path in texts if TEST_PATH.search(path)}
    includers = {}
    for path, text in texts.items():
        for included in INCLUDE.findall(text):
            includers.setdefault(included, set()).add(path)
    helpers = [path for path in texts if path.endswith(".h") and includers.get(path) and path[:-2] + ".cc" not in texts]
    grew = True
    while grew:
        found = {path for path in helpers if path not in tests and includers[path] <= tests}
        tests |= found
        grew = bool(found)
    return tests


def room_of(path):
    parts = path.split("/")
    return "/".join(parts[:2]) if parts[0] in ("snellen", "apps") else parts[0]


def counts_of(revision, without=()):
    """path -> lines of code, for what is neither a test nor begins with one of `without`."""
    texts = sources_of(revision)
    tests = tests_among(texts)
    return {path: code_lines(text) for path, text in texts.items() if path not in tests and not path.startswith(tuple(without))}


def show(names, columns, width=34):
    rows = sorted(set().union(*columns))
    head = f"{'':{width}}" + "".join(f"{name[:12]:>13}" for name in names)
    print(head + (f"{'change':>10}" if len(columns) > 1 else ""))
    for row in [*rows, "total"]:
        values = [sum(column.values()) if row == "total" else column.get(row, 0) for column in columns]
        line = f"{row:{width}}" + "".join(f"{value:>13,}" for value in values)
        print(line + (f"{values[-1] - values[0]:>+10,}" if len(columns) > 1 else ""))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rev", action="append", help="a revision to count; twice to compare (default: the working tree)")
    parser.add_argument("--without", action="append", default=[], metavar="PATH", help="leave out files whose path begins so")
    parser.add_argument("--files", action="store_true", help="print every file too")
    arguments = parser.parse_args()
    revisions = arguments.rev or [None]
    names = [revision or "working tree" for revision in revisions]
    per_file = [counts_of(revision, arguments.without) for revision in revisions]
    per_room = []
    for counts in per_file:
        rooms = Counter()
        for path, lines in counts.items():
            rooms[room_of(path)] += lines
        per_room.append(rooms)
    if arguments.files:
        show(names, per_file, width=64)
        print()
    show(names, per_room)


if __name__ == "__main__":
    os.environ["GIT_OPTIONAL_LOCKS"] = "0"
    main()

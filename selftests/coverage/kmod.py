#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Which lines of kmod/ did no test run?

Reads what gcov has counted in guests uml-gcov (build/check/counts*), and fails
unless 95 % of the lines were run. Each line that was not goes to
build/check/coverage-kmod.txt, with the reason that kmod.reasons has for it.
"""
import json
import os
import re
import shutil
import subprocess
import sys
from collections import defaultdict

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
COUNTS = [os.path.join(TOP, "build/check", name, "gcov")
          for name in ("counts", "counts-netlink")]
OBJECTS = os.path.join(TOP, "build/kmod/uml-gcov")
REPORT = os.path.join(TOP, "build/check/coverage-kmod.txt")
PROMISED = 95.0


def data_files():
    for counts in COUNTS:
        for folder, _, names in os.walk(counts):
            for name in names:
                yield os.path.join(folder, name)


def gcov(path):
    """The lines that one object has, with how often each ran."""
    inside = path.split("/build/kmod/uml-gcov/", 1)[1]
    beside = os.path.join(OBJECTS, inside)
    shutil.copyfile(path, beside)
    out = subprocess.run(["gcov", "--json-format", "--stdout", beside],
                         cwd=OBJECTS, check=True, capture_output=True).stdout
    return json.loads(out)["files"]


def own(path):
    """The file of kmod/ that a path of the build is, if it is one."""
    found = re.search(r"(?:^|/)(kmod/(?:core/)?[a-z_]+\.[ch])$", path)
    return found and found.group(1)


def lines():
    """Runs of each line of each file, in all objects together."""
    runs = defaultdict(lambda: defaultdict(int))
    for path in data_files():
        for entry in gcov(path):
            name = own(entry["file"])
            if not name:
                continue
            for line in entry["lines"]:
                runs[name][line["line_number"]] += line["count"]
    return runs


def reasons():
    """Pairs of what a line looks like ("file: text", as a regex) and why."""
    with open(os.path.join(HERE, "kmod.reasons")) as file:
        blocks = file.read().split("\n\n")
    for block in blocks:
        rows = [r for r in block.splitlines() if not r.startswith("#")]
        for row in rows[1:]:
            yield re.compile(row.strip()), rows[0]


def report(runs):
    """Writes what was not run; returns how many lines for which reason."""
    known = list(reasons())
    by_reason = defaultdict(list)
    for name in sorted(runs):
        with open(os.path.join(TOP, name)) as file:
            text = file.read().splitlines()
        for number, count in sorted(runs[name].items()):
            if count:
                continue
            line = f"{name}: {text[number - 1].strip()}"
            why = next((w for r, w in known if r.search(line)), "no reason")
            by_reason[why].append(f"{name}:{number}: {text[number - 1].strip()}")
    with open(REPORT, "w") as file:
        for why in sorted(by_reason):
            print(f"{why} ({len(by_reason[why])})", file=file)
            print("".join(f"\t{row}\n" for row in by_reason[why]), file=file)
    return by_reason


def main():
    print("TAP version 13\n1..1")
    runs = lines()
    total = sum(len(r) for r in runs.values())
    idle = report(runs)
    ran = total - sum(len(rows) for rows in idle.values())
    share = 100.0 * ran / total if total else 0
    for why in sorted(idle):
        print(f"# {len(idle[why])} lines: {why}")
    print(f"# figure: kmod: {ran} of {total} lines run, {share:.1f} %; "
          f"{len(idle.get('no reason', []))} without a reason")
    print("ok 1 - " if share >= PROMISED else "not ok 1 - ", end="")
    print(f"{PROMISED:.0f} % of the lines of kmod/ are run")
    return share < PROMISED


sys.exit(main())

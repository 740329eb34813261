#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Which lines of kmod/ did no test run?

Reads the counts of gcov from guests with the kernel uml-gcov (build/check/counts) and from the
programs of the stage core (build/core/gcov), which also run the module's files on the fake kernel.
Fails unless 97 % of all lines and 90 % of the lines of each file were run. Prints the other lines
with their functions."""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from glob import glob

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
COUNTS = os.path.join(TOP, "build/check/counts")
BUILDS = "/build/kmod/"
CORE = os.path.join(TOP, "build/core/gcov")
ALL, EACH = 97, 90


def merged(folder):
    """Adds up the counts of all guests, in a folder."""
    total = None
    for number, counts in enumerate(sorted(glob(COUNTS + "/**/gcov", recursive=True))):
        if total:
            into = f"{folder}/{number}"
            subprocess.run(["gcov-tool", "merge", "-o", into, total, counts],
                           check=True, capture_output=True)
            counts = into
        total = counts
    return glob(f"{total}/**/*.gcda", recursive=True) if total else []


def beside_notes(path):
    """Copies a guest's counts to the folder of the object's .gcno file, where gcov reads them."""
    beside = TOP + BUILDS + path.split(BUILDS, 1)[1]
    shutil.copyfile(path, beside)
    return beside


def gcov(path):
    """The counts of one object, as JSON."""
    out = subprocess.run(["gcov", "--json-format", "--stdout", path],
                         cwd=os.path.dirname(path), check=True,
                         capture_output=True).stdout
    return json.loads(out)["files"]


def own(path):
    """The path below kmod/ of a file of the build; None if the file is not from kmod/."""
    found = re.search(r"(?:^|/)kmod/((?:core/)?[a-z0-9_]+\.[ch])$", path)
    return found and found.group(1)


def runs():
    """How often each line (file, number, function) ran."""
    counts = Counter()
    with tempfile.TemporaryDirectory() as folder:
        for path in merged(folder):
            for entry in gcov(beside_notes(path)):
                for line in entry["lines"] if own(entry["file"]) else []:
                    key = (own(entry["file"]), line["line_number"],
                           line.get("function_name", ""))
                    counts[key] += line["count"]
    at = defaultdict(list)
    for key in counts:
        at[key[:2]].append(key)
    for path in glob(CORE + "/core/*.gcda") + glob(CORE + "/fake/kmod/*.gcda"):
        for entry in gcov(path):
            for line in entry["lines"] if own(entry["file"]) else []:
                for key in at[own(entry["file"]), line["line_number"]]:
                    counts[key] += line["count"]
    return counts


def source(name):
    with open(os.path.join(TOP, "kmod", name)) as file:
        return file.read().splitlines()


def print_idle(name, idle):
    text = source(name)
    for _, number, function in sorted(idle):
        print(f"# figure: not run: kmod/{name}:{number}: {function}: {text[number - 1].strip()}")


def main():
    counts = runs()
    lines, idle = Counter(), defaultdict(list)
    for key, count in counts.items():
        lines[key[0]] += 1
        if not count:
            idle[key[0]].append(key)
    compiled = {os.path.relpath(path, TOP + "/kmod")
                for path in glob(TOP + "/kmod/**/*.c", recursive=True)}
    names = sorted(set(lines) | compiled)
    print(f"TAP version 13\n1..{1 + len(names)}")
    total = sum(lines.values())
    ran = total - sum(map(len, idle.values()))
    good = [100 * ran >= ALL * max(total, 1)]
    print(f"{'ok' if good[0] else 'not ok'} 1 - {ALL} % of the lines of kmod/ are run")
    print(f"# figure: kmod: {ran} of {total} lines run, {100 * ran / max(total, 1):.1f} %")
    for number, name in enumerate(names, 2):
        ran = lines[name] - len(idle[name])
        good.append(lines[name] > 0 and 100 * ran >= EACH * lines[name])
        print(f"{'ok' if good[-1] else 'not ok'} {number} - kmod/{name}: "
              f"{EACH} % of its lines are run: {ran} of {lines[name]}")
        print_idle(name, idle[name])
    return not all(good)


sys.exit(main())

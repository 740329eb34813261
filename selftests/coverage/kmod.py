#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Which lines of kmod/ did no test run?

Reads what gcov has counted in guests uml-gcov (build/check/counts), and fails
unless 95 % of the lines were run and kmod.reasons says why the others were not;
of some, which run by chance, it need not.
All that were not are in build/check/coverage-kmod.txt. A row of kmod.reasons
that is about no line there is fails too; one whose lines were run is told, since
some run by chance.
"""
import json
import os
import re
import shutil
import subprocess
import sys
from collections import Counter, defaultdict
from glob import glob

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
COUNTS = os.path.join(TOP, "build/check/counts/*/gcov")
BUILDS = "/build/kmod/"
REPORT = os.path.join(TOP, "build/check/coverage-kmod.txt")
PROMISED = 95.0
# Lines that run by chance may all have stood still in one run.
CHANCE = 10
NO_REASON = "no reason"


def gcov(path):
    """What was counted in one object; its notes lie where it was built."""
    beside = TOP + BUILDS + path.split(BUILDS, 1)[1]
    shutil.copyfile(path, beside)
    out = subprocess.run(["gcov", "--json-format", "--stdout", beside],
                         cwd=os.path.dirname(beside), check=True,
                         capture_output=True).stdout
    return json.loads(out)["files"]


def own(path):
    """The file of kmod/ that a path of the build is, if it is one."""
    found = re.search(r"(?:^|/)kmod/((?:core/)?[a-z_]+\.[ch])$", path)
    return found and found.group(1)


def source(name):
    with open(os.path.join(TOP, "kmod", name)) as file:
        return file.read().splitlines()


def files():
    """All that is compiled."""
    kmod = os.path.join(TOP, "kmod")
    return {os.path.relpath(path, kmod)
            for path in glob(kmod + "/**/*.c", recursive=True)}


def runs():
    """How often each line (file, number, "function: text") ran."""
    counts, texts = Counter(), {}
    for path in glob(COUNTS + "/**/*.gcda", recursive=True):
        for entry in gcov(path):
            name = own(entry["file"])
            if not name:
                continue
            if name not in texts:
                texts[name] = source(name)
            for line in entry["lines"]:
                number = line["line_number"]
                text = texts[name][number - 1].strip()
                function = line.get("function_name", "")
                counts[name, number, f"{function}: {text}"] += line["count"]
    return counts


def reasons():
    """For "file function: text", "file function: *" (all of it, whichever lines are run
    by chance), or "file function" where nothing of it is run, why."""
    why = {}
    with open(os.path.join(HERE, "kmod.reasons")) as file:
        for row in file.read().splitlines():
            if row.startswith("\t"):
                why[row.strip()] = reason
            elif row and not row.startswith("#"):
                reason = row
    return why


def function_of(line):
    name, _, text = line
    return f"{name} {text.partition(':')[0]}"


def row_of(line, why):
    """The row of kmod.reasons that a line has, if any."""
    rows = f"{line[0]} {line[2]}", f"{function_of(line)}: *", function_of(line)
    return next((row for row in rows if row in why), None)


def report(idle, why):
    """Writes what was not run; returns the lines by their reason."""
    by_reason = defaultdict(list)
    for line in sorted(idle):
        by_reason[why.get(row_of(line, why), NO_REASON)].append(line)
    with open(REPORT, "w") as file:
        for reason, lines in sorted(by_reason.items()):
            print(f"{reason} ({len(lines)})", file=file)
            for name, number, text in lines:
                print(f"\t{name}:{number} {text}", file=file)
    return by_reason


def result(number, good, text):
    print("ok" if good else "not ok", number, "-", text)
    return good


def main():
    print("TAP version 13\n1..4")
    counts, why = runs(), reasons()
    absent = files() - {name for name, _, _ in counts}
    idle = [line for line, count in counts.items() if not count]
    stale = set(why) - {row_of(line, why) for line in counts}
    alive = {function_of(line) for line, count in counts.items() if count}
    lucky = set(why) - stale - {row_of(line, why) for line in idle} | alive & set(why)
    why = {row: why[row] for row in set(why) - alive}
    by_reason = report(idle, why)
    for reason, lines in sorted(by_reason.items()):
        print(f"# {len(lines)} lines: {reason}")
    unknown = by_reason[NO_REASON]
    for row in sorted(stale):
        print("# no such line:", row)
    for row in sorted(lucky):
        print("# has a reason, and was run:", row)
    ran, total = len(counts) - len(idle), len(counts)
    share = 100.0 * ran / max(total, 1)
    print(f"# figure: kmod: {ran} of {total} lines run, {share:.1f} %, "
          f"{len(unknown)} of the others without a reason")
    good = [result(1, share >= PROMISED,
                   f"{PROMISED:.0f} % of the lines of kmod/ are run"),
            result(2, len(unknown) <= CHANCE,
                   f"the others have reasons, but for at most {CHANCE}")]
    for name, number, text in unknown:
        print(f"# {name}:{number} {text}")
    good.append(result(3, not stale, "each reason is about a line"))
    good.append(result(4, not absent, "each file of kmod/ is counted"))
    for name in sorted(absent):
        print("#", name)
    return not all(good)


sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Checks that Documentation/accuracy.md has the figures of Documentation/accuracy.csv, and that
build/core/gcc/accuracy still measures the first rows of these. Prints TAP. With --write it
measures all figures and writes them."""
import csv
import glob
import os
import shutil
import subprocess
import sys
import tempfile

os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
PAGE = "Documentation/accuracy.md"
FIGURES = "Documentation/accuracy.csv"
count = failed = 0


def ok(good, what, why=""):
    global count, failed
    count += 1
    failed += not good
    print("%sok %d - %s" % ("" if good else "not ", count, what))
    if not good:
        print("# %s" % why)


def read(path):
    with open(path) as file:
        return file.read()


def measure(folder, *which):
    subprocess.run(["build/core/gcc/accuracy", folder, *which], check=True)
    return os.path.join(folder, "accuracy.csv")


def row(figures):
    """A row of the page's table, with figures rounded to a few digits."""
    def number(name, digits=3, times=1):
        return "%.*g" % (digits, times * float(figures[name]))

    return [figures["s"], figures["capacity"], figures["sketch"],
            number("beyond", 2, 100) + " %", number("error_heavy"),
            number("error_middle"), number("error_tail"), figures["heavy"],
            number("recall", 4) + " %", figures["false_alarms"],
            figures["top"]]


def table():
    """The rows of the page's table as they should be."""
    with open(FIGURES) as file:
        return ["| " + " | ".join(row(figures)) + " |"
                for figures in csv.DictReader(file)]


def split(text):
    """The lines before the rows of the table, the rows, and the lines after them."""
    lines = text.split("\n")
    begin = next(i for i, line in enumerate(lines) if line[:3] == "|--") + 1
    end = lines.index("", begin)
    return lines[:begin], lines[begin:end], lines[end:]


def write(folder):
    shutil.copy(measure(folder), FIGURES)
    for plot in glob.glob(folder + "/*.svg"):
        shutil.copy(plot, "Documentation")
    before, _, behind = split(read(PAGE))
    with open(PAGE, "w") as file:
        file.write("\n".join(before + table() + behind))
    return 0


def check(folder):
    shown, known = split(read(PAGE))[1], table()
    ok(len(shown) == len(known), "the page has each row of the figures",
       "%d, not %d" % (len(shown), len(known)))
    for line, want in zip(shown, known):
        ok(line == want, want.strip("| "), "the page has " + line)
    now = read(measure(folder, "first")).splitlines()
    kept = read(FIGURES).splitlines()[:len(now)]
    ok(len(now) == 4 and now == kept, "the first rows are measured again",
       "make accuracy writes: %s" % now)


def main():
    with tempfile.TemporaryDirectory() as folder:
        if "--write" in sys.argv:
            return write(folder)
        print("TAP version 13")
        check(folder)
    print("1..%d" % count)
    return failed != 0


sys.exit(main())

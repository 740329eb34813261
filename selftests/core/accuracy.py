#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""The table of Documentation/accuracy.md is that of accuracy.csv, its plots are drawn from
accuracy-counts.csv, and build/core/gcc/accuracy measures the first rows of both again.
TAP; --write: measure everything, draw and write it."""
import csv
import os
import shutil
import subprocess
import sys
import tempfile

os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
sys.dont_write_bytecode = True
sys.path.insert(0, "selftests")
import plot  # noqa: E402

PAGE = "Documentation/accuracy.md"
FIGURES = "Documentation/accuracy.csv"
COUNTS = "Documentation/accuracy-counts.csv"
PLOT = "Documentation/accuracy-%s.svg"
CAPTION = "Classes of exact counts from a power of two to the next; errors of 0 are not shown"
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
    return [os.path.join(folder, name) for name in ("accuracy.csv", "accuracy-counts.csv")]


def row(figures):
    """As the page shows them: in a few digits."""
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


def scripts():
    """Path of each plot to its gnuplot script: lines of the smaller sketches, dots of the
    larger ones."""
    with open(COUNTS) as file:
        rows = list(csv.DictReader(file))
    largest = max(int(row["capacity"]) for row in rows)
    names = list(dict.fromkeys(row["sketch"] for row in rows))
    result = {}
    for skew in dict.fromkeys(row["s"] for row in rows):
        curves = {}
        for row in rows:
            if row["s"] == skew:
                curves.setdefault((row["sketch"], int(row["capacity"])), []).append(
                    (float(row["count"]), float(row["error"])))
        series = [("%s, capacity %d" % key, names.index(key[0]), key[1] == largest, points)
                  for key, points in curves.items()]
        result[PLOT % skew] = plot.script(
            "10 million events of a million keys, Zipf s = " + skew,
            {"title": "exact count", "log": True},
            {"title": "mean absolute error", "log": True}, series, CAPTION)
    return result


def split(text):
    """The lines before the rows of the table, the rows, and the lines after them."""
    lines = text.split("\n")
    begin = next(i for i, line in enumerate(lines) if line[:3] == "|--") + 1
    end = lines.index("", begin)
    return lines[:begin], lines[begin:end], lines[end:]


def write(folder):
    for path in measure(folder):
        shutil.copy(path, "Documentation")
    for path, script in scripts().items():
        plot.save(path, script)
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
    for path, kept in zip(measure(folder, "first"), (FIGURES, COUNTS)):
        now = read(path).splitlines()
        ok(len(now) >= 4 and now == read(kept).splitlines()[:len(now)],
           "%s: the first rows are measured again" % kept, "make accuracy writes: %s" % now)
    drawn = scripts()
    ok(len(drawn) == 3 and all(os.path.basename(path) in read(PAGE) for path in drawn),
       "the page has a plot for each s", str(list(drawn)))
    for path, script in drawn.items():
        ok(plot.current(path, script), "%s is drawn from %s" % (path, COUNTS),
           "make accuracy draws it again")


def main():
    with tempfile.TemporaryDirectory() as folder:
        if "--write" in sys.argv:
            return write(folder)
        print("TAP version 13")
        check(folder)
    print("1..%d" % count)
    return failed != 0


sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Documentation/theory shows what build/core/gcc/curves measures: curves.csv, plots and
tables are those of the code as it is now. TAP; --write: measure, draw and write them."""
import csv
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
sys.dont_write_bytecode = True
sys.path.insert(0, "selftests")
import plot  # noqa: E402

FOLDER = "Documentation/theory"
PAGES = sorted(glob.glob(FOLDER + "/*.md"))
FILLED = {"title": "keys, as a part of the capacity", "percent": True, "least": 0, "most": 1.5}
FALSE = {"title": "false-positive rate", "log": True}
ASKED = "50000 keys; up to two million others looked up at each point"
# Name to title, axes, caption, and label of the predicted line.
PLOTS = {
    "classic": ("Classic Bloom filter", FILLED, FALSE, ASKED, "predicted"),
    "blocked": ("Blocked Bloom filter", FILLED, FALSE, ASKED, "predicted"),
    "window": ("Bloom filter with a window, all keys in one tick", FILLED, FALSE, ASKED,
               "predicted"),
    "counting": ("Counting Bloom filter", FILLED, FALSE, ASKED, "predicted"),
    "cuckoo": ("Cuckoo filter", FILLED, FALSE, ASKED, "predicted"),
    "cuckoo-window": ("Cuckoo filter with a window", FILLED, FALSE, ASKED, "predicted"),
    "union": ("Two Bloom filters merged",
              {"title": "keys in each of the two, as a part of the capacity", "percent": True,
               "least": 0, "most": 1}, FALSE, "capacity 50000; no key is in both", "predicted"),
    "fold": ("A folded Bloom filter", {"title": "blocks merged into one", "log": True,
                                       "ticks": "%g"}, FALSE,
             "planned for a million keys, filled with 10000", "predicted"),
    "load": ("Load of a table of buckets", {"title": "capacity, keys", "log": True},
             {"title": "slots in use", "percent": True, "least": 0, "most": 1},
             "measured: the lowest load of many tables when an add first failed", "planned"),
    "sketches": ("Errors of count-min and count-mean-min",
                 {"title": "error, as a part of the bound", "percent": True, "least": 0,
                  "most": 1.5}, {"title": "share of keys with a larger error", "log": True},
                 "capacity 1000, fpp 5%: 3 rows; 100000 keys, about a million events",
                 "at most (any stream)"),
    "trail": ("A filter that travels in the frame", {"title": "nodes, or other members"},
              {"title": "share of frames that are lost without a loop", "log": True},
              "10^9 paths; measured where 20 events or more are expected", "predicted"),
}
# Its curves share one predicted line.
ONE_LINE = ("sketches",)
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


def figures(folder):
    """(curve, x) to predicted and measured, as text."""
    with open(folder + "/curves.csv") as file:
        return {(row["curve"], float(row["x"])): row
                for row in csv.DictReader(file)}


def value(text):
    return None if text == "-" else float(text)


def scripts(folder):
    """Name of each plot to its gnuplot script, from curves.csv."""
    series = {}
    with open(folder + "/curves.csv") as file:
        rows = list(csv.DictReader(file))
    for name in dict.fromkeys(row["plot"] for row in rows):
        series[name] = []
        curves = dict.fromkeys(row["curve"] for row in rows if row["plot"] == name)
        for colour, curve in enumerate(curves):
            points = [row for row in rows if (row["plot"], row["curve"]) == (name, curve)]
            for what in ("predicted", "measured"):
                if what == "predicted" and colour and name in ONE_LINE:
                    continue
                label = PLOTS[name][4] if what == "predicted" else what
                series[name].append((curve + ", " + label, colour, what == "measured",
                                     [(float(row["x"]), value(row[what])) for row in points]))
    return {name: plot.script(title, x, y, series[name], caption)
            for name, (title, x, y, caption, _) in PLOTS.items()}


def cells(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def number(text):
    if text.endswith("%"):
        return float(text[:-1]) / 100
    return float(text.replace(",", ""))


def row(line, header, known, problems):
    """The line of a table as it should be."""
    new = cells(line)
    for i in range(1, len(header), 2):
        figure = known.get((header[i], number(new[0])))
        if not figure:
            problems.append("no figure for " + line)
            return line
        new[i:i + 2] = [figure["predicted"], figure["measured"]]
    return "| " + " | ".join(new) + " |"


def rewrite(page, known, shown, problems):
    """The page as it should be. Tables of figures have a column a curve, and behind
    it one that is named "measured"."""
    header, lines = None, []
    for line in read(page).split("\n"):
        if not line.startswith("|"):
            header = None
        elif not header:
            header = cells(line)
        elif header[2::2] and set(header[2::2]) == {"measured"} and \
                not line.startswith("|-"):
            shown.update(header[1::2])
            line = row(line, header, known, problems)
        lines.append(line)
    return "\n".join(lines)


def images():
    return {page: re.findall(r"!\[[^\]]*\]\(([^)]+)\)", read(page))
            for page in PAGES}


def write(folder):
    known, shown, problems = figures(folder), set(), []
    shutil.copy(folder + "/curves.csv", FOLDER)
    for name, script in scripts(FOLDER).items():
        plot.save("%s/%s.svg" % (FOLDER, name), script)
    for page in PAGES:
        text = rewrite(page, known, shown, problems)
        with open(page, "w") as file:
            file.write(text)
    for problem in problems:
        print(problem)
    return bool(problems)


def check(folder):
    ok(read(FOLDER + "/curves.csv") == read(folder + "/curves.csv"),
       "curves.csv is what is measured now", "make theory measures it again")
    for name, script in scripts(FOLDER).items():
        ok(plot.current("%s/%s.svg" % (FOLDER, name), script),
           "%s.svg is drawn from curves.csv" % name, "make theory draws it again")
    known, shown = figures(folder), set()
    for page in PAGES:
        problems = []
        text = rewrite(page, known, shown, problems)
        ok(not problems and text == read(page),
           "%s has the figures of curves.csv" % page, "; ".join(problems))
    missing = {curve for curve, _ in known} - shown
    ok(not missing, "each curve has a table", str(missing))
    used = {name for names in images().values() for name in names}
    ok(used == {name + ".svg" for name in PLOTS} ==
       {os.path.basename(path) for path in glob.glob(FOLDER + "/*.svg")},
       "each plot is on a page, and no other plot", str(used))


def main():
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["build/core/gcc/curves", folder], check=True)
        if "--write" in sys.argv:
            return write(folder)
        print("TAP version 13")
        check(folder)
    print("1..%d" % count)
    return failed != 0


sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Checks that the plots and tables of Documentation/theory are those that
build/core/gcc/curves makes from the current code. Prints TAP. With --write it writes them."""
import csv
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
FOLDER = "Documentation/theory"
PAGES = sorted(glob.glob(FOLDER + "/*.md"))
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
    for path in glob.glob(folder + "/*"):
        shutil.copy(path, FOLDER)
    for page in PAGES:
        text = rewrite(page, known, shown, problems)
        with open(page, "w") as file:
            file.write(text)
    for problem in problems:
        print(problem)
    return bool(problems)


def check(folder):
    made = {os.path.basename(p): read(p) for p in glob.glob(folder + "/*")}
    for name, text in sorted(made.items()):
        path = os.path.join(FOLDER, name)
        ok(os.path.exists(path) and read(path) == text,
           "%s is what is measured now" % name, "make theory draws it anew")
    known, shown = figures(folder), set()
    for page in PAGES:
        problems = []
        text = rewrite(page, known, shown, problems)
        ok(not problems and text == read(page),
           "%s has the figures of curves.csv" % page, "; ".join(problems))
    missing = {curve for curve, _ in known} - shown
    ok(not missing, "each curve has a table", str(missing))
    used = {name for names in images().values() for name in names}
    ok(used == {name for name in made if name.endswith(".svg")},
       "each plot has its page, and no page another", str(used))


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

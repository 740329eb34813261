#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""A short run of what make bench measures, without rivals: each program runs, and no
key is missed. Times are not judged. Run from the top of the tree; TAP."""
import json
import os
import subprocess
import tempfile

FOLDER = "selftests/bench/native"
FILTERS = ["seen bloom", "seen classic", "seen counting", "seen cuckoo 16",
           "seen bloom window", "seen cuckoo window"]
WHOLE = ["seen bloom", "seen cuckoo 16"]
FIGURES = {(op, percent) for op in ("lookup", "lookup serial", "lookup batch")
           for percent in (0, 50, 100)} | {
               (op, 0) for op in ("insert", "test-and-add", "test-and-add serial")}
# Of filters that delete, these too.
DELETING = ["seen counting", "seen cuckoo 16"]
MORE = {("delete", 100), ("delete full", 100), ("insert full", 0)}
FLOORS = ["a line of memory", "update in L1", "locked update in L1"]
# At most: 12 bits a key, 1 % where it was asked for, and chance on top.
FALSE = {"seen bloom": 0.006, "seen classic": 0.005, "seen counting": 0.012,
         "seen cuckoo 16": 0.0003, "seen bloom window": 0.012, "seen cuckoo window": 1e-5}
count = failed = 0


def ok(good, what, why=""):
    global count, failed
    count += 1
    failed += not good
    print("%sok %d - %s" % ("" if good else "not ", count, what))
    if not good:
        print("# %s" % why)


def run(path):
    subprocess.run(["make", "-s", "-C", FOLDER], check=True)
    subprocess.run([FOLDER + "/native.py", "run"], check=True,
                   env=dict(os.environ, SMOKE="1", RESULT=path))
    with open(path) as file:
        return json.load(file)["rows"]


def name(row):
    return "%s: %s %d %%, %d bytes, %s" % (row["contender"], row["op"], row["percent"],
                                           row["len"], row["pages"])


def check(rows):
    for pages in ["2M", "4K"]:
        for length, want in [(0, FILTERS + FLOORS), (40, WHOLE)]:
            here = {row["contender"] for row in rows
                    if (row["len"], row["pages"]) == (length, pages)}
            ok(here >= set(want), "%s, %d bytes: all are there" % (pages, length),
               "but %s" % (set(want) - here))
        for filter in FILTERS:
            got = {(row["op"], row["percent"]) for row in rows
                   if (row["contender"], row["len"], row["pages"]) == (filter, 0, pages)}
            want = FIGURES | (MORE if filter in DELETING else set())
            ok(got >= want, "%s, %s: no figure is missing" % (pages, filter),
               "but %s" % (want - got))
    bad = [row for row in rows if not 0 < row["min"] <= row["ns"] <= row["max"]]
    ok(rows and not bad, "each took some time", [name(row) for row in bad])
    filters = [row for row in rows if row["contender"] in FALSE]
    lookups = [row for row in filters if row["op"].startswith("lookup")]
    ok({row["percent"] for row in lookups} == {0, 50, 100},
       "lookups of keys that are there, and of others")
    for row in lookups:
        strangers = row["count"] - row["inside"]
        mistaken = row["seen"] - row["inside"]
        # A rare one of another's fingerprint may come twice.
        ok(0 <= mistaken <= strangers * FALSE[row["contender"]] + 2, name(row),
           "%d of %d are there, %d are seen" % (row["inside"], row["count"], row["seen"]))
    for row in filters:
        if row["op"].startswith("test-and-add") and not row["percent"]:
            # The same keys, again and again: a mistake comes each time.
            times = row["count"] / row["keys"]
            ok(row["seen"] <= row["count"] * FALSE[row["contender"]] + 2 * times,
               name(row) + ": each is new once",
               "%d of %d were seen" % (row["seen"], row["count"]))
        if row["op"].split()[0] in ("insert", "delete"):
            ok(row["seen"] == row["count"], name(row) + ": done to each",
               "%d of %d" % (row["seen"], row["count"]))


def main():
    print("TAP version 13")
    with tempfile.TemporaryDirectory() as folder:
        check(run(os.path.join(folder, "native.json")))
    print("1..%d" % count)
    return failed != 0


raise SystemExit(main())

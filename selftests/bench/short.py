#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""A short run of make bench, without rivals: each program runs, and no
key is missed. Times are not judged. Run from the top of the tree; TAP."""
import os
import subprocess
import sys
import tempfile

FOLDER = "selftests/bench/native"
os.environ["SMOKE"] = "1"
sys.dont_write_bytecode = True
sys.path.insert(0, FOLDER)
import native  # noqa: E402

FILTERS = ["seen bloom", "seen classic", "seen counting", "seen cuckoo 16",
           "seen bloom window", "seen cuckoo window"]
WHOLE = ["seen bloom", "seen cuckoo 16"]
FIGURES = {(op, percent) for op in ("lookup", "lookup serial", "lookup batch")
           for percent in (0, 50, 100)} | {
               (op, 0) for op in ("insert", "test-and-add", "test-and-add serial")}
# Additional figures of filters that can delete.
DELETING = ["seen counting", "seen cuckoo 16"]
MORE = {("delete", 100), ("delete full", 100), ("insert full", 0)}
FLOORS = ["a line of memory", "update in L1", "locked update in L1"]
# The highest rates allowed: 12 bits per key, or a rate of 1 % where it was requested, plus chance.
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


def run():
    subprocess.run(["make", "-s", "-C", FOLDER], check=True)
    return native.summary(native.measure()[0])


def name(row):
    return "%s: %s %d %%, %d bytes, %s" % (row["contender"], row["op"], row["percent"],
                                           row["len"], row["pages"])


def check(rows):
    for pages in ["2M", "4K"]:
        for length, want in [(0, FILTERS + FLOORS), (40, WHOLE)]:
            here = {row["contender"] for row in rows
                    if (row["len"], row["pages"]) == (length, pages)}
            ok(here >= set(want), "%s, %d bytes: all contenders are measured" % (pages, length),
               "but %s" % (set(want) - here))
        for filter in FILTERS:
            got = {(row["op"], row["percent"]) for row in rows
                   if (row["contender"], row["len"], row["pages"]) == (filter, 0, pages)}
            want = FIGURES | (MORE if filter in DELETING else set())
            ok(got >= want, "%s, %s: no figure is missing" % (pages, filter),
               "but %s" % (want - got))
    bad = [row for row in rows if not 0 < row["min"] <= row["ns"] <= row["max"]]
    ok(rows and not bad, "each figure took some time", [name(row) for row in bad])
    filters = [row for row in rows if row["contender"] in FALSE]
    lookups = [row for row in filters if row["op"].startswith("lookup")]
    ok({row["percent"] for row in lookups} == {0, 50, 100},
       "there are lookups of stored keys, and of others")
    for row in lookups:
        strangers = row["count"] - row["inside"]
        mistaken = row["seen"] - row["inside"]
        # A rare false positive may be looked up twice.
        ok(0 <= mistaken <= strangers * FALSE[row["contender"]] + 2, name(row),
           "%d of %d are there, %d are seen" % (row["inside"], row["count"], row["seen"]))
    for row in filters:
        if row["op"].startswith("test-and-add") and not row["percent"]:
            # The same keys are added repeatedly: a false positive occurs each time.
            times = row["count"] / row["keys"]
            ok(row["seen"] <= row["count"] * FALSE[row["contender"]] + 2 * times,
               name(row) + ": each key is new once",
               "%d of %d were seen" % (row["seen"], row["count"]))
        if row["op"].split()[0] in ("insert", "delete"):
            ok(row["seen"] == row["count"], name(row) + ": done for each key",
               "%d of %d" % (row["seen"], row["count"]))


def check_page(rows, path):
    """The CSV has each time, and the page's table can be made from it."""
    native.write(path, native.csv_rows(rows))
    written = native.read(path)
    times = [row for row in written if row["group"] == "time"]
    ok(len(times) == len(rows), "the CSV has a row for each time",
       "%d for %d" % (len(times), len(rows)))
    native.KEYS_SHOWN = rows[0]["keys"]
    shown = {line.split(" | ")[0].strip("| ") for line in native.table(written)}
    want = set(FILTERS + FLOORS[:1])
    ok(shown >= want, "the page's table has a row for each filter", "but %s" % (want - shown))


def main():
    print("TAP version 13")
    rows = run()
    check(rows)
    with tempfile.TemporaryDirectory() as folder:
        check_page(rows, os.path.join(folder, "native.csv"))
    print("1..%d" % count)
    return failed != 0


raise SystemExit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""A short run of make bench-fleet: no key may be missing on a host at the end, no message may be
refused, and the published page must be that of its figures. Times are not judged. TAP."""
import os
import subprocess
import sys
import tempfile

FOLDER = "selftests/bench/fleet"
os.environ["SMOKE"] = "1"
sys.dont_write_bytecode = True
sys.path.insert(0, FOLDER)
import fleet  # noqa: E402

count = failed = 0


def ok(good, what, why=""):
    global count, failed
    count += 1
    failed += not good
    print("%sok %d - %s" % ("" if good else "not ", count, what))
    if not good:
        print("# %s" % why)


def check_load(run, figures):
    what = "%s hosts, %s verify, %s keys a second: " % (run["hosts"], run["verify"], run["rate"])
    ok(figures["keys"] and not figures["missing"], what + "all keys are known on all hosts",
       "%d of %d are missing" % (figures["missing"], figures["keys"]))
    ok(not figures["strange"] and not figures["events"], what + "nothing else happens", figures)
    ok(figures["forwarded"] == figures["keys"], what + "each key is sent once",
       "%d for %d" % (figures["forwarded"], figures["keys"]))
    ok(0 < figures["all_p50"] <= figures["all_p99"] and figures["host_bytes"] > 0 and
       figures["aggregator_cpu"] > 0, what + "times and costs are measured", figures)


def check_bytes(run, figures):
    """A key has 8.3 bytes, and a message, of which there are five a second, at most 330 more."""
    most = 9 * run["rate"] + 5 * 330
    ok(figures["host_bytes"] < most, "%s hosts: a host receives each message once" % run["hosts"],
       "%s bytes a second of at most %s" % (figures["host_bytes"], most))


def check_join(run, figures):
    what = "a keyframe of %s keys: " % run["keys"]
    ok(not figures["missing"] and figures["entries"] > 0.99 * run["keys"],
       what + "the host has all keys", figures)
    ok(figures["measured"] < 10 * figures["promised"], what + "and hardly any others", figures)
    ok(figures["received"] < figures["filter_bytes"] + 8192,
       what + "it receives no more than the filter", figures)


def main():
    print("TAP version 13")
    subprocess.run(["make", "-s", "-C", FOLDER], check=True)
    measured = fleet.measure_round(0)
    for run, figures, names in measured:
        (check_load if names is fleet.LOAD else check_join)(run, figures)
    check_bytes(*measured[0][:2])
    with tempfile.NamedTemporaryFile() as file:
        fleet.write(file.name, fleet.rows_of([measured]))
        rows = fleet.read(file.name)
    ok(len(list(fleet.load_table(rows))) == 2 + len(fleet.loads()),
       "the page's table has a row for each load")
    try:
        fleet.check()
        ok(True, "the page is that of the published figures")
    except SystemExit as error:
        ok(False, "the page is that of the published figures", error)
    print("1..%d" % count)
    return failed != 0


raise SystemExit(main())

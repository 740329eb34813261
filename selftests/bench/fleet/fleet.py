#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""A fleet of 1,000 hosts under load; Documentation/performance/fleet.md.

fleet.py run: measures, writes build/bench/fleet.csv, prints the figures that have a goal. fleet.py
page: publishes that: Documentation/performance/fleet.csv, and the page's tables. fleet.py check:
fails unless the tables are those of the published fleet.csv. Variables: ROUNDS=3 HOSTS=1000
SECONDS=40 THREADS=32; SMOKE=1: a short run with few hosts. A run fails if a host misses a key."""
import csv
import json
import os
import re
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time

os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../.."))

FOLDER = "build/bench/fleet"
RESULT = "build/bench/fleet.csv"
DOCUMENTS = "Documentation/performance"
PAGE = DOCUMENTS + "/fleet.md"
FIGURES = DOCUMENTS + "/fleet.csv"
SMOKE = bool(os.environ.get("SMOKE"))
# verify: hosts that verify, decode and publish; the others only receive. rate: keys a second in the
# group. keys: in the filter that a host loads; bits: of its fingerprints.
FIELDS = ("what", "hosts", "verify", "rate", "keys", "bits", "unit", "median", "min", "max", "goal",
          "rounds")
RUN = ("hosts", "verify", "rate", "keys", "bits")


def setting(name, usual):
    return int(os.environ.get(name, usual))


HOSTS = setting("HOSTS", 40 if SMOKE else 1000)
# Few hosts that verify leave the CPUs to the server and the aggregator; but each adds more keys.
FEW = 200
# Hosts of the fastest load.
FAST = 20
LIST = 15000
LARGE = 7000000


def loads():
    """hosts, verify, keys a second, seconds."""
    if SMOKE:
        return [(HOSTS, HOSTS, 200, 3), (HOSTS, 10, 200, 3), (8, 8, 20000, 3)]
    seconds = setting("SECONDS", 40)
    return [(HOSTS, verify, rate, seconds) for verify in (HOSTS, FEW) for rate in (10, 1000)] + [
        (FAST, FAST, 100000, seconds // 2)]


def joins():
    """capacity, keys, bits, probes."""
    if SMOKE:
        return [(16000, LIST, 16, 100000), (300000, 250000, 16, 100000)]
    return [(16000, LIST, 16, 10**7), (16000, LIST, 24, 10**8), (7800000, LARGE, 16, 10**7)]


class Server:
    """A redis-server for one run, with an append-only file."""

    def __enter__(self):
        self.folder = tempfile.mkdtemp(dir=FOLDER)
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        with open(self.folder + "/log", "w") as log:
            self.process = subprocess.Popen(
                ["redis-server", "--port", str(self.port), "--bind", "127.0.0.1", "--dir",
                 self.folder, "--save", "", "--appendonly", "yes", "--loglevel", "warning"],
                stdout=log, stderr=log)
        end = time.monotonic() + 20
        while not self.answers():
            if time.monotonic() > end or self.process.poll() is not None:
                sys.exit("redis-server does not start: " + open(self.folder + "/log").read())
        return self

    def answers(self):
        try:
            with socket.create_connection(("127.0.0.1", self.port), 1) as link:
                link.sendall(b"PING\r\n")
                return link.recv(7) == b"+PONG\r\n"
        except OSError:
            return False

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        shutil.rmtree(self.folder)


def call(program, arguments):
    with Server() as server:
        done = subprocess.run(
            ["%s/%s" % (FOLDER, program), str(server.port)] + [str(word) for word in arguments] +
            ([server.folder] if program == "join" else []), stdout=subprocess.PIPE, text=True,
            check=False)
    figures = json.loads(done.stdout) if done.stdout else {}
    if done.returncode:
        sys.exit("%s: %s" % (program, figures or "failed"))
    return figures


# Figures of a load, and of a join: name in the CSV, member of the JSON, factor, unit.
LOAD = [
    ("known on all hosts, p50", "all_p50", 1e-3, "s"),
    ("known on all hosts, p99", "all_p99", 1e-3, "s"),
    ("known on a host, p50", "each_p50", 1e-3, "s"),
    ("known on a host, p99", "each_p99", 1e-3, "s"),
    ("bytes of a host", "host_bytes", 1e-3, "kB/s"),
    ("most bytes of a host", "host_bytes_most", 1e-3, "kB/s"),
    ("CPU of the aggregator", "aggregator_cpu", 1, "cores"),
    ("CPU of redis-server", "server_cpu", 1, "cores"),
    ("CPU of the other hosts", "hosts_cpu", 1, "cores"),
    ("messages of publishers", "messages", 1, "1/s"),
    ("batches", "batches", 1, "1/s"),
    ("memory of the stream in", "server_memory", 1e-3, "kB/s"),
]
JOIN = [
    ("bytes of a join", "received", 1e-3, "kB"),
    ("table of the filter", "filter_bytes", 1e-3, "kB"),
    ("time of a join", "joined", 1e-3, "s"),
    ("time to make the keyframe", "made", 1e-3, "s"),
    ("false-positive rate, promised", "promised", 1, ""),
    ("false-positive rate", "measured", 1, ""),
]


def goal(what, run):
    """The upper limit of a figure, or None."""
    if what == "CPU of the aggregator" and run["rate"] == 100000:
        return 1
    if what == "bytes of a join" and run["keys"] == LIST:
        return 60
    if what == "time of a join" and run["keys"] == LARGE:
        return 3
    if run["hosts"] != HOSTS or run["hosts"] != run["verify"]:
        return None
    if what == "bytes of a host" and run["rate"] != 1000:
        return None
    return {"known on all hosts, p50": 0.3, "known on all hosts, p99": 1,
            "bytes of a host": 12}.get(what)


def say(text):
    print(text, file=sys.stderr)


def measure_round(number):
    """A list of (run, figures, names)."""
    result = []
    for hosts, verify, rate, seconds in loads():
        say("round %d: %d hosts, %d verify, %d keys a second" % (number, hosts, verify, rate))
        run = dict(dict.fromkeys(RUN, ""), hosts=hosts, verify=verify, rate=rate)
        threads = min(setting("THREADS", 32), hosts - 1)
        result.append((run, call("load", [hosts, verify, rate, seconds, threads]), LOAD))
    for capacity, keys, bits, probes in joins():
        say("round %d: a keyframe of %d keys, %d bits" % (number, keys, bits))
        run = dict(dict.fromkeys(RUN, ""), hosts=2, verify=2, keys=keys, bits=bits)
        result.append((run, call("join", [capacity, keys, bits, probes]), JOIN))
    return result


def digits(x):
    return "%.3g" % x if abs(x) < 1000 else "%.0f" % x


def rows_of(rounds):
    for runs in zip(*rounds):
        run, _, names = runs[0]
        for what, member, factor, unit in names:
            values = [figures[member] * factor for _, figures, _ in runs]
            limit = goal(what, run)
            yield dict(run, what=what, unit=unit, median=digits(statistics.median(values)),
                       min=digits(min(values)), max=digits(max(values)),
                       goal="" if limit is None else "%g" % limit, rounds=len(values))


def read(path):
    with open(path) as file:
        return list(csv.DictReader(file))


def write(path, rows):
    with open(path, "w") as file:
        out = csv.DictWriter(file, FIELDS, lineterminator="\n")
        out.writeheader()
        out.writerows(rows)


def met(row):
    return float(row["median"]) <= float(row["goal"])


def show(rows):
    for row in rows:
        if row["goal"]:
            print("%-5s hosts %-7s keys/s %-8s keys %-28s %8s %-6s <= %-6s %s" % (
                row["hosts"], row["rate"], row["keys"], row["what"], row["median"], row["unit"],
                row["goal"], "met" if met(row) else "missed"))


def measure():
    rounds = 1 if SMOKE else setting("ROUNDS", 3)
    return list(rows_of([measure_round(number) for number in range(rounds)]))


def run():
    write(RESULT, measure())
    show(read(RESULT))
    print("all figures: " + RESULT)


def find(rows, what, **want):
    """The only row with these fields."""
    found = [row for row in rows if row["what"] == what and
             all(row[name] == str(value) for name, value in want.items())]
    if len(found) != 1:
        raise ValueError("%d rows: %s %s" % (len(found), what, want))
    return found[0]


def value(rows, what, **want):
    return float(find(rows, what, **want)["median"])


def cell(row):
    text = ("%s %s" % (row["median"], row["unit"])).strip()
    return "**%s**" % text if row["goal"] and not met(row) else text


# The page is about so many hosts.
SHOWN = 1000
ALL = {"hosts": SHOWN, "verify": SHOWN}


def goal_table(rows):
    """The task's goals. What CrowdSec documents is in the last column."""
    yield "| figure | goal | measured | CrowdSec |"
    yield "|---|--:|--:|--:|"

    def line(text, what, other="–", **want):
        row = find(rows, what, **want)
        return "| %s | ≤ %s %s | %s | %s |" % (
            text, row["goal"], "core" if row["unit"] == "cores" else row["unit"], cell(row), other)

    for rate in (10, 1000):
        yield line("known on all %s hosts, p50, %s keys/s" % (grouped(SHOWN), grouped(rate)),
                   "known on all hosts, p50", "10 s and more", rate=rate, **ALL)
        yield line("the same, p99", "known on all hosts, p99", rate=rate, **ALL)
    yield line("a host receives, 1,000 keys/s", "bytes of a host", rate=1000, **ALL)
    for bits in (16, 24):
        yield line("15,000 addresses, as a keyframe, %d bits" % bits, "bytes of a join", "1.9 MB",
                   keys=LIST, bits=bits)
    yield line("join with a filter of 16 MB", "time of a join", keys=LARGE)
    yield line("aggregator, 100,000 keys/s", "CPU of the aggregator", rate=100000)


def grouped(number):
    return "{:,}".format(int(number))


def size(text):
    return grouped(text) if float(text) >= 1000 else text


def load_table(rows):
    yield ("| hosts | that verify | keys/s | all hosts, p50 | p99 | a host, p50 | p99 | a host "
           "receives | aggregator | redis-server | other hosts |")
    yield "|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|"
    seen = []
    for row in rows:
        run = {name: row[name] for name in ("hosts", "verify", "rate")}
        if not row["rate"] or run in seen:
            continue
        seen.append(run)
        figures = [find(rows, what, **run) for what in (
            "known on all hosts, p50", "known on all hosts, p99", "known on a host, p50",
            "known on a host, p99", "bytes of a host", "CPU of the aggregator",
            "CPU of redis-server", "CPU of the other hosts")]
        yield "| %s |" % " | ".join(
            [grouped(run[name]) for name in ("hosts", "verify", "rate")] +
            [("%s %s" % (row["median"], row["unit"])).replace(" cores", "") for row in figures])


def join_table(rows):
    yield "| addresses | bits | table | false positives | a host receives | join |"
    yield "|--:|--:|--:|--:|--:|--:|"
    for row in rows:
        if row["what"] != "bytes of a join":
            continue
        run = {"keys": row["keys"], "bits": row["bits"]}
        rate = value(rows, "false-positive rate, promised", **run)
        yield "| %s | %s | %s kB | %.2g | %s kB | %s s |" % (
            grouped(row["keys"]), row["bits"],
            size(find(rows, "table of the filter", **run)["median"]), rate, size(row["median"]),
            find(rows, "time of a join", **run)["median"])


def constant(path, name):
    with open(path) as file:
        return int(re.search(r"#define\s+%s\s+(\w+)" % name, file.read())[1], 0)


def two(x):
    """Two digits, without an exponent."""
    return "%g" % float("%.2g" % x)


def amount(x, unit):
    """Two digits, with a prefix."""
    for prefix, factor in (("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if x >= factor:
            return "%s %s%s" % (two(x / factor), prefix, unit)
    return "%s %s" % (two(x), unit)


def bits(x):
    return amount(8 * x, "bit/s")


# Of the extrapolation: hosts, regions, and how long streams keep entries, seconds.
TARGET, REGIONS, KEEP = 10000, 10, 900


def growth_table(rows):
    """10,000 hosts with one key a second of each host, from the figures of 1,000 hosts."""
    base = dict(ALL, rate=1000)
    few = dict(hosts=SHOWN, verify=FEW)
    messages = value(rows, "messages of publishers", **base)
    key = (value(rows, "bytes of a host", **base) - value(rows, "bytes of a host", hosts=SHOWN,
                                                          verify=SHOWN, rate=10)) * 1e3 / 990
    host = value(rows, "bytes of a host", **base) * 1e3
    message = value(rows, "CPU of the aggregator", **base) / messages
    memory = value(rows, "memory of the stream in", **base) * 1e3 / messages
    fan = value(rows, "CPU of redis-server", rate=10, **few) / SHOWN
    batch = value(rows, "CPU of the other hosts", rate=10, **ALL) / SHOWN
    append = (value(rows, "CPU of redis-server", **base) -
              value(rows, "CPU of redis-server", rate=10, **ALL)) / messages
    hosts = constant("tools/seend/group.h", "PEERS_MAX")
    scan = constant("tools/seend/aggregator.c", "SCAN_ALL")
    region = TARGET // REGIONS
    rates = (1000, TARGET)

    def line(what, figures, limit, ends):
        return "| %s | %s | %s | %s |" % (what, " | ".join(figures), limit, ends)

    yield "| | 1,000 keys/s in the group | 10,000 keys/s | limit | reached at |"
    yield "|---|--:|--:|--:|--:|"
    def load(figures, limit, text):
        return ["**%s**" % text(x) if x > limit else text(x) for x in figures]

    yield line("hosts in the list", [grouped(TARGET)] * 2, grouped(hosts),
               "%s hosts" % grouped(hosts))
    sent = [region * (host + (rate - 1000) * key) for rate in rates]
    yield line("a region's server sends", load(sent, 1e9 / 8, bits), "1 Gbit/s",
               "%s keys/s" % grouped(round((1e9 / 8 / region - host) / key + 1000, -2)))
    yield line("without regions the server sends",
               load([x * REGIONS for x in sent], 1e9 / 8, bits), "1 Gbit/s",
               "%s hosts at 1,000 keys/s" % grouped(round(1e9 / 8 / host, -2)))
    yield line("CPU of a region's server", load([region * fan] * 2, 1, two), "1 core",
               "%s hosts" % grouped(round(1 / fan, -2)))
    yield line("CPU of one server without regions", load([TARGET * fan] * 2, 1, two), "1 core",
               "%s hosts" % grouped(round(1 / fan, -2)))
    yield line("CPU of the first server for messages",
               load([rate / 1000 * messages * append for rate in rates], 1, two), "1 core",
               "%s messages/s" % grouped(round(1 / append, -2)))
    yield line("CPU of the aggregator", load([rate / 1000 * messages * message for rate in rates],
                                              1, two), "1 core",
               "%s messages/s" % grouped(round(1 / message, -2)))
    yield line("memory for 15 minutes of the stream `in`",
               [amount(rate / 1000 * messages * memory * KEEP, "B") for rate in rates],
               "the server's", "%s per message/s" % amount(memory * KEEP, "B"))
    yield line("messages of 15 minutes, for a new aggregator", load(
        [rate / 1000 * messages * KEEP for rate in rates], scan,
        lambda x: grouped(round(x, -3))), grouped(scan),
        "%s messages/s" % grouped(scan / KEEP))
    yield line("CPU of a host for its batches", [two(batch)] * 2, "–", "never")


def with_table(lines, head, new):
    """The lines with the table that begins with this cell replaced."""
    begin = next(i for i, line in enumerate(lines) if line.startswith(head))
    end = begin + next(i for i, line in enumerate(lines[begin:]) if not line.startswith("|"))
    return lines[:begin] + list(new) + lines[end:]


TABLES = [("| figure |", goal_table), ("| hosts |", load_table), ("| addresses |", join_table),
          ("| |", growth_table)]


def page_text(rows):
    """The page with its tables replaced."""
    with open(PAGE) as file:
        lines = file.read().split("\n")
    for head, make in TABLES:
        lines = with_table(lines, head, make(rows))
    return "\n".join(lines)


def page():
    rows = read(RESULT)
    text = page_text(rows)
    shutil.copy(RESULT, FIGURES)
    with open(PAGE, "w") as file:
        file.write(text)
    print(PAGE + " names the machine and says what the figures mean: see whether that is still so")
    show(rows)


def check():
    with open(PAGE) as file:
        if file.read() != page_text(read(FIGURES)):
            sys.exit("%s: its tables are not those of %s" % (PAGE, FIGURES))


if __name__ == "__main__":
    {"run": run, "page": page, "check": check}[sys.argv[1]]()

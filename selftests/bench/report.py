#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""The figures of the kernel benchmark.

report.py LOG CSV: computes them from the lines "# json:" of kernel.sh, writes CSV, prints the
ratios and their goals. Times are never judged.
report.py --show LOG GROUP...: prints the figures of some groups.
report.py --page CSV FOLDER README: makes them the published ones: FOLDER/kernel.csv, the table
of FOLDER/kernel.md, the plot FOLDER/kernel-growth.svg and the table of README.
report.py --check FOLDER README: fails unless both tables and the plot are those of kernel.csv."""

import collections
import csv
import json
import os
import re
import shutil
import statistics
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import plot  # noqa: E402

# A row of the CSV is one figure. ratio: what / against, both of unit; the goal is its limit.
# packet: ns per packet above the same chain without the rule ("base": the chain itself).
# feed: its cost for a new key. growth: the same by keys; miss: one dependent load in as much
# memory as that filter has. memory: drop in free kernel memory; account: what the set reports
# itself. share: part of the time in which both CPUs were busy. bytes: of a frame, payload or file.
FIELDS = ("group", "what", "against", "tool", "packets", "pace", "keys", "bytes", "unit",
          "median", "min", "max", "goal", "rounds_met", "rounds")
LEGACY, XTNFT, NFT = "iptables-legacy", "iptables-nft", "nft"
KINDS = "bloom", "cuckoo", "bloom-window", "cuckoo-window"
CASES = {"seen": "present", "absent": "absent", "store": "new"}
PACES = {1: "one at a time", 0: "back to back", "cold": "cold caches"}
TWO = "two CPUs"
LOADS = {"seen": "key add", "hashes": "key add by hash", "ipset": "ipset restore",
         "export": "export", "import": "import", "copy": "cp of the file",
         "copy-table": "cp of the table", "pipe": "dd of the table through a pipe"}


def each(function, *series):
    """By round: a disturbance of a round affects all figures of that round."""
    rounds = sorted(set(series[0]).intersection(*series[1:]))
    return {r: function(*(s[r] for s in series)) for r in rounds}


def minus(a, b):
    return each(lambda x, y: x - y, a, b)


def over(a, b):
    return each(lambda x, y: x / y, a, b)


def exact(x):
    return "%.0f" % x if abs(x) >= 10000 else "%.4g" % x


def figure(group, what, series, unit, **more):
    """A row, from the figures of each round."""
    values = list(series.values())
    return dict(dict.fromkeys(FIELDS, ""), group=group, what=what, unit=unit,
                median=exact(statistics.median(values)), min=exact(min(values)),
                max=exact(max(values)), **more)


def judged(row, series, limit, least=False):
    """The row with its goal, and the number of rounds that meet it."""
    good = [x >= limit if least else x <= limit for x in series.values()]
    return dict(row, goal="%s %.4g" % (">=" if least else "<=", limit),
                rounds_met=str(sum(good)), rounds=str(len(good)))


class Run:
    """The lines of a run, as series: figures by round."""

    def __init__(self, lines):
        self.packets = collections.defaultdict(dict)
        self.means = collections.defaultdict(dict)
        self.shares = collections.defaultdict(dict)
        self.loads = collections.defaultdict(dict)
        self.bytes = collections.defaultdict(dict)
        self.bridges = collections.defaultdict(dict)
        self.bpf = collections.defaultdict(dict)
        self.memory = {}
        for line in lines:
            getattr(self, "take_" + line["what"].split("-")[0])(line, line["run"])

    def take_packet(self, line, run):
        pace = "cold" if run["evict"] else run["fence"]
        key = line["row"], line["tool"], line["case"], run["cpus"], pace, run["keys"]
        self.take(key, line, run)

    def take(self, key, line, run):
        """Per packet. One CPU: its median batch. Several: from the first start to the last
        end, divided by all packets."""
        number, cpus = int(line["round"]), len(run["ns"])
        mean = run["span"] / (run["packets"] * cpus)
        median = run["ps"][0] / 1000 if cpus == 1 and run["ps"][0] else mean
        self.packets[key][number] = median
        self.means[key][number] = mean
        self.shares[key][number] = run["shared"] / run["span"]

    def take_guard(self, line, run):
        self.take((line["what"], run["frame"]), line, run)

    def take_payload(self, line, run):
        self.take((line["what"], run["bytes"]), line, run)

    def take_chase(self, line, run):
        self.take(("chase-of", line["row"]), line, run)

    def take_memory(self, line, run):
        self.memory[line["row"]] = run

    def take_bpf(self, line, run):
        self.bpf[line["row"]][line["round"]] = run["ns"]

    def take_bridge(self, line, run):
        self.bridges[line["row"]][int(line["round"])] = run["ns"]

    def take_load(self, line, run):
        key, number = (line["row"], int(line["keys"])), int(line["round"])
        self.loads[key][number] = run["us"] / 1e6
        self.bytes[key][number] = run["bytes"]

    def cost(self, row, tool, case, cpus=1, pace=1, keys=None, of=None):
        """Above the same chain without the rule."""
        of = of or self.packets
        keys = keys or self.keys()
        base = "base-grown" if row.startswith("grown") else "base"
        return minus(of[row, tool, case, cpus, pace, keys],
                     of[base, tool, "seen", cpus, pace, keys])

    def keys(self):
        return max(key[-1] for key in self.packets if key[0] in ("ipset", "cuckoo-fed"))


class Ratios:
    """Each ratio that has a goal, and some without one."""

    def __init__(self, run):
        self.run = run
        self.rows = []
        self.missing = []
        for make in (self.test, self.prefixes, self.update, self.store, self.memory, self.guard,
                     self.bridge, self.together, self.growth, self.load, self.bpf):
            make()

    def add(self, what, against, series, limit, unit="ns", least=False, group="ratio", **more):
        """limit: the highest ratio that meets the goal, or with least the lowest; None: no
        goal."""
        if not series:
            self.missing.append("%s / %s %s" % (what, against, more))
            return
        row = figure(group, what, series, unit, against=against, **more)
        self.rows.append(row if limit is None else judged(row, series, limit, least))

    def beside(self, row, tool, rival, rivals_tool, case, limit):
        run = self.run
        more = {"tool": tool, "packets": CASES[case], "keys": str(run.keys())}
        self.add(row, rival, over(run.cost(row, tool, case),
                                  run.cost(rival, rivals_tool, case)), limit,
                 pace=PACES[1], **more)
        if case != "store":
            self.add(row, rival, over(*(run.cost(*who, case, pace="cold")
                                        for who in ((row, tool), (rival, rivals_tool)))),
                     None, pace=PACES["cold"], **more)

    def test(self):
        for case in "seen", "absent":
            for row in "bloom", "cuckoo":
                for tool in LEGACY, XTNFT:
                    self.beside(row, tool, "ipset", tool, case, 0.5)
                    self.beside(row, tool, "nft-set", NFT, case, 0.5)

    def prefixes(self):
        for tool in LEGACY, XTNFT:
            for rival, rivals_tool, limit in (("prefix-rules", tool, 1 / 3),
                                              ("ipset-net", tool, None),
                                              ("nft-interval", NFT, None)):
                self.beside("prefixes", tool, rival, rivals_tool, "absent", limit)

    def update(self):
        for row in "bloom-window", "cuckoo-window":
            for tool in LEGACY, XTNFT:
                self.beside(row, tool, "recent", tool, "seen", 0.3)
                self.beside(row, tool, "nft-dynset", NFT, "seen", 0.5)

    def store(self):
        for row in "bloom-window", "cuckoo-window":
            for tool in LEGACY, XTNFT:
                self.beside(row, tool, "ipset-timeout", tool, "store", 0.5)

    def memory(self):
        memory = self.run.memory
        for row, limit in ("cuckoo", 1 / 13), ("cuckoo32", 1 / 6):
            own = memory["%s/%s" % (row, LEGACY)]["told"]
            for rival in "ipset/" + LEGACY, "ipset-grown/none":
                self.add(row, rival.split("/")[0], {0: own / memory[rival]["told"]}, limit,
                         "bytes")

    def guard(self):
        packets = self.run.packets
        frames = sorted(key[1] for key in packets if key[0] == "guard")
        for frame in frames:
            guard, empty, hashed, nothing = (
                packets["guard" + part, frame]
                for part in ("", "-empty", "-hash", "-nothing"))
            self.add("guard", "siphash-2-4 of the key",
                     over(minus(guard, empty), minus(hashed, nothing)), 2, bytes=str(frame))
        for frame in frames[1:]:
            self.add("guard", "guard, %u bytes" % frames[0],
                     over(packets["guard", frame], packets["guard", frames[0]]), 1.5,
                     bytes=str(frame))
        for size in {key[1] for key in packets if key[0] == "payload-nh"}:
            self.add("NH and SipHash-1-3", "SipHash-1-3",
                     over(*(minus(packets["payload-" + how, size],
                                  packets["payload-nothing", size])
                            for how in ("nh", "siphash13"))), 0.5, bytes=str(size))

    def bridge(self):
        bridges = self.run.bridges
        self.add("bridge-beside", "bridge-guarded",
                 over(bridges["bridge-beside"], bridges["bridge-guarded"]), 1.05)
        batches = [bridges["join-%u" % n] for n in range(1, 5)]
        self.add("slowest batch of joining ports", "fastest batch",
                 each(lambda *ns: max(ns) / min(ns), *batches), 1.2)

    def together(self):
        run, keys = self.run, self.run.keys()
        for case, rows, limit in (("seen", KINDS, 1.9), ("store", KINDS[2:], 1.7)):
            for row in rows:
                key = row, LEGACY, case
                more = {"tool": LEGACY, "packets": CASES[case], "pace": TWO, "keys": str(keys)}
                self.add(row, "one CPU", over(*(run.means[(*key, cpus, 1, keys)]
                                                for cpus in (1, 2))),
                         limit, "packets/s", least=True, **more)
                self.add(row, "", run.shares[(*key, 2, 1, keys)], None, "", group="share",
                         **more)
        # With few keys each CPU caches the whole table: only shared writes cost time.
        keys = min((key[5] for key in run.packets if len(key) == 6 and key[3] == 2), default=0)
        for kind in KINDS:
            row = "grown-%s-%u" % (kind, keys)
            self.add(kind, "one CPU", over(*(run.means[row, LEGACY, "seen", cpus, 1, keys]
                                             for cpus in (1, 2))), 1.9, "packets/s",
                     least=True, tool=LEGACY, packets="present", pace=TWO, keys=str(keys))

    def growth(self):
        run = self.run
        for kind in KINDS:
            sizes = sorted({key[-1] for key in run.packets
                            if key[0] == "grown-%s-%s" % (kind, key[-1])})
            cost = {size: run.cost("grown-%s-%u" % (kind, size), LEGACY, "seen",
                                   keys=size) for size in sizes}
            # Tables of the two smallest sizes lie in the CPU's own caches: no miss in them.
            few, many = each(min, cost[sizes[0]], cost[sizes[1]]), sizes[-1]
            self.add(kind, "cache miss",
                     over(minus(cost[many], few),
                          run.packets["chase-of", "grown-%s-%u" % (kind, many)]), 1,
                     tool=LEGACY, packets="present", pace=PACES[1], keys=str(many))

    def load(self):
        loads, keys = self.run.loads, self.run.keys()
        many = max(key[1] for key in loads)
        seen = loads["seen", keys]
        self.add(LOADS["seen"], LOADS["ipset"], over(seen, loads["ipset", keys]), 0.2, "ms",
                 keys=str(keys))
        self.add(LOADS["seen"], "per key of %u" % keys,
                 {r: s / (many / keys) for r, s in over(loads["seen", many], seen).items()},
                 1, "ms", keys=str(many))
        for way in "export", "import":
            for copy, limit in ("copy-table", 2), ("copy", 2), ("pipe", None):
                self.add(way, LOADS[copy], over(loads[way, many], loads[copy, many]), limit,
                         "ms", keys=str(many))

    def bpf(self):
        """The cost of an empty BPF program is subtracted. All keys are present, so test-add
        stores nothing."""
        bpf = self.run.bpf
        if not bpf:
            return
        for rival in "bloom", "LRU hash":
            for way in "test", "test-add":
                for kind in "bloom", "cuckoo":
                    self.add(kind, "BPF " + rival,
                             over(bpf["seen %s, %s" % (kind, way)],
                                  minus(bpf["%s, %s" % (rival, way)], bpf["nothing"])),
                             None, pace=way)


def trails(run):
    """Cost of a trail beyond that of a guard, in ns: of a new one, and of one that is there."""
    for what in "guard-trail", "guard-trail-on":
        for size in {key[1] for key in run.packets if key[0] == what}:
            ns = minus(run.packets[what, size], run.packets["guard-bridge", size])
            row = figure("guard", what, ns, "ns", against="guard-bridge", bytes=str(size))
            yield judged(row, ns, 60)


def feeds(run):
    """Cost of a feed for a new key, in ns; and keys by hash in a second."""
    if not run.loads and not any(key[0] == "cuckoo-fed" for key in run.packets):
        return
    keys = run.keys()
    for kind in "bloom", "cuckoo":
        key = LEGACY, "store", 1, 1, keys
        if (kind + "-fed", *key) not in run.packets:
            continue
        ns = minus(run.packets[(kind + "-fed", *key)], run.packets[(kind + "-window", *key)])
        row = figure("feed", kind, ns, "ns", tool=LEGACY, packets=CASES["store"],
                     pace=PACES[1], keys=str(keys))
        yield judged(row, ns, 3)
    seconds = run.loads.get(("hashes", keys))
    if seconds:
        rates = {r: keys / s for r, s in seconds.items()}
        row = figure("feed", LOADS["hashes"], rates, "keys/s", keys=str(keys))
        yield judged(row, rates, 1e6, least=True)


def costs(run):
    for key, series in run.packets.items():
        if len(key) != 6 or "grown" in key[0] or key[5] != run.keys():
            continue
        row, tool, case, cpus, pace, keys = key
        if row != "base":
            series = run.cost(row, tool, case, cpus, pace)
        yield figure("packet", row, series, "ns", tool=tool, packets=CASES[case],
                     pace=TWO if cpus == 2 else PACES[pace], keys=str(keys))


def growth(run):
    for key, series in run.packets.items():
        if len(key) != 6 or not key[0].startswith("grown") or key[3] != 1:
            continue
        kind = key[0][len("grown-"):].rpartition("-")[0]
        more = {"keys": str(key[5]), "pace": PACES[1]}
        yield figure("growth", kind, run.cost(*key[:5], keys=key[5]), "ns", tool=LEGACY,
                     packets="present", **more)
        yield figure("miss", kind, run.packets["chase-of", key[0]], "ns", **more)


def others(run):
    """Guards, hashes, bridges, lists, memory; sets of BPF without the cost of an empty
    program."""
    for key, series in run.packets.items():
        if key[0].startswith(("guard", "payload")):
            yield figure("guard", key[0], series, "ns", bytes=str(key[1]))
    for row, series in run.bridges.items():
        yield figure("bridge", row, series, "ns")
    for (row, keys), series in run.loads.items():
        size = statistics.median(run.bytes[row, keys].values())
        yield figure("list", LOADS[row], {r: 1000 * s for r, s in series.items()}, "ms",
                     keys=str(keys), bytes="%.0f" % size)
    for name, memory in run.memory.items():
        row, tool = name.split("/")
        for group, size in ("memory", memory["grown"]), ("account", memory["told"]):
            if size is not None:
                yield figure(group, row, {0: size}, "bytes", tool=tool)
    for row, series in run.bpf.items():
        if row.startswith("seen"):
            yield figure("bpf", row, series, "ns")
        elif row != "nothing":
            yield figure("bpf", row, minus(series, run.bpf["nothing"]), "ns")


def number(text):
    x = float(text)
    size = abs(x)
    return "%.*f" % (0 if size >= 100 else 1 if size >= 10 else 2 if size >= 0.2 else 3, x)


def met(row):
    sign, limit = row["goal"].split()
    value = float(row["median"])
    return value >= float(limit) if sign == ">=" else value <= float(limit)


def show(rows):
    """Prints rows, without the columns that are empty in all of them."""
    names = [name for name in FIELDS if any(row[name] for row in rows)]
    lines = [names] + [[row[name] for name in names] for row in rows]
    widths = [max(len(line[i]) for line in lines) for i in range(len(names))]
    for line in lines:
        print("  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip())


def read(path):
    with open(path) as file:
        return list(csv.DictReader(file))


def write(path, rows):
    with open(path, "w") as file:
        out = csv.DictWriter(file, FIELDS, lineterminator="\n")
        out.writeheader()
        out.writerows(rows)


def find(rows, **want):
    """The only row with these fields, or None."""
    found = [row for row in rows if all(row[name] == value for name, value in want.items())]
    if len(found) > 1:
        raise ValueError("%d rows: %s" % (len(found), want))
    return found[0] if found else None


# Rows of the page's table: task, rival, which ratios, and the names of the bloom and the
# cuckoo set-up (None: not measured).
PLAIN, WINDOW, CUCKOO = KINDS[:2], KINDS[2:], (None, "cuckoo")
TABLE = [
    ("look up, present", "ipset hash:ip", {"against": "ipset", "packets": "present"}, PLAIN),
    ("look up, present", "nft set", {"against": "nft-set", "packets": "present"}, PLAIN),
    ("look up, absent", "ipset hash:ip", {"against": "ipset", "packets": "absent"}, PLAIN),
    ("look up, absent", "nft set", {"against": "nft-set", "packets": "absent"}, PLAIN),
    ("look up prefixes, absent", "21 filters and rules", {"against": "prefix-rules"},
     ("prefixes", None)),
    ("test-and-add, present", "`-m recent`", {"against": "recent"}, WINDOW),
    ("test-and-add, present", "nft dynamic set", {"against": "nft-dynset"}, WINDOW),
    ("test-and-add, new", "ipset with timeout", {"against": "ipset-timeout"}, WINDOW),
    ("look up in XDP, present", "BPF Bloom map", {"against": "BPF bloom", "pace": "test"}, PLAIN),
    ("test-and-add in XDP, present", "BPF LRU hash", {"against": "BPF LRU hash",
                                                      "pace": "test-add"}, PLAIN),
    ("look up, two CPUs", "one CPU", {"against": "one CPU", "packets": "present",
                                      "keys": "1000000"}, PLAIN),
    ("test-and-add, present, two CPUs", "one CPU",
     {"against": "one CPU", "packets": "present", "keys": "1000000"}, WINDOW),
    ("test-and-add, new, two CPUs", "one CPU", {"against": "one CPU", "packets": "new"}, WINDOW),
    ("look up, 10⁷ versus 10³ addresses", "one cache miss", {"against": "cache miss"}, PLAIN),
    ("memory", "ipset, grown", {"against": "ipset-grown"}, CUCKOO),
    ("guard, smallest frame", "SipHash-2-4 of the frame", {"against": "siphash-2-4 of the key",
                                                           "bytes": "64"}, (None, "guard")),
    ("guard, largest frame", "smallest frame", {"against": "guard, 64 bytes"}, (None, "guard")),
    ("host's frame, 200 other guarded bridges", "one guarded bridge",
     {"against": "bridge-guarded"}, (None, "bridge-beside")),
    ("guard, appends a trail", "guard without trails", {"against": "guard-bridge"},
     (None, "guard-trail")),
    ("guard, rewrites a trail", "guard without trails", {"against": "guard-bridge"},
     (None, "guard-trail-on")),
    ("hash of 1,450 payload bytes", "SipHash-1-3 of all", {"against": "SipHash-1-3"},
     ("NH and SipHash-1-3", None)),
    ("test-and-add, new, with a feed", "without a feed", {"group": "feed"}, PLAIN),
    ("load 10⁶ addresses", "`ipset restore`", {"against": LOADS["ipset"]},
     (None, LOADS["seen"])),
    ("export 10⁷ keys", "`cp` of as many bytes", {"against": LOADS["copy-table"]},
     (None, "export")),
    ("import 10⁷ keys", "`cp` of as many bytes", {"against": LOADS["copy-table"]},
     (None, "import")),
]
GOALS = {"<= 0.07692": "≤ 1/13", "<= 0.1667": "≤ 1/6", "<= 0.3333": "≤ 1/3"}


def goal(row):
    if not row["goal"]:
        return "–"
    text = GOALS.get(row["goal"], row["goal"].replace("<=", "≤").replace(">=", "≥"))
    return text + unit(row)


def unit(row):
    """The unit behind a figure. A ratio is a bare number."""
    return "" if row["group"] == "ratio" else " " + row["unit"]


def page_table(rows):
    """Ratios and differences of one tool, one packet at a time; a missed goal is bold."""
    def cell(row):
        if not row:
            return "–"
        text = number(row["median"]) + unit(row)
        return "**%s**" % text if row["goal"] and not met(row) else text

    compared = [row for row in rows if row["tool"] in ("", LEGACY)
                and row["pace"] != PACES["cold"]]
    lines = ["| task | compared with | goal | bloom | cuckoo |", "|---|---|--:|--:|--:|"]
    for task, rival, want, names in TABLE:
        found = [name and find(compared, what=name, **want) for name in names]
        if any(found):
            lines.append("| %s |" % " | ".join([
                task, rival, goal(next(filter(None, found))), *map(cell, found)]))
    return lines


def missed_line(rows):
    """How many goals are missed, and how many of these the table does not show."""
    missed = [row for row in rows if row["goal"] and not met(row)]
    shown = sum(line.count("**") // 2 for line in page_table(rows))
    return ("%d of %d goals are missed; %d of these are not in the table: iptables-nft, more sizes "
            "and kinds." % (len(missed), sum(bool(row["goal"]) for row in rows),
                            len(missed) - shown))


# A row of README: name, false-positive rates, the set-up that only looks up, the one that also
# stores, and one that is shown by its memory alone.
README = [
    ("`-m seen`, bloom", "10⁻³", "bloom", "bloom-window"),
    ("`-m seen`, cuckoo", "10⁻⁴; 10⁻³", "cuckoo", "cuckoo-window"),
    ("ipset hash:ip; with a timeout", "none", "ipset", "ipset-timeout"),
    ("nft set; dynamic set", "none", "nft-set", "nft-dynset"),
    ("`-m recent`; with its usual 32 stamps", "none", None, "recent", "recent-usual"),
]


def readme_table(rows):
    """Medians of one tool; memory by the kernel's account."""
    here = [row for row in rows if row["tool"] in (LEGACY, NFT)]

    def cell(what, packets):
        row = find(here, group="packet", what=what, packets=packets, pace=PACES[1])
        return "%.0f" % float(row["median"]) if row else "–"

    lines = ["| | errors | test: present | test: absent | test-and-add: present | "
             "test-and-add: new | MB |",
             "|---|---|--:|--:|--:|--:|--:|"]
    for name, errors, asks, stores, *usual in README:
        sizes = [float(find(here, group="memory", what=row)["median"]) / 1e6
                 for row in (asks, stores, *usual) if row]
        lines.append("| %s |" % " | ".join([
            name, errors, cell(asks, "present"), cell(asks, "absent"), cell(stores, "present"),
            cell(stores, "new"),
            "; ".join(("%.0f" if size >= 10 else "%.1f") % size for size in sizes)]))
    return lines


def growth_script(rows):
    def points(group, kind):
        return [(float(row["keys"]), float(row["median"])) for row in rows
                if (row["group"], row["what"]) == (group, kind)]

    series = [(kind, colour, False, points("growth", kind)) for colour, kind in enumerate(KINDS)]
    series += [("one cache miss, " + kind, KINDS.index(kind), True,
                points("miss", kind)) for kind in ("bloom", "bloom-window")]
    return plot.script("Cost of a packet whose address is present",
                       {"title": "addresses in the filter", "log": True},
                       {"title": "ns per packet", "least": 0}, series,
                       "Medians, one packet at a time, without the cost of the chain")


def with_table(path, heading, table):
    """The text with its first table after the heading replaced."""
    with open(path) as file:
        lines = file.read().split("\n")
    begin = lines.index(heading)
    begin += next(i for i, line in enumerate(lines[begin:]) if line.startswith("|"))
    end = begin + next(i for i, line in enumerate(lines[begin:]) if not line.startswith("|"))
    return "\n".join(lines[:begin] + table + lines[end:])


def documents(rows, folder, readme):
    page = os.path.join(folder, "kernel.md")
    text = with_table(page, "# Speed in the kernel", page_table(rows))
    text = re.sub(r"(?m)^[0-9]+ of [0-9]+ goals are missed; .*$", missed_line(rows), text)
    return {page: text,
            readme: with_table(readme, "## How fast", readme_table(rows))}


def publish(path, folder, readme):
    rows = read(path)
    if not find(rows, group="growth", what="bloom", keys="1000000"):
        print("these are the figures of a short run", file=sys.stderr)
    shutil.copy(path, os.path.join(folder, "kernel.csv"))
    for to, text in documents(rows, folder, readme).items():
        with open(to, "w") as file:
            file.write(text)
    plot.save(os.path.join(folder, "kernel-growth.svg"), growth_script(rows))
    print("%s/kernel.md names the machine and explains the goals that are missed: "
          "see whether that is still so" % folder)
    show([row for row in rows if row["goal"] and not met(row)])


def check(folder, readme):
    rows = read(os.path.join(folder, "kernel.csv"))
    wrong = [path for path, text in documents(rows, folder, readme).items()
             if open(path).read() != text]
    drawing = os.path.join(folder, "kernel-growth.svg")
    if not plot.current(drawing, growth_script(rows)):
        wrong.append(drawing)
    if wrong:
        sys.exit("not from kernel.csv: " + ", ".join(wrong))


def lines_of(path):
    with open(path, errors="replace") as log:
        return [json.loads(line[len("# json: "):]) for line in log
                if line.startswith("# json: ")]


def figures(path, to):
    run = Run(lines_of(path))
    ratios = Ratios(run)
    write(to, [*ratios.rows, *feeds(run), *trails(run), *costs(run), *growth(run), *others(run)])
    show([row for row in ratios.rows if row["goal"]])
    if ratios.missing:
        sys.exit("not measured: " + "; ".join(ratios.missing))


def show_groups(path, *groups):
    run = Run(lines_of(path))
    rows = [row for make in (feeds, trails, others) for row in make(run)
            if row["group"] in groups]
    if not rows:
        sys.exit("nothing was measured")
    show(rows)


if __name__ == "__main__":
    {"--page": publish, "--check": check, "--show": show_groups}.get(
        sys.argv[1], lambda *args: figures(*sys.argv[1:]))(*sys.argv[2:])

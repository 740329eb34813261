#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""report.py LOG JSON [FIGURE=VALUE...]: converts the lines "# json:" of kernel.sh to JSON, with
medians and ratios, and prints the ratios with their goals. Times are printed, not judged.
report.py --lists LOG: prints the times of lists. report.py --guards LOG: prints the times of
packets with guards. report.py --page JSON PAGE README PROGRAM FILE: writes them into PAGE, under
"## The last run", and the most important ones into README's table under "## How fast"; lets
PROGRAM draw the growth of costs with the number of keys, and prints the missed goals, which are
explained in PAGE by hand."""

import collections
import json
import statistics
import subprocess
import sys

LEGACY, XTNFT, NFT = "iptables-legacy", "iptables-nft", "nft"
SHORT = {LEGACY: "legacy", XTNFT: "iptables-nft", NFT: "nft"}
KINDS = "bloom", "cuckoo", "bloom-window", "cuckoo-window"
# The parts of a comparison with a guard, and the headings of their columns.
GUARDS = {"guard": "a guard", "guard-loop": "profile `loop`",
          "guard-empty": "a hook that does nothing",
          "guard-hash": "siphash-2-4 of the key", "guard-nothing": "an empty loop"}
PACES = {1: "one at a time", 0: "as fast as it can", "cold": "after other work"}


def spread(values):
    return {"median": statistics.median(values), "min": min(values), "max": max(values)}


def each(function, *series):
    """Applies a function to each round: a disturbance affects all figures of a round."""
    rounds = sorted(set(series[0]).intersection(*series[1:]))
    return {r: function(*(s[r] for s in series)) for r in rounds}


def minus(a, b):
    return each(lambda x, y: x - y, a, b)


def over(a, b):
    return each(lambda x, y: x / y, a, b)


class Run:
    """The lines of a run. A series is a dictionary of figures by round."""

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
        """Time per packet. With one CPU: in the median batch. With several: from the begin of the
        first CPU to the end of the last one."""
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
        """Marginal cost: the difference to the same chain without the rule."""
        of = of or self.packets
        keys = keys or self.keys()
        base = "base-grown" if row.startswith("grown") else "base"
        return minus(of[row, tool, case, cpus, pace, keys],
                     of[base, tool, "seen", cpus, pace, keys])

    def keys(self):
        return max(key[-1] for key in self.packets if key[0] == "ipset")


class Goals:
    def __init__(self, run):
        self.run = run
        self.rows = []
        self.missing = []
        for make in (self.test, self.prefixes, self.update, self.store, self.memory, self.guard,
                     self.bridge, self.together, self.growth, self.load, self.bpf):
            make()

    def add(self, goal, what, series, limit, least=False):
        """limit: the most (or the least) that the goal allows; None: a figure without a goal."""
        if not series:
            self.missing.append("%s, %s" % (goal, what))
            return
        figures = spread(list(series.values()))
        if limit is None:
            self.rows.append(dict(figures, goal=goal, what=what, limit=None))
            return
        good = [x >= limit if least else x <= limit for x in series.values()]
        figures.update(goal=goal, what=what, limit=limit, least=least,
                       met=figures["median"] >= limit if least
                       else figures["median"] <= limit,
                       rounds=len(good), rounds_met=sum(good))
        self.rows.append(figures)

    def beside(self, goal, row, tool, rival, rivals_tool, case, limit):
        run = self.run
        what = "%s (%s) : %s (%s)" % (row, SHORT[tool], rival, SHORT[rivals_tool])
        self.add(goal, what, over(run.cost(row, tool, case),
                                  run.cost(rival, rivals_tool, case)), limit)
        if case != "store":
            self.add(goal + ", after other work", what,
                     over(*(run.cost(*who, case, pace="cold")
                            for who in ((row, tool), (rival, rivals_tool)))), None)

    def test(self):
        for case, goal in (("seen", "`--test`, all there"),
                           ("absent", "`--test`, none there")):
            for row in "bloom", "cuckoo":
                for tool in LEGACY, XTNFT:
                    self.beside(goal, row, tool, "ipset", tool, case, 0.5)
                    self.beside(goal, row, tool, "nft-set", NFT, case, 0.5)

    def prefixes(self):
        for tool in LEGACY, XTNFT:
            for rival, rivals_tool, limit in (("prefix-rules", tool, 1 / 3),
                                              ("ipset-net", tool, None),
                                              ("nft-interval", NFT, None)):
                self.beside("prefixes of 21 lengths, none there", "prefixes", tool,
                            rival, rivals_tool, "absent", limit)

    def update(self):
        for row in "bloom-window", "cuckoo-window":
            for tool in LEGACY, XTNFT:
                goal = "`--test-add`, all seen"
                self.beside(goal, row, tool, "recent", tool, "seen", 0.3)
                self.beside(goal, row, tool, "nft-dynset", NFT, "seen", 0.5)

    def store(self):
        for row in "bloom-window", "cuckoo-window":
            for tool in LEGACY, XTNFT:
                self.beside("`--test-add`, all new", row, tool, "ipset-timeout",
                            tool, "store", 0.5)

    def memory(self):
        memory = self.run.memory
        for row, limit in ("cuckoo", 1 / 13), ("cuckoo32", 1 / 6):
            told = memory["%s/%s" % (row, LEGACY)]["told"]
            for rival, name in (("ipset/" + LEGACY, "ipset, of hashsize 2²⁰"),
                                ("ipset-grown/none", "ipset, grown")):
                self.add("memory", "%s : %s" % (row, name),
                         {0: told / memory[rival]["told"]}, limit)

    def guard(self):
        packets = self.run.packets
        for frame in sorted(key[1] for key in packets if key[0] == "guard"):
            guard, empty, hashed, nothing = (
                packets["guard" + part, frame]
                for part in ("", "-empty", "-hash", "-nothing"))
            self.add("guard", "%u bytes : siphash-2-4 of its key" % frame,
                     over(minus(guard, empty), minus(hashed, nothing)), 2)
        frames = sorted(key[1] for key in packets if key[0] == "guard")
        for frame in frames[1:]:
            self.add("guard", "%u bytes : %u bytes" % (frame, frames[0]),
                     over(packets["guard", frame], packets["guard", frames[0]]), 1.5)
        for row in payloads(self.run):
            self.add("hash", "payload of %u bytes, NH : SipHash-1-3" % row["bytes"],
                     row["ratio"], 0.5)

    def bridge(self):
        bridges = self.run.bridges
        self.add("bridges", "a guarded one beside many others : alone",
                 over(bridges["bridge-beside"], bridges["bridge-guarded"]), 1.05)
        batches = [bridges["join-%u" % n] for n in range(1, 5)]
        self.add("bridges", "a batch of ports that join, the slowest of four : the fastest",
                 each(lambda *ns: max(ns) / min(ns), *batches), 1.2)

    def together(self):
        run, keys = self.run, self.run.keys()
        for row, case, limit in (("bloom", "seen", 1.9), ("cuckoo", "seen", 1.9),
                                 ("bloom-window", "seen", 1.9),
                                 ("cuckoo-window", "seen", 1.9),
                                 ("bloom-window", "store", 1.7),
                                 ("cuckoo-window", "store", 1.7)):
            key = row, LEGACY, case
            self.add("two CPUs, packets a second", "%s, %s" % (row, case),
                     over(*(run.means[(*key, cpus, 1, keys)] for cpus in (1, 2))),
                     limit, least=True)
            self.add("of that time both were at work", "%s, %s" % (row, case),
                     run.shares[(*key, 2, 1, keys)], None, least=True)
        # In each CPU's own caches, only memory that both write can reduce the factor of 2.
        keys = min((key[5] for key in run.packets if len(key) == 6 and key[3] == 2), default=0)
        for kind in KINDS:
            row = "grown-%s-%u" % (kind, keys)
            self.add("two CPUs, packets a second", "%s, seen, %g keys" % (kind, keys),
                     over(*(run.means[row, LEGACY, "seen", cpus, 1, keys]
                            for cpus in (1, 2))), 1.9, least=True)

    def growth(self):
        run = self.run
        for kind in KINDS:
            sizes = sorted({key[-1] for key in run.packets
                            if key[0] == "grown-%s-%s" % (kind, key[-1])})
            cost = {size: run.cost("grown-%s-%u" % (kind, size), LEGACY, "seen",
                                   keys=size) for size in sizes}
            # Both tables fit into the CPU's own caches, so the smaller cost is that of computing.
            few, many = each(min, cost[sizes[0]], cost[sizes[1]]), sizes[-1]
            self.add("growth, in cache misses",
                     "%s, %g to %g keys" % (kind, sizes[0], many),
                     over(minus(cost[many], few),
                          run.packets["chase-of", "grown-%s-%u" % (kind, many)]), 1)

    def load(self):
        loads, keys = self.run.loads, self.run.keys()
        many = max(key[1] for key in loads)
        seen = loads["seen", keys]
        self.add("loading", "%g keys : ipset, which allocates" % keys,
                 over(seen, loads["ipset", keys]), 0.2)
        self.add("loading", "%g keys, each : one of %g" % (many, keys),
                 {r: s / (many / keys) for r, s in
                  over(loads["seen", many], seen).items()}, 1)
        for way in "export", "import":
            for copy, what in ("copy-table", "its table's bytes"), ("copy", "the file"):
                self.add(way, "%g keys : copy of %s" % (many, what),
                         over(loads[way, many], loads[copy, many]), 2)
            self.add(way, "%g keys : its table through a pipe" % many,
                     over(loads[way, many], loads["pipe", many]), None)

    def bpf(self):
        """Only hash and set: the cost of a BPF program without a set is subtracted. All keys
        are there, so test-add only looks up, and stores nothing."""
        bpf = self.run.bpf
        if not bpf:
            return
        for ours, theirs in ((way, "%s, %s" % (rival, way)) for rival in ("bloom", "LRU hash")
                             for way in ("test", "test-add")):
            for kind in "bloom", "cuckoo":
                self.add("beside BPF", "%s, %s : BPF %s" % (kind, ours, theirs),
                         over(bpf["seen %s, %s" % (kind, ours)],
                              minus(bpf[theirs], bpf["nothing"])), None)


def table(head, rows):
    widths = [max(len(row[i]) for row in rows + [head]) for i in range(len(head))]
    def line(cells):
        return "| " + " | ".join(c.ljust(w) for c, w in zip(cells, widths)) + " |"
    return [line(head), "|" + "|".join("-" * (w + 2) for w in widths) + "|",
            *map(line, rows)]


def number(x):
    size = abs(x)
    return "%.*f" % (0 if size >= 100 else 1 if size >= 10 else 2 if size >= 0.2 else 3, x)


def three(figures):
    return "%s (%s–%s)" % tuple(number(figures[k]) for k in ("median", "min", "max"))


def limit_of(row):
    """Formats small limits in the usual way."""
    if row["limit"] is None:
        return ""
    sign = "≥" if row["least"] else "≤"
    if row["limit"] < 0.2:
        return "%s 1/%.0f" % (sign, 1 / row["limit"])
    return "%s %g" % (sign, row["limit"])


def verdict(row):
    """The verdict on the median, and the number of rounds that meet the goal if not all or none."""
    if row["limit"] is None:
        return ""
    word = "met" if row["met"] else "missed"
    if row["rounds_met"] in (0, row["rounds"]):
        return word
    return "%s (met in %u of %u)" % (word, row["rounds_met"], row["rounds"])


def goals_table(rows):
    return table(("goal", "of what", "median (least–most)", "wanted", ""),
                 [(row["goal"], row["what"], three(row), limit_of(row), verdict(row))
                  for row in rows])


def costs(run):
    """The cost of each rule in addition to its chain, and the cost of the chain."""
    for key, series in run.packets.items():
        if len(key) != 6 or "grown" in key[0] or key[5] != run.keys():
            continue
        row, tool, case, cpus, pace, keys = key
        if row != "base":
            series = run.cost(row, tool, case, cpus, pace)
            mean = run.cost(row, tool, case, cpus, pace, of=run.means)
        else:
            mean = run.means[key]
        yield {"row": row, "tool": tool, "case": case, "cpus": cpus,
               "pace": PACES[pace], "keys": keys, "ns": spread(list(series.values())),
               "mean_ns": spread(list(mean.values()))}


def costs_table(rows):
    by = collections.defaultdict(dict)
    for row in rows:
        by[row["row"], row["tool"], row["case"]][row["cpus"], row["pace"]] = row["ns"]
    def cell(figures):
        return three(figures) if figures else "–"
    return table(("set", "tool", "packets", "one at a time", "as fast as it can",
                  "after other work", "two CPUs, together"),
                 [(*key, *(cell(cells.get((1, PACES[pace]))) for pace in (1, 0, "cold")),
                   cell(cells.get((2, PACES[1])))) for key, cells in by.items()])


def growth(run):
    for key, series in run.packets.items():
        if len(key) == 6 and key[0].startswith("grown") and key[3] == 1:
            cost = run.cost(*key[:5], keys=key[5])
            kind = key[0][len("grown-"):].rpartition("-")[0]
            yield {"kind": kind, "keys": key[5],
                   "ns": spread(list(cost.values())),
                   "miss_ns": spread(list(run.packets["chase-of", key[0]].values()))}


def growth_table(rows):
    return table(("set", "keys", "ns", "one miss in as much memory, ns"),
                 [(row["kind"], "%g" % row["keys"], three(row["ns"]),
                   three(row["miss_ns"])) for row in rows])


def guards(run):
    """The parts of the comparison of guards, loops included."""
    for key in run.packets:
        if key[0] == "guard":
            frame = key[1]
            yield {"frame": frame, **{part: spread(list(run.packets[part, frame].values()))
                                      for part in GUARDS}}


def payloads(run):
    """The cost of the hash of a key with a long payload, without the loop."""
    packets = run.packets
    for _, size in [key for key in packets if key[0] == "payload-nh"]:
        nh, siphash = (minus(packets["payload-" + how, size],
                             packets["payload-nothing", size])
                       for how in ("nh", "siphash13"))
        yield {"bytes": size, "nh": nh, "siphash": siphash, "ratio": over(nh, siphash)}


def payloads_table(rows):
    return table(("payload, bytes", "NH and SipHash-1-3", "SipHash-1-3 alone"),
                 [(str(row["bytes"]), three(row["nh"]), three(row["siphash"]))
                  for row in rows])


def guards_table(rows):
    return table(("frame, bytes", *GUARDS.values()),
                 [(str(row["frame"]), *(three(row[part]) for part in GUARDS))
                  for row in rows])


BRIDGES = {"bridge-alone": "a frame that the host sends by a bridge without a guard",
           "bridge-guarded": "the same, guarded",
           "bridge-beside": "the same, beside 200 other guarded bridges",
           **{"join-%u" % n: "a port that joins, batch %u of four" % n for n in range(1, 5)}}


def bridges(run):
    for row, series in run.bridges.items():
        yield {"row": row, "ns": spread(list(series.values()))}


def bridges_table(rows):
    by = {row["row"]: row["ns"] for row in rows}
    return table(("what", "ns"), [(text, three(by[row])) for row, text in BRIDGES.items()])


def bpf(run):
    """The cost of a set of BPF in addition to a program without a set; the whole cost of core."""
    for row, series in run.bpf.items():
        if row == "nothing":
            continue
        if not row.startswith("seen"):
            series = minus(series, run.bpf["nothing"])
        yield {"row": row, "ns": spread(list(series.values()))}


def bpf_table(rows):
    return table(("set", "ns"), [(row["row"], three(row["ns"])) for row in rows])


LOADS = {"seen": "`seenctl key add f -`", "ipset": "`ipset restore`",
         "export": "`seenctl filter export`", "import": "`seenctl filter import`",
         "copy": "`cp` of that file", "copy-table": "`cp` of as many bytes as the filter has",
         "pipe": "`dd` of them through a pipe, 30 KiB at a time"}


def loads(run):
    for (row, keys), series in run.loads.items():
        yield {"row": row, "keys": keys, "s": spread(list(series.values())),
               "bytes": spread(list(run.bytes[row, keys].values()))["median"]}


def loads_table(rows):
    """Times of reading or writing a file with so many bytes."""
    return table(("what", "keys", "bytes", "ms"),
                 [(LOADS[row["row"]], "%g" % row["keys"], "%.0f" % row["bytes"],
                   three({k: 1000 * v for k, v in row["s"].items()}))
                  for row in sorted(rows, key=lambda row: (row["keys"],
                                                           [*LOADS].index(row["row"])))])


def memory_table(memory):
    return table(("set", "its own account, bytes", "the kernel has less, bytes"),
                 [(row, str(run["told"] or "–"), str(run["grown"]))
                  for row, run in memory.items()])


def page(result):
    facts = ", ".join("%s %s" % item for item in result["facts"].items())
    parts = [
        ([facts + "."] if facts else []) + ["Ratios to their goals:"],
        goals_table(result["goals"]),
        ["Marginal costs, ns a packet (rows `base`: the chain itself):"],
        costs_table(result["costs"]),
        ["Growth:"],
        growth_table(result["growth"]),
        ["A guard, ns a packet:"],
        guards_table(result["guards"]),
        ["Bridges:"],
        bridges_table(result["bridges"]),
        ["The hash of a key with a payload, ns:"],
        payloads_table(result["payloads"]),
        ["Lists, and files of a filter (a user-mode kernel is unkind to who allocates memory",
         "for each address, as ipset does: see what is weaker, above):"],
        loads_table(result["loads"]),
        ["Memory:"],
        memory_table(result["memory"]),
        ["Sets of BPF on the machine itself:"],
        bpf_table(result["bpf"]) if result["bpf"]
        else [result["facts"].get("bpf", "not measured") + "."],
    ]
    return "\n\n".join("\n".join(part) for part in parts) + "\n"


def write(path, text):
    """Replaces the text under the heading "## The last run"."""
    with open(path) as file:
        before, behind = file.read().split("## The last run\n", 1)
    behind = behind[behind.index("\n## "):] if "\n## " in behind else ""
    with open(path, "w") as file:
        file.write(before + "## The last run\n\n" + text + behind)


# Rows of README's table: name, errors, the row of a set that is only looked up, the row of a set
# that stores, whose memory is listed, too, and perhaps a row with default parameters.
README = [
    ("`-m seen`, bloom", "10⁻³", "bloom", "bloom-window"),
    ("`-m seen`, cuckoo", "10⁻⁴; 10⁻³", "cuckoo", "cuckoo-window"),
    ("ipset hash:ip; with a timeout", "none", "ipset", "ipset-timeout"),
    ("nft set; dynamic set", "none", "nft-set", "nft-dynset"),
    ("`-m recent`; with its usual 32 stamps", "none", None, "recent", "recent-usual"),
]


def brief(result):
    """The rows of README's table: one tool, medians, memory as the kernel reports it."""
    ns = {(cost["row"], cost["case"]): cost["ns"]["median"] for cost in result["costs"]
          if cost["tool"] in (LEGACY, NFT) and cost["cpus"] == 1 and cost["pace"] == PACES[1]}
    taken = {row.split("/")[0]: run["grown"]
             for row, run in result["memory"].items() if row.split("/")[1] != XTNFT}

    def cell(row, case):
        return "%.0f" % ns[row, case] if (row, case) in ns else "–"

    lines = ["| | errors | test: present | test: absent | test-and-add: present | "
             "test-and-add: new | MB |",
             "|---|---|--:|--:|--:|--:|--:|"]
    for name, errors, asks, stores, *usual in README:
        sizes = [taken[row] / 1e6 for row in (asks, stores, *usual) if row]
        lines.append("| %s |" % " | ".join([
            name, errors, cell(asks, "seen"), cell(asks, "absent"), cell(stores, "seen"),
            cell(stores, "store"),
            "; ".join(("%.0f" if size >= 10 else "%.1f") % size for size in sizes)]))
    return lines


def write_brief(path, rows):
    """Replaces the first table under the heading."""
    with open(path) as file:
        lines = file.read().split("\n")
    at = next(i for i, line in enumerate(lines)
              if line.startswith("|") and "## How fast" in lines[:i])
    end = next(i for i, line in enumerate(lines) if i > at and not line.startswith("|"))
    with open(path, "w") as file:
        file.write("\n".join(lines[:at] + rows + lines[end:]))


def plot(program, rows, to):
    """Draws by native/plot.c: a line for each series, with x and y."""
    lines = ["title\tA packet whose address is there, by how many addresses there are",
             "caption\tNanoseconds over the chain without the rule, medians, one packet at "
             "a time.", "x\taddresses", "y\tns"]
    for name, kind, figure in [(kind, kind, "ns") for kind in KINDS] + [
            ("a miss in bloom's memory", "bloom", "miss_ns"),
            ("a miss in bloom-window's", "bloom-window", "miss_ns")]:
        lines.append("\t".join([name] + ["%g %g" % (row["keys"], row[figure]["median"])
                                         for row in rows if row["kind"] == kind]))
    subprocess.run([program, to], input="\n".join(lines) + "\n", text=True, check=True)


def publish(path, to, readme, program, drawing):
    with open(path) as file:
        result = json.load(file)
    write(to, page(result))
    write_brief(readme, brief(result))
    plot(program, result["growth"], drawing)
    for row in result["goals"]:
        if row["limit"] is not None and not row["met"]:
            print("%s: missed, and told of there by hand: %s, %s: %s, wanted %s" % (
                to, row["goal"], row["what"], three(row), limit_of(row)), file=sys.stderr)


def lines_of(path):
    with open(path, errors="replace") as log:
        return [json.loads(line[len("# json: "):]) for line in log
                if line.startswith("# json: ")]


def print_guards(run):
    print("\n".join(guards_table(list(guards(run)))))
    for row in payloads(run):
        print("payload of %u bytes: NH %s ns, SipHash-1-3 %s ns" % (
            row["bytes"], *(three(spread(list(row[how].values())))
                            for how in ("nh", "siphash"))))


def main(args):
    if args[0] == "--page":
        return publish(*args[1:])
    if args[0] == "--lists":
        lists = list(loads(Run(lines_of(args[1]))))
        return print("\n".join(loads_table(lists))) if lists else sys.exit("no list was loaded")
    if args[0] == "--guards":
        return print_guards(Run(lines_of(args[1])))
    lines = lines_of(args[0])
    run = Run(lines)
    goals = Goals(run)
    result = {
        "facts": dict(arg.split("=", 1) for arg in args[2:]),
        "goals": goals.rows,
        "costs": list(costs(run)),
        "growth": list(growth(run)),
        "guards": list(guards(run)),
        "payloads": [{"bytes": row["bytes"], "nh": spread(list(row["nh"].values())),
                      "siphash": spread(list(row["siphash"].values()))}
                     for row in payloads(run)],
        "bridges": list(bridges(run)),
        "loads": list(loads(run)),
        "memory": run.memory,
        "bpf": list(bpf(run)),
        "lines": lines,
    }
    with open(args[1], "w") as file:
        json.dump(result, file, indent=1, ensure_ascii=False)
    print(page(result))
    if goals.missing:
        sys.exit("not measured: " + "; ".join(goals.missing))


if __name__ == "__main__":
    main(sys.argv[1:])

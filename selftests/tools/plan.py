#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""seenctl plan: any two of capacity, fpp and memory determine the third, for every type. Checks
the output, the plots and the refusals. Run from the top of the tree; prints TAP."""
import json
import math
import subprocess
import sys
import xml.etree.ElementTree as xml

SEENCTL = "build/tools/seenctl"
PAGE = 4096
MIB = 1 << 20
SVG = "{http://www.w3.org/2000/svg}"
POINTS = 60

# Parameters, capacity and fpp, for types that can err.
KINDS = [
    ("type bloom", 1000000, 0.01),
    ("type bloom", 777, 0.3),
    ("type bloom layout classic", 1000000, 0.01),
    ("type bloom layout classic", 123456, 1e-9),
    ("type bloom window 10s", 64000, 0.01),
    ("type bloom window 10s refresh", 64000, 0.02),
    ("type cuckoo", 1000000, 1e-6),
    ("type cuckoo bits 16", 50000, 0.001),
    ("type cuckoo window 1m", 64000, 1e-6),
    ("type counting", 100000, 0.01),
    ("type counting", 1000000, 0.05),
    ("type cms", 10000, 0.01),
    ("type cms window 10s", 10000, 0.01),
    ("type cms top 100 key flow", 10000, 1e-4),
    ("type cmm", 100000, 0.001),
    ("", 1000000, 0.001),
    ("window 1m", 20000, 1e-5),
]
EXACT = [
    ("type bitmap", 65536, 8),
    ("type bitmap", 1 << 32, 8),
    ("type map", 100000, 8),
    ("type map key flow", 100000, 8),
    ("type map key-bytes 48", 100000, 8),
]
REFUSED = [
    ("memory 1M capacity 1M fpp 0.01",
     "capacity, fpp and memory: at most two can be given"),
    ("fpp 0.01", "capacity: required, or memory"),
    ("memory 100", "memory: too little for one key; raise memory"),
    ("capacity 1M memory 100K", "memory: too little for this capacity; raise memory or lower capacity"),
    ("memory 0", "memory: too little for one key; raise memory"),
    ("memory 2MB", "memory: 2MB is not a size (65536, 64K, 2M, 1G)"),
    ("memory 1.5M", "memory: 1.5M is not a size (65536, 64K, 2M, 1G)"),
    ("memory 99999999999999T",
     "memory: must be 0 to 18446744073709551615"),
    ("type map capacity 10 fpp 0.1", "fpp: type map is exact"),
    ("type bitmap capacity 10 memory 1M",
     "type bitmap is exact: capacity and memory exclude each other"),
    ("type bitmap capacity 10 --plot",
     "--plot: type bitmap is exact, there is no rate to plot"),
    ("type bitmap capacity 5G", "range: must have at most 4294967296 keys"),
    ("type bloom capacity 10 key flow",
     "key: only type map and top use the key"),
    ("type map capacity 10 key flow key-bytes 9",
     "key and key-bytes exclude each other"),
    ("type map capacity 10 key-bytes 49",
     "key: must have 1 to 48 bytes for type map and for top"),
    ("type map capacity 10 key packet",
     "key: type map and top need a key without payload"),
    ("type map capacity 10 key nothing", "key: "),
    ("type map capacity 10 window 1s",
     "window: needs type bloom (layout blocked), cuckoo, cms or cmm"),
    ("type counting capacity 10 window 1s",
     "window: needs type bloom (layout blocked), cuckoo, cms or cmm"),
    ("type cms capacity 10 top 1025",
     "top: must be 0 to 1024"),
    ("type bloom capacity 10 top 5",
     "top: needs type cms or cmm"),
    ("type cms capacity 10 window 1s refresh",
     "refresh: needs type bloom or cuckoo"),
    ("type cms capacity 10 bits 16",
     "bits: needs type cuckoo"),
    ("type cms capacity 10 layout classic",
     "layout: needs type bloom"),
    ("type bloom memory 1M fpp 1e-12", "fpp: this type needs more than 64 bits per key for 1e-12; use layout classic"),
]
count = failed = 0


def ok(good, what, why=""):
    global count, failed
    count += 1
    failed += not good
    print("%sok %d - %s" % ("" if good else "not ", count, what))
    if not good and why:
        print("# %s" % why)


def run(words, *options):
    return subprocess.run([SEENCTL, *options, "plan", *words.split()],
                          capture_output=True, text=True)


def plan(words, **numbers):
    """The plan as a dictionary, or None if it is refused."""
    for name, value in numbers.items():
        words += " %s %s" % (name, value)
    done = run(words, "-j")
    return json.loads(done.stdout) if not done.returncode else None


def least_memory(words, capacity, fpp):
    a = plan(words, capacity=capacity, fpp=fpp)
    if not a:
        ok(False, "%s: capacity %d fpp %g" % (words, capacity, fpp),
           run("%s capacity %d fpp %g" % (words, capacity, fpp)).stderr)
        return
    memory = a["bytes"]
    beside = memory - 512 * a.get("top", 0) - -a["table_bytes"] // PAGE * -PAGE
    ok(beside % 64 == 0 and 64 <= beside <= max(64, a["table_bytes"] / 8),
       "%s: memory is the table in pages, its locks and its list" % words,
       str(a))
    b = plan(words, memory=memory, fpp=fpp)
    ok(b and b["capacity"] >= capacity and b["bytes"] <= memory,
       "%s: memory and rate give no smaller capacity" % words, str(b))
    c = plan(words, memory=memory, capacity=capacity)
    ok(c and c["fpp"] <= fpp * 1.00001 and c["bytes"] <= memory,
       "%s: memory and capacity give no higher rate" % words, str(c))
    least_of_all(words, capacity, fpp, memory)
    more = plan(words, capacity=b["capacity"] + 1, fpp=fpp)
    ok(not more or more["bytes"] > memory,
       "%s: one more key needs more memory" % words, str(more))
    units = math.floor(c["fpp"] * 1e12 * 0.9999 - 1)
    lower = plan(words, capacity=capacity, fpp="%.12f" % (units / 1e12))
    ok(not lower or lower["bytes"] > memory,
       "%s: a lower rate needs more memory" % words, str(lower))


def least_of_all(words, capacity, fpp, memory):
    b = plan(words, memory=memory - 1, fpp=fpp)
    c = plan(words, memory=memory - 1, capacity=capacity)
    ok((not b or b["capacity"] < capacity) and (not c or c["fpp"] > fpp),
       "%s: a byte less is too little" % words, "%s %s" % (b, c))


def sketch(a, words, capacity, fpp):
    ok(a["blocks"] == math.ceil(math.e * capacity) and
       a["hashes"] == math.ceil(math.log(1 / fpp)) and
       abs(a["error_part"] * capacity - 1) < 1e-5 and
       abs(a["confidence"] - (1 - fpp)) < 1e-5,
       "%s: rows, columns, error and confidence" % words, str(a))


def rates(words, capacity, fpp):
    a = plan(words, capacity=capacity, fpp=fpp)
    if not a:
        ok(False, "%s: rates" % words)
        return
    got = [r["rate"] for r in a["rates"]]
    of = "of_error" if "error_part" in a else "filled"
    rising = sorted(got, reverse=of == "of_error")
    ok([r[of] for r in a["rates"]] == [0.25, 0.5, 0.75, 1, 1.5] and
       got == rising and 0 < got[3] <= fpp * 1.05,
       "%s: five rates, the promised one is kept" % words, str(a))
    if "error_part" in a:
        sketch(a, words, capacity, fpp)


def exact(words, capacity, slack):
    a = plan(words, capacity=capacity)
    b = plan(words, memory=a["bytes"]) if a else None
    ok(a and b and b["capacity"] >= capacity and b["bytes"] <= a["bytes"] and
       a["errs"] == "exact" and "fpp" not in a and "rates" not in a,
       "%s: memory from capacity, and back" % words,
       "%s %s %s" % (a, b, run("%s capacity %d" % (words, capacity)).stderr))
    less = plan(words, memory=a["bytes"] - 1) if a else None
    ok(not less or less["capacity"] < capacity,
       "%s: a byte less is too little" % words, str(less))


def guava():
    a = plan("layout classic", capacity="1M", fpp="1%")
    ok(a["blocks"] == 9585058 and a["hashes"] == 7 and
       abs(a["bits_per_key"] - 9.585) < 0.01,
       "classic: a million keys at 1 % take 9585058 bits and 7 hashes", str(a))
    lines = run("layout classic capacity 1M fpp 1%").stdout.splitlines()
    ok(lines[0] == "type bloom layout classic capacity 1000000 fpp 0.01" and
       lines[1] == "    memory 1.21MiB bits-a-key 9.6 hashes 7 "
       "blocks 9585058 errs seen", "the text has the same numbers", "\n".join(lines))


def bars():
    lines = run("capacity 1M fpp 1%").stdout.splitlines()[3:]
    cells = [line.split() for line in lines]
    ok([c[0] for c in cells] == ["25%", "50%", "75%", "100%", "150%"] and
       all(set(c[2]) == {"#"} for c in cells) and
       sorted(len(c[2]) for c in cells) == [len(c[2]) for c in cells],
       "bars grow with the rate", str(lines))
    lines = run("capacity 1 fpp 1% type cuckoo").stdout.splitlines()[3:]
    ok(lines[0].split() == ["25%", "0"], "no bar where there is no key",
       str(lines))


def chosen():
    """Without a type, plan chooses the one with the lower rate; bloom if the rates are equal."""
    for words in "capacity 1M memory 2M", "capacity 64k memory 1M window 1m":
        both = [plan(words + " type " + t)["fpp"] for t in ("bloom", "cuckoo")]
        one = plan(words)
        ok(one["fpp"] == min(both) and
           one["type"] == ("bloom" if both[0] <= both[1] else "cuckoo"),
           "%s: chooses the type with the lower rate" % words, "%s %s" % (one, both))
    ok(plan("memory", **{"": 2 * MIB})["fpp"] == 0.001,
       "memory alone: the default rate")


def block(script, name):
    """The numbers of a data block."""
    lines = script.split("$%s << end\n" % name)[1].split("end\n")[0].splitlines()
    return [[float(cell) for cell in line.split()] for line in lines]


def drawn(words):
    """The rates of the script are those of the plan, and gnuplot draws them."""
    script = run(words + " --plot")
    ok(script.returncode == 0, words + " --plot", script.stderr)
    rates, known = dict(block(script.stdout, "predicted")), plan(words)
    of = "of_error" if "error_part" in known else "filled"
    ok(len(rates) == POINTS and
       all(math.isclose(rates[100 * rate[of]], rate["rate"], rel_tol=1e-4)
           for rate in known["rates"]), words + ": the rates of the plan", script.stdout)
    ok(math.isclose(block(script.stdout, "promised")[0][1], known["fpp"], rel_tol=1e-4),
       words + ": the promised rate", script.stdout)
    svg = subprocess.run(["gnuplot"], input=script.stdout, capture_output=True, text=True)
    ok(svg.returncode == 0 and not svg.stderr, words + ": gnuplot draws it", svg.stderr)
    root = xml.fromstring(svg.stdout)
    texts = ["".join(text.itertext()).strip() for text in root.iter(SVG + "text")]
    ok(root.tag == SVG + "svg" and {"predicted", "promised"} <= set(texts) and
       any("capacity %d" % known["capacity"] in text for text in texts),
       words + ": with a title and a legend", str(texts))


def json_excluded():
    done = run("capacity 1M --plot", "-j")
    ok(done.returncode == 2 and "--plot and -j exclude each other" in done.stderr,
       "no script in JSON", done.stderr)


def shown():
    """The outputs in the guide are current."""
    with open("Documentation/guide.md") as file:
        guide = file.read()
    for words in "capacity 1M memory 2M", \
            "capacity 10k fpp 0.01 type cms top 100":
        lines = run(words).stdout.splitlines()
        ok("seenctl plan %s\n" % words in guide and
           "\n".join("    " + line for line in lines) + "\n" in guide,
           "the guide shows what plan %s prints" % words, "\n".join(lines))


def refused():
    for words, why in REFUSED:
        done = run(words)
        ok(done.returncode == 2 and
           done.stderr.startswith("seenctl: plan: " + why),
           "%s: %s" % (words, why), done.stderr)


print("TAP version 13")
for kind in KINDS:
    least_memory(*kind)
    rates(*kind)
for kind in EXACT:
    exact(*kind)
guava()
bars()
chosen()
for kind in ("capacity 1M fpp 1%", "capacity 1M layout classic",
             "type cuckoo memory 1M", "type counting memory 1M fpp 1%",
             "type cms capacity 1M fpp 1%"):
    drawn(kind)
json_excluded()
shown()
refused()
print("1..%d" % count)
sys.exit(failed != 0)

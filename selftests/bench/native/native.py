#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""kmod/core in userspace, compared with other filters; Documentation/performance/native.md.

native.py run: runs rounds of all programs, one after the other, and writes
build/bench/native.json and the table. native.py page: writes this file and its plots into the
page. Variables: ROUNDS=5 LARGE_ROUNDS=2 KEYS="10000 1000000 10000000 100000000" LENS="8 16 40"
PAGES="2M 4K" CPU=1; SMOKE=1: a short run of the programs that need no package, without a
table."""
import datetime
import json
import os
import shutil
import statistics
import subprocess
import sys

os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../.."))
FOLDER = "build/bench/native"
RESULT = os.environ.get("RESULT", "build/bench/native.json")
DOCUMENTS = "Documentation/performance"
PAGE = DOCUMENTS + "/native.md"
GUAVA = "/usr/share/java/guava.jar"
SMOKE = bool(os.environ.get("SMOKE"))
# These programs would take too long with more keys.
MOST = {"guava": 10**7, "dpdk": 10**7}
# With more keys than this there are fewer rounds, which still take most of the time.
SMALL_MOST = 10**6
# The size of a sketch does not depend on the keys; with more keys than this it counts wrongly.
SKETCH_MOST = 10**4
# With more keys than this, only these contenders are measured, and keys of at most so many bytes:
# otherwise a round would take an hour.
WHOLE_MOST = 10**7
LARGE = "bloom,cuckoo 16"
LARGE_LEN_MOST = 8
NO_SUCH_PAGES = 3
NO_PAGES = "its memory is shared, and has no such pages on this machine"


def numbers(name, usual):
    return [int(float(word)) for word in os.environ.get(name, usual).split()]


def settings():
    if SMOKE:
        return [10000], [0, 40], ["2M", "4K"]
    return (numbers("KEYS", "10000 1000000 10000000 100000000"),
            [0] + numbers("LENS", "8 16 40"), os.environ.get("PAGES", "2M 4K").split())


def rounds_of(size):
    if SMOKE:
        return 1
    return numbers("LARGE_ROUNDS", "2")[0] if size > SMALL_MOST else numbers("ROUNDS", "5")[0]


def programs():
    """Commands by program name, and a dictionary of programs left out, with the reason."""
    found, absent = {}, {}
    for name in ["core", "floor", "rocksdb", "dpdk"]:
        path = "%s/%s.bench" % (FOLDER, name)
        if os.path.exists(path):
            found[name] = [path]
        elif not SMOKE:
            absent[name] = "it was not built: see what make said"
    if os.path.exists(FOLDER + "/Guava.class"):
        found["guava"] = ["java", "-XX:+UseSerialGC", "-Xmx6g", "-cp",
                          GUAVA + ":" + FOLDER, "Guava"]
    elif not SMOKE:
        absent["guava"] = "it was not built: see what make said"
    absent["redis"] = "Debian's redis-server has no Bloom filter, its module is not packaged"
    if SMOKE:
        found = {name: found[name] for name in ["core", "floor"]}
    return found, absent


def call(command, pages, arguments, only):
    """Runs one round of a program on one CPU; malloc and Java use the same page size."""
    environment = dict(os.environ, **({"ONLY": only} if only else {}))
    if pages == "2M":
        environment["GLIBC_TUNABLES"] = "glibc.malloc.hugetlb=1"
    if command[0] == "java" and pages == "2M":
        command = command[:1] + ["-XX:+UseTransparentHugePages"] + command[1:]
    cpu = os.environ.get("CPU", str(max(os.sched_getaffinity(0))))
    done = subprocess.run(["taskset", "-c", cpu] + command + arguments, env=environment,
                          stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode == NO_SUCH_PAGES:
        return None
    done.check_returncode()
    return [json.loads(line) for line in done.stdout.splitlines() if line[:1] == "{"]


def scope(size):
    """For this number of keys: page sizes, key lengths, and contenders to measure."""
    _, lens, pages = settings()
    if size <= WHOLE_MOST:
        return pages, lens, None
    return pages, [length for length in lens if length <= LARGE_LEN_MOST], LARGE


def measure():
    """Measures all rounds for one number of keys, then for the next."""
    found, absent = programs()
    figures = []
    for size in settings()[0]:
        for number in range(rounds_of(size)):
            figures += measure_round(size, number, found, absent)
    return figures, absent


def measure_round(size, number, found, absent):
    pages, lens, only = scope(size)
    figures = []
    # The first program finds the caches as others left them: odd rounds have the reverse order.
    turn = reversed if number % 2 else iter
    for page in turn(pages):
        for length in turn(lens):
            for name, command in turn(list(found.items())):
                if size > MOST.get(name, size) or (not length and name in MOST):
                    continue
                print("round %d: %d keys of %d bytes, %s: %s" % (
                    number, size, length, page, name), file=sys.stderr)
                got = call(command, page, [str(size), str(length), page, str(number)],
                           only if name in ("core", "rocksdb") else None)
                if got is None:
                    absent["%s, %s" % (name, page)] = NO_PAGES
                else:
                    figures += got
    return figures


KEY = ("contender", "op", "keys", "len", "percent", "pages")


def summary(figures):
    rows = {}
    for figure in figures:
        rows.setdefault(tuple(figure[name] for name in KEY), []).append(figure)
    result = []
    for key, group in rows.items():
        row = dict(zip(KEY, key))
        ns = [figure["ns"] for figure in group]
        row.update(ns=statistics.median(ns), min=min(ns), max=max(ns), rounds=ns,
                   bits=8 * group[0]["bytes"] / row["keys"],
                   **{name: sum(figure[name] for figure in group)
                      for name in ("count", "inside", "seen")})
        if row["op"].startswith("lookup") and row["percent"] == 0:
            row["fpr"] = row["seen"] / row["count"]
        result.append(row)
    return result


def find(rows, contender, op, keys, length=0, percent=0, pages="2M"):
    want = (contender, op, keys, length, percent, pages)
    return next((row for row in rows if tuple(row[name] for name in KEY) == want), None)


def ratio(ours, theirs):
    """Median, min, max of ratios by round: a disturbance of a whole round cancels out."""
    if not ours or not theirs or None in ours or None in theirs:
        return None
    per_round = [sum(a) / sum(b) for a, b in zip(zip(*[row["rounds"] for row in ours]),
                                                 zip(*[row["rounds"] for row in theirs]))]
    return statistics.median(per_round), min(per_round), max(per_round)


def goals(rows, keys):
    """The goals for a number of keys: name, ratio, and the most that the ratio may be."""
    def of(contender, op, percents=(0,), length=0):
        return [find(rows, contender, op, keys, length, percent) for percent in percents]

    every = (0, 50, 100)
    bloom, rocksdb, cuckoo = "seen bloom", "rocksdb bloom", "seen cuckoo 16"
    update = of("update in L1", "insert")
    result = [
        ("lookup, one at a time", ratio(of(bloom, "lookup serial", every),
                                        of(rocksdb, "lookup serial", every)), 0.88),
        ("test-and-add, all new", ratio(of(bloom, "test-and-add"),
                                        of(rocksdb, "test-and-add")), 0.60),
        ("the same, one at a time", ratio(of(bloom, "test-and-add serial"),
                                          of(rocksdb, "test-and-add serial")), None),
        ("insert", ratio(of(bloom, "insert"), of(rocksdb, "insert")), 0.60),
        ("lookups in batches, over its single ones",
         ratio(of(bloom, "lookup batch", every), of(rocksdb, "lookup", every)),
         0.40 if keys == 10**8 else None),
        ("windowed test-and-add over its lookup and add",
         ratio(of("seen bloom window", "test-and-add"), of(rocksdb, "test-and-add")), 1.4),
        ("the same, one at a time",
         ratio(of("seen bloom window", "test-and-add serial"),
               of(rocksdb, "test-and-add serial")), None),
        ("cuckoo insert at 94 % load, over an update in L1",
         ratio(of(cuckoo, "insert full"), update), 20),
        ("cuckoo delete at 94 % load", ratio(of(cuckoo, "delete full", (100,)), update), 12),
        ("cuckoo lookup at 94 % load", ratio(of(cuckoo, "lookup"), update), 4.5),
        ("whole call of 40 bytes over Guava's",
         ratio(of(bloom, "lookup", every, 40), of("guava", "lookup", every, 40)), 0.35),
        ("hash in the whole call", ratio(of("siphash-1-3", "lookup", every, 40),
                                         of(bloom, "lookup", every, 40)), 0.5),
    ]
    found = of(bloom, "lookup")[0]
    if found:
        result.append(("false positives, percent", (100 * found["fpr"],) * 3, 0.45))
    return [goal for goal in result if goal[1]]


def goal_lines(rows):
    yield "| keys | what | ratio | min | max | goal | |"
    yield "|--:|---|--:|--:|--:|--:|---|"
    for keys in sorted({row["keys"] for row in rows}):
        for what, ratios, goal in goals(rows, keys):
            yield "| %s | %s | %s | %s | %s |" % (
                power(keys), what, " | ".join(told(ratios)),
                "" if goal is None else "%g" % goal,
                "" if goal is None else "met" if ratios[0] <= goal else "missed")


def told(ratios):
    """Median, least and most; a single number if there is one round, or no variation."""
    middle, least, most = ("%.3g" % ratio for ratio in ratios)
    return (middle, least, most) if least != most else (middle, "-", "-")


def power(keys):
    return "10^%d" % (len(str(keys)) - 1) if str(keys).strip("0") == "1" else str(keys)


COLUMNS = [("insert", 0), ("lookup", 0), ("lookup", 50), ("lookup", 100),
           ("lookup serial", 0), ("lookup serial", 50), ("lookup serial", 100),
           ("lookup batch", 0), ("test-and-add", 0), ("test-and-add", 100),
           ("test-and-add serial", 0), ("test-and-add serial", 100), ("delete", 100),
           ("insert full", 0), ("delete full", 100)]


def is_sketch(row):
    return row["contender"] in ("seen count-min", "dpdk sketch")


def table_lines(rows, keys, length, pages):
    """A row for each contender; a dash for a value that was not measured."""
    here = [row for row in rows
            if (row["keys"], row["len"], row["pages"]) == (keys, length, pages)
            and (keys <= SKETCH_MOST or not is_sketch(row))]
    names = list(dict.fromkeys(row["contender"] for row in here))
    columns = [column for column in COLUMNS
               if any((row["op"], row["percent"]) == column for row in here)]
    yield "| | bits | false | " + " | ".join(
        op + (" %d %%" % percent if "lookup" in op or "test" in op else "")
        for op, percent in columns) + " |"
    yield "|---|--:|--:|" + "--:|" * len(columns)
    for name in names:
        cells = []
        for op, percent in columns:
            row = find(here, name, op, keys, length, percent, pages)
            cells.append("%.3g" % row["ns"] if row else "-")
        lookup = find(here, name, "lookup", keys, length, 0, pages)
        filters = lookup and lookup["bits"] and "siphash" not in name and "line" not in name
        yield "| %s | %s | %s | %s |" % (
            name, "%.1f" % lookup["bits"] if filters else "-",
            "%.2g %%" % (100 * lookup["fpr"]) if filters else "-", " | ".join(cells))


def tables(rows):
    for keys, length, pages in sorted({(r["keys"], r["len"], r["pages"]) for r in rows}):
        yield ""
        yield "%s keys%s, pages of %siB:" % (
            power(keys), " of %d bytes" % length if length else ", hashes ready", pages)
        yield ""
        yield from table_lines(rows, keys, length, pages)


def machine():
    def said(*command):
        return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              text=True, check=False).stdout.strip()

    lines = dict(line.split(":", 1) for line in said("lscpu").splitlines() if ":" in line)
    packages = said("dpkg-query", "-W", "-f", "${Package} ${Version}\n", "librocksdb-dev",
                    "libdpdk-dev", "libguava-java", "openjdk-17-jdk-headless", "gcc-12")
    with open("/proc/loadavg") as file:
        load = file.read().split()[0]
    return {
        "commit": said("git", "describe", "--always", "--exclude", "*", "--dirty=+"),
        "date": datetime.date.today().isoformat(),
        "rounds": {power(size): rounds_of(size) for size in settings()[0]},
        "load": load,
        "cpu": "%s, family %s, model %s" % tuple(
            lines.get(name, "?").strip() for name in ["Model name", "CPU family", "Model"]),
        "caches": ", ".join("%s %s in all" % (name[:-6], value.strip()) for name, value in
                            lines.items() if name.endswith(" cache")),
        "packages": packages.splitlines(),
    }


def run():
    figures, absent = measure()
    rows = summary(figures)
    with open(RESULT + ".new", "w") as file:
        json.dump({"machine": machine(), "left_out": absent, "rows": rows}, file, indent=1)
    os.rename(RESULT + ".new", RESULT)
    if SMOKE:
        return
    print("\n".join(list(goal_lines(rows)) + list(tables(rows))))
    for name, why in absent.items():
        print("left out: %s: %s" % (name, why))


def plot(rows, name, title, op, percent, who):
    """Writes the input of the plot program: a line for each series, with x and y."""
    lines = ["title\t" + title, "x\tkeys", "y\tns",
             "caption\tNanoseconds a key, medians, in pages of 2 MiB; hashes are ready."]
    for contender in who:
        points = sorted((row["keys"], row["ns"]) for row in rows
                        if (row["contender"], row["op"], row["percent"], row["len"],
                            row["pages"]) == (contender, op, percent, 0, "2M"))
        if points:
            lines.append("\t".join([contender] + ["%g %g" % point for point in points]))
    subprocess.run([FOLDER + "/plot", "%s/%s.svg" % (DOCUMENTS, name)],
                   input="\n".join(lines) + "\n", text=True, check=True)


def page():
    with open(RESULT) as file:
        result = json.load(file)
    rows = result["rows"]
    who = ["seen bloom", "seen cuckoo 16", "seen bloom window", "rocksdb bloom",
           "a line of memory"]
    plot(rows, "native-lookup", "A lookup, one at a time, keys that are not there",
         "lookup serial", 0, who)
    plot(rows, "native-add", "A test-and-add, keys that are new", "test-and-add", 0, who)
    plot(rows, "native-throughput", "Lookups in a row, keys that are not there", "lookup", 0,
         who)
    with open(PAGE) as file:
        before, _, rest = file.read().partition("## The last run\n")
    after = rest[rest.index("\n## "):]
    machine_of = result["machine"]
    lines = ["## The last run", "", "On %s (%s), with %s." % (
        machine_of["cpu"], machine_of["caches"], ", ".join(machine_of["packages"])),
        "Of %(date)s, commit %(commit)s; load %(load)s at its end." % machine_of,
        "Rounds: %s." % ", ".join("%s of %s keys" % (rounds, keys)
                                  for keys, rounds in machine_of["rounds"].items()), ""]
    lines += list(goal_lines(rows)) + list(tables(rows))
    lines += ["", *("Left out: %s: %s." % item for item in result["left_out"].items())]
    with open(PAGE + ".new", "w") as file:
        file.write(before + "\n".join(lines) + "\n" + after)
    shutil.move(PAGE + ".new", PAGE)
    for line in goal_lines(rows):
        if line.endswith("| missed |"):
            print("%s: told of there by hand: %s" % (PAGE, line), file=sys.stderr)


{"run": run, "page": page}[sys.argv[1]]()

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""kmod/core in userspace compared with other libraries; Documentation/performance/native.md.

native.py run: measures all contenders round by round, writes build/bench/native.csv, prints the
ratios and their goals. native.py page: publishes that: Documentation/performance/native.csv, the
page's table and its plot. native.py check: fails unless table and plot are those of the published
native.csv. Variables: ROUNDS=5 LARGE_ROUNDS=2 KEYS="10000 1000000 10000000 100000000"
LENS="8 16 40" PAGES="2M 4K" CPU=1; SMOKE=1: a short run of the contenders without packages."""
import csv
import json
import os
import shutil
import statistics
import subprocess
import sys

os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../.."))
sys.dont_write_bytecode = True
sys.path.insert(0, "selftests")
import plot  # noqa: E402

FOLDER = "build/bench/native"
RESULT = "build/bench/native.csv"
DOCUMENTS = "Documentation/performance"
PAGE = DOCUMENTS + "/native.md"
FIGURES = DOCUMENTS + "/native.csv"
DRAWING = DOCUMENTS + "/native-lookup.svg"
# time: ns per operation; present: percent of the keys that are in the filter; key_bytes: empty
# if the hash is ready. ratio: see goals(); the goal is an upper limit.
FIELDS = ("group", "what", "operation", "present", "keys", "key_bytes", "pages", "median",
          "min", "max", "bits_per_key", "false_positive_rate", "goal")
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
    """Name to command; name of each absent contender to the reason."""
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
    """Pages, key lengths and contenders (None: all) that are measured with so many keys."""
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
    # The first contender finds other data in the caches: odd rounds go backwards.
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
    """Of one number of keys: name, ratio (median, least, most), and its upper limit or None."""
    def of(contender, op, percents=(0,), length=0):
        return [find(rows, contender, op, keys, length, percent) for percent in percents]

    every = (0, 50, 100)
    bloom, rocksdb, cuckoo = "seen bloom", "rocksdb bloom", "seen cuckoo 16"
    update = of("update in L1", "insert")
    result = [
        ("lookup one at a time / RocksDB's", ratio(of(bloom, "lookup serial", every),
                                        of(rocksdb, "lookup serial", every)), 0.88),
        ("test-and-add, new / RocksDB's lookup and add", ratio(of(bloom, "test-and-add"),
                                        of(rocksdb, "test-and-add")), 0.60),
        ("test-and-add one at a time, new / RocksDB's", ratio(of(bloom, "test-and-add serial"),
                                          of(rocksdb, "test-and-add serial")), None),
        ("insert / RocksDB's", ratio(of(bloom, "insert"), of(rocksdb, "insert")), 0.60),
        ("lookup in batches / RocksDB's single lookup",
         ratio(of(bloom, "lookup batch", every), of(rocksdb, "lookup", every)),
         0.40 if keys == 10**8 else None),
        ("windowed test-and-add / RocksDB's lookup and add",
         ratio(of("seen bloom window", "test-and-add"), of(rocksdb, "test-and-add")), 1.4),
        ("windowed test-and-add one at a time / RocksDB's",
         ratio(of("seen bloom window", "test-and-add serial"),
               of(rocksdb, "test-and-add serial")), None),
        ("cuckoo insert at 94 % load / update in L1",
         ratio(of(cuckoo, "insert full"), update), 20),
        ("cuckoo delete at 94 % load / update in L1",
         ratio(of(cuckoo, "delete full", (100,)), update), 12),
        ("cuckoo lookup at 94 % load / update in L1", ratio(of(cuckoo, "lookup"), update), 4.5),
        ("lookup of 40-byte keys / Guava's",
         ratio(of(bloom, "lookup", every, 40), of("guava", "lookup", every, 40)), 0.35),
        ("hash / lookup of 40-byte keys", ratio(of("siphash-1-3", "lookup", every, 40),
                                         of(bloom, "lookup", every, 40)), 0.5),
    ]
    found = of(bloom, "lookup")[0]
    if found:
        result.append(("false positives, percent", (100 * found["fpr"],) * 3, 0.45))
    return [goal for goal in result if goal[1]]


def is_sketch(row):
    return row["contender"] in ("seen count-min", "dpdk sketch")


def is_filter(row):
    return row["bits"] and "siphash" not in row["contender"] and "line" not in row["contender"]


def digits(x):
    return "%.3g" % x if abs(x) < 1000 else "%.0f" % x


def time_row(row):
    return {"group": "time", "what": row["contender"], "operation": row["op"],
            "present": row["percent"], "keys": row["keys"], "key_bytes": row["len"] or "",
            "pages": row["pages"], "median": digits(row["ns"]), "min": digits(row["min"]),
            "max": digits(row["max"]),
            "bits_per_key": "%.1f" % row["bits"] if is_filter(row) else "",
            "false_positive_rate": "%.2g" % row["fpr"] if "fpr" in row and is_filter(row)
                                   else ""}


def ratio_row(keys, what, ratios, goal):
    median, least, most = map(digits, ratios)
    return {"group": "ratio", "what": what, "keys": keys, "pages": "2M", "median": median,
            "min": least, "max": most, "goal": "" if goal is None else "%g" % goal}


def csv_rows(rows):
    for keys in sorted({row["keys"] for row in rows}):
        for goal in goals(rows, keys):
            yield ratio_row(keys, *goal)
    for row in rows:
        if row["keys"] <= SKETCH_MOST or not is_sketch(row):
            yield time_row(row)


def read(path):
    with open(path) as file:
        return list(csv.DictReader(file))


def write(path, rows):
    with open(path, "w") as file:
        out = csv.DictWriter(file, FIELDS, restval="", lineterminator="\n")
        out.writeheader()
        out.writerows(rows)


def show_goals(rows):
    for row in rows:
        if row["group"] == "ratio" and row["goal"]:
            print("%-10s %-52s %8s  %-8s %s" % (
                row["keys"], row["what"], row["median"], "<= " + row["goal"],
                "met" if float(row["median"]) <= float(row["goal"]) else "missed"))


def run():
    measured, absent = measure()
    write(RESULT, csv_rows(summary(measured)))
    show_goals(read(RESULT))
    for name, why in absent.items():
        print("left out: %s: %s" % (name, why))
    print("all figures: " + RESULT)


# The page's table: a million keys. DPDK's memory is not in huge pages everywhere.
KEYS_SHOWN = 10**6
COLUMNS = [("lookup", 0), ("lookup serial", 0), ("test-and-add", 0), ("insert", 0)]
ROWS = [(name, "") for name in (
            "seen bloom", "seen classic", "seen counting", "seen cuckoo 16", "seen bloom window",
            "seen cuckoo window", "rocksdb bloom", "a line of memory")] + [
        (name, "16") for name in (
            "seen bloom", "seen cuckoo 16", "rocksdb bloom", "rocksdb ribbon",
            "dpdk hash table", "dpdk bloom vector", "guava")]


def table(rows):
    yield ("| contender | key | bits a key | false positives | lookup | lookup, one at a time "
           "| test-and-add | insert |")
    yield "|---|---|--:|--:|--:|--:|--:|--:|"
    times = {(row["what"], row["key_bytes"], row["pages"], row["operation"], row["present"]): row
             for row in rows if row["group"] == "time" and row["keys"] == str(KEYS_SHOWN)}
    for name, length in ROWS:
        pages = next((pages for pages in ("2M", "4K")
                      if (name, length, pages, "lookup", "0") in times), None)
        if not pages:
            continue
        cells = [times.get((name, length, pages, operation, str(present)))
                 for operation, present in COLUMNS]
        rate = cells[0]["false_positive_rate"]
        yield "| %s |" % " | ".join([
            name + (" (4 KiB pages)" if pages == "4K" else ""),
            length + " bytes" if length else "hash", cells[0]["bits_per_key"] or "–",
            "%.2g %%" % (100 * float(rate)) if rate else "–",
            *(cell["median"] if cell else "–" for cell in cells)])


SUPERSCRIPTS = {10**6: "⁶", 10**7: "⁷", 10**8: "⁸"}
# The page's second table: its two texts, the name in the CSV, and the number of keys.
GOALS_SHOWN = [
    ("lookup, one at a time", "RocksDB's", "lookup one at a time / RocksDB's", KEYS_SHOWN),
    ("lookup in batches", "RocksDB's single lookup",
     "lookup in batches / RocksDB's single lookup", 10**8),
    ("insert", "RocksDB's", "insert / RocksDB's", KEYS_SHOWN),
    ("test-and-add", "RocksDB's lookup and add",
     "test-and-add, new / RocksDB's lookup and add", KEYS_SHOWN),
    ("test-and-add with a window", "RocksDB's lookup and add",
     "windowed test-and-add / RocksDB's lookup and add", KEYS_SHOWN),
    ("cuckoo insert, 94 % full", "an update in L1",
     "cuckoo insert at 94 % load / update in L1", KEYS_SHOWN),
    ("cuckoo delete, 94 % full", "an update in L1",
     "cuckoo delete at 94 % load / update in L1", KEYS_SHOWN),
    ("cuckoo lookup, 94 % full", "an update in L1",
     "cuckoo lookup at 94 % load / update in L1", KEYS_SHOWN),
    ("lookup of 40-byte keys", "Guava's", "lookup of 40-byte keys / Guava's", 10**7),
    ("hash of 40 bytes", "the lookup", "hash / lookup of 40-byte keys", KEYS_SHOWN),
]


def goal_table(rows):
    yield "| task | compared with | keys | goal | ratio |"
    yield "|---|---|--:|--:|--:|"
    for task, rival, what, keys in GOALS_SHOWN:
        row = next((row for row in rows if (row["group"], row["what"], row["keys"]) ==
                    ("ratio", what, str(keys))), None)
        if not row:
            continue
        missed = float(row["median"]) > float(row["goal"])
        yield "| %s | %s | %s | ≤ %s | %s |" % (
            task, rival, "10" + SUPERSCRIPTS[keys], row["goal"],
            "**%s**" % row["median"] if missed else row["median"])


def plot_script(rows):
    names = ("seen bloom", "seen cuckoo 16", "seen bloom window", "rocksdb bloom",
             "a line of memory")
    series = [(name, colour, False, sorted(
        (float(row["keys"]), float(row["median"])) for row in rows
        if (row["what"], row["operation"], row["present"], row["key_bytes"], row["pages"]) ==
        (name, "lookup serial", "0", "", "2M"))) for colour, name in enumerate(names)]
    return plot.script("A lookup, one at a time, of keys that are absent",
                       {"title": "keys in the filter", "log": True},
                       {"title": "ns per lookup", "least": 0}, series,
                       "Medians, hashes ready, pages of 2 MiB")


def with_table(lines, head, new):
    """The lines with the table that begins with this cell replaced."""
    begin = next(i for i, line in enumerate(lines) if line.startswith(head))
    end = begin + next(i for i, line in enumerate(lines[begin:]) if not line.startswith("|"))
    return lines[:begin] + list(new) + lines[end:]


def page_text(rows):
    """The page with its tables replaced."""
    with open(PAGE) as file:
        lines = file.read().split("\n")
    lines = with_table(lines, "| contender |", table(rows))
    return "\n".join(with_table(lines, "| task |", goal_table(rows)))


def page():
    rows = read(RESULT)
    shutil.copy(RESULT, FIGURES)
    text = page_text(rows)
    with open(PAGE, "w") as file:
        file.write(text)
    plot.save(DRAWING, plot_script(rows))
    print(PAGE + " names the machine and explains the goals that are missed: see whether that "
          "is still so")
    show_goals(rows)


def check():
    rows = read(FIGURES)
    with open(PAGE) as file:
        if file.read() != page_text(rows):
            sys.exit("%s: its tables are not those of %s" % (PAGE, FIGURES))
    if not plot.current(DRAWING, plot_script(rows)):
        sys.exit("%s is not drawn from %s" % (DRAWING, FIGURES))


if __name__ == "__main__":
    {"run": run, "page": page, "check": check}[sys.argv[1]]()

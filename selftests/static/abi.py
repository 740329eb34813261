#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""The ABI that compiled programs use must not change. Each line of abi.list has a name from
uapi/, its value, and the entry of the netlink spec with this value: an attribute and its type,
a constant, a structure and its size, or an operation. Lines are added to the list, never changed.
Run from the top of the tree; prints TAP."""
import os
import re
import subprocess
import sys
import yaml

HEADERS = ["linux/seen.h", "linux/netfilter/xt_seen.h"]
SPEC = yaml.safe_load(open("Documentation/netlink/specs/seen.yaml"))
LIST = os.path.join(os.path.dirname(__file__), "abi.list")
FROZEN = [line.rstrip("\n").split("\t") for line in open(LIST)
          if not line.startswith("#")]
count = failed = 0


def check(what, problems):
    global count, failed
    count += 1
    failed += bool(problems)
    print("%sok %d - %s" % ("not " if problems else "", count, what))
    for problem in problems:
        print("# " + problem)


def true_for(cc, bits):
    """Compiles each line as an assertion. The line number of an error names the entry."""
    source = ["#include <%s>" % h for h in HEADERS]
    for name, value, _ in FROZEN:
        same = "!__builtin_strcmp(%s, %s)" if value[0] == '"' else "%s == %s"
        source.append('_Static_assert(%s, "");' % (same % (name, value)))
    multiarch = subprocess.run(["gcc", "-print-multiarch"], text=True,
                               capture_output=True).stdout.strip()
    run = subprocess.run(
        [cc, "-m%d" % bits, "-Iuapi", "-I/usr/include/" + multiarch, "-x", "c",
         "-fsyntax-only", "-ferror-limit=0", "-"],
        input="\n".join(source), text=True, capture_output=True)
    wrong = {int(n) for n in re.findall(r"<stdin>:(\d+):\d+: error", run.stderr)}
    if run.returncode and not wrong:
        return run.stderr.splitlines()
    return ["not %s any more: %s" % (FROZEN[n - len(HEADERS) - 1][1],
                                     FROZEN[n - len(HEADERS) - 1][0])
            for n in sorted(wrong)]


def numbered(entries, first):
    """Numbers entries as ynl does: an entry without a number follows the previous one."""
    number = first - 1
    for entry in entries:
        entry = entry if isinstance(entry, dict) else {"name": entry}
        number = entry.get("value", number + 1)
        yield number, entry


def defined(kind):
    return [d for d in SPEC["definitions"] if d["type"] == kind]


def size(member):
    """The bytes of a struct's member."""
    return member["len"] if "len" in member else int(member["type"][1:]) // 8


def spec_numbers():
    """The numbers in the spec, keyed as in the third column of abi.list."""
    told = {}
    for const in defined("const"):
        told["const " + const["name"]] = const["value"]
    for struct in defined("struct"):
        told["struct " + struct["name"]] = sum(size(m) for m in struct["members"])
    for enum in defined("enum"):
        for n, entry in numbered(enum["entries"], enum.get("value-start", 0)):
            told["enum %s %s" % (enum["name"], entry["name"])] = n
    for group in SPEC["attribute-sets"]:
        for n, entry in numbered(group["attributes"], 1):
            told["%s %s %s" % (group["name"], entry["name"], entry["type"])] = n
    for n, entry in numbered(SPEC["operations"]["list"], 1):
        told["operation " + entry["name"]] = n
    told["family " + SPEC["name"]] = '"%s"' % SPEC["name"]
    for group in SPEC["mcast-groups"]["list"]:
        told["group " + group["name"]] = '"%s"' % group["name"]
    return told


def names():
    """Every name that the headers define, except the last one of each enum, which moves."""
    for header in HEADERS:
        text = open("uapi/" + header).read()
        yield from re.findall(r"^#define (SEEN_\w+)\s+\S", text, re.M)
        for body in re.findall(r"^enum \w+ \{(.*?)^\};", text, re.S | re.M):
            yield from (n for n in re.findall(r"^\t((?:XT_)?SEEN_\w+)", body, re.M)
                        if not n.endswith("_MAX") and n != "XT_SEEN_FLAGS")


print("TAP version 13")
print("1..5")
for bits in 64, 32:
    check("headers, %d bits: each line is true" % bits, true_for("clang", bits))
told = spec_numbers()
check("spec: each line is true",
      ["%s: %s, the spec has %s" % (where, value, told.get(where, "none"))
       for _, value, where in FROZEN
       if where != "-" and str(told.get(where)) != value])
listed = [name for name, _, _ in FROZEN]
check("each name in the headers is in the list", [n for n in names() if n not in listed])
where = [w for _, _, w in FROZEN]
check("each entry of the spec is in the list", [w for w in told if w not in where])
sys.exit(failed > 0)

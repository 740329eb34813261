#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""libseen has a word for each attribute that a request may contain, from which it composes error
texts. Each word equals that of the spec, except the short ones below. Run from the top of the
tree; prints TAP."""
import re
import sys
import yaml

SPEC = yaml.safe_load(open("Documentation/netlink/specs/seen.yaml"))
SOURCE = open("tools/lib/attr_words.c").read()
# Attributes for which seenctl has a shorter word than the spec.
SHORT = {
    ("filter", "fp-bits"): "bits",
    ("filter", "first"): "range",
    ("key", "entry"): "keys",
    ("key", "packed"): "keys",
    ("key", "if-new"): "new",
    ("guard", "block-first-ns"): "block-first",
    ("guard", "block-max-ns"): "block-max",
    ("trail", "most"): "max",
    ("port", "guard-id"): "id",
    ("port", "guard-kind"): "kind",
    ("port", "guard-dev"): "dev",
    ("port", "guard-hook"): "hook",
}
SETS = {s["name"]: {a["name"]: a for a in s["attributes"]}
        for s in SPEC["attribute-sets"]}
ROW = re.compile(r'\[SEEN_A_([A-Z]+)_([A-Z0-9_]+)\]\s*=\s*\{ "([a-z0-9-]+)"(.*?)\}')
count = failed = 0


def check(what, problems):
    global count, failed
    count += 1
    failed += bool(problems)
    print("%sok %d - %s" % ("not " if problems else "", count, what))
    for problem in problems:
        print("# " + problem)


def spec_words():
    """(set, attribute) of all requests and of their nests."""
    left = [(op["attribute-set"], name) for op in SPEC["operations"]["list"]
            for way in ("do", "dump")
            for name in op.get(way, {}).get("request", {}).get("attributes", [])]
    found = set()
    while left:
        where = left.pop()
        if where in found:
            continue
        found.add(where)
        inner = SETS[where[0]][where[1]].get("nested-attributes")
        left += [(inner, name) for name in SETS.get(inner, ())]
    return found


words = {}
for group, name, word, more in ROW.findall(SOURCE):
    where = group.lower(), name.lower().replace("_", "-")
    words[where] = word
wanted = spec_words()
# These occur in replies only, although their nests are in requests, too.
wanted -= {("entry", "result"), ("trail", "pad")}

print("TAP version 13")
print("1..3")
check("each attribute of a request has a word",
      ["%s %s" % w for w in sorted(wanted - set(words))])
check("no other attribute has a word", ["%s %s" % w for w in sorted(set(words) - wanted)])
check("the word is that of the spec, or seenctl's own",
      ["%s %s: %s" % (*w, words[w]) for w in sorted(wanted & set(words))
       if words[w] != SHORT.get(w, w[1])])
sys.exit(failed > 0)

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Is every constant of the netlink ABI in the YAML spec, with its value and in
its order, and in Documentation/netlink.md? Run from the top of the tree; TAP."""
import re
import sys
import yaml

HEADER = open("uapi/linux/seen.h").read()
SPEC = yaml.safe_load(open("Documentation/netlink/specs/seen.yaml"))
MANUAL = open("Documentation/netlink.md").read()

# enum in the header, prefix, attribute set or enum of the spec
ATTRIBUTES = [
    ("seen_a_filter", "SEEN_A_FILTER_", "filter"),
    ("seen_a_stats", "SEEN_A_STATS_", "stats"),
    ("seen_a_field", "SEEN_A_FIELD_", "field"),
    ("seen_a_key", "SEEN_A_KEY_", "key"),
    ("seen_a_entry", "SEEN_A_ENTRY_", "entry"),
    ("seen_a_guard", "SEEN_A_GUARD_", "guard"),
    ("seen_a_range", "SEEN_A_RANGE_", "range"),
    ("seen_a_prefix", "SEEN_A_PREFIX_", "prefix"),
    ("seen_a_port", "SEEN_A_PORT_", "port"),
    ("seen_a_dup", "SEEN_A_DUP_", "dup"),
    ("seen_a_finding", "SEEN_A_FINDING_", "finding"),
    ("seen_a_event", "SEEN_A_EVENT_", "event"),
]
ENUMS = [
    ("seen_type", "SEEN_TYPE_", "type"),
    ("seen_layout", "SEEN_LAYOUT_", "layout"),
    ("seen_on_full", "SEEN_ON_FULL_", "on-full"),
    ("seen_field", "SEEN_FIELD_", "field"),
    ("seen_key_profile", "SEEN_KEY_PROFILE_", "key-profile"),
    ("seen_key_result", "SEEN_KEY_RESULT_", "key-result"),
    ("seen_guard_kind", "SEEN_GUARD_KIND_", "guard-kind"),
    ("seen_hook", "SEEN_HOOK_", "hook"),
    ("seen_guard_profile", "SEEN_GUARD_PROFILE_", "guard-profile"),
    ("seen_match", "SEEN_MATCH_", "match"),
    ("seen_verdict", "SEEN_VERDICT_", "verdict"),
    ("seen_action", "SEEN_ACTION_", "action"),
    ("seen_guard_state", "SEEN_GUARD_STATE_", "guard-state"),
    ("seen_alarm", "SEEN_ALARM_", "alarm"),
    ("seen_change", "SEEN_CHANGE_", "change"),
    ("seen_finding_kind", "SEEN_FINDING_KIND_", "finding-kind"),
]
count = failed = 0


def constants(enum, prefix):
    """The names of an enum in order, as the spec writes them."""
    body = re.search(r"enum %s \{(.*?)\n\};" % enum, HEADER, re.S).group(1)
    names = re.findall(r"^\t(%s\w+)" % prefix, body, re.M)
    names = [n for n in names if not n.endswith("_MAX")]
    return [n[len(prefix):].lower().replace("_", "-") for n in names]


def check(what, problems):
    global count, failed
    count += 1
    failed += bool(problems)
    print("%sok %d - %s" % ("not " if problems else "", count, what))
    for problem in problems:
        print("# " + problem)


def unmentioned(names):
    """Names that the manual lacks. It has them in back quotes, maybe with an ellipsis."""
    told = set(re.findall(r"`(?:SEEN_[A-Z_]*?)?…?_?([A-Z][A-Z0-9_]*)`", MANUAL))
    told |= {w for t in re.findall(r"`(SEEN_\w+)`", MANUAL)
             for w in (t.split("_", k)[-1] for k in range(1, 6))}
    return [n for n in names if n.upper().replace("-", "_") not in told]


def compare(header, spec):
    return [] if header == spec else ["header: %s" % header, "spec: %s" % spec]


print("TAP version 13")
print("1..%d" % (2 * len(ATTRIBUTES) + 2 * len(ENUMS) + 2))
sets = {s["name"]: [a["name"] for a in s["attributes"]]
        for s in SPEC["attribute-sets"]}
enums = {d["name"]: d["entries"] for d in SPEC["definitions"] if d["type"] == "enum"}
for enum, prefix, name in ATTRIBUTES:
    names = [n for n in constants(enum, prefix) if n != "unspec"]
    check("attributes of %s: spec" % name, compare(names, sets[name]))
    check("attributes of %s: manual" % name, unmentioned(names))
for enum, prefix, name in ENUMS:
    names = constants(enum, prefix)
    check("values of %s: spec" % name, compare(names, enums[name]))
    check("values of %s: manual" % name,
          unmentioned([n for n in names if n != "unspec"]))
commands = constants("seen_cmd", "SEEN_CMD_")
listed = {o["name"]: o["value"] for o in SPEC["operations"]["list"]}
check("commands: spec", compare(
    {n: i for i, n in enumerate(commands) if n != "unspec"}, listed))
check("commands: manual", unmentioned([n for n in commands if n != "unspec"]))
sys.exit(failed > 0)

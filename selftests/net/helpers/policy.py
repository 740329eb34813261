#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Compares the kernel's policy of the family with the spec.

    policy.py taken     prints commands that accept more or fewer attributes than the spec says
    policy.py ranges    prints attributes whose type or range differs
    policy.py commands  prints how many commands of the spec have a policy
    policy.py dumps     prints attributes that a dump accepts but its policy lacks, or vice versa
"""
import os
import struct
import sys

from spec import SPEC, requests

CTRL_CMD_GETPOLICY, CTRL_ATTR_FAMILY_NAME = 10, 2
# Before Linux 6.2 a dump had the policy of the request for one object.
SPLIT = tuple(map(int, os.uname().release.split(".")[:2])) >= (6, 2)
CTRL_ATTR_POLICY, CTRL_ATTR_OP_POLICY, DO, DUMP = 8, 9, 1, 2
TYPES = {1: "flag", 2: "u8", 3: "u16", 4: "u32", 5: "u64", 8: "s32", 10: "binary",
         12: "string", 13: "nest"}
TYPE, MIN_U, MAX_U, MIN_LENGTH, MAX_LENGTH, INDEX = 1, 4, 5, 6, 7, 8
SETS = {s["name"]: s["attributes"] for s in SPEC["attribute-sets"]}
ENUMS = {d["name"]: d["entries"] for d in SPEC["definitions"] if d["type"] == "enum"}
# One set for addresses and keys of several lengths: a nest may allow fewer.
NARROWER = {"prefix", "entry"}


def numbers(found):
    """Of an attribute of a policy: by enum netlink_policy_type_attr."""
    return {n: int.from_bytes(v, sys.byteorder) for n, v in found.items() if len(v) in (4, 8)}


def read(kernel):
    """{command: {DO, DUMP: index}}, {index: {attribute: numbers}}"""
    kernel.send(requests.GENL_ID_CTRL, CTRL_CMD_GETPOLICY,
                requests.attribute(CTRL_ATTR_FAMILY_NAME, b"seen\0"),
                requests.NLM_F_REQUEST | requests.NLM_F_DUMP)
    commands, policies = {}, {}
    for kind, _, payload in kernel.messages():
        if kind != requests.GENL_ID_CTRL:
            continue
        told = requests.attributes(payload[4:])
        for number, nest in requests.attributes(told.get(CTRL_ATTR_OP_POLICY, b"")).items():
            commands[number] = numbers(requests.attributes(nest))
        for index, nest in requests.attributes(told.get(CTRL_ATTR_POLICY, b"")).items():
            for number, attr in requests.attributes(nest).items():
                policies.setdefault(index, {})[number] = numbers(requests.attributes(attr))
    return commands, policies


def limits(attr):
    """The range of a value, or of a length, by the spec."""
    checks = attr.get("checks", {})
    if "enum" in attr:
        return 1, len(ENUMS[attr["enum"]]) - 1
    if attr["type"] in ("u8", "u16", "u32", "u64"):
        return checks.get("min", 0), checks.get("max", (1 << int(attr["type"][1:])) - 1)
    exact = checks.get("exact-len")
    return checks.get("min-len", exact or 0), checks.get("max-len", exact)


def differs(attr, told, narrower):
    """The part of an attribute's policy that the spec does not have."""
    kind = TYPES.get(told[TYPE])
    if kind != attr["type"]:
        return "is %s" % kind
    if kind in ("flag", "nest", "s32"):
        return None
    values = kind[0] == "u"
    least = told.get(MIN_U if values else MIN_LENGTH, 0)
    most = told.get(MAX_U if values else MAX_LENGTH)
    want = limits(attr)
    if (least, most) == want:
        return None
    if narrower and least >= want[0] and (want[1] is None or most <= want[1]):
        return None
    return "is %s to %s, not %s to %s" % (least, most, *want)


def named(name):
    """Of a set: {number: attribute}"""
    return dict(enumerate(SETS[name], 1))


def ranges(policies, index, name, seen):
    """The attributes of a policy, and of the nests in it, that the spec has another way."""
    if (index, name) in seen:
        return
    seen.add((index, name))
    for number, told in policies.get(index, {}).items():
        attr = named(name)[number]
        problem = differs(attr, told, name in NARROWER)
        if problem:
            yield "%s %s %s" % (name, attr["name"], problem)
        if attr["type"] == "nest":
            yield from ranges(policies, told[INDEX], attr["nested-attributes"], seen)


UNKNOWN = {"Unsupported attribute", "Unknown attribute type",
           "dump: takes no attributes; omit them"}


def accepts(kernel, command, number, attr):
    """Does this dump take the attribute, if perhaps not its value?"""
    value = b"x\0" if attr["type"] == "string" else struct.pack("=I", 1)
    _, *words = kernel.ask(command, requests.attribute(number, value), [],
                               requests.NLM_F_DUMP)
    return words[0] not in UNKNOWN


def wanted(op, way):
    """The attributes that the spec permits in a request."""
    part = op["dump"] if way == DUMP and (SPLIT or "do" not in op) else op["do"]
    return set(part.get("request", {}).get("attributes", []))


def main():
    kernel = requests.Kernel()
    commands, policies = read(kernel)
    ops = {op["value"]: op for op in SPEC["operations"]["list"] if op["value"] in commands}
    seen = set()
    if sys.argv[1] == "commands":
        asked = [op for op in SPEC["operations"]["list"] if "event" not in op]
        print("%d of %d" % (len(ops), len(asked)))
    for number, ways in commands.items():
        op = ops[number]
        for way, index in ways.items():
            want = wanted(op, way)
            names = named(op["attribute-set"])
            got = {names[n]["name"] for n in policies.get(index, {})}
            if sys.argv[1] == "dumps" and way == DUMP:
                took = {attr["name"] for n, attr in names.items()
                        if accepts(kernel, number, n, attr)}
                print(op["name"], *sorted((got ^ took) if SPLIT or "do" not in op else took))
            if sys.argv[1] == "taken" and got != want:
                print(op["name"], *sorted(got ^ want))
            if sys.argv[1] == "ranges":
                for line in ranges(policies, index, op["attribute-set"], seen):
                    print(op["name"], line)


main()

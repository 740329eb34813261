#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Adds a guard on the bridge br0 with all lists full, and dumps it. Prints how many entries the
dump has of each list, and whether its other attributes equal those of a GUARD_GET."""
import collections
import importlib.util
import os
import struct

folder = os.path.dirname(os.path.abspath(__file__))
location = importlib.util.spec_from_file_location(
    "requests", os.path.join(folder, "..", "requests.py"))
requests = importlib.util.module_from_spec(location)
location.loader.exec_module(requests)
NAMES = requests.ATTRIBUTES["GUARD"]
GET = requests.COMMANDS.index("GUARD_GET")
PLACE = ["KIND=u32:2", "DEV=str:br0"]
PREFIX = "%s=nest:ADDRESS=hex:%s,LEN=u8:%d"


def lists():
    """Entries that cannot be merged."""
    for i in range(64):
        yield "PROTECT=str:a-port-named-%02d" % i
    for i in range(16):
        yield PREFIX % ("EXEMPT", "0180c20001%02x" % i, 48)
        yield "UDP=nest:FIRST=u16:%d,LAST=u16:%d" % (10 * i + 1, 10 * i + 5)
        for name in "SRC", "DST":
            yield PREFIX % (name, "20010db8%024x" % (16 * i), 128)


def body(words):
    return b"".join(requests.build(NAMES, word) for word in words)


def guards(kernel, more=0):
    """The guards in the answer, each a list of (attribute, bytes)."""
    kernel.send(kernel.family, GET, b"" if more else body(PLACE),
                requests.NLM_F_REQUEST | requests.NLM_F_ACK | more)
    for kind, _, payload in kernel.messages():
        if kind == kernel.family:
            yield list(pairs(payload[4:]))


def pairs(data):
    while len(data) >= 4:
        size, number = struct.unpack_from("=HH", data)
        yield NAMES[number & 0x3fff], data[4:size]
        data = data[size + -size % 4:]


class Fresh(requests.Kernel):
    """Its first part of a dump is as short as can be: nothing was received before."""
    def resolve(self, name):
        return FAMILY


kernel = requests.Kernel()
FAMILY = kernel.family
add = ["PROFILE=u32:1", *PLACE, *lists()]
added = kernel.ask(requests.COMMANDS.index("GUARD_ADD"), body(add), NAMES)
dumped = list(guards(Fresh(), requests.NLM_F_DUMP))
print(*[word for word in added if word])
for guard in dumped:
    counts = collections.Counter(name for name, _ in guard)
    print(*["%s %d" % (n.lower(), counts[n]) for n in
            ("PROTECT", "EXEMPT", "UDP", "SRC", "DST")])
print("whole" if dumped == list(guards(kernel)) else "differs")

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""An export and an import consist of several requests, each with its own attributes. Sends
each request with each attribute of its command, in a namespace with the bloom filter "a".

    modes.py ignored   prints attributes that a request does not use, but accepts
    modes.py refused   prints attributes that a request uses, but refuses as unused
    modes.py unnamed   prints refusals that name the wrong attribute
    modes.py tried     prints how many unused attributes were sent
"""
import errno
import re
import struct
import sys

from spec import SPEC, requests

NAMES = requests.ATTRIBUTES["FILTER"]
TYPES = {a["name"]: a for s in SPEC["attribute-sets"] if s["name"] == "filter"
         for a in s["attributes"]}
# What begins neither an import nor an export.
LATER = {"COOKIE", "FROM", "DATA", "TOP_KEY", "COMMIT", "TOTAL"}
# Words of seenctl for two attributes; the others are those of the spec.
WORDS = {"FP_BITS": "bits", "FIRST": "range"}
NLMSGERR_ATTR_OFFS = 2


def spec_name(name):
    return name.lower().replace("_", "-")


def given(command):
    """The attributes of the command, in any of its requests."""
    for op in SPEC["operations"]["list"]:
        if op["name"] == spec_name(command):
            return {n.upper().replace("-", "_") for n in op["do"]["request"]["attributes"]}


IMPORT = given("FILTER_IMPORT")
MODES = {
    ("FILTER_EXPORT", "begin"): {"NAME", "ID", "WITH_SECRET"},
    ("FILTER_EXPORT", "chunk"): {"NAME", "ID", "COOKIE", "FROM"},
    ("FILTER_IMPORT", "begin"): IMPORT - LATER,
    ("FILTER_IMPORT", "chunk"): {"COOKIE", "FROM", "DATA"},
    ("FILTER_IMPORT", "top"): {"COOKIE", "TOP_KEY"},
    ("FILTER_IMPORT", "commit"): {"COOKIE", "COMMIT", "TOTAL"},
    ("FILTER_IMPORT", "abort"): {"COOKIE"},
}
# Attributes that turn a request into one of another mode.
TURNS = {
    ("FILTER_EXPORT", "begin"): {"COOKIE"},
    ("FILTER_IMPORT", "begin"): {"COOKIE"},
    ("FILTER_IMPORT", "chunk"): {"COMMIT"},
    ("FILTER_IMPORT", "top"): {"COMMIT", "FROM", "DATA"},
    ("FILTER_IMPORT", "abort"): {"COMMIT", "FROM", "DATA", "TOP_KEY"},
}


def attribute(name, payload):
    nested = TYPES[spec_name(name)]["type"] == "nest" and requests.NLA_F_NESTED
    return requests.attribute(NAMES.index(name) | nested, payload)


def number(name, value):
    kind = TYPES[spec_name(name)]["type"]
    return attribute(name, struct.pack(requests.NUMBERS[kind], value))


def any_value(name):
    """An attribute within its range."""
    attr = TYPES[spec_name(name)]
    checks = attr.get("checks", {})
    if attr["type"] in requests.NUMBERS:
        return number(name, 1 if "enum" in attr else checks.get("min", 1))
    return attribute(name, {"string": b"a\0", "flag": b"", "nest": b"",
                            "binary": bytes(checks.get("exact-len", 1))}[attr["type"]])


class Transfer:
    """Of the filter "a", by one socket."""

    def __init__(self):
        self.kernel = requests.Kernel()
        self.exported = self.head("FILTER_EXPORT", attribute("NAME", b"a\0") +
                                  attribute("WITH_SECRET", b""))
        self.like = b"".join(attribute(NAMES[number], value)
                             for number, value in self.exported.items()
                             if NAMES[number] in IMPORT - LATER - {"NAME", "ID"})

    def ask(self, command, body):
        """The error, its text, the place of the attribute, the reply's attributes."""
        self.kernel.send(self.kernel.family, requests.COMMANDS.index(command), body)
        found = {}
        for kind, flags, payload in self.kernel.messages():
            if kind == self.kernel.family:
                found = requests.attributes(payload[4:])
        told = requests.texts(kind, flags, payload)
        error = -struct.unpack_from("=i", payload)[0]
        at = told.get(NLMSGERR_ATTR_OFFS)
        return (error, told.get(1, b"").rstrip(b"\0 ").decode(),
                struct.unpack("=I", at)[0] - requests.HEADERS if at else None, found)

    def head(self, command, body):
        error, text, _, found = self.ask(command, body)
        if error:
            sys.exit("%s: %s %s" % (command, errno.errorcode[error], text))
        return found

    def base(self, command, mode):
        """A request of that mode, without what may be missing."""
        if command == "FILTER_EXPORT":
            more = attribute("COOKIE", self.exported[NAMES.index("COOKIE")]) + \
                number("FROM", 0)
            return attribute("NAME", b"a\0") + (more if mode == "chunk" else b"")
        if mode == "begin":
            return attribute("NAME", b"b\0") + self.like
        begun = self.head(command, self.base(command, "begin"))
        more = {"chunk": number("FROM", 0) + any_value("DATA"), "top": any_value("TOP_KEY"),
                "commit": any_value("COMMIT"), "abort": b""}
        return attribute("COOKIE", begun[NAMES.index("COOKIE")]) + more[mode]


def trials():
    """Each attribute in each mode: what, is it another's, the answer, where it stood."""
    transfer = Transfer()
    for (command, mode), own in MODES.items():
        for name in sorted(given(command) - TURNS.get((command, mode), set())):
            body = transfer.base(command, mode)
            answer = transfer.ask(command, body + any_value(name))
            yield "%s %s: %s" % (command, mode, name), name, name not in own, answer, len(body)


def main():
    count = 0
    for what, name, foreign, (error, said, at, _), place in trials():
        count += foreign
        words = WORDS.get(name, spec_name(name))
        # An attribute that is only for another type of filter is refused in the same form.
        only = error == errno.EINVAL and \
            bool(re.match(words + ": only (with|to begin) ", said))
        if sys.argv[1] == "ignored" and foreign and not only:
            print(what, error, said)
        if sys.argv[1] == "refused" and not foreign and only:
            print(what, said)
        if sys.argv[1] == "unnamed" and foreign and only and at != place:
            print(what, at, place)
    if sys.argv[1] == "tried":
        print(count)


main()

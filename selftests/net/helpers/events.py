#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""events.py: receives the events of this namespace, and checks each by the spec: its
attributes, their lengths and ranges, and the required attributes. Prints "ready", a line
for each fault, and the number of received events at SIGTERM. Events that the kernel dropped
because the socket was full are not counted."""
import errno
import signal
import struct
import sys

from spec import SPEC, requests

CTRL_ATTR_MCAST_GROUPS, CTRL_ATTR_MCAST_GRP_ID = 7, 2
NETLINK_ADD_MEMBERSHIP, SO_RCVBUFFORCE, RECEIVE_BYTES = 1, 33, 1 << 24
SETS = {s["name"]: dict(enumerate(s["attributes"], 1)) for s in SPEC["attribute-sets"]}
ENUMS = {d["name"]: d["entries"] for d in SPEC["definitions"] if d["type"] == "enum"}
EVENTS = {op["value"]: op for op in SPEC["operations"]["list"] if "event" in op}
BYTES = {"flag": 0, "u8": 1, "u16": 2, "u32": 4, "u64": 8, "s32": 4, "pad": 0}


def attributes(data):
    """Pairs of number and value; all of the bytes must be theirs."""
    while data:
        size, number = struct.unpack_from("=HH", data)
        if not 4 <= size <= len(data):
            raise ValueError("%u bytes at the end" % len(data))
        yield number & ~requests.NLA_F_NESTED, data[4:size]
        data = data[size + -size % 4:]


def fault(attr, value):
    """The fault of an attribute's value, or None. The attribute is not a nest."""
    kind, checks = attr["type"], attr.get("checks", {})
    if kind in BYTES:
        if len(value) != BYTES[kind]:
            return "has %u bytes" % len(value)
        number = int.from_bytes(value, sys.byteorder)
        least, most = checks.get("min", 0), checks.get("max", 1 << 64)
        if "enum" in attr:
            least, most = 1, len(ENUMS[attr["enum"]]) - 1
        return None if kind in ("s32", "flag", "pad") or least <= number <= most else \
            "is %u" % number
    if kind == "string" and value.find(b"\0") != len(value) - 1:
        return "is %s" % value
    length = len(value) - (kind == "string")
    exact = checks.get("exact-len", length)
    if length != exact or not checks.get("min-len", 0) <= length <= checks.get("max-len", length):
        return "has %u bytes" % length
    return None


def parse(name, data):
    """{attribute: value, or the same of a nest}"""
    found = {}
    for number, value in attributes(data):
        attr = SETS[name].get(number)
        if not attr:
            raise ValueError("%s has attribute %u" % (name, number))
        if attr["type"] == "nest":
            value = parse(attr["nested-attributes"], value)
        elif fault(attr, value):
            raise ValueError("%s %s %s" % (name, attr["name"], fault(attr, value)))
        found[attr["name"]] = value
    return found


def require(where, found, *names):
    missing = set(names) - set(found)
    if missing:
        raise ValueError("%s without %s" % (where, sorted(missing)))


def check(payload):
    op = EVENTS[payload[0]]
    found = parse("event", payload[4:])
    change, is_filter = op["name"].endswith("-change-ntf"), op["name"].startswith("filter-")
    require(op["name"], found, "time", *["change"] * change)
    whole = ["users", "rules", "unanswered"] if is_filter else []
    if is_filter or op["name"].startswith(("missing", "unused")):
        require(op["name"], found, "filter")
    if "filter" in found:
        require(op["name"], found["filter"], "name", *whole)
        if ("id" in found["filter"]) == ("missing" in found["filter"]):
            raise ValueError(op["name"] + ": one of id and missing")
    if op["name"].startswith("guard-"):
        require(op["name"], found, "guard")
        require(op["name"], found["guard"], "filter", "filter-id", "state", "ifindex")
    if "guard" in found:
        require(op["name"], found["guard"], "id", "kind", "dev", "hook")


def group(kernel):
    """The number of the family's only multicast group."""
    kernel.send(requests.GENL_ID_CTRL, requests.CTRL_CMD_GETFAMILY,
                requests.attribute(requests.CTRL_ATTR_NAME, b"seen\0"))
    for kind, _, payload in kernel.messages():
        if kind == requests.GENL_ID_CTRL:
            groups = dict(attributes(payload[4:]))[CTRL_ATTR_MCAST_GROUPS]
            only = dict(attributes(dict(attributes(groups))[1]))
            found = struct.unpack("=I", only[CTRL_ATTR_MCAST_GRP_ID])[0]
    return found


def hear(sock):
    """Payloads of events, until the process is terminated."""
    while True:
        try:
            data = sock.recv(1 << 17)
        except OSError as error:
            if error.errno != errno.ENOBUFS:
                raise
            continue
        yield data[16:]


def main():
    kernel, count = requests.Kernel(), 0
    number = group(kernel)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(print("heard", count, flush=True)))
    # A tenant has what the machine allows.
    try:
        kernel.sock.setsockopt(1, SO_RCVBUFFORCE, RECEIVE_BYTES)
    except PermissionError:
        pass
    kernel.sock.setsockopt(requests.SOL_NETLINK, NETLINK_ADD_MEMBERSHIP, number)
    print("ready", flush=True)
    for payload in hear(kernel.sock):
        count += 1
        try:
            check(payload)
        except (KeyError, ValueError, struct.error) as error:
            print("fault:", EVENTS.get(payload[0], {}).get("name"), error, payload.hex(),
                  flush=True)


main()

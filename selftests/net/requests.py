#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Sends the requests on standard input, which may be malformed. Prints for each
request the kernel's errno, its text, the valid range of the refused attribute, and
the missing attribute.

    [dump | flags=N] COMMAND [ATTRIBUTE=TYPE:VALUE]...

flags are those of the message header, in addition to request and ack.
TYPE is u8, u16, u32, u64, s32, str (with NUL), raw (text without NUL), hex, flag, or
nest: (attributes separated by commas; + separates those of the next level).
TAIL=hex:... appends bytes after the attributes. "@NAME" as a number is the id of the
filter of that name, or of the guard on that device, or 0 if there is neither.
"""
import errno
import re
import socket
import struct
import sys

COMMANDS = """UNSPEC FILTER_ADD FILTER_DEL FILTER_GET FILTER_SET FILTER_FLUSH
FILTER_RENAME FILTER_SWAP KEY_ADD KEY_TEST KEY_DEL GUARD_ADD GUARD_DEL
GUARD_GET GUARD_SET""".split() + 18 * ["a notification"] + """ALLOW_ADD
ALLOW_DEL ALLOW_GET KEY_COUNT TOP_GET FILTER_MERGE FILTER_FOLD
FILTER_EXPORT FILTER_IMPORT PROBED_NTF PORT_GET FILTER_CHANGE_NTF GUARD_CHANGE_NTF
FEED_ADD FEED_DEL FEED_GET HASH_ADD HASH_DEL""".split()
ATTRIBUTES = {
    "FILTER": """UNSPEC PAD NAME NEW_NAME TYPE LAYOUT CAPACITY FPP FP_BITS
        WINDOW REFRESH ON_FULL SECRET KEY PROFILE ID HASHES BLOCKS
        TICK BYTES ENTRIES USED ROOM EFFECTIVE USERS GUARD_OWNED KEY_LEN STATS
        FULL RULES MISSING UNANSWERED ALLOWED INNER FIRST THRESHOLD
        CONSERVATIVE TOP ALLOW_MAP FOLD TOTAL TICKS COOKIE FROM NEXT DATA AGE
        WITH_SECRET SECRET_CHECK COMMIT REPLACE FORCE SPAN UNIT
        VXLAN_PORT RESET TOP_KEY LENGTHS4 LENGTHS6 NEW_ID ALLOW_MAP_ID
        UNFIT_RULES FEED TABLE_ID""".split(),
    "FEED": """UNSPEC PAD FILTER FILTER_ID RECORDS STALE DONE BATCH DATA LOST PENDING
        AGE RESULTS TOTAL IS_STALE""".split(),
    "KEY": """UNSPEC PAD FILTER FILTER_ID ENTRY PACKED IF_NEW DONE FAILED NEW
        STALE""".split(),
    "ENTRY": "UNSPEC KEY VALUE RESULT".split(),
    "GUARD": """UNSPEC PAD KIND DEV HOOK FILTER PROFILE MATCH VERDICT ACTION
        MARK PRIORITY NO_BLOCK PROTECT PAUSED ALL STATE IFINDEX SAME_NS
        OTHER_NS UDP SRC DST STORM MARK_VALUE REPEAT NO_PROBE EXEMPT
        FINDING SUSPECT BLOCK_FIRST_NS BLOCK_MAX_NS RESET ID FILTER_ID
        REPLACE TRAIL""".split(),
    "PORT": """UNSPEC PAD NAME IFINDEX SELF PROTECTED SUSPENDED GRO OFFLOADED JUDGED
        NEW REPEAT DUP_SAME DUP_OTHER EXEMPT NOKEY GRO_SKIPPED OVER_BUDGET FULL
        DROPPED MARKED BLOCKED_IN BLOCKED_OUT BLOCKS BLOCKED_SINCE
        BLOCKED_UNTIL LAST BUDGET STALE ALLOWED WOULD_DROP WOULD_BLOCK ALARM
        RATE PEAK HIT REFUSED UNRECORDED LAST_OTHER PEER GUARD_ID GUARD_KIND
        GUARD_DEV GUARD_HOOK TRAIL_ADDED TRAIL_NONE TRAIL_STRIKE TRAIL_LOOP
        TRAIL_STRIPPED TRAIL_WITHHELD""".split(),
    "FIELD": "UNSPEC ENTRY ID PARAM PARAM6".split(),
    "RANGE": "UNSPEC FIRST LAST".split(),
    "PREFIX": "UNSPEC ADDRESS LEN".split(),
    "TRAIL": "UNSPEC PAD MODE BITS MOST NODE AUTH PORT".split(),
    "ROLE": "UNSPEC NAME SEGMENT".split(),
}
# The attributes of each nest. A nest that is not listed is an entry in requests for keys, else a
# field of a key.
NESTS = {"UDP": "RANGE", "SRC": "PREFIX", "DST": "PREFIX", "EXEMPT": "PREFIX",
         "TOP_KEY": "ENTRY", "TRAIL": "TRAIL", "PORT": "ROLE"}
ATTRIBUTES["ALLOW"] = ATTRIBUTES["TOP"] = ATTRIBUTES["KEY"]
ATTRIBUTES["HASH"] = ATTRIBUTES["FEED"]
NUMBERS = {"u8": "=B", "u16": "=H", "u32": "=I", "u64": "=Q", "s32": "=i"}
GENL_ID_CTRL, CTRL_CMD_GETFAMILY, CTRL_ATTR_NAME, CTRL_ATTR_ID = 16, 3, 2, 1
NLM_F_REQUEST, NLM_F_ACK, NLM_F_ACK_TLVS, NLM_F_CAPPED = 1, 4, 0x200, 0x100
NLM_F_DUMP = 0x300
NLMSG_ERROR, NLMSG_DONE, NLA_F_NESTED = 2, 3, 0x8000
NLMSGERR_ATTR_MSG, NLMSGERR_ATTR_POLICY = 1, 4
NLMSGERR_ATTR_MISS_TYPE, NLMSGERR_ATTR_MISS_NEST = 5, 6
# NL_POLICY_TYPE_ATTR_{MIN,MAX}_VALUE_{S,U}, ..._{MIN,MAX}_LENGTH
RANGES = ((2, 3, "=q"), (4, 5, "=Q"), (6, 7, "=I"))
HEADERS = 20
SOL_NETLINK, NETLINK_CAP_ACK, NETLINK_EXT_ACK = 270, 10, 11


def attribute(number, payload):
    size = 4 + len(payload)
    return struct.pack("=HH", size, number) + payload + bytes(-size % 4)


def number_of(names, word):
    return int(word) if word.isdigit() else names.index(word)


def inside(names, nest):
    """The attributes of a nest that is among attributes of these names."""
    own = "ENTRY" if names is ATTRIBUTES["KEY"] else "FIELD"
    return ATTRIBUTES[NESTS.get(nest, own)]


def build(names, word, comma=","):
    """The bytes of one ATTRIBUTE=TYPE:VALUE."""
    name, _, rest = word.partition("=")
    kind, _, value = rest.partition(":")
    if name == "TAIL":
        return bytes.fromhex(value)
    number = number_of(names, name)
    if kind in NUMBERS:
        payload = struct.pack(NUMBERS[kind], int(value, 0))
    elif kind == "nest":
        number |= NLA_F_NESTED
        inner = value.split(comma) if value else []
        payload = b"".join(build(inside(names, name), w, "+") for w in inner)
    elif kind == "hex":
        payload = bytes.fromhex(value)
    else:
        payload = value.encode() + (b"\0" if kind == "str" else b"")
    return attribute(number, payload)


class Kernel:
    def __init__(self, port_id=0):
        self.sock = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 16)
        self.sock.bind((port_id, 0))
        for option in NETLINK_CAP_ACK, NETLINK_EXT_ACK:
            self.sock.setsockopt(SOL_NETLINK, option, 1)
        self.sequence = 0
        self.family = self.resolve("seen")

    def send(self, family, command, body, flags=NLM_F_REQUEST | NLM_F_ACK):
        self.sequence += 1
        payload = struct.pack("=BBH", command, 1, 0) + body
        self.sock.send(struct.pack("=IHHII", 16 + len(payload), family, flags,
                                   self.sequence, 0) + payload)

    def messages(self):
        """(type, flags, payload) up to the acknowledgement, or a dump's end."""
        while True:
            data = self.sock.recv(1 << 20)
            while data:
                size, kind, flags = struct.unpack_from("=IHH", data)
                yield kind, flags, data[16:size]
                if kind in (NLMSG_ERROR, NLMSG_DONE):
                    return
                data = data[size + -size % 4:]

    def resolve(self, name):
        self.send(GENL_ID_CTRL, CTRL_CMD_GETFAMILY,
                  attribute(CTRL_ATTR_NAME, name.encode() + b"\0"))
        for kind, _, payload in self.messages():
            if kind == GENL_ID_CTRL:
                family = attributes(payload[4:])[CTRL_ATTR_ID]
        return struct.unpack("=H", family)[0]

    def told_id(self, command, *words):
        """The id in the answer, or 0 if it has no id."""
        names = ATTRIBUTES[command.partition("_")[0]]
        body = b"".join(build(names, word) for word in words)
        told = 0
        self.send(self.family, COMMANDS.index(command), body)
        for kind, _, payload in self.messages():
            if kind == self.family:
                number = attributes(payload[4:])[names.index("ID")]
                told = struct.unpack("=I", number)[0]
        return told

    def id_of(self, name):
        return self.told_id("FILTER_GET", "NAME=str:" + name) or \
            self.told_id("GUARD_GET", "KIND=u32:1", "DEV=str:" + name) or \
            self.told_id("GUARD_GET", "KIND=u32:2", "DEV=str:" + name)

    def ask(self, command, body, names, more=0):
        """The error's name, or "done", and the other parts of the error."""
        self.send(self.family, command, body,
                  NLM_F_REQUEST | NLM_F_ACK | more)
        for kind, flags, payload in self.messages():
            if kind in (NLMSG_ERROR, NLMSG_DONE):
                error = -struct.unpack_from("=i", payload)[0]
                told = texts(kind, flags, payload)
        return [errno.errorcode.get(error, "done"), *words(told, body, names)]


def nest_at(names, data, at):
    """The name of the nest that begins at that byte."""
    begin = 0
    while True:
        size, number = struct.unpack_from("=HH", data, begin)
        name = names[number & ~NLA_F_NESTED]
        if at == begin:
            return name
        if at < begin + size:
            return nest_at(inside(names, name), data[begin + 4:], at - begin - 4)
        begin += size + -size % 4


def words(told, body, names):
    """The parts of an error, without its number."""
    # Linux 6.1: formatted texts are padded.
    text = told.get(NLMSGERR_ATTR_MSG, b"").rstrip(b"\0").decode().rstrip()
    policy = attributes(told.get(NLMSGERR_ATTR_POLICY, b""))
    yield text
    for least, most, kind in RANGES:
        if least in policy or most in policy:
            yield "(%s to %s)" % tuple(
                struct.unpack(kind, policy[n])[0] if n in policy else "any"
                for n in (least, most))
    if NLMSGERR_ATTR_MISS_TYPE in told:
        number, = struct.unpack("=I", told[NLMSGERR_ATTR_MISS_TYPE])
        if NLMSGERR_ATTR_MISS_NEST in told:
            at, = struct.unpack("=I", told[NLMSGERR_ATTR_MISS_NEST])
            nest = nest_at(names, body, at - HEADERS)
            yield "missing %s of %s" % (inside(names, nest)[number], nest)
        else:
            yield "missing " + names[number]


def with_ids(kernel, line):
    """A request, with the numbers of the objects that it names by "@"."""
    return re.sub(r"@(\w+)", lambda name: str(kernel.id_of(name[1])), line)


def attributes(data):
    found = {}
    while len(data) >= 4:
        size, number = struct.unpack_from("=HH", data)
        found[number & 0x3fff] = data[4:size]
        data = data[size + -size % 4:]
    return found


def texts(kind, flags, payload):
    if not flags & NLM_F_ACK_TLVS:
        return {}
    skip = 20 if kind == NLMSG_ERROR else 4
    if kind == NLMSG_ERROR and not flags & NLM_F_CAPPED:
        skip += struct.unpack_from("=I", payload, 4)[0] - 16
    return attributes(payload[skip:])


def main():
    kernel = Kernel()
    for line in sys.stdin:
        words = with_ids(kernel, line).split()
        first, _, flags = words[0].partition("=")
        more = NLM_F_DUMP if first == "dump" else int(flags or "0", 0)
        command, *words = words[bool(more):]
        names = ATTRIBUTES.get(command.partition("_")[0], [])
        body = b"".join(build(names, word) for word in words)
        said = kernel.ask(number_of(COMMANDS, command), body, names, more)
        print(*[w for w in said if w], flush=True)


if __name__ == "__main__":
    main()

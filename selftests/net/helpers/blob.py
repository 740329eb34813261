#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Rules of iptables that no tool writes, in the current network namespace.

    blob.py NAME=VALUE...      sets these members of the first match "seen" in the table
                               "filter"; prints "taken", or the name of the error
    blob.py get NAME           prints the member as the kernel returns it
    blob.py random SEED COUNT  sets random bytes there, COUNT times; prints how often the
                               kernel accepted them and how often it refused with EINVAL

NAME is filter (text), op, flags, reserved, over or slot (numbers). The table is read and
written as iptables-legacy does it (IPT_SO_GET_ENTRIES).
"""
import ctypes
import errno
import random
import socket
import struct
import sys

TABLE = b"filter"
SO_SET_REPLACE = SO_GET_INFO = 64
SO_GET_ENTRIES = 65
# struct xt_entry_match before its data; struct xt_seen_info.
HEAD, INFO = 32, struct.Struct("=32sBBHIQ")
FIELDS = "filter", "op", "flags", "reserved", "over", "slot"


class Table:
    def __init__(self):
        self.sock = socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_RAW)
        info = self.get(SO_GET_INFO, struct.pack("32s52x", TABLE))
        # valid_hooks, hook_entry and underflow (10 numbers), num_entries, size
        self.hooks, *self.places, self.count, self.size = struct.unpack("=13I", info[32:])
        asked = struct.pack("32sI4x", TABLE, self.size) + bytes(self.size)
        self.entries = bytearray(self.get(SO_GET_ENTRIES, asked)[40:])
        # The match begins with its size, two bytes, and its name.
        self.at = self.entries.index(b"seen\0") - 2 + HEAD

    def get(self, option, asked):
        """getsockopt() with a buffer that also has input for the kernel."""
        buffer = ctypes.create_string_buffer(asked, len(asked))
        size = ctypes.c_uint32(len(asked))
        libc = ctypes.CDLL(None, use_errno=True)
        if libc.getsockopt(self.sock.fileno(), socket.IPPROTO_IP, option, buffer,
                           ctypes.byref(size)):
            sys.exit("blob: " + errno.errorcode[ctypes.get_errno()])
        return buffer.raw

    def info(self):
        return list(INFO.unpack_from(self.entries, self.at))

    def replace(self, info):
        """The table with that info: None, or the number of the error."""
        entries = bytearray(self.entries)
        entries[self.at:self.at + INFO.size] = info
        counters = ctypes.create_string_buffer(16 * self.count)
        head = struct.pack("=32s14IQ", TABLE, self.hooks, self.count, self.size,
                           *self.places, self.count, ctypes.addressof(counters))
        try:
            self.sock.setsockopt(socket.IPPROTO_IP, SO_SET_REPLACE,
                                 bytes(head + entries))
        except OSError as error:
            return error.errno
        return None


def once(words):
    table = Table()
    info = table.info()
    for word in words:
        name, _, value = word.partition("=")
        place = FIELDS.index(name)
        info[place] = value.encode() if name == "filter" else int(value, 0)
    error = table.replace(INFO.pack(*info))
    print(errno.errorcode[error] if error else "taken")


def at_random(seed, count):
    """A few bytes of each are others."""
    draw = random.Random(seed)
    table = Table()
    taken = refused = 0
    for _ in range(count):
        info = bytearray(INFO.pack(*table.info()))
        for _ in range(draw.randint(1, 4)):
            info[draw.randrange(len(info))] = draw.choice((0, 1, 4, 128, 255,
                                                            draw.randrange(256)))
        error = table.replace(info)
        if error not in (None, errno.EINVAL):
            sys.exit(f"blob: {errno.errorcode[error]}: {info.hex()}")
        taken += not error
        refused += bool(error)
    print(taken, refused)


def main():
    if sys.argv[1] == "get":
        print(Table().info()[FIELDS.index(sys.argv[2])])
    elif sys.argv[1] == "random":
        at_random(int(sys.argv[2]), int(sys.argv[3]))
    else:
        once(sys.argv[1:])


main()

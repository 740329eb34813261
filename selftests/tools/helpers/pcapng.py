#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""pcapng.py: writes a pcapng capture to standard output, one block per line of input

  section [big] [length]             a section header, with its length if requested
  interface LINK [WORD=VALUE...]     resol=N (if_tsresol), offset=N, snaplen=N, name=TEXT
  packet IF TIME IDENT TEXT [WORD...]    in, out, comment=TEXT, cut=N, code=N (an option),
                                     size=N (zeros after the packet, up to N bytes)
  old IF TIME IDENT TEXT             an obsolete packet block
  simple IDENT TEXT                  a simple packet block
  block TYPE TEXT                    any other block, with TEXT as its body
  raw HEX                            these bytes

LINK is a link type of capture.py. TIME is in seconds. A line that begins with "-" is skipped. So a
test can mark copies with "-": the input then describes the capture without copies.
"""

import decimal
import struct
import sys

from capture import HEADERS, LINKS, packet

WAYS = {"in": 1, "out": 2}
COOKED_TYPES = {"in": 0, "out": 4}
LINKS = {**LINKS, "cooked2": 276, "strange": 297}


class Writer:
    """Writes the blocks of a file."""

    def __init__(self, out):
        self.out, self.order, self.ports = out, "<", []

    def pack(self, form, *values):
        return struct.pack(self.order + form, *values)

    def option(self, code, value):
        return self.pack("HH", code, len(value)) + value + bytes(-len(value) % 4)

    def options(self, pairs):
        found = b"".join(self.option(code, value) for code, value in pairs)
        return found + bytes(4) if found else b""

    def block(self, kind, body):
        body += bytes(-len(body) % 4)
        size = self.pack("I", len(body) + 12)
        self.out.write(self.pack("I", kind) + size + body + size)

    def section(self, *words):
        self.order = ">" if "big" in words else "<"
        self.ports = []
        length = 4096 if "length" in words else -1
        self.block(0x0a0d0d0a, self.pack("IHHq", 0x1a2b3c4d, 1, 0, length))

    def interface(self, link, *words):
        given = dict(word.split("=", 1) for word in words)
        pairs = []
        if "name" in given:
            pairs.append((2, given["name"].encode()))
        if "resol" in given:
            pairs.append((9, bytes([int(given["resol"])])))
        if "offset" in given:
            pairs.append((14, self.pack("q", int(given["offset"]))))
        self.ports.append((link, int(given.get("resol", 6)), int(given.get("offset", 0))))
        self.block(1, self.pack("HHI", LINKS[link], 0, int(given.get("snaplen", 0))) +
                   self.options(pairs))

    def stamp(self, port, time):
        _, resolution, offset = self.ports[port]
        unit = 2 ** (resolution - 128) if resolution > 127 else 10 ** resolution
        stamp = int((decimal.Decimal(time) - offset) * unit)
        return self.pack("II", stamp >> 32, stamp & 0xffffffff)

    def frame(self, link, ident, text, words=()):
        net = packet(int(ident), text.encode())
        if link == "cooked2":
            way = [COOKED_TYPES[word] for word in words if word in COOKED_TYPES]
            return struct.pack("!HHIHBB8x", 0x0800, 0, 1, 1, (way or [0])[0], 6) + net
        head = HEADERS.get(link)
        return net if head is None else head + b"\x08\x00" + net

    def packet(self, port, time, ident, text, *words):
        port = int(port)
        frame = self.frame(self.ports[port][0], ident, text, words)
        given = dict(word.split("=", 1) for word in words if "=" in word)
        frame = frame.ljust(int(given.get("size", 0)), b"\0")
        there = frame[:int(given.get("cut", len(frame)))]
        pairs = [(2, self.pack("I", WAYS[word])) for word in words if word in WAYS]
        if "comment" in given:
            pairs.append((1, given["comment"].encode()))
        if "code" in given:
            pairs.append((int(given["code"]), b"unknown"))
        self.block(6, self.pack("I", port) + self.stamp(port, time) +
                   self.pack("II", len(there), len(frame)) + there +
                   bytes(-len(there) % 4) + self.options(pairs))

    def old(self, port, time, ident, text):
        port = int(port)
        frame = self.frame(self.ports[port][0], ident, text)
        self.block(2, self.pack("HH", port, 0) + self.stamp(port, time) +
                   self.pack("II", len(frame), len(frame)) + frame)

    def simple(self, ident, text):
        frame = self.frame(self.ports[0][0], ident, text)
        self.block(3, self.pack("I", len(frame)) + frame)

    def other(self, kind, text):
        self.block(int(kind, 0), text.encode())


def main():
    writer = Writer(sys.stdout.buffer)
    for line in sys.stdin:
        word, *words = line.split()
        if word == "raw":
            writer.out.write(bytes.fromhex("".join(words)))
        elif word == "block":
            writer.other(*words)
        elif not word.startswith("-"):
            getattr(writer, word)(*words)


main()

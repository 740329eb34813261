#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""inject.py DEVICE FILE...: sends the Ethernet frames of captures.

Prints how many frames were sent, and how many files had Ethernet frames. Reads pcap
and pcapng up to the first error, because some files are damaged on purpose.
"""

import socket
import struct
import sys

ETHERNET = 1
LENGTHS = range(14, 9000)


def pcap(data, order):
    if struct.unpack_from(order + "I", data, 20)[0] & 0xffff != ETHERNET:
        return
    at = 24
    while at + 16 <= len(data):
        length = struct.unpack_from(order + "I", data, at + 8)[0]
        yield data[at + 16:at + 16 + length]
        at += 16 + length


def pcapng(data, order):
    links = []
    at = 0
    while at + 12 <= len(data):
        kind, length = struct.unpack_from(order + "II", data, at)
        if length < 12:
            return
        if kind == 1:
            links.append(struct.unpack_from(order + "H", data, at + 8)[0])
        elif kind == 6 and at + 28 <= len(data):
            port, size = struct.unpack_from(order + "I8xI", data, at + 8)
            if port < len(links) and links[port] == ETHERNET:
                yield data[at + 28:at + 28 + size]
        at += length


FORMATS = {
    b"\xa1\xb2\xc3\xd4": (pcap, ">"),
    b"\xd4\xc3\xb2\xa1": (pcap, "<"),
    b"\xa1\xb2\x3c\x4d": (pcap, ">"),
    b"\x4d\x3c\xb2\xa1": (pcap, "<"),
    b"\x0a\x0d\x0d\x0a": (pcapng, "<"),
}


def frames(name):
    with open(name, "rb") as file:
        data = file.read()
    read, order = FORMATS.get(data[:4], (None, None))
    if read:
        yield from (f for f in read(data, order) if len(f) in LENGTHS)


def main():
    out = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
    out.bind((sys.argv[1], 0))
    sent = files = 0
    for name in sys.argv[2:]:
        before = sent
        for frame in frames(name):
            out.send(frame)
            sent += 1
        files += sent != before
    print(sent, files)


main()

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""tunnels.py WORD...: writes a capture to standard output with five packets. Each packet has a
copy for each WORD, a millisecond apart. WORD is plain, or the tunnel around the copy."""
import struct
import sys


def ip(packet, proto, source, ident, ttl=64):
    return struct.pack("!BBHHHBBH4s4s", 0x45, 0, 20 + len(packet), ident, 0, ttl, proto, 0,
                       bytes(source), bytes([10, 0, 0, 9])) + packet


def udp(data, port):
    return struct.pack("!4H", 5000, port, 8 + len(data), 0) + data


def ethernet(kind, data, number=1):
    return bytes([2, 0, 0, 0, 0, 9, 2, 0, 0, 0, 0, number]) + struct.pack("!H", kind) + data


def packet(ident, hops=0):
    return ip(udp(b"text %d" % ident, 5001), 17, [192, 0, 2, 1], ident, 64 - hops)


def gre(flags, kind, rest):
    return struct.pack("!HH", flags, kind) + rest


def erspan(ident, switch):
    """ERSPAN type II from one of two switches, with numbers and addresses of its own."""
    header = struct.pack("!III", ident * 100 + switch, 0x10000001 + (switch << 16), switch)
    frame = ethernet(0x0800, packet(ident, switch), switch)
    return ethernet(0x0800, ip(gre(0x1000, 0x88be, header + frame), 47,
                               [10, 0, 0, switch], ident * 7 + switch))


def labels(*numbers):
    return b"".join(struct.pack("!I", number << 12 | (number == numbers[-1]) << 8 | 64)
                    for number in numbers)


def vxlan(ident, port):
    header = struct.pack("!II", 0x08000000, 42 << 8)
    return ethernet(0x0800, ip(udp(header + ethernet(0x0800, packet(ident)), port), 17,
                               [10, 0, 0, 1], ident))


TUNNELS = {
    "plain": lambda i: ethernet(0x0800, packet(i)),
    "erspan-one": lambda i: erspan(i, 1),
    "erspan-two": lambda i: erspan(i, 2),
    "label": lambda i: ethernet(0x8847, labels(100) + packet(i)),
    "labels": lambda i: ethernet(0x8847, labels(200, 100) + packet(i)),
    "vxlan": lambda i: vxlan(i, 4789),
    "vxlan-linux": lambda i: vxlan(i, 8472),
    "vxlan-other": lambda i: vxlan(i, 14789),
    "pppoe": lambda i: ethernet(0x8864, struct.pack("!BBHHH", 0x11, 0, 1, 2 + len(packet(i)),
                                                    0x21) + packet(i)),
    "gtp-u": lambda i: ethernet(0x0800, ip(udp(struct.pack(
        "!BBHI", 0x30, 255, len(packet(i)), 7) + packet(i), 2152), 17, [10, 0, 0, 1], i)),
    "geneve": lambda i: ethernet(0x0800, ip(udp(struct.pack(
        "!BBHI", 0, 0, 0x6558, 42 << 8) + ethernet(0x0800, packet(i)), 6081), 17,
        [10, 0, 0, 1], i)),
}


def main():
    out = sys.stdout.buffer
    out.write(struct.pack("<IHHiIII", 0xa1b2c3d4, 2, 4, 0, 0, 262144, 1))
    for ident in range(1, 6):
        for number, word in enumerate(sys.argv[1:]):
            frame = TUNNELS[word](ident)
            out.write(struct.pack("<4I", ident, number * 1000, len(frame), len(frame)) + frame)


main()

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""capture.py [ethernet|raw|cooked|radio] [nano]: writes a capture to standard output

Each line of standard input is a packet: its time in seconds, the identification of its IPv4
header, and a text as UDP payload; or a time and "arp".
"""

import decimal
import struct
import sys

LINKS = {"ethernet": 1, "raw": 101, "cooked": 113, "radio": 105}
HEADERS = {
    "ethernet": bytes.fromhex("020000000002 020000000001"),
    "cooked": struct.pack("!3HQ", 0, 1, 6, 0x0200000000010000),
}


def packet(ident, text):
    udp = struct.pack("!4H", 1000, 2000, 8 + len(text), 0) + text
    return struct.pack("!BBHHHBBH4s4s", 0x45, 0, 20 + len(udp), ident, 0, 64, 17, 0,
                       bytes([192, 0, 2, 1]), bytes([192, 0, 2, 2])) + udp


def main():
    link = sys.argv[1] if len(sys.argv) > 1 else "ethernet"
    nano = "nano" in sys.argv
    out = sys.stdout.buffer
    out.write(struct.pack("<IHHiIII", 0xa1b23c4d if nano else 0xa1b2c3d4, 2, 4, 0, 0,
                          262144, LINKS[link]))
    for line in sys.stdin:
        time, *words = line.split()
        if words == ["arp"]:
            kind, net = 0x0806, bytes(46)
        else:
            kind, net = 0x0800, packet(int(words[0]), words[1].encode())
        frame = net
        if link in HEADERS:
            frame = HEADERS[link] + struct.pack("!H", kind) + net
        unit = decimal.Decimal(time) * (10**9 if nano else 10**6)
        second, part = divmod(int(unit), 10**9 if nano else 10**6)
        out.write(struct.pack("<4I", second, part, len(frame), len(frame)) + frame)


if __name__ == "__main__":
    main()

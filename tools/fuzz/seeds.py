#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""seeds.py CAPTURES FOLDER: writes frames of real captures as inputs for fuzz_packet.

It takes the first frames of each Ethernet pcap file (not pcapng). Each is preceded by a head
(struct head of fuzz_packet.c) that selects another key and another shape.
"""
import pathlib
import struct
import sys

FRAMES = 16
LONGEST = 1500
PROFILES = 7
FIELDS = 18


def frames(data):
    """The frames of a capture in little-endian byte order; no frames for other files."""
    if len(data) < 24 or data[:4] not in (b"\xd4\xc3\xb2\xa1", b"\x4d\x3c\xb2\xa1"):
        return
    if struct.unpack_from("<I", data, 20)[0] != 1:
        return
    at = 24
    while at + 16 <= len(data):
        length = struct.unpack_from("<I", data, at + 8)[0]
        yield data[at + 16:at + 16 + length]
        at += 16 + length


def head(number):
    profile = number % PROFILES | (number // PROFILES % 2) << 7
    ids = bytes((number * 5 + i * 3) % FIELDS for i in range(6))
    return (bytes([profile, number % 6]) + ids + bytes(6) + bytes(6) +
            bytes([number % 64, number * 13 % 256, 16, 34, 14, 0]) + b"\x08\x00")


def main():
    folder = pathlib.Path(sys.argv[2])
    number = 0
    for path in sorted(pathlib.Path(sys.argv[1]).glob("*.pcap")):
        for _, frame in zip(range(FRAMES), frames(path.read_bytes())):
            (folder / f"frame{number}").write_bytes(head(number) + frame[:LONGEST])
            number += 1
    print(number)


main()

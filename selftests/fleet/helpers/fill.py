#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""fill.py FILE FIRST LAST: makes the file of a filter with these keys, see struct disk in
store_local.c. No daemon may use the file."""

import struct
import sys

STEP = 0x9e3779b97f4a7c15
EVENTS = 0x40000
EVENT = struct.Struct("=QII")


def main():
    path, first, last = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    with open(path, "wb") as file:
        file.write(struct.pack("=QQQQ", 1, last - first + 1, 0, 0))
        for number in range(first, last + 1):
            file.write(EVENT.pack(number * STEP % 2**64, 0, 0))
        file.truncate(32 + 2 * EVENTS * EVENT.size)


main()

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""secrets.py: reads answers as raw.py prints them, and prints the secrets in them."""
import struct
import sys

SECRET = 12


def attributes(data):
    while len(data) >= 4:
        size, number = struct.unpack_from("=HH", data)
        if size < 4:
            return
        yield number & 0x3fff, data[4:size]
        data = data[size + -size % 4:]


for line in sys.stdin:
    for number, value in attributes(bytes.fromhex(line)):
        if number == SECRET and len(value) == 16:
            print(value.hex())

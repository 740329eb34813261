#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
# frames.py BYTES: writes a capture with one frame like those of module/packet.c.

import struct
import sys

size = int(sys.argv[1])
data = b"\x02\0\0\0\0\x02" b"\x02\0\0\0\0\x01" b"\x08\0"
data += struct.pack(">BBHHHBBHII", 0x45, 0, size - 14, 0, 0, 64, 17, 0, 10 << 24,
                    198 << 24)
data += struct.pack(">HHHH", 40000, 9, size - 34, 0)
data = data.ljust(size, b"x")
sys.stdout.buffer.write(struct.pack("<IHHiIII", 0xa1b2c3d4, 2, 4, 0, 0, 65535, 1))
sys.stdout.buffer.write(struct.pack("<IIII", 0, 0, size, size) + data)

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""pair.py FIRST COUNT DEV DEV: sends COUNT numbered broadcast frames, the same as the helper
"frames": each by the first device, and right after that by the second."""
import socket
import struct
import sys

HEAD = bytes.fromhex("ffffffffffff" "02000000ee01" "88b5")
BYTES = 60


def bound(dev):
    sock = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
    sock.bind((dev, 0))
    return sock


first, count = int(sys.argv[1]), int(sys.argv[2])
socks = [bound(dev) for dev in sys.argv[3:]]
for number in range(first, first + count):
    frame = (HEAD + struct.pack(">Q", number)).ljust(BYTES, b"\0")
    for sock in socks:
        sock.send(frame)

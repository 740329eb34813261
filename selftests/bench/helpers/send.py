#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""send.py DEVICE COUNT: sends COUNT different frames, and prints the time per frame in ns: the
median of twenty batches."""
import socket
import statistics
import sys
import time

HEAD = bytes.fromhex("020000000202" "020000000101" "88b6")
BATCHES = 20

sock = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
sock.bind((sys.argv[1], 0))
count = int(sys.argv[2]) // BATCHES
took = []
for batch in range(-1, BATCHES):
    frames = [HEAD + (batch * count + n).to_bytes(8, "big", signed=True) + bytes(50)
              for n in range(count)]
    begin = time.perf_counter_ns()
    for frame in frames:
        sock.send(frame)
    took.append((time.perf_counter_ns() - begin) / count)
# The first batch only warms the caches.
print(round(statistics.median(took[1:])))

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""listen.py PORT: prints each datagram that arrives at a UDP port, one per line."""

import socket
import sys

RCVBUFFORCE = 33

sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
sock.setsockopt(socket.SOL_SOCKET, RCVBUFFORCE, 1 << 25)
sock.bind(("", int(sys.argv[1])))
print("ready", flush=True)
while True:
    print(sock.recv(2048).decode(), flush=True)

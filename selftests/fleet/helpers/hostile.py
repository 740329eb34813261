#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""A server that is no Redis: hostile.py SOCKET silent|drip|flood. Answers every command with
nothing, with an endless answer a byte at a time, or with one that is far too long."""
import socket
import sys
import threading
import time

path, mode = sys.argv[1:]


def serve(client):
    try:
        client.recv(65536)
        if mode == "silent":
            client.recv(1)
            return
        client.sendall(b"$4000000000\r\n")
        while True:
            client.sendall(b"x" * (1000000 if mode == "flood" else 1))
            # Less than the silence that a daemon allows.
            time.sleep(0 if mode == "flood" else 0.5)
    except OSError:
        pass


server = socket.socket(socket.AF_UNIX)
server.bind(path)
server.listen(16)
while True:
    threading.Thread(target=serve, args=(server.accept()[0],), daemon=True).start()

#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""relay.py SOCKET [PORT]: passes TCP connections to PORT of 127.0.0.1 on to a unix socket; prints the
port, by default a free one."""

import socket
import sys
import threading


def copy(source, target):
    try:
        while part := source.recv(65536):
            target.sendall(part)
    except OSError:
        pass
    for end in (source, target):
        try:
            end.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


def main():
    path = sys.argv[1]
    server = socket.socket()
    server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    server.bind(("127.0.0.1", int(sys.argv[2]) if len(sys.argv) > 2 else 0))
    server.listen(8)
    print(server.getsockname()[1], flush=True)
    while True:
        client, _ = server.accept()
        target = socket.socket(socket.AF_UNIX)
        try:
            target.connect(path)
        except OSError:
            client.close()
            continue
        for ends in ((client, target), (target, client)):
            threading.Thread(target=copy, args=ends, daemon=True).start()


main()

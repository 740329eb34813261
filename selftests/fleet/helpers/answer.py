#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""answer.py SOCKET FILE: answers each client with the bytes of FILE, as a strange seend would. Reads
FILE for each client again."""

import socket
import sys


def main():
    path, answer = sys.argv[1:]
    server = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    server.bind(path)
    server.listen(8)
    print("listening", flush=True)
    while True:
        client, _ = server.accept()
        with client, open(answer, "rb") as file:
            try:
                client.sendall(file.read())
            except BrokenPipeError:
                pass


main()

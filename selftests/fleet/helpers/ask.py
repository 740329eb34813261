#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""ask.py FOLDER COMMAND [ARGUMENT...]: talks to the store of a test's daemon in FOLDER, see
store_local.c. add FIRST LAST: adds keys; del FIRST LAST: deletes them; count; missing FIRST LAST
[SET]: prints how many of these keys are absent. status: prints the daemon's status. Keys are
numbers; their hashes are spread over 64 bits."""

import os
import socket
import sys
import tempfile

STEP = 0x9e3779b97f4a7c15
CHUNK = 500


def hash_of(number):
    return "%x" % (number * STEP % 2**64)


def connect(folder):
    client = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    client.bind(tempfile.mktemp(prefix="ask", dir=folder))
    client.settimeout(20)
    client.connect(os.path.join(folder, "f.control"))
    return client


def ask(client, text):
    client.send(text.encode())
    return client.recv(64).decode().strip()


def status(folder):
    client = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    client.settimeout(20)
    client.connect(os.path.join(folder, "sock"))
    text = b""
    while part := client.recv(65536):
        text += part
    print(text.decode(), end="")


def main():
    folder, command = sys.argv[1:3]
    if command == "status":
        status(folder)
        return
    client = connect(folder)
    try:
        if command == "count":
            print(ask(client, "count"))
            return
        numbers = range(int(sys.argv[3]), int(sys.argv[4]) + 1)
        where = sys.argv[5] if len(sys.argv) > 5 else "0"
        absent = 0
        for start in range(0, len(numbers), CHUNK):
            chunk = [hash_of(number) for number in numbers[start:start + CHUNK]]
            if command == "missing":
                lines = ["test %s %s" % (item, where) for item in chunk]
                absent += int(ask(client, "\n".join(lines + ["absent"])))
            else:
                ask(client, "\n".join("%s %s" % (command, item) for item in chunk))
        if command == "missing":
            print(absent)
    finally:
        os.unlink(client.getsockname())


main()

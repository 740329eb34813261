#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Prints the kernel's answers as bytes.

    raw.py ops              the family's operations: id, and admin, open or none
    raw.py groups           its multicast groups, as hex of name and flags; joins each
    raw.py try              each command from 0 to 255, without attributes, as a request
                            and as a dump: "COMMAND do|dump ERRNO"
    raw.py ask              reads requests from standard input, in the syntax of
                            requests.py, with "dump" before a dump; prints the attributes
                            of each answer in hex
    raw.py listen           joins all groups, of every namespace from which it may receive,
                            prints "ready", then each message: its command and its
                            attributes in hex
    raw.py cookie NAME      the cookie of an export of this filter, as a number
"""
import errno
import importlib.util
import os
import socket
import struct
import sys

folder = os.path.dirname(os.path.abspath(__file__))
spec = importlib.util.spec_from_file_location(
    "requests", os.path.join(folder, "..", "..", "net", "requests.py"))
requests = importlib.util.module_from_spec(spec)
spec.loader.exec_module(requests)

CTRL_ATTR_OPS, CTRL_ATTR_MCAST_GROUPS = 6, 7
GENL_ADMIN_PERM, GENL_UNS_ADMIN_PERM = 1, 0x10
NETLINK_ADD_MEMBERSHIP, NETLINK_LISTEN_ALL_NSID = 1, 8


class Kernel(requests.Kernel):
    def family_attribute(self, number):
        self.send(requests.GENL_ID_CTRL, requests.CTRL_CMD_GETFAMILY,
                  requests.attribute(requests.CTRL_ATTR_NAME, b"seen\0"))
        for kind, _, payload in self.messages():
            if kind == requests.GENL_ID_CTRL:
                found = requests.attributes(payload[4:])
        return found[number]


def ops(kernel):
    told = requests.attributes(kernel.family_attribute(CTRL_ATTR_OPS))
    for nest in told.values():
        op = {k & 0x3fff: struct.unpack("=I", v)[0]
              for k, v in requests.attributes(nest).items()}
        admin = op[2] & (GENL_ADMIN_PERM | GENL_UNS_ADMIN_PERM)
        print(op[1], "admin" if admin else "open")


def groups(kernel):
    told = requests.attributes(kernel.family_attribute(CTRL_ATTR_MCAST_GROUPS))
    for nest in told.values():
        yield struct.unpack("=I", requests.attributes(nest)[2])[0]


def join(kernel):
    for group in groups(kernel):
        try:
            kernel.sock.setsockopt(requests.SOL_NETLINK,
                                   NETLINK_ADD_MEMBERSHIP, group)
            print("joined", flush=True)
        except OSError as error:
            print(errno.errorcode[error.errno], flush=True)


def answer(kernel, command, body, flags):
    kernel.send(kernel.family, command, body, flags)
    return list(kernel.messages())


def code(messages):
    kind, _, payload = messages[-1]
    value = struct.unpack_from("=i", payload)[0] if payload else 0
    return errno.errorcode.get(-value, "done")


def attempt(kernel):
    for command in range(256):
        for word, flags in ("do", 5), ("dump", 5 | requests.NLM_F_DUMP):
            print(command, word, code(answer(kernel, command, b"", flags)),
                  flush=True)


def ask(kernel):
    for line in sys.stdin:
        words = requests.with_ids(kernel, line).split()
        flags = 5
        if words[0] == "dump":
            flags |= requests.NLM_F_DUMP
            del words[0]
        names = requests.ATTRIBUTES.get(words[0].partition("_")[0], [])
        body = b"".join(requests.build(names, word) for word in words[1:])
        command = requests.number_of(requests.COMMANDS, words[0])
        for kind, _, payload in answer(kernel, command, body, flags):
            # In an error the head of the request follows.
            skip = 20 if kind == requests.NLMSG_ERROR else 4
            print(payload[skip:].hex(), flush=True)


def listen(kernel):
    try:
        kernel.sock.setsockopt(requests.SOL_NETLINK, NETLINK_LISTEN_ALL_NSID, 1)
    except OSError:
        pass
    join(kernel)
    print("ready", flush=True)
    while True:
        data = kernel.sock.recv(1 << 20)
        print(data[16], data[20:].hex(), flush=True)


def cookie(kernel):
    names = requests.ATTRIBUTES["FILTER"]
    body = requests.build(names, "NAME=str:" + sys.argv[2])
    command = requests.number_of(requests.COMMANDS, "FILTER_EXPORT")
    for kind, _, payload in answer(kernel, command, body, 5):
        if kind == kernel.family:
            found = requests.attributes(payload[4:])
            print(struct.unpack("=Q", found[names.index("COOKIE")])[0])


def main():
    todo = {"ops": ops, "groups": join, "try": attempt, "ask": ask,
            "listen": listen, "cookie": cookie}
    todo[sys.argv[1]](Kernel())


main()

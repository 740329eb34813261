#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Prints the kernel's answers to requests for keys.

    entries.py ask              requests on standard input, as requests.py has them; prints
                                the attributes of each answer, and how it ends
    entries.py long FILTER N    KEY_COUNT of N packed ids: prints the bytes of the answer,
                                and its entries
    entries.py dump FILTER [ID] reads an allow list of ids; deletes ID from the list after the
                                first part of the dump. Prints the numbers of parts, of keys
                                and of keys that came twice, and "interrupted" if the kernel
                                reports that
"""
import importlib.util
import os
import struct
import sys

folder = os.path.dirname(os.path.abspath(__file__))
spec = importlib.util.spec_from_file_location(
    "requests", os.path.join(folder, "..", "requests.py"))
requests = importlib.util.module_from_spec(spec)
spec.loader.exec_module(requests)
NLM_F_DUMP_INTR = 0x10
NESTS = {"ENTRY": "ENTRY"}


def walk(names, data):
    """(name, payload) of each attribute, in order."""
    while len(data) >= 4:
        size, number = struct.unpack_from("=HH", data)
        yield names[number & 0x3fff], data[4:size]
        data = data[size + -size % 4:]


def show(names, data):
    words = []
    for name, payload in walk(names, data):
        if name in NESTS and names is not requests.ATTRIBUTES[NESTS[name]]:
            words.append("{%s}" % show(requests.ATTRIBUTES[NESTS[name]], payload))
        elif name == "KEY":
            words.append("KEY=" + payload.hex())
        else:
            words.append("%s=%u" % (name, struct.unpack("=I", payload)[0]))
    return " ".join(words)


def build(line):
    words = line.split()
    dump = words[0] == "dump"
    command, *words = words[dump:]
    names = requests.ATTRIBUTES[command.partition("_")[0]]
    body = b"".join(requests.build(names, word) for word in words)
    return requests.number_of(requests.COMMANDS, command), body, dump


def send(kernel, line):
    command, body, dump = build(line)
    kernel.send(kernel.family, command, body,
                requests.NLM_F_REQUEST | requests.NLM_F_ACK | dump * requests.NLM_F_DUMP)


def ask(kernel):
    for line in sys.stdin:
        send(kernel, line)
        for kind, _, payload in kernel.messages():
            if kind in (requests.NLMSG_ERROR, requests.NLMSG_DONE):
                print("end", -struct.unpack_from("=i", payload)[0], flush=True)
            else:
                print(show(requests.ATTRIBUTES["KEY"], payload[4:]), flush=True)


def packed(ids):
    return "".join("0400%08x" % number for number in ids)


def long(kernel, name, count):
    send(kernel, "KEY_COUNT FILTER=str:%s PACKED=hex:%s" % (name, packed(range(count))))
    for kind, _, payload in kernel.messages():
        if kind == kernel.family:
            entries = [n for n, _ in walk(requests.ATTRIBUTES["KEY"], payload[4:])]
            print(16 + len(payload), entries.count("ENTRY"))


def dump(kernel, name, gone):
    send(kernel, "dump ALLOW_GET FILTER=str:" + name)
    keys, parts, interrupted = [], 0, False
    for kind, flags, payload in kernel.messages():
        interrupted |= bool(flags & NLM_F_DUMP_INTR)
        if kind != kernel.family:
            continue
        parts += 1
        keys += [entry for entry in walk(requests.ATTRIBUTES["KEY"], payload[4:])]
        if parts == 1 and gone:
            other = requests.Kernel()
            send(other, "ALLOW_DEL FILTER=str:%s PACKED=hex:%s" % (name, packed([int(gone)])))
            list(other.messages())
    print(parts > 1, len(keys), len(keys) - len(set(keys)),
          "interrupted" if interrupted else "whole")


def main():
    kernel = requests.Kernel()
    verb, *args = sys.argv[1:]
    if verb == "ask":
        ask(kernel)
    elif verb == "long":
        long(kernel, args[0], int(args[1]))
    else:
        dump(kernel, args[0], args[1] if len(args) > 1 else None)


if __name__ == "__main__":
    main()

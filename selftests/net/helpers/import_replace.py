#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""import_replace.py [--total N] NAME ID COMMAND...: exports the filter NAME, and imports that to
replace the filter with this name and id. Runs COMMAND before the commit, which has the total N.
Prints the kernel's answer to the first request that it refuses, or to the commit."""
import importlib.util
import os
import struct
import subprocess
import sys

folder = os.path.dirname(os.path.abspath(__file__))
spec = importlib.util.spec_from_file_location("begin", os.path.join(folder, "import.py"))
begin = importlib.util.module_from_spec(spec)
spec.loader.exec_module(begin)
requests = begin.requests

ID, COOKIE, FROM, NEXT, DATA, COMMIT, REPLACE, TOTAL = (
    requests.ATTRIBUTES["FILTER"].index(word)
    for word in "ID COOKIE FROM NEXT DATA COMMIT REPLACE TOTAL".split())


def answer(kernel, command, body):
    """Attributes of the answer."""
    kernel.send(kernel.family, command, body)
    for kind, _, payload in kernel.messages():
        if kind == kernel.family:
            found = requests.attributes(payload[4:])
        elif struct.unpack_from("=i", payload)[0]:
            sys.exit("refused: " + repr(payload))
    return found


def chunks(kernel, name):
    """The table: pairs of a first unit and data."""
    cookie = requests.attribute(COOKIE, answer(kernel, begin.FILTER_EXPORT, name)[COOKIE])
    at = struct.pack("=Q", 0)
    while at:
        found = answer(kernel, begin.FILTER_EXPORT,
                       name + cookie + requests.attribute(FROM, at))
        yield at, found[DATA]
        at = found.get(NEXT)


def main():
    commit = requests.attribute(COMMIT, b"")
    if sys.argv[1] == "--total":
        commit += requests.attribute(TOTAL, struct.pack("=Q", int(sys.argv[2])))
        del sys.argv[1:3]
    kernel = requests.Kernel()
    name = begin.name(sys.argv[1])
    begun = begin.body_like(kernel, sys.argv[1]) + name + \
        requests.attribute(ID, struct.pack("=I", int(sys.argv[2]))) + \
        requests.attribute(REPLACE, b"")
    table = list(chunks(kernel, name))
    cookie = requests.attribute(COOKIE, answer(kernel, begin.FILTER_IMPORT, begun)[COOKIE])
    for at, data in table:
        kernel.ask(begin.FILTER_IMPORT, cookie + requests.attribute(FROM, at) +
                   requests.attribute(DATA, data), [])
    subprocess.run(sys.argv[3:], check=True)
    print(*kernel.ask(begin.FILTER_IMPORT, cookie + commit, []))


main()

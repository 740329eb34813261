#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""import.py NAME [replace]: begins an import of a filter like NAME, under another name or to
replace NAME, prints "begun", and never ends the import: it waits until it is killed. If the
kernel refuses the import, prints the error."""
import importlib.util
import os
import sys

FILTER_EXPORT, FILTER_IMPORT = 40, 41
NAME, WITH_SECRET, REPLACE = 2, 47, 50
# The attributes of FILTER_EXPORT that FILTER_IMPORT needs.
GIVEN = (4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 16, 17, 18, 33, 41)

folder = os.path.dirname(os.path.abspath(__file__))
spec = importlib.util.spec_from_file_location(
    "requests", os.path.join(folder, "..", "requests.py"))
requests = importlib.util.module_from_spec(spec)
spec.loader.exec_module(requests)


def name(text):
    return requests.attribute(NAME, text.encode() + b"\0")


def told(kernel, body):
    kernel.send(kernel.family, FILTER_EXPORT, body)
    for kind, _, payload in kernel.messages():
        if kind == kernel.family:
            found = requests.attributes(payload[4:])
    return {number & 0x3fff: value for number, value in found.items()}


def body_like(kernel, like):
    """What an import gives of a filter like that one, but for its name."""
    found = told(kernel, name(like) + requests.attribute(WITH_SECRET, b""))
    return b"".join(requests.attribute(number, found[number])
                    for number in GIVEN if number in found)


def main():
    kernel = requests.Kernel()
    body = body_like(kernel, sys.argv[1])
    if sys.argv[2:] == ["replace"]:
        body += name(sys.argv[1]) + requests.attribute(REPLACE, b"")
    else:
        body += name("unfinished")
    error, text, *_ = kernel.ask(FILTER_IMPORT, body, [])
    if error != "done":
        sys.exit("%s %s" % (error, text))
    print("begun", flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()

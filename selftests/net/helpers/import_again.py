#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""import_again.py NAME ROUNDS: opens sockets with the same port id, one after the other. Each
begins an import of a filter like NAME as soon as the previous socket was closed in the middle
of its import. Prints how many sockets lost their import because another socket was closed."""
import importlib.util
import os
import sys

folder = os.path.dirname(os.path.abspath(__file__))
spec = importlib.util.spec_from_file_location("begin", os.path.join(folder, "import.py"))
begin = importlib.util.module_from_spec(spec)
spec.loader.exec_module(begin)
requests = begin.requests

COOKIE, COMMIT = (requests.ATTRIBUTES["FILTER"].index(word) for word in ("COOKIE", "COMMIT"))
PORT_ID = 0x5ee40001


def import_cookie(kernel, begun):
    """Begins an import; its cookie."""
    kernel.send(kernel.family, begin.FILTER_IMPORT, begun)
    for kind, _, payload in kernel.messages():
        if kind == kernel.family:
            found = requests.attributes(payload[4:])
    return found[COOKIE]


def main():
    begun = begin.body_like(requests.Kernel(), sys.argv[1]) + begin.name("unfinished")
    lost = 0
    for _ in range(int(sys.argv[2])):
        kernel = requests.Kernel(PORT_ID)
        cookie = import_cookie(kernel, begun)
        body = requests.attribute(COOKIE, cookie) + requests.attribute(COMMIT, b"")
        error, text, *_ = kernel.ask(begin.FILTER_IMPORT, body, [])
        lost += not text.startswith("import: incomplete")
        kernel.sock.close()
    print(lost)


main()

#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""No static function of kmod has the name of another one, so that a stack trace names one
function; and no function of kmod outside core has the name of one of tools/lib, but for what
both define for users or core. TAP."""

import collections
import pathlib
import re

TOP = pathlib.Path(__file__).resolve().parents[2]
# Requests of libseen beside what the kernel does for them, and core's clock.
SHARED = {"seen_filter_add", "seen_filter_del", "seen_guard_add", "seen_guard_del", "seen_now"}
DEFINITION = re.compile(r"^(static\s)?(?:[\w*]+[\s*]+)+?(\w+)\((?:[^;{}]|\n)*?\)\s*\n\{", re.M)


def functions(path):
    """Pairs: is it static, and its name."""
    text = re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.S)
    for found in DEFINITION.finditer(text):
        yield bool(found[1]), found[2]


def main():
    statics, kernel = collections.defaultdict(list), set()
    for path in sorted((TOP / "kmod").rglob("*.c")):
        for is_static, name in functions(path):
            if is_static:
                statics[name].append(path.name)
            if path.parent.name != "core":
                kernel.add(name)
    library = {name for path in (TOP / "tools/lib").glob("*.c") for _, name in functions(path)}
    twice = {name: files for name, files in statics.items() if len(files) > 1}
    both = kernel & library - SHARED
    print("TAP version 13\n1..3")
    for number, (what, wrong) in enumerate((
            ("static functions of kmod are found", len(statics) < 500),
            ("no static name occurs in two files of kmod", twice),
            ("no name is both in kmod and in tools/lib", both)), 1):
        print("%sok %u - %s" % ("not " if wrong else "", number, what))
        if wrong:
            print("# %s" % (wrong,))
    raise SystemExit(bool(len(statics) < 500 or twice or both))


if __name__ == "__main__":
    main()

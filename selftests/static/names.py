#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Names in stack traces must be unambiguous: no two static functions or variables of kmod share a
name, and the name of each static function has a word of its file's name. No function of kmod
outside core has the name of a function of tools/lib, except those that both define on purpose.
Prints TAP."""

import collections
import pathlib
import re

TOP = pathlib.Path(__file__).resolve().parents[2]
# Functions that kmod and libseen both define: a request and its handler, and the clock of core.
SHARED = {"seen_filter_add", "seen_filter_del", "seen_guard_add", "seen_guard_del",
          "seen_guard_replace", "seen_now"}
# Words that the static functions of these files may use instead of a word of the file's name.
NOUNS = {"snapshot": {"import"}, "cuckoo_window": {"stamp"}, "cuckoo_window_unit": {"stamp"}}
VARIABLE = re.compile(r"^static\s+(?:[\w*]+[\s*]+)+?(\w+)(?:\[[^\]]*\])*(?:\s+__\w+)?\s*[=;]", re.M)
DEFINITION = re.compile(r"^(static\s)?(?:[\w*]+[\s*]+)+?(\w+)\((?:[^;{}]|\n)*?\)\s*\n\{", re.M)


def read(path):
    return re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.S)


def functions(path):
    """Pairs: whether the function is static, and its name."""
    for found in DEFINITION.finditer(read(path)):
        yield bool(found[1]), found[2]


def has_noun(path, name):
    """Does the name of a static function have a word of its file's name?"""
    nouns = set(path.stem.split("_")) | NOUNS.get(path.stem, set())
    if "netlink" in nouns:
        nouns.add("nl")
    return path.name == "main.c" or bool(nouns & set(name.split("_")))


def main():
    statics, kernel, strange = collections.defaultdict(list), set(), set()
    for path in sorted((TOP / "kmod").rglob("*.c")):
        for name in VARIABLE.findall(read(path)):
            statics[name].append(path.name)
        for is_static, name in functions(path):
            if is_static:
                statics[name].append(path.name)
                if not has_noun(path, name):
                    strange.add((path.name, name))
            if path.parent.name != "core":
                kernel.add(name)
    library = {name for path in (TOP / "tools/lib").glob("*.c") for _, name in functions(path)}
    twice = {name: files for name, files in statics.items() if len(files) > 1}
    results = (("static names of kmod are found", len(statics) < 500),
               ("no static name occurs in two files of kmod", twice),
               ("each static function of kmod has its file's noun", strange),
               ("no name is both in kmod and in tools/lib", kernel & library - SHARED))
    print("TAP version 13\n1..%u" % len(results))
    for number, (what, wrong) in enumerate(results, 1):
        print("%sok %u - %s" % ("not " if wrong else "", number, what))
        if wrong:
            print("# %s" % (wrong,))
    raise SystemExit(any(wrong for _, wrong in results))


if __name__ == "__main__":
    main()

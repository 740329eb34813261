#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Do texts for users keep to the rules of CONTRIBUTING.md? Finds phrases that hide the error
or its remedy. Run from the top of the tree; prints TAP."""
import glob
import re
import sys

FOLDERS = sys.argv[1:] or ["kmod", "tools/lib", "tools/seenctl", "tools/iptables"]
# Name of the fault, and the pattern that finds it.
FORBIDDEN = (
    ("a question", r"^(?!.*did you mean).*\?$"),
    ("a person", r"\b[Ww]ho(ever)?\b"),
    ("a private phrase",
     r"which of them|\btold\b|\bbeside\b|\bis none of\b|\bof such a\b|\bthere is no such\b"
     r"|\bgoes (once|with)\b|\bhas none\b|\bhave none\b"),
    ("a sentence without a subject", r": it (is|has|goes|does)\b"),
)
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)
STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"(?:\s*"(?:[^"\\\n]|\\.)*")*')
INCLUDE = re.compile(r"^\s*#\s*include[^\n]*", re.M)


def blank(match):
    return re.sub(r"[^\n]", " ", match[0])


def texts(name):
    """Line and text of each string. Adjacent literals are one string."""
    source = open(name, encoding="utf-8").read()
    for pattern in (COMMENT, INCLUDE):
        source = pattern.sub(blank, source)
    for match in STRING.finditer(source):
        line = source.count("\n", 0, match.start()) + 1
        parts = re.findall(r'"((?:[^"\\\n]|\\.)*)"', match[0])
        yield line, "".join(parts).removesuffix("\\n")


def bad(found, pattern):
    """Texts that match. Only texts of one line: a text of several lines is a help."""
    return ["%s:%d: %s" % (name, line, text) for name, line, text in found
            if " " in text and "\\n" not in text and re.search(pattern, text)]


FOUND = [(name, line, text) for folder in FOLDERS
         for name in sorted(glob.glob(folder + "/**/*.[ch]", recursive=True))
         for line, text in texts(name)]

print("TAP version 13")
print("1..%d" % (1 + len(FORBIDDEN)))
print("%sok 1 - there are texts" % ("" if len(FOUND) > 100 else "not "))
failed = len(FOUND) <= 100
for number, (what, pattern) in enumerate(FORBIDDEN, 2):
    wrong = bad(FOUND, pattern)
    failed += bool(wrong)
    print("%sok %d - no text has %s" % ("not " if wrong else "", number, what))
    for problem in wrong:
        print("# " + problem)
sys.exit(failed > 0)

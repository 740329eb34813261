#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Is the prose plain English? Finds phrases that CONTRIBUTING.md forbids in comments, help and
documents. prose.allow lists exceptions, as FILE: PHRASE. TAP; run from the top of the tree.
prose.py PATH...: prints the findings in these files and folders, and their number per 1,000
words."""
import os
import re
import subprocess
import sys

ALLOW = "selftests/static/prose.allow"
PRODUCT = ("kmod", "uapi", "tools", "Documentation", "README.md", "CONTRIBUTING.md", "Kbuild",
           "Makefile")
# The fault, and its words; a space also matches the end of a line.
FORBIDDEN = (
    ('"who" for a program or a packet', r"[Ww]ho(ever|m)?"),
    ("a headless clause",
     r"[Ww]hat (comes|came|goes|went|stays|stayed|lies|gives|follows)"
     r"|(of|than|for|by|from|with|behind|beyond|like|beside|before|after|only|and|but|or|all"
     r"|are|is|into|at|to) what|(?i:of|to|by|with|from|for) (that|those) (which|that|who|of)"
     r"|START(What|That|Those) (that|is|are|was|it|they|the|a|no|each|others|can|must|has|have|does|do)"
     r"(?![^.]*\?)"),
    ("a verb of our own",
     r"told|tells?|telling|takes? at|ha(s|ve|d) it that|hears? of|heard of"
     r"|knows? (nothing|none|no|of)|([Rr]ules?|filters?|guards?|kernel|bridge) knows?|(goes|go|went) (by|with|behind|before)"
     r"|(comes?|came) (behind|to that|of that)"),
    ("a word of our own", r"beside|anew|therein|thereof|whereof|afresh|wherein"),
    ("a missing noun",
     r"(is|are|was|has|have|had|sees?|finds?|found|knows?|gets?|needs?|makes?|takes?) none"
     r"|the like|the others?'s?|(of|to|by|with|from|for|in) (others|each other's)"
     r"|as (much|many) is|[Ss]uch (a|an) one|there is no such"
     r"|which of them|at all of"),
    ("an inverted sentence",
     r"START(Nor|Neither) (is|are|was|has|have|does|do|can|may|must|need)"
     r"|START(Of|By|To|From|Beyond|Behind) (that|those|these|what|which|it|them)"),
)
# The beginning of a sentence, line or list item.
START = r"(?:(?<=[.;:]\s)|(?:^|(?<=\n))\s*(?:[-*] )?)"
# Sentences that the patterns must find.
WRONG = (
    "Whoever asks for more gets less.", "It holds what comes later.", "What is behind it.",
    "Those that are open are listed.", "One of those that block.", "A key is told once.",
    "The filter has it that way.", "The rule knows the filter.", "A block beside another.",
    "It finds none.", "The words of others.", "As much as is needed: as many is enough.",
    "Nor is it closed.", "Of those two one is open.", "A list:\n- To that port.",
)
SKIP = ("tools/fuzz/corpus/", "COPYING")


def compiled(words):
    words = words.replace(" ", r"\s+").replace("START", START)
    return re.compile(r"(?<![\w`@.>-])(?:%s)(?![\w`-])" % words)


PATTERNS = tuple((what, compiled(words)) for what, words in FORBIDDEN)


def blank(text):
    """The text without its characters, at as many lines and columns."""
    return re.sub(r"\S", " ", text)


def kept(source, pattern, group=0):
    """Only the matches of pattern; all else is blank."""
    out, end = [], 0
    for match in pattern.finditer(source):
        if match[group] is None:
            continue
        out += [blank(source[end:match.start(group)]), match[group]]
        end = match.end(group)
    return "".join(out) + blank(source[end:])


C_COMMENT = re.compile(r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)+'|(/\*.*?\*/|//[^\n]*)", re.S)
HASH_COMMENT = re.compile(r"(?m)(?:^|(?<=\s))#(?!!)[^\n]*|^\"\"\".*?\"\"\"|^ +\"\"\".*?\"\"\"", re.S)
# A string of several lines is a help.
HELP = re.compile(r'"(?:[^"\\\n]|\\.)*\\n"(?:\s*"(?:[^"\\\n]|\\.)*")+')


def of_c(source, helps):
    text = kept(source, C_COMMENT, 1)
    text = re.sub(r"(?m)/\*\*?|\*/|^[ \t]*\*(?=[ \t\n])|//", lambda m: blank(m[0]), text)
    if helps:
        found = kept(source, HELP).replace("\\n", "  ").replace('"', " ")
        text = "".join(a if a != " " else b for a, b in zip(text, found))
    return text


def of_shell(source):
    return kept(source, HASH_COMMENT).replace("#", " ").replace('"""', "   ")


def of_markdown(source):
    source = re.sub(r"(?ms)^```.*?^```", lambda m: blank(m[0]), source)
    return re.sub(r"`[^`\n]*`", lambda m: re.sub(r"\S", "x", m[0]), source)


def of_manual(source):
    source = re.sub(r"(?ms)^\.(?:nf|EX|Bd)\b.*?^\.(?:fi|EE|Ed)\b", lambda m: blank(m[0]), source)
    source = re.sub(r'(?m)^\.\\".*', lambda m: blank(m[0]), source)
    return re.sub(r"(?m)^\.[A-Za-z]+|\\f.", lambda m: blank(m[0]), source)


def of_values(source, name):
    """The values of this name in YAML or JSON; a value in YAML ends where the indent does."""
    pattern = re.compile(r'(?m)^( *)(?:- )?"?%s"?: *((?:.*\n(?:\1 +.*\n|\n)*))' % name)
    return kept(source, pattern, 2)


def prose(name):
    source = open(name, encoding="utf-8").read()
    if re.search(r"\.([ch]|cc|java)$", name):
        return of_c(source, name.startswith("tools/seenctl/"))
    if name.endswith(".md"):
        return of_markdown(source)
    if re.search(r"\.[1-8]$", name):
        return of_manual(source)
    if name.endswith("seen.yaml"):
        return of_values(source, "doc")
    if name.endswith(".json"):
        return of_values(source, "description")
    if re.search(r"\.(py|sh|mk|awk|yaml|list|table)$", name) or source.startswith("#") or \
            os.path.basename(name) in ("Makefile", "Kbuild"):
        return of_shell(source)
    return ""


def files(paths):
    listed = subprocess.run(["git", "ls-files", "-z", "--", *paths], check=True,
                            stdout=subprocess.PIPE, text=True).stdout.split("\0")
    return [name for name in listed
            if name and not name.startswith(SKIP) and os.path.isfile(name)]


def findings(names):
    """(file, line, what, phrase) of each finding, and the words read."""
    found, words = [], 0
    for name in names:
        try:
            text = prose(name)
        except UnicodeDecodeError:
            continue
        words += len(text.split())
        for what, pattern in PATTERNS:
            for match in pattern.finditer(text):
                start = match.end() - len(match[0].lstrip())
                line = text.count("\n", 0, start) + 1
                found.append((name, line, what, " ".join(match[0].split())))
    return sorted(found), words


def show(paths):
    found, words = findings(files(paths))
    for name, line, what, phrase in found:
        print("%s:%d: %s: %s" % (name, line, phrase, what))
    print("%d in %d words, %.2f per 1,000" % (len(found), words,
                                             1000 * len(found) / max(words, 1)))


def check():
    with open(ALLOW, encoding="utf-8") as allow:
        allowed = [tuple(line.strip().split(": ", 1)) for line in allow
                   if line.strip() and not line.startswith("#")]
    found, words = findings(files(["."]))
    used = {(name, phrase) for name, _, _, phrase in found}
    wrong = [one for one in found if (one[0], one[3]) not in allowed]
    missed = [text for text in WRONG if not any(pattern.search(text) for _, pattern in PATTERNS)]
    results = (
        ("the patterns find wrong sentences", missed),
        ("there is prose", [] if words > 50000 else ["%d words" % words]),
        ("no comment, help or document has a forbidden phrase",
         ["%s:%d: %s: %s" % (name, line, phrase, what) for name, line, what, phrase in wrong]),
        ("the list of exceptions is short", [] if len(allowed) <= 20 else
         ["%d lines, at most 20" % len(allowed)]),
        ("each exception is needed", ["%s: %s" % one for one in allowed if one not in used]),
    )
    print("TAP version 13\n1..%d" % len(results))
    for number, (what, problems) in enumerate(results, 1):
        print("%sok %d - %s" % ("not " if problems else "", number, what))
        for problem in problems:
            print("# " + problem)
    return any(problems for _, problems in results)


if sys.argv[1:]:
    show(sys.argv[1:])
else:
    sys.exit(check())

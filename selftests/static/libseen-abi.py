#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Does libseen still have the ABI that programs were compiled with? libseen.list records
the version of each symbol, the prototype of each function, and of each public structure
its size and the offset, size and type of each member. Is each symbol documented, with its
parameters, its result and its context? Run from the top of the tree; prints TAP.

libseen-abi.py --record rewrites libseen.list. Run it after an addition, and before a release
after an intended change. After a release, a change needs another SONAME.
"""
import os
import re
import subprocess
import sys
import tempfile

LIST = os.path.join(os.path.dirname(__file__), "libseen.list")
LIBRARY = "build/tools/libseen.so.1"
MAKEFILE = open("tools/Makefile").read()
HEADERS = ["tools/lib/%s.h" % name
           for name in re.search(r"^headers := (.*)$", MAKEFILE, re.M)[1].split()]
TEXT = {path: open(path).read() for path in HEADERS}
count = failed = 0


def check(what, problems):
    global count, failed
    count += 1
    failed += bool(problems)
    print("%sok %d - %s" % ("not " if problems else "", count, what))
    for problem in problems:
        print("# " + problem)


def bare(text):
    """Without comments."""
    return re.sub(r"/\*.*?\*/", "", text, flags=re.S)


def one_line(text):
    return re.sub(r"\s+", " ", text).strip()


def structures():
    """Each public structure with its members as (name, type)."""
    for text in map(bare, TEXT.values()):
        for name, body in re.findall(r"^(struct \w+) \{\n(.*?)^\};", text, re.S | re.M):
            yield name, [member(line) for line in body.split(";") if line.strip()]


def member(line):
    kind, name, bounds = re.fullmatch(r"(.*?)(\w+)((?:\[[^]]*\])*)", one_line(line)).groups()
    return name, one_line(kind + bounds)


def prototypes():
    """Functions and variables that the headers declare: name and declaration."""
    for text in map(bare, TEXT.values()):
        for line in re.findall(r"^(?!typedef|struct \w+ \{)[a-z][\w *]*?\bseen_\w+\(.*?\);",
                               text, re.S | re.M):
            line = one_line(line)
            yield re.search(r"(seen_\w+)\(", line)[1], line
        for line in re.findall(r"^extern (?!\"C\").*?;", text, re.M):
            yield re.search(r"(\w+);$", line)[1], line


def typedefs():
    """Types of callbacks: name and declaration."""
    for text in map(bare, TEXT.values()):
        for line in re.findall(r"^typedef .*?;", text, re.S | re.M):
            line = one_line(line)
            yield re.search(r"\(\*(\w+)\)", line)[1], line


def enumerators():
    """Names of the library's own constants, whose values are compiled into programs."""
    for text in map(bare, TEXT.values()):
        yield from re.findall(r"^#define (SEEN_\w+)[ \t]+\S", text, re.M)
        for body in re.findall(r"^enum \w+ \{(.*?)^\};", text, re.S | re.M):
            yield from re.findall(r"^\t(SEEN_\w+)", body, re.M)


def measured(bits):
    """The compiler's values for sizes, offsets and constants: C expressions evaluated."""
    asked = {}
    for name, members in structures():
        asked[name] = "sizeof(%s)" % name
        for part, _ in members:
            asked["%s.%s" % (name, part)] = "offsetof(%s, %s)" % (name, part)
            asked["%s.%s size" % (name, part)] = "sizeof(((%s *)0)->%s)" % (name, part)
    asked.update({name: name for name in enumerators()})
    source = "".join('#include "%s"\n' % os.path.basename(path) for path in HEADERS)
    source += "#include <stddef.h>\nstatic const unsigned long long at[] = {\n"
    source += "".join("\t%s,\n" % value for value in asked.values()) + "};\n"
    return dict(zip(asked, numbers(source, bits)))


def numbers(source, bits):
    """The elements of the array, read from the object file: a program need not run."""
    multiarch = subprocess.run(["gcc", "-print-multiarch"], text=True, check=True,
                               capture_output=True).stdout.strip()
    with tempfile.TemporaryDirectory() as folder:
        made = folder + "/made.o"
        # Debian has this header only in packages that exclude cross compilers.
        os.mkdir(folder + "/gnu")
        open(folder + "/gnu/stubs-32.h", "w").close()
        source = source.replace("static const", '__attribute__((section("abi"))) const')
        subprocess.run(["clang", "-m%d" % bits, "-Iuapi", "-Itools/lib", "-I" + folder,
                        "-I/usr/include/" + multiarch, "-x", "c", "-c", "-o", made, "-"],
                       input=source, text=True, check=True)
        subprocess.run(["objcopy", "-O", "binary", "-j", "abi", made, folder + "/abi"],
                       check=True)
        data = open(folder + "/abi", "rb").read()
    return [int.from_bytes(data[at:at + 8], "little") for at in range(0, len(data), 8)]


def exported():
    """Symbols of the library and their versions."""
    out = subprocess.run(["nm", "-D", "--defined-only", LIBRARY], text=True, check=True,
                         capture_output=True).stdout
    return dict(re.findall(r" [A-Z] (seen_\w+)@@([\w.]+)$", out, re.M))


def present():
    """The lines that libseen.list should have, by their first column."""
    lines = {}
    wide, narrow = measured(64), measured(32)
    for name, version in sorted(exported().items()):
        lines["symbol " + name] = version
    for name, line in sorted(prototypes()):
        lines["declares " + name] = line
    for name, line in typedefs():
        lines["typedef " + name] = line
    for name in enumerators():
        lines["constant " + name] = "%d" % wide[name]
    for name, members in structures():
        lines[name] = "%d or %d bytes" % (wide[name], narrow[name])
        for part, kind in members:
            key = "%s.%s" % (name, part)
            lines[key] = "at %d or %d, %d or %d bytes: %s" % (
                wide[key], narrow[key], wide[key + " size"], narrow[key + " size"], kind)
    return lines


def recorded():
    return dict(line.rstrip("\n").split("\t") for line in open(LIST)
                if not line.startswith("#"))


def record():
    with open(LIST, "w") as out:
        out.write("# The ABI of libseen, written by libseen-abi.py --record. Offsets and "
                  "sizes: of 64 bits, or 32.\n")
        for line in present().items():
            out.write("\t".join(line) + "\n")


def of_the_kernel():
    """The kernel's maxima in public headers, which are wrong with a later kernel."""
    for path, text in TEXT.items():
        for word in re.findall(r"\bSEEN_\w*_MAX\b", text):
            yield "%s: %s" % (path, word)


def comment_of(name, line):
    """The comment right before a declaration, or None."""
    words = r"\s+".join(map(re.escape, line.split(" ")))
    for text in TEXT.values():
        found = re.search(r"/\*\*((?:(?!\*/).)*)\*/\n" + words, text, re.S)
        if found:
            return one_line(re.sub(r"^ \* ?", "", found[1], flags=re.M))
    return None


def undocumented():
    for name, line in [*prototypes(), *typedefs()]:
        comment = comment_of(name, line)
        if comment is None:
            yield "%s: no kernel-doc before it" % name
        elif line.startswith("extern"):
            if not comment.startswith(name + " - "):
                yield "%s: the comment before it is of something else" % name
        else:
            yield from ("%s: %s" % (name, lack) for lack in lacks(name, line, comment))


def lacks(name, line, comment):
    """The statements that the comment of a function lacks."""
    if not comment.startswith(name + "() - "):
        yield "the comment before it is of something else"
    inside = re.sub(r"\(\*(\w+)\)\([^()]*\)", r"\1", line[line.index(name) + len(name):])
    for part in inside.strip("();").split(","):
        parameter = re.search(r"(\w+)(\[\w*\])?$", part.strip())[1]
        if parameter != "void" and "@%s:" % parameter not in comment:
            yield "no @%s" % parameter
    if "Context: " not in comment:
        yield "no Context"
    if not line.startswith("void ") and "Return: " not in comment:
        yield "no Return"


def undescribed():
    """Members of public structures that the comment before the structure does not name."""
    for name, members in structures():
        for text in TEXT.values():
            found = re.search(r"/\*\*((?:(?!\*/).)*)\*/\n" + name + r" \{", text, re.S)
            if found:
                yield from ("%s.%s" % (name, part) for part, _ in members
                            if "@%s:" % part not in found[1])
                break
        else:
            yield name


if sys.argv[1:] == ["--record"]:
    record()
    sys.exit()
print("TAP version 13")
print("1..7")
have, want = present(), recorded()
again = "; if that is meant: %s --record" % sys.argv[0]
check("no part of the ABI has changed or gone",
      ["%s: was '%s', is '%s'%s" % (key, value, have.get(key, "not there"), again)
       for key, value in want.items() if have.get(key) != value])
check("each addition is recorded", ["%s%s" % (key, again) for key in have if key not in want])
check("every symbol is declared, and every declared name is a symbol",
      sorted(set(exported()) ^ {name for name, _ in prototypes()}))
check("every symbol has the library's version",
      [name for name, version in exported().items() if version != "LIBSEEN_1.0"])
check("no public header uses a maximum of the kernel", list(of_the_kernel()))
check("every symbol is documented", list(undocumented()))
check("every member of a public structure is documented", list(undescribed()))
sys.exit(failed > 0)

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""find.py hex|table|text FILE SECRET MARK ADDRESSES: fails if FILE contains the secret, half of
it in either byte order, a key, or a kernel pointer. FILE has attributes in hex, one per line
(hex), random bits in hex (table, which is not searched for pointers), or text. ADDRESSES has
lines with address ranges: module BASE SIZE, table BASE END, kernel BASE, memory KiB."""
import re
import struct
import sys

# 64-bit kernels have their memory above this address; a user-mode kernel has it elsewhere.
HIGH = 0xffff800000000000
NESTED = 0x8000
# A user-mode kernel has up to so much more memory than it reports.
SPARE = 64 << 20


def needles(secret, mark):
    """Bytes that must not occur, with a name for each."""
    found = {mark.encode(): "key"}
    for half in secret, secret[:8], secret[8:]:
        found[half] = found[half[::-1]] = "secret"
    return found


def spans(file):
    for line in open(file, encoding="ascii"):
        words = line.split()
        numbers = [int(word, 0) for word in words[1:]]
        if words[0] == "module":
            yield numbers[0], numbers[0] + numbers[1]
        elif words[0] == "table":
            yield numbers[0], numbers[1]
        elif words[0] == "kernel":
            base = numbers[0]
        else:
            yield base, base + (numbers[0] << 10) + SPARE


def is_pointer(value, known):
    if value >= HIGH:
        # Small negative numbers are errors; all ones is no pointer either.
        return value < (1 << 64) - 4096
    return any(low <= value < high for low, high in known if low)


def numbers(data):
    """Eight bytes at each offset of an attribute's payload; opens nests."""
    while len(data) >= 4:
        size, kind = struct.unpack_from("=HH", data)
        if size < 4:
            return
        value = data[4:size]
        if kind & NESTED:
            yield from numbers(value)
        else:
            for at in range(0, len(value) - 7, 4):
                yield struct.unpack_from("=Q", value, at)[0]
        data = data[size + -size % 4:]


def is_word(value):
    """Is it text: letters, followed by zeroes only?"""
    text = value.to_bytes(8, "little").rstrip(b"\0")
    return text.isascii() and text.decode().isprintable()


def search_bytes(lines, secret, mark, known):
    for line in lines:
        data = bytes.fromhex(line)
        for needle, name in needles(secret, mark).items():
            if needle in data:
                yield "%s in %s" % (name, data[:64].hex())
        for value in numbers(data):
            if is_pointer(value, known) and not is_word(value):
                yield "pointer %#x in %s" % (value, data[:64].hex())


def words(text):
    """Numbers in the text: in hex, unless they look decimal, and in decimal, as %ld and %lu
    print them."""
    for prefix, word in re.findall(r"\b(0x)?([0-9a-fA-F]{8,16})\b", text):
        if prefix or not word.isdigit() or word[0] == "0":
            yield prefix + word, int(word, 16)
    for word in re.findall(r"(?<![\w.])-?[1-9]\d{7,19}\b", text):
        yield word, int(word) % (1 << 64)


def search_text(text, secret, mark, known):
    for needle, name in (secret.hex(), "secret"), (mark, "key"):
        if needle.lower() in text.lower():
            yield "%s: %s" % (name, needle)
    for word, value in words(text):
        if is_pointer(value, known):
            yield "pointer " + word


def main():
    kind, file, secret, mark, addresses = sys.argv[1:]
    secret, known = bytes.fromhex(secret), list(spans(addresses))
    with open(file, encoding="utf-8", errors="replace") as said:
        text = said.read()
    if kind == "table":
        found = [name for needle, name in needles(secret, mark).items()
                 if needle in bytes.fromhex(text)]
    elif kind == "hex":
        found = list(search_bytes(text.split(), secret, mark, known))
    else:
        found = list(search_text(text, secret, mark, known))
    print("\n".join(map(str, found[:20])))
    sys.exit(bool(found))


main()

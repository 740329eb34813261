#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""craft.py SECRET BUCKETS BITS COUNT: prints COUNT keys that have the same two buckets and
different fingerprints in a cuckoo filter with BUCKETS buckets, as kmod/core/cuckoo.c places
them under SECRET. Reads other keys from standard input, one per line; none of these has both of
the two buckets, so that it can be moved out of the way."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "..", "..", "net", "helpers"))
import collide  # noqa: E402


def upper(word, n):
    return (word >> 32) * n >> 32


def place(key, secret, buckets, bits):
    """The two buckets, the lower one first, and the fingerprint of a key."""
    word = collide.siphash13(key, secret)
    fp = 1 + upper(collide.remix(word), (1 << bits) - 1)
    first = upper(word, buckets)
    total = upper(collide.remix(fp), buckets) | (~buckets & 1)
    other = (total - first) % buckets
    return min(first, other), max(first, other), fp


def main():
    secret = bytes.fromhex(sys.argv[1])
    buckets, bits, count = (int(word) for word in sys.argv[2:])
    others = [set(place(line.strip().encode(), secret, buckets, bits)[:2])
              for line in sys.stdin]
    found, number = {}, 0
    while True:
        key = "key%d" % number
        number += 1
        low, high, fp = place(key.encode(), secret, buckets, bits)
        if any(pair <= {low, high} for pair in others):
            continue
        alike = found.setdefault((low, high), {})
        alike.setdefault(fp, key)
        if len(alike) == count:
            print("\n".join(alike.values()))
            return


main()

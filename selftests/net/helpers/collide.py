#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""collide.py SECRET BLOCKS COUNT [ports]: prints COUNT keys of bytes, or ports, that have the
same two buckets in a new map of BLOCKS buckets, computed as in kmod/core/map_table.h."""
import struct
import sys

WORD = (1 << 64) - 1


def rotate(word, by):
    return (word << by | word >> (64 - by)) & WORD


def rounds(v, count):
    for _ in range(count):
        v[0] = (v[0] + v[1]) & WORD
        v[1] = rotate(v[1], 13) ^ v[0]
        v[0] = rotate(v[0], 32)
        v[2] = (v[2] + v[3]) & WORD
        v[3] = rotate(v[3], 16) ^ v[2]
        v[0] = (v[0] + v[3]) & WORD
        v[3] = rotate(v[3], 21) ^ v[0]
        v[2] = (v[2] + v[1]) & WORD
        v[1] = rotate(v[1], 17) ^ v[2]
        v[2] = rotate(v[2], 32)


def siphash13(data, secret):
    k0, k1 = struct.unpack("<QQ", secret)
    v = [k0 ^ 0x736f6d6570736575, k1 ^ 0x646f72616e646f6d,
         k0 ^ 0x6c7967656e657261, k1 ^ 0x7465646279746573]
    padded = data + bytes(7 - len(data) % 8) + bytes([len(data) & 0xff])
    for (word,) in struct.iter_unpack("<Q", padded):
        v[3] ^= word
        rounds(v, 1)
        v[0] ^= word
    v[2] ^= 0xff
    rounds(v, 3)
    return v[0] ^ v[1] ^ v[2] ^ v[3]


def remix(word):
    word ^= word >> 33
    word = word * 0xff51afd7ed558ccd & WORD
    word ^= word >> 33
    word = word * 0xc4ceb9fe1a85ec53 & WORD
    return word ^ word >> 33


def buckets(key, secret, half):
    word = remix(siphash13(key, secret) | 0xff)
    return ((word >> 32) * half >> 32,
            (remix(~word & WORD) >> 32) * half >> 32)


def main():
    secret, half = bytes.fromhex(sys.argv[1]), int(sys.argv[2]) // 2
    found, number = {}, 0
    while True:
        number += 1
        if len(sys.argv) > 4:
            text, key = str(number), struct.pack(">H", number)
        else:
            text = "key%d" % number
            key = text.encode()
        alike = found.setdefault(buckets(key, secret, half), [])
        alike.append(text)
        if len(alike) == int(sys.argv[3]):
            print("\n".join(alike))
            return


if __name__ == "__main__":
    main()

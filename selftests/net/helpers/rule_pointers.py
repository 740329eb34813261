#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""rule_pointers.py TABLE: prints, for each match "seen" in a table of iptables-legacy, the
filter's name and the kernel's private part of the rule, in hex, as a program can read it."""

import ctypes
import socket
import struct
import sys

INFO, ENTRIES = 64, 65		# IPT_SO_GET_INFO, IPT_SO_GET_ENTRIES
INFO_BYTES = 84			# struct ipt_getinfo; ends with the entries' size
ENTRIES_HEAD = 40		# struct ipt_get_entries
ENTRY = 112			# struct ipt_entry; its offsets are at 88
MATCH = 32			# struct xt_entry_match
BINDING = 40			# in struct xt_seen_info

libc = ctypes.CDLL(None, use_errno=True)


def get(sock, option, head, room):
    """getsockopt() that is asked for something, unlike Python's own."""
    buffer = ctypes.create_string_buffer(head, room)
    length = ctypes.c_uint32(room)
    if libc.getsockopt(sock.fileno(), socket.SOL_IP, option, buffer,
                       ctypes.byref(length)):
        raise OSError(ctypes.get_errno(), "getsockopt")
    return buffer.raw


def text(field):
    return field.split(b"\0")[0].decode()


def matches(entry):
    """Name and data of each match of a rule."""
    at, end = ENTRY, struct.unpack_from("=H", entry, 88)[0]
    while at < end:
        size = struct.unpack_from("=H", entry, at)[0]
        yield text(entry[at + 2:at + 31]), entry[at + MATCH:at + size]
        at += size


def rules(table):
    with socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_RAW) as sock:
        info = get(sock, INFO, table, INFO_BYTES)
        size = struct.unpack_from("=I", info, INFO_BYTES - 4)[0]
        blob = get(sock, ENTRIES, struct.pack("=32sI", table, size),
                   ENTRIES_HEAD + size)[ENTRIES_HEAD:]
    while blob:
        size = struct.unpack_from("=H", blob, 90)[0]
        yield blob[:size]
        blob = blob[size:]


for rule in rules(sys.argv[1].encode()):
    for name, data in matches(rule):
        if name == "seen":
            print(text(data[:32]), data[BINDING:BINDING + 8].hex())

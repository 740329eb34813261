#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""probe_spoof.py DEV WAY MAC: an attacker on DEV receives the probes of a guarded bridge, and
answers each in one of the ways below, to make the bridge block another port. MAC is the
victim's address. Prints "ready", and "probe" for each probe.

    echo        unchanged
    often       unchanged, a hundred times
    stolen      with the victim's source address
    tagged      with a VLAN tag, 1 to 20
    unicast     to the victim
    other_port  with the number of each other port as the sending port
    old         sends all earlier probes again
    forged      with another nonce, and with another tag
    cut         cut off at each length
    flood       with a thousand nonces of its own
"""
import os
import socket
import struct
import sys

ALL = 3
OUTGOING = 4
ETHERTYPE = b"\x88\xb5"
MAGIC = b"seen"
# Offsets in a frame: port, nonce, tag, end of a probe.
PORT, NONCE, TAG, END = 20, 30, 46, 54


def changed(frame, offset, data):
    return frame[:offset] + data + frame[offset + len(data):]


def flipped(frame, offset):
    return changed(frame, offset, bytes([frame[offset] ^ 1]))


class Ways:
    def __init__(self, victim):
        self.victim = victim
        self.heard = []

    def echo(self, frame):
        return [frame]

    def often(self, frame):
        return [frame] * 100

    def stolen(self, frame):
        return [changed(frame, 6, self.victim)]

    def tagged(self, frame):
        return [frame[:12] + struct.pack("!HH", 0x8100, vlan) + frame[12:]
                for vlan in range(1, 21)]

    def unicast(self, frame):
        return [changed(frame, 0, self.victim)]

    def other_port(self, frame):
        return [changed(frame, PORT, struct.pack("!H", port))
                for port in range(20)]

    def old(self, frame):
        self.heard.append(frame)
        return self.heard

    def forged(self, frame):
        return [flipped(frame, NONCE), flipped(frame, TAG)]

    def cut(self, frame):
        return [frame[:length] for length in range(14, END)]

    def flood(self, frame):
        return [changed(frame, NONCE, os.urandom(TAG + 8 - NONCE))
                for _ in range(1000)]


dev, way, victim = sys.argv[1:]
answer = getattr(Ways(bytes.fromhex(victim.replace(":", ""))), way)
with socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ALL)) as sock:
    sock.bind((dev, ALL))
    print("ready", flush=True)
    while True:
        data, source = sock.recvfrom(2048)
        if source[2] == OUTGOING or data[12:14] != ETHERTYPE or \
                data[14:18] != MAGIC:
            continue
        print("probe", flush=True)
        for reply in answer(data):
            sock.send(reply)

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""hosts.py NAMESPACE...: the hosts of the demo, each with one device, eth0.

Checks on captures taken at the hosts that the network delivers frames like a network without a
loop. Prints lines "ok ..." or "FAIL ...". Counts frames and judges no times: it reads until no
frame arrives any more.
"""

import ctypes
import os
import select
import socket
import struct
import sys
import time

ROUNDS = 25             # broadcasts of each host
REPEATS = 3             # of one ARP request, a second apart
SILENCE = 0.3           # seconds without a frame after which all have arrived
PATIENCE = 10           # seconds after which reading ends although frames still arrive
BROADCAST = b"\xff" * 6
TEST_TYPE = 0x88B5      # for local experiments (IEEE 802)
ARP_TYPE = 0x0806
CLONE_NEWNET = 0x40000000
# Base of the sender addresses in ARP requests: the hosts' own kernels never use these.
ASKER, REPEATER = 100, 200

libc = ctypes.CDLL(None, use_errno=True)


class Host:
    def __init__(self, number, netns):
        self.number = number
        self.name = netns.split("-")[0]
        with open("/run/netns/" + netns, "rb") as there, \
                open("/proc/self/ns/net", "rb") as here:
            enter(there)
            self.socket = socket.socket(socket.AF_PACKET, socket.SOCK_RAW,
                                        socket.htons(3))
            self.socket.bind(("eth0", 0))
            enter(here)
        self.socket.setsockopt(socket.SOL_SOCKET, 33, 1 << 22)  # RCVBUFFORCE
        self.mac = self.socket.getsockname()[4]

    def address(self, base=0):
        return bytes((10, 0, 0, base + self.number))

    def frame(self, ethertype, body):
        head = BROADCAST + self.mac + struct.pack("!H", ethertype)
        self.socket.send((head + body).ljust(60, b"\0"))

    def ask(self, other, base):
        self.frame(ARP_TYPE, struct.pack(
            "!HHBBH6s4s6s4s", 1, 0x0800, 6, 4, 1, self.mac, self.address(base),
            bytes(6), other.address()))


def enter(netns):
    if libc.setns(netns.fileno(), CLONE_NEWNET):
        raise OSError(ctypes.get_errno(), "setns")


class Capture:
    """The frames that arrived: a counter for each kind of frame and each host."""

    def __init__(self, hosts):
        self.hosts = {host.socket: host for host in hosts}
        self.count = {}

    def note(self, host, frame):
        """Counts a frame; returns false if the frame belongs to no test."""
        source, ethertype = frame[6:12], frame[12:14]
        if source == host.mac:
            key = "own",
        elif ethertype == struct.pack("!H", TEST_TYPE):
            key = host, source, frame[14:18]
        elif ethertype == struct.pack("!H", ARP_TYPE):
            key = host, source, frame[20:22] + frame[28:32] + frame[38:42]
        else:
            return False
        self.count[key] = self.of(*key) + 1
        return True

    def of(self, *key):
        return self.count.get(key, 0)

    def drain(self):
        last = time.monotonic()
        end = last + PATIENCE
        while (left := min(last + SILENCE, end) - time.monotonic()) > 0:
            for sock in select.select(self.hosts, [], [], left)[0]:
                frame, origin = sock.recvfrom(2048)
                if origin[2] != socket.PACKET_OUTGOING and \
                        self.note(self.hosts[sock], frame):
                    last = time.monotonic()


def request(asker, other, base):
    return b"\0\1" + asker.address(base) + other.address()


def reply(asker, other, base):
    return b"\0\2" + other.address() + asker.address(base)


def traffic(hosts, capture, numbers):
    """All hosts send broadcasts and ARP requests; one request is repeated every second."""
    first, last = hosts[0], hosts[-1]
    start = time.monotonic()
    for number in numbers:
        for host in hosts:
            host.frame(TEST_TYPE, number)
    for asker in hosts:
        for other in hosts:
            if asker != other:
                asker.ask(other, ASKER)
    for number in range(REPEATS):
        first.ask(last, REPEATER)
        capture.drain()
        time.sleep(max(0, start + number + 1 - time.monotonic())
                   if number + 1 < REPEATS else 0)


def verdict(text, counts, want):
    wrong = [count for count in counts if count != want]
    if not wrong:
        print("ok", text)
    else:
        print(f"FAIL {text}: {len(wrong)} of {len(counts)} came "
              f"{min(wrong)} to {max(wrong)} times")


def prove(namespaces):
    run = os.getpid() & 0xffff
    numbers = [struct.pack("!HH", run, n) for n in range(ROUNDS)]
    hosts = [Host(i + 1, name) for i, name in enumerate(namespaces)]
    pairs = [(a, b) for a in hosts for b in hosts if a != b]
    capture = Capture(hosts)
    traffic(hosts, capture, numbers)

    verdict(f"{ROUNDS * len(hosts)} broadcasts reached each of the other "
            f"{len(hosts) - 1} hosts exactly once",
            [capture.of(b, a.mac, number)
             for a, b in pairs for number in numbers], 1)
    verdict("no host got a frame of its own back", [capture.of("own")], 0)
    verdict(f"{len(pairs)} ARP requests were answered, once each",
            [capture.of(a, b.mac, reply(a, b, ASKER)) for a, b in pairs], 1)
    first, last = hosts[0], hosts[-1]
    verdict(f"an ARP request repeated {REPEATS} times, a second apart, passed "
            f"{REPEATS} times",
            [capture.of(b, first.mac, request(first, last, REPEATER))
             for b in hosts[1:]], REPEATS)
    verdict("the repeated ARP request was answered as often",
            [capture.of(first, last.mac, reply(first, last, REPEATER))],
            REPEATS)


prove(sys.argv[1:])

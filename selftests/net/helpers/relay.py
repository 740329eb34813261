#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""relay.py PORT DEVICE DEVICE: forwards UDP broadcasts to PORT from each device to the
other one.

It keeps the source address and port, as common relays do, so that answers reach the
sender of the request. Prints "ready" when it listens.
"""

import select
import socket
import struct
import sys

BROADCAST = b"\xff" * 6
RCVBUFFORCE = 33


def checksum(data):
    total = sum(struct.unpack(f"!{len(data) // 2}H", data))
    while total >> 16:
        total = (total & 0xffff) + (total >> 16)
    return struct.pack("!H", ~total & 0xffff)


class Side:
    def __init__(self, port, device):
        self.port, self.ident = port, 0
        self.taken = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.taken.setsockopt(socket.SOL_SOCKET, RCVBUFFORCE, 1 << 25)
        self.taken.setsockopt(socket.SOL_SOCKET, socket.SO_BINDTODEVICE,
                              device.encode())
        self.taken.bind(("", port))
        self.sent = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
        self.sent.bind((device, 0))

    def fileno(self):
        return self.taken.fileno()

    def pass_on(self, body, source):
        """A packet of its own: new identification and TTL, no checksum of UDP."""
        self.ident = self.ident + 1 & 0xffff
        head = struct.pack("!BBHHHBBH4s4s", 0x45, 0, 28 + len(body), self.ident, 0,
                           64, 17, 0, socket.inet_aton(source[0]), b"\xff" * 4)
        udp = struct.pack("!HHHH", source[1], self.port, 8 + len(body), 0)
        self.sent.send(BROADCAST + self.sent.getsockname()[4] + b"\x08\x00" +
                       head[:10] + checksum(head) + head[12:] + udp + body)


def main():
    sides = [Side(int(sys.argv[1]), name) for name in sys.argv[2:4]]
    print("ready", flush=True)
    while True:
        for side in select.select(sides, [], [])[0]:
            other = sides[side is sides[0]]
            other.pass_on(*side.taken.recvfrom(2048))


main()

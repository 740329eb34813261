#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Reads commands, one per line, sends the packet, and answers each line with "done".

    raw DEV HEX                     a frame as it is
    part DEV START OFFSET HEX       a frame whose checksum the device has to finish
    udp DEV PORT ADDRESS PORT BYTES from the stack
    sctp DEV ADDRESS PORT           the first packet of an association
"""
import socket
import struct
import sys

SOL_PACKET = 263
PACKET_VNET_HDR = 15
NEEDS_CSUM = 1


def packet_socket(dev):
    sock = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
    sock.bind((dev, 0))
    return sock


def raw(dev, *digits):
    with packet_socket(dev) as sock:
        sock.send(bytes.fromhex("".join(digits)))


def part(dev, start, offset, *digits):
    head = struct.pack("=BBHHHH", NEEDS_CSUM, 0, 0, 0, int(start), int(offset))
    with packet_socket(dev) as sock:
        sock.setsockopt(SOL_PACKET, PACKET_VNET_HDR, 1)
        sock.send(head + bytes.fromhex("".join(digits)))


def bound(kind, proto, dev):
    sock = socket.socket(socket.AF_INET, kind, proto)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_BINDTODEVICE, dev.encode())
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
    return sock


def udp(dev, from_port, address, port, size):
    with bound(socket.SOCK_DGRAM, 0, dev) as sock:
        sock.bind(("", int(from_port)))
        sock.sendto(bytes(i & 255 for i in range(int(size))),
                    (address, int(port)))


def sctp(dev, address, port):
    with bound(socket.SOCK_STREAM, socket.IPPROTO_SCTP, dev) as sock:
        sock.setblocking(False)
        sock.connect_ex((address, int(port)))


COMMANDS = {"raw": raw, "part": part, "udp": udp, "sctp": sctp}

for line in sys.stdin:
    words = line.split()
    try:
        COMMANDS[words[0]](*words[1:])
        print("done", flush=True)
    except OSError as error:
        print(error, flush=True)

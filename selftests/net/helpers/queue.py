#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""queue.py: accepts each packet of queue 0 (NFQUEUE). Prints "ready" once it does."""
import socket
import struct

NETLINK_NETFILTER, NFQUEUE = 12, 3 << 8
PACKET, VERDICT, CONFIG = NFQUEUE, NFQUEUE | 1, NFQUEUE | 2
REQUEST_ACK, REQUEST = 5, 1
CFG_CMD, CFG_PARAMS, BIND, COPY_META = 1, 2, 1, 1
PACKET_HDR, VERDICT_HDR, NF_ACCEPT = 1, 2, 1


def attr(kind, data):
    size = 4 + len(data)
    return struct.pack("=HH", size, kind) + data + bytes(-size % 4)


def send(kind, flags, *attrs):
    body = struct.pack("!BBH", 0, 0, 0) + b"".join(attrs)
    sock.send(struct.pack("=IHHII", 16 + len(body), kind, flags, 0, 0) + body)


def configure(kind, data):
    send(CONFIG, REQUEST_ACK, attr(kind, data))
    error, = struct.unpack_from("=i", sock.recv(4096), 16)
    if error:
        raise OSError(-error, "NFQUEUE")


def packet_id(message):
    """That of the first attribute, which is the packet's header."""
    size, kind = struct.unpack_from("=HH", message, 20)
    assert kind == PACKET_HDR and size >= 8
    return message[24:28]


sock = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, NETLINK_NETFILTER)
sock.bind((0, 0))
configure(CFG_CMD, struct.pack("!BBH", BIND, 0, 0))
configure(CFG_PARAMS, struct.pack("!IB", 0, COPY_META))
print("ready", flush=True)
while True:
    taken = sock.recv(65536)
    if struct.unpack_from("=H", taken, 4)[0] == PACKET:
        send(VERDICT, REQUEST,
             attr(VERDICT_HDR, struct.pack("!I", NF_ACCEPT) + packet_id(taken)))

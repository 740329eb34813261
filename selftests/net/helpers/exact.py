#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""exact.py WHAT FROM TO: does what one host sends arrive at the other one unchanged?

FROM and TO are NAMESPACE:DEVICE:ADDRESS. Prints "exact", or the first difference: sockets must
receive each datagram once, with its length and its bytes. WHAT is

  broadcast   UDP to 255.255.255.255, of many lengths, also in fragments
  multicast   the same to groups of IPv4 and IPv6
  segments    four datagrams of UDP that the kernel sends as one packet
  fragments   small fragments of a protocol without a length of its own
  raw         a protocol above IPv4 without a length of its own, to a group
  stream      TCP, in pieces of these lengths
  mdns        a query to 224.0.0.251 and ff02::fb, answered to the group
  llmnr       a query to 224.0.0.252 and ff02::1:3, answered to its sender
  link        frames to link-local addresses: a BPDU of STP, LLDP. The whole frame is compared
"""

import ctypes
import socket
import struct
import sys

from protocols import checksum

CLONE_NEWNET = 0x40000000
PATIENCE = 10
# Bytes of UDP: around the least frame, around the largest one with a trail, in fragments.
SIZES = [0, 1, 17, 18, 19, 100, 512, *range(1340, 1352), 1372, 1373, 1471, 1472, 1473, 4000]
GROUP4, GROUP6 = "239.9.9.9", "ff02::99:9"
PORT = 9909
UDP_SEGMENT = 103
BPDU = bytes.fromhex("0180c2000000 020000000a01 0026 424203 0000000000 8000020000000a01"
                     "00000000 8000020000000a01 8001 0000 1400 0200 0f00") + bytes(8)
LLDP = bytes.fromhex("0180c200000e 020000000a01 88cc 0207 04 020000000a01"
                     "0403 05 6531 0602 0078 0000").ljust(60, b"\0")

libc = ctypes.CDLL(None, use_errno=True)


class Host:
    def __init__(self, word):
        namespace, self.dev, self.address = word.split(":", 2)
        with open("/run/netns/" + namespace, "rb") as file:
            self.netns = file
            self.enter()
        self.index = socket.if_nametoindex(self.dev)

    def enter(self):
        if libc.setns(self.netns.fileno(), CLONE_NEWNET):
            raise OSError(ctypes.get_errno(), "setns")

    def bound(self, family, kind, proto=0):
        with open(self.netns.name, "rb") as self.netns:
            self.enter()
        sock = socket.socket(family, kind, proto)
        sock.settimeout(PATIENCE)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_BINDTODEVICE, self.dev.encode())
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        return sock

    def udp(self, group, port=0):
        """A socket for this group."""
        if ":" not in group:
            sock = self.bound(socket.AF_INET, socket.SOCK_DGRAM)
            self.groups4(sock, group)
            sock.bind(("", port))
            return sock
        sock = self.bound(socket.AF_INET6, socket.SOCK_DGRAM)
        sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_IF, self.index)
        sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_LOOP, 0)
        sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_JOIN_GROUP,
                        socket.inet_pton(socket.AF_INET6, group) + struct.pack("@I", self.index))
        sock.bind(("::", port))
        return sock

    def groups4(self, sock, group):
        this = struct.pack("@4s4si", bytes(4), bytes(4), self.index)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
        sock.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, this)
        sock.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_LOOP, 0)
        if group.startswith("255."):
            return
        sock.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP,
                        socket.inet_aton(group) + this[4:])

    def packet(self):
        with open(self.netns.name, "rb") as self.netns:
            self.enter()
        sock = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
        sock.settimeout(PATIENCE)
        sock.bind((self.dev, 3))
        return sock


def content(size):
    return bytes((7 * size + i) & 0xff for i in range(size))


def differs(sock, want, skip=0):
    """Receive one datagram; returns a text if it is not this one."""
    try:
        got = sock.recv(65535)[skip:]
    except TimeoutError:
        return f"{len(want)} bytes are lost"
    if len(got) != len(want):
        return f"{len(want)} bytes became {len(got)}"
    return "" if got == want else f"{len(want)} bytes have changed"


def more(sock):
    """A datagram that is there beyond those that were sent."""
    sock.setblocking(False)
    try:
        return f"{len(sock.recv(65535))} bytes came again"
    except BlockingIOError:
        return ""


def datagrams(sender, receiver, group):
    tx, rx = sender.udp(group), receiver.udp(group, PORT)
    for size in SIZES:
        tx.sendto(content(size), (group, PORT))
        wrong = differs(rx, content(size))
        if wrong:
            return f"{group}: {wrong}"
    return more(rx)


def segments(sender, receiver):
    tx, rx = sender.udp("255.255.255.255"), receiver.udp("255.255.255.255", PORT)
    tx.setsockopt(socket.IPPROTO_UDP, UDP_SEGMENT, 200)
    parts = [content(200), content(200)[::-1], content(200), content(7)]
    tx.sendto(b"".join(parts), ("255.255.255.255", PORT))
    for part in parts:
        wrong = differs(rx, part)
        if wrong:
            return wrong
    return more(rx)


def broadcast(sender, receiver):
    return datagrams(sender, receiver, "255.255.255.255")


def multicast(sender, receiver):
    return datagrams(sender, receiver, GROUP4) or datagrams(sender, receiver, GROUP6)


def raw(sender, receiver):
    tx = sender.bound(socket.AF_INET, socket.SOCK_RAW, 253)
    rx = receiver.bound(socket.AF_INET, socket.SOCK_RAW, 253)
    sender.groups4(tx, GROUP4)
    receiver.groups4(rx, GROUP4)
    for size in SIZES:
        tx.sendto(content(size), (GROUP4, 0))
        wrong = differs(rx, content(size), 20)
        if wrong:
            return f"protocol 253: {wrong}"
    return more(rx)


def stream(sender, receiver):
    with receiver.bound(socket.AF_INET, socket.SOCK_STREAM) as server:
        server.bind((receiver.address, PORT))
        server.listen()
        tx = sender.bound(socket.AF_INET, socket.SOCK_STREAM)
        tx.connect((receiver.address, PORT))
        rx = server.accept()[0]
    rx.settimeout(PATIENCE)
    for size in SIZES + [1 << 16]:
        tx.sendall(content(size))
        got = b""
        while len(got) < size:
            got += rx.recv(65535)
        if got != content(size):
            return f"TCP: {size} bytes have changed"
    tx.close()
    return "TCP: more bytes" if rx.recv(1) else ""


def fragments(sender, receiver):
    tx, rx = sender.packet(), receiver.bound(socket.AF_INET, socket.SOCK_RAW, 253)
    whole = content(120)
    for at in range(0, len(whole), 64):
        part = whole[at:at + 64]
        head = struct.pack("!BBHHHBBH4s4s", 0x45, 0, 20 + len(part), 77,
                           at // 8 | 0x2000 * (at + 64 < len(whole)), 9, 253, 0,
                           socket.inet_aton(sender.address), b"\xff" * 4)
        tx.send(b"\xff" * 6 + tx.getsockname()[4] + b"\x08\x00" + head[:10] + checksum(head) +
                head[12:] + part)
    return differs(rx, whole, 20) or more(rx)


def question(ident):
    return struct.pack("!6H", ident, 0, 1, 0, 0, 0) + b"\x05other\x05local\x00\x00\x01\x00\x01"


def answer(ident, address):
    return struct.pack("!6H", ident, 0x8400, 0, 1, 0, 0) + \
        b"\x05other\x05local\x00\x00\x01\x80\x01\x00\x00\x00\x78\x00\x04" + \
        socket.inet_aton(address)


def asks(sender, receiver, group, port, to_group):
    """The question goes to the group; the answer there, too, or to its sender."""
    one = sender.udp(group, port if to_group else 0)
    other = receiver.udp(group, port)
    ident = 0 if to_group else 0x1234
    one.sendto(question(ident), (group, port))
    got, source = other.recvfrom(65535)
    if got != question(ident):
        return f"{group}: another question"
    reply = answer(ident, receiver.address)
    other.sendto(reply, (group, port) if to_group else source)
    return differs(one, reply) or more(one) or more(other)


def mdns(sender, receiver):
    return asks(sender, receiver, "224.0.0.251", 5353, True) or \
        asks(sender, receiver, "ff02::fb", 5353, True)


def llmnr(sender, receiver):
    return asks(sender, receiver, "224.0.0.252", 5355, False) or \
        asks(sender, receiver, "ff02::1:3", 5355, False)


def link(sender, receiver):
    tx, rx = sender.packet(), receiver.packet()
    for frame in BPDU, LLDP:
        tx.send(frame)
        got = b""
        while got[:14] != frame[:14]:
            got = rx.recv(65535)
        if got != frame:
            return f"a frame of {len(frame)} bytes became {got.hex()}"
    return ""


def main():
    what, *words = sys.argv[1:]
    try:
        print(globals()[what](*map(Host, words)) or "exact")
    except TimeoutError:
        print("no answer")


main()

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""framed.py FROM TO NAME[:BYTES]...: do frames arrive with a trail?

FROM and TO are NAMESPACE:DEVICE; "NAMESPACE:tap:DEVICE" makes a tap device, whose frames are in
pages, and waits until a bridge forwards them before it sends. Prints for each frame NAME and the
number of hops in its trail, "none" if the frame arrives as it was sent, or else what is wrong.
BYTES are those behind the Ethernet header and its VLAN tags.
"""

import ctypes
import fcntl
import json
import os
import socket
import struct
import subprocess
import sys
import time

from protocols import checksum

CLONE_NEWNET = 0x40000000
PATIENCE = 10
TRAIL = 24
SUFFIX = b"\x88\xb6"
SOL_PACKET, PACKET_AUXDATA, RCVBUFFORCE = 263, 8, 33
VLAN_VALID = 1 << 4
TUNSETIFF, TUNSETPERSIST = 0x400454ca, 0x400454cb
TAP_IN_PAGES = 0x0002 | 0x0010 | 0x0020 | 0x1000

libc = ctypes.CDLL(None, use_errno=True)
mac = b"\x02\0\0\0\x0f\x01"
ALL = b"\xff" * 6
GROUP6 = b"\x33\x33\0\0\0\x01"


def fill(size):
    """Bytes that are not padding."""
    return bytes(1 + i % 255 for i in range(max(0, size)))


def ip4(size, options=b"", frag=0, proto=253, body=None, length=None):
    head = 20 + len(options)
    body = fill(size - head) if body is None else body
    text = struct.pack("!BBHHHBBH4s4s", 0x40 + head // 4, 0, length or head + len(body), 7, frag,
                       9, proto, 0, b"\x0a\0\0\x01", ALL[:4]) + options
    return text[:10] + checksum(text) + text[12:] + body


def ip6(size, first=253, headers=b"", stated=None):
    body = headers + fill(size - 40 - len(headers))
    return struct.pack("!IHBB", 6 << 28, len(body) if stated is None else stated, first, 9) + \
        b"\xfe\x80" + bytes(13) + b"\x01" + b"\xff\x02" + bytes(13) + b"\x01" + body


def ethernet(kind, body, to=ALL, tags=b""):
    return to + mac + tags + struct.pack("!H", kind) + body


def tag(kind, vid):
    return struct.pack("!HH", kind, vid)


def arp():
    return struct.pack("!HHBBH", 1, 0x800, 6, 4, 1) + mac + b"\x0a\0\0\x01" + bytes(6) + \
        b"\x0a\0\0\x02"


def vxlan():
    inner = ethernet(0x800, ip4(60))
    return ip4(0, proto=17, body=struct.pack("!4HII", 4789, 4789, 16 + len(inner), 0, 8 << 24,
                                             77 << 8) + inner)


def llc(size):
    body = b"\xaa\xaa\x03\0\0\x0c\x20\0" + fill(size - 8)
    return ethernet(len(body), body, b"\x01\0\x0c\xcc\xcc\xcc")


def prp(size):
    body = ip4(size)
    return ethernet(0x800, body + b"\0\x01" + struct.pack("!H", 0xa000 | len(body) + 6) +
                    b"\x88\xfb")


HOP = b"\xfd\0\x01\x04\0\0\0\0"
Q, AD = 0x8100, 0x88a8

FRAMES = {
    "ip4": lambda n: ethernet(0x800, ip4(n)),
    "options": lambda n: ethernet(0x800, ip4(n, b"\x94\x04\0\0")),
    "first-fragment": lambda n: ethernet(0x800, ip4(n, frag=0x2000)),
    "later-fragment": lambda n: ethernet(0x800, ip4(n, frag=9)),
    "truncated": lambda n: ethernet(0x800, ip4(n, length=n + 1)),
    "ip6": lambda n: ethernet(0x86dd, ip6(n), GROUP6),
    "hop-by-hop": lambda n: ethernet(0x86dd, ip6(n, 0, HOP), GROUP6),
    "fragment6": lambda n: ethernet(0x86dd, ip6(n, 44, b"\xfd\0\0\x49\0\0\0\x07"), GROUP6),
    "jumbogram": lambda n: ethernet(0x86dd, ip6(n, 0, b"\xfd\0\xc2\x04\0\1\0\0", 0), GROUP6),
    "arp": lambda n: ethernet(0x806, arp()),
    "llc": llc,
    "vlan": lambda n: ethernet(0x800, ip4(n), tags=tag(Q, 7)),
    "vlan-arp": lambda n: ethernet(0x806, arp(), tags=tag(Q, 7)),
    "qinq": lambda n: ethernet(0x800, ip4(n), tags=tag(AD, 8) + tag(Q, 7)),
    "many-tags": lambda n: ethernet(0x800, ip4(n), tags=tag(Q, 7) * 20),
    "vxlan": lambda n: ethernet(0x800, vxlan()),
    "other": lambda n: ethernet(0x88b5, fill(n)),
    "prp": prp,
}


def enter(name):
    with open("/run/netns/" + name, "rb") as file:
        if libc.setns(file.fileno(), CLONE_NEWNET):
            raise OSError(ctypes.get_errno(), "setns")


def packets(dev, protocol):
    sock = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
    sock.bind((dev, protocol))
    sock.settimeout(PATIENCE)
    sock.setsockopt(socket.SOL_SOCKET, RCVBUFFORCE, 1 << 22)
    sock.setsockopt(SOL_PACKET, PACKET_AUXDATA, 1)
    return sock


def await_forwarding(dev):
    """Returns when a bridge forwards the frames of this port."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        shown = subprocess.run(["bridge", "-j", "link", "show", "dev", dev],
                               stdout=subprocess.PIPE, check=False).stdout
        if shown and any(port["state"] == "forwarding" for port in json.loads(shown)):
            return
        time.sleep(0.05)
    sys.exit(f"no bridge forwards the frames of {dev}")


def opener(word):
    """Returns a function that sends a frame."""
    namespace, *dev = word.split(":")
    enter(namespace)
    if dev[0] != "tap":
        return packets(dev[0], 0).send
    tap = os.open("/dev/net/tun", os.O_RDWR)
    fcntl.ioctl(tap, TUNSETIFF, struct.pack("16sH22x", dev[1].encode(), TAP_IN_PAGES))
    fcntl.ioctl(tap, TUNSETPERSIST, 1)
    print("made", flush=True)
    await_forwarding(dev[1])
    return lambda frame: os.writev(tap, [frame[:14], frame[14:30], frame[30:]])


def receive(sock):
    """A frame with the VLAN tag that the kernel has removed."""
    data, extra, _, _ = sock.recvmsg(65535, socket.CMSG_SPACE(20))
    for _, _, text in extra:
        status, *_, tci, tpid = struct.unpack("IIIHHHH", text[:20])
        if status & VLAN_VALID:
            data = data[:12] + tag(tpid or Q, tci) + data[12:]
    return data


def net_of(frame):
    at = 12
    while struct.unpack_from("!H", frame, at)[0] in (Q, AD):
        at += 4
    return at + 2


def judge(sent, got):
    rest = got[len(sent):]
    if got[:len(sent)] != sent:
        return "changed"
    if not any(rest):
        return "none"
    end, padding = rest[-TRAIL:], rest[:-TRAIL]
    length = struct.unpack_from("<H", end, 20)[0]
    tagged = sent[12:14] in (b"\x81\0", b"\x88\xa8")
    # The least length is without the outermost tag.
    short = max(0, 60 + 4 * tagged - len(sent))
    if end[22:] != SUFFIX or padding != bytes(short):
        return "damaged"
    return str(end[19]) if length == len(got) - net_of(sent) else f"length {length}"


def main():
    source, target, *names = sys.argv[1:]
    send = opener(source)
    enter(target.split(":")[0])
    rx = packets(target.split(":")[1], 3)
    for word in names:
        name, _, size = word.partition(":")
        frame = FRAMES[name](int(size or 100))
        send(frame)
        try:
            got = receive(rx)
            while got[6:12] != mac:
                got = receive(rx)
            print(word, judge(frame, got), flush=True)
        except TimeoutError:
            print(word, "lost", flush=True)


main()

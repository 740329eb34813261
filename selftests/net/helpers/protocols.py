# SPDX-License-Identifier: GPL-2.0
"""Frames of protocols whose repeats are equal in every byte, as real hosts send them.

Each function takes the sender's address and ten bytes, which it puts into a field of
the protocol, and returns a frame.
"""

import struct

ALL = bytes(15) + b"\x01"
ALERT4 = b"\x94\x04\x00\x00"
ALERT6 = b"\x05\x02\x00\x00\x01\x00"


def checksum(data):
    data += bytes(len(data) & 1)
    total = sum(struct.unpack(f"!{len(data) // 2}H", data))
    while total >> 16:
        total = (total & 0xffff) + (total >> 16)
    return struct.pack("!H", ~total & 0xffff)


def ip4(mac, group, proto, body, ttl=255, options=b""):
    head = struct.pack("!BBHHHBBH4s4s", 0x45 + len(options) // 4, 0xc0,
                       20 + len(options) + len(body), 0, 0, ttl, proto, 0,
                       b"\x0a\x63" + mac[4:], group) + options
    return b"\x01\x00\x5e\x00" + group[2:] + mac + b"\x08\x00" + \
        head[:10] + checksum(head) + head[12:] + body


def ip6(mac, source, group, proto, body, limit=255):
    """Behind a hop-by-hop header if its limit is 1, as MLD has it."""
    inner = 58 if proto == 0 else proto
    pseudo = source + group + struct.pack("!II", len(body), inner)
    at = 6 if inner == 17 else 2
    body = body[:at] + checksum(pseudo + body) + body[at + 2:]
    if proto == 0:
        body = b"\x3a\x00" + ALERT6 + body
    return b"\x33\x33" + group[12:] + mac + b"\x86\xdd" + \
        struct.pack("!IHBB", 6 << 28, len(body), proto, limit) + \
        source + group + body


def local(mac):
    return b"\xfe\x80" + bytes(8) + mac


def link_group(last):
    return b"\xff\x02" + bytes(14 - len(last)) + last


def arp_probe(mac, ten):
    return b"\xff" * 6 + mac + b"\x08\x06" + \
        struct.pack("!HHBBH", 1, 0x0800, 6, 4, 1) + mac + bytes(4) + ten


def vrrp(mac, ten):
    body = b"\x31\x07\x64\x03\x00\x64\x00\x00" + ten + bytes(2)
    return ip4(mac, b"\xe0\x00\x00\x12", 112, body[:6] + checksum(body) + body[8:])


def dns(ten):
    return struct.pack("!6H", 0, 0, 1, 0, 0, 0) + b"\x0a" + ten + \
        b"\x05local\x00\x00\xff\x00\x01"


def udp(port, body):
    return struct.pack("!4H", port, port, 8 + len(body), 0) + body


def mdns4(mac, ten):
    return ip4(mac, b"\xe0\x00\x00\xfb", 17, udp(5353, dns(ten)))


def mdns6(mac, ten):
    return ip6(mac, local(mac), link_group(b"\x00\xfb"), 17,
               udp(5353, dns(ten)))


def option(ten):
    """One of neighbour discovery that nobody knows, of 16 bytes."""
    return b"\xfd\x02" + ten + bytes(4)


def solicit(mac, source, ten):
    target = local(mac[:3] + ten[-3:])
    return ip6(mac, source, link_group(b"\x00\x01\xff" + target[13:]), 58,
               b"\x87" + bytes(7) + target + option(ten))


def dad(mac, ten):
    return solicit(mac, bytes(16), ten)


def neighbour(mac, ten):
    return solicit(mac, local(mac), ten)


def advertise(mac, ten):
    return ip6(mac, local(mac), b"\xff\x02" + bytes(13) + b"\x01", 58,
               b"\x88" + bytes(3) + b"\x20" + bytes(3) + local(mac) + option(ten))


def router(mac, ten):
    return ip6(mac, local(mac), b"\xff\x02" + bytes(13) + b"\x01", 58,
               b"\x86\x00\x00\x00\x40\x00\x07\x08" + bytes(8) + option(ten))


def igmp_query(mac, ten):
    body = b"\x11\x64\x00\x00\xe0\x00\x00\x63\x02\x7d\x00\x03" + ten + bytes(2)
    return ip4(mac, b"\xe0\x00\x00\x01", 2, body[:2] + checksum(body) + body[4:],
               1, ALERT4)


def mld_query(mac, ten):
    body = b"\x82" + bytes(7) + link_group(b"\x12\x34") + b"\x02\x7d\x00\x01" + \
        ten + bytes(6)
    return ip6(mac, local(mac), b"\xff\x02" + bytes(13) + b"\x01", 0, body, 1)


PROTOCOLS = {
    "arp-probe": arp_probe, "vrrp": vrrp, "mdns4": mdns4, "mdns6": mdns6,
    "dad": dad, "solicit": neighbour, "advertise": advertise, "router": router,
    "igmp-query": igmp_query, "mld-query": mld_query,
}

# (host, kind, pauses in seconds between identical frames, of which the last is
# the one before the next new frame). ARP probes (RFC 5227, faster than it says),
# VRRP (RFC 5798), mDNS (RFC 6762), duplicate address detection, neighbours and
# routers (RFC 4861, 4862), queries for groups (RFC 3376, 3810).
REPEATS = [
    (0, "arp-probe", (0.15, 0.15, 2)),
    (1, "vrrp", (1,) * 20),
    (2, "mdns4", (0.25, 0.25, 3)),
    (0, "mdns6", (0.25, 0.25, 3)),
    (1, "dad", (1, 1, 2)),
    (2, "solicit", (1, 1, 2)),
    (0, "advertise", (1, 1, 2)),
    (1, "router", (3,) * 3),
    (2, "igmp-query", (1,) * 10),
    (0, "mld-query", (1,) * 10),
]

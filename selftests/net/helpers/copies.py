#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""copies.py: packets that arrived more than once, and packets that were left out.

  replay DEVICE FILE            sends the frames of a pcap with the original pauses
  once BEFORE AFTER MS          compares packets by all fields that no router changes.
                                Prints how many packets the capture BEFORE has, how
                                many come twice or more, and how many of these MS
                                apart; and how many frames, packets, lost packets
                                and copies the capture AFTER has
  explain BEFORE PEER AFTER MS  frames of BEFORE that PEER (another program) or AFTER
                                (a filter with key packet) left out, or both, counted
                                by reason; fails if a frame has no reason

The keys are computed by separate code, written from the documents of profile packet.
"""

import collections
import socket
import struct
import sys
import time

CLOCKS = 0.02           # seconds between a packet's stamp and the filter's clock
TICK = 0.025            # seconds that a window may be longer
TAGS = (0x8100, 0x88a8)
CHECKSUMS = {6: (16, 2), 17: (6, 2), 58: (2, 2), 132: (8, 4)}
FRAGMENT = 44
EXTENSIONS = (0, 43, FRAGMENT, 60)

Frame = collections.namedtuple("Frame", "time data")
Network = collections.namedtuple("Network",
                                 "fields proto later length body outside")
Packet = collections.namedtuple("Packet", "key outside")


def read(name):
    """Frames of a pcap with microseconds."""
    with open(name, "rb") as file:
        data = file.read()
    order = {b"\xd4\xc3\xb2\xa1": "<", b"\xa1\xb2\xc3\xd4": ">"}[data[:4]]
    at, frames = 24, []
    while at + 16 <= len(data):
        second, micro, length = struct.unpack_from(order + "III", data, at)
        at += 16
        frames.append(Frame(second + micro / 1e6, data[at:at + length]))
        at += length
    return frames


# --- packets -------------------------------------------------------------------

def ethernet(data):
    """Returns (tags, type, start of the network header)."""
    at, tags = 12, b""
    kind, = struct.unpack_from("!H", data, at)
    while kind in TAGS and at + 6 <= len(data):
        tags += data[at:at + 4]
        at += 4
        kind, = struct.unpack_from("!H", data, at)
    return tags, kind, at + 2


def stated(net, length, least):
    """The length that the packet states, if it is valid, else the length that it has."""
    if not least <= length <= len(net):
        return net, max(len(net), 46)
    return net[:length], length


def ipv4(net):
    head = 4 * (net[0] & 15)
    total, ident, frag = struct.unpack_from("!3H", net, 2)
    body, length = stated(net, total, head)
    if head < 20 or head > len(body):
        return None
    return Network((net[12:20], net[9], ident, frag & 0x3fff), net[9],
                   frag & 0x1fff, length, body[head:],
                   {"TTL": net[8], "TOS": net[1], "DF": net[6] & 0xc0,
                    "options": body[20:head], "checksum": net[10:12]})


def ipv6(net):
    length, kind = struct.unpack_from("!HB", net, 4)
    jumbo = not length and not kind
    body, length = stated(net, 0 if jumbo else 40 + length, 40)
    at, ident, frag = 40, 0, 0
    for _ in range(8):
        if kind not in EXTENSIONS or at + 8 > len(body) or frag & 0xfff8:
            break
        if kind == FRAGMENT:
            kind, frag, ident = struct.unpack_from("!BxHI", body, at)
            at += 8
        else:
            kind, at = body[at], at + 8 + 8 * body[at + 1]
    if kind in EXTENSIONS and not frag & 0xfff8 or at > len(body):
        return None
    return Network((net[8:40], kind, ident, frag & 0xfff9), kind,
                   frag & 0xfff8, length, body[at:],
                   {"TTL": net[7], "TOS": net[:4], "options": body[40:at],
                    "checksum": b""})


def packet(data):
    """What of a frame every copy has, and the rest by name; None: no such key."""
    tags, kind, at = ethernet(data)
    net = data[at:]
    if kind == 0x0800 and len(net) >= 20 and net[0] >> 4 == 4:
        ip = ipv4(net)
    elif kind == 0x86dd and len(net) >= 40 and net[0] >> 4 == 6:
        ip = ipv6(net)
    else:
        ip = None
    if not ip:
        return None
    body, outside = ip.body, ip.outside
    start, count = CHECKSUMS.get(ip.proto, (0, 0))
    if count and not ip.later:
        outside["checksum"] += body[start:start + count]
        body = body[:start] + bytes(count) + body[start + count:]
    outside.update(MAC=data[:12], VLAN=tags, padding=net[ip.length:])
    return Packet((ip.fields, body), outside)


# --- which were left out ---------------------------------------------------------

def left_out(before, after):
    """Indices. Of equal frames the first is taken for the one that went on."""
    out, at = set(), 0
    for index, frame in enumerate(before):
        if at < len(after) and after[at].data == frame.data:
            at += 1
        else:
            out.add(index)
    if at != len(after):
        sys.exit(f"frame {at} of those after was not there before")
    return out


def once(before, after, window):
    def by_packet(name):
        found = collections.defaultdict(list)
        for frame in read(name):
            parts = packet(frame.data)
            if parts:
                found[parts.key].append(frame.time)
        return found

    first, second = by_packet(before), by_packet(after)
    # The second capture may begin earlier and end later.
    second = {key: second[key] for key in first if key in second}
    frames = sum(map(len, second.values()))
    apart = sum(times[-1] - times[0] >= window for times in first.values())
    print(f"packets {len(first)} "
          f"twice {sum(len(times) > 1 for times in first.values())} "
          f"apart {apart} frames {frames} after {len(second)} "
          f"lost {len(first.keys() - second.keys())} "
          f"copies {frames - len(second)}")


def only_peer(frame, parts, passed, window):
    """Why a frame that is like an earlier one was let through."""
    if frame.data[:5] == b"\x01\x80\xc2\x00\x00" and frame.data[5] < 16:
        return "exempt"
    if not parts:
        return "no key"
    if parts.key in passed and frame.time - passed[parts.key] > window - CLOCKS:
        return "window begins with the first"
    return ""


def only_seen(frame, parts, first, window):
    """Why a frame that is not like an earlier one was dropped."""
    if not parts or parts.key not in first:
        return ""
    earlier, data = first[parts.key]
    age = frame.time - earlier
    if age > window + TICK + CLOCKS:
        return ""
    if frame.data == data:
        return "window ends with a tick" if age > window - CLOCKS else ""
    other = packet(data).outside
    names = [name for name in other if other[name] != parts.outside[name]]
    return "differ in " + " ".join(names) if names else ""


def explain(before, peer, after, window):
    frames = read(before)
    theirs, ours = (left_out(frames, read(name)) for name in (peer, after))
    reasons, first, passed = collections.Counter(), {}, {}
    for index, frame in enumerate(frames):
        parts = packet(frame.data)
        if index in theirs & ours:
            reason = "both"
        elif index in theirs:
            reason = "only peer: " + only_peer(frame, parts, passed, window)
        elif index in ours:
            reason = "only seen: " + only_seen(frame, parts, first, window)
        else:
            reason = "neither"
        if reason.endswith(": "):
            print("unexplained", index, reason, frame.data.hex())
        reasons[reason] += 1
        if parts and index not in ours:
            passed[parts.key] = frame.time
            first[parts.key] = frame
    for reason, count in sorted(reasons.items()):
        print(f"{count:6} {reason}")
    sys.exit(any(reason.endswith(": ") for reason in reasons))


def replay(device, name):
    out = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
    out.bind((device, 0))
    frames = read(name)
    began = time.monotonic() - frames[0].time
    for frame in frames:
        time.sleep(max(0, began + frame.time - time.monotonic()))
        out.send(frame.data)


def main():
    command, *args = sys.argv[1:]
    if command == "replay":
        replay(*args)
    else:
        {"once": once, "explain": explain}[command](*args[:-1],
                                                    float(args[-1]) / 1000)


main()

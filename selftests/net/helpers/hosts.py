#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""hosts.py NAME=NAMESPACE:DEVICE...: hosts that send and count frames.

Reads commands, one per line, and answers each with a line. A name with "!"
before it sends, but does not listen, where counting a storm would take too much
time. The answers of exact and sends end with the hosts at which frames, of any
kind, did not stop arriving.

  exact HOST COUNT [KIND] HOST sends COUNT new frames. The answer is "exact" if, once
                          no more frames arrive, each other host has received each
                          frame exactly once and HOST none; else the error:
                          "copies ...", or "lost ..." if no frame came twice or back
  reach HOST COUNT [KIND] the same, but "reached" if each host has received each frame
                          at least once
  sends HOST COUNT [KIND] the same, but the answer is the total of each host
  again HOST TIMES        HOST sends the last frames TIMES times more, without a pause;
                          the answer is the total of each host
  quick HOST TIMES        the same, or "late" if that took longer than LATE
  queries                 the number of IGMP queries at each host since the last call
  pause SECONDS           waits
  forge HOST COUNT NAME   HOST sends COUNT new frames, and NAME sends a copy of each
  both HOST COUNT NAME [KIND]  the same; "exact" if each host has received each frame
                          exactly once
  mac NAME                prints its address

  legit SECONDS           the hosts send repeats as real hosts do; "exact" as above,
                          the number of frames, and the number of each kind

Frames are of KIND, or else of each kind in turn; KIND:BYTES sets their length. Each
frame has a number, in bytes that are part of the key of profile "frame". "unicast"
goes to an address that no host has, "lldp" to an address that no bridge forwards.
"""

import collections
import ctypes
import select
import socket
import struct
import sys
import time

import protocols

SILENCE = 0.25          # seconds after which nothing is on its way any more
PATIENCE = 10           # seconds of frames that do not end
LATE = 0.08             # seconds; the guard's threshold is 0.1
STALLED = 0.04          # seconds; what stands still as long joins two repeats
MAGIC = b"\x02seen!"
CLONE_NEWNET = 0x40000000
BROADCAST = b"\xff" * 6
OUTGOING = 4
RCVBUFFORCE = 33

libc = ctypes.CDLL(None, use_errno=True)


def enter(namespace):
    with open(namespace, "rb") as file:
        if libc.setns(file.fileno(), CLONE_NEWNET):
            raise OSError(ctypes.get_errno(), "setns " + namespace)


def checksum(data):
    total = sum(struct.unpack(f"!{len(data) // 2}H", data))
    while total >> 16:
        total = (total & 0xffff) + (total >> 16)
    return ~total & 0xffff


def udp(mac, body):
    return struct.pack("!4H", 9999, 9999, 8 + len(body), 0) + body


def ip4(mac, body, dst=b"\xff\xff\xff\xff"):
    body = udp(mac, body)
    head = struct.pack("!BBHHHBBH4s4s", 0x45, 0, 20 + len(body), 0, 0, 64, 17,
                       0, b"\x0a\x63" + mac[4:], dst)
    return head[:10] + struct.pack("!H", checksum(head)) + head[12:] + body


def ip6(mac, body):
    body = udp(mac, body)
    source = b"\xfe\x80" + bytes(8) + mac
    return struct.pack("!IHBB", 6 << 28, len(body), 17, 1) + source + \
        b"\xff\x02" + bytes(12) + b"\x12\x34" + body


def arp(mac, body):
    return struct.pack("!HHBBH", 1, 0x0800, 6, 4, 1) + mac + \
        b"\x0a\x63" + mac[4:] + body


def llc(macs, pid, body):
    """SNAP of Cisco's, with the length that 802.3 wants."""
    body = b"\xaa\xaa\x03\x00\x00\x0c" + pid + body
    return macs + struct.pack("!H", len(body)) + body


KINDS = {
    "arp": lambda mac, body: BROADCAST + mac + b"\x08\x06" + arp(mac, body),
    "ip4": lambda mac, body: BROADCAST + mac + b"\x08\x00" + ip4(mac, body),
    "mcast": lambda mac, body: b"\x01\x00\x5e\x00\x00\x63" + mac + b"\x08\x00" +
    ip4(mac, body, b"\xe0\x00\x00\x63"),
    "ip6": lambda mac, body: b"\x33\x33\x00\x00\x12\x34" + mac + b"\x86\xdd" +
    ip6(mac, body),
    "vlan": lambda mac, body: BROADCAST + mac + b"\x81\x00\x00\x07\x08\x00" +
    ip4(mac, body),
    "other": lambda mac, body: BROADCAST + mac + b"\x88\xb5" + body,
}

# Not among those that come in turn.
OTHERS = {
    "unicast": lambda mac, body: b"\x02\xff\xff\xff\xff\xff" + mac +
    b"\x08\x00" + ip4(mac, body, b"\x0a\x63\x63\x63"),
    "cdp": lambda mac, body: llc(b"\x01\x00\x0c\xcc\xcc\xcc" + mac, b"\x20\x00", body),
    "pvst": lambda mac, body: llc(b"\x01\x00\x0c\xcc\xcc\xcd" + mac, b"\x01\x0b", body),
    "lldp": lambda mac, body: b"\x01\x80\xc2\x00\x00\x0e" + mac +
    b"\x88\xcc" + body,
}

ANY = {**KINDS, **OTHERS, **protocols.PROTOCOLS}

# As protocols.REPEATS: DHCP's retries (RFC 2131), and an ARP request that nobody
# answers.
LEGIT = protocols.REPEATS + [
    (0, "ip4", (4, 8, 16)),
    (1, "arp", (1,) * 60),
]


def is_query(data):
    """Is this frame an IGMP query? Its IPv4 header may have options."""
    return data[12:14] == b"\x08\x00" and data[23] == 2 and \
        data[14 + 4 * (data[14] & 15)] == 0x11


class Host:
    def __init__(self, word):
        name, where = word.split("=")
        namespace, dev = where.split(":")
        self.name = name.lstrip("!")
        self.listens = name == self.name
        enter("/run/netns/" + namespace)
        self.socket = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
        self.socket.bind((dev, 3 if self.listens else 0))
        self.socket.setsockopt(socket.SOL_SOCKET, RCVBUFFORCE, 1 << 25)
        self.mac = self.socket.getsockname()[4]
        self.got = collections.Counter()
        self.queries = 0

    def fileno(self):
        return self.socket.fileno()

    def take(self):
        """Counts one frame; whether it came from elsewhere."""
        data, source = self.socket.recvfrom(2048)
        where = data.find(MAGIC)
        if source[2] == OUTGOING:
            return False
        if where >= 0:
            self.got[struct.unpack_from("!I", data, where + len(MAGIC))[0]] += 1
        elif is_query(data):
            self.queries += 1
        return True


class Wire:
    def __init__(self, hosts):
        self.hosts = {host.name: host for host in hosts}
        self.counted = [host for host in hosts if host.listens]
        self.number = 0
        self.last = []
        self.late = False
        self.endless = False

    def make(self, mac, count, kind):
        """New frames, as (number, bytes); they are the last ones."""
        kind, _, size = (kind or "").partition(":")
        kinds = [kind] if kind else list(KINDS)
        self.last = []
        for _ in range(int(count)):
            self.number += 1
            name = kinds[self.number % len(kinds)]
            body = MAGIC + struct.pack("!I", self.number)
            if size:
                body = body.ljust(int(size) - len(ANY[name](mac, b"")), b"\0")
            self.last.append((self.number, ANY[name](mac, body).ljust(60, b"\0")))

    def forget(self):
        for host in self.counted:
            host.got.clear()

    def settle(self):
        """Reads until nothing has come for a while."""
        end = time.monotonic() + PATIENCE
        silent = time.monotonic() + SILENCE
        while True:
            left = min(end, silent) - time.monotonic()
            ready = select.select(self.counted, [], [], max(0, left))[0]
            if any([host.take() for host in ready]):
                silent = time.monotonic() + SILENCE
            if time.monotonic() >= min(end, silent):
                self.endless = end < silent
                return

    def totals(self):
        return " ".join(f"{host.name} {sum(host.got.values())}"
                        for host in self.counted)

    def end(self):
        """What an answer ends with."""
        return "; frames do not end" * self.endless

    def wrong(self, host, want):
        counts = [host.got[number] for number, _ in self.last]
        if all(count == want for count in counts):
            return ""
        return f"{host.name}: {counts}, not {int(want)} each; "

    def send(self, who, count, kind=None):
        sender = self.hosts[who]
        self.forget()
        self.make(sender.mac, count, kind)
        for _, frame in self.last:
            sender.socket.send(frame)
        self.settle()

    def sends(self, *args):
        self.send(*args)
        return self.totals() + self.end()

    def exact(self, who, count, kind=None):
        self.send(who, count, kind)
        wrong = "".join(self.wrong(host, host.name != who)
                        for host in self.counted)
        if not wrong:
            return "exact" + self.end()
        copies = any(host.got[number] > (host.name != who)
                     for host in self.counted for number, _ in self.last)
        return ("copies " if copies else "lost ") + wrong + self.end()

    def reach(self, who, *args):
        self.send(who, *args)
        missed = [host.name for host in self.counted if host.name != who
                  and not all(host.got[number] for number, _ in self.last)]
        return "missed by " + " ".join(missed) if missed else "reached"

    def again(self, who, times):
        self.forget()
        began = time.monotonic()
        for _ in range(int(times)):
            for _, frame in self.last:
                self.hosts[who].socket.send(frame)
        took = time.monotonic() - began
        self.settle()
        self.late = took > LATE
        return self.totals()

    def quick(self, who, times):
        totals = self.again(who, times)
        return "late" if self.late else totals

    def queries(self):
        self.settle()
        totals = " ".join(f"{host.name} {host.queries}" for host in self.counted)
        for host in self.counted:
            host.queries = 0
        return totals

    def pause(self, seconds):
        time.sleep(float(seconds))
        return "done"

    def forge(self, who, count, back, kind=None):
        sender = self.hosts[who]
        self.forget()
        self.make(sender.mac, count, kind)
        for _, frame in self.last:
            sender.socket.send(frame)
            self.hosts[back].socket.send(frame)
        self.settle()
        return self.totals()

    def both(self, *args):
        self.forge(*args)
        wrong = "".join(self.wrong(host, 1) for host in self.counted)
        return wrong or "exact"

    def stream(self, host, kind, pauses):
        """Sends a frame at each step, which yields the pause after it."""
        while True:
            self.make(host.mac, 1, kind)
            number, frame = self.last[0]
            for pause in pauses:
                host.socket.send(frame)
                self.sent[number, host.name] += 1
                self.kinds[kind] += 1
                yield pause

    def repeat(self, seconds):
        """Runs the streams; the most that a frame was late, in seconds."""
        self.forget()
        end = time.monotonic() + float(seconds)
        streams = [self.stream(self.counted[which], kind, pauses)
                   for which, kind, pauses in LEGIT]
        due = [time.monotonic()] * len(streams)
        late = 0
        self.sent, self.kinds = collections.Counter(), collections.Counter()
        while time.monotonic() < end:
            for index, stream in enumerate(streams):
                if time.monotonic() >= due[index]:
                    late = max(late, time.monotonic() - due[index])
                    pause = next(stream)
                    due[index] = time.monotonic() + pause
            left = max(0, min(due) - time.monotonic())
            for host in select.select(self.counted, [], [], left)[0]:
                host.take()
        self.settle()
        return late

    def legit(self, seconds):
        late = self.repeat(seconds)
        wrong = [f"{host.name} got {host.got[number]} of {count} from {who}"
                 for (number, who), count in self.sent.items()
                 for host in self.counted
                 if host.got[number] != (count if host.name != who else 0)]
        kinds = " ".join(f"{kind} {count}" for kind, count in self.kinds.items())
        if wrong and late > STALLED:
            return f"late by {late:.3f} s: " + "; ".join(wrong)
        return "; ".join(wrong) or f"exact {self.kinds.total()} {kinds}"

    def mac(self, name):
        return self.hosts[name].mac.hex(":")


def main():
    wire = Wire([Host(word) for word in sys.argv[1:]])
    for line in sys.stdin:
        command, *args = line.split()
        print(getattr(wire, command)(*args), flush=True)


main()

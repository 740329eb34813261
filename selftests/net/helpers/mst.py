#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""mst.py: sets multiple spanning trees of a bridge, which the packaged tools cannot set.

  enable BRIDGE               only possible while the bridge has no VLANs
  map BRIDGE VLAN MSTI        the VLAN uses the port states of this tree
  state PORT MSTI STATE       STATE is a number: 3 forwarding, 4 blocking
"""
import socket
import struct
import sys

AF_BRIDGE = 7
RTM_NEWLINK, RTM_SETLINK, RTM_NEWVLAN = 16, 19, 112
REQUEST_ACK, NESTED = 5, 0x8000
IFLA_LINKINFO, IFLA_INFO_KIND, IFLA_INFO_DATA, IFLA_AF_SPEC = 18, 1, 2, 26
IFLA_BR_MULTI_BOOLOPT, BOOLOPT_MST = 46, 1 << 2
IFLA_BRIDGE_MST, MST_ENTRY, MST_ENTRY_MSTI, MST_ENTRY_STATE = 6, 1, 1, 2
VLAN_GLOBAL, VLAN_ID, VLAN_MSTI = 2, 1, 18


def attr(kind, data):
    size = 4 + len(data)
    return struct.pack("=HH", size, kind) + data + bytes(-size % 4)


def nest(kind, *attrs):
    return attr(kind | NESTED, b"".join(attrs))


def link(family, dev):
    return struct.pack("=BxHiII", family, 0, socket.if_nametoindex(dev), 0, 0)


def ask(kind, body):
    sock = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, socket.NETLINK_ROUTE)
    sock.send(struct.pack("=IHHII", 16 + len(body), kind, REQUEST_ACK, 0, 0) + body)
    error, = struct.unpack_from("=i", sock.recv(4096), 16)
    if error:
        sys.exit(f"mst.py: error {error}")


def enable(bridge):
    option = struct.pack("=II", BOOLOPT_MST, BOOLOPT_MST)
    ask(RTM_NEWLINK, link(socket.AF_UNSPEC, bridge) +
        nest(IFLA_LINKINFO, attr(IFLA_INFO_KIND, b"bridge\0"),
             nest(IFLA_INFO_DATA, attr(IFLA_BR_MULTI_BOOLOPT, option))))


def map_vlan(bridge, vlan, msti):
    ask(RTM_NEWVLAN,
        struct.pack("=BBHI", AF_BRIDGE, 0, 0, socket.if_nametoindex(bridge)) +
        nest(VLAN_GLOBAL, attr(VLAN_ID, struct.pack("=H", int(vlan))),
             attr(VLAN_MSTI, struct.pack("=H", int(msti)))))


def state(port, msti, number):
    entry = nest(MST_ENTRY, attr(MST_ENTRY_MSTI, struct.pack("=H", int(msti))),
                 attr(MST_ENTRY_STATE, struct.pack("=B", int(number))))
    ask(RTM_SETLINK, link(AF_BRIDGE, port) +
        nest(IFLA_AF_SPEC, nest(IFLA_BRIDGE_MST, entry)))


{"enable": enable, "map": map_vlan, "state": state}[sys.argv[1]](*sys.argv[2:])

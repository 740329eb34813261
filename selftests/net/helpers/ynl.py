#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""The kernel's own netlink client (ynl), made from the spec, for ../ynl.sh.

ynl.py commands: sends each command and each dump of the spec. The current namespace must have
the device eth0 and no filter. Prints a line for each answer, with three columns separated by
tabs: what, got, want.

ynl.py events: prints a line for each notification: its name, and its attributes as JSON.
The first line is "ready".

ynl.py names: prints the name of each notification of the spec.
"""
import json
import os
import struct
import sys

VM = os.path.dirname(os.path.abspath(__file__)) + "/../../"
# Instead of this folder, which has modules of the library's own names.
sys.path[0] = VM + "ynl"
from pyynl.lib import NlError, SpecFamily, YnlFamily  # noqa: E402

SPEC = VM + "Documentation/netlink/specs/seen.yaml"
BYTES = {"entry": [{"id": "bytes"}]}
SECRET = bytes(range(16))
driven = set()
# (command, attribute of its reply) that the spec does not list.
unlisted = set()


def column(value):
    return json.dumps(value, sort_keys=True, default=lambda b: b.hex())


def same(what, got, want):
    print("\t".join([what, column(got), column(want)]))


def part(answer, want):
    """The attributes of the answer that are also in want, at any depth."""
    if isinstance(want, dict) and isinstance(answer, dict):
        return {name: part(answer.get(name), want[name]) for name in want}
    if isinstance(want, list) and isinstance(answer, list) and len(want) == len(answer):
        return [part(a, w) for a, w in zip(answer, want)]
    return answer


def check_listed(op, mode, answer):
    """Notes attributes of an answer that the spec does not have in this reply."""
    reply = client.msgs[op].yaml[mode].get("reply", {})
    unlisted.update((op, name) for name in set(answer or ()) - set(reply.get("attributes", ())))


def do(op, request, want=None):
    """Sends a command. Its answer must have what is in want; None: it has no answer."""
    answer = client.do(op, request)
    driven.add((op, "do"))
    check_listed(op, "do", answer)
    same("do %s" % op, part(answer, want), want)
    return answer


def dump(op, request, want):
    answer = client.dump(op, request)
    driven.add((op, "dump"))
    for object_ in answer:
        check_listed(op, "dump", object_)
    same("dump %s" % op, part(answer, want), want)


def refused(op, request, want):
    try:
        got = client.do(op, request)
    except NlError as error:
        got = error.nl_msg.extack.get("msg")
    same("%s refused" % op, got, want)


def packed(*keys):
    return b"".join(struct.pack("<H", len(key)) + key for key in keys)


def entries(name, *values):
    """Nests of one attribute each."""
    return [{name: value} for value in values]


def filters():
    new = {"capacity": 100000, "fpp": 10 ** 6, "key": BYTES, "secret": SECRET}
    do("filter-add", {"name": "a", "type": "bloom", **new})
    do("filter-add", {"name": "b", "type": "bloom", **new})
    do("filter-get", {"name": "a"},
       {"name": "a", "type": "bloom", "layout": "blocked", "key": BYTES,
        "stats": {"lookups": 0, "adds": 0}})
    refused("filter-get", {"name": "none"}, 'filter "none" does not exist')
    dump("filter-get", {}, [{"name": "a", "capacity": 100000}, {"name": "b"}])
    do("filter-set", {"name": "a", "on-full": "pass"})
    do("filter-get", {"name": "a"}, {"on-full": "pass"})
    do("filter-rename", {"name": "b", "new-name": "c"})
    dump("filter-get", {}, [{"name": "a"}, {"name": "c"}])
    do("filter-swap", {"name": "a", "new-name": "c"})
    do("filter-get", {"name": "c"}, {"on-full": "pass"})


def keys():
    red, green, blue = b"red", b"green", b"blue"
    do("key-add", {"filter": "a", "entry": entries("key", red, green)},
       {"entry": entries("result", "new", "new"), "done": 2})
    do("key-test", {"filter": "a", "packed": packed(red, blue)},
       {"entry": entries("result", "seen", "new")})
    do("key-test", {"filter": "a", "packed": {"len": 3, "key": red.hex()}},
       {"entry": entries("result", "seen")})
    client.do("filter-add", {"name": "m", "type": "map", "capacity": 10, "key": BYTES})
    client.do("key-add", {"filter": "m", "entry": [{"key": red, "value": 7},
                                                   {"key": green, "value": 8}]})
    do("key-add", {"filter": "m", "packed": packed(red, blue), "if-new": True},
       {"done": 2, "new": 1, "stale": 0})
    do("key-count", {"filter": "m", "entry": entries("key", red, green)},
       {"entry": [{"value": 7, "result": "seen"}, {"value": 8, "result": "seen"}]})
    do("key-del", {"filter": "m", "entry": entries("key", red)},
       {"entry": entries("result", "seen")})
    do("allow-add", {"filter": "a", "packed": packed(blue)}, {"done": 1, "new": 1})
    dump("allow-get", {"filter": "a"}, [{"entry": entries("key", blue)}])
    do("allow-del", {"filter": "a", "entry": entries("key", blue)},
       {"entry": entries("result", "seen")})
    client.do("filter-add", {"name": "s", "type": "cms", "capacity": 100,
                             "fpp": 10 ** 10, "top": 4, "key": BYTES})
    client.do("key-add", {"filter": "s", "packed": packed(b"big", b"big", b"small")})
    dump("top-get", {"filter": "s"},
         [{"entry": [{"key": b"big", "value": 2}, {"key": b"small", "value": 1}]}])


def exported(name):
    """A filter's head, and its table."""
    head = do("filter-export", {"name": name, "with-secret": True},
              {"name": name, "secret": SECRET})
    chunk = {"next": 0}
    table = b""
    while "next" in chunk:
        chunk = client.do("filter-export", {"name": name, "cookie": head["cookie"],
                                            "from": chunk["next"]})
        table += chunk["data"]
    return head, table


def imported(name, head, table):
    """A filter of the same head and table under another name."""
    given = client.msgs["filter-import"]["do"]["request"]["attributes"]
    head = {key: value for key, value in head.items() if key in given}
    del head["cookie"], head["id"]
    begun = do("filter-import", {**head, "name": name}, {"unit": 64})
    step = 30720 // begun["unit"] * begun["unit"]
    for at in range(0, len(table), step):
        client.do("filter-import", {"cookie": begun["cookie"], "from": at // begun["unit"],
                                    "data": table[at:at + step]})
    client.do("filter-import", {"cookie": begun["cookie"], "commit": True})


def tables():
    head, table = exported("a")
    imported("d", head, table)
    do("key-test", {"filter": "d", "packed": packed(b"red", b"blue")},
       {"entry": entries("result", "seen", "new")})
    do("filter-flush", {"name": "a"})
    do("filter-get", {"name": "a"}, {"entries": 0})
    do("filter-merge", {"name": "a", "new-name": "d"}, {"name": "a"})
    do("key-test", {"filter": "a", "packed": packed(b"green")},
       {"entry": entries("result", "seen")})
    whole = do("filter-get", {"name": "a"}, {"fold": None})
    do("filter-fold", {"name": "a", "capacity": 10},
       {"name": "a", "blocks": 1, "fold": whole["blocks"]})
    do("filter-get", {"name": "a"}, {"blocks": 1, "fold": whole["blocks"]})
    do("filter-del", {"name": "a"})
    refused("filter-get", {"name": "a"}, 'filter "a" does not exist')


def guards():
    guard = {"kind": "dev", "dev": "eth0", "hook": "ingress"}
    dns = [{"first": 53, "last": 53}]
    net = [{"address": bytes([192, 0, 2, 0]), "len": 24}]
    client.do("filter-add", {"name": "g", "type": "cuckoo", "capacity": 100, "fp-bits": 16,
                             "key": {"entry": [{"id": "src"}]}})
    own = client.do("filter-get", {"name": "g"})["id"]
    do("guard-add", {**guard, "filter-id": own, "match": "all", "action": "drop",
                     "udp": dns, "src": net})
    told = do("guard-get", guard, {**guard, "filter": "g", "filter-id": own, "action": "drop",
                                    "state": "armed"})
    do("guard-get", {"id": told["id"]}, {**guard})
    dump("port-get", {}, [{"guard-id": told["id"], "name": "eth0", "judged": 0}])
    dump("port-get", {"guard-id": told["id"]}, [{"name": "eth0"}])
    do("guard-add", {**guard, "filter": "g", "udp": dns, "src": net, "replace": True})
    do("guard-set", {**guard, "paused": 1})
    dump("guard-get", {}, [{**guard, "state": "paused", "udp": dns, "src": net}])
    do("guard-del", guard)
    dump("guard-get", {}, [])


def feeds():
    client.do("filter-add", {"name": "h", "type": "cuckoo", "capacity": 100, "fp-bits": 32,
                             "window": 3600 * 10**9, "key": {"entry": [{"id": "bytes"}]}})
    own = client.do("filter-get", {"name": "h"})["id"]
    do("feed-add", {"filter": "h", "filter-id": own, "records": 64, "stale": 10**9})
    refused("feed-add", {"filter": "h"}, 'filter "h" has a feed already')
    client.do("key-add", {"filter": "h", "packed": packed(b"red")})
    batch = do("feed-get", {"filter": "h"}, {"batch": 1, "lost": 0, "pending": 0})
    word, age = struct.unpack("=QQ", batch["data"])
    do("feed-get", {"filter": "h", "done": 1}, {"batch": 1, "data": b""})
    record = struct.pack("=QQ", word, 10**9)
    do("hash-add", {"filter": "h", "data": record * 2}, {"results": bytes([2, 2])})
    do("hash-del", {"filter": "h", "data": record * 2}, {"results": bytes([7, 6])})
    do("hash-add", {"filter-id": own, "data": record, "age": 5 * 10**9}, {"results": bytes([1])})
    do("hash-add", {"filter": "h", "age": 6 * 10**9}, {"results": b""})
    told = do("filter-get", {"name": "h"}, {"name": "h"})["feed"]
    same("the feed of a filter", {**told, "age": told["age"] >= 5 * 10**9},
         {"records": 64, "stale": 10**9, "total": 1, "lost": 0, "pending": 0, "age": True,
          "is-stale": True})
    do("feed-del", {"filter": "h"})
    refused("feed-get", {"filter": "h"}, 'filter "h" has no feed; use feed add')
    client.do("filter-del", {"name": "h"})


def commands():
    """And then: has each command of the spec been sent?"""
    filters()
    keys()
    tables()
    guards()
    feeds()
    known = {(name, mode) for name, op in client.ops.items() for mode in op.modes}
    same("every command and dump of the spec", sorted(known - driven), [])
    same("every attribute of a reply is in the spec", sorted(unlisted), [])


def events():
    client.ntf_subscribe("events")
    print("ready", flush=True)
    for event in client.poll_ntf():
        print(event["name"], column(event["msg"]), flush=True)


def names():
    for name in SpecFamily(SPEC, schema_path="").ntfs:
        print(name)


if sys.argv[1] == "names":
    names()
else:
    client = YnlFamily(SPEC, schema="")
    {"commands": commands, "events": events}[sys.argv[1]]()

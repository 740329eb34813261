#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Does the spec follow the kernel's own schema of its protocol, and does the kernel's own
library resolve every name in it? Run from the top of the tree; TAP."""
import os
import subprocess
import sys
import yaml

SPEC = "Documentation/netlink/specs/seen.yaml"
YNL = subprocess.run(["selftests/vm/ynl.sh"], check=True, text=True,
                     stdout=subprocess.PIPE).stdout.strip()
sys.dont_write_bytecode = True
sys.path.insert(0, YNL)
import jsonschema  # noqa: E402
from pyynl.lib import SpecFamily  # noqa: E402

count = failed = 0


def check(what, problems):
    global count, failed
    count += 1
    failed += bool(problems)
    print("%sok %d - %s" % ("not " if problems else "", count, what))
    for problem in problems:
        print("# " + problem)


def broken_rules(spec):
    """By the schema of the protocol that the spec names."""
    schema = "%s/netlink/%s.yaml" % (YNL, spec["protocol"])
    rules = jsonschema.Draft7Validator(yaml.safe_load(open(schema)))
    return ["%s: %s" % ("/".join(map(str, e.absolute_path)), e.message)
            for e in rules.iter_errors(spec)]


def unresolved():
    try:
        return unknown_names(SpecFamily(SPEC, schema_path=""))
    except (KeyError, AttributeError) as error:
        return ["%s: %s" % (type(error).__name__, error)]


def unknown_names(family):
    """Names that the schema takes for any text: of attributes, sets, enums, groups."""
    groups = {"enum": family.consts, "struct": family.consts,
              "nested-attributes": family.attr_sets}
    for attrs in family.attr_sets.values():
        for name, attr in attrs.items():
            yield from ("%s %s: %s %s" % (attrs.name, name, kind, attr[kind])
                        for kind, known in groups.items()
                        if kind in attr and attr[kind] not in known)
    for op in family.msgs.values():
        yield from ("%s: %s" % (op.name, name) for name in attributes(op.yaml)
                    if name not in op.attr_set)
        if op.is_async and op["mcgrp"] not in family.mcast_groups:
            yield "%s: group %s" % (op.name, op["mcgrp"])


def attributes(op):
    """All attributes that an operation lists."""
    for mode in "do", "dump":
        for part in op.get(mode, {}).values():
            yield from part.get("attributes", [])
    yield from op.get("event", {}).get("attributes", [])


print("TAP version 13")
print("1..2")
check("the spec follows the kernel's schema", broken_rules(yaml.safe_load(open(SPEC))))
check("every name in it is defined", list(unresolved()))
sys.exit(failed > 0)

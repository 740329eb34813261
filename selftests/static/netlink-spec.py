#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""The netlink spec follows the kernel's schema for its protocol, the kernel's library resolves
every name in it, the enums of the header equal those that the kernel's generator makes from the
spec, each reply lists every attribute that the module puts into it, and the helper that sends
requests of the tests has every name. Run from the top of the tree; prints TAP."""
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile
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
    """Violations of the schema of the protocol that the spec names."""
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
    """Undefined attributes, sets, enums and groups: the schema accepts any text there."""
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


def enums(header):
    """{enum: its constants}"""
    found = re.findall(r"^enum (\w*) ?\{(.*?)^\};", header, re.S | re.M)
    return {name: re.findall(r"^\t(?:/\* private: \*/)?\s*(\w+)", body, re.M)
            for name, body in found}


def without_nests():
    """The spec for the generator, which does not allow a set both in a message and in a nest.
    Names do not depend on the types of attributes, so the nests can be dropped."""
    spec = yaml.safe_load(open(SPEC))
    for group in spec["attribute-sets"]:
        for attr in group["attributes"]:
            if attr.pop("nested-attributes", None):
                attr["type"] = "binary"
                attr.pop("multi-attr", None)
    return spec


def generated():
    """The header that the kernel's generator makes, in a folder like the kernel's."""
    with tempfile.TemporaryDirectory() as top:
        os.makedirs(top + "/netlink/specs")
        open(top + "/MAINTAINERS", "w").close()
        for schema in os.listdir(YNL + "/netlink"):
            shutil.copy(YNL + "/netlink/" + schema, top + "/netlink")
        with open(top + "/netlink/specs/seen.yaml", "w") as spec:
            spec.write("# SPDX-License-Identifier: ((GPL-2.0 WITH Linux-syscall-note) OR "
                       "BSD-3-Clause)\n")
            yaml.safe_dump(without_nests(), spec)
        return subprocess.run(
            [sys.executable, YNL + "/pyynl/ynl_gen_c.py", "--mode", "uapi", "--header",
             "--spec", top + "/netlink/specs/seen.yaml"],
            check=True, text=True, stdout=subprocess.PIPE).stdout


def misnamed():
    """Enums and constants whose names in the header differ from the generator's."""
    made = enums(generated())
    # The generator numbers attributes and commands from 1, and has no name for 0.
    given = {name: [c for c in constants if not c.endswith("_UNSPEC") or
                    c in made.get(name, [])]
             for name, constants in enums(open("uapi/linux/seen.h").read()).items()}
    for name in sorted(set(made) | set(given)):
        ours, theirs = given.get(name, []), made.get(name, [])
        if ours != theirs:
            yield "enum %s: header: %s" % (name, [c for c in ours if c not in theirs])
            yield "enum %s: spec: %s" % (name, [c for c in theirs if c not in ours])


# The files that put an object into a message, and the commands whose replies contain it.
PUTS = {
    "FILTER": (("netlink_filter_get", "netlink_filter_type", "keyspec"),
               ("filter-get", "filter-merge", "filter-fold", "filter-export")),
    "GUARD": (("netlink_guard_get", "netlink_guard_match"), ("guard-get",)),
    "PORT": (("netlink_port",), ("port-get",)),
    "KEY": (("netlink_key_run",), ("key-add", "allow-add")),
}


def put_by(files, group):
    """Attributes of a set that these files put into messages."""
    text = "".join(open("kmod/%s.c" % name).read() for name in files)
    found = re.findall(r"(?:put\w*|nest_start)\(\s*skb,\s*SEEN_A_%s_(\w+)" % group, text)
    return {name.lower().replace("_", "-") for name in found}


def unlisted():
    ops = {op["name"]: op for op in yaml.safe_load(open(SPEC))["operations"]["list"]}
    for group, (files, names) in PUTS.items():
        put = put_by(files, group)
        if len(put) < 3:
            yield "%s: nothing is put" % group
        for name in names:
            for way in "do", "dump":
                reply = ops[name].get(way, {}).get("reply")
                if reply:
                    yield from ("%s %s: %s" % (name, way, attr)
                                for attr in sorted(put - set(reply["attributes"])))


def unsendable():
    """Requests and attributes that selftests/net/requests.py has another way."""
    place = importlib.util.spec_from_file_location("requests", "selftests/net/requests.py")
    requests = importlib.util.module_from_spec(place)
    place.loader.exec_module(requests)
    spec = yaml.safe_load(open(SPEC))
    names = dict(enumerate(requests.COMMANDS))
    for op in spec["operations"]["list"]:
        if "do" in op or "dump" in op:
            if names.get(op["value"]) != upper(op["name"]):
                yield "command %s" % op["name"]
    for group in spec["attribute-sets"]:
        have = requests.ATTRIBUTES.get(upper(group["name"]))
        if have and have != ["UNSPEC"] + [upper(a["name"]) for a in group["attributes"]]:
            yield "attributes of %s" % group["name"]


def upper(name):
    return name.upper().replace("-", "_")


print("TAP version 13")
print("1..5")
check("the spec follows the kernel's schema", broken_rules(yaml.safe_load(open(SPEC))))
check("every name in it is defined", list(unresolved()))
check("the header's enums are those of the spec", list(misnamed()))
check("a reply lists each attribute that the module puts into it", list(unlisted()))
check("the tests can send each request with each attribute", list(unsendable()))
sys.exit(failed > 0)

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""answer.py fits SCHEMA PART <ANSWER: validates JSON by the PART of the schema. Prints "good"
or the error.

answer.py shape <ANSWER: prints the members, sorted, with their types, one per line. All items
of an array count as one."""
import json
import sys

import jsonschema

TYPES = {dict: "object", list: "array", str: "text", bool: "bool", int: "integer",
         float: "real", type(None): "null"}


def fits(path, part):
    with open(path, encoding="utf-8") as file:
        schema = json.load(file)
    schema.pop("anyOf")
    schema["$ref"] = "#/$defs/" + part
    checker = jsonschema.Draft202012Validator(schema)
    checker.check_schema(schema)
    error = jsonschema.exceptions.best_match(checker.iter_errors(json.load(sys.stdin)))
    return "good" if error is None else "%s: %s" % (error.json_path, error.message[:200])


def members(value, path):
    if isinstance(value, dict):
        for name in value:
            yield from members(value[name], path + "." + name)
    elif isinstance(value, list):
        yield "%s[]" % path
        for item in value:
            yield from members(item, path + "[]")
    else:
        yield "%s %s" % (path, TYPES[type(value)])


def main():
    if sys.argv[1] == "fits":
        print(fits(*sys.argv[2:]))
    else:
        print(*sorted(set(members(json.load(sys.stdin), ""))), sep="\n")


main()

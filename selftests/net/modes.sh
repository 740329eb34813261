#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# An export and an import consist of several requests: begin, chunk, end. An attribute that
# a request does not use is refused, with its name. No attribute is ignored.

. "$(dirname "$0")/../lib.sh"

here=$(cd "$(dirname "$0")" && pwd)
plan 4
box=
ns box
at "$box" seenctl filter add a type bloom capacity 10

modes() {
	at "$box" python3 "$here/helpers/modes.py" "$1" 2>&1
}

between "requests with attributes of other requests" "$(modes tried)" 120 200
is "no request ignores an attribute" "$(modes ignored)" ""
is "no request refuses its own attribute" "$(modes refused)" ""
is "each refusal names the attribute" "$(modes unnamed)" ""

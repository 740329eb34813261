#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The kernel tells what each command takes, and the range of each value. Both are those of
# the spec.

. "$(dirname "$0")/../lib.sh"

here=$(cd "$(dirname "$0")" && pwd)
plan 4
box=
ns box

policy() {
	at "$box" python3 "$here/helpers/policy.py" "$1" 2>&1
}

is "each command has a policy" "$(policy commands)" "24 of 24"
is "each takes what the spec says, and no more" "$(policy taken)" ""
is "each dump takes what its policy says, and no more" "$(policy dumps)" \
	$'filter-get\nguard-get\nallow-get\ntop-get\nport-get'
is "types and ranges are those of the spec" "$(policy ranges)" ""

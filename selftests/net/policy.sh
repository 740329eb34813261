#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The kernel reports which attributes each command accepts, and the range of each value. Both are
# as in the spec. An attribute without effect is refused.

. "$(dirname "$0")/../lib.sh"

here=$(cd "$(dirname "$0")" && pwd)
plan 6
box=
ns box

policy() {
	at "$box" python3 "$here/helpers/policy.py" "$1" 2>&1
}

is "each command has a policy" "$(policy commands)" "29 of 29"
is "each command accepts the attributes of the spec only" "$(policy taken)" ""
is "each dump accepts the attributes of its policy only" "$(policy dumps)" \
	$'filter-get\nguard-get\nallow-get\ntop-get\nport-get'
is "types and ranges are those of the spec" "$(policy ranges)" ""

# --- what an import takes depends on the type of its filter ----------------------------

# imported TYPE: the kernel's answer to a commit with a total
imported() {
	local id

	at "$box" seenctl filter add "$1" type "$1" capacity 100 >/dev/null
	id=$(at "$box" seenctl -j filter show "$1" | jq .[0].id)
	at "$box" python3 "$here/helpers/import_replace.py" --total 9 "$1" "$id" true
}

is "a sketch accepts a total" "$(imported cms)" "done "
is "another type refuses a total" "$(imported cuckoo)" "EINVAL total: needs type cms or cmm"

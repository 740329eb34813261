#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The kernel imports snapshot files that each version has written: every key is found, counts and
# values are unchanged, and a new export has the same header.

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/helpers/lib.sh"
. "$(dirname "$0")/helpers/golden.sh"

box=''
ns box
taken=taken
clock=$(dirname "$(type -P race)")/clock.so

clocked() {
	LD_PRELOAD=$clock at "$box" seenctl "$@"
}

take() {
	at "$box" seenctl filter del "$taken" 2>/dev/null
	clocked filter import "$taken" "$1"
}

# The header without the name, and without on-full (byte 52), which the kernel sets if the file
# does not.
golden_parts="0-8 10-16 32-40 44-52 64-208 240-448"

golden_want() {
	jq '.on_full //= (
		if .type == "cuckoo" and .window then "evict"
		elif .type | IN("bitmap", "cms", "cmm") then null
		else "reject" end)' <<<"$1" | golden_shape
}

seen() {
	at "$box" seenctl key test "$taken" - | sed -n 's/ seen$//p'
}

told() {
	at "$box" seenctl -j filter show "$taken" | jq '.[0]'
}

rewritten() {
	clocked filter export "$taken" "$lib_dir/again.seen" --with-secret >&2
	echo "$lib_dir/again.seen"
}

# counts NAME KEYS: line n of the keys came 1 + n % 3 times.
counts() {
	take "$golden/$1.seen"
	golden_keys "$2" 1 40 | at "$box" seenctl key count "$taken" - |
		diff - <(golden_keys "$2" 1 40 |
			awk -v map="$1" '{ print $0, map == "map" ? NR : 1 + NR % 3 }')
}

plan $(($(golden_plan) + 5))
golden_all
golden_clock 9
check "counting: counts" counts counting port
check "map: values" counts map src
check "cms: counts" counts cms bytes
check "cms with a window: counts" counts cms-window service
check "cmm: counts" counts cmm bytes

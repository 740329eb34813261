#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Lists of keys on their way to the kernel. The formats of lists are those of
# tools/list.sh, since the same code reads them.

. "$(dirname "$0")/../lib.sh"

space=

ctl() {
	seenctl -n "$space" "$@"
}

# tell FILTER PATH: from its description.
tell() {
	ctl -s -j filter show "$1" | jq -r ".[0]$2"
}

loads() {
	ctl filter add hosts type map capacity 1000 key host
	is "bad lines are told and skipped, and the rest is added" "$(printf \
		'192.0.2.1 # a\r\nbad\n192.0.2.2 name ;b\n192.0.2.4-192.0.2.5' |
		ctl -s key add hosts - 2>&1)" \
		"seenctl: key add: line 2: src: not an IPv4 or IPv6 address: bad
keys 4 new 4 skipped 1"
	refuse "with a status that fails" 2 "line 1: src: not an IPv4 or IPv6 address: 300" \
		ctl key add hosts - <<<"300 x 1"
	refuse "--strict" 2 "1 lines are bad: nothing is done" \
		ctl key add hosts --strict - < <(printf '192.0.2.9\nbad x\n')
	is "adds nothing" "$(ctl key test hosts 192.0.2.9)" "192.0.2.9 new"
	check "and all if none is bad" ctl key add hosts --strict - \
		< <(seq -f '198.51.100.%.0f' 1 200)
	is "all" "$(tell hosts .entries)" 204
	check "CSV, by name" ctl key add hosts --csv ip,port - \
		< <(printf '"seen","ip","port"\n"1","203.0.113.1","443"\n')
	is "with a value" "$(ctl key count hosts 203.0.113.1)" "203.0.113.1 443"
	is "a key without a value keeps the one that is there" "$(ctl key add hosts \
		203.0.113.1; ctl key count hosts 203.0.113.1)" "203.0.113.1 443"
	check "--copies: not so" ctl key add hosts --copies 203.0.113.1
	is "as it was" "$(ctl key count hosts 203.0.113.1)" "203.0.113.1 0"
	refuse "a list is deleted, and what was not there is said" 1 \
		"1 of 201 keys were not there" ctl key del hosts - \
		< <(printf '%s\n' 198.51.100.0 '198.51.100.1 - 198.51.100.200 # all')
	is "an allow list, too" "$(printf '192.0.2.0/30 # net\n' |
		ctl allow add hosts -; ctl allow show hosts | wc -l)" 4
}

# Each type: what an address that is added three times has, after one delete.
once() {
	local type

	for type in "cuckoo bits 32" map; do
		# shellcheck disable=SC2086
		ctl filter add f type $type capacity 100
		ctl key add f 192.0.2.1 192.0.2.1
		ctl key add f - <<<192.0.2.1
		check "$type: what is there is not stored again" ctl key del f 192.0.2.1
		is "$type: so it has gone" "$(ctl key test f 192.0.2.1)" "192.0.2.1 new"
		ctl filter del f
	done
	ctl filter add f type bloom capacity 100
	is "bloom" "$(ctl -s key add f 192.0.2.1 192.0.2.1)" "keys 2 new 1 seen 1"
	ctl filter del f
	ctl filter add f type bitmap range 192.0.2.0/24
	is "bitmap" "$(ctl -s key add f 192.0.2.1 192.0.2.1)" "keys 2 new 1 seen 1"
	ctl filter del f
	ctl filter add f type counting capacity 100
	ctl key add f 192.0.2.1 192.0.2.1
	is "counting counts each add" "$(ctl key count f 192.0.2.1)" "192.0.2.1 2"
	ctl filter del f
	ctl filter add f type cms capacity 100
	ctl key add f 192.0.2.1 192.0.2.1
	is "cms, too" "$(ctl key count f 192.0.2.1)" "192.0.2.1 2"
	ctl filter del f
}

plan 21
ns space
loads
once

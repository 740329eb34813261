# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Sourced after ../lib.sh by the tests that read ../golden, files of each version. They say
# how: take FILE (it is what is asked from now on), seen (of the keys, one a line, those
# that are), told (what it is, as JSON), rewritten (the name of a file that has it again).
# What reads the clock of the day has SEEN_CLOCK in its environment: helpers/clock.c of
# ../tools.

golden=$(cd "$(dirname "${BASH_SOURCE[0]}")/../golden" && pwd)
# When the last of their keys came; with a window of an hour, the first 20 were 50 minutes
# old by then.
GOLDEN_WRITTEN=1767228600
MINUTE=60
# Of a command that refuses a file.
golden_status=1
golden_parts="0-8 10-16 32-40 44-56 64-448"

golden_rows() {
	grep -v '^#' "$golden/table"
}

# golden_plan: as many results as golden_all has.
golden_plan() {
	golden_rows | awk '{ sum += 5 + (/"window"/ ? 1 + /"bits"/ : 0) }
		END { print 3 + sum }'
}

# golden_clock MINUTES: as many after they were written.
golden_clock() {
	export SEEN_CLOCK=$((GOLDEN_WRITTEN + $1 * MINUTE))
}

# golden_keys KEYS FIRST LAST
golden_keys() {
	sed -n "$2,$3p" "$golden/keys/$1"
}

# golden_want TYPE: what is told of what the table has so; net/golden.sh has its own.
golden_want() {
	echo "$1"
}

golden_shape() {
	jq -c '{type, layout, bits, capacity, fpp, range, window, refresh, key,
		threshold, conservative, top, on_full, hashes, blocks, tick, entries,
		total} | with_entries(select(.value != null)) |
		if .conservative then . else del(.conservative) end'
}

# golden_head FILE: the header, but for its time, how the table is stored, and checksums.
golden_head() {
	local part

	for part in $golden_parts; do
		od -An -v -tx1 -j "${part%-*}" -N $((${part#*-} - ${part%-*})) "$1"
	done | tr -d ' \n'
}

# golden_ages NAME KEYS TYPE: what a window does to them. Each time that it was taken
# before may have added a tick: a stamp's is 3 minutes, a generation's 30.
golden_ages() {
	if [[ $3 = *'"bits"'* ]]; then
		golden_clock 30
		take "$golden/$1.seen"
		is "$1: half an hour later the younger ones are left" \
			"$(golden_keys "$2" 1 40 | seen)" "$(golden_keys "$2" 21 40)"
	fi
	golden_clock 300
	take "$golden/$1.seen"
	is "$1: later on none is" "$(golden_keys "$2" 1 40 | seen)" ""
}

# golden_file NAME KEYS OTHERS TYPE: a line of the table.
golden_file() {
	golden_clock 9
	check "$1: is taken" take "$golden/$1.seen"
	is "$1: is what it was" "$(told | golden_shape)" \
		"$(golden_want "$4")"
	is "$1: every key is seen" "$(golden_keys "$2" 1 40 | seen)" \
		"$(golden_keys "$2" 1 40)"
	is "$1: of others as many as then" \
		"$(golden_keys "$2" 41 240 | seen | wc -l)" "$3"
	is "$1: written again it has the same header" \
		"$(golden_head "$(rewritten "$2")")" \
		"$(golden_head "$golden/$1.seen")"
	[[ $4 != *'"window"'* ]] || golden_ages "$1" "$2" "$4"
}

# Version 1 hashed payloads in another way. Its keys with a payload are refused.
golden_refused() {
	golden_clock 9
	refuse "version 1, a key with a payload: is refused" $golden_status "payload" \
		take "$golden/cuckoo-window-24.seen"
}

golden_all() {
	local name keys others type

	check "the files are those of then" \
		env -C "$golden" sha256sum --quiet -c sums
	while IFS=$'\t' read -r -u 3 name keys others type; do
		golden_file "$name" "$keys" "$others" "$type"
	done 3< <(golden_rows)
	golden_refused
	is "what is written is of version 2" \
		"$(od -An -tu2 -j 8 -N 2 "$(golden_clock 9; take "$golden/bloom-v2.seen"
			rewritten datagram)" | tr -d ' ')" 2
}

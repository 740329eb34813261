# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Sourced after ../lib.sh by the tests that read ../golden, which has files of each version.
# Such a test defines the functions that golden_file calls: one imports a file, one prints those
# of the keys on standard input that are seen, one prints the filter as JSON, and `rewritten`
# exports the filter again and prints the name of the file. Programs that read the wall clock get
# the time SEEN_CLOCK from ../tools/helpers/clock.c.

golden=$(cd "$(dirname "${BASH_SOURCE[0]}")/../golden" && pwd)
# The time when their last keys were added. In files with a window, which is an hour, the first
# 20 keys were 50 minutes old at that time.
GOLDEN_WRITTEN=1767228600
MINUTE=60
# The exit status of a command that refuses a file.
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

# golden_clock MINUTES: sets the clock to this time after the files were written.
golden_clock() {
	export SEEN_CLOCK=$((GOLDEN_WRITTEN + $1 * MINUTE))
}

# golden_keys KEYS FIRST LAST
golden_keys() {
	sed -n "$2,$3p" "$golden/keys/$1"
}

# golden_want TYPE: prints the expected description; net/golden.sh overrides it.
golden_want() {
	echo "$1"
}

golden_shape() {
	jq -c '{type, layout, bits, capacity, fpp, range, window, refresh, key,
		threshold, conservative, top, on_full, hashes, blocks, tick, entries,
		total} | with_entries(select(.value != null)) |
		if .conservative then . else del(.conservative) end'
}

# golden_head FILE: prints the header without its time, compression and checksums.
golden_head() {
	local part

	for part in $golden_parts; do
		od -An -v -tx1 -j "${part%-*}" -N $((${part#*-} - ${part%-*})) "$1"
	done | tr -d ' \n'
}

# golden_ages NAME KEYS TYPE: keys expire. Each earlier import of the file may have delayed that
# by a tick, which is 3 minutes for stamps and 30 minutes for generations.
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

# Version 1 hashed payloads differently. Files of version 1 with such keys are refused.
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

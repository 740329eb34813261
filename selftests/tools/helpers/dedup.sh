# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Sourced by the tests of seenctl dedup: makes input lines, runs dedup, and reads its statistics.

# lines SEED COUNT KINDS: prints COUNT lines with at most KINDS different texts, some of them long.
lines() {
	mawk -v seed="$1" -v count="$2" -v kinds="$3" 'BEGIN {
		srand(seed)
		for (i = 0; i < count; i++) {
			n = int(rand() * kinds)
			printf "https://site-%d.example/%x/%d", n % 997, n * 31, n
			if (n % 50 == 0)
				printf "?%0300d", n
			print ""
		} }'
}

# figure NAME: prints a number of the statistics in the file err.
figure() {
	sed 's/seenctl: .*//' err | jq ".$1"
}

# same WHAT EXPECTED ARG...: dedup of the file in prints the content of the file EXPECTED.
same() {
	local what=$1 want=$2

	shift 2
	seenctl -j dedup "$@" <in >out 2>err
	is "$what" "$? $(cmp out "$want" 2>&1)" "0 "
}

# one WHAT TEXT EXPECTED ARG...: the same with texts, in which printf's escapes are expanded.
one() {
	local what=$1

	printf %b "$2" >in
	printf %b "$3" >want
	shift 3
	same "$what" want "$@"
}

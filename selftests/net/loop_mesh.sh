#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Four bridges, each linked with each of the others: seven loops. Each loop passes s1 or
# s2, or both. First s1 and s2 are guarded, then all four bridges.
#
#	h1 - s1 ------ s2 - h2
#	     |  \    /  |
#	     |    \/    |
#	     |    /\    |
#	     |  /    \  |
#	h4 - s4 ------ s3 - h3

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/helpers/loops.sh"

plan 24
switches s1 s2 s3 s4
for n in 1 2 3 4; do
	host "h$n" "s$n"
done
everybody=(h1 h2 h3 h4 self)
hosts h1 h2 h3 h4 self=s1:br0
events events "$s1"
guard s1
guard s2
for pair in "s1 s2" "s1 s3" "s1 s4" "s2 s3" "s2 s4" "s3 s4"; do
	# shellcheck disable=SC2086 # two words
	wire $pair
done
ready s1 s2 s3 s4

heals=1
ask sends h3 6
check "two guarded: a port is blocked" await_block events
exactly_when="two guarded"
all_exactly 12 "${everybody[@]}"

guard s3
guard s4
exactly_when="four guarded"
all_exactly 12 "${everybody[@]}"

unguard
heals=
for n in 1 2 3 4; do
	guard "s$n" no-block
done
rejoin
exactly_when="four guarded, no-block"
all_exactly 24 "${everybody[@]}"
for n in 1 2 3 4; do
	is "no-block: s$n has blocked nothing" \
		"$(ports "s$n" 'map(.blocks) | add')" 0
	between "no-block: s$n has dropped copies" \
		"$(ports "s$n" 'map(.dropped) | add')" 1 100000
done

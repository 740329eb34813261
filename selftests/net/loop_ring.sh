#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Rings of three and of four bridges; one, two or all of the bridges are guarded. Each
# bridge has a host; the bridge device of s1 is a host, too.
#
#	h1 - s1 --- s2 - h2		h1 - s1 --- s2 - h2
#	       \   /			     |       |
#	        s3			     |       |
#	        |			     |       |
#	        h3			h4 - s4 --- s3 - h3

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/helpers/loops.sh"

plan 36
switches s1 s2 s3 s4
for n in 1 2 3 4; do
	host "h$n" "s$n"
done
everybody=(h1 h2 h3 h4 self)
hosts h1 h2 h3 h4 self=s1:br0
events events "$s1"

# A guard is there before the ring closes: nothing slows a storm.
guard s1
wire s1 s2
wire s2 s3
wire s3 s1
three=$wire
wire s3 s4
ready s1 s2 s3 s4
ask sends h3 6
check "ring of three: a port is blocked" await_block events
exactly_when="ring of three, one guarded"
all_exactly 12 "${everybody[@]}"

guard s2
exactly_when="ring of three, two guarded"
heals=1
all_exactly 12 "${everybody[@]}"

unguard
for n in 1 2 3; do
	guard "s$n" no-block
done
rejoin
heals=
exactly_when="ring of three, all guarded, no-block"
all_exactly 12 "${everybody[@]}"

# s4, which hung on s3, becomes a part of the ring.
ip -n "$s1" link del "$three"
wire s4 s1
unguard
guard s1
rejoin
ready s1 s2 s3 s4
ask sends h3 6
check "ring of four: a port is blocked" await_block events
exactly_when="ring of four, one guarded"
all_exactly 12 "${everybody[@]}"

guard s3
exactly_when="ring of four, two guarded"
heals=1
all_exactly 12 "${everybody[@]}"

unguard
for n in 1 2 3 4; do
	guard "s$n" no-block
done
rejoin
heals=
exactly_when="ring of four, all guarded, no-block"
all_exactly 12 "${everybody[@]}"
for n in 1 2 3 4; do
	is "no-block: s$n has blocked nothing" \
		"$(ports "s$n" 'map(.blocks) | add')" 0
done

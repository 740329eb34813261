#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# A loop is made, broken and made again while both of its bridges are guarded. Then copies
# come back to both bridges without a loop.
#
#	h1 --- s1 === s1s2a === s2 --- h2
#	          === s1s2b ===

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/helpers/loops.sh"

plan 14
switches s1 s2
host h1 s1
host h2 s2
guard s1
guard s2
wire s1 s2
ready s1 s2
events events "$s1"

exactly_when="no loop yet"
wire s1 s2
hosts h1 h2 "!b=s2:s1s2a" "!c=s1:s1s2b"
ip -n "$s1" link set s1s2b nomaster
all_exactly 12 h1 h2
heals=1

ip -n "$s1" link set s1s2b master br0
ready s1
# The bridge that first proves the loop a second time blocks a port, which ends the loop. So the
# other bridge does not complete its proof.
one_cut() {
	[ "$(ports s1 'map(.blocked) | any')$(ports s2 'map(.blocked) | any')" != falsefalse ]
}

ask sends h1 6
check "the loop is made: a port is blocked" await 20 one_cut
exactly_when="the loop is made"
all_exactly 12 h1 h2

ip -n "$s1" link set s1s2b nomaster
exactly_when="the loop is broken"
all_exactly 12 h1 h2

ip -n "$s1" link set s1s2b master br0
ready s1
exactly_when="the loop is made again"
all_exactly 12 h1 h2

# Copies of h1's frames arrive at s1, and copies of h2's frames at s2, but a program sends them:
# with flooding off between the bridges nothing circles.
flood() {
	local name port

	for name in s1 s2; do
		for port in s1s2a s1s2b; do
			bridge -n "${!name}" link set dev $port \
				bcast_flood "$1" mcast_flood "$1" flood "$1"
		done
	done
}

all_blocks() {
	echo "$(ports s1 'map(.blocks) | add') $(ports s2 'map(.blocks) | add')"
}

unguard
guard s1
guard s2
rejoin
flood off
ask forge h1 6 b
ask forge h2 6 c
check "copies that a program sends are probed" heard events 20 "probed"
is "these copies block no port" "$(all_blocks)" "0 0"
flood on
ask sends h1 6
check "frames that circle block a port" await 20 one_cut
heals=1
exactly_when="while the loop lasts"
all_exactly 12 h1 h2

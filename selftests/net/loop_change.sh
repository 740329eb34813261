#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# A loop that is made, broken and made again while both of its bridges are
# guarded; and one that both bridges cut at a time, at different links.
#
#	h1 --- s1 === s1s2a === s2 --- h2
#	          === s1s2b ===

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/helpers/loops.sh"

plan 13
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
ask sends h1 6
check "the loop is made: a port is blocked" await_block events
exactly_when="the loop is made"
all_exactly 12 h1 h2

ip -n "$s1" link set s1s2b nomaster
exactly_when="the loop is broken"
all_exactly 12 h1 h2

ip -n "$s1" link set s1s2b master br0
ready s1
exactly_when="the loop is made again"
all_exactly 12 h1 h2

# Nothing floods between the two, so nothing comes back; but frames of h1 come
# back at s1 by the one link, and frames of h2 at s2 by the other.
flood() {
	local name port

	for name in s1 s2; do
		for port in s1s2a s1s2b; do
			bridge -n "${!name}" link set dev $port \
				bcast_flood "$1" mcast_flood "$1" flood "$1"
		done
	done
}

# cut LINK: one of the two has blocked it.
cut() {
	[ "$(ports s1 "map(select(.name == \"$1\").blocked)")$(
		ports s2 "map(select(.name == \"$1\").blocked)")" != \
		"[false][false]" ]
}

parted() {
	cut s1s2a && cut s1s2b
}

# Blocks last for some seconds only, at first; for twice as long the next time.
part() {
	for _ in {1..6}; do
		flood off
		ask forge h1 6 b
		ask forge h2 6 c
		flood on
		parted || continue
		ask sends h1 6
		! parted || return
	done
	answer="not parted"
}

unguard
guard s1
guard s2
rejoin
part
is "both links are cut, one here and one there: nothing passes" \
	"$answer" "h1 0 h2 0"
exactly_when="the partition has healed by itself"
all_exactly 12 h1 h2
check "by a release" heard events 30 "port-released .* port s1s2a"

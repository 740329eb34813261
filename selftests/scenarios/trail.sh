#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# A ring of three guarded bridges with trails. With the filters of the guards each broadcast reaches
# each other host once; with trails alone it ends a round and a hop after it entered. The page is
# Documentation/scenarios/trail.md.
#
# Direction of error: a wrong second hit loses a frame. The frames of this test are too few for
# that.
#
#	h1     h2     h3
#	$s1 -- $s2 -- $s3
#	  \___________/

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../net/helpers/lib.sh"
. "$(dirname "$0")/../net/helpers/loops.sh"
. "$(dirname "$0")/../net/helpers/page.sh"

FRAMES=20

plan 22
s1='' s2=''
switches s1 s2 s3
for n in 1 2 3; do
	host h$n s$n
done
page "$(dirname "$0")/../Documentation/scenarios/trail.md"

# each WHAT: the next block succeeds on all bridges.
each() {
	local name

	page_step "$s1" "$1, on s1"
	for name in s2 s3; do
		check "$1, on $name" page_again "${!name}"
	done
}

each "guards with trails"
switches_guarded=(s1 s2 s3)
wire s1 s2
wire s2 s3
wire s3 s1
ready s1 s2 s3
hosts h1 h2 h3
all_exactly 12 h1 h2 h3

each "trails alone"
events events "$s2"
# Two copies of each frame circle, one in each direction. Each passes each bridge once, the first
# one again, and ends at the second.
ask sends h1 $FRAMES ip4
is "each copy goes around once" "$answer" "h1 $((2 * FRAMES)) h2 $((2 * FRAMES)) h3 $((2 * FRAMES))"
is "it ends at the bridges next to the first one" \
	"$(for name in s1 s2 s3; do ports $name 'map(.trail_loops) | add'; done | tr '\n' ' ')" \
	"0 $FRAMES $FRAMES "
page_step "$s2" "what the guard tells"
match "it tells the length of the loop" "$page_out" "loop through 3 nodes: port s1s2a"
check "so does an event" heard events 20 "circled .*found loop through 3 nodes: port s1s2a"
for kind in arp ip6 mcast vlan; do
	ask sends h1 $FRAMES $kind
	is "$kind: the same" "$answer" "h1 $((2 * FRAMES)) h2 $((2 * FRAMES)) h3 $((2 * FRAMES))"
done

page_step "$s1" "an edge"
page_step "$s1" "signed trails"
is "the guard has them" "$(at "$s1" seenctl -j guard show | jq 'map(.trail.auth) | all')" true
page_end

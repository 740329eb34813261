#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Rings of three and four bridges, all guarded. The ring is cut once: the bridge that first proves
# the loop a second time blocks a port, so the other bridges cannot complete their proof. In one
# of twenty rings two bridges may block at the same time; then all hosts reach each other again
# after ten seconds.
#
#	h1 --- s1 --- s2 --- h2
#	       |      |
#	h4 --- s4 --- s3 --- h3

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/helpers/loops.sh"

TURNS=$(long 5 20)

plan 4
switches s1 s2 s3 s4
for n in 1 2 3 4; do
	host h$n s$n
done
wire s1 s2
wire s2 s3
wire s3 s4
wire s4 s1
wire s3 s1
ready s1 s2 s3 s4
hosts h1 h2 h3 h4

# ring SWITCH...: sets up only the wires of this ring; in a ring of three the fourth bridge is
# behind the third.
ring() {
	local links=(s1s2a s2s3a s3s4a s4s1a) name dev state

	[ $# = 4 ] || links=(s1s2a s2s3a s3s1a s3s4a)
	for name in s1 s2 s3 s4; do
		for dev in s1s2a s2s3a s3s4a s4s1a s3s1a; do
			[[ " ${links[*]} " != *" $dev "* ]] && state=down || state=up
			! ip -n "${!name}" link show $dev &>/dev/null ||
				ip -n "${!name}" link set $dev $state
		done
	done
	ready_up "$@"
}

all_up() {
	! at "$1" bridge link show | grep 'LOWER_UP' | grep -qv 'state forwarding'
}

ready_up() {
	local name

	for name; do
		await 20 all_up "${!name}" || exit 1
	done
}

# ports_blocked SWITCH...: the sum over these bridges.
ports_blocked() {
	local name sum=0

	for name; do
		sum=$((sum + $(ports "$name" 'map(select(.blocked)) | length')))
	done
	echo "$sum"
}

is_cut() {
	ask sends h1 6
	[ "$(ports_blocked "$@")" -ge 1 ]
}

joined() {
	ask exact h1 6
	[ "$answer" = exact ] || [[ $answer = copies* ]]
}

# turns SWITCH...: in $once how many rings were cut once, in $whole how many had no host cut
# off in the end.
turns() {
	local turn name

	once=0 whole=0
	for ((turn = 0; turn < TURNS; turn++)); do
		for name; do
			guard "$name"
		done
		rejoin
		await 30 is_cut "$@" || note "no cut"
		[ "$(ports_blocked "$@")" != 1 ] || once=$((once + 1))
		! await 10 joined || whole=$((whole + 1))
		unguard
	done
}

for names in "s1 s2 s3" "s1 s2 s3 s4"; do
	# shellcheck disable=SC2086 # words
	{
		cut_wires
		ring $names
		turns $names
	}
	between "$names in a ring: one port is blocked, in $TURNS turns" $once \
		$((TURNS - 1)) "$TURNS"
	is "$names: no host is cut off" $whole "$TURNS"
	figure "ring of $(wc -w <<<"$names"): cut once in $once of $TURNS"
done

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Checksums stay right, and clones unchanged, if a trail is appended, rewritten or removed. A module
# for tests calls trailer.c on frames that no device of a guest receives: CHECKSUM_COMPLETE,
# CHECKSUM_PARTIAL, data in pages, a clone. Then a port with rx-fcs must add no trails.

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/helpers/lib.sh"

module=$(dirname "$0")/../sums/seen_sums.ko
FRAMES=10
# An ARP request.
FRAME=ffffffffffff020000000001080600010800060400010200000000010a0000010000000000000a000002

# sums WORD...: the module accepts frames with these parameters.
sums() {
	if insmod "$module" "$@"; then
		rmmod seen_sums
	else
		dmesg | grep seen_sums | tail -n 1
		return 1
	fi
}

# all_frames WHAT IP_SUMMED: each kind of frame, with this value of skb->ip_summed.
all_frames() {
	check "$1: data in one piece" sums summed="$2"
	check "$1: room behind the frame" sums summed="$2" room=64
	check "$1: data in pages" sums summed="$2" paged=5
	check "$1: a clone" sums summed="$2" cloned=1
	check "$1: a clone, room behind the frame" sums summed="$2" cloned=1 room=64
	check "$1: a clone, data in pages" sums summed="$2" cloned=1 paged=6
}

# receive PORT: the port of the bridge receives frames.
receive() {
	local i

	for ((i = 0; i < FRAMES; i++)); do
		send raw "$1" $FRAME || exit 1
	done
}

plan 22
all_frames "no sum" 0
all_frames "the sum of all bytes" 2
all_frames "a checksum to be made" 3

ns s h
br "$s" br0
for port in fcs plain; do
	veth "$s" $port "$h" $port
	ip -n "$s" link set $port master br0
done
at "$s" seenctl guard add bridge br0 profile loop trail >/dev/null || exit 1
at "$s" insmod "$module" fcs=fcs || exit 1
rmmod seen_sums
sender "$h"
receive fcs
check "a port with rx-fcs counts its frames" await 10 ports_reach "$s" trail_none $FRAMES fcs
is "and adds no trail" "$(ports_sum "$s" trail_added fcs)" 0
receive plain
check "another port adds trails" await 10 ports_reach "$s" trail_added $FRAMES plain
is "to each frame" "$(ports_sum "$s" trail_none plain)" 0

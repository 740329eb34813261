#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# A filter that is empty is not swept. After such a time it still judges the next packets: the
# first one is new, its copy is dropped, and none is stale. The time is 20 s, and also 1 and 10
# minutes where the clock is simulated (uml-time).
#
#	$far eth0 --- eth0 $box

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/helpers/lib.sh"

idle=(20)
[ "${KERNEL:-}" != uml-time ] || idle+=(60 600)
plan $((2 + 2 * ${#idle[@]}))
box='' far=''
ns box far
veth "$far" eth0 "$box" eth0
at "$box" seenctl filter add f type cuckoo bits 32 capacity 10k window 1s key frame
at "$box" seenctl guard add dev eth0 filter f action drop >/dev/null

# twice NUMBER: twenty new frames, and their copies.
twice() {
	at "$far" bash -c "frames $1 20 eth0 && frames $1 20 eth0"
	await 20 ports_reach "$box" new $((20 * (1 + $1 / 20)))
	await 20 ports_reach "$box" dropped $((20 * (1 + $1 / 20)))
}

check "frames pass, and their copies are dropped" twice 0
number=20
for seconds in "${idle[@]}"; do
	# An event would not be idleness.
	sleep "$seconds"
	is "after $seconds s the filter is empty" "$(filter_get "$box" f .entries)" 0
	check "frames pass, and their copies are dropped, after that time" twice $number
	((number += 20))
done
is "no frame was stale" "$(port_get "$box" eth0 .stale)" 0

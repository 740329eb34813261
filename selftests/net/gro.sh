#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Packets that GRO has merged. Two copies may be merged differently, so a guard passes merged
# packets without a verdict and counts them. seenctl prints a note if a guard is added to a device
# with GRO on. A guard that drops does no harm to TCP: merged packets pass, and without GRO no
# two segments have the same key.
#
#	$away a0 ------- b0 $box	(guard, ingress, match all, action drop)

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/helpers/lib.sh"

BYTES=$(scale 1000000 5000000)

plan 17
box='' away=''
ns box away
veth "$away" a0 "$box" b0
addr "$away" a0 192.0.2.1/24
addr "$box" b0 192.0.2.2/24
link_up "$box" b0
head -c "$BYTES" /dev/urandom >"$lib_dir/file"
at "$box" seenctl filter add f capacity 200k window 1h bits 32 type cuckoo \
	key packet >/dev/null

# features NAMESPACE DEVICE on|off FEATURE...
features() {
	local feature

	for feature in "${@:4}"; do
		at "$1" ethtool -K "$2" "$feature" "$3" >/dev/null || return
	done
}

# send PORT: the file, from a0 to b0.
send() {
	background at "$box" socat -u "TCP-LISTEN:$1" "CREATE:$lib_dir/copy.$1"
	at "$away" socat -u "FILE:$lib_dir/file" \
		"TCP:192.0.2.2:$1,retry=100,interval=0.1"
}

of() {
	ports_sum "$box" "$1"
}

received() {
	stat_of "$box" b0 rx.packets
}

# looked_at: those that the guard judged, and those without a key (ARP).
looked_at() {
	at "$box" seenctl -j -s guard show |
		jq '.[0].ports[0] | .judged + .nokey'
}

# The last packet may still be on its way when the file is complete.
all_looked_at() {
	[ "$(looked_at)" = $(($(received) - before)) ]
}

# transfer WHAT PORT: under a new guard; its answer is in $said.
transfer() {
	at "$box" seenctl filter flush f
	said=$(at "$box" seenctl guard add dev b0 filter f match all \
		action drop 2>&1)
	before=$(received)
	check "$1: a file is sent" send "$2"
	check "$1: and arrives" await 20 cmp "$lib_dir/file" \
		"$lib_dir/copy.$2"
	is "$1: nothing is dropped" "$(of dropped)" 0
}

unguard() {
	at "$box" seenctl guard del dev b0
}

note='note: port b0 has GRO on: merged packets pass unjudged; ethtool -K b0 gro off'

# As it comes: the sender's own segmentation is left to the device, a0, which
# hands on what was never cut.
transfer "GSO on" 99
between "GSO on: packets that were not segmented are skipped" "$(of gro_skipped)" 1 1000000
is "GSO on, GRO off: no note about GRO" \
	"$(grep -c GRO <<<"$said")" 0
unguard

# Segments on the wire, which the receiver merges. Most of the file is sent from
# softirq, when acknowledgments arrive; segments that are sent together are merged.
features "$away" a0 off tso gso
features "$box" b0 on gro
transfer "GRO on" 98
between "GRO on: merged packets are skipped" "$(of gro_skipped)" 1 1000000
match "GRO on: seenctl prints the note" "$said" "$note"
unguard

features "$box" b0 off gro
transfer "GRO off" 97
check "GRO off: all received packets are judged" await 10 all_looked_at
is "GRO off: nothing is skipped" "$(of gro_skipped)" 0
between "GRO off: each segment of the file is judged once" "$(of new)" \
	$((BYTES / 1460)) $((BYTES / 1000))
is "GRO off: no note about GRO" "$(grep -c GRO <<<"$said")" 0
unguard

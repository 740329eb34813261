#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# A loop in a quiet network: one broadcast per second, from a host at the bridge without a guard.
# Each broadcast enters the guarded bridge by one link, leaves it by the other, and comes back by
# the first, again and again. The first broadcast that circles makes the guard cut the loop.
#
#	h1 --- s1 === s1s2a === s2 --- h2
#	          === s1s2b ===

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/helpers/lib.sh"
. "$(dirname "$0")/helpers/loops.sh"

# Upper limit per second: bursts, and one copy of a frame per 100 ms. On a slow machine it takes more
# seconds until the loop is cut.
COPIES=40
plan 15
switches s1 s2
host h1 s1
host h2 s2
wire s1 s2
ip -n "$s1" link set s1s2a nomaster
wire s1 s2

# broadcast DELAY...: $sender sends a broadcast after each delay, in seconds. With "new" before
# the delay it has other content than the broadcast before.
sender=h2
broadcast() {
	at "${!sender}" python3 -c '
import socket, sys, time
sock = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
sock.bind(("eth0", 0))
number = 0
for word in sys.argv[1:]:
    number += word.startswith("new")
    time.sleep(float(word.removeprefix("new")))
    head = b"\xff" * 6 + sock.getsockname()[4] + b"\x88\xb6"
    sock.send(head + bytes([number]) + bytes(50))
' "$@"
}

parted() {
	local port

	for port in s1s2a s1s2b; do
		ip -n "$s1" link set $port nomaster
		ip -n "$s2" link set $port nomaster
	done
}

# guarded OPTION...: by a new guard.
guarded() {
	at "$s1" seenctl guard del bridge br0 2>/dev/null
	at "$s1" seenctl guard add bridge br0 profile loop "$@" >/dev/null
}

# joined OPTION...: a new guard, and then the loop.
joined() {
	local port

	parted
	guarded "$@"
	for port in s1s2a s1s2b; do
		ip -n "$s2" link set $port master br0
		ip -n "$s1" link set $port master br0
	done
	ready s1 s2
}

# copies_of TIME...: broadcasts; $got: how many frames h1 gets of them, in $took seconds.
runs=0
copies_of() {
	local begun=$SECONDS

	capture "run$((++runs))" "$h1" eth0 -Q in "ether proto 0x88b6"
	broadcast "$@"
	captured "run$runs" >"$lib_dir/frames"
	got=$(grep -c "ethertype Unknown (0x88b6)" "$lib_dir/frames")
	took=$((SECONDS - begun))
}

blocks() {
	ports s1 'map(.blocks) | add'
}

for kind in "0 1 1 1 1 1" "new0 new1 new1 new1 new1 new1"; do
	joined
	# shellcheck disable=SC2086 # a word each
	copies_of $kind
	between "frames at $kind s: each frame arrives, and few copies" "$got" 6 $((took * COPIES))
	between "the loop is cut" "$(blocks)" 1 3
	match "guard show names the loop" \
		"$(at "$s1" seenctl -o guard show)" "loop: s1s2[ab] - s1s2[ab] "
done

# Nothing is blocked: the frame circles on, once in 100 ms, and in a burst each second.
for option in no-block no-probe; do
	joined $option
	copies_of 0 1 1 1 1 1
	between "$option: each frame arrives, and few copies" "$got" 6 $((2 * took * COPIES))
	is "nothing is blocked" "$(blocks)" 0
	check "its copies are dropped" ports_reach "$s1" dropped 1
done

# --- unicast -----------------------------------------------------------------------

# Each station has a permanent entry for the other one's address, so that the bridges learn only
# from unicast. Both bridges have learned the stations behind the link that is blocked later.
addr "$h1" eth0 192.0.2.1/24
addr "$h2" eth0 192.0.2.2/24
ip -n "$h1" neigh add 192.0.2.2 lladdr "$(mac "$h2" eth0)" dev eth0 nud permanent
ip -n "$h2" neigh add 192.0.2.1 lladdr "$(mac "$h1" eth0)" dev eth0 nud permanent

first_blocked() {
	[ "$(ports s1 'map(select(.blocked).name)[0] == "s1s2a"')" = true ]
}

parted
for switch in "$s1" "$s2"; do
	ip -n "$switch" link set s1s2a master br0
done
guarded block-first 1m protect s1s2b
ready s1 s2
check "the two reach each other by one link" await 5 at "$h1" ping -qc1 -W1 192.0.2.2
for switch in "$s1" "$s2"; do
	ip -n "$switch" link set s1s2b master br0
done
ready s1 s2
# Broadcasts of h1 come back by both links; no bridge learns from them where h2 is.
sender=h1
broadcast new0 new0 new0 new0 >/dev/null
check "a second link makes a loop, and the first link is blocked" await 20 first_blocked
check "the stations reach each other by the open link" \
	await 5 at "$h1" ping -qc1 -W1 192.0.2.2

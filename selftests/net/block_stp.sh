#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# A port is blocked beside an open one. When a spanning tree closes that one the block
# ends at once: a bridge keeps one port that passes something. What a port brings that is
# disabled by hand is not judged either.
#
#	$far q0 --- p0 br0 $box		a loop: each frame comes by both
#	     q1 --- p1

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/helpers/lib.sh"

plan 11
box='' far=''
ns box far
veth "$box" p0 "$far" q0
veth "$box" p1 "$far" q1
br "$box" br0 p0 p1
link_up "$box" p0
link_up "$box" p1
events m "$box" -j
check "a guard that may block one of two ports" \
	at "$box" seenctl guard add bridge br0 profile loop protect p0

sent=0
# blocked TIMES: frames circle until that one has been blocked so often.
blocked() {
	at "$far" frames $((sent += 100)) 100 q0 q1
	ports_reach "$box" blocks "$1"
}

# closes: a spanning tree's other bridge is the root, and nearer by p1: p0 is closed.
closes() {
	ip -n "$box" link set br0 type bridge stp_state 1
	at "$far" python3 -c '
import socket, struct
for port, dev in enumerate(("q1", "q0")):
    sock = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
    sock.bind((dev, 0))
    root = bytes.fromhex("0000020000000001")
    bpdu = bytes.fromhex("4242030000000000") + root + bytes(4) + root
    bpdu += struct.pack(">5H", 0x8001 + port, 0, 20 << 8, 2 << 8, 2 << 8)
    sock.send(bytes.fromhex("0180c2000000020000000001") +
              struct.pack(">H", len(bpdu)) + bpdu)
'
}

opens() {
	ip -n "$box" link set br0 type bridge stp_state 0
	ip -n "$box" link set p0 down
	ip -n "$box" link set p0 up
}

is_closed() {
	[ "$(ip -n "$box" -j -d link show p0 | jq -r '.[].linkinfo.info_slave_data.state')" = blocking ]
}

early() {
	[ "${lasted:-0}" -gt 0 ] && [ "$lasted" -lt "${due:-0}" ]
}

# Where a guest is slow the block may end by itself first; the next one is longer.
for try in 1 2 3 4 5; do
	await 60 blocked $try || break
	due=$(port_get "$box" p1 '(.blocked_since // 0) + (.blocked_until // 0)')
	closes
	await 20 is_closed || break
	lasted=$(heard m 120 '"event":"port-released"' | jq .duration)
	early && break
	opens
done
check "a block ends early when the other port is closed" early
note "after $lasted of $due ns"
is "the port is open" "$(port_get "$box" p1 .blocked)" false
opens
check "when that one is open again, this one is blocked again" \
	await 60 blocked $((try + 1))

# --- by hand ---------------------------------------------------------------------

veth "$box" p2 "$far" q2
ip -n "$box" link set p2 master br0
link_up "$box" p2
is_open() {
	[ "$(ip -n "$box" -j -d link show p2 | jq -r '.[].linkinfo.info_slave_data.state')" = forwarding ]
}

reached() {
	[ "$(port_get "$box" p1 .judged)" -ge "$1" ]
}

# by_both COUNT: frames come in by p2, and behind each its copy by p1, on one CPU: when all of
# p1's are judged all of p2's are through.
by_both() {
	local before

	before=$(port_get "$box" p1 .judged)
	at "$far" taskset -c 0 python3 "$helpers/pair.py" $((sent += 100)) "$1" q2 q1
	await 20 reached $((before + $1))
}

# judged COUNT: so many of ten frames that come in by p2.
judged() {
	local before

	before=$(port_get "$box" p2 .judged)
	by_both 10 && [ "$(port_get "$box" p2 .judged)" = $((before + $1)) ]
}

check "a third port opens" await 20 is_open
at "$box" bridge link set dev p2 state disabled
at "$box" seenctl guard set bridge br0 action drop
check "what a port that is disabled by hand brings is not judged" await 20 judged 0
before=$(port_get "$box" p1 .dropped)
check "its frames come by two ports" by_both 100
is "so no other port's copy is dropped for it" "$(port_get "$box" p1 .dropped)" "$before"
at "$box" bridge link set dev p2 state forwarding
check "when it is open again, it is judged again" await 20 judged 10
at "$box" bridge link set dev p2 state disabled
check "disabled once more" await 20 judged 0
ip -n "$box" link set p2 down
ip -n "$box" link set p2 up
await 20 is_open
check "its bridge opens it as it comes up: it is judged at once" judged 10

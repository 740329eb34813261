#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# One port is blocked while another one is open. When the open port loses its carrier, the block
# ends at once, because a bridge must keep one port that forwards. For the same reason the only
# port with a carrier is never blocked.
#
#	$far q0 --- p0 br0 $box		q0 and q1 are ports of a bridge: a loop
#	     q1 --- p1

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/helpers/lib.sh"

plan 10
box='' far=''
ns box far
veth "$box" p0 "$far" q0
veth "$box" p1 "$far" q1
br "$box" br0 p0 p1
br "$far" br1 q0 q1
events m "$box" -j
check "a guard that may block one of two ports" \
	at "$box" seenctl guard add bridge br0 profile loop protect p0

sent=0
# circles: frames that the bridge sends come back.
circles() {
	at "$box" frames $((sent += 100)) 20 br0
}

blocked() {
	circles
	ports_reach "$box" blocks "$1"
}

early() {
	[ "${lasted:-0}" -gt 0 ] && [ "$lasted" -lt "${due:-0}" ]
}

# Where a guest is slow the block may end by itself first; the next one is longer.
for try in 1 2 3 4 5; do
	await 60 blocked $try || break
	due=$(port_get "$box" p1 '(.blocked_for // 0) + (.blocked_left // 0)')
	peer=$(port_get "$box" p1 .other)
	ip -n "$far" link set q0 down
	lasted=$(heard m 120 '"event":"port-released"' | jq .duration)
	early && break
	ip -n "$far" link set q0 up
done
is "a blocked port names the other port of the loop" "$peer" '"p0"'
check "its block ends early when the other port loses its carrier" early
note "after $lasted of $due ns"
is "the port is open" "$(port_get "$box" p1 .blocked)" false
ip -n "$far" link set q0 up
check "with a carrier at the other port again it is blocked again" \
	await 60 blocked $((try + 1))
is "the finding names the pair, and how often it was found" \
	"$(at "$box" seenctl -j guard show bridge br0 | jq -c '[.[].findings[] |
		select(.kind == "loop")] | [length, .[0].count >= 2]')" "[1,true]"
match "guard show prints the finding below the guard" "$(at "$box" seenctl -o guard show bridge br0)" \
	'loop: p[01] - p[01] \([0-9]+ times, last .* ago\)'

# --- the only carrier -------------------------------------------------------------

at "$box" seenctl guard del bridge br0
ip -n "$far" link set q0 down
at "$box" seenctl guard add bridge br0 profile loop >/dev/null
so_far "$box" m
# A second bridge behind q1 has a loop of its own: it returns all frames.
ip -n "$far" link add c1 type veth peer name c2
for dev in c1 c2; do
	tc -n "$far" qdisc add dev $dev root tbf rate 4mbit burst 4k latency 20ms
	ip -n "$far" link set $dev master br1 up
done
came_back() {
	circles
	ports_reach "$box" dup_other_port 20
}
check "what the bridge sends comes back by its only port with a carrier" \
	await 30 came_back
finding=$(heard m 20 '"event":"probed"')
is "that is found as a loop behind the port" "$(jq -r .finding.kind <<<"$finding")" reflection
is "this port is not blocked" "$(ports_sum "$box" blocks)" 0

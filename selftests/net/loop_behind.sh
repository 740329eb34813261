#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# s1 is guarded. Behind one of its ports is a switch that nobody guards, looped
# by a cable between two ports of its own: there frames circle as fast as it
# carries them, and s1 is not in that loop. Nothing of it may reach s1's other
# hosts. The cable has a rate, so that the storm leaves this machine, which has to
# play all the others too, some of its time.
#
#	h1 --- +----+            +----+ --- h2
#	       | s1 | -- s1s2a - | s2 | ==\
#	h3 --- +----+            +----+ ==/

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/helpers/loops.sh"

[ "${KERNEL:-}" != uml-debug ] || skip_all "a loop leaves nothing of the CPUs"
plan 17
rate=4mbit
# One that checks itself would do nothing else.
[[ ${KERNEL:-} != *debug ]] || rate=128kbit
everybody=(h1 h3 self)
switches s1 s2
host h1 s1
host h3 s1
host h2 s2
wire s1 s2
ready s1 s2
hosts h1 h3 self=s1:br0 '!h2'
events events "$s1"
guard s1 no-block

loop() {
	ip -n "$s2" link add c1 type veth peer name c2
	for dev in c1 c2; do
		tc -n "$s2" qdisc add dev $dev root tbf rate $rate burst 4k \
			latency 20ms
		ip -n "$s2" link set $dev master br0 up
	done
	ready s2
}

unloop() {
	ip -n "$s2" link del c1
}

# of COUNTERS: of the port that the loop is behind, added up.
of() {
	ports s1 "map(select(.name == \"s1s2a\") | $1) | add"
}

copies_came() {
	[ "$(of .judged)" -ge 2000 ]
}

# A frame that circles is let through once: all its copies are repeats within
# 100 ms. An emulated machine stands still for longer than that now and then,
# and what comes after such a silence passes: hence not "none", but "hardly any".
hardly() {
	is "$1" "$(of '(.new + .repeats) * 50 / .judged | floor')" 0
}

is_open() {
	[ "$(ports s1 '.[] | select(.name == "s1s2a") | .blocked')" = false ]
}

# On a slow machine it has been released, and blocked again, while there was a loop.
released() {
	heard events 20 "port-released .* port s1s2a" && await 60 is_open
}

loop
ask reach h2 1 ip4
is "a frame of a host behind the loop reaches each of ours" "$answer" reached
check "its copies come and come" await 30 copies_came
hardly "hardly a copy of it has passed"
ask reach h2 12
is "with copies on the wire new frames reach each of ours" "$answer" reached
hardly "hardly a copy of them has passed"
is "no block, for what came first by this port" \
	"$(ports s1 'map(.blocks) | add')" 0
unloop

unguard
guard s1
rejoin
# Again, where the copies of some came too slowly for that.
blocked() {
	ask sends h1 6
	block=$(heard events 10 port-blocked)
}

loop
await 60 blocked
match "what came by another port blocks it" "$block" \
	"port s1s2a .* first-port h1"
exactly_when="the port blocked"
all_exactly 12 "${everybody[@]}"
# The block ends by itself after some seconds, and the next copies bring the next one.
while_blocked() {
	local blocks looks=0

	until blocks=$(of '[.blocked, .blocks]') && [[ $blocks = \[true,* ]] &&
			ask sends h2 6 && [ "$(of '[.blocked, .blocks]')" = "$blocks" ]; do
		((++looks < 20)) || return
		blocked
	done
}
while_blocked
is "nothing comes in by the blocked port" "$answer" "h1 0 h3 0 self 0"
unloop

check "once the cable is out, the port is released" released
everybody+=(h2)
exactly_when="after the loop"
all_exactly 12 "${everybody[@]}"
check "duplicates were told, with their end" \
	grep -q "calm .* port s1s2a count" "$(heard_log events)"

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# s1 is guarded. The switch s2 behind one of its ports is not, and has a cable between two ports of
# its own: frames circle there at the rate of the cable, and s1 is not part of that loop. Only few
# copies may reach the other hosts of s1, and the port is not blocked. The rate of the cable is
# limited, because the storm uses the same CPUs as all other parts of the test.
#
#	h1 --- +----+            +----+ --- h2
#	       | s1 | -- s1s2a - | s2 | ==\
#	h3 --- +----+            +----+ ==/

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/helpers/loops.sh"

[ "${KERNEL:-}" != uml-debug ] || skip_all "a loop leaves nothing of the CPUs"
plan 15
# A faster cable would leave too little CPU time to a machine that runs other tests, too: frames
# that no bridge has seen yet would be lost in the queues.
rate=512kbit
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

# In hundredths of a second.
uptime() {
	local up

	read -r up _ </proc/uptime
	echo "${up/./}"
}

# Repeats are a sign of a loop when there are more than so many in a second; then each frame
# passes once in 100 ms, and so many of the port in a second.
few() {
	local repeats seconds

	repeats=$(of .repeats)
	seconds=$((($(uptime) - begun) / 100 + 2))
	between "$1" "$repeats" 0 $((seconds * repeat))
}

repeat=50
begun=$(uptime)
guard s1 no-block repeat $repeat
loop
ask reach h2 1 ip4
is "a frame of a host behind the loop reaches each host of s1" "$answer" reached
check "its copies keep arriving" await 30 copies_came
few "few of them have passed"
ask reach h2 12
is "with copies on the wire new frames reach each host of s1" "$answer" reached
few "few copies of them have passed"
between "most are duplicates of this port" "$(of .dup_same_port)" 1000 100000000
unloop

# --- frames that first arrived on another port --------------------------------------

unguard
begun=$(uptime)
guard s1 repeat $repeat
rejoin
loop
found() {
	ask sends h1 6
	finding=$(heard events 10 probed)
}
await 60 found
match "copies of a host's frames are a suspicion; probes find where the loop is" "$finding" "found reflection: s1s2a receives its own frames"
check "its copies keep arriving" await 30 copies_came
ask sends h1 6
few "few of them reach the hosts of s1 again"
is "the port is not blocked: s1 is not part of the loop" \
	"$(ports s1 'map(.blocks) | add')" 0
unloop
everybody+=(h2)
exactly_when="after the loop"
all_exactly 12 "${everybody[@]}"
check "events reported duplicates, and their end" \
	grep -q "calm .* port s1s2a count" "$(heard_log events)"

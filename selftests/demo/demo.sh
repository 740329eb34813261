#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Guards end a broadcast storm on a looped bridge. Prints TAP; with the argument "show" it
# prints texts and pictures for people, and with "show colour" in colour.
#
#	h1 --- h1 +-----+ l1 --- l1 +----+ h3 --- h3
#	          | br0 |           | sw |
#	h2 --- h2 +-----+ l2 --- l2 +----+ h4 --- h4
#
# br0 is this machine's bridge. The switch sw and the hosts, each with the device eth0, are
# namespaces. The links have no rate limit, so frames circle as fast as the CPUs forward them.
# The kernel's own threads (ksoftirqd) process them, so the machine stays usable.

here=$(dirname "$0")
. "$here/../lib.sh"
. "$here/show.sh" "$@"

# On PREEMPT_RT a sender waits for the softirq that forwards the storm, perhaps for ever.
case $(uname -v) in
*PREEMPT_RT*) skip_all "a storm keeps senders waiting under PREEMPT_RT" ;;
esac

# --- the network -------------------------------------------------------------

network() {
	local i=0 host

	ip netns attach this $$
	later "ip netns del this"
	ns sw h1 h2 h3 h4
	hosts=("$h1" "$h2" "$h3" "$h4")
	veth this l1 "$sw" l1
	veth this l2 "$sw" l2
	veth this h1 "$h1" eth0
	veth this h2 "$h2" eth0
	veth "$sw" h3 "$h3" eth0
	veth "$sw" h4 "$h4" eth0
	later "ip link del br0"
	br this br0 l1 h1 h2
	br "$sw" sw l1 h3 h4
	for host in "${hosts[@]}"; do
		addr "$host" eth0 10.0.0.$((++i))/24
		mac[i]=$(mac "$host" eth0)
	done
	background at "$h3" iperf3 -s >/dev/null 2>&1
}

second_cable() {
	run ip link set l2 master br0
	run ip -n sw link set l2 master sw
}

# h4 stands for traffic from outside: it sends a broadcast ping five times a second.
chatter() {
	background at "$h4" ping -qbi 0.2 10.0.0.255 >/dev/null 2>&1
}

hush() {
	kill "${lib_pids[-1]}"
	wait "${lib_pids[-1]}" 2>/dev/null
	unset 'lib_pids[-1]'
}

# Sends exactly five frames: one broadcast ping and four ARP requests.
five_frames() {
	local pids=() i

	at "$h1" ping -qbc 1 -W 1 10.0.0.255 >/dev/null 2>&1 &
	pids+=($!)
	for i in 1 2 3 4; do
		at "${hosts[i - 1]}" arping -qfc 1 -w 1 -I eth0 \
			10.0.0.$((i % 4 + 1)) >/dev/null &
		pids+=($!)
	done
	wait "${pids[@]}"
}

# --- what is proved ----------------------------------------------------------

pinged() {
	at "$h1" ping -qi 0.2 -c 5 -W 1 10.0.0.3 |
		sed -n 's/.* \([0-9]*\) received.*/\1/p'
}

carried_more() {
	[ $(($(carried) - $1)) -ge "$2" ]
}

storm() {
	local before

	before=$(carried)
	five_frames
	check "$1: five frames have become more than 10,000" \
		await 60 carried_more "$before" 10000
}

silent() {
	local before

	before=$(carried)
	pause 1
	[ $(($(carried) - before)) -le 100 ]
}

# prove: prints the results of hosts.py, one per line.
prove() {
	"$here/hosts.py" "${hosts[@]}" || echo "FAIL hosts.py runs to its end"
}

# judge TEXT COMMAND...: prints a result, as hosts.py does.
judge() {
	if "${@:2}"; then
		echo "ok $1"
	else
		echo "FAIL $1: ${*:2}"
	fi
}

# verdicts LINES: reports the printed results.
verdicts() {
	local verdict text

	while read -r verdict text; do
		if [ "$verdict" = ok ]; then
			ok "$text"
		else
			not_ok "$text"
		fi
	done <<<"$1"
}

# Prints the port of each host in the forwarding table of the bridge $2 in namespace $1. Ports
# that match $3 are printed as "link".
table() {
	local list i port

	list=$(bridge -n "$1" fdb show br "$2")
	for i in 1 2 3 4; do
		port=$(sed -n "s/^${mac[i]} dev \([^ ]*\).*/\1/p" <<<"$list")
		echo -n "${port//$3/link} "
	done
}

# tables LINK: prints a line for each bridge. LINK is a pattern of the links by which hosts may be
# reached, which the blocked link is not.
tables() {
	judge "br0 has every host at the right port" \
		[ "$(table this br0 "$1")" = "h1 h2 link link " ]
	judge "sw, which has no configuration, has every host at the right port" \
		[ "$(table "$sw" sw "$1")" = "link link h3 h4 " ]
}

# speeds: bits per second of five short transfers, in ascending order, one per line. A transfer
# that fails prints no line.
speeds() {
	for _ in 1 2 3 4 5; do
		at "$h1" iperf3 -c 10.0.0.3 -n 16M -J |
			jq '.end.sum_received.bits_per_second | round'
	done | sort -n
}

# unicast SPEEDS: all five transfers succeed. The median speed, and its ratio to the median of
# SPEEDS, are printed but not judged, because other work on this machine slows them, too.
unicast() {
	local now before

	mapfile -t now < <(speeds)
	mapfile -t before <<<"$1"
	is "unicast crosses: $(rate_text "${now[2]:-}"), $(ratio "${now[2]:-}" "${before[2]:-}") of the path without guards" \
		"${#now[@]}" 5
}

# --- the story ---------------------------------------------------------------

# Which ports are blocked, and how often each was.
blocks() {
	seenctl -j -s guard show bridge br0 |
		jq -c '[.[].ports[] | [.name, .blocked, .blocks]]'
}

listen_for_block() {
	listen "block$1" seenctl -o monitor until port-blocked
	heard "block$1" 60 listening >/dev/null
}

# Prints the port that the event names.
blocked_port() {
	sed -n 's/.*port-blocked.* port \([^ ]*\) other .*/\1/p' "$lib_dir/event"
}

# The loop is open only while a port is blocked: 5 s at first, then twice as long each time. If
# the block ended during the checks, they are repeated in the next block.
in_a_block() {
	local try before result blocked open

	for try in 1 2 3; do
		[ "$try" = 1 ] || listen_for_block "$try"
		chatter
		heard "block$try" 60 port-blocked >"$lib_dir/event"
		hush
		before=$(blocks)
		blocked=$(blocked_port)
		[ "$blocked" = l1 ] && open=l2 || open=l1
		result=$(prove; judge "nothing circles any more" silent; tables "$open")
		[[ $result = *FAIL* && $(blocks) != "$before" ]] || break
		say "the block ended during the checks: they are repeated in the next one"
	done
	event "$lib_dir/event"
	match "one of the links was blocked" "$blocked" '^l[12]$'
	verdicts "$result"
}

plan 22
title "One cable between two bridges"
network
chatter
watch 4 "one cable"
hush
is "h1 and h3 talk: five pings, five answers" "$(pinged)" 5
alone=$(speeds)
say "unicast from h1 to h3: $(rate_text "$(sed -n 3p <<<"$alone")")"

title "A second cable, and no spanning tree"
second_cable
say "Nothing slows the links: frames circle as fast as the CPUs forward them."
say "h1 sends one broadcast ping, and each host one ARP request:"
storm "a storm"
watch 6 "a second cable: storm"
say "h1 pings h3 five times: $(pinged) answers"

title "One bridge is guarded"
listen_for_block 1
run seenctl guard add bridge br0 profile loop
in_a_block
unicast "$alone"
chatter
watch 6 "br0 guarded"
hush

title "Both bridges are guarded, and block nothing"
run seenctl guard del bridge br0
run seenctl guard add bridge br0 profile loop no-block
run seenctl -n sw guard add bridge sw profile loop no-block
verdicts "$(prove; tables 'l[12]')"
is "nothing was blocked" "$(blocks | grep -c true)" 0
unicast "$alone"
chatter
watch 6 "both guarded, no-block"
hush

title "The guards are removed"
run seenctl guard del bridge br0
run seenctl -n sw guard del bridge sw
storm "the storm is back"
watch 6 "no guards: storm"
title "Before and after"
picture

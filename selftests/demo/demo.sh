#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# A looped bridge is saved. By itself it speaks TAP; "show" as its first argument
# makes it speak to people, and "colour" as its second in colour.
#
#	h1 --- h1 +-----+ l1 --- l1 +----+ h3 --- h3
#	          | br0 |           | sw |
#	h2 --- h2 +-----+ l2 --- l2 +----+ h4 --- h4
#
# br0 is this machine's bridge. The switch sw and the hosts, each with eth0, are
# namespaces. Nothing slows the links: frames circle as fast as the CPUs go, and
# since each is processed by the kernel's own threads (ksoftirqd) the machine
# stays usable.

here=$(dirname "$0")
. "$here/../lib.sh"
. "$here/show.sh" "$@"

# There whoever sends waits for the softirq that circles, which may last for ever.
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

# As if from outside: h4 sends a broadcast ping five times a second.
chatter() {
	background at "$h4" ping -qbi 0.2 10.0.0.255 >/dev/null 2>&1
}

hush() {
	kill "${lib_pids[-1]}"
	wait "${lib_pids[-1]}" 2>/dev/null
	unset 'lib_pids[-1]'
}

# Five frames, and no more: one broadcast ping and four ARP requests.
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

# prove: the hosts' verdicts, as lines.
prove() {
	"$here/hosts.py" "${hosts[@]}" || echo "FAIL hosts.py came to its end"
}

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

# Where the bridge $2 in namespace $1 has the four hosts; links by the name $3.
table() {
	local list i port

	list=$(bridge -n "$1" fdb show br "$2")
	for i in 1 2 3 4; do
		port=$(sed -n "s/^${mac[i]} dev \([^ ]*\).*/\1/p" <<<"$list")
		echo -n "${port//$3/link} "
	done
}

# tables LINK: a pattern; a blocked link is the wrong one.
tables() {
	is "br0 has every host at the right port" \
		"$(table this br0 "$1")" "h1 h2 link link "
	is "sw, which nobody guards or configured, too" \
		"$(table "$sw" sw "$1")" "link link h3 h4 "
}

# speeds: bits per second of five short transfers, in ascending order; no line for one
# that failed.
speeds() {
	for _ in 1 2 3 4 5; do
		at "$h1" iperf3 -c 10.0.0.3 -n 16M -J |
			jq '.end.sum_received.bits_per_second | round'
	done | sort -n
}

# unicast SPEEDS: all five transfers come to their end. How fast, and how fast that is
# beside the medians of those, is told and not judged: other work on this machine
# slows it too.
unicast() {
	local now before

	mapfile -t now < <(speeds)
	mapfile -t before <<<"$1"
	is "unicast crosses: $(rate_text "${now[2]:-}"), $(ratio "${now[2]:-}" "${before[2]:-}") of the path without guards" \
		"${#now[@]}" 5
}

# --- the story ---------------------------------------------------------------

# What is blocked, and how often it was.
blocks() {
	seenctl -j -s guard show bridge br0 |
		jq -c '[.[].ports[] | [.name, .blocked, .blocks]]'
}

listen_for_block() {
	listen "block$1" seenctl monitor until port-blocked
	heard "block$1" 60 listening >/dev/null
}

# Which port the event is about.
blocked_port() {
	sed -n 's/.*port-blocked.* port \([^ ]*\) other .*/\1/p' "$lib_dir/event"
}

# The loop is open for as long as a block lasts: 5 s at first, then twice as long
# each time. Proofs that did not end within one are made again in the next.
in_a_block() {
	local try before result blocked open=l1

	for try in 1 2 3; do
		[ "$try" = 1 ] || listen_for_block "$try"
		chatter
		heard "block$try" 60 port-blocked >"$lib_dir/event"
		hush
		before=$(blocks)
		result=$(prove)
		[[ $result = *FAIL* && $(blocks) != "$before" ]] || break
		say "the block ended meanwhile: the same again in the next one"
	done
	event "$lib_dir/event"
	check "nothing circles any more" silent
	blocked=$(blocked_port)
	match "one of the links was blocked" "$blocked" '^l[12]$'
	verdicts "$result"
	[ "$blocked" != l1 ] || open=l2
	tables "$open"
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
verdicts "$(prove)"
tables 'l[12]'
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

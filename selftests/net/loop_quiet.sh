#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Legitimate repeats pass: ARP probes 150 ms apart, VRRP, mDNS, DHCP retries, IPv6 neighbour
# discovery, queries. There is no loop, both bridges are guarded, and nothing is dropped or
# blocked, for 20 s, or for an hour where the clock is simulated (uml-time).
#
#	h1 --- s1 --- s2 --- h2
#	              | ---- h3

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/helpers/loops.sh"

seconds=20
[ "${KERNEL:-}" != uml-time ] || seconds=3600
plan 6
switches s1 s2
host h1 s1
host h2 s2
host h3 s2
wire s1 s2
ready s1 s2
guard s1
guard s2
hosts h1 h2 h3

# What stood still long enough to join two repeats says nothing: once more.
lost=()
for _ in 1 2 3; do
	lost=()
	for name in s1 s2; do
		lost+=("$(ports $name 'map(.dropped) | add')")
	done
	echo "legit $seconds" >&"$hosts_ask"
	IFS= read -rt $((seconds + 60)) -u "$hosts_answer" answer
	[[ $answer = late* ]] || break
	note "$answer"
done
match "$seconds s of repeats: each is everywhere exactly once" \
	"$answer" '^exact [1-9][0-9]* '
note "$answer"
read -r _ sent _ <<<"$answer"
for name in s1 s2; do
	is "$name has dropped nothing" "$(ports $name 'map(.dropped) | add')" \
		"${lost[0]}"
	lost=("${lost[@]:1}")
	is "$name has blocked nothing" "$(ports $name 'map(.blocks) | add')" 0
done
between "s1 has judged all frames" \
	"$(ports s1 'map(.judged) | add')" "$sent" 1000000

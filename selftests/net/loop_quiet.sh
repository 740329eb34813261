#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Repeats that are legitimate pass: ARP probes 150 ms apart, VRRP, mDNS, DHCP's
# retries. No loop, two guarded bridges, and nothing is dropped or blocked. QUIET
# is how many seconds of it, LONG=1 means the whole hour.
#
#	h1 --- s1 --- s2 --- h2
#	              | ---- h3

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/helpers/loops.sh"

[ -z "${LONG:-}" ] || QUIET=3600
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

echo "legit ${QUIET:=20}" >&"$hosts_ask"
IFS= read -rt $((QUIET + 60)) -u "$hosts_answer" answer
match "$QUIET s of repeats: each is everywhere exactly once" \
	"$answer" '^exact [1-9][0-9]*$'
for name in s1 s2; do
	is "$name has dropped nothing" "$(ports $name 'map(.dropped) | add')" 0
	is "$name has blocked nothing" "$(ports $name 'map(.blocks) | add')" 0
done
between "but it has judged them all" \
	"$(ports s1 'map(.judged) | add')" "${answer#exact }" 1000000

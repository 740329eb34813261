#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# A source whose packet is its first in ten minutes is logged, once. The page is
# Documentation/scenarios/first.md. On the kernel uml-time, where time jumps ahead, ten minutes
# pass; other kernels use a filter with a window of some seconds instead of the page's.
#
#	$world eth0 --- eth0 $box

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../net/helpers/lib.sh"
. "$(dirname "$0")/../net/helpers/page.sh"

# Number of sources of each address family, and of packets that each source sends.
SOURCES=$(scale 100 400)
TIMES=3
ALL=$((2 * SOURCES))
# So many sources may be missed because of false positives.
MISSED=$(most $ALL 1e-4)

plan 20
box='' world=''
ns box world
veth "$world" eth0 "$box" eth0
addr "$world" eth0 192.0.2.1/24 2001:db8::1/64 fe80::1/64
addr "$box" eth0 192.0.2.2/24 2001:db8::2/64 fe80::2/64
ip -n "$box" route add default via 192.0.2.1
# Packets that the helper sends for itself must not reach the rules.
at "$box" iptables -A INPUT -s 198.18.0.0/15 -j ACCEPT
at "$box" iptables -t mangle -A PREROUTING -s 198.18.0.0/15 -j ACCEPT

# send NUMBER: the sources of this number send their packets.
send() {
	many_senders "$box" 192.0.2.2 2001:db8::2 \
		"four:$world,10.$1.0.1,$SOURCES,$TIMES" \
		"six:$world,2001:db8:$1::1,$SOURCES,$TIMES" >"$lib_dir/sent"
}

come() {
	send "$1"
	is "sources $1: all their packets arrive" \
		"$(awk '{ sum += $8 } END { print sum }' "$lib_dir/sent")" \
		$((ALL * TIMES))
}

# logged: the number of packets that the rules have logged. Errors are discarded: iptables warns
# that nftables has a log target of its own.
logged() {
	{ at "$box" iptables -vS INPUT; at "$box" ip6tables -vS INPUT; } \
			2>/dev/null |
		sed -n 's/.*--filter contacts.* -c \([0-9]*\) .*/\1/p' |
		awk '{ sum += $1 } END { print sum + 0 }'
}

# since: sets $new to the number of packets logged since the last call.
since() {
	local now

	now=$(logged)
	new=$((now - before))
	before=$now
}
before=0

# The sources in the log that the page's rules write, as a reader of the log gets them.
sources() {
	tcpdump -nr "$(capture_file log)" 2>/dev/null |
		sed -n 's/.* IP6* \([^ ]*\)\.9 > .*/\1/p'
}

complete() {
	[ "$(sources | wc -l)" -ge "$(logged)" ]
}

# On uml-time, time also jumps ahead while the disk is read.
patience=20
[ "${KERNEL:-}" != uml-time ] || patience=2000

page "$(dirname "$0")/../Documentation/scenarios/first.md"
page_step "$box" "a filter, and rules that log"
capture log "$box" nflog:5
await "$patience" test -s "$(capture_file log)"

come 1
since
between "each source is logged: $new of $ALL" "$new" $((ALL - MISSED)) $ALL
come 1
since
is "repeated packets are not logged" "$new" 0
come 2
since
between "other sources are logged: $new of $ALL" "$new" $((ALL - MISSED)) $ALL
check "the reader of the log gets all sources" await "$patience" complete
is "the log has each source once" "$(sources | sort | uniq -d)" ""
note "$(tcpdump -nr "$(capture_file log)" -c 3 2>/dev/null)"
captured log >"$lib_dir/none"
page_step "$box" "the rules' counters"
note "$page_out"

# --- time ------------------------------------------------------------------------

# shorten SECONDS: replaces the page's window.
shorten() {
	window=$1 late=0 tick=$(($1 / 5))
	at "$box" seenctl filter add short type cuckoo window "${window}s" \
		capacity 100k fpp 1e-4 key src
	at "$box" seenctl filter swap short contacts
	at "$box" seenctl filter del short
}

window=600 late=590 tick=30
[ "${KERNEL:-}" = uml-time ] || shorten 5

# rest SINCE SECONDS: waits until SECONDS after the time SINCE.
rest() {
	sleep "$(awk -v at="$1" -v span="$2" -v now="$EPOCHREALTIME" 'BEGIN {
		left = at + span - now
		print (left > 0 ? left : 0) }')"
}

# within_window: the sources send twice. Fails if that took longer than the window.
within_window() {
	local begun

	at "$box" seenctl filter flush contacts
	begun=$EPOCHREALTIME
	send 3
	since
	first=$new
	rest "$begun" $late
	send 3
	came=$EPOCHREALTIME
	since
	((${came/.} - ${begun/.} < window * 1000000))
}

# A slow machine needs a longer window.
for _ in 1 2 3 4 5; do
	! within_window || break
	[ "${KERNEL:-}" = uml-time ] || shorten $((window * 2))
done
between "new sources are logged: $first of $ALL" "$first" $((ALL - MISSED)) $ALL
is "after $late s, within the window of $window s, no source is logged again" "$new" 0
rest "$came" $((window + tick))
come 3
since
between "after $window s and a tick, each source is logged again: $new of $ALL" "$new" \
	$((ALL - MISSED)) $ALL
page_step "$box" "a mark"
come 4
is "the page's nftables ruleset matches the mark" \
	"$(at "$box" nft -j list counters |
		jq '.nftables[] | select(.counter).counter.packets')" \
	"$(at "$box" seenctl -j -s filter show strangers | jq '.[0].stats.new')"
between "number of new sources, of $ALL: $(filter_get "$box" strangers .stats.new)" \
	"$(filter_get "$box" strangers .stats.new)" $((ALL - MISSED)) $ALL
page_step "$box" "the marks"
note "$page_out"
page_end

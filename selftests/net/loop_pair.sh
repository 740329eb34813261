#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Two bridges are joined by two links, then by three. s1 is guarded. s2 has no guard, no
# configuration and no spanning tree.
#
#	h1 --- +----+ === s1s2a === +----+ --- h2
#	       | s1 | === s1s2b === | s2 |
#	h3 --- +----+ === s1s2c === +----+ --- h4

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/helpers/loops.sh"

plan 43
everybody=(h1 h2 h3 h4 self)
switches s1 s2
host h1 s1
host h3 s1
host h2 s2
host h4 s2
wire s1 s2
hosts h1 h2 h3 h4 self=s1:br0

events events "$s1"
guard s1
ready s1 s2

exactly_when="no loop"
all_exactly 12 "${everybody[@]}"
is "nothing was dropped" "$(ports s1 'map(.dropped) | add')" 0

# --- the loop ----------------------------------------------------------------

wire s1 s2
ready s1 s2
ask sends h1 6
block=$(heard events 20 port-blocked)
match "a port is blocked; the event names both ports of the loop and a frame" "$block" \
	"port (s1s2[ab]) other (s1s2[ab]) .* smac $(mac "$h1" eth0) .* port s1s2[ab] first-port h1"
# Where a guest is slow that may be over before it is looked at: the loop makes another.
for _ in {1..20}; do
	blocked=$(ports s1 'map(select(.blocked)) | length')
	[ "$blocked" = 0 ] || break
	ask sends h1 6
done
is "one port is blocked" "$blocked" 1

exactly_when="one link blocked"
all_exactly 18 "${everybody[@]}"

# Repeats without a pause: while a port is blocked, only the ports of that loop have a sign of a
# loop. As in `once`, retry if a port was released or blocked meanwhile.
near() {
	local before

	for _ in {1..20}; do
		before=$(blocks)
		ask exact "$1" 4 "$3"
		[ "$answer" != exact ] || ask quick "$1" "$2"
		[ "$answer" != late ] && [ "$before" = "$(blocks)" ] && break
	done
	echo "$answer"
}

# dup_same PORTS: JQ's list of names
dup_same() {
	ports s1 "map(select(.name | IN($1)).dup_same_port) | add"
}

is "a frame repeated at once by a port without a sign of a loop: it passes" \
	"$(near h1 4 ip4)" "h1 0 h2 16 h3 16 h4 16 self 16"
is "it does not count as a duplicate" "$(dup_same '"h1"')" 0
links='"s1s2a", "s1s2b"'
before=$(dup_same "$links")
is "by a link of the loop: only the first passes" \
	"$(near h2 4 ip4)" "h1 4 h2 0 h3 4 h4 16 self 4"
between "the others count as duplicates of the same port" \
	"$(($(dup_same "$links") - before))" 12 240
is "a frame repeated after a while: it passes" \
	"$(near h1 1 arp)" "h1 0 h2 4 h3 4 h4 4 self 4"
is "the same for a host behind the other bridge" \
	"$(near h2 1 arp)" "h1 4 h2 0 h3 4 h4 4 self 4"
is "the same for the bridge itself, whose own frames are not judged" \
	"$(near self 3 arp)" "h1 12 h2 12 h3 12 h4 12 self 0"

# --- control frames -------------------------------------------------------------

# They pass the blocked port, and so they go round; but not for ever.
for kind in cdp pvst; do
	ask sends h2 4 $kind
	match "$kind passes the blocked port, and circles a few times at most" \
		"$answer" "^h1 [0-9]+ h2 [0-9]+ h3 [0-9]+ h4 [0-9]+ self [0-9]+$"
done

# --- three links -------------------------------------------------------------

wire s1 s2
ready s1 s2
two_blocked() {
	ask sends h2 6
	[ "$(ports s1 'map(select(.blocked)) | length')" = 2 ]
}

check "with a third link a second port is blocked" await 20 two_blocked
exactly_when="three links"
all_exactly 18 "${everybody[@]}"

# --- the bridge's own querier ------------------------------------------------

# querier_sent: prints how many queries the bridge has sent by the port h1.
querier_sent() {
	ip -n "$s1" -j link xstats type bridge_slave dev h1 |
		jq '.[0].multicast.igmp_queries | .tx_v2 + .tx_v3'
}

# Queries sent, and at each host: some bridges send one at once, some two.
query() {
	ask queries
	ip -n "$s1" link set br0 type bridge mcast_stats_enabled 1 \
		mcast_snooping 1
	sent=$(querier_sent)
	ip -n "$s1" link set br0 type bridge mcast_querier 1
	ask queries
	queries=$answer
	sent=$(($(querier_sent) - sent))
	ip -n "$s1" link set br0 type bridge mcast_snooping 0 mcast_querier 0
	ask queries
}

everywhere_once() {
	[[ $queries = "h1 $sent h2 $sent h3 $sent h4 $sent "* ]]
}

# As in `once`.
untold=
for _ in {1..20}; do
	before=$(blocks)
	query
	! everywhere_once || break
	if [ "$before" != "$(blocks)" ]; then
		untold=
	elif [ -n "$untold" ]; then
		break
	else
		untold=1
	fi
done
between "the bridge's own querier sends" "$sent" 1 10
check "each query arrives once at each host" everywhere_once || note "$queries"

# --- without blocks ----------------------------------------------------------

unguard
ask sends h1 6
is "unguarded: no wire makes a storm" "$answer" "h1 0 h2 0 h3 6 h4 0 self 6"
guard s1 no-block
rejoin
query
between "no-block: the querier sends" "$sent" 1 10
match "no-block: each query passes once, and no copy comes back" \
	"$queries" "^h1 $sent h2 [0-9]+ h3 $sent h4 "
is "and count as first seen at the bridge itself" \
	"$(ports s1 'map(select(.dup_other_port > 0).last_other.first_port) | unique')" \
	'["br0"]'
ask sends h1 6
match "no-block: copies do not come back to a host" "$answer" "^h1 0 "
match "no-block: frames do not reach its neighbour twice" "$answer" " h3 6 "

guard s2 no-block
exactly_when="both guarded, no-block"
all_exactly 18 h1 h2 h3 h4 self
is "no-block: nothing was blocked" \
	"$(ports s1 'map(.blocks) | add')$(ports s2 'map(.blocks) | add')" 00
is "no-block: no frame was over budget or met a full filter" \
	"$(ports s1 'map(.over_budget + .full + .stale) | add')" 0

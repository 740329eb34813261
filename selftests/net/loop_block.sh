#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# When a port is blocked, for how long, what passes it all the same, and which
# port never is.
#
#	h1 --- s1 === s1s2a === s2 --- h2
#	          === s1s2b ===

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/helpers/loops.sh"

plan 27
switches s1 s2
host h1 s1
host h2 s2
events events "$s1" -j
guard s1 protect s1s2a protect unknown
wire s1 s2
wire s1 s2
ready s1 s2
# a and b send by the far ends of the two links.
hosts h1 h2 self=s1:br0 '!a=s2:s1s2a' '!b=s2:s1s2b'

# of PORT JQ
of() {
	ports s1 "map(select(.name == \"$1\"))[0] | $2"
}

# event EVENT JQ: of the next such event.
event() {
	heard events 60 "\"$1\"" | jq -c "$2"
}

is "a protected port says so" \
	"$(of s1s2a .protected) $(of s1s2b .protected)" "true false"
ask sends h1 12
event=$(event port-blocked .)
is "the other one is blocked" "$(jq -r .port <<<"$event")" s1s2b
is "by a frame that was first seen elsewhere" \
	"$(jq -c '.duplicate | [.smac, .port, .first_port]' <<<"$event")" \
	"[\"$(mac "$h1" eth0)\",\"s1s2b\",\"h1\"]"
between "for five seconds, more or less" \
	"$(jq .duration <<<"$event")" 3750000000 6250000000

ask sends b 6 ip4
ask sends b 6 lldp
between "what comes in by it is dropped, and counted" \
	"$(of s1s2b .blocked_in)" 1 100
is "but for what never leaves a link" "$(of s1s2b .exempt)" 6
ask sends h1 6
between "what goes out by it, too" "$(of s1s2b .blocked_out)" 1 1000

is "it is released" "$(event port-released .port)" '"s1s2b"'
ask sends h1 12
event=$(event port-blocked .)
is "and blocked again, as there still is a loop" \
	"$(jq -r .port <<<"$event")" s1s2b
between "for twice as long" \
	"$(jq .duration <<<"$event")" 7500000000 12500000000
is "it says so" "$(of s1s2b '[.blocked, .blocks]')" '[true,2]'
between "and until when" "$(of s1s2b .blocked_until)" 1 12500000000

check "set action drop" at "$s1" seenctl guard set bridge br0 action drop
is "releases it" "$(event port-released .port)" '"s1s2b"'
ask sends h1 12
is "for good" "$(of s1s2b '[.blocked, .blocks]')" '[false,2]'
between "though there are duplicates" "$(of s1s2b .dup_other_port)" 12 10000
at "$s1" seenctl guard set bridge br0 action block
ask sends h1 12
is "set action block blocks again" "$(event port-blocked .port)" '"s1s2b"'

unguard
guard s1 protect s1s2a protect s1s2b
ask sends h1 12
between "two protected ports: there are duplicates" \
	"$(of s1s2b .dup_other_port)" 12 10000
is "but no block" "$(ports s1 'map(.blocks) | add')" 0

# Without h1's port there are two; what the bridge itself sends comes back.
unguard
ip -n "$s1" link set h1 nomaster
guard s1
ask sends self 12
event=$(event port-blocked .)
is "what the bridge sent blocks one of two ports" \
	"$(jq -r '.duplicate.first_port' <<<"$event")" br0
other=s1s2a back=a
[ "$(jq -r .port <<<"$event")" != s1s2a ] || other=s1s2b back=b
ask forge self 12 $back
is "more comes back on the other one" \
	"$(of $other '.dup_other_port >= 12')" true
is "but the last open port is never blocked" "$(of $other .blocks)" 0

# The open port leaves: was the blocked one released before its time?
leave_early() {
	blocked=$(jq -r .port <<<"$event")
	other=s1s2a
	[ "$blocked" != s1s2a ] || other=s1s2b
	ip -n "$s1" link set $other nomaster
	released=$(event port-released .)
	early=$(jq -n "[$released.duration, $event.duration] |
		.[0] > 0 and .[0] < .[1]")
	[ "$early" = true ]
}

# A machine that stands still for as long as the block lasts has to try again.
for _ in {1..5}; do
	! leave_early || break
	note "the block had ended by itself: $released"
	ip -n "$s1" link set $other master br0
	ready s1
	ask sends self 12
	event=$(event port-blocked .)
done
is "when that leaves, the blocked one is released" \
	"$(jq -r .port <<<"$released")" "$blocked"
is "before its time" "$early" true
is "so there is an open port" "$(of "$blocked" .blocked)" false

ip -n "$s1" link set $other master br0
ready s1
ask sends self 12
event=$(event port-blocked .)
is "a port that leaves while it is blocked" \
	"$(ip -n "$s1" link set "$(jq -r .port <<<"$event")" nomaster; echo $?)" 0
is "is told to be released" "$(event port-released .port)" \
	"$(jq .port <<<"$event")"

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# When a port is blocked, for how long, which frames pass a blocked port, and which
# ports are never blocked.
#
#	h1 --- s1 === s1s2a === s2 --- h2
#	          === s1s2b ===

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/helpers/loops.sh"

here=$(cd "$(dirname "$0")" && pwd)
plan 31
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

# all_ended: reads on until each block of the port has ended.
all_ended() {
	until [ "$(grep -c '"event":"port-released"' "$(heard_log events)")" = \
			"$(of s1s2b .blocks)" ]; do
		heard events 60 '"event":"port-released"' >/dev/null || return
	done
}

# in_block COMMAND...: while the port is blocked, from $event on. A machine that stands
# still until that has ended looks again, in the next block, which is twice as long.
in_block() {
	for _ in {1..6}; do
		ask sends h1 12
		event=$(event port-blocked .)
		blocks=$(of s1s2b .blocks)
		"$@"
		[ "$(of s1s2b '[.blocked, .blocks]')" != "[true,$blocks]" ] || return
		note "a block had ended by itself: $event"
		all_ended || return
	done
}

# lasts WHAT: so many blocks there were that double.
lasts() {
	local nominal=$((5000000000 << (blocks - 1)))

	between "$1" "$(jq .duration <<<"$event")" \
		$((nominal * 3 / 4)) $((nominal * 5 / 4))
}

pass() {
	local before

	before=$(of s1s2b .exempt)
	ask sends b 6 ip4
	ask sends b 6 lldp
	exempt=$(($(of s1s2b .exempt) - before))
	blocked_in=$(of s1s2b .blocked_in)
	ask sends h1 6
	blocked_out=$(of s1s2b .blocked_out)
}

look() {
	said=$(of s1s2b '[.blocked, .blocks, .blocked_for + .blocked_left]')
	at "$s1" seenctl -j -s guard show >"$lib_dir/guards"
}

is "a protected port is shown as protected" \
	"$(of s1s2a .protected) $(of s1s2b .protected)" "true false"
in_block pass
is "the other port is blocked" "$(jq -r .port <<<"$event")" s1s2b
is "the event has a frame that was first seen on another port" \
	"$(jq -c '.duplicate | [.smac, .port, .first_port]' <<<"$event")" \
	"[\"$(mac "$h1" eth0)\",\"s1s2b\",\"h1\"]"
lasts "for five seconds, more or less"
between "frames that arrive on it are dropped, and counted" "$blocked_in" 1 1000
is "link-local frames pass it" "$exempt" 6
between "frames that leave by it are dropped, and counted" "$blocked_out" 1 1000

check "it is released" all_ended
first=$blocks
in_block look
is "the port is blocked again, because the loop still exists" \
	"$(jq -r .port <<<"$event")" s1s2b
lasts "for twice as long"
between "the port counts these blocks" "$blocks" $((first + 1)) 12
is "the port is shown as blocked, with both times" "$said" \
	"[true,$blocks,$(jq .duration <<<"$event")]"
is "the shown guard fits the JSON schema" "$("$here/helpers/answer.py" fits \
	"$here/../Documentation/json/seenctl.json" guards <"$lib_dir/guards")" good
is "the event fits the JSON schema" "$("$here/helpers/answer.py" fits \
	"$here/../Documentation/json/seenctl.json" event <<<"$event")" good

check "set action drop" at "$s1" seenctl guard set bridge br0 action drop
is "action drop releases the port" "$(event port-released .port)" '"s1s2b"'
ask sends h1 12
is "the port is not blocked again" "$(of s1s2b '[.blocked, .blocks]')" "[false,$blocks]"
between "duplicates are still counted" "$(of s1s2b .dup_other_port)" 12 10000
at "$s1" seenctl guard set bridge br0 action block
ask sends h1 12
event=$(event port-blocked .)
is "set action block blocks again" "$(jq -r .port <<<"$event")" s1s2b

# rename FROM TO: a port's device; 6.1 wants it to be down.
rename() {
	ip -n "$s1" -batch - <<-END
		link set $1 down
		link set $1 name $2
		link set $2 up
	END
	ready s1
}

# is_early: what was released was released before its time.
is_early() {
	jq -en "[$released.duration, $event.duration] |
		.[0] > 0 and .[0] < .[1]" >/dev/null
}

# A machine that stands still for as long as the block lasts has to try again.
for _ in {1..5}; do
	rename s1s2b unknown
	released=$(event port-released .)
	said=$(of unknown '[.protected, .blocked]')
	at "$s1" seenctl guard set bridge br0 action drop
	rename unknown s1s2b
	! is_early || break
	note "the block had ended by itself: $released"
	at "$s1" seenctl guard set bridge br0 action block
	ask sends h1 12
	event=$(event port-blocked .)
done
is "a port that gets a protected name is released" \
	"$(jq -r .port <<<"$released")" unknown
check "it is released before the end of its block" is_early
is "it is shown as protected" "$said" "[true,false]"

unguard
guard s1 protect s1s2a protect s1s2b
rejoin
ask sends h1 12
between "two protected ports: there are duplicates" \
	"$(of s1s2b .dup_other_port)" 12 10000
is "two protected ports: no block" "$(ports s1 'map(.blocks) | add')" 0

# Without h1's port there are two; what the bridge itself sends comes back.
unguard
ip -n "$s1" link set h1 nomaster
guard s1
rejoin

# While one of the two ports is blocked, frames come back by the other one.
other_way() {
	ask sends self 12
	event=$(event port-blocked .)
	blocked=$(jq -r .port <<<"$event") other=s1s2a back=a
	[ "$blocked" != s1s2a ] || other=s1s2b back=b
	ask forge self 12 $back
	others=$(of $other '[.dup_other_port >= 12, .blocks]')
	[ "$(of "$blocked" '[.blocked, .blocks]')" = "[true,1]" ] &&
		[ "$(of $other '[.blocked, .blocks > 0]')" != "[false,true]" ]
}

for _ in {1..5}; do
	! other_way || break
	note "a block had ended by itself: $event"
	unguard
	guard s1
	rejoin
done
is "frames of the bridge itself block one of two ports" \
	"$(jq -r '.duplicate.first_port' <<<"$event")" br0
is "more copies on the other port: the last open port is never blocked" \
	"$others" "[true,0]"

# The open port leaves: the blocked one is to be released.
leave_early() {
	blocked=$(jq -r .port <<<"$event") other=s1s2a
	[ "$blocked" != s1s2a ] || other=s1s2b
	ip -n "$s1" link set $other nomaster
	released=$(event port-released .)
	is_early
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
is "when the open port leaves, the blocked one is released" \
	"$(jq -r .port <<<"$released")" "$blocked"
check "the block ends early, too" is_early
is "the bridge has an open port" "$(of "$blocked" .blocked)" false

ip -n "$s1" link set "$other" master br0
ready s1
ask sends self 12
event=$(event port-blocked .)
is "a port that leaves while it is blocked" \
	"$(ip -n "$s1" link set "$(jq -r .port <<<"$event")" nomaster; echo $?)" 0
is "is reported as released" "$(event port-released .port)" \
	"$(jq .port <<<"$event")"

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Storms. The state of a port (calm, suspect, storm) depends only on its duplicates. There is one
# event per change, no matter what the action is. A guard with action count reports exactly the
# drops and blocks that it would do with another action.
#
#	$away  a0 ------- b0   $box	a guard on the device
#	       a1 ------- p1 \
#	       a2 ------- p2 -- br0	a guard on the bridge
#	       a3 ------- p3 /
#
# A port is calm after a quiet second; the test waits for that.

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/helpers/lib.sh"

plan 45
ns box away
veth "$away" a0 "$box" b0
for n in 1 2 3; do
	veth "$away" a$n "$box" p$n
done
br "$box" br0 p1 p2 p3
events m "$box" -j
# Frames arrive as one burst, faster than some kernels process them.
sysctl -qw net.core.netdev_max_backlog=100000

ctl() {
	at "$box" seenctl -j "$@" >/dev/null || exit 1
}

port() {
	port_get "$box" "$@"
}

is_forwarding() {
	[ "$(ip -n "$1" -j -d link show "$2" |
		jq -r '.[].linkinfo.info_slave_data.state')" = forwarding ]
}

# changes EVENT: reads the events of alarms up to this one. Each must report another state than the
# one before it: on a slow machine a storm may pause, and then go on. $states lists them, each with
# a comma behind it; $event is the last one. A calm event adds its duplicates to $counted; $peak is
# the highest peak of them all.
changes() {
	local before now want=\"$1\"

	states=
	while before=$(of .event) &&
			event=$(heard m 20 "\"event\":\"(suspect|storm|calm|$1)\""); do
		now=$(of .event)
		[ "$now" != "$before" ] || return
		states+=$now,
		if [ "$now" = '"calm"' ]; then
			counted=$((counted + $(of .count)))
			peak=$(of "[.peak, $peak] | max")
		fi
		[ "$now" != "$want" ] || return 0
	done
	return 1
}

# of JQ: prints a member of $event.
of() {
	jq -c "$1" <<<"$event"
}

# nothing_told: there has been no event of an alarm since the last one; the filter marks the end.
nothing_told() {
	ctl filter add end$RANDOM capacity 10 key bytes type bloom
	event=$(heard m 20 '"event":"(suspect|storm|calm|filter-add)"') &&
		[[ $event = *filter-add* ]]
}

trickles() {
	[ "$(port b0 '.alarm == "suspect" and .rate >= 1 and .rate <= 24')" = true ]
}

# --- states ----------------------------------------------------------------------

ctl filter add f capacity 100k key frame type cuckoo bits 32 window 1h
ctl guard add dev b0 filter f storm 50
is "the rate of a storm is shown" \
	"$(at "$box" seenctl -j guard show | jq '.[0].storm')" 50
at "$away" frames 0 2000 a0
await 20 ports_reach "$box" new 2000
check "much traffic is no storm" nothing_told
is "no alarm" "$(port b0 '[.alarm, .rate, .peak]')" '["calm",0,0]'

at "$away" frames 0 10 a0
event='{"event":"calm"}'
counted=0
peak=0
changes suspect
is "ten duplicates: suspect, with the last one" \
	"$states $(of '[.port, .duplicate.smac]')" \
	'"suspect", ["b0","02:00:00:00:ee:01"]'
changes calm
is "calm again, with the number of duplicates" \
	"$states $(of '[.count, .rate]')" '"calm", [10,null]'
is "the peak was below a storm" "$(of '.peak <= 10')" true

# Five duplicates in a second or so, and so less than half of 50: one program sends them
# all, since a guest may take a second to begin another.
drip() {
	while :; do
		echo "raw a0 ffffffffffff 02000000ee02 88b5 00" || return
		read -rt 0.2 -u "$lib_never"
	done
}

nsenter --net="/run/netns/$away" -- python3 "$helpers/send.py" < <(drip) \
	>/dev/null &
trickle=$!
lib_pids+=("$trickle")
changes suspect
is "a trickle of duplicates: suspect" "$states" '"suspect",'
at "$away" frames 0 2000 a0
changes storm
is "two thousand at once: a storm" "$(of .event)" '"storm"'
between "the storm has its rate" "$(of .rate)" 50 2100
changes suspect
is "a trickle again: suspect" "$(of .event)" '"suspect"'
# The one duplicate of more than a second is a rate of 0.
between "the rate is below half of that of a storm" "$(of '.rate // 0')" 0 24
check "the port shows the rate of the trickle" await 20 trickles
kill "$trickle"
wait "$trickle"
duplicates=$(port b0 .dup_same_port)
while ((counted < duplicates)) && changes calm; do :; done
is "no duplicates any more: calm, and the events have counted each one" \
	"$(of .event) $counted" "\"calm\" $duplicates"
between "the storm and the trickle are counted" "$counted" 2012 2510
between "an event has the peak" "$peak" 50 2100
is "the port shows the peak" "$(port b0 "[.alarm, .rate, .peak]")" \
	"[\"calm\",0,$(of .peak)]"

# --- no more than one event a change -----------------------------------------------

stormy() {
	[ "$(port b0 '.alarm == "storm" and .rate >= 4')" = true ]
}

changes_to_now() {
	ctl filter add now capacity 10 key bytes type bloom
	changes filter-add
}

# flood rests at least half of the time, so some kernels get few frames per second.
ctl guard del dev b0
ctl guard add dev b0 filter f storm 4
background at "$away" flood a0 >/dev/null
flood=$!
begun=$SECONDS
changes storm
match "a flood of duplicates: a storm" "$states" '^"suspect",.*"storm",$'
count=$(port b0 '.dup_same_port')
await 30 ports_reach "$box" dup_same_port $((count + 5000))
check "the port shows a storm" await 20 stormy
between "the storm has its rate" "$(port b0 .peak)" 4 10000000
changes_to_now
is "each state is reported once" $? 0
between "at most once a second" "$(tr -dc , <<<"$states" | wc -c)" 1 $((2 * (SECONDS - begun + 1)))
ctl guard del dev b0
changes calm
is "when the guard is deleted the end is reported" "$(of '[.event, .port]')" '["calm","b0"]'
kill "$flood"
wait "$flood"

# --- whatever the action, and for each port ------------------------------------------

for action in count "mark 1" drop; do
	# shellcheck disable=SC2086 # two words
	ctl guard add dev b0 filter f action $action
	at "$away" frames 0 1000 a0
	changes calm
	match "action $action: the same events" "$states $(of .count)" \
		'^"suspect","storm",.*"calm", 1000$'
	is "action $action: counted by the action" \
		"$(port b0 '[.would_drop, .marked, .dropped] | map(. / 1000)' |
			tr -d '[],')" \
		"$(case $action in count) echo 100;; drop) echo 001;;
			*) echo 010;; esac)"
	ctl guard del dev b0
done
ctl filter flush f
ctl guard add bridge br0 filter f verdict other-port storm 100
at "$away" frames 0 1000 a1
await 20 ports_reach "$box" new 1000
at "$away" frames 0 1000 a2
changes storm
is "one port has a storm" "$states $(of .port)" '"suspect","storm", "p2"'
is "the other ones are calm" "$(port p1 .alarm)$(port p3 .alarm)" '"calm""calm"'
changes calm
ctl guard del bridge br0

# --- what would be done --------------------------------------------------------------

# Frames of four kinds: new, of this port, of another one, and repeats.
scene() {
	ctl filter flush f
	ctl guard add bridge br0 filter f verdict "$1" action "$2"
	at "$away" frames 0 200 a1
	await 20 ports_reach "$box" new 200
	at "$away" frames 0 100 a1
	at "$away" frames 50 300 a2
	at "$away" frames 50 10 a2
	await 20 ports_reach "$box" judged 610
	sums=$(at "$box" seenctl -j -s guard show | jq -c '[.[].ports[]] |
		map([.new, .repeats, .dup_same_port, .dup_other_port])')
	done=$(ports_sum "$box" "$3")
	ports=$(at "$box" seenctl -j guard show |
		jq -c "[.[].ports[] | [.port, .$3]]")
	ctl guard del bridge br0
}

for verdict in dup other-port; do
	scene $verdict count would_drop
	would=$ports shadow=$sums
	scene $verdict drop dropped
	is "$verdict: what would be dropped is dropped" "$would" "$ports"
	is "$verdict: the verdicts are the same" "$shadow" "$sums"
	between "$verdict: some are dropped" "$done" 100 610
done

# --- blocks that would be made ---------------------------------------------------------

# A wire between two ports behind the bridge: a real loop.
br "$away" br1 a1 a2
for dev in a1 a2; do
	await 20 is_forwarding "$away" $dev
done
first=1000000

# circles: frames of the bridge itself come back.
circles() {
	at "$box" frames $((first += 100)) 20 br0
}

would_block() {
	circles
	ports_reach "$box" would_block 1
}

ctl guard add bridge br0 profile loop protect p3 action count
check "a loop: a port would be blocked" await 60 would_block
event=$(heard m 20 '"would-block"')
blocked=$(of .port)
match "one event says so, with both ports and a frame" "$event" \
	'"port":"(p1|p2)","other":"(p1|p2)","duration":[0-9]+,"duplicate":\{'
is "but it is not blocked" "$(port "${blocked//\"/}" '[.blocked, .blocks]')" '[false,0]'
is "frames pass there" "$(ports_sum "$box" blocked_in)" 0
is "the guard names the cable" "$(at "$box" seenctl -j guard show bridge br0 |
	jq -c '[.[].findings[] | select(.kind == "loop") | [.port, .other] | sort]')" \
	'[["p1","p2"]]'

ctl guard set bridge br0 action block
blocks() {
	circles
	ports_reach "$box" blocks 1
}
check "the same loop blocks when it may" await 60 blocks
event=$(heard m 20 '"port-blocked"')
between "the block is as long as a first block" "$(of .duration)" \
	3750000000 6250000000
between "would_block is another counter" "$(ports_sum "$box" would_block)" 1 100
ctl guard del bridge br0

# --- twenty storms ---------------------------------------------------------------------

# Under count nothing ends a storm but the end of the loop. Each has to name the cable.
named() {
	circles
	[ "$(at "$box" seenctl -j guard show bridge br0 | jq -c '[.[].findings[] |
		select(.kind == "loop") | [.port, .other] | sort]')" = '[["p1","p2"]]' ]
}
right=0
for _ in {1..20}; do
	ctl guard add bridge br0 profile loop action count
	! await 30 named || right=$((right + 1))
	ip -n "$away" link set br1 down
	ctl guard del bridge br0
	ip -n "$away" link set br1 up
done
is "in 20 storms under count the right pair is named" "$right" 20

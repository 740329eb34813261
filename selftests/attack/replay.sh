#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Somebody on one port of a guarded bridge replays what he hears of others, to raise an
# alarm or to have a port blocked. What comes of it, and where it ends.
#
#	$away a1 --- p1 \
#	      a2 --- p2  br0 $box
#	      a3 --- p3 /		the attacker's
#
# Replayed frames come second, so it is the attacker's own port that is blamed. One who
# knows what a port will send sends it first: that port is blamed, and may be blocked
# (Documentation/limits.md), but for one that is protected, under no-block, and for the
# last one that is open.

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../net/helpers/lib.sh"

REPLAYED=$(long 5000 100000)

plan 24
ns box away
for n in 1 2 3; do
	veth "$away" a$n "$box" p$n
done
br "$box" br0 p1 p2 p3
link_up "$away" a1 a2 a3
events m "$box" -j

ctl() {
	at "$box" seenctl -j "$@" >/dev/null || exit 1
}

port() {
	port_get "$box" "$@"
}

# guard WORD...: a new one, which remembers nothing.
guard() {
	ctl guard add bridge br0 "$@"
	heard m 20 '"event":"guard-add"' >/dev/null
	first=$((first + 1000000))
}
first=0

unguard() {
	ctl guard del bridge br0
	heard m 20 '"event":"guard-del"' >/dev/null
}

# send OFFSET COUNT PORT: frames of which no other case has any.
send() {
	at "$away" frames $((first + $1)) "$2" "$3"
}

# both OFFSET COUNT FIRST SECOND: each by the one port, and at once by the other.
both() {
	at "$away" python3 "$helpers/pair.py" $((first + $1)) "${@:2}"
}

# arrived COUNT: so many frames behind the second port.
arrived() {
	[ "$(stat_of "$away" a2 rx.packets)" -ge "$1" ]
}

# The port of the next block, whose event is in the file "event".
blames() {
	heard m 20 '"event":"port-blocked"' >"$lib_dir/event"
	jq -r .port "$lib_dir/event"
}

# told: the events since the last guard that have been read.
told() {
	awk '/"event":"guard-add"/ { n = 0 } { line[n++] = $0 }
		END { for (i = 0; i < n; i++) print line[i] }' "$(heard_log m)"
}

# span: whole seconds from the first of them to the last, by their own times.
span() {
	told | jq -s '(.[-1].time - .[0].time) / 1e9 | floor'
}

# ends EVENT: the ports that have had it, as often as they had, and for how long.
ends() {
	told | jq -r "select(.event == \"$1\") | \"\(.port) \(.duration)\"" | sort
}

# all_ended: as many ends of blocks are told as ports count blocks.
all_ended() {
	until [ "$(ends port-released | wc -l)" = "$(ports_sum "$box" blocks)" ]; do
		heard m 60 '"event":"port-released"' >/dev/null || return
	done
}

# --- the attacker comes second: he blames himself -----------------------------------------

guard profile loop
both 0 50 a1 a3
is "replayed on another port: that port is blocked" "$(blames)" p3
is "the victim's port is open" "$(port p1 .blocked)" false
before=$(stat_of "$away" a2 rx.packets)
both 100 "$REPLAYED" a1 a3
check "what the victim sends arrives" await 20 arrived $((before + REPLAYED))
between "what he goes on replaying ends at his port" \
	"$(port p3 '.blocked_in + .dropped')" "$REPLAYED" $((REPLAYED + 100))
is "it is no evidence against anybody else" \
	"$(port p1 .blocks) $(port p2 .blocks)" "0 0"
unguard

guard profile loop
# shellcheck disable=SC2046 # words
both 0 1 a1 $(yes a3 | head -n 200)
check "one frame, replayed often: they are duplicates" \
	await 20 ports_reach "$box" dup_other_port 3
is "but no evidence of a loop" "$(ports_sum "$box" blocks)" 0
unguard

# --- alarms ------------------------------------------------------------------------------

guard profile loop no-block
both 0 "$REPLAYED" a1 a3
heard m 20 '"event":"storm"' >"$lib_dir/event"
is "a storm is told of the port on which he replays" \
	"$(jq -r .port "$lib_dir/event")" p3
is "not of the one that he replays" "$(port p1 .alarm)" '"calm"'
both "$REPLAYED" "$REPLAYED" a1 a3
so_far "$box" m
alarms=$(told | grep -cE '"event":"(suspect|storm|calm)"')
between "thousands of copies are no more than three events a second" "$alarms" \
	2 $((3 * ($(span) + 1)))
is "under no-block nothing is blocked" "$(ports_sum "$box" blocks)" 0
is "and of the victim's nothing is dropped" "$(port p1 .dropped)" 0
unguard

# --- he comes first ----------------------------------------------------------------------

# preplay COUNT: frames that port 1 will send; then it does.
preplay() {
	both 5000 "$1" a3 a1
}

guard profile loop
preplay 20
is "sent before the victim does: the victim's port is blocked" "$(blames)" p1
between "for as long as the first time" \
	"$(jq .duration "$lib_dir/event")" 3750000000 6250000000
unguard

guard profile loop no-block
preplay 20
await 20 ports_reach "$box" dropped 1
between "under no-block what he sent first is dropped" "$(port p1 .dropped)" 1 20
is "and no more" "$(port p1 '[.blocked, .blocks]')" '[false,0]'
before=$(stat_of "$away" a2 rx.packets)
send 9000 100 a1
check "what he did not know arrives" await 20 arrived $((before + 100))
unguard

guard profile loop protect p1
preplay 20
await 20 ports_reach "$box" dropped 1
is "a port that is protected is not blocked" "$(port p1 '[.blocked, .blocks]')" \
	'[false,0]'
unguard

guard profile loop action count
preplay 20
is "where only counting is asked, it is told" \
	"$(heard m 20 '"event":"would-block"' | jq -r .port)" p1
is "and the port is open" "$(port p1 '[.blocked, .blocks]')" '[false,0]'
unguard

# --- however he goes on: one port stays open ------------------------------------------------

guard profile loop
for ((i = 0; i < 6; i++)); do
	for n in 1 2; do
		both $((i * 1000 + n * 100)) 20 a3 a$n
		both $((i * 1000 + n * 100 + 50)) 20 a$n a3
	done
done
match "ports are blocked, however he goes on" "$(blames)" '^p[123]$'
open=$(at "$box" seenctl -j -s guard show |
	jq '[.[].ports[] | select(.name != "br0") | select(.blocked | not)] | length')
between "a port is open, whatever he replays" "$open" 1 3
check "each that is blocked is released by itself" all_ended
is "as often, and for as long, as it was blocked" \
	"$(ends port-released)" "$(ends port-blocked)"
unguard

figure "replay: $REPLAYED copies of others' frames: the replaying port blocked, $alarms events"

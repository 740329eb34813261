#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Somebody on one port of a guarded bridge replays what he hears of others, to raise an
# alarm or to have a port blocked. What comes of it, and where it ends.
#
#	$away a1 --- p1 \
#	      a2 --- p2  br0 $box
#	      a3 --- p3 /		the attacker's
#
# Copies are dropped and make the guard send probes. No port is blocked, since no probe comes
# round. One who knows what a port will send sends it first: then the frames of that port
# are dropped (Documentation/limits.md), and no others. What he can do with the probes that
# he hears is in $helpers/probe_spoof.py.

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../net/helpers/lib.sh"

REPLAYED=$(long 5000 100000)

plan 27
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

# finding: of the next probes.
finding() {
	heard m 20 '"event":"probed"' | jq -c '[.port, .finding.kind]'
}

# unblocked: no port has been blocked, or would have been.
unblocked() {
	echo "$(ports_sum "$box" blocks) $(ports_sum "$box" would_block)"
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

# --- the attacker comes second ------------------------------------------------------------

guard profile loop
both 0 50 a1 a3
is "replayed on another port: probes leave, and none comes back" "$(finding)" \
	'["p3","unconfirmed"]'
before=$(stat_of "$away" a2 rx.packets)
both 100 "$REPLAYED" a1 a3
check "what the victim sends arrives" await 20 arrived $((before + REPLAYED))
between "what he goes on replaying ends at his port" \
	"$(port p3 .dropped)" "$REPLAYED" $((REPLAYED + 100))
is "no port is blocked" "$(unblocked)" "0 0"
unguard

guard profile loop
# shellcheck disable=SC2046 # words
both 0 1 a1 $(yes a3 | head -n 200)
check "one frame, replayed often: they are duplicates" \
	await 20 ports_reach "$box" dup_other_port 3
is "but no suspicion" "$(at "$box" seenctl -j guard show | jq -c '[.[].findings[]]')" "[]"
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
is "sent before the victim does: probes leave by the victim's port" "$(finding)" \
	'["p1","unconfirmed"]'
between "what he sent first is dropped" "$(port p1 .dropped)" 1 20
before=$(stat_of "$away" a2 rx.packets)
send 9000 100 a1
check "what he did not know arrives" await 20 arrived $((before + 100))
is "no port is blocked, of the two that he uses" "$(unblocked)" "0 0"
unguard

guard profile loop action count
preplay 20
is "where only counting is asked, the same is found" "$(finding)" '["p1","unconfirmed"]'
is "and no port would be blocked" "$(unblocked)" "0 0"
unguard

# --- with what he hears of probes -----------------------------------------------------------

# attack WAY: two rounds of probes, one caused by either port. In $blocked are the ports that
# are blocked when he answers them so.
attack() {
	local attacker

	guard profile loop
	listen "$1" at "$away" python3 "$helpers/probe_spoof.py" a3 "$1" "$(mac "$away" a1)"
	attacker=${lib_pids[-1]}
	heard "$1" 20 ready >/dev/null
	both 0 20 a1 a3
	finding >/dev/null
	preplay 20
	finding >/dev/null
	heard "$1" 20 probe >/dev/null || note "$1: he heard no probe"
	blocked=$(unblocked)
	kill "$attacker"
	wait "$attacker" 2>/dev/null
	unguard
}

for way in echo often stolen tagged unicast other_port old forged cut flood; do
	attack $way
	is "he answers probes: $way: no port is blocked" "$blocked" "0 0"
done

figure "replay: $REPLAYED copies of others' frames: no port blocked, $alarms events"

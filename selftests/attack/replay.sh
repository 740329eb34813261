#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# An attacker on one port of a guarded bridge replays frames that he receives from other ports,
# to raise an alarm or to have a port blocked. The test shows how far he gets.
#
#	$away a1 --- p1 \
#	      a2 --- p2  br0 $box
#	      a3 --- p3 /		the attacker's
#
# Copies are dropped and make the guard send probes. No port is blocked, because no probe
# returns. If the attacker predicts a port's frames and sends them first, these frames of the
# port are dropped (Documentation/limits.md), and no others. The ways in which he may use probes
# that he receives are in $helpers/probe_spoof.py.

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

# guard WORD...: adds a guard without any stored frames.
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

# send OFFSET COUNT PORT: sends frames that no other case uses.
send() {
	at "$away" frames $((first + $1)) "$2" "$3"
}

# both OFFSET COUNT FIRST SECOND: sends each frame by one port, and at once by the other.
both() {
	at "$away" python3 "$helpers/pair.py" $((first + $1)) "${@:2}"
}

# arrived COUNT: at least COUNT frames have arrived behind the second port.
arrived() {
	[ "$(stat_of "$away" a2 rx.packets)" -ge "$1" ]
}

# finding: waits for the end of the next probes, and prints port and finding.
finding() {
	heard m 20 '"event":"probed"' | jq -c '[.port, .finding.kind]'
}

# unblocked: prints how often ports were blocked, and how often they would have been.
unblocked() {
	echo "$(ports_sum "$box" blocks) $(ports_sum "$box" would_block)"
}

# Prints the events since the last guard was added, as far as they have been read.
told() {
	awk '/"event":"guard-add"/ { n = 0 } { line[n++] = $0 }
		END { for (i = 0; i < n; i++) print line[i] }' "$(heard_log m)"
}

# span: whole seconds from the first of these events to the last, by their own time stamps.
span() {
	told | jq -s '(.[-1].time - .[0].time) / 1e9 | floor'
}

# --- the attacker comes second ------------------------------------------------------------

guard profile loop
both 0 50 a1 a3
is "replayed on another port: probes are sent, and none returns" "$(finding)" \
	'["p3","unconfirmed"]'
before=$(stat_of "$away" a2 rx.packets)
both 100 "$REPLAYED" a1 a3
check "the victim's frames arrive" await 20 arrived $((before + REPLAYED))
between "the attacker's copies are dropped at his port" \
	"$(port p3 .dropped)" "$REPLAYED" $((REPLAYED + 100))
is "no port is blocked" "$(unblocked)" "0 0"
unguard

guard profile loop
# shellcheck disable=SC2046 # words
both 0 1 a1 $(yes a3 | head -n 200)
check "one frame, replayed often: the copies are duplicates" \
	await 20 ports_reach "$box" dup_other_port 3
is "they are no suspicion" "$(at "$box" seenctl -j guard show | jq -c '[.[].findings[]]')" "[]"
unguard

# --- alarms ------------------------------------------------------------------------------

guard profile loop no-block
both 0 "$REPLAYED" a1 a3
heard m 20 '"event":"storm"' >"$lib_dir/event"
is "the storm is reported for the attacker's port" \
	"$(jq -r .port "$lib_dir/event")" p3
is "no storm is reported for the victim's port" "$(port p1 .alarm)" '"calm"'
both "$REPLAYED" "$REPLAYED" a1 a3
so_far "$box" m
alarms=$(told | grep -cE '"event":"(suspect|storm|calm)"')
between "thousands of copies cause at most three events per second" "$alarms" \
	2 $((3 * ($(span) + 1)))
is "with no-block no port is blocked" "$(ports_sum "$box" blocks)" 0
is "no frame of the victim is dropped" "$(port p1 .dropped)" 0
unguard

# --- the attacker comes first ------------------------------------------------------------

# preplay COUNT: the attacker sends frames, then port 1 sends the same frames.
preplay() {
	both 5000 "$1" a3 a1
}

guard profile loop
preplay 20
is "sent before the victim sends: probes are sent by the victim's port" "$(finding)" \
	'["p1","unconfirmed"]'
between "number of the victim's frames that are dropped" "$(port p1 .dropped)" 1 20
before=$(stat_of "$away" a2 rx.packets)
send 9000 100 a1
check "frames that the attacker did not predict arrive" await 20 arrived $((before + 100))
is "neither of the attacker's and the victim's ports is blocked" "$(unblocked)" "0 0"
unguard

guard profile loop action count
preplay 20
is "a guard that only counts reports the same finding" "$(finding)" '["p1","unconfirmed"]'
is "such a guard would block no port" "$(unblocked)" "0 0"
unguard

# --- answers to probes -----------------------------------------------------------------------

# attack WAY: two rounds of probes, one caused by each port. The attacker answers them in this way;
# $blocked has the number of blocks then.
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
	heard "$1" 20 probe >/dev/null || note "$1: the attacker received no probe"
	blocked=$(unblocked)
	kill "$attacker"
	wait "$attacker" 2>/dev/null
	unguard
}

for way in echo often stolen tagged unicast other_port old forged cut flood; do
	attack $way
	is "the attacker answers probes: $way: no port is blocked" "$blocked" "0 0"
done

figure "replay: $REPLAYED copies of other ports' frames: no port blocked, $alarms events"

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# An attacker floods one port with ten times as many keys as the filter has room for. Measures the
# effect on the other port: its new packets, its duplicates, the events, and the recovery. For
# each type of filter and each on-full policy. The page is Documentation/scenarios/attack.md.
#
#	$attacker eth0 --- eth1 $box
#	$users    eth0 --- eth2

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../net/helpers/lib.sh"
. "$(dirname "$0")/../net/helpers/page.sh"

# The users send fewer packets than one port's share of the smallest filter.
CAPACITY=$(scale 1000 2000)
ATTACK=$((CAPACITY * 10))
USERS=$((CAPACITY / 25))
KNOWN=$((CAPACITY / 50))
ROUNDS=4
WINDOW=500ms
TWO_WINDOWS=1

# Parameters of filters. Those with a window lose nothing. Those without become full; then
# on-full decides whether the keys that they hold are still found.
windowed=(
	"type cuckoo bits 32 on-full evict"
	"type cuckoo bits 32 on-full reject"
	"type cuckoo bits 32 on-full pass"
	"type bloom fpp 1e-3 on-full reject"
	"type bloom fpp 1e-3 on-full rotate"
	"type bloom fpp 1e-3 on-full pass"
)
unwindowed=(
	"type cuckoo bits 32 on-full reject"
	"type cuckoo bits 32 on-full pass"
	"type bloom fpp 1e-4 on-full reject"
	"type bloom fpp 1e-4 on-full pass"
	"type bloom layout classic fpp 1e-4 on-full reject"
	"type bloom layout classic fpp 1e-4 on-full pass"
)
# Emulated kernels run a selection: the other filters would not behave differently there. A short
# run leaves out filters that test nothing new for this scenario.
if [ "${KERNEL:-}" != uml ]; then
	windowed=("${windowed[0]}" "${windowed[4]}")
	unwindowed=("${unwindowed[0]}")
elif [ -z "${LONG:-}" ]; then
	windowed=("${windowed[0]}" "${windowed[2]}" "${windowed[3]}" "${windowed[4]}")
	unwindowed=("${unwindowed[0]}" "${unwindowed[3]}" "${unwindowed[4]}")
fi

plan $((9 + 15 * ${#windowed[@]} + 13 * ${#unwindowed[@]}))
box='' attacker='' users=''
ns box attacker users
veth "$attacker" eth0 "$box" eth1
veth "$users" eth0 "$box" eth2
addr "$box" lo 192.0.2.2/32
addr "$box" eth1 198.51.100.254/24
addr "$box" eth2 203.0.113.254/24
addr "$attacker" eth0 198.51.100.1/24
addr "$users" eth0 203.0.113.1/24
ip -n "$attacker" route add default via 198.51.100.254
ip -n "$users" route add default via 203.0.113.254
ip -n "$box" route add default via 203.0.113.1
at "$box" sysctl -qw net.core.netdev_max_backlog=100000 2>/dev/null
events m "$box" -j

ctl() {
	at "$box" seenctl "$@"
}

# send STREAM...: sends the streams, NAME:NAMESPACE,ADDRESS,... each; the result is in $sent.
send() {
	sent=$(many_senders "$box" 192.0.2.2 2001:db8::2 "$@")
}

# of STREAM WORD
of() {
	field "$2" "$(grep "^stream $1 " <<<"$sent")"
}

set_up() {
	# shellcheck disable=SC2086 # one word a parameter
	ctl filter add mirror key packet capacity $CAPACITY seed "$SEED" $1
	for dev in eth1 eth2; do
		ctl guard add dev $dev filter mirror match all action drop
	done >/dev/null
}

take_down() {
	for dev in eth1 eth2; do
		ctl guard del dev $dev
	done
	ctl filter del mirror
}

ready() {
	heard m 20 '"event":"guard-add".*"dev":"eth2"' >/dev/null
}

# attack WHAT: users send known packets before the attack, and during it the same packets again
# and new ones, each of these twice.
attack() {
	local what=$1

	ready
	send "known:$users,10.1.0.0,$KNOWN,1"
	is "$what: before the attack, users' packets pass" "$(of known received)" $KNOWN
	send "known:$users,10.1.0.0,$KNOWN,1" \
		"attack:$attacker,60.0.0.0,$ATTACK,1" \
		"users:$users,10.0.0.0,$USERS,2"
	promise=$(filter_get "$box" mirror .fpp)
	lost=$(of users none)
	bare=$(of users more)
	forgotten=$(of known received)
	between "$what: number of the $USERS new packets that are lost" "$lost" \
		0 "$(most "$USERS" "$promise")"
}

row() {
	note "| $1 | $lost of $USERS | $bare | $forgotten of $KNOWN | $event | $recovered |"
}

# saturated REGEX: waits for the event "saturated" that matches; the result is in $event.
saturated() {
	event=no
	if heard m 20 "\"event\":\"saturated\".*$1" >"$lib_dir/event"; then
		event=yes
	fi
}

port() {
	ctl -j -s guard show dev "$1" | jq ".[0].ports[0].$2"
}

# protected WHAT NAME NAMESPACE NETWORK: new packets pass, their duplicates do not.
protected() {
	send "$2:$3,$4,$KNOWN,2"
	between "$1: new packets pass again" "$(of "$2" none)" \
		0 "$(most "$KNOWN" "$promise")"
	is "$1: duplicates do not pass" "$(of "$2" more)" 0
}

# --- with a window: no port takes the room of another --------------------------------

# The window is so long that no key expires during the test.
unharmed() {
	local what=$1

	attack "$what"
	is "$what: no duplicate passes" "$bare" 0
	is "$what: no packet passes that was known before the attack" "$forgotten" 0
	between "$what: the attack goes over its budget" \
		"$(port eth1 over_budget)" $((ATTACK / 2)) $ATTACK
	is "$what: the users stay within their budget" "$(port eth2 over_budget)" 0
	is "$what: the filter is not full" "$(filter_get "$box" mirror .full)" false
	saturated '"port":"eth1"'
	is "$what: the event names the port" "$event" yes
	is "$what: the event names no other port" \
		"$(grep 'saturated.*"port":"eth2"' "$(heard_log m)")" ""
}

# recovers WHAT PARAMETERS: attacks over several short windows. Two copies that arrive more than a
# window apart are no duplicates.
recovers() {
	local what=$1 n stored

	lost=0 bare=0
	for ((n = 0; n < ROUNDS; n++)); do
		send "attack:$attacker,$((60 + n)).0.0.0,$((CAPACITY * 2)),1" \
			"users:$users,10.$n.0.0,$((USERS / ROUNDS)),2"
		((lost += $(of users none), bare += $(of users more)))
	done
	between "$what: number of new packets lost over several windows" \
		$lost 0 "$(most "$USERS" "$promise")"
	between "$what: number of duplicates passed over several windows" $bare 0 $((USERS / 100))
	between "$what: the attack is over its budget" \
		"$(port eth1 over_budget)" 1 $((ATTACK * 2))
	sleep $TWO_WINDOWS
	stored=$(port eth1 over_budget)
	send "after:$attacker,90.0.0.0,$KNOWN,2"
	between "$what: two windows later the attacked port's packets pass, too" \
		"$(of after none)" 0 "$(most "$KNOWN" "$promise")"
	is "$what: they are stored" "$(port eth1 over_budget)" "$stored"
	between "$what: their duplicates do not pass" \
		"$(of after more)" 0 $((KNOWN / 20))
	recovered="by itself"
}

# --- without a window: the filter becomes full -----------------------------------------

spent() {
	local what=$1

	attack "$what"
	is "$what: the filter is full" "$(filter_get "$box" mirror .full)" true
	between "$what: duplicates of packets that found no room pass" "$bare" \
		$((USERS / 2)) "$USERS"
	if [[ $what = *pass* ]]; then
		between "$what: packets known before the attack pass" "$forgotten" 1 $KNOWN
	else
		is "$what: packets known before the attack do not pass" "$forgotten" 0
	fi
	saturated '"filter":"mirror"'
	is "$what: the event names the filter" "$event" yes
	send "still:$users,10.3.0.0,$KNOWN,2"
	is "$what: the filter does not recover by itself" "$(of still more)" $KNOWN
}

flushed() {
	check "$1: flush" ctl filter flush mirror
	protected "$1, flush" flushed "$users" 10.4.0.0
}

swapped() {
	send "attack:$attacker,80.0.0.0,$ATTACK,1"
	# shellcheck disable=SC2086 # one word a parameter
	ctl filter add larger key packet capacity $((2 * ATTACK)) $1
	check "$1: swap" ctl filter swap larger mirror
	protected "$1, swap" swapped "$users" 10.5.0.0
	ctl filter del larger
	recovered="flush, swap"
}

# --- the page, and the table -------------------------------------------------------------

page "$(dirname "$0")/../Documentation/scenarios/attack.md"
page_step "$box" "a filter, two guards"
ready
send "attack:$attacker,60.0.0.0,100000,1" "users:$users,10.0.0.0,1000,2"
note "$sent"
between "the page: number of new packets that are lost" "$(of users none)" \
	0 "$(most 1000 1e-6)"
is "the page: no duplicate passes" "$(of users more)" 0
page_step "$box" "the guards report the attack"
note "$page_out"
saturated '"port":"eth1"'
is "the page: the event names the port" "$event" yes
note "$(cat "$lib_dir/event")"
page_step "$box" "flush"
page_step "$box" "swap"
page_step "$box" "the end"

for what in "${windowed[@]}"; do
	set_up "$what window 1h"
	unharmed "$what"
	take_down
	measured="$lost $bare"
	set_up "$what window $WINDOW"
	recovers "$what"
	read -r lost bare <<<"$measured"
	row "$what, window"
	take_down
done
for what in "${unwindowed[@]}"; do
	set_up "$what"
	spent "$what"
	flushed "$what"
	swapped "$what"
	row "$what"
	take_down
done
page_end

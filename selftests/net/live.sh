#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# A guard is changed while it works: its counters continue, and each change applies from the next
# frame on. The kernel's log reports blocks and releases.
#
#	$far q0 --- p0 br0 p2 --- q2 $far
#	     q1 --- p1

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/helpers/lib.sh"

plan 32
box='' far=''
ns box far
for n in 0 1 2; do
	veth "$box" p$n "$far" q$n
done
br "$box" br0 p0 p1 p2
link_up "$box" p0 p1 p2
events m "$box" -j
sent=0

set_guard() {
	at "$box" seenctl guard set bridge br0 "$@"
}

# pairs COUNT: sends this number of frames to p0, and a copy of each to p1.
pairs() {
	at "$far" python3 "$helpers/pair.py" $((sent += 100)) "$1" q0 q1
}

guard() {
	at "$box" seenctl -j guard show | jq -c ".[0] | $1"
}

# logged REGEX: the kernel has logged a matching line since the test began.
logged() {
	dmesg | tail -n "+$((log_begin + 1))" | grep -Eq "$1"
}

# unprobed: there has been no event "probed" so far.
unprobed() {
	! so_far "$box" m | grep -q '"event":"probed"'
}

log_begin=$(dmesg | wc -l)
at "$box" seenctl guard add bridge br0 profile loop >/dev/null
pairs 2
is "copies are dropped" "$(port_get "$box" p1 .dropped)" 2

# --- parameters -------------------------------------------------------------------------

check "all parameters are set at once" \
	set_guard storm 7 repeat 9 match all suspect 16 block-first 1s \
	block-max 2s protect p0 protect p2
is "guard show has the new parameters" \
	"$(guard '[.storm, .repeat, .match, .suspect, .block_first, .block_max, .protect]')" \
	'[7,9,"all",16,1000000000,2000000000,["p0","p2"]]'
is "other parameters are unchanged" "$(guard '[.action, .state, .no_probe]')" \
	'["block","armed",false]'
is "counters continue" "$(port_get "$box" p1 .dropped)" 2
is "ports are protected" "$(guard '[.ports[] | select(.protected).name]')" '["p0","p2"]'
refuse "an invalid set is refused" 1 "must not be longer than block-max" \
	set_guard storm 8 block-first 1h
is "a refused set changes nothing" "$(guard .storm)" 7
check "a list is replaced" set_guard protect p1
is "the new list is in effect" "$(guard '[.ports[] | select(.protected).name]')" '["p1"]'
check "a list is emptied" set_guard protect none
is "then no port is protected" "$(guard '[.ports[] | select(.protected).name]')" '[]'

# --- match ------------------------------------------------------------------------------

unicast() {
	at "$far" python3 -c '
import socket
sock = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
sock.bind(("q0", 0))
for number in range(9):
    sock.send(bytes.fromhex("020000000099" "020000000098" "88b6") + bytes([number]) * 50)
'
}

set_guard match bum
before=$(port_get "$box" p0 .judged)
unicast
is "match bum: unicast is not judged" "$(port_get "$box" p0 .judged)" "$before"
set_guard match all
unicast
is "match all: from then on it is" "$(port_get "$box" p0 .judged)" $((before + 9))
set_guard match bum

# --- suspicion ----------------------------------------------------------------------------

so_far "$box" m >/dev/null
pairs 12
check "suspect 16: twelve frames are no suspicion" unprobed
set_guard suspect 1
pairs 1
check "suspect 1: one frame is a suspicion" heard m 20 '"event":"probed"'

# --- a loop, and its block -----------------------------------------------------------------

loop() {
	br "$far" far q0 q1 && link_up "$box" p0 p1
}

set_guard block-first 1s block-max 1s protect p0
check "a loop is made" loop
at "$far" frames 0 3 q2
blocked() {
	heard m 20 '"event":"port-blocked"' >"$lib_dir/blocked"
}
check "a port is blocked" blocked
between "the block lasts 1 s, plus or minus a quarter" "$(jq .duration "$lib_dir/blocked")" \
	700000000 1300000000
is "the protected port is not blocked" "$(jq -r .port "$lib_dir/blocked")" p1
check "the log reports the block" \
	logged 'seen: br0: port p1 in a loop with port p0: blocked for [01]\.[0-9] s'
check "the port is released" heard m 20 '"event":"port-released"'
check "the log reports the release" \
	logged 'seen: br0: port p1 in a loop with port p0: released after [01]\.[0-9] s'
set_guard block-max 1m block-first 1m
at "$far" frames 10 3 q2
check "a longer block begins" heard m 20 '"event":"port-blocked"'
check "the blocked port is set to protected" set_guard protect p1 protect p2
check "releases it" heard m 20 '"event":"port-released"'
at "$far" frames 20 3 q2
check "the other port is blocked" heard m 20 '"event":"port-blocked".*"port":"p0"'
check "the guard is paused" at "$box" seenctl guard pause bridge br0
check "releases it" heard m 20 '"event":"port-released"'
is "a paused guard blocks no port" "$(guard '[.ports[] | select(.blocked).name]')" '[]'
at "$box" seenctl guard resume bridge br0
at "$far" frames 30 3 q2
check "after resume the port is blocked again" heard m 20 '"event":"port-blocked".*"port":"p0"'
at "$box" seenctl reset >/dev/null
check "reset ends the block, and the log names both ports" \
	logged 'seen: br0: port p0 in a loop with port p1: released after'

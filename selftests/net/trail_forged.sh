#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Fuzzed and forged trails between two guarded bridges: nothing is lost but forged frames, and none
# of those if trails are signed, or if the port of the forger is an edge.

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/helpers/lib.sh"
. "$(dirname "$0")/helpers/loops.sh"

COUNT=$(scale 4000 34000 20000 340000)
NODE=123456789abcdef

# guarded SWITCH NODE [WORD...]
guarded() {
	keep_trails "${!1}"
	at "${!1}" seenctl filter add loops type cuckoo bits 24 window 500ms capacity 10k \
		key frame seed $SEED >/dev/null || exit 1
	at "${!1}" seenctl guard add bridge br0 profile loop filter loops trail trail-only \
		trail-node "$2" "${@:3}" >/dev/null || exit 1
}

# forge WHAT {known|unknown} [WORD...]: the forger knows the secret or not; words for s1's guard
forge() {
	local what=$1 knows=$2 words=() name

	[ "$knows" = known ] || words=(trail-auth)
	switches s1 s2
	wire s1 s2
	host h1 s1
	host h2 s1
	host h3 s2
	guarded s1 $NODE "${words[@]}" "${@:3}"
	guarded s2 2 "${words[@]}"
	ready s1 s2
	line=$(forged "$h1:eth0" "$h2:eth0" "$h3:eth0" "$COUNT" $NODE $SEED "$knows" \
		"${TEST_SEED:-1}") || note "forged failed"
	note "$line"
	check "$what: frames were sent" [ "$(field genuine "$line")" -ge $((COUNT / 4)) ]
	is "$what: frames without a trail arrive once" \
		"$(field genuine-lost "$line") $(field genuine-doubled "$line")" "0 0"
	is "$what: no frame arrives twice" "$(field forged-doubled "$line")" 0
	is "$what: payload is unchanged" "$(field damaged "$line")" 0
	loops=$(sum trail_loops s1 s2)
	is "$what: forged frames are lost only as loops" "$(field forged-lost "$line")" "$loops"
	is "$what: frames without a trail are no loops" \
		"$(port_get "$s1" h2 '[.trail_loops, .trail_strikes]')" "[0,0]"
	for name in h1 h2 h3 s1 s2; do
		ns_del "${!name}"
	done
}

plan 21
forge "no secret" known
between "no secret: some are lost" "$loops" $((COUNT / 20)) $((COUNT / 2))
forge "a secret" unknown
is "a secret: none is lost" "$loops" 0
forge "an edge" known port h1 edge
is "an edge: none is lost" "$loops" 0
figure "$((3 * COUNT)) frames with a forged trail"

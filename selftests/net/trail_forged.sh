#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Forged and damaged trails, among broadcasts without one, pass two guarded bridges. A forged trail
# can cost its own frame only, and signed ones not even that.
#
#	$sender --- $s1 (guarded) --- $s2 (guarded) --- $receiver

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/helpers/lib.sh"
. "$(dirname "$0")/helpers/loops.sh"

COUNT=$(scale 5000 20000 20000 500000)

# line [WORD...]: guards with these parameters.
line() {
	local name

	switches s1 s2
	host sender s1
	host receiver s2
	wire s1 s2
	for name in s1 s2; do
		keep_trails "${!name}"
		at "${!name}" seenctl filter add loops type cuckoo bits 24 window 500ms \
			capacity 10k key frame seed "$SEED" >/dev/null || exit 1
		guard "$name" filter loops trail trail-only "$@"
	done
	ready s1 s2
}

unline() {
	local name

	for name in s1 s2 sender receiver; do
		ns_del "${!name}"
	done
}

# both COUNTER: sum of both guards.
both() {
	echo $(($(ports_sum "$s1" "$1") + $(ports_sum "$s2" "$1")))
}

# forge FORMAT: the line of the helper is in $line.
forge() {
	line=$(forge_trails "$sender:eth0" "$receiver:eth0" "$1" "$COUNT" "${TEST_SEED:-1}" 2>&1) ||
		note "$line"
	genuine=$(field sent "$line")
	lost=$(($(field forged "$line") - $(field arrived "$line")))
}

# none_lost WHAT KIND...: all frames with these trails arrived.
none_lost() {
	local kind lost=''

	for kind in "${@:2}"; do
		lost+=$(field "$kind" "$line")
	done
	is "$1" "$lost" "$(printf '%.s0' "${@:2}")"
}

plan 13
line
forge plain
is "all frames were sent" "$(field forged "$line")" "$COUNT"
is "each genuine one arrives exactly once" "$(field received "$line")" "$genuine"
is "with a trail" "$(field trailed "$line")" "$genuine"
none_lost "what is no trail costs nothing" random short length version
is "all bits set: both guards together drop it" "$(field ones "$line")" \
	"$(field of-ones "$line")"
is "and a strike: one guard drops it" "$(field ended "$line")" "$(field of-ended "$line")"
# A node finds its bits in a random filter of 128 bits with a probability of 0.5 % or, behind
# another node, 0.8 %. The bounds are so wide because few frames are sent.
all=$(field of-strike "$line")
between "random filters and a strike: chance drops it" "$(field strike "$line")" \
	$((all / 1000)) $((all / 20))
is "lost are the frames that guards dropped" "$lost" "$(both trail_loops)"
unline

line trail-auth
forge signed
is "signed: all frames were sent" "$(field forged "$line")" "$COUNT"
is "signed: each genuine one arrives exactly once" "$(field received "$line")" "$genuine"
is "signed: with a trail" "$(field trailed "$line")" "$genuine"
is "signed: each forged one arrives" "$(field arrived "$line")" "$COUNT"
is "signed: no guard finds a loop" "$(both trail_loops)/$(both trail_strikes)" 0/0

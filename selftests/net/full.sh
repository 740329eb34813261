#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# What gives when a filter is full: the table of Documentation/design.md, line by
# line. Capacity is a promise, so "full" never comes before it.

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/helpers/lib.sh"

CAPACITY=1000
MORE=$((CAPACITY * 5))
FULL_TEXT="the filter is full"
EVICT_TEXT="on-full: evict is for type cuckoo with a window, which knows the oldest key"
ROTATE_TEXT="on-full: rotate is for type bloom with a window, which has generations"

reject=(
	"type bloom fpp 1e-4"
	"type bloom layout classic fpp 1e-4"
	"type bloom fpp 1e-3 window 1h"
	"type cuckoo bits 32"
	"type cuckoo bits 32 window 1h on-full reject"
	"type cuckoo bits 32 window 1h on-full pass"
)
pass=(
	"type bloom fpp 1e-4"
	"type bloom layout classic fpp 1e-4"
	"type bloom fpp 1e-3 window 1h"
	"type cuckoo bits 32"
)
room=(
	"type bloom fpp 1e-3 window 1h on-full rotate"
	"type cuckoo bits 32 window 1h"
)
recover=(
	"type bloom fpp 1e-3 window 200ms"
	"type bloom fpp 1e-3 window 200ms on-full pass"
	"type cuckoo bits 32 window 200ms on-full reject"
)

plan $((4 * ${#reject[@]} + 7 * ${#pass[@]} + 6 * ${#room[@]} +
	2 * ${#recover[@]} + 2 + 2 + 10))
box=''
ns box

ctl() {
	at "$box" seenctl "$@"
}

# add WORDS: the filter f, with the same hash each time.
add() {
	ctl filter del f 2>/dev/null
	# shellcheck disable=SC2086 # one word a parameter
	ctl filter add f capacity $CAPACITY key bytes seed "$SEED" $1 || exit 1
}

# fill: as many new keys as it promises to take; over: more than it can take.
fill() {
	at "$box" keys new f 0 $CAPACITY
}

over() {
	at "$box" keys new f $CAPACITY $MORE 2>&1
}

known() {
	at "$box" keys test f 0 $CAPACITY
}

get() {
	filter_get "$box" f "$1"
}

# --- keys beyond capacity are refused, and counted; what was there stays ---------

for what in "${reject[@]}"; do
	add "$what"
	match "$what: takes its capacity" "$(fill)" "full 0"
	match "$what: refuses more" "$(over)" "$FULL_TEXT"
	is "$what: counts it" "$(get .stats.full)" 1
	match "$what: what it knew it knows" "$(known)" "new 0 seen $CAPACITY"
done

add "type bloom fpp 1e-4"
fill >/dev/null
over >/dev/null
refuse "one more is refused as well" 1 "$FULL_TEXT" ctl key add f --new more
refuse "and is not there" 1 "" ctl key test f more

# --- everything passes ------------------------------------------------------------

for what in "${pass[@]}"; do
	add "$what on-full pass"
	match "$what, pass: takes its capacity" "$(fill)" "full 0"
	match "$what, pass: refuses more" "$(over)" "$FULL_TEXT"
	is "$what, pass: says that it is full" "$(get .full)" true
	match "$what, pass: calls nothing seen" "$(known)" "new $CAPACITY seen 0"
	ctl filter set f on-full reject
	match "$what, pass: has forgotten nothing" "$(known)" \
		"new 0 seen $CAPACITY"
	ctl filter set f on-full pass
	ctl filter flush f
	match "$what, pass: takes keys after a flush" "$(fill)" "full 0"
	match "$what, pass: and calls them seen" "$(known)" "new 0 seen $CAPACITY"
done

# --- something else makes room ------------------------------------------------------

for what in "${room[@]}"; do
	add "$what"
	fill >/dev/null
	is "$what: keeps the window up to its capacity" "$(get .effective)" \
		"$(get .window)"
	match "$what: takes more" "$(over)" "full 0"
	match "$what: knows the latest" \
		"$(at "$box" keys test f $((CAPACITY + MORE - 1)) 1)" \
		"new 0 seen 1"
	between "$what: says that the window was shorter" "$(get .effective)" \
		0 $(($(get .window) - 1))
	between "$what: and goes on saying so" "$(get .effective)" \
		0 $(($(get .window) - 1))
	is "$what: refused nothing" "$(get .stats.full)" 0
done
between "eviction is counted" "$(get .stats.evicted)" 1 $MORE
ctl filter set f on-full reject
match "from now on it refuses" "$(at "$box" keys new f 1000000 $MORE 2>&1)" \
	"$FULL_TEXT"

# --- time makes room ----------------------------------------------------------------

takes() {
	[[ $(at "$box" keys new f "$1" 100 2>&1) = *"full 0"* ]]
}

for what in "${recover[@]}"; do
	add "$what"
	match "$what: refuses more" "$(over)" "$FULL_TEXT"
	check "$what: takes keys again" await 10 takes 2000000
done

# --- what makes no sense is refused --------------------------------------------------

# senseless KIND POLICY TEXT
senseless() {
	local kind=$1 policy=$2 text=$3

	# shellcheck disable=SC2086 # one word a parameter
	refuse "$kind on-full $policy" 1 "$text" ctl filter add none \
		capacity 10 key bytes $kind on-full "$policy"
	add "$kind"
	refuse "$kind set on-full $policy" 1 "$text" \
		ctl filter set f on-full "$policy"
}

senseless "type bloom fpp 1e-3" evict "$EVICT_TEXT"
senseless "type bloom fpp 1e-3" rotate "$ROTATE_TEXT"
senseless "type bloom fpp 1e-3 window 1h" evict "$EVICT_TEXT"
senseless "type cuckoo bits 16" evict "$EVICT_TEXT"
senseless "type cuckoo bits 16 window 1h" rotate "$ROTATE_TEXT"

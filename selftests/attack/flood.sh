#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# A flood of distinct keys, ten times the capacity, for types and policies that
# scenarios/attack.sh (which floods guards) does not cover. Meanwhile other users' keys are looked
# up: they are never missed. Keys that find no room are counted and reported, stored keys stay,
# and sketches err by no more than they promise for the total count.

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../net/helpers/lib.sh"

CAPACITY=$(long 2000 200000)
FLOOD=$((CAPACITY * 10))
KNOWN=$((CAPACITY / 10))

# A filter of these types that is full refuses keys and reports that. Sketches accept all keys.
refusing=(
	"type bloom fpp 1e-4"
	"type bloom layout classic fpp 1e-4"
	"type bloom fpp 1e-3 window 1h"
	"type cuckoo bits 16"
	"type cuckoo bits 32 window 1h on-full reject"
	"type counting fpp 0.01"
	"type map"
)
sketches=("type cms fpp 0.01" "type cmm fpp 0.01" "type cms fpp 0.01 conservative")

passes=0
plan $((8 * ${#refusing[@]} + 3 * ${#sketches[@]} + 4))
box=''
ns box
events m "$box" -j

ctl() {
	at "$box" seenctl "$@"
}

# Looks up the known keys, pass after pass, until the flood has ended; writes a line per pass.
hold() {
	until [ -e "$lib_dir/last" ]; do
		[ ! -e "$lib_dir/poured" ] || : >"$lib_dir/last"
		at "$box" keys test f 0 "$KNOWN" >>"$lib_dir/held"
	done
}

passes() {
	[ "$(wc -l <"$lib_dir/held")" -ge "$1" ]
}

# answered WORD: the sum over all passes.
answered() {
	local line sum=0

	while read -r line; do
		((sum += $(field "$1" "$line")))
	done <"$lib_dir/held"
	echo $sum
}

# pour VERB: adds ten times as many keys as there is room for; prints the results.
pour() {
	at "$box" keys "$1" f 1000000000 $FLOOD
}

for what in "${refusing[@]}"; do
	# shellcheck disable=SC2086 # one word a parameter
	ctl filter add f capacity $CAPACITY key bytes seed "$SEED" $what || exit 1
	at "$box" keys new f 0 "$KNOWN" >/dev/null
	: >"$lib_dir/held"
	rm -f "$lib_dir"/{poured,last}
	hold &
	holder=$!
	await 20 passes 1
	poured=$(pour flood)
	: >"$lib_dir/poured"
	wait $holder
	# The first pass began before the flood, and the last one after it.
	count=$(wc -l <"$lib_dir/held")
	between "$what: number of passes over the other users' keys" "$count" 3 1000000
	is "$what: no key was missed during the flood" "$(answered seen) $(answered new)" \
		"$((count * KNOWN)) 0"
	((passes += count))
	is "$what: no key is missed after the flood" \
		"$(field seen "$(at "$box" keys test f 0 "$KNOWN")")" "$KNOWN"
	full=$(field full "$poured")
	is "$what: each key of the flood was answered" $((full +
		$(field new "$poured") + $(field seen "$poured"))) $FLOOD
	between "$what: most keys found no room" "$full" $((FLOOD / 2)) $FLOOD
	is "$what: the filter has counted these" "$(filter_get "$box" f .stats.full)" "$full"
	check "$what: an event reports that it is full" \
		heard m 20 '"event":"saturated".*"filter":"f"'
	between "$what: it stored about its capacity" \
		"$(filter_get "$box" f .stats.adds)" $((CAPACITY * 9 / 10)) $((FLOOD / 2))
	ctl filter del f
done

for what in "${sketches[@]}"; do
	# shellcheck disable=SC2086 # one word a parameter
	ctl filter add f capacity 1000 key bytes seed "$SEED" $what || exit 1
	for i in {1..50}; do
		echo victim
	done | ctl key add f - >/dev/null
	pour add >/dev/null
	total=$(filter_get "$box" f .total)
	is "$what: all keys were counted" "$total" $((FLOOD + 50))
	count=$(ctl key count f victim | cut -d' ' -f2)
	low=50
	[[ $what != *cmm* ]] || low=$((50 - total / 1000))
	between "$what: the error of a victim's count is within the promise" "$count" \
		$((low > 0 ? low : 0)) $((50 + total / 1000))
	is "$what: a sketch is never full" "$(filter_get "$box" f .stats.full)" 0
	ctl filter del f
done

# A bitmap has a place for each key in its range.
ctl filter add f key id range 0-99999 >/dev/null
seq 1 2 999 | ctl key add f - >/dev/null
seq 1000 99999 | ctl key add f - >/dev/null
is "bitmap: a flood with all keys of the range" "$(filter_get "$box" f .entries)" 99500
is "bitmap: exactly the stored keys are found" "$(seq 0 999 | ctl key test f - |
	awk '$2 == "seen" { seen++; odd += $1 % 2 } END { print seen, odd }')" "500 500"
is "bitmap: it is not full" "$(filter_get "$box" f .stats.full)" 0
refuse "bitmap: a key outside the range is refused" 1 "outside" ctl key add f 100000
figure "floods: $((${#refusing[@]} + ${#sketches[@]} + 1)) types of filters, $FLOOD keys each, none of the $KNOWN known keys missed in $passes passes"

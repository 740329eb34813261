#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The kernel's part of what chosen.c shows: each filter draws a secret of its own, and
# hashes by it. Keys that collide under one secret are as any others under another one;
# where the secret is known, nine keys fill a pair of buckets: what comes of it, for
# each policy, and what does not.

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../net/helpers/lib.sh"

here=$(cd "$(dirname "$0")" && pwd)
ZERO=00000000000000000000000000000000
FILTERS=$(long 64 1000)
# Of one place, and how many of them there is room for.
CRAFTED=12
ROOM=8
CAPACITY=100

plan 19
modprobe seen || exit 1
box=''
ns box

ctl() {
	at "$box" seenctl "$@"
}

# --- secrets are drawn ------------------------------------------------------------------

# FILTER_EXPORT with WITH_SECRET; SEEN_A_FILTER_SECRET is 12.
secrets() {
	for ((i = 0; i < FILTERS; i++)); do
		echo "FILTER_EXPORT NAME=str:s$i WITH_SECRET=flag:"
	done | at "$box" python3 "$here/helpers/raw.py" ask |
		python3 "$here/helpers/secrets.py"
}

for ((i = 0; i < FILTERS; i++)); do
	echo "filter add s$i capacity 10 key bytes type cuckoo bits 16"
done | ctl -b -
secrets >"$lib_dir/secrets"
is "each filter has a secret of its own" \
	"$(sort -u "$lib_dir/secrets" | wc -l)" "$FILTERS"
# 4.5 standard deviations of half of all bits; a bit that never changes would have a
# chance of 2^-63.
half=$((FILTERS * 64))
off=$(awk -v n="$FILTERS" 'BEGIN { print int(4.5 * sqrt(n * 128) / 2) + 1 }')
ones=$(python3 -c 'import sys
print(sum(bin(int(word, 16)).count("1") for word in sys.stdin))' \
	<"$lib_dir/secrets")
between "as many bits are set as are not" "$ones" $((half - off)) $((half + off))
is "each bit of them changes" "$(python3 -c 'import sys
words = [int(word, 16) for word in sys.stdin]
every, some = (1 << 128) - 1, 0
for word in words:
    every &= word
    some |= word
print(bin(every).count("1"), bin(some).count("1"))' <"$lib_dir/secrets")" "0 128"
for ((i = 0; i < FILTERS; i++)); do
	echo "filter del s$i"
done | ctl -b -

# --- chosen under another secret -----------------------------------------------------------

# craft FILTER SECRET: keys into $lib_dir/keys; all control keys can make room for them.
craft() {
	local told

	told=$(ctl -j filter show "$1" | jq -r '.[0] | "\(.blocks) \(.bits)"')
	# shellcheck disable=SC2086 # two words
	controls | python3 "$here/helpers/craft.py" "$2" $told $CRAFTED \
		>"$lib_dir/keys"
}

add() {
	ctl filter add "$1" capacity $CAPACITY key bytes type cuckoo bits 32 \
		"${@:2}"
}

# stored FILTER: of the crafted keys, one at a time, since the first that finds no
# room ends a request.
stored() {
	local key count=0

	while read -r key; do
		! ctl key add "$1" --new "$key" >/dev/null 2>&1 || ((++count))
	done <"$lib_dir/keys"
	echo $count
}

controls() {
	seq -f control%.0f $((CAPACITY / 2))
}

add_controls() {
	controls | ctl key add "$1" -
}

add known seed $ZERO
add drawn
add other
craft known $ZERO
for filter in known drawn other; do
	check "others' keys are in $filter" add_controls $filter
done
is "where the secret is zeroes, keys made for it find no room" \
	"$(stored known)" $ROOM
is "where it is drawn, all do" "$(stored drawn)" $CRAFTED
ctl filter flush drawn
add_controls drawn >/dev/null
is "after a flush, too" "$(stored drawn)" $CRAFTED

# --- it has leaked ---------------------------------------------------------------------

leaked() {
	echo "FILTER_EXPORT NAME=str:$1 WITH_SECRET=flag:" |
		at "$box" python3 "$here/helpers/raw.py" ask |
		python3 "$here/helpers/secrets.py"
}

craft other "$(leaked other)"
is "a secret that has leaked: $CRAFTED keys for one place, so many are stored" \
	"$(stored other)" $ROOM
is "what others stored is there" "$(controls | ctl key test other - |
	grep -c ' seen$')" $((CAPACITY / 2))
is "the filter says that it is full" "$(filter_get "$box" other .full)" true
is "and has counted what it refused" \
	"$(filter_get "$box" other .stats.full)" $((CRAFTED - ROOM))
# But for one that has both its buckets there: 25 keys of 676 pairs of buckets.
refused=0
for ((i = 0; i < CAPACITY / 4; i++)); do
	ctl key add other --new "new$i" >/dev/null 2>&1 || ((++refused))
done
between "others' new keys find room all the same" $refused 0 3
ctl filter set other on-full pass
is "policy pass: nine such keys let everything pass" \
	"$(ctl key test other control1)" "control1 new"
ctl filter set other on-full reject
check "policy reject: it is seen again" ctl key test other control1
check "one key less" ctl key del other "$(head -n 1 "$lib_dir/keys")"
is "and it is not full any more" "$(filter_get "$box" other .full)" false

# A map: packets store nothing in it, and it gets other hashes (net/rehash.sh).
ctl filter add map type map key bytes capacity $CAPACITY
blocks=$(ctl -j filter show map | jq '.[0].blocks')
echo "FILTER_EXPORT NAME=str:map WITH_SECRET=flag:" |
	at "$box" python3 "$here/helpers/raw.py" ask |
	python3 "$here/helpers/secrets.py" >"$lib_dir/secret"
python3 "$here/../net/helpers/collide.py" "$(cat "$lib_dir/secret")" "$blocks" \
	12 | sed 's/$/ 1/' >"$lib_dir/keys"
ctl key add map - <"$lib_dir/keys" >/dev/null
is "a map takes all keys that collide under its secret" "$(filter_get "$box" map .entries)" 12
figure "chosen keys in the kernel: $FILTERS secrets drawn, $ROOM of $CRAFTED stored where the secret is known"

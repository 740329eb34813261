#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The kernel's part of chosen.c: each filter draws a secret of its own and uses it. Keys that
# collide under one secret behave like any other keys under another one. If the secret is known,
# nine keys fill a pair of buckets; the test shows the effects of that for each on-full policy.

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../net/helpers/lib.sh"

here=$(cd "$(dirname "$0")" && pwd)
ZERO=00000000000000000000000000000000
FILTERS=$(long 64 1000)
# Number of crafted keys that belong to the same two buckets, and of slots in these buckets.
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
# 4.5 standard deviations of half of all bits.
half=$((FILTERS * 64))
off=$(awk -v n="$FILTERS" 'BEGIN { print int(4.5 * sqrt(n * 128) / 2) + 1 }')
ones=$(python3 -c 'import sys
print(sum(bin(int(word, 16)).count("1") for word in sys.stdin))' \
	<"$lib_dir/secrets")
between "half of all bits are set" "$ones" $((half - off)) $((half + off))
is "each bit of the secrets changes" "$(python3 -c 'import sys
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

# craft FILTER SECRET: writes keys to $lib_dir/keys. No control key needs both of their buckets.
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

# stored FILTER: adds the crafted keys, and prints how many were stored. One key per request,
# because the first key without room ends a request.
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
	check "other users' keys are in $filter" add_controls $filter
done
is "with a secret of zeroes, keys made for it find no room" \
	"$(stored known)" $ROOM
is "with a drawn secret all of them are stored" "$(stored drawn)" $CRAFTED
ctl filter flush drawn
add_controls drawn >/dev/null
is "after a flush all of them are stored, too" "$(stored drawn)" $CRAFTED

# --- the secret has leaked ---------------------------------------------------------------

leaked() {
	echo "FILTER_EXPORT NAME=str:$1 WITH_SECRET=flag:" |
		at "$box" python3 "$here/helpers/raw.py" ask |
		python3 "$here/helpers/secrets.py"
}

craft other "$(leaked other)"
is "with a leaked secret, $ROOM of $CRAFTED keys for one place are stored" \
	"$(stored other)" $ROOM
is "all other users' keys are still found" "$(controls | ctl key test other - |
	grep -c ' seen$')" $((CAPACITY / 2))
is "the filter reports that it is full" "$(filter_get "$box" other .full)" true
is "the filter has counted the refused keys" \
	"$(filter_get "$box" other .stats.full)" $((CRAFTED - ROOM))
# A new key fails only if both of its buckets are the full ones: 25 keys, 676 pairs of buckets.
refused=0
for ((i = 0; i < CAPACITY / 4; i++)); do
	ctl key add other --new "new$i" >/dev/null 2>&1 || ((++refused))
done
between "other users' new keys find room" $refused 0 3
ctl filter set other on-full pass
is "policy pass: the full pair of buckets makes every key pass" \
	"$(ctl key test other control1)" "control1 new"
ctl filter set other on-full reject
check "policy reject: a stored key is seen again" ctl key test other control1
check "one of the crafted keys is deleted" ctl key del other "$(head -n 1 "$lib_dir/keys")"
is "the filter is not full any more" "$(filter_get "$box" other .full)" false

# A map rehashes when keys collide (net/rehash.sh). Only users add keys to it, not packets.
ctl filter add map type map key bytes capacity $CAPACITY
blocks=$(ctl -j filter show map | jq '.[0].blocks')
echo "FILTER_EXPORT NAME=str:map WITH_SECRET=flag:" |
	at "$box" python3 "$here/helpers/raw.py" ask |
	python3 "$here/helpers/secrets.py" >"$lib_dir/secret"
python3 "$here/../net/helpers/collide.py" "$(cat "$lib_dir/secret")" "$blocks" \
	12 | sed 's/$/ 1/' >"$lib_dir/keys"
ctl key add map - <"$lib_dir/keys" >/dev/null
is "a map stores all keys that collide under its secret" "$(filter_get "$box" map .entries)" 12
figure "chosen keys in the kernel: $FILTERS secrets drawn, $ROOM of $CRAFTED stored with a known secret"

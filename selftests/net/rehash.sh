#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# A map that is not full, but has no place for a key: its two buckets are also those of
# as many keys as they have slots. The map is rehashed while lookups go on, and finds
# every key at all times.

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/helpers/lib.sh"
. "$(dirname "$0")/helpers/rules.sh"

KEYS=9

plan 23

ns a
cd "$lib_dir" || exit
at "$a" seenctl filter add m type map key bytes capacity 100 seed $SEED
before=$(filter_get "$a" m .bytes)
mapfile -t keys < <(python3 "$helpers/collide.py" $SEED \
	"$(filter_get "$a" m .blocks)" $KEYS)
is "keys for the same two buckets" "${#keys[@]}" $KEYS
last=${keys[KEYS - 1]}
unset 'keys[KEYS - 1]'
for i in "${!keys[@]}"; do
	echo "${keys[i]} $i"
done >list
check "as many keys as the two buckets have slots are added" at "$a" seenctl key add m - <list

# Looks up all keys again and again, until it is killed.
background at "$a" bash -c 'while :; do
	seenctl key test m "$@" | grep -v " seen$"
done' - "${keys[@]}" >missed
asking=$!
asked() {
	[ "$(filter_get "$a" m .stats.lookups)" -gt "$1" ]
}
await 10 asked 0
check "one more key is added" at "$a" seenctl key add m "$last" value 8
await 10 asked "$(($(filter_get "$a" m .stats.lookups) + 100))"
kill $asking
wait $asking
is "no key was missed meanwhile" "$(cat missed)" ""
is "nothing was refused" "$(filter_get "$a" m .stats.full)" 0
echo "$last 8" >>list
is "all keys are there, with their values" \
	"$(cut -d' ' -f1 list | at "$a" seenctl key count m - | sort)" \
	"$(sort list)"
is "its size is unchanged" "$(filter_get "$a" m .bytes)" "$before"

check "the map is exported" at "$a" seenctl filter export m m.seen --with-secret
check "it is imported, though these keys did not fit under the first hashes" \
	at "$a" seenctl filter import copy m.seen
is "the import has all keys, with their values" \
	"$(cut -d' ' -f1 list | at "$a" seenctl key count copy - | sort)" \
	"$(sort list)"
at "$a" seenctl filter del copy

# Another map with the same hash secret holds only the last key.
for name in some other; do
	at "$a" seenctl filter add $name type map key bytes capacity 100 seed $SEED
done
head -n 8 list | at "$a" seenctl key add some - >/dev/null
at "$a" seenctl key add other "$last" value 8 >/dev/null
check "a merge rehashes the map, too" at "$a" seenctl filter merge some other
is "after the merge all keys are there" \
	"$(cut -d' ' -f1 list | at "$a" seenctl key count some - | sort)" \
	"$(sort list)"
at "$a" seenctl filter del some
at "$a" seenctl filter add some type map key bytes capacity 100 seed $SEED
head -n 8 list | at "$a" seenctl key add some - >/dev/null
at "$a" sysctl -qw net.seen.max_bytes=1
refuse "without memory for another table the merge is refused" 1 \
	"memory: cap reached, cannot rehash the map" \
	at "$a" seenctl filter merge some other
at "$a" sysctl -qw net.seen.max_bytes=0
is "the refused merge changes nothing" \
	"$(cut -d' ' -f1 list | at "$a" seenctl key count some - | sort)" \
	"$({ head -n 8 list; echo "$last -"; } | sort)"
at "$a" seenctl filter del some
at "$a" seenctl filter del other

# The cap has room for one more table only after the old table has been freed.
at "$a" sysctl -qw "net.seen.max_bytes=$((before * 2 + 2048))"
check "the memory of the old table is released" await 10 \
	at "$a" seenctl filter add n type map key bytes capacity 100
at "$a" seenctl filter del n
at "$a" sysctl -qw net.seen.max_bytes=0
at "$a" seenctl filter del m
at "$a" seenctl filter add m type map key bytes capacity 100 seed $SEED
at "$a" sysctl -qw "net.seen.max_bytes=$((before + 2048))"
events m "$a" -j
refuse "without memory for another table the key is refused" 1 \
	"memory: cap reached, cannot rehash the map" \
	at "$a" seenctl key add m - <list
check "an event reports the refusal" heard m 10 '"event":"saturated","filter":"m"'
# A delete right after the rehash, while its works may still run.
at "$a" sysctl -qw net.seen.max_bytes=0
check "with memory the keys are added" at "$a" seenctl key add m - <list
check "the map can be deleted at once" at "$a" seenctl filter del m

# A packet cannot wait for a rehash: a work does it, and the key of a later packet is stored.
box=$a tool=iptables-nft
memory_group rehash
# The process is in the group only during the request, because the memory that a process itself
# has used there is released later.
preload=()
[ -z "$group" ] || preload=(LD_PRELOAD="$(dirname "$(command -v race)")/memcg_send.so"
	SEEN_GROUP="$group")
at "$a" env "${preload[@]}" \
	seenctl filter add ports type map key dport capacity 100 seed $SEED
mapfile -t keys < <(python3 "$helpers/collide.py" $SEED \
	"$(filter_get "$a" ports .blocks)" $KEYS ports)
sent() {
	datagrams "$a" 127.0.0.1 "${keys[@]}"
	ask key test ports "${keys[@]}"
}
# is_full: limits the group to the memory that it has now; true if it does not use less soon after.
is_full() {
	local now

	now=$(cat "$group/memory.current")
	echo "$now" >"$group/memory.max"
	read -rt 0.2 -u "$lib_never"
	[ "$(cat "$group/memory.current")" = "$now" ]
}

check "a rule adds such keys of packets" rule -A INPUT -p udp -m seen --filter ports --add
if [ -n "$group" ]; then
	# Only this makes the CPUs return memory that they have charged in advance; the other CPU
	# does so a moment later.
	echo 0 >"$group/memory.high"
	await 10 is_full
	sent >/dev/null
	check "the memory limit of its creator's group is kept" \
		heard m 10 '"event":"saturated","filter":"ports"'
	echo max >"$group/memory.max"
	echo max >"$group/memory.high"
else
	skip "the memory limit of its creator's group is kept" "no memory controller"
fi
check "soon all keys are there" await 10 sent
between "the last key was refused at first" "$(filter_get "$a" ports .stats.full)" 1 1000

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Namespaces: each has its own names, and its filters and guards end with it, no matter what is
# going on. Batches of namespaces, each with guards, are made and deleted under traffic:
#
#	$road  f1 ------- eth0  box1	filter "same", and profile loop's own
#	       f2 ------- eth0  box2
#	       ...
#
# while their filters and guards are dumped. Memory is counted in three ways:
#
# - the vmalloc areas of the module: exactly as many as before;
# - the memory that the batches were charged to: for tables and counters all of it is
#   released; for objects one page may remain per CPU, because the kernel may cache it;
# - Slab and Percpu of the whole system, after a first batch that is not counted:
#   caches keep free pages, hence the tolerance.

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/helpers/lib.sh"

SPACES=$(scale 40 75 40 1000)
BATCH=$(scale 20 25 20 50)
TOLERANCE_KB=8192

plan 18
modprobe seen || exit 1

# --- names ---------------------------------------------------------------------

one='' two='' road=''
ns one two road
for space in "$one" "$two"; do
	at "$space" seenctl -b - <<-END || exit 1
		filter add same capacity 1k key bytes type cuckoo bits 32
		key add same $space
		END
done
check "a key of the first" at "$one" seenctl key test same "$one"
check "a key of the second" at "$two" seenctl key test same "$two"
refuse "a key of the first is not in the second" 1 "" at "$one" seenctl key test same "$two"
at "$one" seenctl filter flush same
check "a flush of one leaves the other" at "$two" seenctl key test same "$two"
at "$one" seenctl filter del same
check "deleting one filter leaves the other" at "$two" seenctl key test same "$two"

# --- many ----------------------------------------------------------------------

areas() {
	grep -c '\[seen\]' /proc/vmallocinfo
}

areas_are() {
	[ "$(areas)" = "$1" ]
}

meminfo() {
	awk -v kind="$1:" '$1 == kind { print $2 }' /proc/meminfo
}

# Cached memory is not a leak.
drop_caches() {
	echo 3 >/proc/sys/vm/drop_caches
}

# settled KIND KB: memory of this kind is back at this size; objects_settled BYTES: so is the slab
# memory of the cgroup.
settled() {
	drop_caches
	(($(meminfo "$1") - $2 <= TOLERANCE_KB))
}

objects_settled() {
	drop_caches
	(($(charged slab) - $1 <= 2 * CPUS * 4096))
}

build() {
	local i

	for ((i = 1; i <= BATCH; i++)); do
		echo "netns add box$i-$$"
	done | ip -batch -
	for ((i = 1; i <= BATCH; i++)); do
		echo "link add f$i up type veth peer name eth0 netns box$i-$$"
	done | ip -n "$road" -batch -
	for ((i = 1; i <= BATCH; i++)); do
		ip -n "box$i-$$" link set eth0 up
	done
}

furnish() {
	local i

	for ((i = 1; i <= BATCH; i++)); do
		seenctl -j -n "box$i-$$" -b - <<-END >/dev/null || return
			filter add same capacity 10k key frame type cuckoo window 1s
			guard add dev eth0 filter same match all action count
			guard add dev eth0 hook egress profile loop
			END
	done
}

all_judged() {
	local i

	for ((i = 1; i <= BATCH; i++)); do
		seenctl -j -s -n "box$i-$$" guard show
	done | jq -es "map(any(.[].ports[]; .judged > 0)) |
		length == $BATCH and all"
}

tear_down() {
	local i

	for ((i = 1; i <= BATCH; i++)); do
		echo "netns del box$i-$$"
	done | ip -batch -
	lib_spaces=("${lib_spaces[@]:0:3}")
}

# Dumps whichever namespace is there, until it is killed; a namespace that goes
# meanwhile is no failure, any other dump is counted. As the flood, it leaves the
# processor to the test.
dump() {
	local i=0

	while :; do
		nice -n 19 seenctl -n "box$((i++ % BATCH + 1))-$$" filter show &&
			nice -n 19 seenctl -s -n "box$((i++ % BATCH + 1))-$$" \
				guard show && echo >&3
	done 3>"$lib_dir/dumps" >/dev/null 2>&1
}

batch() {
	local i

	for ((i = 1; i <= BATCH; i++)); do
		lib_spaces+=("box$i-$$")
	done
	(
		enter_group
		build && furnish
	) || return
	await 60 all_judged || return
	alive=$(areas)
	if [ -n "$group" ]; then
		alive_vmalloc=$(charged vmalloc) alive_percpu=$(charged percpu)
	fi
	tear_down
	await 120 areas_are "$areas"
}

# That of the second; the first's is freed a grace period after its end.
await 20 areas_are 1 || exit 1
areas=1
refs=$(cat /sys/module/seen/refcnt)
memory_group netns
background dump
dumper=$!
background at "$road" nice -n 19 flood f >"$lib_dir/flood"
flooder=$!

batch
is "the first batch" $? 0
drop_caches
[ -z "$group" ] || slab=$(charged slab)
declare -A before
for kind in Slab Percpu; do
	before[$kind]=$(meminfo $kind)
done
alive=$areas alive_vmalloc=0 alive_percpu=0
whole=0
for ((done = 0; done < SPACES; done += BATCH)); do
	batch && whole=$((whole + 1))
done
is "every batch judged traffic, and was deleted" "$whole" $((SPACES / BATCH))
between "dumps were running" "$(wc -l <"$lib_dir/dumps")" $((SPACES / BATCH)) \
	1000000000000
kill "$dumper" "$flooder"
wait "$dumper" "$flooder" 2>/dev/null
between "frames were sent" "$(field sent "$(cat "$lib_dir/flood")")" \
	"$SPACES" 1000000000000
between "tables were made and freed" $((alive - areas)) $((2 * BATCH)) $((4 * BATCH))
is "no table is left" "$(areas)" "$areas"
is "no reference to the module is left" "$(cat /sys/module/seen/refcnt)" "$refs"
if [ -n "$group" ]; then
	note "charged while there: vmalloc $alive_vmalloc percpu $alive_percpu"
	between "tables were charged" "$alive_vmalloc" $((BATCH * 4096)) $((1 << 40))
	between "counters were charged" "$alive_percpu" $((BATCH * 256)) $((1 << 40))
	check "no table or counter is charged" await 10 nothing_charged
	check "no more objects are charged" await 20 objects_settled "$slab"
	note "objects after the first batch $slab, after the last $(charged slab)"
else
	for what in tables counters "no table or counter" "no more objects"; do
		skip "$what: charged" "no memory controller"
	done
fi
for kind in Slab Percpu; do
	check "$kind is back where it was" await 20 settled $kind "${before[$kind]}"
	note "$kind ${before[$kind]} kB, then $(meminfo $kind) kB"
done

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# What happens to a new key when a filter is full: each line of the table in
# Documentation/design.md. No filter is full before it holds as many keys as its capacity.
#
#	$far eth0 --- eth0 $box

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/helpers/lib.sh"

CAPACITY=1000
MORE=$((CAPACITY * 5))
REFUSED=$(long 5 20)
FULL_TEXT="the filter is full"
EVICT_TEXT="on-full: evict needs type cuckoo with a window"
ROTATE_TEXT="on-full: rotate needs type bloom with a window"

reject=(
	"type bloom fpp 1e-4"
	"type bloom layout classic fpp 1e-4"
	"type bloom fpp 1e-3 window 1h"
	"type cuckoo bits 32"
	"type counting fpp 1%"
	"type map"
	"type cuckoo bits 32 window 1h on-full reject"
	"type cuckoo bits 32 window 1h on-full pass"
)
pass=(
	"type bloom fpp 1e-4"
	"type bloom layout classic fpp 1e-4"
	"type bloom fpp 1e-3 window 1h"
	"type cuckoo bits 32"
	"type counting fpp 1%"
	"type map"
)
# An export has ages in ticks. The windows are so long that no tick ends during the test.
unchanged=(
	"type bloom fpp 1e-4"
	"type bloom layout classic fpp 1e-4"
	"type bloom fpp 1e-3 window 1000d"
	"type cuckoo bits 8"
	"type cuckoo bits 12"
	"type cuckoo bits 32"
	"type counting fpp 1%"
	"type map"
	"type cuckoo bits 16 window 1000d on-full reject"
)
deletes=(
	"type cuckoo bits 32"
	"type counting fpp 1%"
	"type map"
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
	2 * ${#recover[@]} + ${#unchanged[@]} + 2 * ${#deletes[@]} + 2 + 2 + 14 + 9))
box='' far=''
ns box far

ctl() {
	seenctl -n "$box" "$@"
}

# add WORDS: makes the filter f, with the same hash secret each time.
add() {
	ctl filter del f 2>/dev/null
	# shellcheck disable=SC2086 # one word a parameter
	ctl filter add f capacity $CAPACITY key bytes seed "$SEED" $1 || exit 1
}

# fill [COUNT]: adds as many new keys as the filter has capacity; over: adds more than it can hold.
fill() {
	at "$box" keys new f 0 "${1:-$CAPACITY}"
}

over() {
	at "$box" keys new f $CAPACITY $MORE 2>&1
}

known() {
	at "$box" keys test f 0 "${1:-$CAPACITY}"
}

get() {
	filter_get "$box" f "$1"
}

# --- keys beyond capacity are refused, and counted; what was there stays ---------

for what in "${reject[@]}"; do
	add "$what"
	match "$what: takes its capacity" "$(fill)" "full 0"
	match "$what: refuses more" "$(over)" "$FULL_TEXT"
	is "$what: counts the refusal" "$(get .stats.full)" 1
	match "$what: still has all stored keys" "$(known)" "new 0 seen $CAPACITY"
done

add "type bloom fpp 1e-4"
fill >/dev/null
over >/dev/null
refuse "one more key is refused" 1 "$FULL_TEXT" ctl key add f --new more
refuse "the refused key is not stored" 1 "" ctl key test f more

# table FILE: writes the whole table, after the header of a snapshot.
HEADER=448
table() {
	ctl filter export f - --with-secret >"$1" || exit
}

# same: true if the table is the one in $was; writes it to $now.
was=$lib_dir/was now=$lib_dir/now
same() {
	table "$now"
	cmp -s -i $HEADER "$was" "$now"
}

# changed: counts how many of $REFUSED refused keys have changed the table. A key that found
# room after all, or that was a false positive, does not count.
changed() {
	local tries=0 changed=0 refused=0 said

	table "$was"
	while ((refused < REFUSED && ++tries < 1000)); do
		said=$(ctl key add f --new "other$tries" 2>&1)
		if [[ $said != *"$FULL_TEXT"* ]]; then
			table "$was"
			continue
		fi
		((++refused))
		same || ((++changed))
	done
	echo "$refused refused, $changed changed"
}

for what in "${unchanged[@]}"; do
	add "$what"
	fill >/dev/null
	over >/dev/null
	is "$what: refused keys have changed no bit" "$(changed)" \
		"$REFUSED refused, 0 changed"
done

for what in "${deletes[@]}"; do
	add "$what"
	fill >/dev/null
	over >/dev/null
	check "$what: keys are deleted" at "$box" keys del f 0 100
	match "$what: other keys have room" \
		"$(at "$box" keys new f 3000000 50 2>&1)" "full 0"
done

# --- everything passes ------------------------------------------------------------

for what in "${pass[@]}"; do
	add "$what on-full pass"
	match "$what, pass: takes its capacity" "$(fill)" "full 0"
	match "$what, pass: refuses more" "$(over)" "$FULL_TEXT"
	is "$what, pass: reports that it is full" "$(get .full)" true
	match "$what, pass: no key is seen" "$(known)" "new $CAPACITY seen 0"
	ctl filter set f on-full reject
	match "$what, pass: still has all stored keys" "$(known)" \
		"new 0 seen $CAPACITY"
	ctl filter set f on-full pass
	ctl filter flush f
	# A map, which counts exactly, is full when it has its capacity.
	most=$CAPACITY
	[ "$what" != "type map" ] || ((most--))
	match "$what, pass: takes keys after a flush" "$(fill $most)" "full 0"
	match "$what, pass: then its keys are seen" "$(known $most)" "new 0 seen $most"
done

# --- something else makes room ------------------------------------------------------

for what in "${room[@]}"; do
	add "$what"
	fill >/dev/null
	is "$what: keeps the window up to its capacity" "$(get .effective)" \
		"$(get .window)"
	match "$what: takes more" "$(over)" "full 0"
	match "$what: has the latest keys" \
		"$(at "$box" keys test f $((CAPACITY + MORE - 1)) 1)" \
		"new 0 seen 1"
	between "$what: reports a shorter effective window" "$(get .effective)" \
		0 $(($(get .window) - 1))
	between "$what: and reports it again" "$(get .effective)" \
		0 $(($(get .window) - 1))
	is "$what: no key was refused" "$(get .stats.full)" 0
done
between "eviction is counted" "$(get .stats.evicted)" 1 $MORE
ctl filter set f on-full reject
match "after set on-full reject it refuses" "$(at "$box" keys new f 1000000 $MORE 2>&1)" \
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
senseless "type counting fpp 1%" evict "$EVICT_TEXT"
senseless "type map" rotate "$ROTATE_TEXT"
senseless "type cuckoo bits 16 window 1h" rotate "$ROTATE_TEXT"

# --- packets ------------------------------------------------------------------------------

# datagrams PORT...: one to each.
datagrams() {
	# shellcheck disable=SC2016 # the other shell expands it
	at "$far" bash -c 'for port; do echo >"/dev/udp/192.0.2.2/$port"; done' \
		- "$@"
}

# arrived: at a port that nobody listens to, with or without that.
arrived() {
	at "$box" sed -n 's/^Udp: [0-9]* \([0-9]*\) .*/\1/p' /proc/net/snmp
}

judged() {
	port_get "$box" eth0 "$1"
}

# reaches COUNT: a drop is counted last.
reaches() {
	[ "$(judged '.full + .dropped')" -ge "$1" ]
}

passed() {
	[ $(($(arrived) - before)) = "$1" ]
}

# A table that knows ports, in which hardly a slot is free.
veth "$far" eth0 "$box" eth0
addr "$far" eth0 192.0.2.1/24
addr "$box" eth0 192.0.2.2/24
link_up "$far" eth0
link_up "$box" eth0
ip -n "$far" neigh add 192.0.2.2 lladdr "$(mac "$box" eth0)" dev eth0
ctl filter del f
ctl filter add f type cuckoo bits 32 window 1h capacity 10 key dport seed "$SEED"
seq 400 | ctl key add f --new - >/dev/null
ctl filter set f on-full reject
ctl guard add dev eth0 filter f verdict dup action drop
before=$(arrived) refused=$(get .stats.full)
datagrams {2001..2020}
check "a guard's full table: new packets arrive" await 10 reaches 20
is "all of them are counted as full" "$(judged '[.full, .new, .dropped]')" "[20,0,0]"
check "they pass" await 10 passed 20
is "they are not stored" \
	"$(ctl key test f {2001..2020} | grep -c ' new$')" 20
known=$(seq 400 | ctl key test f - | sed -n 's/ seen$//p' | head -n 1)
datagrams "$known"
check "a stored packet arrives again" await 10 reaches 21
is "it is dropped" "$(judged '[.full, .dup_other_port, .dropped]')" "[20,1,1]"
is "the filter has counted the refusals" \
	$(($(get .stats.full) - refused)) 20

# Frames of the bridge itself are recorded while there is room.
ctl guard del dev eth0
ip -n "$box" addr flush dev eth0
br "$box" br0 eth0
addr "$box" br0 192.0.2.2/24
ip -n "$box" neigh add 192.0.2.1 lladdr "$(mac "$far" eth0)" dev br0
link_up "$box" br0
ctl guard add bridge br0 filter f match all verdict dup action drop
for port in {2101..2110}; do
	at "$box" bash -c "echo >/dev/udp/192.0.2.1/$port"
done
check "there is no room for a bridge's own packets" ports_reach "$box" full 10
is "they are not stored" "$(ctl key test f {2101..2110} | grep -c ' new$')" 10

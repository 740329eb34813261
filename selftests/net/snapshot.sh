#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Export, import, merge and fold of filters that are in use: no key is lost, and a command
# that is refused changes nothing.

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/helpers/lib.sh"

KEYS=$(scale 1000 5000)
MiB=$((1 << 20))
cd "$lib_dir" || exit

# Each type: a name, and how it is added.
types=(
	"blocked type bloom key bytes fpp 1e-4"
	"classic type bloom key bytes layout classic fpp 1e-4"
	"bloomwindow type bloom key bytes window 1h fpp 0.01"
	"cuckoo type cuckoo key bytes fpp 1e-5"
	"cuckoo-window type cuckoo key bytes window 1h fpp 1e-7"
	"counting type counting key bytes fpp 0.01"
	"bitmap type bitmap key id range 0-9999999"
	"map type map key bytes"
	"cms type cms key bytes fpp 0.01"
)

plan $((6 * ${#types[@]} + 88))

ns a b
veth "$a" eth0 "$b" eth0

# numbers FIRST LAST: keys, one a line.
numbers() {
	seq -f 'key%.0f' "$1" "$2"
}

# keys_of NAME FIRST LAST: the same as that filter has them, "lines" behind it: to be
# added.
keys_of() {
	case $1${4:-} in
	*bitmap*)	seq -f '%.0f' "$2" "$3" ;;
	*maplines)	seq -f 'key%.0f 7' "$2" "$3" ;;
	*)		numbers "$2" "$3" ;;
	esac
}

# add_keys NAMESPACE NAME FIRST LAST
add_keys() {
	keys_of "$2" "$3" "$4" lines | at "$1" seenctl key add "$2" -
}

# adder NAMESPACE NAME FIRST LAST: adds keys until adder_end; some are in when it
# returns.
adder() {
	local before

	before=$(filter_get "$1" "$2" .stats.adds)
	# shellcheck disable=SC2016 # that shell's
	background at "$1" bash -c 'i=$2
		while ((i < $3)); do
			seq -f "$4" $i $((i + 99)) | seenctl key add "$1" -
			((i += 100))
		done' - "$2" "$3" "$4" "$(format_of "$2")"
	adding=$!
	await 10 more_adds "$1" "$2" "$before"
}

format_of() {
	case $1 in
	*bitmap)	echo %.0f ;;
	*map)		echo key%.0f 7 ;;
	*)		echo key%.0f ;;
	esac
}

more_adds() {
	[ "$(filter_get "$1" "$2" .stats.adds)" -gt "$3" ]
}

adder_end() {
	kill $adding 2>/dev/null
	wait $adding 2>/dev/null
}

# has NAMESPACE NAME FIRST LAST
has() {
	local seen

	seen=$(keys_of "$2" "$3" "$4" | at "$1" seenctl key test "$2" - |
		grep -c ' seen$')
	[ "$seen" = $(($4 - $3 + 1)) ]
}

# strangers NAMESPACE NAME: of 10,000 keys that are not in it, those called seen.
strangers() {
	keys_of "$2" 9000001 9010000 | at "$1" seenctl key test "$2" - |
		grep -c ' seen$'
}

# --- there and back ----------------------------------------------------------------

# round_trip NAME WORD...
round_trip() {
	local name=$1

	shift
	[ "$name" = bitmap ] || set -- "$@" capacity $((10 * KEYS))
	check "$name: made" at "$a" seenctl filter add "$name" "$@"
	add_keys "$a" "$name" 1 "$KEYS"
	adder "$a" "$name" 5000000 $((5000000 + 8 * KEYS))
	check "$name: exported while keys are added" \
		at "$a" seenctl filter export "$name" "$name.seen" --with-secret
	adder_end
	check "$name: imported elsewhere" \
		at "$b" seenctl filter import "$name" "$name.seen"
	check "$name: every key that was stored is seen" \
		has "$b" "$name" 1 "$KEYS"
	between "$name: few other keys are seen" "$(strangers "$b" "$name")" 0 200
	is "$name: it is the same filter" \
		"$(filter_get "$b" "$name" "$same")" \
		"$(filter_get "$a" "$name" "$same")"
}
same=' | [.type, .layout, .bits, .capacity, .fpp, .window, .key, .blocks, .hashes,
	.tick, ."on-full", .on_full] | tostring'

for line in "${types[@]}"; do
	# shellcheck disable=SC2086 # one word a parameter
	round_trip $line
done

# counts NAMESPACE: an import keeps counts that are too high or too low.
counts() {
	numbers 1 300 | at "$1" seenctl key count cmm -
}
at "$a" seenctl filter add cmm type cmm key bytes capacity 100 fpp 0.01
numbers 1 2000 | at "$a" seenctl key add cmm -
numbers 1 100 | at "$a" seenctl key add cmm -
at "$a" seenctl filter export cmm cmm.seen --with-secret
at "$b" seenctl filter import cmm cmm.seen
is "cmm: every count is the same" "$(counts "$b")" "$(counts "$a")"
at "$b" seenctl filter del cmm
is "map: the value is the same" "$(at "$b" seenctl key count map key5)" "key5 7"

# --- what is refused -----------------------------------------------------------------

state() {
	at "$b" seenctl -j filter show
}

before=$(state)
at "$a" seenctl filter export cuckoo nosecret.seen
is "with its secret a snapshot is for its owner alone" \
	"$(stat -c %a cuckoo.seen)" 600
refuse "a name that exists is refused" 1 'filter "cuckoo" already exists' \
	at "$b" seenctl filter import cuckoo cuckoo.seen
refuse "a file without secret is refused" 1 \
	"secret: " at "$b" seenctl filter import new nosecret.seen
refuse "a wrong secret is refused" 1 "secret: " \
	at "$b" seenctl filter import new nosecret.seen seed $SEED
refuse "an export of a missing filter is refused" 1 "does not exist" \
	at "$b" seenctl filter export nobody x.seen
check "the refused export leaves no file" test ! -e x.seen
refuse "a missing file is refused" 1 "No such file" \
	at "$b" seenctl filter import new y.seen
head -c 1000 cuckoo.seen >short.seen
refuse "a truncated file is refused" 1 "" at "$b" seenctl filter import new short.seen
{ cat cuckoo.seen; echo; } >long.seen
refuse "a file with trailing bytes is refused" 1 "" \
	at "$b" seenctl filter import new long.seen

# flip FILE BYTE BIT
flip() {
	python3 - "$@" <<-'END'
	import sys
	name, at, bit = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
	data = bytearray(open(name, "rb").read())
	data[at % len(data)] ^= 1 << bit
	open("flipped.seen", "wb").write(data)
	END
}

flips_refused() {
	local at

	for at in 0 5 9 17 33 50 77 100 140 1000 20000 -1 -5; do
		flip cuckoo.seen $at $((at & 7))
		! at "$b" seenctl filter import new flipped.seen || return
	done
}
check "a flipped bit anywhere is refused" flips_refused
is "these refusals have changed nothing" "$(state)" "$before"
check "a replaced filter supplies the secret" \
	at "$a" seenctl filter import cuckoo nosecret.seen --replace

# --- in the middle -------------------------------------------------------------------

cap() {
	at "$b" sysctl -qw "net.seen.max_bytes=$1"
}

bytes_in() {
	at "$b" seenctl -j filter show | jq 'map(.bytes) | add'
}

at "$b" seenctl filter add large type cuckoo bits 32 key bytes \
	capacity 700000 seed $SEED
cap $(($(bytes_in) + 2 * MiB))
refuse "an import counts against the cap" 1 "memory: sysctl net.seen.max_bytes" \
	at "$b" python3 "$helpers/import.py" large
refuse "so does an import that replaces a filter" 1 \
	"memory: sysctl net.seen.max_bytes" at "$b" python3 "$helpers/import.py" large replace
cap $(($(bytes_in) + 4 * MiB))
coproc IMPORT {
	exec nsenter --net="/run/netns/$b" -- \
		python3 "$helpers/import.py" large
}
importer=$IMPORT_PID
read -rt 20 answer <&"${IMPORT[0]}"
is "an import is under way" "$answer" begun
refuse "its memory is charged" 1 "memory: sysctl net.seen.max_bytes" \
	at "$b" seenctl filter add other type cuckoo bits 32 key bytes \
	capacity 700000
is "it is not listed" "$(at "$b" seenctl -j filter show | jq length)" \
	$((${#types[@]} + 1))
is "a socket that reuses a port id has an import of its own" \
	"$(at "$a" python3 "$helpers/import_again.py" cuckoo 200)" 0
kill -9 "$importer"
check "its memory is released when its socket is closed" await 10 \
	at "$b" seenctl filter add other type cuckoo bits 32 key bytes \
	capacity 700000
at "$b" seenctl filter del other

# Its end is damaged: all of it has gone to the kernel before that is found.
at "$b" seenctl filter export large large.seen --with-secret
flip large.seen -1 0
listen damaged at "$b" import_damaged other flipped.seen
check "a damaged file is reported at the end" heard damaged 20 "its checksum differs"
check "its memory is released while its socket is open" await 10 \
	at "$b" seenctl filter add other type cuckoo bits 32 key bytes \
	capacity 700000
check "its socket was open" kill "${lib_pids[-1]}"
at "$b" seenctl filter del other
at "$b" seenctl filter del large
cap 0

# What cannot be compressed is found out on the way.
at "$a" seenctl filter add noise type bitmap key id range 0-999999
shuf -i 0-999999 -n 500000 | at "$a" seenctl key add noise -
check "a table that cannot be compressed is exported" \
	at "$a" seenctl filter export noise noise.seen --with-secret
# A header, and lines of 512 numbers.
is "the exported file is uncompressed" "$(stat -c %s noise.seen)" $((448 + 1954 * 64))
at "$b" seenctl filter import noise noise.seen
is "the import has all keys" "$(filter_get "$b" noise .entries)" 500000
at "$b" seenctl filter del noise
flip noise.seen -1 0
refuse "a bit that the kernel refuses is reported as a checksum error" 1 \
	"its checksum differs" at "$b" seenctl filter import noise flipped.seen

# --- in the place of another -----------------------------------------------------------

at "$b" seenctl filter add hosts type cuckoo key src capacity 1000
at "$b" seenctl guard add dev eth0 filter hosts action count verdict dup
addr "$a" eth0 192.0.2.1/24
ip -n "$a" neigh add 192.0.2.2 lladdr "$(mac "$b" eth0)" dev eth0
link_up "$a" eth0
link_up "$b" eth0
sender "$a"
send udp eth0 1234 192.0.2.2 53 100
await 10 ports_reach "$b" judged 1
at "$b" seenctl filter export hosts hosts.seen --with-secret
background at "$a" bash -c 'while :; do
	echo x >/dev/udp/192.0.2.2/9; done 2>/dev/null'
pings=$!
replace() {
	local i

	for i in {1..20}; do
		at "$b" seenctl filter import hosts hosts.seen --replace ||
			return
	done
	await 10 ports_reach "$b" judged $(($(ports_sum "$b" judged) + 10))
}
check "a filter is replaced 20 times while packets flow" replace
kill $pings
is "no packet has met an empty filter" "$(ports_sum "$b" new)" 1
refuse "an import to replace needs the same key" 1 \
	"key: must be the key of the filter that is replaced" \
	at "$b" seenctl filter import hosts cuckoo.seen --replace

# --- two hosts' keys -------------------------------------------------------------------

# both WORD...: the same filter in both namespaces.
both() {
	at "$a" seenctl filter add "$@"
	at "$b" seenctl filter add "$@"
}

# merged NAME NEW WORD...: of keys 1 to KEYS and from the half of that on; at most NEW
# percent of that half are new.
merged() {
	local name=m$1 half=$((KEYS / 2)) most=$2 out

	shift 2
	both "$name" seed $SEED "$@"
	add_keys "$a" "$name" 1 "$KEYS"
	add_keys "$b" "$name" $half $((KEYS + half))
	at "$b" seenctl filter export "$name" "$name.seen"
	out=$(at "$a" seenctl -j filter merge "$name" --file "$name.seen")
	check "$name: every key of both is seen" \
		has "$a" "$name" 1 $((KEYS + half))
	between "$name: the number of new keys is reported" "$(jq .new <<<"$out")" \
		$((half * 95 / 100)) $((half * most / 100))
	between "$name: the rate is reported, in 10^-9" \
		"$(jq '.rate * 1e9 | floor' <<<"$out")" 0 10000000
}

three=$((3 * KEYS))
merged blocked 105 type bloom key bytes capacity $three fpp 1e-4
merged classic 105 type bloom key bytes layout classic capacity $three fpp 1e-4
merged window 105 type bloom key bytes capacity $three window 1h fpp 1e-3
merged cuckoo 105 type cuckoo key bytes capacity $three fpp 1e-5
merged bitmap 100 type bitmap key id range 0-999999
merged map 100 type map key bytes capacity $three
# What both have is counted twice.
merged counting 210 type counting key bytes capacity $three fpp 0.01
# A key may lie in one of its buckets here and in the other one there: then in both.
merged cuckoo-window 150 type cuckoo key bytes capacity $three window 1h fpp 1e-6
is "the temporary filter of the file is deleted" \
	"$(at "$a" seenctl -j filter show | jq '[.[].name | select(test("^merge"))] | length')" 0

at "$a" seenctl filter add small key bytes type bloom capacity 10 seed $SEED
at "$a" seenctl filter add other key bytes type cuckoo capacity 10 seed $SEED
at "$a" seenctl filter add keyed key host type bloom capacity 10 seed $SEED
at "$a" seenctl filter add secret key bytes type bloom capacity 10
at "$a" seenctl filter add same key bytes type bloom capacity 10 seed $SEED
for first in 0 100; do
	at "$a" seenctl filter add range$first type bitmap key id \
		range $first-$((first + 99)) seed $SEED
done
for key in src sport; do
	at "$a" seenctl filter add by-$key type map key $key capacity 10 seed $SEED
done
refuse "merge: another type" 1 "type: " at "$a" seenctl filter merge small other
refuse "merge: another size" 1 "capacity: " \
	at "$a" seenctl filter merge small mblocked
refuse "merge: another key" 1 "key: " at "$a" seenctl filter merge small keyed
refuse "merge: another range" 1 "range: " \
	at "$a" seenctl filter merge range0 range100
refuse "merge: keys of another length" 1 "key: " \
	at "$a" seenctl filter merge by-src by-sport
refuse "merge: another secret" 1 "secret: " \
	at "$a" seenctl filter merge small secret
refuse "merge: itself" 1 "other: must be another filter" \
	at "$a" seenctl filter merge small small
numbers 1 8 | at "$a" seenctl key add small -
numbers 11 18 | at "$a" seenctl key add same -
refuse "merge: beyond the capacity" 1 \
	"capacity: exceeded by the 16 keys of both filters; use force" \
	at "$a" seenctl filter merge small same
check "merge: these refusals have changed nothing" has "$a" small 1 8
check "merge: beyond the capacity with --force" at "$a" seenctl filter merge small same --force
check "merge: then the keys of both are there" has "$a" small 11 18

# fill_up NAME FIRST: with as many keys as find room.
fill_up() {
	numbers "$2" $(($2 + 999)) | at "$a" seenctl key add "$1" - 2>/dev/null
	true
}
for name in brim brim2; do
	at "$a" seenctl filter add $name key bytes type cuckoo capacity 100 seed $SEED
done
fill_up brim 1
fill_up brim2 5001
refuse "merge: forced, a key finds no room" 1 "capacity: no room for a key" \
	at "$a" seenctl filter merge brim brim2 --force
check "merge: its own keys are still there" has "$a" brim 1 100

at "$a" seenctl filter add lean key bytes type cuckoo bits 8 window 1h capacity 1k
numbers 1 1000 | at "$a" seenctl key add lean -
at "$a" seenctl filter export lean lean.seen --with-secret
at "$b" seenctl filter import lean lean.seen
check "fingerprints of 8 bits with stamps: all keys are there" has "$b" lean 1 1000

# --- smaller ---------------------------------------------------------------------------

at "$a" seenctl filter add big key bytes type bloom capacity 10M fpp 0.001
numbers 1 100000 | at "$a" seenctl key add big -
was=$(filter_get "$a" big .bytes)
lookups=$(filter_get "$a" big .stats.adds)
adder "$a" big 5000000 5020000
out=$(at "$a" seenctl -j filter fold big capacity 150k)
adder_end
now=$(filter_get "$a" big .bytes)
note "folded: $was bytes, now $now"
between "fold: the filter is much smaller" $((was / now)) 30 100
is "fold: both sizes are printed" "$(jq -c '[.bytes_before, .bytes]' <<<"$out")" \
	"[$was,$now]"
check "fold: every key is seen" has "$a" big 1 100000
added=$(($(filter_get "$a" big .stats.adds) - lookups))
check "fold: keys that were added meanwhile are seen" \
	has "$a" big 5000000 $((5000000 + added - 1))
between "fold: few other keys are seen" "$(strangers "$a" big)" 0 30
refuse "fold: a second fold is refused" 1 "capacity: a smaller table would exceed" \
	at "$a" seenctl filter fold big capacity 150k
refuse "fold: type cuckoo is refused" 1 "type: fold needs bloom" \
	at "$a" seenctl filter fold cuckoo
check "fold: a folded filter is exported" \
	at "$a" seenctl filter export big big.seen --with-secret
at "$b" seenctl filter import big big.seen
check "fold: the folded filter is imported" has "$b" big 1 100000

at "$a" seenctl filter add textbook key bytes type bloom layout classic \
	capacity 100k fpp 0.001
numbers 1 1000 | at "$a" seenctl key add textbook -
check "fold: layout classic" at "$a" seenctl filter fold textbook capacity 2k
check "fold: every key of it is seen" has "$a" textbook 1 1000

at "$a" seenctl filter add short key bytes type bloom capacity 10k fpp 0.01 \
	window 1h on-full rotate
numbers 1 12000 | at "$a" seenctl key add short -
kept=$(filter_get "$a" short .effective)
between "fold: a window that was cut short" "$kept" 0 3599999999999
check "fold: with a window" at "$a" seenctl filter fold short capacity 4k
is "fold: the shorter window is still reported" \
	"$(filter_get "$a" short .effective)" "$kept"

# --- guards meanwhile ------------------------------------------------------------------

# A merge that is killed was under way till then: its time in the kernel shows when it
# has begun.
for name in large more; do
	at "$a" seenctl filter add $name type bitmap key id seed $SEED \
		range "0-$(scale $((1 << 30)) $((1 << 31)))"
done
check "a guard" at "$a" seenctl guard add dev eth0 filter keyed match all
# Only a socket that has an import under way must wait for the merge when it is closed.
at "$a" seenctl filter add small key bytes type bloom capacity 100
coproc IMPORT {
	exec nsenter --net="/run/netns/$a" -- \
		python3 "$helpers/import.py" small
}
lib_pids+=("$IMPORT_PID")
read -rt 20 answer <&"${IMPORT[0]}"
is "merge: an import is under way" "$answer" begun
background at "$a" seenctl filter merge large more
merging=$!
begun() {
	local fields

	read -ra fields <"/proc/$merging/stat"
	((fields[14] > 1))
}
await 10 begun
check "merge: all guards are paused meanwhile" at "$a" seenctl guard pause all
kill -KILL $merging
wait $merging
is "merge: it was under way all the time" $? 137

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Filters with a known secret and known keys: nothing that the module prints or sends contains
# the secret, a key or a kernel pointer. The test searches the bytes of all netlink answers,
# events and refusals, the kernel log, and /proc and /sys, also as an ordinary user. Excluded are
# answers whose purpose is to return keys: the administrator's ALLOW_GET and TOP_GET, and the
# snapshot of a map.

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../net/helpers/lib.sh"

here=$(cd "$(dirname "$0")" && pwd)
SECRET=5ec2e75ec2e75ec2e7a11ca75a1ad5f0
# Each key begins with this text.
MARK=kEyMaTeRiAl
types=(
	"type bloom fpp 0.01"
	"type bloom layout classic fpp 0.01"
	"type bloom fpp 0.01 window 1h"
	"type cuckoo bits 16"
	"type cuckoo bits 32 window 1h"
	"type counting fpp 0.01"
	"type map"
	"type cms fpp 0.01"
	"type cmm fpp 0.01"
	"type cmm fpp 0.01 top 10"
)
# Snapshots of these types contain keys.
with_keys=("type map" "type cmm fpp 0.01 top 10")
KEYS=$(long 100 2000)

plan 27
modprobe seen || exit 1
log_mark="leak.sh $$ begins"
echo "$log_mark" >/dev/kmsg
box='' away=''
ns box away
veth "$box" eth0 "$away" eth0

raw() {
	at "$box" python3 "$here/helpers/raw.py" "$@"
}

nobody() {
	at "$box" setpriv --reuid=65534 --regid=65534 --clear-groups \
		--bounding-set=-all "$@"
}

# 1: the kernel prints addresses to root only. The test needs to know them.
echo 1 >/proc/sys/kernel/kptr_restrict

# hex TEXT: the bytes of the text in hex
hex() {
	printf %s "$1" | od -An -v -tx1 | tr -d ' \n'
}

mkdir "$lib_dir/said" "$lib_dir/files"

# --- filters, keys, guards -------------------------------------------------------------

listen events at "$box" python3 "$here/helpers/raw.py" listen
heard events 20 ready >/dev/null || exit 1
names=()
n=0
for type in "${types[@]}"; do
	name=filter$((++n))
	names+=("$name")
	# shellcheck disable=SC2086 # one word a parameter
	at "$box" seenctl filter add $name key bytes capacity 10k \
		seed $SECRET $type || exit 1
	seq -f "$MARK%.0f" "$KEYS" | at "$box" seenctl key add $name - >/dev/null
done
at "$box" seenctl allow add filter1 "${MARK}allowed"
at "$box" seenctl filter add frames key frame type cuckoo window 1h \
	capacity 10 seed $SECRET
at "$box" seenctl guard add dev eth0 filter frames action drop
at "$away" frames 0 200 eth0
# SEEN_CMD_SATURATED_NTF
check "the flood causes an event" heard events 20 '^25 '

# --- all that the module sends -----------------------------------------------------------

requests() {
	for name in "${names[@]}" frames; do
		echo "FILTER_GET NAME=str:$name"
	done
	echo "dump FILTER_GET"
}

admin_requests() {
	requests
	echo "dump GUARD_GET"
	echo "dump PORT_GET"
	echo "$guard"
	for name in "${names[@]}"; do
		echo "KEY_TEST FILTER=str:$name PACKED=hex:040061626364"
		echo "KEY_COUNT FILTER=str:$name PACKED=hex:040061626364"
		echo "FILTER_EXPORT NAME=str:$name"
	done
	echo "FILTER_SET NAME=str:filter1 ON_FULL=u32:4"
	echo "FILTER_MERGE NAME=str:filter1 NEW_NAME=str:filter1"
	echo "FILTER_FOLD NAME=str:filter1"
	# The refusals that other tests know: their texts, and the attributes sent with them.
	cut -d'|' -f1 "$here/../net/requests.table"
}

# If an object does not exist, its refusal contains no filter name.
guard="GUARD_GET KIND=u32:1 DEV=str:eth0 HOOK=u32:1"
match "the answer contains the guard's filter" "$(raw ask <<<"$guard")" "$(hex frames)00"
requests | nobody python3 "$here/helpers/raw.py" ask >"$lib_dir/refused"
is "a user without privilege gets no attributes in any answer" \
	"$(wc -l <"$lib_dir/refused") $(tr -d '\n' <"$lib_dir/refused")" \
	"$((${#names[@]} + 2)) "
admin_requests | raw ask >"$lib_dir/said/admin"
for n in "${!names[@]}"; do
	name=${names[n]}
	! printf '%s\n' "${with_keys[@]}" | grep -qxF "${types[n]}" || continue
	at "$box" seenctl filter export "$name" "$lib_dir/files/$name" || exit 1
	od -An -v -tx1 "$lib_dir/files/$name" | tr -d ' \n' \
		>>"$lib_dir/said/exports"
	echo >>"$lib_dir/said/exports"
done
at "$box" seenctl guard del dev eth0
at "$box" seenctl filter del frames
# SEEN_CMD_FILTER_DEL_NTF
check "the deletion causes an event" heard events 20 '^16 '
cut -sd' ' -f2 "$(heard_log events)" >"$lib_dir/said/events"

# texts WHO: prints all files that this user may read.
texts() {
	local file

	"$1" find /sys/module/seen /proc/sys/net/seen -type f -readable \
		! -path '*/sections/*' ! -path '*/notes/*' 2>/dev/null |
		while read -r file; do
			"$1" cat "$file"
		done
	"$1" cat /proc/modules /proc/net/ip_tables_matches /proc/vmallocinfo
}

texts nobody >"$lib_dir/text-nobody" 2>&1
{
	at "$box" seenctl -j -s filter show
	at "$box" seenctl -j -s guard show
	at "$box" cat /proc/sys/net/seen/max_bytes
	cat /sys/module/seen/parameters/*
	dmesg | sed -n "/$log_mark/,\$p"
} >"$lib_dir/text-admin" 2>&1

# --- the search --------------------------------------------------------------------------

# The addresses of the module's text and data, of its tables, and of the kernel's objects.
{
	awk '$1 == "seen" { print "module", $6, $2 }' /proc/modules
	awk '/\[seen\]/ { split($1, r, "-"); print "table", r[1], r[2] }' \
		/proc/vmallocinfo
	awk '$3 == "_stext" { print "kernel 0x" $1 }' /proc/kallsyms
	awk '$1 == "MemTotal:" { print "memory", $2 }' /proc/meminfo
} >"$lib_dir/addresses"
note "$(sort -u "$lib_dir/addresses" | head -n 5)"

find_it() {
	python3 "$here/helpers/find.py" "$@" "$SECRET" "$MARK" \
		"$lib_dir/addresses"
}

# caught NAME KIND LINE: the search finds this line in a file.
caught() {
	echo "$3" >"$lib_dir/planted"
	match "$1 would be found in $2" "$(find_it "$2" "$lib_dir/planted"; echo $?)" \
		"^$1.*"$'\n'1$
}

# in_attribute HEX: prints an attribute of 20 bytes that begins with these bytes.
in_attribute() {
	printf '18000100%s00000000000000000000000000000000\n' "$1" | cut -c1-48
}

table=$(awk '$1 == "table" { print $2; exit }' "$lib_dir/addresses")
bytes=$(printf '%016x' "$table" | sed 's/\(..\)/\1 /g' | xargs -n1 | tac | tr -d '\n')
noise=$(head -c 256 /dev/urandom | od -An -v -tx1 | tr -d ' \n')
for what in "secret $SECRET" "secret ${SECRET:16}" "key $(hex "a ${MARK}1")" \
		"pointer 00000000$bytes"; do
	caught "${what% *}" hex "$(in_attribute "${what#* }")"
done
for what in "secret $SECRET" "secret ${SECRET:0:16}" "key $(hex "$MARK")"; do
	caught "${what% *}" table "$noise${what#* }$noise"
done
for what in "secret seed $SECRET" "key $MARK" "pointer $(printf %016x "$table")" \
		"pointer $table" "pointer $(printf %u "$table")" \
		"pointer $((table))"; do
	caught "${what%% *}" text "name f1 bytes 1000000000 at ${what#* }, fpp 0.01"
done
for who in admin events; do
	between "$who: bytes to search" "$(wc -c <"$lib_dir/said/$who")" \
		300 100000000
	check "$who: no secret, no key, no pointer in its bytes" \
		find_it hex "$lib_dir/said/$who"
done
between "snapshots: bytes to search" "$(wc -c <"$lib_dir/said/exports")" \
	10000 100000000
check "snapshots: no secret and no key in them" \
	find_it table "$lib_dir/said/exports"
for who in nobody admin; do
	between "$who: characters of text to search" "$(wc -c <"$lib_dir/text-$who")" 100 100000000
	check "$who: no secret, no key, no pointer in any text" find_it text "$lib_dir/text-$who"
done
figure "leaks: $(cat "$lib_dir"/said/* | wc -c) hex digits of answers and $(cat \
	"$lib_dir"/text-* | wc -c) characters of text searched"

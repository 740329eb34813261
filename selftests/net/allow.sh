#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Allow lists are exact, and hold any number of keys of every kind. A key on the list is never
# judged, neither by a guard nor by a rule nor by a request. The list belongs to the filter's
# name.

# shellcheck disable=SC2016 # "check" expands what it runs by eval

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/helpers/lib.sh"

MANY=3000

plan 54
box='' far=''
ns box far
veth "$box" eth0 "$far" eth0
addr "$box" eth0 192.0.2.1/24
addr "$far" eth0 192.0.2.2/24

ctl() {
	at "$box" seenctl "$@"
}

listed() {
	ctl allow show "$1" | sort
}

addresses() {
	for ((i = 0; i < $1; i++)); do
		echo "10.$((i >> 16)).$((i >> 8 & 255)).$((i & 255))"
	done
}

# --- the list ------------------------------------------------------------------

check "a filter" ctl filter add f capacity 1000 fpp 1e-6 type cuckoo key src
is "it has no list" "$(listed f)" ""
check "keys are added to the list" ctl allow add f 192.0.2.2 2001:db8::1
check "adding a key again is no error" ctl allow add f 192.0.2.2
is "each key is listed once" "$(listed f)" "192.0.2.2
2001:db8::1"
is "the number of keys on the list" "$(filter_get "$box" f .allowed)" 2
is "the list in JSON" "$(ctl -j allow show f | jq -c sort)" '["192.0.2.2","2001:db8::1"]'
refuse "a key of another kind is refused" 2 "key: must have 1 field (src)" \
	ctl allow add f 192.0.2.2,80
refuse "the list of a missing filter is not shown" 1 'filter "g" does not exist' ctl allow show g
refuse "adding to the list of a missing filter is refused" 1 'filter "g" does not exist' \
	ctl allow add g 192.0.2.9
refuse "deleting a key that is not on the list is refused" 1 "did not exist" \
	ctl allow del f 192.0.2.9
check "a key is deleted from the list" ctl allow del f 2001:db8::1
is "the other key is left" "$(listed f)" "192.0.2.2"

# --- requests ------------------------------------------------------------------

check "both keys are in the filter" ctl key add f 192.0.2.2 192.0.2.3
is "an allowed key is not judged" "$(ctl key test f 192.0.2.2 192.0.2.3)" \
	"192.0.2.2 allowed
192.0.2.3 seen"

# --- a rule ----------------------------------------------------------------------

reaches() {
	at "$far" ping -qc1 -W1 192.0.2.1
}

rule() {
	at "$box" iptables "$1" INPUT -i eth0 -m seen "${@:2}" -j DROP
}

check "a rule drops packets whose key is seen" rule -A --filter f
check "packets with an allowed key pass" reaches
check "the allowed packet is counted" [ "$(filter_get "$box" f .stats.allowed)" -gt 0 ]
check "a rule drops packets whose key is not seen" rule -A ! --filter f
check "a packet with an allowed key passes that rule" reaches
check "a rule drops packets that the filter cannot judge" \
	rule -A --filter f --missing match
check "a packet with an allowed key passes that rule, too" reaches
check "the key is deleted from the list" ctl allow del f 192.0.2.2
is "the list is empty" "$(filter_get "$box" f .allowed)" 0
check "the packet is dropped now" eval '! reaches'
check "the rules are deleted" at "$box" iptables -F INPUT

# --- a guard ---------------------------------------------------------------------

check "a guard drops every repeat" eval '
	ctl filter add w capacity 1000 fpp 1e-6 window 1h key src &&
	ctl guard add dev eth0 filter w match all action drop'
check "packets with an allowed key pass" eval '
	ctl allow add w 192.0.2.2 && reaches && reaches && reaches'
check "the port counts the allowed packets" [ "$(ports_sum "$box" allowed)" -gt 2 ]
is "the filter is not asked about them" "$(filter_get "$box" w .stats.lookups)" \
	"$(ports_sum "$box" judged)"
check "the guard is deleted" ctl guard del dev eth0

# --- keys with a payload -----------------------------------------------------------

# size BYTES: sets the length of the next payloads.
size() {
	SIZE=$1
	rest=$(printf 'ab%.0s' $(seq $((SIZE - 1))))
}
size 1400
sender "$far"

# payload LAST: prints a payload in hex digits that ends with the digits LAST.
payload() {
	echo "$rest$1"
}

# comes LAST: sends a datagram with that payload, and waits until the guard has counted it.
comes() {
	local before

	before=$(($(ports_sum "$box" judged) + $(ports_sum "$box" allowed)))
	send raw eth0 "ffffffffffff 020000000002 0800 4500" \
		"$(printf %04x $((SIZE + 28))) 0000 4000 40 11 0000 c0000202 c0000201" \
		"04d2 04d2 $(printf %04x $((SIZE + 8))) 0000 $(payload "$1")" || return
	await 10 all_seen $((before + 1))
}

all_seen() {
	(($(ports_sum "$box" judged) + $(ports_sum "$box" allowed) >= $1))
}

check "a filter whose key has the payload" eval '
	ctl filter add p capacity 1000 fpp 1e-6 window 1h key src,payload &&
	ctl filter add q capacity 1000 fpp 1e-6 window 1h key src,payload &&
	ctl guard add dev eth0 filter p match all action count'
check "the key of a datagram is allowed" ctl allow add p "192.0.2.2,0x$(payload 01)"
is "the whole key is listed" "$(listed p)" "192.0.2.2,0x$(payload 01)"
check "this datagram arrives, and one that differs in the last byte" eval 'comes 01 && comes 02'
is "only the first is allowed" "$(ports_sum "$box" allowed)/$(ports_sum "$box" judged)" 1/1
check "a filter with another secret takes the name by a swap" ctl filter swap p q
check "the datagram is allowed as before" eval 'comes 01 && [ $(ports_sum "$box" allowed) = 2 ]'
alike() {
	for ((i = 0; i < $1; i++)); do
		echo "192.0.2.3,0x$(payload "$(printf %02x "$i")")"
	done
}
check "64 keys that differ only in the last byte" eval 'alike 64 | ctl allow add p -'
refuse "a 65th such key is refused" 1 "already has 64 keys with these fields" \
	ctl allow add p "192.0.2.3,0x$(payload ff)"
check "these keys are listed, and deleted" eval '
	listed p | grep "^192.0.2.3" | cmp - <(alike 64 | sort) &&
	alike 64 | ctl allow del p -'
size 15980
check "a key of 16000 bytes" ctl allow add p "192.0.2.2,0x$(payload 01)"
size 15981
refuse "a key of 16001 bytes is refused" 1 "at most 16000 bytes" \
	ctl allow add p "192.0.2.2,0x$(payload 01)"
ctl guard del dev eth0
ctl filter del p
ctl filter del q

# --- it stays with the name --------------------------------------------------------

check "a flush keeps the list" eval '
	ctl filter flush w && [ "$(listed w)" = 192.0.2.2 ]'
check "a swap keeps the list with the name" eval '
	ctl filter swap w f && [ "$(listed w)$(listed f)" = 192.0.2.2 ]'
check "a rename moves the list to the new name" eval '
	ctl filter rename w v && [ "$(listed v)" = 192.0.2.2 ]'
check "a later filter of the same name has an empty list" eval '
	ctl filter del v && ctl filter add v capacity 9 fpp 0.1 key src &&
	[ -z "$(listed v)" ]'

# --- many, and the cap ---------------------------------------------------------------

addresses $MANY | sort >"$lib_dir/many"
check "$MANY keys are added from a stream" eval 'ctl allow add v - <"$lib_dir/many"'
check "several replies list them, each key once" \
	eval 'listed v | cmp - "$lib_dir/many"'
awk 'NR % 64' "$lib_dir/many" >"$lib_dir/most"
check "most keys are deleted" eval 'ctl allow del v - <"$lib_dir/most"'
is "the keys that are left are listed" "$(listed v)" "$(awk 'NR % 64 == 0' "$lib_dir/many")"
check "the deleted keys are added again" eval 'ctl allow add v - <"$lib_dir/most"'
# Keys that are added and deleted again while a listing of several replies is under way.
sed "s/^10/11/" "$lib_dir/many" >"$lib_dir/others"
background at "$box" bash -c 'while :; do
	seenctl allow add v - <"$1"
	seenctl allow del v - <"$1"
done' - "$lib_dir/others"
kept() {
	for ((i = 0; i < 20; i++)); do
		listed v | grep "^10" | cmp - "$lib_dir/many" || return
	done
}
check "a listing has each key once while other keys change" kept
kill $!
at "$box" sysctl -qw net.seen.max_bytes=$((200 << 10))
refuse "the memory cap counts the keys on the list" 1 "memory: sysctl net.seen.max_bytes" \
	eval 'addresses 65536 | ctl allow add v -'

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Real frames, many of them malformed on purpose, from one namespace into another
# with guards on the way out and on the way in: each is counted exactly once as
# new, seen, exempt or without a key. CAPTURES is a folder of pcap files; beside
# this folder's parent in a guest.
#
#	out: eth0 (egress guard) ------- (ingress guard) eth0 :in

. "$(dirname "$0")/../lib.sh"

here=$(cd "$(dirname "$0")" && pwd)
: "${CAPTURES:=$here/../captures}"
[ -d "$CAPTURES" ] || skip_all "no folder of captures"

keys=(
	"frame type cuckoo window 1h bits 32"
	"packet type cuckoo window 1h bits 24"
	"flow type bloom"
	"src,dst,proto,ttl,dscp,ipid,frag,sport,dport,tcpseq,payload:64,len,iif type cuckoo bits 16"
)
plan $((4 + 4 * ${#keys[@]}))
in='' out=''
ns in out
veth "$out" eth0 "$in" eth0
for name in in out; do
	ip -n "${!name}" link set eth0 mtu 9500
done

# get NAMESPACE JQ: of the one port there.
get() {
	at "$1" seenctl -j -s guard show | jq -c ".[0].ports[0] | $2"
}

sums='.new + .repeats + .dup_same_port + .dup_other_port + .exempt + .nokey
	+ .gro_skipped + .over_budget + .full + .stale'

all_came() {
	[ "$(get "$in" "$sums")" -ge "$sent" ]
}

inject() {
	at "$out" "$here/helpers/inject.py" eth0 "$CAPTURES"/*
}

# guarded HOW WORD...: guards both ends, injects all, counts.
guarded() {
	local what=$1 name

	for name in in out; do
		# shellcheck disable=SC2086 # one word a parameter
		at "${!name}" seenctl filter add f capacity 1M fpp 1e-3 \
			key $what >/dev/null || exit 1
	done
	at "$in" seenctl guard add dev eth0 filter f >/dev/null
	at "$out" seenctl guard add dev eth0 filter f hook egress >/dev/null
	result=$(inject)
	sent=${result% *}
	check "key ${what%% *}: all frames came in" await 20 all_came
	for name in out in; do
		is "key ${what%% *}, $name: each is counted exactly once" \
			"$(get "${!name}" "$sums")" "$sent"
	done
	match "key ${what%% *}: $(get "$in" '"\(.new) new, \(.dup_same_port) seen, \(.exempt) exempt, \(.nokey) without a key"')" \
		"$(get "$in" '.new')" '^[1-9]'
	for name in in out; do
		at "${!name}" seenctl -b - <<-END
			guard del dev eth0 $([ "$name" = in ] || echo hook egress)
			filter del f
			END
	done
}

for what in "${keys[@]}"; do
	guarded "$what"
done
between "frames that were sent" "$sent" 1000 1000000
between "from files that had some" "${result##* }" 50 100000

# The loop profile on real frames, two times over: at most as many are new.
at "$in" seenctl guard add dev eth0 profile loop match all >/dev/null
result=$(inject)
sent=${result% *}
check "profile loop: all frames came in" await 20 all_came
is "profile loop: each is counted exactly once" "$(get "$in" "$sums")" "$sent"

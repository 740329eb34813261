#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Real frames, many of them malformed on purpose, pass from one namespace to another, through an
# egress guard and an ingress guard. Each guard counts each frame exactly once, as new, seen,
# exempt or without a key, and in no other counter. When all frames are sent again, none is new.
# CAPTURES is a folder of pcap files, by default ../captures.
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
plan $((5 + 8 * ${#keys[@]}))
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

counted='.new + .repeats + .dup_same_port + .dup_other_port + .exempt + .nokey'
# These frames are not merged and are fewer than any filter here has room for.
else='.gro_skipped + .over_budget + .full + .stale'

all_came() {
	[ "$(get "$in" "$counted + $else")" -ge "$sent" ]
}

# inject WHAT: sends all frames; $sent is how many there were since the guards
# came, $files how many of the files had some.
inject() {
	local result

	result=$(at "$out" "$here/helpers/inject.py" eth0 "$CAPTURES"/*)
	sent=$((sent + ${result% *})) files=${result#* }
	check "$1: all frames came in" await 20 all_came
}

# exactly NAME WHAT
exactly() {
	is "$2, $1: each is counted exactly once, and as nothing else" \
		"$(get "${!1}" "[$counted, $else]")" "[$sent,0]"
}

# guarded KEY: guards both ends, injects all twice, counts.
guarded() {
	local what="key ${1%% *}" name new

	for name in in out; do
		# shellcheck disable=SC2086 # one word a parameter
		at "${!name}" seenctl filter add f capacity 1M fpp 1e-3 \
			key $1 >/dev/null || exit 1
	done
	at "$in" seenctl guard add dev eth0 filter f >/dev/null
	at "$out" seenctl guard add dev eth0 filter f hook egress >/dev/null
	sent=0
	inject "$what"
	exactly out "$what"
	exactly in "$what"
	new="$(get "$out" .new) $(get "$in" .new)"
	match "$what: $(get "$in" '"\(.new) new, \(.dup_same_port) seen, \(.exempt) exempt, \(.nokey) without a key"')" \
		"$new" '^[1-9][0-9]* [1-9]'
	inject "$what, again"
	exactly out "$what, again"
	exactly in "$what, again"
	is "$what, again: none is new" \
		"$(get "$out" .new) $(get "$in" .new)" "$new"
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
between "from files that had some" "$files" 50 100000

# pcapng has no other reader here.
explained() {
	local file

	for file in "$CAPTURES"/*.pcapng; do
		seenctl -j key explain key len,inner <"$file" |
			jq -e 'length > 0 and all(.[]; .key or .why)' || return
	done
}
check "captures in pcapng are explained" explained

at "$in" seenctl guard add dev eth0 profile loop match all >/dev/null
sent=0
inject "profile loop"
exactly in "profile loop"

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Trails. In a ring of bridges whose filters store no frames, each broadcast dies at its second hit,
# a round and a hop after it entered; in a loop of one bridge, after two rounds. Then edges,
# segments, signatures, and frames that get no trail.

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/helpers/lib.sh"
. "$(dirname "$0")/helpers/loops.sh"

FRAMES=20
SEED=000102030405060708090a0b0c0d0e0f

# broadcasts NAMESPACE DEVICE [BYTES]: sends different frames of IPv4 with so much payload.
broadcasts() {
	at "$1" python3 -c '
import socket, struct, sys
s = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
s.bind((sys.argv[2], 0))
payload = b"x" * int(sys.argv[3])
for n in range(int(sys.argv[1])):
    ip = struct.pack("!BBHHHBBH4s4s", 0x45, 0, 20 + len(payload), n, 0, 64, 253, 0,
                     bytes([10, 0, 0, 1]), b"\xff" * 4)
    s.send(b"\xff" * 6 + b"\x02\0\0\0\0\1\x08\0" + ip + payload)
' $FRAMES "$2" "${3:-14}"
}

# found NODES SWITCH...: have their guards found a loop with so many nodes, and no other one?
found() {
	local name

	[ "$(for name in "${@:2}"; do
		at "${!name}" seenctl -j guard show | jq '.[].findings[]?.nodes'
	done | sort -un)" = "$1" ]
}

# shows SWITCH REGEX: does `guard show` print that?
shows() {
	at "${!1}" seenctl guard show | grep -q "$2"
}

# trails SWITCH [WORD...]: guards its bridge.
trails() {
	at "${!1}" seenctl guard add bridge br0 profile loop trail "${@:2}" >/dev/null || exit 1
}

# --- rings ----------------------------------------------------------------------------

# ring WHAT SWITCH...: a ring of these bridges, and a host at the first. Bridges whose names begin
# with "plain" are not guarded. The filters are so large that a wrong hit is rare.
ring() {
	local what=$1 names=("${@:2}") guarded=() name i

	switches "${names[@]}"
	host "h_$2" "$2"
	for name in "${names[@]}"; do
		keep_trails "${!name}"
		[[ $name != plain* ]] || continue
		trails "$name" trail-only trail-bits 256
		guarded+=("$name")
	done
	host station "${guarded[-1]}"
	for ((i = 0; i < ${#names[@]}; i++)); do
		wire "${names[i]}" "${names[(i + 1) % ${#names[@]}]}"
	done
	ready "${names[@]}"
	name=h_$2
	at "${!2}" seenctl guard reset all >/dev/null
	broadcasts "${!name}" eth0
	check "$what: each copy ends" await 10 summed trail_loops $((2 * FRAMES)) \
		"${guarded[@]}"
	is "$what: one strike before" "$(sum trail_strikes "${guarded[@]}")" $((2 * FRAMES))
	check "$what: guards find the loop" await 20 found ${#guarded[@]} "${guarded[@]}"
	is "$what: the action drops it" "$(sum dropped "${guarded[@]}")" $((2 * FRAMES))
	ring_filtered "$what" "${guarded[@]}"
	for name in "${names[@]}" station; do
		ns_del "${!name}"
	done
}

# ring_filtered WHAT SWITCH...: in the same ring, if the filters store frames, too, a station gets
# one copy of each.
ring_filtered() {
	local name

	for name in "${@:2}"; do
		at "${!name}" seenctl guard replace bridge br0 profile loop no-block trail \
			trail-bits 256 >/dev/null || exit 1
	done
	capture copies "$station" eth0 -Q in
	name=h_$2
	broadcasts "${!name}" eth0
	check "$1, with filters: each guard takes frames once" await 20 summed new \
		$((($# - 1) * FRAMES)) "${@:2}"
	captured copies -v 'ip proto 253' >"$lib_dir/frames"
	grep -o ' id [0-9]*,' "$lib_dir/frames" >"$lib_dir/ids"
	is "$1, with filters: one copy per station" \
		"$(wc -l <"$lib_dir/ids") $(sort -u "$lib_dir/ids" | wc -l)" "$FRAMES $FRAMES"
}

plan 46
ring "two bridges" a1 a2
ring "three bridges" b1 b2 b3
ring "eight bridges" c1 c2 c3 c4 c5 c6 c7 c8
ring "three of six are not guarded" d1 plain1 d2 plain2 d3 plain3

# --- a bridge with itself -------------------------------------------------------------

switches e1
keep_trails "$e1"
host eh e1
trails e1 trail-only
veth "$e1" x "$e1" y
ip -n "$e1" link set x master br0
ip -n "$e1" link set y master br0
ready e1
at "$e1" seenctl guard reset all >/dev/null
events events "$e1"
broadcasts "$eh" eth0
check "one bridge: each copy ends" await 10 summed trail_loops $((2 * FRAMES)) e1
is "one bridge: after two rounds" "$(sum trail_strikes e1)" $((2 * FRAMES))
check "one bridge: the guard finds the loop" await 20 shows e1 "loop through 1 node: port [xy] "
check "one bridge: an alarm counts the frames" heard events 20 "port [xy] count [1-9]"
# The listener keeps the namespace, and a guard there keeps the module of bridges.
at "$e1" seenctl guard del all >/dev/null
ns_del "$e1"

# --- two bridges in a line ------------------------------------------------------------

# line WORDS1 WORDS2: l1 and l2, with a host at each end, and a second port at each.
line() {
	local name

	switches l1 l2
	host n1 l1
	host n2 l2
	host m1 l1
	host m2 l2
	wire l1 l2
	for name in l1 l2; do
		keep_trails "${!name}"
		at "${!name}" seenctl filter add loops type cuckoo bits 24 window 500ms \
			capacity 10k key frame seed "${seed[$name]:-$SEED}" >/dev/null || exit 1
	done
	# shellcheck disable=SC2086 # words
	trails l1 filter loops $1
	# shellcheck disable=SC2086 # words
	trails l2 filter loops $2
	ready l1 l2
	at "$l1" seenctl guard reset all >/dev/null
	at "$l2" seenctl guard reset all >/dev/null
}

unline() {
	local name

	for name in l1 l2 n1 n2 m1 m2; do
		ns_del "${!name}"
	done
	# The next wire between them is the first one again.
	wires=()
}

# lengths WHAT NAME WANT: the lengths of the frames of the test in a capture, with their number.
lengths() {
	captured "$2" 'ip proto 253' >"$lib_dir/frames"
	is "$1" "$(sed -n 's/.* length \([0-9]*\): .*/\1/p' "$lib_dir/frames" | sort | uniq -c |
		awk '{ print $2 "*" $1 }')" "$3"
}

declare -A seed=()
line "" "port n2 edge"
capture middle "$l2" l1l2a -Q in
capture edge "$n2" eth0 -Q in
capture inside "$m2" eth0 -Q in
broadcasts "$n1" eth0
check "an edge: trails are removed" await 10 summed trail_stripped $FRAMES l2
lengths "between the bridges" middle "84*$FRAMES"
lengths "behind another port" inside "84*$FRAMES"
lengths "behind the edge" edge "60*$FRAMES"
unline

line "port n1 segment 7" "port n2 segment 7"
capture same "$n2" eth0 -Q in
capture other "$m2" eth0 -Q in
broadcasts "$n1" eth0
check "a segment: frames are withheld" await 10 summed trail_withheld $FRAMES l2
lengths "from the segment" same ""
lengths "but not from others" other "84*$FRAMES"
unline

line "action count port n1 segment 7" "action count port n2 segment 7"
capture dry "$n2" eth0 -Q in
broadcasts "$n1" eth0
check "a segment in a dry run: frames are counted" await 10 summed trail_withheld $FRAMES l2
lengths "and pass" dry "84*$FRAMES"
unline

line trail-auth trail-auth
capture one "$m2" eth0 -Q in
broadcasts "$n1" eth0
check "one secret: frames get a trail once" await 10 summed trail_added $FRAMES l1
check "all of them reach the second bridge" await 10 summed new $FRAMES l2
lengths "and no second one" one "88*$FRAMES"
unline

seed=([l1]=${SEED/0/1} [l2]=$SEED)
line trail-auth trail-auth
capture second "$m2" eth0 -Q in
broadcasts "$n1" eth0
check "two secrets: the other trail is payload" await 10 summed trail_added $FRAMES l2
lengths "before the second one" second "116*$FRAMES"
broadcasts "$n1" eth0 1400
check "a large frame gets no trail" await 10 summed trail_none $FRAMES l1
unline

# --- a bridge without ports -------------------------------------------------------------

# Removes the module of bridges, and loads it again, to another place: others take the old one.
bridge_again() {
	rmmod bridge 2>/dev/null && modprobe -a dummy ifb nlmon macvlan && modprobe bridge
}

ns f1
br "$f1" br0
trails f1
veth "$f1" x "$f1" y
ip -n "$f1" link set x master br0
ip -n "$f1" link del x
ip -n "$f1" link del br0
if grep -q '^bridge ' /proc/modules; then
	check "the module of bridges is removed, and loaded again" await 20 bridge_again
	br "$f1" br0
	broadcasts "$f1" br0
	is "a new bridge: the guard judges what it sends" \
		"$(port_get "$f1" br0 .trail_added)" $FRAMES
	ip -n "$f1" link set br0 type bridge vlan_filtering 1
	broadcasts "$f1" br0
	is "in a VLAN, too" "$(port_get "$f1" br0 .trail_added)" $((2 * FRAMES))
else
	skip "the module of bridges" "bridges are not a module"
	skip "a new bridge" "bridges are not a module"
	skip "in a VLAN" "bridges are not a module"
fi

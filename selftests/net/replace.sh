#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# `guard replace` adds a guard, changes it in place, or replaces it with a new guard atomically. If
# the kernel refuses the new guard, the old one stays as it was. One of the two guards judges each
# packet, never both, and never neither unless the priority on the device changes.
#
#	$far  eth0 ------ eth0  $box
#	      eth1 ------ eth1, in br0

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/helpers/lib.sh"

tool=iptables-legacy
. "$(dirname "$0")/helpers/rules.sh"

ROUNDS=$(scale 20 100 60 1000)

plan 83
far=''
ns far box
veth "$far" eth0 "$box" eth0
veth "$far" eth1 "$box" eth1
br "$box" br0 eth1
addr "$far" eth0 192.0.2.1/24
addr "$box" eth0 192.0.2.2/24
addr "$far" eth1 198.51.100.1/24
addr "$box" br0 198.51.100.2/24
ip -n "$far" neigh add 192.0.2.2 lladdr "$(mac "$box" eth0)" dev eth0
sysctl -qw net.core.netdev_max_backlog=1000000
link_up "$far" eth0 eth1
link_up "$box" eth0 eth1
events m "$box" -j

# of JQ: of the only guard.
of() {
	ask -j -s guard | jq -c ".[0] | $1"
}

# frame N [DEV]: the same N, the same frame.
frame() {
	at "$far" python3 -c '
import socket, sys
s = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
s.bind((sys.argv[2], 0))
s.send(b"\xff" * 6 + b"\2" * 6 + b"\x88\xb5" + int(sys.argv[1]).to_bytes(4, "big") + bytes(50))' \
		"$1" "${2:-eth0}"
}

# Collects the events of guards since the last call, each as [event, change, id].
tell() {
	so_far "$box" m
	grep '"event":"guard' "$(heard_log m)" |
		jq -c '[.event, .change, .guard_id]' >"$lib_dir/events"
	told=$(tail -n "+$((heard + 1))" "$lib_dir/events" | paste -sd' ')
	heard=$(wc -l <"$lib_dir/events")
}
heard=0

# --- add, and in place -----------------------------------------------------------------

ask filter add f capacity 1k key frame >/dev/null
ask filter add g capacity 1k key frame >/dev/null
check "without a guard replace adds one" \
	ask guard replace dev eth0 filter f action drop storm 7 match all
is "the guard has these parameters" \
	"$(of '[.filter, .action, .storm, .state]')" '["f","drop",7,"armed"]'
id=$(of .id)
tell
frame 1
check "the guard judges" await 20 ports_reach "$box" judged 1
check "the same replace again" ask guard replace dev eth0 filter f action drop storm 7 match all
is "the guard keeps id and counters" "$(of '[.id, .ports[0].judged]')" "[$id,1]"
check "replace with another action" ask guard replace dev eth0 filter f action mark 9
is "the action is set, and the rest has the defaults" "$(of '[.action, .mark, .storm]')" \
	'["mark",9,100]'
is "the guard still keeps id and counters" "$(of '[.id, .ports[0].judged]')" "[$id,1]"
tell
is "each replace is one event" "$told" \
	"[\"guard-change\",\"replace\",$id] [\"guard-change\",\"replace\",$id]"
ask guard set dev eth0 action count >/dev/null
ask guard replace dev eth0 filter f >/dev/null
check "replace with paused" ask guard replace dev eth0 filter f paused
is "the guard is paused" "$(of '[.id, .paused]')" "[$id,true]"
check "replace without paused" ask guard replace dev eth0 filter f
is "the guard resumes" "$(of '[.id, .paused, .ports[0].judged]')" "[$id,false,1]"

# --- another guard in its place --------------------------------------------------------

tell
check "replace with another filter" ask guard replace dev eth0 filter g action drop
new=$(of .id)
check "the guard is a new one" [ "$new" -gt "$id" ]
is "the new guard has new counters" "$(of '[.filter, .state, .ports[0].judged]')" '["g","armed",0]'
tell
is "the old guard is deleted before the new one is added" "$told" \
	"[\"guard-del\",null,$id] [\"guard-add\",null,$new]"
is "the old filter is not in use" "$(ask -j filter show f | jq -c '.[0].users')" 0
frame 2
check "the new guard judges" await 20 ports_reach "$box" judged 1

# --- the number of a node in trails ----------------------------------------------------

ask guard add bridge br0 profile loop trail >/dev/null
id=$(ask -j guard show bridge br0 | jq '.[0].id')
node=$(ask -j guard show bridge br0 | jq -r '.[0].trail.node')
check "replace without a number of the node" ask guard replace bridge br0 profile loop trail
is "the guard keeps its id and its number" \
	"$(ask -j guard show bridge br0 | jq -r '.[0] | "\(.id) \(.trail.node)"')" "$id $node"
check "replace with another format" ask guard replace bridge br0 profile loop trail trail-bits 256
is "the new guard has the number of the old one" \
	"$(ask -j guard show bridge br0 | jq -r ".[0] | \"\(.id > $id) \(.trail.node)\"")" "true $node"
ask guard del bridge br0 >/dev/null

# --- refused ---------------------------------------------------------------------------

# kept WHAT STATUS TEXT WORD...: refused, and the guard is the same and judges on.
kept() {
	local what=$1 id was

	id=$(of .id) was=$(of .ports[0].judged)
	refuse "$what" "$2" "$3" ask guard replace "${@:4}"
	frame $((frames++))
	await 20 ports_reach "$box" judged $((was + 1))
	is "$what: the old guard still judges" "$(of '[.id, .filter, .ports[0].judged]')" \
		"[$id,\"g\",$((was + 1))]"
}
frames=100

tell
kept "a filter that does not exist" 1 "does not exist" dev eth0 filter none
kept "a parameter of profile loop" 1 "no-block: needs a bridge guard of profile loop" dev eth0 filter f no-block
kept "an action of bridges" 1 "action: block needs a bridge guard" dev eth0 profile loop action block
ask filter add bytes capacity 1k key bytes >/dev/null
kept "a key of no packet" 1 "packets have no field bytes" dev eth0 filter bytes
ask filter add loop-eth0 capacity 10 >/dev/null
kept "the name of its own filter is taken" 1 "loop" dev eth0 profile loop
ip -n "$box" link add link eth0 name v7 up type vlan id 7
ask guard add dev v7 filter f match all >/dev/null
id=$(of .id)
refuse "a guard that would judge packets twice is refused" 1 "get the same packets" \
	ask guard replace dev eth0 filter f
is "the old guard is armed" "$(of '[.id, .filter, .state]')" "[$id,\"g\",\"armed\"]"
is "the other guard is not suspended" \
	"$(ask -j guard show dev v7 | jq -c '.[0].ports[0].suspended // false')" false
ask guard del dev v7
ip -n "$box" link del v7
tell
is "the old guard had no event" "$(grep -c "[^0-9]$id\]" <<<"$told")" 0
ask guard del all >/dev/null
ask filter del loop-eth0

# --- a filter of its own ---------------------------------------------------------------

ask guard add bridge br0 profile loop protect none >/dev/null
is "protect none is an empty list" "$(of '[.protect, .action]')" '[[],"block"]'
refuse "protect none with a port is refused" 2 "none excludes all others" \
	ask guard replace bridge br0 profile loop protect none protect eth1
id=$(of .id) filter=$(ask -j filter show loop-br0 | jq .[0].id)
key=0xffffffffffff020000000001ffff08060000002e000000020001
ask allow add loop-br0 $key >/dev/null
check "replace with another priority" \
	ask guard replace bridge br0 profile loop priority -900 protect none
is "the guard is a new one" "$(of "[.id > $id, .priority, .state]")" '[true,-900,"armed"]'
is "the new guard has the old filter with its allow list" \
	"$(ask -j filter show loop-br0 | jq -c '.[0] | [.id, .allowed, .users]')" \
	"[$filter,1,1]"
id=$(of .id)
check "replace that names the profile's own filter" \
	ask guard replace bridge br0 profile loop filter loop-br0 priority -900 protect none storm 9
is "the guard keeps the profile's own filter" \
	"$(of '[.id, .filter, .storm]')" "[$id,\"loop-br0\",9]"
check "the same with a new guard" ask guard replace bridge br0 profile loop filter loop-br0
is "the new guard has the profile's own filter" \
	"$(of "[.id > $id, .filter, .priority]")" '[true,"loop-br0",-1000]'
refuse "without the profile this filter is refused" 1 "filter: belongs to another guard" \
	ask guard replace bridge br0 filter loop-br0
check "replace with conditions" ask guard replace bridge br0 profile loop udp 7
is "the guard keeps the filter" \
	"$(ask -j filter show loop-br0 | jq -c '.[0] | [.id, .allowed, .users]')" \
	"[$filter,1,1]"
id=$(of .id)
refuse "another filter is refused, because the allow list would be lost" 1 \
	'filter "loop-br0" has an allow list; empty it first' \
	ask guard replace bridge br0 filter f
is "the guard is unchanged" "$(of '[.id, .filter, .udp]')" "[$id,\"loop-br0\",[\"7\"]]"
ask allow del loop-br0 $key >/dev/null
check "without an allow list it takes another filter" ask guard replace bridge br0 filter f
is "its own filter is deleted" "$(ask -j filter show | jq -c 'map(.name) | index("loop-br0")')" null
ask guard del all >/dev/null

# A copy on another port would be dropped; a frame that arrives again on its own port is a repeat.
ask filter add w type cuckoo bits 32 capacity 1k window 1h key frame >/dev/null
ask guard add dev eth0 filter w verdict other-port action drop >/dev/null
frame 5
check "a frame is stored" await 20 ports_reach "$box" judged 1
check "a new guard with the same filter" \
	ask guard replace dev eth0 filter w verdict other-port action drop priority -900
frame 5
check "the frame arrives again" await 20 ports_reach "$box" judged 1
is "it is a repeat on its own port" \
	"$(of '.ports[0] | [.repeats, .dup_other_port, .dropped]')" "[1,0,0]"
ask guard del all >/dev/null

# --- exist -----------------------------------------------------------------------------

ask guard add dev eth0 profile loop >/dev/null
check "-exist: a loop guard of a device, again" ask -exist guard add dev eth0 profile loop
ask guard add bridge br0 profile loop action drop >/dev/null
check "-exist: a bridge's that drops" ask -exist guard add bridge br0 profile loop action drop
check "-exist: the same by its other word" ask -exist guard add bridge br0 profile loop no-block
refuse "-exist: a guard that would block is refused" 1 "guard bridge br0 hook ingress exists with action drop, not block" \
	ask -exist guard add bridge br0 profile loop
ask guard del all >/dev/null

# --- while packets flow ----------------------------------------------------------------

# flood ADDRESS: datagrams that are never the same, until it is ended; then how many.
flood() {
	exec nsenter --net="/run/netns/$far" -- python3 -c '
import signal, socket, sys
ended = []
signal.signal(signal.SIGTERM, lambda *_: ended.append(True))
sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
sock.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
sent, flow = 0, int(sys.argv[2]) << 64
print("begun", flush=True)
while not ended:
    sent += 1
    sock.sendto((flow + sent).to_bytes(32, "big"), (sys.argv[1], 9))
print(sent)
' "$1" $flows
}

come() {
	[ "$(hits INPUT 1)" -ge "$1" ]
}

flows=0

# swing COMMAND...: in turns
swing() {
	local round

	for ((round = 0; round < ROUNDS; round++)); do
		printf '%s\n' "$@"
	done | ask -b -
}

# flow WHAT ADDRESS COMMAND...: datagrams flow while these take turns; $sent is how many.
flow() {
	local pid

	rule -F INPUT
	rule -A INPUT -p udp -j DROP
	((++flows))
	rm -f "$lib_dir/sent"
	flood "$2" >"$lib_dir/sent" &
	pid=$!
	check "$1: the sender has begun" await 60 test -s "$lib_dir/sent"
	check "$1: all changes succeed" swing "${@:3}"
	kill $pid
	join "$1: the sender ends" $pid
	sent=$(tail -n 1 "$lib_dir/sent")
	note "$1: $sent datagrams, $ROUNDS rounds"
}

for name in a b; do
	ask filter add $name type cuckoo bits 32 capacity 4M key src,payload
done >/dev/null
flow "filters" 192.0.2.2 "guard replace dev eth0 filter a action drop match all" \
	"guard replace dev eth0 filter b action drop match all"
check "filters: no new datagram is dropped" await 60 come "$sent"
flow "priorities" 192.0.2.2 "guard replace dev eth0 filter a action drop priority -900" \
	"guard replace dev eth0 filter a action drop priority -1000" "filter flush a"
check "priorities: no datagram meets both guards" await 60 come "$sent"
ask guard del all >/dev/null
flow "bridge" 198.51.100.255 "guard replace bridge br0 profile loop" \
	"guard replace bridge br0 profile loop priority -900" \
	"guard replace bridge br0 filter w verdict other-port action drop" \
	"guard replace bridge br0 profile loop udp 9"
check "bridge: no new datagram is dropped" await 60 come "$sent"
ask guard del all >/dev/null
# one_comes WHAT DEV ADDRESS TO: all so far were listed. One of ADDRESS, which is not, comes alone.
one_comes() {
	addr "$far" "$2" "$3/24"
	at "$far" python3 -c '
import socket, sys
sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
sock.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
sock.bind((sys.argv[1], 0))
sock.sendto(b"", (sys.argv[2], 9))' "$3" "$4"
	check "$1: a datagram that is not listed arrives" await 60 come 1
	is "$1: none that is listed passed between two guards" "$(hits INPUT 1)" 1
}

for name in c d; do
	ask filter add $name type cuckoo bits 32 capacity 1k key src
	ask key add $name 192.0.2.1 198.51.100.1
done >/dev/null
ask guard add dev eth0 filter c verdict listed action drop >/dev/null
flow "listed" 192.0.2.2 "guard replace dev eth0 filter d verdict listed action drop" \
	"guard replace dev eth0 filter c verdict listed action drop"
one_comes "listed" eth0 192.0.2.3 192.0.2.2
ask guard del all >/dev/null
ask guard add bridge br0 filter c verdict listed action drop >/dev/null
flow "a bridge's listed" 198.51.100.255 \
	"guard replace bridge br0 filter d verdict listed action drop" \
	"guard replace bridge br0 filter c verdict listed action drop priority -900"
one_comes "a bridge's listed" eth1 198.51.100.3 198.51.100.255

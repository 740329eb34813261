#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Guards with verdict listed or heavy; marks from the values of a map; allow maps.
#
#	$away  a0 ------- eth0  $box

# shellcheck disable=SC2016 # "check" expands what it runs by eval

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/helpers/lib.sh"

plan 58
ns box away
veth "$away" a0 "$box" eth0
addr "$away" a0 192.0.2.1/24 192.0.2.3/24 192.0.2.4/24
addr "$box" eth0 192.0.2.2/24
link_up "$away" a0
link_up "$box" eth0

ctl() {
	at "$box" seenctl "$@"
}

# Prints a member ($2) of the filter $1.
told() {
	ctl -j -s filter show "$1" | jq -c ".[0] | $2"
}

# port JQ: of the guard's
port() {
	ctl -j -s guard show | jq -c ".[0].ports[0] | $1"
}

# from SOURCE COUNT: sends datagrams, and a frame of another kind at the end. When the guard has
# counted that frame, all datagrams have arrived.
from() {
	for ((i = 0; i < $2; i++)); do
		at "$away" python3 -c "
import socket
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.bind(('192.0.2.$1', 0))
s.sendto(b'x', ('192.0.2.2', 9))"
	done
}

looked() {
	[ "$(port '.judged + .allowed')" -ge "$1" ]
}

ip -n "$away" neigh replace 192.0.2.2 lladdr "$(mac "$box" eth0)" dev a0
marks "$box" eth0

# --- listed -------------------------------------------------------------------------

for type in bitmap map counting cuckoo; do
	case $type in
	bitmap)	shape="range 192.0.2.0/24" ;;
	*)	shape="capacity 100" ;;
	esac
	# shellcheck disable=SC2086 # one word a parameter
	check "$type: a list" eval "ctl filter add $type type $type $shape &&
		ctl key add $type 192.0.2.3"
	check "$type: a guard drops what is on it" \
		ctl guard add dev eth0 filter $type verdict listed \
			match all udp 9 action drop
	from 1 2
	from 3 3
	await 10 looked 5
	is "$type: the guard passes other packets" \
		"$(port '[.judged, .new, .hits, .dropped]')" '[5,2,3,3]'
	is "$type: nothing is stored, and there is no budget" \
		"$(told $type .stats.adds) $(port .budget)" "1 0"
	check "$type: the guard is deleted" ctl guard del dev eth0
done

# On a bridge with VLANs a guard keeps frames of different VLANs apart, but a listed key counts in
# each VLAN.
veth "$away" b0 "$box" p0
addr "$away" b0 198.51.100.1/24 198.51.100.3/24
br "$box" br0 p0
ip -n "$box" link set br0 type bridge vlan_filtering 1
addr "$box" br0 198.51.100.2/24
link_up "$away" b0
link_up "$box" p0 br0
ctl filter add vlans type cuckoo capacity 100
ctl key add vlans 198.51.100.3
ctl guard add bridge br0 filter vlans verdict listed match all udp 9 action drop >/dev/null
for source in 1 3 3; do
	at "$away" python3 -c "
import socket
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.bind(('198.51.100.$source', 0))
s.sendto(b'x', ('198.51.100.2', 9))"
done
await 10 ports_reach "$box" judged 3
is "a bridge with VLANs: a listed key is found in each VLAN" \
	"$(port_get "$box" p0 "[.judged, .new, .hits, .dropped]")" '[3,1,2,2]'
ctl guard del bridge br0

# --- a map's value ----------------------------------------------------------------------

check "map: values are marks" ctl key add map 192.0.2.3 value 7 192.0.2.4 value 9
check "a guard marks packets with the values" ctl guard add dev eth0 filter map \
	verdict listed udp 9 action mark value
is "the guard shows mark value" "$(ctl -j guard show | jq -c '.[0] |
	[.verdict, .action, .mark_value, .mark, .errs]')" \
	'["listed","mark",true,null,"filter"]'
match "the guard shows mark value in text" "$(ctl -o guard show)" "verdict listed action mark value"
from 1 1
from 3 2
from 4 1
await 10 looked 4
is "each packet has the value of its key" "$(marks_told "$box") $(port .marked)" "[2,1] 3"
check "a value is changed" ctl key add map 192.0.2.3 value 9
from 3 1
await 10 looked 5
is "the mark has the new value" "$(marks_told "$box")" "[2,2]"
check "one mark for all" ctl guard set dev eth0 action mark 7
from 3 1
await 10 looked 6
is "all packets have that mark" "$(marks_told "$box")" "[3,2]"
check "the mark is the value again" ctl guard set dev eth0 action mark value
refuse "a filter without values is not swapped in" 1 \
	"mark-value: needs a filter of type map" \
	ctl filter swap map cuckoo
check "the guard is deleted" ctl guard del dev eth0

# --- heavy --------------------------------------------------------------------------------

check "cms: a guard drops from the third packet on" eval '
	ctl filter add heavy type cms capacity 1000 threshold 3 top 2 &&
	ctl guard add dev eth0 filter heavy verdict heavy udp 9 action drop'
from 3 5
from 1 2
await 10 looked 7
is "cms: the guard drops from the third packet of each key on" \
	"$(port '[.new, .repeats, .hits, .dropped]')" '[2,2,3,3]'
is "cms: all are counted" "$(ctl key count heavy 192.0.2.3)" "192.0.2.3 5"
is "cms: the heaviest keys are listed" "$(ctl top heavy | xargs)" "5 192.0.2.3 2 192.0.2.1"
check "the guard is deleted" ctl guard del dev eth0

# --- allow maps ------------------------------------------------------------------------------

ctl key del map 192.0.2.3
check "a filter gets an allow map" ctl allow map cuckoo map
is "the allow map is shown, and in use" "$(told cuckoo .allow_map) $(told map .users)" '"map" 1'
refuse "an allow map in use cannot be deleted" 1 "filter \"map\" is an allow map (filters: 1); remove it there first" \
	ctl filter del map
refuse "an allow map cannot have an allow map" 1 \
	"allow-map: an allow map cannot have an allow map; remove one of the two first" \
	eval 'ctl filter add other type map capacity 9 &&
		ctl filter set map allow-map other'
refuse "an allow map cannot be swapped with another type" 1 \
	"type: must be map, since the filter is an allow map" \
	ctl filter swap map counting
is "its keys are not judged" "$(ctl key test cuckoo 192.0.2.3 192.0.2.4 | xargs)" \
	"192.0.2.3 seen 192.0.2.4 allowed"
check "a guard drops what is listed" ctl guard add dev eth0 filter cuckoo \
	verdict listed udp 9 action drop
check "the second key is listed, too" ctl key add cuckoo 192.0.2.4
from 3 2
from 4 2
await 10 looked 4
is "the guard passes allowed keys" "$(port '[.hits, .allowed]')" '[2,2]'
check "a flush of the map" eval 'ctl filter flush map'
from 4 1
await 10 looked 5
is "then no key is allowed" "$(port '[.hits, .allowed]')" '[3,2]'
check "another map takes its place" eval '
	ctl key add other 192.0.2.4 && ctl filter swap map other'
from 4 1
await 10 looked 6
is "the keys of the other map are allowed" "$(port '[.hits, .allowed]')" '[3,3]'
check "the allow map is removed" ctl filter set cuckoo allow-map none
is "the map is not in use" "$(told map .users) $(told cuckoo .allow_map)" "0 null"
check "another filter uses the map, and is deleted" eval '
	ctl filter add brief capacity 10 && ctl allow map brief map &&
	ctl filter del brief && ctl filter del map'

# Full, and of a policy that judges nothing then.
check "a full map of policy pass" eval '
	ctl filter add edge type map capacity 2 on-full pass seed $SEED &&
	ctl key add edge 192.0.2.3 192.0.2.4 && ctl allow map cuckoo edge'
is "a full map of policy pass allows its keys" \
	"$(ctl key test cuckoo 192.0.2.3 192.0.2.1 | xargs)" \
	"192.0.2.3 allowed 192.0.2.1 new"
check "a map of bytes, for a filter whose keys may be longer" eval '
	ctl filter add any type cuckoo key bytes capacity 10 &&
	ctl filter add short type map key bytes capacity 10 && ctl allow map any short'
match "longer keys are not in the map" "$(ctl key test any "$(printf %0200d 7)")" ' new$'

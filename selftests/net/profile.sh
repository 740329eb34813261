#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Profiles relay and packet: each is one command. Tests what it sets, which parameters can
# be added, and the filter that the guards of a profile share.
#
#	$away  a0 ------- b0  $box
#	       a1 ------- b1
#	       a2 ------- b2

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/helpers/lib.sh"

plan 39
ns box away
for n in 0 1 2; do
	veth "$away" a$n "$box" b$n
done
events m "$box" -j

ctl() {
	at "$box" seenctl "$@" 2>&1
}

# of DEV JQ: of its guard.
of() {
	at "$box" seenctl -j -s guard show | jq -c --arg dev "$1" \
		".[] | select(.dev == \$dev) | $2"
}

names() {
	at "$box" seenctl -j filter show | jq -c 'map(.name)'
}

sender "$away"

# udp TTL ID PAYLOAD: from 10.0.0.1 port 1000 to 10.0.0.255 port 53.
udp() {
	printf '0800 4500 0020 %04x 0000 %02x 11 0000 0a000001 0a0000ff' \
		"$2" "$1"
	printf '03e8 0035 000c 0000 %08x' "$3"
}

all="ffffffffffff 020000000001" relayed="ffffffffffff 020000000002"

# --- relay -----------------------------------------------------------------------

check "relay is one command" ctl guard add dev b0 profile relay
check "profile relay adds a filter" heard m 20 '"filter-add","filter":"relay"'
is "relay counts duplicates of UDP broadcasts from another port" \
	"$(of b0 '[.profile, .filter, .match, .udp, .verdict, .action]')" \
	'["relay","relay","bum",["all"],"other-port","count"]'
is "the filter has a window of 2 s, fpp 1e-6 and key relay" \
	"$(at "$box" seenctl -j filter show relay |
		jq -c '.[0] | [.type, .window, .fpp <= 1e-6, .key]')" \
	'["cuckoo",2000000000,true,"relay"]'
is "the filter has room for 65,536 datagrams, half of it shared" "$(of b0 '.ports[0].budget')" 32768
check "a second guard of the profile" ctl guard add dev b1 profile relay action drop
check "a third guard, with other parameters" ctl guard add dev b2 profile relay \
	match all udp 53,1900 action mark 7 storm 5
is "the third guard has these parameters" "$(of b2 '[.match, .udp, .action, .mark, .storm]')" \
	'["all",["53","1900"],"mark",7,5]'
is "the guards share the filter" "$(filter_get "$box" relay .users)$(names)" '3["relay"]'
is "the guards share its room" "$(of b0 '.ports[0].budget')" 10922
is "the filter belongs to guards" "$(filter_get "$box" relay .of_a_guard)" true
refuse "the filter of several guards cannot be deleted" 1 \
	'filter "relay" belongs to 3 guards; delete them instead' \
	at "$box" seenctl filter del relay
refuse "no other guard can use the filter" 1 "filter: belongs to another guard" \
	at "$box" seenctl guard add dev b0 hook egress filter relay
refuse "another verdict is refused" 1 "verdict: contradicts profile; omit one of the two" \
	at "$box" seenctl guard add dev b0 hook egress profile relay verdict dup

# The last one follows after 0.3 s, which is more than the 100 ms for duplicates and a tick.
send raw a0 "$all" "$(udp 64 1 1)"
send raw a1 "$relayed" "$(udp 63 2 1)"
send raw a1 "$relayed" "$(udp 63 3 2)"
read -rt 0.3 -u "$lib_never"
send raw a0 "$all" "$(udp 64 4 1)"
check "all datagrams are judged" await 10 ports_reach "$box" judged 4
is "a relayed one is a duplicate, whatever the relay has changed" \
	"$(of b1 '.ports[0] | [.new, .dup_other_port, .dropped]')" '[1,1,1]'
is "a repeat after 0.3 s is not a duplicate" \
	"$(of b0 '.ports[0] | [.new, .repeats, .dup_same_port]')" '[1,1,0]'

# A slow guest may miss the window, so each try uses a new datagram.
at_once() {
	((++number))
	send raw a2 "$all" "$(udp 64 1 $number)"
	send raw a2 "$all" "$(udp 64 1 $number)"
	[ "$(of b2 '.ports[0].dup_same_port')" -ge 1 ]
}

number=1000
check "a repeat without a pause is a duplicate" await 20 at_once
is "the last duplicate has the first port" "$(of b1 '.ports[0].last_other.first_port')" \
	'"b0"'
send raw a1 "020000000009 020000000002" "$(udp 63 5 1)"
send raw a1 "$relayed" "0806 0001 0800 06 04 0001 020000000001 0a000001 \
	000000000000 0a000002"
send raw a1 "$relayed" "$(udp 63 6 3)"
b1_has_judged() {
	[ "$(of b1 '.ports[0].judged')" -ge "$1" ]
}

check "the next datagram is judged" await 10 b1_has_judged 3
is "unicast, and packets that are not UDP, are not judged" \
	"$(of b1 '.ports[0] | [.judged, .nokey]')" '[3,0]'

ctl guard del dev b0 >/dev/null
ctl guard del dev b1 >/dev/null
is "the filter stays while there is a guard" "$(names)" '["relay"]'
ctl guard del dev b2 >/dev/null
check "the filter is deleted with the last guard" heard m 20 '"filter-del","filter":"relay"'

# --- packet ----------------------------------------------------------------------

check "packet is one command" ctl guard add dev b0 profile packet
is "packet counts duplicates on any port" \
	"$(of b0 '[.profile, .filter, .match, .udp, .verdict, .action]')" \
	'["packet","packet","all",[],"dup","count"]'
is "the filter has a window of 50 ms, fpp 1e-6 and key packet" \
	"$(at "$box" seenctl -j filter show packet |
		jq -c '.[0] | [.type, .window, .fpp <= 1e-6, .key]')" \
	'["cuckoo",50000000,true,"packet"]'
between "its capacity is 10 Gbit/s of the smallest packets" \
	"$(of b0 '.ports[0].budget')" 431500 1000000
between "the filter has 20 to 32 MB" "$(filter_get "$box" packet .bytes)" \
	20000000 32000000
check "a guard on each hook" ctl guard add dev b1 hook egress profile packet
is "each hook has a filter" "$(names)" '["packet","packet-egress"]'
ctl guard del dev b1 hook egress >/dev/null
check "a guard on another device" ctl guard add dev b1 profile packet action drop

# Two copies within 50 ms are duplicates. A slow guest may miss that, so each try uses a new
# datagram.
mirrored() {
	((++number))
	send_all "raw a0 020000000007 020000000001 $(udp 64 1 $number)" \
		"raw a1 020000000008 020000000002 8100 0005 $(udp 60 1 $number)"
	[ "$(of b1 '.ports[0].dropped')" -ge 1 ]
}

number=100
check "a copy with another TTL, VLAN and address is dropped" \
	await 20 mirrored
is "its first port is the other device" \
	"$(of b1 '.ports[0].last_other.first_port')" '"b0"'
forgotten() {
	send raw a1 "020000000008 020000000002" "$(udp 60 1 77)"
	[ "$(of b1 '.ports[0].new')" -ge $((new + 2)) ]
}

new=$(of b1 '.ports[0].new')
check "after 50 ms it is new again" await 20 forgotten
ctl guard del dev b0 >/dev/null
ctl guard del dev b1 >/dev/null
is "no filter is left" "$(names)" '[]'

# --- other filters -----------------------------------------------------------------

at "$box" seenctl filter add packet type cuckoo capacity 1k window 1s key packet \
	fpp 1e-6
refuse "a filter of that name is not taken over" 1 \
	'filter "packet" already exists; rename or delete it first' \
	at "$box" seenctl guard add dev b0 profile packet
check "but it can be named" ctl guard add dev b0 profile packet filter packet
is "that filter does not belong to the guard" "$(filter_get "$box" packet .of_a_guard)" false
ctl guard del dev b0 >/dev/null
is "that filter stays" "$(names)" '["packet"]'

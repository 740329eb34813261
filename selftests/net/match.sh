#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The match conditions of a guard: UDP ports, prefixes, and packets that only look like
# datagrams. A packet that does not match passes, and no counter counts it.
#
#	$away a0 ------- b0 $box	a guard on the device
#	      a1 ------- p1 br0		a guard on the bridge

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/helpers/lib.sh"

plan 59
ns box away
veth "$away" a0 "$box" b0
veth "$away" a1 "$box" p1
br "$box" br0 p1
addr "$box" br0 192.0.2.1/24
link_up "$away" a0 a1

sender "$away"

ctl() {
	at "$box" seenctl "$@"
}

guard_of() {
	at "$box" seenctl -j -s guard show dev b0 | jq -c ".[0]$1"
}

# --- frames ----------------------------------------------------------------------

TO="ffffffffffff 020000000001"
BODY="0102030405060708"

hex4() {
	# shellcheck disable=SC2046 # four numbers
	printf '%02x' $(tr . ' ' <<<"$1")
}

# ip4 SRC DST PROTO FRAG TRANSPORT: a whole packet, but for its checksum.
ip4() {
	local data=${5// /}

	printf '0800 4500 %04x 0001 %s 40 %s 0000 %s %s %s' \
		$((20 + ${#data} / 2)) "$4" "$3" "$(hex4 "$1")" \
		"$(hex4 "$2")" "$data"
}

# ip6 SRC DST NEXT TRANSPORT: addresses of 32 digits.
ip6() {
	local data=${4// /}

	printf '86dd 60000000 %04x %s 40 %s %s %s' $((${#data} / 2)) "$3" \
		"$1" "$2" "$data"
}

# udp PORT [FROM]
udp() {
	printf '%04x %04x 0010 0000 %s' "${2:-1000}" "$1" "$BODY"
}

TEN=10.1.2.3 ELEVEN=11.0.0.1 TWO=192.0.2.2
FE80=fe800000000000000000000000000001 DB8=20010db8000000000000000000000001
MAPPED=00000000000000000000ffff0a000001
TCP="03e8 076c 00000000 00000000 5002 ffff 0000 0000"

udp4() {
	ip4 $TEN $TWO 11 0000 "$(udp "$@")"
}

# --- results -----------------------------------------------------------------------

# Sets $judged.
judge() {
	[[ $(at "$box" seenctl -so guard show dev b0 2>&1) =~ judged\ ([0-9]+) ]]
	judged=${BASH_REMATCH[1]}
}

judged_more() {
	judge
	((judged > $1))
}

# guard WORD...: adds a guard with conditions on b0; $sure is set to a frame that meets them.
guard() {
	ctl guard del dev b0
	ctl guard add dev b0 filter f "$@"
}

# looks WHAT COUNT FRAME: the guard judges the frame COUNT times. Frames are judged in order, so
# when the frame $sure is counted, nothing sent before it is still on its way.
looks() {
	local before

	judge
	before=$judged
	send raw a0 "$TO" "${*:3}" &&
		send raw a0 "$TO" "$sure" &&
		await 10 judged_more $((before + $2))
	is "$1" $((judged - before - 1)) "$2"
}

check "a filter" ctl filter add f type cuckoo capacity 10k window 1h \
	key frame fpp 1e-6
ctl guard add dev b0 filter f >/dev/null 2>&1

# --- ports -------------------------------------------------------------------------

check "UDP ports" guard udp 1900,5353,6000-6010
sure=$(udp4 1900)
looks "a port of the list" 1 "$(udp4 5353)"
looks "IPv6" 1 "$(ip6 $FE80 $DB8 11 "$(udp 5353)")"
looks "the first of a range" 1 "$(udp4 6000)"
looks "the last of the range" 1 "$(udp4 6010)"
looks "the port before the range" 0 "$(udp4 5999)"
looks "the port after the range" 0 "$(udp4 6011)"
looks "a datagram from such a port" 0 "$(udp4 7 1900)"
looks "in a VLAN" 1 "8100 0005 $(udp4 1900)"
looks "in two VLANs" 1 "88a8 0007 8100 0005 $(udp4 1900)"
looks "TCP" 0 "$(ip4 $TEN $TWO 06 0000 "$TCP")"
looks "UDP-Lite" 0 "$(ip4 $TEN $TWO 88 0000 "$(udp 1900)")"
looks "ARP" 0 "0806 0001 0800 06 04 0001 020000000001 0a010203 \
	000000000000 c0000202"
looks "neither IP nor ARP" 0 "88b5 $(udp 1900)"
looks "a first fragment" 1 "$(ip4 $TEN $TWO 11 2000 "$(udp 1900)")"
looks "a later fragment" 0 "$(ip4 $TEN $TWO 11 2001 "$(udp 1900)")"
looks "a later fragment of IPv6" 0 \
	"$(ip6 $FE80 $DB8 2c "1100 0009 00000001 $(udp 1900)")"
looks "UDP after IPv6 extension headers" 1 \
	"$(ip6 $FE80 $DB8 00 "1100 0104 00000000 $(udp 1900)")"
looks "a packet cut off in the ports" 0 "0800 4500 0016 0001 0000 40 11 0000 0a010203 \
	c0000202 03e8"
looks "a header that is longer than the packet" 0 \
	"0800 4f00 0024 0001 0000 40 11 0000 0a010203 c0000202 $(udp 1900)"
looks "options before the ports" 1 "0800 4600 0028 0001 0000 40 11 0000 \
	0a010203 c0000202 01010100 $(udp 1900)"
is "no counter has the packets that do not match" \
	"$(guard_of '.ports[0] | [.exempt, .nokey, .gro_skipped, .repeats, .full]')" \
	'[0,0,0,0,0]'

check "any port" guard udp all
sure=$(udp4 0)
looks "port 65535" 1 "$(udp4 65535)"
looks "TCP" 0 "$(ip4 $TEN $TWO 06 0000 "$TCP")"

# --- addresses ---------------------------------------------------------------------

check "source prefixes of both families" guard src 10.1.2.3/8,fe80::/10
sure=$(udp4 1)
looks "a source in the IPv4 prefix" 1 "$(ip4 $TEN $TWO 06 0000 "$TCP")"
looks "a source outside of the prefix" 0 "$(ip4 $ELEVEN $TEN 06 0000 "$TCP")"
looks "a source in the IPv6 prefix" 1 "$(ip6 $FE80 $DB8 11 "$(udp 1)")"
looks "a source outside of the prefix" 0 "$(ip6 $DB8 $FE80 11 "$(udp 1)")"
looks "an IPv4-mapped source is not in the IPv4 prefix" 0 \
	"$(ip6 $MAPPED $DB8 11 "$(udp 1)")"
looks "a later fragment has addresses" 1 \
	"$(ip4 $TEN $TWO 11 2001 "$(udp 1)")"
is "the prefix is shown without host bits" "$(guard_of .src)" \
	'["10.0.0.0/8","fe80::/10"]'
check "one destination address" guard dst 192.0.2.2
looks "this destination" 1 "$(udp4 1)"
looks "the next address" 0 "$(ip4 $TEN 192.0.2.3 11 0000 "$(udp 1)")"
check "any IPv4 destination" guard dst 0.0.0.0/0
looks "not an IPv6 destination" 0 "$(ip6 $FE80 $DB8 11 "$(udp 1)")"
check "any IPv6 destination" guard dst ::/0
sure=$(ip6 $FE80 $DB8 11 "$(udp 1)")
looks "not an IPv4 destination" 0 "$(udp4 1)"
looks "not a frame without addresses" 0 "88b5 $(udp 1)"

# --- all of them -------------------------------------------------------------------

check "match, ports and addresses" guard match bum udp 53 src 10.0.0.0/8 \
	dst 192.0.2.0/24
sure=$(udp4 53)
looks "all conditions hold" 1 "$(udp4 53)"
looks "another port" 0 "$(udp4 54)"
looks "another source" 0 "$(ip4 $ELEVEN $TWO 11 0000 "$(udp 53)")"
looks "another destination" 0 "$(ip4 $TEN $TEN 11 0000 "$(udp 53)")"
judge
before=$judged
send raw a0 "020000000002 020000000001" "$sure"
send raw a0 "$TO" "$sure"
await 10 judged_more "$before"
is "match bum: unicast is not judged" $((judged - before)) 1
is "all conditions are in JSON" \
	"$(guard_of ' | [.match, .udp, .src, .dst]')" \
	'["bum",["53"],["10.0.0.0/8"],["192.0.2.0/24"]]'
match "all conditions are in the text" "$(at "$box" seenctl -o guard show dev b0)" \
	"match bum udp 53 src 10.0.0.0/8 dst 192.0.2.0/24 verdict"

ports=$(seq -s, 1 16) prefixes=$(printf ',10.%d.0.0/16' {1..16})
check "sixteen ports and prefixes" guard udp "$ports" src "${prefixes#,}" \
	dst "${prefixes#,}"
is "all of them are shown" "$(guard_of ' | [.udp, .src, .dst | length] | add')" 48
sure=$(ip4 10.16.0.1 10.16.0.2 11 0000 "$(udp 16)")
looks "the last of each matches" 1 "$sure"
looks "the next one does not" 0 \
	"$(ip4 10.17.0.1 10.16.0.2 11 0000 "$(udp 16)")"

check "a guard that drops" guard udp 53 action drop
BODY=1111111111111111 sure=$(udp4 53)
BODY=2222222222222222
other=$(udp4 54)
for _ in 1 2; do
	send raw a0 "$TO" "$other"
	send raw a0 "$TO" "$sure"
done
await 10 judged_more 1
is "it drops no other packet" "$(guard_of '.ports[0] | [.new, .dropped]')" '[1,1]'

# --- what the bridge itself sends ----------------------------------------------------

check "a bridge" ctl guard add bridge br0 filter f udp 53 verdict other-port
own() {
	at "$box" seenctl -j -s guard show bridge br0 | jq '.[0].ports[0].new'
}

owns() {
	[ "$(own)" = 1 ]
}

at "$box" python3 "$helpers/send.py" >"$lib_dir/own" <<-END
	udp br0 1000 192.0.2.255 54 10
	udp br0 1000 192.0.2.255 53 10
	END
check "the bridge's own packets that match are stored" await 10 owns
is "no other packet of its own is stored" "$(own)" 1

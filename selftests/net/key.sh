#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Keys of packets on real devices. Copies of a frame that arrive by two paths have the same key,
# no matter how the paths change them; and the text of a key means the same key as the packet.
#
#	            +- p1 ---- e1 -+
#	$h eth -- p0| $sw br0      | $in
#	            +- p2 ---- e2 -+
#
# p2 finishes checksums, puts tags into the frame and makes packets linear; p1
# leaves all that to the next device.

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/helpers/lib.sh"

H=02:00:00:00:00:01
MACS="ffffffffffff 020000000001"
ARP="0806 0001 0800 06 04 0001 020000000001 0a000001 000000000000 0a000002"
PAD="000000000000000000000000000000000000"
TAG="8100 6064"			# priority 3, VID 100
OTHER_TAG="8100 6065"		# VID 101
STAG="88a8 00c8"		# VID 200
INNER="8100 0064"		# VID 100
# Header fields that the frames below share.
UDP="04d2 0035 000c 142c 01020304"
UDP4="0800 4500 0020 0001 4000 40 11 26ca 0a000001 0a000002 $UDP"
TCP4="0800 4500 0028 0001 4000 40 06 26cd 0a000001 0a000002 \
	04d2 0050 00000065 00000000 5002 ffff 1423 0000"
V6="20010db8000000000000000000000001 20010db8000000000000000000000002"
UDP6="86dd 60000000 000c 11 40 $V6 $UDP"
ICMP6="86dd 60000000 000c 3a 40 $V6 8000 5b9c 0001 0002 61626364"
# Behind hop-by-hop options, a routing header and destination options.
FAR_UDP6="86dd 60000000 0034 00 40 $V6 2b00 0104 00000000 \
	3c02 0001 00000000 20010db8000000000000000000000003 \
	1100 0104 00000000 $UDP"
FRAG6="86dd 60000000 0014 2c 40 $V6 1100 0008 00abcdef $UDP"
CUT_UDP4="0800 4500 0016 0001 4000 40 11 26d4 0a000001 0a000002 04d2"
ESP="0800 4500 0020 0001 4000 40 32 26a9 0a000001 0a000002 $UDP"
IPIP="0800 4500 0034 0001 4000 40 04 26c1 0a010001 0a010002 ${UDP4#0800}"
IP6IP6="86dd 60000000 0034 29 40 $V6 ${UDP6#86dd}"
GRE="0800 4500 0044 0001 4000 40 2f 2686 0a010001 0a010002 \
	b000 0800 ffff0000 00000007 00000001 ${UDP4#0800}"
IPIP_FRAG="0800 4500 0034 0001 2000 40 04 46c1 0a010001 0a010002 ${UDP4#0800}"
VXLAN="0800 4500 0052 0001 4000 40 11 2698 0a000001 0a000002 \
	8000 12b5 003e 0000 08000000 00002a00 020000000009 020000000008 $UDP4"
VXLAN_FRAG=${VXLAN/4000 40 11 2698/2000 40 11 4698}
# What finishes the inner checksum finds 0, and puts ffff.
ZERO_VXLAN=${VXLAN/01020304/e3bc0304}
TAGGED_VXLAN="0800 4500 0056 0001 4000 40 11 2694 0a000001 0a000002 \
	8000 12b5 0042 0000 08000000 00002a00 020000000009 020000000008 \
	$TAG $UDP4"
TAGS="$INNER $INNER $INNER"
DEEP_VXLAN="0800 4500 0076 0001 4000 40 11 2674 0a000001 0a000002 \
	8000 12b5 0062 0000 08000000 00002a00 020000000009 020000000008 \
	$TAGS $TAGS $TAGS $UDP4"
BAD_VXLAN="0800 4500 0066 0001 4000 40 11 2684 0a000001 0a000002 \
	8000 12b5 0052 0000 08000000 00002a00 020000000009 020000000008 \
	86dd 40000000 000c 11 40 $V6 $UDP"
GRE_ETH="0800 4500 0046 0001 4000 40 2f 2684 0a010001 0a010002 \
	0000 6558 020000000009 020000000008 $UDP4"

plan 99

ns h sw in
ip -n "$h" link add eth address $H mtu 9000 type veth \
	peer name p0 netns "$sw" mtu 9000
for i in 1 2; do
	ip -n "$sw" link add p$i mtu 9000 type veth \
		peer name e$i netns "$in" mtu 9000
	ip -n "$in" link set e$i up
done
at "$sw" ethtool -K p2 tx off txvlan off >/dev/null
at "$sw" ethtool -K p2 tx-vlan-stag-hw-insert off >/dev/null
br "$sw" br0 p0 p1 p2 || exit
ip -n "$sw" link set p0 up
ip -n "$sw" link set p1 up
ip -n "$sw" link set p2 up
ip -n "$h" link set eth up
addr "$h" eth 10.0.0.1/24
ip -n "$h" neigh add 10.0.0.9 lladdr 02:00:00:00:00:99 dev eth
link_up "$h" eth
link_up "$sw" p0 p1 p2
link_up "$in" e1 e2

sender "$h"

# counts of the guards of $where since the last result, or since they were added: new, duplicate,
# without a key.
where=$in
count() {
	mapfile -t now < <(at "$where" seenctl -j -s guard show |
		jq '[.[].ports[]] | (map(.new) | add), (map(.nokey) | add),
			(map(.dup_same_port + .dup_other_port) | add)')
	counted=$((now[0] - was[0])) nokeys=$((now[1] - was[1]))
	dups=$((now[2] - was[2]))
}

all_counted() {
	count
	((counted + dups + nokeys >= $1))
}

# counts WHAT NEW DUPLICATE NOKEY COMMAND...: what the frames of a command count
# as. One too many would be the next result's.
counts() {
	local what=$1 want=$2/$3/$4 all=$(($2 + $3 + $4))

	shift 4
	"$@" && await 10 all_counted "$all"
	is "$what" "$counted/$dups/$nokeys" "$want"
	was=("${now[@]}")
}

# guard KEY DEV [egress]...: one filter behind all.
guard() {
	local dev hook lines

	lines="filter add f capacity 100000 type cuckoo window 1h bits 32 key $1"
	shift
	while [ $# != 0 ]; do
		dev=$1 hook=ingress
		[ "${2:-}" != egress ] || { hook=egress && shift; }
		shift
		lines+="
guard add dev $dev hook $hook filter f match all verdict dup action count"
		undo="guard del dev $dev hook $hook
$undo"
	done
	at "$where" seenctl -b - <<<"$lines" 2>/dev/null || exit
	was=(0 0 0)
}

unguard() {
	at "$where" seenctl -b - <<<"$undo" || exit
	undo="filter del f"
}
undo="filter del f"

# --- two copies, two ways ----------------------------------------------------

guard frame e1 e2

counts "ARP: one key on both ways" 1 1 0 send raw eth "$MACS $ARP"
counts "ARP, padded to 60: the same key" 0 2 0 send raw eth "$MACS $ARP $PAD"
counts "tagged ARP: one key, another than untagged" 1 1 0 \
	send raw eth "$MACS $TAG $ARP"
counts "tagged ARP, padded: the same key" 0 2 0 \
	send raw eth "$MACS $TAG $ARP $PAD"
counts "ARP in another VLAN: another key" 1 1 0 \
	send raw eth "$MACS $OTHER_TAG $ARP"
counts "ARP with two tags: one key" 1 1 0 \
	send raw eth "$MACS $STAG $INNER $ARP"
counts "ARP with another inner tag: another key" 1 1 0 \
	send raw eth "$MACS $STAG $OTHER_TAG $ARP"

ip -n "$h" link add link eth name v100 up type vlan id 100
ip -n "$h" link add link eth name s200 up type vlan id 200 protocol 802.1ad
ip -n "$h" link add link s200 name q100 up type vlan id 100
link_up "$h" v100 s200 q100
counts "ARP from a VLAN device: the key it had with its tag in the frame" \
	0 2 0 send raw v100 "$MACS $ARP"
counts "ARP from a VLAN device on another: the key it had with two tags" \
	0 2 0 send raw q100 "$MACS $ARP"
unguard

where=$h
guard frame eth egress
counts "on the way out, tag in the frame" 1 0 0 send raw eth "$MACS $TAG $ARP"
counts "on the way out, tag beside it: the same key" 0 1 0 \
	send raw v100 "$MACS $ARP"
counts "on the way out, two tags in the frame" 1 0 0 \
	send raw eth "$MACS $STAG $INNER $ARP"
counts "on the way out, the outer beside it: the same key" 0 1 0 \
	send raw q100 "$MACS $ARP"
unguard
where=$in
guard frame e1 e2

# differ FILTER: what p1 and p2 sent is not the same, byte for byte.
differ() {
	captured one -txx "$1" >"$lib_dir/one"
	captured two -txx "$1" >"$lib_dir/two"
	[ -s "$lib_dir/one" ] && [ -s "$lib_dir/two" ] && ! cmp -s "$lib_dir/one" "$lib_dir/two"
}

capture one "$in" e1
capture two "$in" e2
counts "UDP, checksum finished on one way only: one key" 1 1 0 \
	send udp eth 1234 10.0.0.255 53 100
counts "UDP, paged on one way only: one key" 1 1 0 \
	send udp eth 1234 10.0.0.255 53 8000
counts "UDP, finished by its sender: one key" 1 1 0 send raw eth "$MACS $UDP4"
counts "UDP, not finished by its sender: the same" 0 2 0 \
	send part eth 34 6 "$MACS $UDP4"
counts "TCP, not finished by its sender: one key" 1 1 0 \
	send part eth 34 16 "$MACS $TCP4"
counts "TCP, finished by its sender: the same" 0 2 0 send raw eth "$MACS $TCP4"
counts "UDP over IPv6, not finished by its sender: one key" 1 1 0 \
	send part eth 54 6 "$MACS $UDP6"
counts "UDP over IPv6, finished by its sender: the same" 0 2 0 \
	send raw eth "$MACS $UDP6"
counts "ICMPv6, not finished by its sender: one key" 1 1 0 \
	send part eth 54 2 "$MACS $ICMP6"
counts "UDP behind extension headers, not finished: one key" 1 1 0 \
	send part eth 94 6 "$MACS $FAR_UDP6"
counts "tagged UDP, not finished: one key" 1 1 0 \
	send part eth 38 6 "$MACS $TAG $UDP4"
counts "UDP in VXLAN, inner checksum not finished: one key" 1 1 0 \
	send part eth 84 6 "$MACS $VXLAN"
counts "UDP in VXLAN, whose inner checksum is 0: one key" 1 1 0 \
	send part eth 84 6 "$MACS $ZERO_VXLAN"
modprobe -q sctp
if grep -q ^SCTP /proc/net/protocols; then
	counts "SCTP, checksum finished on one way only: one key" 1 1 0 \
		send sctp eth 10.0.0.9 99
else
	skip "SCTP, checksum finished on one way only: one key" "no SCTP"
fi
check "the copies did differ in their checksums" differ "udp and port 53"
check "the copies did differ inside VXLAN" differ "udp and port 4789"
unguard

# --- ways that copies of a mirror take ---------------------------------------

guard packet e1 e2
ROUTED="0a0000000001 0a0000000002 $TAG 0800 45b8 0020 0001 4000 3f 11 2712 \
	0a000001 0a000002 $UDP"
counts "packet: one key" 1 1 0 send raw eth "$MACS $UDP4"
counts "packet: the same, routed and in a VLAN" 0 2 0 send raw eth "$ROUTED"
counts "packet: ARP has none" 0 0 2 send raw eth "$MACS $ARP"
unguard

# --- tunnels ---------------------------------------------------------------------

guard packet,inner e1 e2
is "the filter shows its key" "$(filter_get "$in" f .key)" packet,inner
counts "inner: in VXLAN, inner checksum not finished: one key" 1 1 0 \
	send part eth 84 6 "$MACS $VXLAN"
counts "inner: in VXLAN, finished: the same" 0 2 0 send raw eth "$MACS $VXLAN"
counts "inner: in VXLAN in a VLAN: the same" 0 2 0 \
	send raw eth "$MACS $TAG $VXLAN"
counts "inner: with a tag in VXLAN: the same" 0 2 0 \
	send raw eth "$MACS $TAGGED_VXLAN"
counts "inner: a frame in GRE: the same" 0 2 0 send raw eth "$MACS $GRE_ETH"
counts "inner: with nine tags in VXLAN: none" 0 0 2 \
	send raw eth "$MACS $DEEP_VXLAN"
counts "inner: an IPv6 header of another version: none" 0 0 2 \
	send raw eth "$MACS $BAD_VXLAN"
counts "inner: a UDP header cut off, perhaps of a tunnel: none" 0 0 2 \
	send raw eth "$MACS $CUT_UDP4"
counts "inner: in IPv4: the same" 0 2 0 send raw eth "$MACS $IPIP"
counts "inner: in GRE: the same" 0 2 0 send raw eth "$MACS $GRE"
counts "inner: in no tunnel: the same" 0 2 0 send raw eth "$MACS $UDP4"
counts "inner: IPv6 in IPv6: another key" 1 1 0 send raw eth "$MACS $IP6IP6"
counts "inner: IPv6 in no tunnel: the same" 0 2 0 send raw eth "$MACS $UDP6"
counts "inner: a fragment of a tunnel has none" 0 0 2 \
	send raw eth "$MACS $IPIP_FRAG"
counts "inner: nor has one of VXLAN" 0 0 2 send raw eth "$MACS $VXLAN_FRAG"
unguard

# --- no such key -------------------------------------------------------------

guard flow e1
counts "flow: ARP has none" 0 0 1 send raw eth "$MACS $ARP"
counts "flow: ESP has none" 0 0 1 send raw eth "$MACS $ESP"
counts "flow: ICMPv6 has none" 0 0 1 send raw eth "$MACS $ICMP6"
counts "flow: an IPv6 fragment without ports has none" 0 0 1 \
	send raw eth "$MACS $FRAG6"
counts "flow: a UDP header cut off has none" 0 0 1 \
	send raw eth "$MACS $CUT_UDP4"
ip -n "$h" link set eth mtu 1500
counts "flow: of three fragments the first has one" 1 0 2 \
	send udp eth 1234 10.0.0.255 53 3000
ip -n "$h" link set eth mtu 9000
check "flow: the key of a fragment is that of the whole packet" \
	at "$in" seenctl key test f 10.0.0.1,10.0.0.255,udp,1234,53
counts "flow: the datagram in one piece has the same" 0 1 0 \
	send udp eth 1234 10.0.0.255 53 3000
unguard

# --- text --------------------------------------------------------------------

# text KEY TEXT FRAME: not seen before the frame, and seen after it.
text() {
	guard "$1" e1
	refuse "key $1: $2 is not seen before its frame" 1 "" \
		at "$in" seenctl key test f "$2"
	send raw eth "$3"
	await 10 all_counted 1
	check "key $1: $2 is seen after it" at "$in" seenctl key test f "$2"
	unguard
}

text host 10.0.0.1 "$MACS $UDP4"
text host 2001:db8::1 "$MACS $FAR_UDP6"
text src/24 10.0.0.0/24 "$MACS $UDP4"
text src/20/29,dst/127 "2001:db8::/29 2001:db8::3/127" "$MACS $UDP6"
text flow 10.0.0.1,10.0.0.2,tcp,1234,80 "$MACS $TCP4"
text flow "2001:db8::1 2001:db8::2 udp 1234 53" "$MACS $FAR_UDP6"
text smac,dmac,vlan,ethertype "$H,ff:ff:ff:ff:ff:ff,200,arp" \
	"$MACS $STAG $INNER $ARP"
text vlan none "$MACS $ARP"
text proto,ttl,dscp,ipid,frag,len udp,64,0,1,0,32 "$MACS $UDP4"
text ipid,frag 11259375,8 "$MACS $FRAG6"
text sport,dport,payload:3 1234,53,0x010203 "$MACS $UDP4"
text tcpseq 101 "$MACS $TCP4"
text src/24/48,dport 10.0.0.0/24,53 "$MACS $UDP4"
text src/24/48,dport 2001:db8::/48,53 "$MACS $UDP6"
text src/24 2001:db8::1 "$MACS $UDP6"
text flow,inner 10.0.0.1,10.0.0.2,udp,1234,53 "$MACS $GRE"
text iif e1 "$MACS $ARP"

# --- explained -------------------------------------------------------------------

# explained KEY FRAME JQ: the filter holds the key that `key explain` prints for the frame.
explained() {
	local key

	guard "$1" e1
	capture "shown${1%%[,/]*}" "$in" e1
	send raw eth "$2"
	await 10 all_counted 1
	capture_end "shown${1%%[,/]*}"
	key=$(at "$in" seenctl -j key explain f \
		<"$(capture_file "shown${1%%[,/]*}")" | jq -r "$3")
	check "key $1: explained as the filter has it: ${key:0:60}" \
		at "$in" seenctl key test f "$key"
	unguard
}

explained packet,inner "$MACS $STAG $INNER $VXLAN" '.[0].key'
explained frame "$MACS $TAG $TCP4" '.[0].key'
explained src/24/48,vlan,dport,ipid,len "$MACS $STAG $INNER $UDP6" \
	'[.[0].fields[].text] | join(",")'

# --- a stream ----------------------------------------------------------------

# Segments that are pages of a file, one packet each, in by p0 and out by p1.
ip -n "$in" link set e2 down
addr "$in" e1 10.0.0.9/24
ip -n "$h" neigh del 10.0.0.9 dev eth
for feature in tso gso gro; do
	at "$h" ethtool -K eth $feature off
	at "$in" ethtool -K e1 $feature off
done
where=$sw
guard frame p0 p1 egress
head -c 2000000 /dev/urandom >"$lib_dir/file"
background at "$in" socat -u TCP-LISTEN:99 "CREATE:$lib_dir/copy"
check "a file is sent" at "$h" socat -u "FILE:$lib_dir/file" \
	TCP:10.0.0.9:99,retry=100,interval=0.1
check "the file arrives" await 10 cmp "$lib_dir/file" "$lib_dir/copy"
count
between "hundreds of segments are sent, each is new once" "$counted" 200 2000
is "and each has the same key at both ports" "$dups" "$counted"
is "no segment is without a key" "$nokeys" 0
is "no segment is merged" "$(ports_sum "$sw" gro_skipped)" 0

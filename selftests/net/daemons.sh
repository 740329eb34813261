#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# A guard disturbs no daemon. Daemons that Debian packages talk for a minute over a guarded
# bridge that is in no loop: each daemon does its work, nothing is dropped or blocked.
#
#	k1 k2	keepalived: VRRPv2 each second, VRRPv3 for IPv6 each 10 ms, VRRPv3 with virtual
#		MAC addresses for both families each 100 ms
#	f1 f2	frr: VRRPv3 with virtual MAC addresses for both families, OSPF with ten hellos
#		a second, OSPFv3 with one
#	d1 c1	dnsmasq: DHCP, router advertisements; busybox udhcpc
#	d2 c2	busybox udhcpd and udhcpc, in VLAN 10
#	m1 m2	avahi-daemon
#	s1 t1	smcroute, which routes multicast to t1 behind s1
#	w1	captures what the bridge floods
#
#	each but t1: eth0 --- br0 in $box

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/helpers/daemons.sh"

ADVERTS=$(long 60 600)
GROUP=225.1.2.3
M1=10.1.0.7
# Daemons that are not root read their configuration there.
chmod 755 "$lib_dir"
plan 29

# shellcheck disable=SC2034 # the helpers expand them
box='' k1='' k2='' f1='' f2='' d1='' d2='' c1='' c2='' m1='' m2='' s1='' t1='' w1=''
ns box t1
br "$box" br0
check "the guard is added" at "$box" seenctl guard add bridge br0 profile loop
number=0
for name in k1 k2 f1 f2 d1 d2 m1 m2 s1 c1 c2 w1; do
	station $name box
	# The clients get an address by DHCP.
	[[ $name = [cw]? ]] || addr "${!name}" eth0 10.1.0.$((++number))/24
done
for name in d2 c2; do
	ip -n "${!name}" link add link eth0 name eth0.10 up type vlan id 10
done
addr "$d1" eth0 2001:db8:1::1/64
addr "$d2" eth0.10 10.1.10.1/24
veth "$s1" eth1 "$t1" eth0
addr "$s1" eth1 10.2.0.1/24
addr "$t1" eth0 10.2.0.2/24

vrrp="ip proto 112 or ip6 proto 112"
capture at_w1 "$w1" eth0 -Q in
capture at_k1 "$k1" eth0 -Q out "$vrrp"
capture at_t1 "$t1" eth0 "dst $GROUP"

# captures NAME [FILTER]: prints the number of frames of a capture that has ended.
captures() {
	captured "$@" >"$lib_dir/captures"
	wc -l <"$lib_dir/captures"
}

# --- the daemons start ------------------------------------------------------------------

dnsmasq_start d1
udhcpd_start d2 eth0.10
keepalived_start k1 200
check "keepalived: the first router becomes the master" \
	await 30 keepalived_all k1 MASTER
keepalived_start k2 100
check "keepalived: the second router is the backup" await 30 keepalived_all k2 BACKUP

frr_start f1 1 200
check "frr: the first router becomes the master" await 30 frr_vrrp f1 Master
frr_start f2 2 100
check "frr: the second router is the backup" await 30 frr_vrrp f2 Backup
check "frr: OSPF and OSPFv3 of the first router have a neighbour" await 30 frr_adjacent f1
check "frr: OSPF and OSPFv3 of the second router have a neighbour" await 30 frr_adjacent f2

avahi_start m1 m1-0
avahi_start m2 m2
udhcpc_start c1 eth0
udhcpc_start c2 eth0.10
check "smcroute: starts" smcroute_start s1 $GROUP
check "dnsmasq: a station makes an address of an advertised prefix" \
	await 20 prefix_came c1 2001:db8:1::/64
check "dnsmasq: a client gets a lease" await 20 logs 'lease bound 10\.1\.0\.' 1 c1 busybox
check "udhcpd: a client gets a lease" await 20 logs 'lease bound 10\.1\.10\.' 1 c2 busybox
check "avahi: a station finds the name of another one" await 20 avahi_finds m2 m1-0 $M1

# --- the daemons work -------------------------------------------------------------------

# Each part of a round succeeds if its daemons have done their work again.

leases() {
	udhcpc_again c1 && udhcpc_again c2
}

# Two stations add an address each at the same time. Then the second station adds the
# address of the first one, too, and has to find the duplicate.
addresses() {
	local a=2001:db8:2::$1:1 b=2001:db8:2::$1:2 status=0

	addr "$c1" eth0 "$a/64"
	addr "$c2" eth0 "$b/64"
	await 10 address_is c1 "$a" unique && await 10 address_is c2 "$b" unique || status=1
	addr "$c2" eth0 "$a/64"
	await 10 address_is c2 "$a" dadfailed || status=1
	ip -n "$c1" addr del "$a/64" dev eth0
	ip -n "$c2" addr del "$a/64" dev eth0
	ip -n "$c2" addr del "$b/64" dev eth0
	return $status
}

# No cache has the new name yet.
names() {
	stop m1 avahi-daemon
	avahi_start m1 "m1-$1"
	await 20 avahi_finds m2 "m1-$1" $M1
}

groups() {
	local other=225.1.3.$(($1 % 250))

	inside s1 smcroutectl join eth0 $other && inside s1 smcroutectl leave eth0 $other &&
		echo "datagram $1" | at "$m1" socat - \
			UDP4-DATAGRAM:$GROUP:5000,ip-multicast-ttl=8,ip-multicast-if=$M1
}

# The number of adverts that the backup receives limits the work, not the time.
rounds=0
declare -A done_in=([leases]=0 [addresses]=0 [names]=0 [groups]=0)
work() {
	local adverts part

	background at "$k2" timeout $((2 * ADVERTS + 60)) tcpdump -npi eth0 -Q in \
		-c "$ADVERTS" -w /dev/null "ip proto 112 and ip[21] = $VRID_V2" 2>/dev/null
	adverts=$!
	while kill -0 $adverts 2>/dev/null; do
		((++rounds))
		for part in leases addresses names groups; do
			! $part $rounds || ((++done_in[$part]))
		done
	done
	wait $adverts
}

# states: prints the states that each router and neighbour has had.
states() {
	local station name

	for station in k1 k2; do
		for name in $KEEPALIVED; do
			echo "$station $name: $(keepalived_states $station "$name")"
		done
	done
	for station in f1 f2; do
		echo "$station: $(frr_changes $station | paste -sd' ')"
	done
}

settled() {
	keepalived_all k1 MASTER && keepalived_all k2 BACKUP &&
		frr_vrrp f1 Master && frr_vrrp f2 Backup && frr_adjacent f1 && frr_adjacent f2
}

# stalls: writes to a file how long the guest stood still, in microseconds, whenever it
# did so for half a second.
stalls() {
	local before span

	while :; do
		before=${EPOCHREALTIME/./}
		read -rt 0.1 -u "$lib_never"
		span=$((${EPOCHREALTIME/./} - before))
		((span < 500000)) || echo $span >>"$lib_dir/stalls"
	done
}

# Some backups and neighbours wait for a second only. If they change their states while the
# host lets the guest wait that long, this says nothing about the guard: work again.
background stalls
for _ in 1 2 3; do
	: >"$lib_dir/stalls"
	before=$(states)
	work
	status=$?
	after=$(states)
	if [ "$before" = "$after" ] || [ ! -s "$lib_dir/stalls" ]; then
		break
	fi
	note "the guest stood still for so many us: $(paste -sd' ' "$lib_dir/stalls")"
	note "$after"
	await 30 settled
done
is "keepalived: the backup receives $ADVERTS adverts of VRRPv2" "$status" 0
is "no router and no neighbour changes its state" "$after" "$before"
check "each router and each neighbour is in its first state" settled
is "DHCP: each client gets a lease in each round" "${done_in[leases]}" "$rounds"
is "DAD: accepts unique addresses and finds duplicates in each round" \
	"${done_in[addresses]}" "$rounds"
is "avahi: each round's name is found" "${done_in[names]}" "$rounds"
is "smcroute: joins and leaves a group in each round" "${done_in[groups]}" "$rounds"
capture_end at_t1
is "smcroute: routes each round's datagram once" "$(captures at_t1)" "$rounds"

# --- a failover works -------------------------------------------------------------------

stop k1 keepalived
check "keepalived: the backup takes over from a master that ends" \
	await 30 keepalived_all k2 MASTER
stop f1 vrrpd
check "frr: the backup takes over from a master that ends" await 30 frr_vrrp f2 Master

# --- what w1 received -------------------------------------------------------------------

capture_end at_w1
capture_end at_k1
between "smcroute: w1 received reports of the group" \
	"$(captures at_w1 "igmp and src 10.1.0.9 and ip[36:4] = 0xe1010203")" 1 100
sent=$(captures at_k1)
is "w1 received each VRRP advert of the first router once" \
	"$(captures at_w1 "($vrrp) and (ether src $(mac "$k1" eth0) or
		((ether src 00:00:5e:00:01:$VMAC4 or ether src 00:00:5e:00:02:$VMAC6) and
		(src $(address_of k1 4) or src $(address_of k1 6))))")" "$sent"

# --- the guard --------------------------------------------------------------------------

stats=$(at "$box" seenctl -j -s guard show bridge br0)

# of_ports JQ: prints the ports for which this holds.
of_ports() {
	jq -c "[.[].ports[] | select($1) | {name, dropped, blocks, over_budget, full, stale,
		unrecorded, gro_skipped, last, last_other}]" <<<"$stats"
}

# No two stations send the same frame within 500 ms, so no copy is to be dropped.
is "nothing is dropped" "$(of_ports '.dropped > 0')" "[]"
is "no port is or was blocked" "$(of_ports '.blocked or .blocks > 0')" "[]"
is "no suspicion is proved" \
	"$(jq -c '[.[].findings[] | select(.kind != "unconfirmed")]' <<<"$stats")" "[]"
is "no frame passes unjudged" \
	"$(of_ports '.over_budget + .full + .stale + .unrecorded + .gro_skipped > 0')" "[]"
judged=$(jq '[.[].ports[].judged] | add' <<<"$stats")
between "the guard has judged these adverts and more" "$judged" "$sent" 10000000

figure "daemons: $judged frames judged," \
	"$(jq '[.[].ports[].repeats] | add' <<<"$stats") of them repeats; $rounds rounds;" \
	"$(captures at_w1 "$vrrp") VRRP," \
	"$(captures at_w1 "ip proto 89 or ip6 proto 89") OSPF," \
	"$(captures at_w1 "udp port 5353") mDNS," \
	"$(captures at_w1 "udp port 67 or (vlan 10 and udp port 67)") DHCP," \
	"$(captures at_w1 "arp") ARP," \
	"$(captures at_w1 "icmp6 and ip6[40] >= 133 and ip6[40] <= 136") ND," \
	"$(captures at_w1 "igmp or (ip6[6] = 0 and ip6[40] = 58)") IGMP and MLD"

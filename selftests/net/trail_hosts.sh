#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Trails and hosts that do not know them. The frames of hosts arrive with their payload unchanged
# through bridges that add trails, bridges that leave them, and bridges that cut them off:
#
#	h1 ---+                         +--- h2		hosts
#	c1 ---+--- s1 ---- p1 ---- s2 --+--- c2		hosts with br0 - firewall - br1
#	t1 ---+                         +--- t2		bridges with STP
#	n1 ---+                         +--- n2		nodes of PRP, whose other LAN is lan
#
# s1 and s2 have guards with trails; p1 and lan are not guarded. In c1 both bridges are guarded, in
# c2 neither; the firewalls are bridges with rules.

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/helpers/lib.sh"
. "$(dirname "$0")/helpers/loops.sh"

TRAIL=24
FRAMES=20

# firewall NAME NAMESPACE DEV1 DEV2: a bridge between two devices of the namespace, made by this
# call, that drops UDP to port 9 and unknown protocols.
firewall() {
	ns "$1"
	veth "$2" "$3" "${!1}" inside
	veth "$2" "$4" "${!1}" outside
	br "${!1}" fw inside outside
	at "${!1}" nft -f - <<-END || exit 1
		table bridge firewall {
			counter refused { }
			chain forward {
				type filter hook forward priority 0; policy drop;
				udp dport 9 counter name refused drop
				ether type { arp, ip, ip6 } accept
			}
		}
		END
}

# chain NAME SWITCH ADDRESS: a host with br0 - firewall - br1, at port NAME of the switch.
chain() {
	ns "$1"
	br "${!1}" br0
	br "${!1}" br1
	firewall "f_$1" "${!1}" x0 x1
	ip -n "${!1}" link set x0 master br0
	ip -n "${!1}" link set x1 master br1
	veth "${!2}" "$1" "${!1}" uplink
	ip -n "${!2}" link set "$1" master br0
	ip -n "${!1}" link set uplink master br1
	# The stack has br0. On br1 it would answer ARP, too.
	at "${!1}" nft "add table netdev stack; add chain netdev stack none \
		{ type filter hook ingress device br1 priority 0; policy drop; }" || exit 1
}

# forward NAMESPACE: do all ports of its bridges?
forward() {
	at "$1" bridge link show >"$lib_dir/ports" && ! grep -v 'state forwarding' "$lib_dir/ports"
}

# own NAMESPACE DEVICE LAST: its addresses, whose last number this is; IPv6 as hosts have it.
own() {
	addr "$1" "$2" "10.9.0.$3/24" && at "$1" sysctl -qw "net.ipv6.conf.$2.accept_dad=1" &&
		addr "$1" "$2" "fe80::$3/64"
}

trails() {
	at "${!1}" seenctl guard add bridge "$2" profile loop "${@:3}" >/dev/null || exit 1
}

# broadcasts NAMESPACE DEVICE: different datagrams
broadcasts() {
	at "$1" python3 -c '
import socket, sys
s = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
s.bind((sys.argv[1], 0))
for n in range(int(sys.argv[2])):
    s.send(b"\xff" * 6 + s.getsockname()[4] + b"\x08\x06" + bytes.fromhex("0001080006040001") +
           s.getsockname()[4] + bytes([10, 9, 1, n]) + bytes(10))
' "$2" $FRAMES
}

switches s1 p1 s2
wire s1 p1
wire p1 s2
for name in 1 2; do
	host h$name s$name
	chain c$name s$name
done
for name in s1 s2 p1 c1 f_c1; do
	keep_trails "${!name}"
done
trails s1 br0 trail
trails s2 br0 trail trail-only match all
trails c1 br0 trail trail-only match all
trails c1 br1 trail trail-only
ready s1 p1 s2
for name in c1 f_c1 c2 f_c2; do
	await 20 forward "${!name}" || exit 1
done

plan 45

# --- two hosts ------------------------------------------------------------------------

# flagged NAMESPACE DEVICE ADDRESS FLAG: does the address have the flag?
flagged() {
	ip -n "$1" -6 -br addr show dev "$2" "$4" | grep -q "$3"
}

unique() {
	! flagged "$1" "$2" "$3" tentative && ! flagged "$1" "$2" "$3" dadfailed
}

cat >"$lib_dir/lease" <<'END'
#!/bin/sh
[ "$1" != bound ] || echo "$ip $mask"
END
chmod +x "$lib_dir/lease"

# lease NAMESPACE DEVICE [WORD...]: prints the address that DHCP gives it.
lease() {
	at "$1" busybox udhcpc -fnq -t 10 -T 1 -i "$2" -s "$lib_dir/lease" "${@:3}" 2>/dev/null
}

# serves NAMESPACE DEVICE NAME: a server of DHCP
serves() {
	listen "dhcp_$3" at "$1" dnsmasq --no-daemon --conf-file=/dev/null --port=0 \
		--user=root --interface="$2" --bind-interfaces --leasefile-ro \
		--dhcp-authoritative --no-ping --log-dhcp \
		--dhcp-range=10.9.0.100,10.9.0.100,255.255.255.0,1h
	heard "dhcp_$3" 10 'IP range' >/dev/null
	pid_dhcp=${lib_pids[-1]}
}

listens() {
	at "$1" ss -Hltn "sport = :5201" | grep -q .
}

# transfers NAMESPACE1 NAMESPACE2 ADDRESS2 JQ [WORD...]: is that true of the reports of iperf3's
# client and server?
transfers() {
	background at "$2" iperf3 -s -1 -B "$3" --json >"$lib_dir/server"
	await 10 listens "$2"
	at "$1" iperf3 -c "$3" --json "${@:5}" >"$lib_dir/client"
	wait "${lib_pids[-1]}"
	jq -r '.error, .end.sum, .end.sum_sent, .end.sum_received | values' "$lib_dir/client" \
		"$lib_dir/server" >"$lib_dir/iperf" 2>&1
	jq -se "{client: .[0], server: .[1]} | $4" "$lib_dir/client" "$lib_dir/server" >/dev/null
}

# pair NAME1 DEVICE1 LAST1 NAME2 DEVICE2 LAST2
pair() {
	local a=${!1} dev=$2 b=${!4} to=$5 who="$1 and $4"
	local words=("$a:$dev:10.9.0.$3" "$b:$to:10.9.0.$6") what

	own "$a" "$dev" "$3"
	own "$b" "$to" "$6"
	check "$who: ARP finds the neighbour" at "$a" arping -qc1 -w10 -I "$dev" "10.9.0.$6"
	check "$who: ping" at "$a" ping -qc2 -w10 "10.9.0.$6"
	is "$who: the neighbour's address" \
		"$(ip -n "$a" -j neigh show "10.9.0.$6" | jq -r '.[0].lladdr')" "$(mac "$b" "$to")"
	check "$who: IPv6 addresses are unique" await 20 unique "$a" "$dev" "fe80::$3"
	await 20 unique "$b" "$to" "fe80::$6"
	addr "$b" "$to" "fe80::$3/64"
	check "$who: an address of another host is found" \
		await 20 flagged "$b" "$to" "fe80::$3/" dadfailed
	ip -n "$b" addr del "fe80::$3/64" dev "$to"
	check "$who: IPv6 finds the neighbour" at "$a" ping -6qc2 -w10 "fe80::$6%$dev"
	match "$who: all nodes hear a ping" "$(at "$a" ping -6Lc1 -w10 "ff02::1%$dev")" \
		"from fe80::$6%"
	serves "$b" "$to" "$4"
	is "$who: DHCP, the answers are broadcast" "$(lease "$a" "$dev" -B)" \
		"10.9.0.100 24"
	is "$who: DHCP" "$(lease "$a" "$dev")" "10.9.0.100 24"
	kill "$pid_dhcp"
	for what in mdns llmnr broadcast multicast raw stream; do
		is "$who: $what" "$("$helpers/exact.py" $what "${words[@]}")" exact
	done
	check "$who: iperf, TCP" transfers "$a" "$b" "10.9.0.$6" \
		'.client.end.sum_sent.bytes >= 1000000 and .server.end.sum_received.bytes > 0' -n 1M ||
		note "$(<"$lib_dir/iperf")"
	check "$who: iperf, UDP loses nothing" transfers "$a" "$b" "10.9.0.$6" \
		'.server.end.sum | .packets > 50 and .lost_packets == 0' \
		-ub 20M -w 200K -l 1000 -n 100K || note "$(<"$lib_dir/iperf")"
	ip -n "$a" addr flush dev "$dev"
	ip -n "$b" addr flush dev "$to"
}

capture wire "$h2" eth0 -Q in
pair h1 eth0 1 h2 eth0 2
captured wire 'udp and dst host 255.255.255.255 and dst port 9909' >"$lib_dir/frames"
match "tcpdump shows padding behind a datagram of 100 bytes" "$(<"$lib_dir/frames")" \
	"length $((42 + 100 + TRAIL)): .* UDP, length 100"
pair c1 br0 3 c2 br0 4

# --- a host with two bridges ------------------------------------------------------------

# refused NAMESPACE: packets that the firewall refused
refused() {
	at "$1" nft -j list counter bridge firewall refused | jq '.nftables[1].counter.packets'
}

refuses() {
	[ "$(refused "$1")" = 1 ]
}

addr "$c1" br0 10.9.0.3/24
at "$c1" socat -u - UDP-DATAGRAM:10.9.0.255:9,broadcast <<<discard
check "a firewall finds its port in front of a trail" await 10 refuses "$f_c1"

# loop_of HOST: closes a loop of br0, the firewall and br1. The host's frames go around in
# both directions.
chain e1 p1
trails e1 br0 trail trail-only
trails e1 br1 trail trail-only
keep_trails "$e1"
keep_trails "$f_e1"
ip -n "$e1" link del uplink
veth "$e1" y0 "$e1" y1
ip -n "$e1" link set y0 master br0
ip -n "$e1" link set y1 master br1
await 20 forward "$e1"
broadcasts "$e1" br0
check "a loop through both bridges of a host: each copy ends" \
	await 10 summed trail_loops $((2 * FRAMES)) e1
is "a loop through both bridges: after a strike" "$(sum trail_strikes e1)" $((2 * FRAMES))

# --- below IP ----------------------------------------------------------------------------

for name in s1 p1 s2; do
	ip -n "${!name}" link set br0 type bridge group_fwd_mask 0x4000
done
is "BPDUs and LLDP that bridges forward are unchanged" \
	"$("$helpers/exact.py" link "$h1:eth0:" "$h2:eth0:")" exact

# Only the first namespace receives BPDUs.
for name in 1 2; do
	switch=s$name
	ip link add stp$name up type bridge stp_state 1 hello_time 100
	ip link add t$name master stp$name up type veth peer name t$name netns "${!switch}"
	ip -n "${!switch}" link set t$name master br0 up
	later "ip link del stp$name; ip link del t$name"
done

same_root() {
	cmp /sys/class/net/stp{1,2}/bridge/root_id
}

check "bridges with STP elect a root through others with trails" await 30 same_root

# --- PRP ---------------------------------------------------------------------------------

# prp NAME SWITCH: a node with the same address in both LANs, as the standard has it
prp() {
	local name=$1 switch=$2

	ns "$name"
	veth "${!switch}" "$name" "${!name}" lana
	veth "$lan" "$name" "${!name}" lanb
	ip -n "${!switch}" link set "$name" master br0
	ip -n "$lan" link set "$name" master br0
	ip -n "${!name}" link set lanb address "$(mac "${!name}" lana)"
	ip -n "${!name}" link add prp0 type hsr slave1 lana slave2 lanb proto 1 &&
		ip -n "${!name}" link set prp0 up
}

# single NAMESPACE ADDRESS: a ping has one answer
single() {
	at "$1" ping -c3 -i0.2 -w10 "$2" >"$lib_dir/ping" &&
		! grep DUP "$lib_dir/ping"
}

switches lan
# It would cut off PRP's trailers, too.
keep_trails "$lan"
if prp n1 s1 && prp n2 s2; then
	ready s1 s2 lan
	addr "$n1" prp0 10.9.0.5/24
	addr "$n2" prp0 10.9.0.6/24
	addr "$h1" eth0 10.9.0.1/24
	capture prp "$n2" lana -Q in
	at "$s1" seenctl guard reset all
	# They do when they know each other.
	check "nodes of PRP discard duplicates" await 20 single "$n1" 10.9.0.6
	words=("$n1:prp0:10.9.0.5" "$n2:prp0:10.9.0.6")
	is "nodes of PRP: broadcast" "$("$helpers/exact.py" broadcast "${words[@]}")" exact
	check "a node of PRP and a host: ping" at "$h1" ping -qc1 -w10 10.9.0.6
	captured prp 'udp and dst port 9909' >"$lib_dir/frames"
	match "frames with a trailer of PRP get no trail" "$(<"$lib_dir/frames")" \
		"length $((42 + 100 + 6)): .* length 100"
	is "and are counted" "$(port_get "$s1" n1 '.trail_none > 15 and .trail_added == 0')" true
else
	for what in duplicates broadcast host trail counter; do
		skip "PRP: $what" "this kernel has no PRP"
	done
fi

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Frames that differ only near their end: the DHCP DISCOVER and REQUEST of one client, and
# datagrams of an MPEG transport stream that begin with stuffing. A guarded bridge forwards each
# of them.
#
#	client --- s1 --- server

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/helpers/lib.sh"
. "$(dirname "$0")/helpers/loops.sh"

# 7 packets of 188 bytes: null packets, and at the end one with a number.
NULLS=6
datagrams() {
	local head stuffing i

	head="ffffffffffff 020000007701 0800 4500 0540 0000 4000 04 11 5cae"
	head+=" 0a000001 0a0000ff 04d2 04d2 052c 0000"
	stuffing=$(printf '471fff10%s' "$(printf 'ff%.0s' {1..184})")
	stuffing=$(for ((i = 0; i < NULLS; i++)); do echo -n "$stuffing"; done)
	for ((i = 1; i <= 100; i++)); do
		printf 'raw eth0 %s %s 4710001%x %0368x\n' "$head" "$stuffing" \
			$((i % 16)) "$i"
	done
}

# lease NAME: runs a DHCP client. Sets $lease to the address that it gets, and $requests to the
# number of its REQUESTs: it prints a line for each.
lease() {
	at "$client" busybox udhcpc -i eth0 -f -n -q -t 5 -T 3 -s /bin/true \
		>"$lib_dir/$1" 2>&1
	requests=$(grep -c 'select for' "$lib_dir/$1")
	lease=$(sed -n 's/.*lease of \([0-9.]*\) obtained.*/\1/p' "$lib_dir/$1")
	sed 's/^/# /' "$lib_dir/$1"
}

served() {
	at "$server" ss -Hlun 'sport = :67' | grep -q .
}

not_served() {
	! served
}

plan 11
switches s1
host client s1
host server s1
ready s1
guard s1
addr "$client" eth0 10.0.0.9/24
addr "$server" eth0 10.0.0.1/24
link_up "$client" eth0
link_up "$server" eth0

sender "$client"
at "$server" nft -f - <<'END'
table netdev arrived {
	chain in {
		type filter hook ingress device eth0 priority 0;
		udp dport 1234 counter
	}
}
END
arrived() {
	at "$server" nft list table netdev arrived | grep -q 'packets 100 '
}
dropped=$(ports_sum "$s1" dropped)
mapfile -t stream < <(datagrams)
check "100 datagrams are sent" send_all "${stream[@]}"
check "100 of 100 datagrams of a transport stream arrive" await 10 arrived
is "no datagram is dropped" "$(ports_sum "$s1" dropped)" "$dropped"

# The kernel hashes packets where they lie; a request has the same bytes in one piece.
ns near far
ip -n "$near" link add eth0 mtu 9000 type veth peer name eth0 netns "$far" mtu 9000
ip -n "$near" link set eth0 up
ip -n "$far" link set eth0 up
addr "$near" eth0 10.1.0.1/24
addr "$far" eth0 10.1.0.2/24
link_up "$near" eth0
link_up "$far" eth0
at "$far" seenctl filter add d type cuckoo bits 32 capacity 1000 key src,payload
at "$far" iptables -A INPUT -p udp --dport 5000 -m seen --filter d --test-add
datagram() {
	at "$near" python3 "$helpers/send.py" \
		<<<"udp eth0 5000 10.1.0.2 5000 $1" >/dev/null
}

asked() {
	[ "$(filter_get "$far" d .stats.lookups)/$(filter_get "$far" d .stats.nokey)" = "$1" ]
}

# same BYTES WHAT: such a datagram is in the filter as text has it.
same() {
	datagram "$1"
	await 10 asked 1/0
	is "$2: the key that text has" \
		"$(awk -v n="$1" 'BEGIN {
			printf "10.1.0.1,0x"
			for (i = 0; i < n; i++)
				printf "%02x", i % 256
		}' | at "$far" seenctl key test d - | sed 's/.* //')" seen
	at "$far" seenctl filter flush d
	at "$far" seenctl filter reset d
}
same 1000 "linear data"
same 8000 "pages"
ip -n "$near" link set eth0 mtu 1500
same 30000 "a list of fragments"
ip -n "$near" link set eth0 mtu 600
datagram 60000
check "a longer list than 64: no key" await 10 asked 0/1

at "$client" ip addr flush dev eth0
cat >"$lib_dir/udhcpd.conf" <<END
start 10.0.0.20
end 10.0.0.20
interface eth0
lease_file $lib_dir/udhcpd.leases
END
touch "$lib_dir/udhcpd.leases"
background at "$server" busybox udhcpd -f "$lib_dir/udhcpd.conf" \
	>"$lib_dir/udhcpd.log" 2>&1
await 10 served
lease busybox
is "busybox's server: a lease" "$lease" 10.0.0.20
is "with one REQUEST" "$requests" 1
kill $!
await 10 not_served

background at "$server" dnsmasq --keep-in-foreground --conf-file=/dev/null --port=0 --no-ping \
	--interface=eth0 --dhcp-range=10.0.0.30,10.0.0.30 --pid-file= \
	--dhcp-leasefile="$lib_dir/dnsmasq.leases" --user=root \
	>"$lib_dir/dnsmasq.log" 2>&1
await 10 served
lease dnsmasq
is "dnsmasq: a lease" "$lease" 10.0.0.30
is "with one REQUEST" "$requests" 1

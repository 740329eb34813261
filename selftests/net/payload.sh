#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Frames that are alike but for what lies far behind: DHCP's DISCOVER and REQUEST of one
# client, and datagrams of an MPEG transport stream that begin with stuffing. A guarded
# bridge forwards each of them.
#
#	client --- s1 --- server

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/helpers/lib.sh"
. "$(dirname "$0")/helpers/loops.sh"

# 7 packets of 188 bytes: null packets, and at the end one with a number.
NULLS=6
datagrams() {
	local head stuffing i

	head="01005e000001 020000000001 0800 4500 0540 0000 4000 04 11 0000"
	head+=" 0a000001 efff0001 04d2 04d2 052c 0000"
	stuffing=$(printf '471fff10%s' "$(printf 'ff%.0s' {1..184})")
	stuffing=$(for ((i = 0; i < NULLS; i++)); do echo -n "$stuffing"; done)
	for ((i = 1; i <= 100; i++)); do
		printf 'raw eth0 %s %s 4710001%x %0368x\n' "$head" "$stuffing" \
			$((i % 16)) "$i"
	done
}

# lease NAME: what the client prints, and what it has got. Each try of a REQUEST is a
# line.
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

plan 6
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
passed() {
	local got

	got=$(port_get "$s1" client .judged)
	((got - judged >= 100))
}
judged=$(port_get "$s1" client .judged)
dropped=$(ports_sum "$s1" dropped)
mapfile -t stream < <(datagrams)
send_all "${stream[@]}"
check "100 datagrams of a transport stream are judged" await 10 passed
is "none of them is dropped" "$(ports_sum "$s1" dropped)" "$dropped"

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

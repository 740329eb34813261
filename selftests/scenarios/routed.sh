#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Two routers whose routes point at each other. A guard, or a rule of netfilter, drops a packet
# that returns with a smaller TTL. Traffic that does not loop passes. The page is
# Documentation/scenarios/routed.md.
#
#	host --- lan a core --- core b lan --- server
#	             default ->     <- default

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../net/helpers/page.sh"

plan 50
host='' a='' b='' server=''
ns host a b server
veth "$host" eth0 "$a" lan
veth "$a" core "$b" core
veth "$b" lan "$server" eth0
addr "$host" eth0 192.0.2.1/24 2001:db8:1::1/64
addr "$a" lan 192.0.2.254/24 2001:db8:1::fe/64 fe80::a/64
addr "$a" core 10.0.0.1/30 2001:db8::a/64 fe80::a/64
addr "$b" core 10.0.0.2/30 2001:db8::b/64 fe80::b/64
addr "$b" lan 198.51.100.254/24 2001:db8:2::fe/64 fe80::b/64
addr "$server" eth0 198.51.100.1/24 2001:db8:2::1/64
# route NAMESPACE GATEWAY4 GATEWAY6: sets the default routes.
route() {
	ip -n "$1" route add default via "$2"
	ip -n "$1" route add default via "$3"
}
route "$host" 192.0.2.254 2001:db8:1::fe
route "$a" 10.0.0.2 2001:db8::b
route "$b" 10.0.0.1 2001:db8::a
route "$server" 198.51.100.254 2001:db8:2::fe
for name in a b; do
	at "${!name}" sh -c 'echo 1 >/proc/sys/net/ipv4/ip_forward
		echo 1 >/proc/sys/net/ipv6/conf/all/forwarding'
done
at "$b" nft -f - <<-END
	table inet count {
		counter crossings { }
		chain there {
			type filter hook prerouting priority -450;
			iif core ip daddr 203.0.113.0/24 counter name crossings
			iif core ip6 daddr 2001:db8:dead::/48 counter name crossings
		}
		chain back {
			type filter hook postrouting priority 400;
			oif core ip daddr 203.0.113.0/24 counter name crossings
			oif core ip6 daddr 2001:db8:dead::/48 counter name crossings
		}
	}
	END
at "$host" nft -f - <<-END
	table inet count {
		counter exceeded { }
		chain in {
			type filter hook input priority 0;
			icmp type time-exceeded counter name exceeded
			icmpv6 type time-exceeded counter name exceeded
		}
	}
	END

# counted NAMESPACE: prints its packet counter and resets it.
counted() {
	at "$1" nft -j reset counters |
		jq '.nftables[] | select(.counter).counter.packets'
}

# astray COUNT ADDRESS [ARG...]: pings an address that no host has. Succeeds if no reply comes;
# the output of ping does not matter.
astray() {
	at "$host" ping -q -i 0.01 -W 1 -c "$@" >/dev/null
	[ $? = 1 ]
}

at "$server" socat TCP6-LISTEN:80,ipv6-v6only=0,reuseaddr,fork SYSTEM:sha1sum &
lib_pids+=($!)
await 20 at "$host" socat -u OPEN:/dev/null TCP:198.51.100.1:80 || exit 1
await 20 at "$host" socat -u OPEN:/dev/null 'TCP:[2001:db8:2::1]:80' || exit 1
head -c 300000 /dev/urandom >"$lib_dir/file"
sum=$(sha1sum <"$lib_dir/file")

# transfer ADDRESS: the file arrives unchanged.
transfer() {
	[ "$(at "$host" socat -t30 - "TCP:$1:80" <"$lib_dir/file")" = "$sum" ]
}

# The number of packets that the page's guard, or the page's rules, have dropped.
by_guard() {
	at "$a" seenctl -j -s guard show | jq '[.[].ports[].dropped] | add'
}

by_rules() {
	{ at "$a" iptables -t raw -vS; at "$a" ip6tables -t raw -vS; } |
		sed -n 's/.*-m seen.* -c \([0-9]*\) .*/\1/p' |
		jq -s add
}

dropped() {
	[ "$("$1")" -ge "$2" ]
}

# loops_end DROPPED: each packet crosses the link twice, there and back, and is then dropped.
loops_end() {
	local before

	counted "$b" >"$lib_dir/none"
	counted "$host" >"$lib_dir/none"
	before=$("$1")
	check "$1: ten packets are lost" astray 10 203.0.113.1
	check "$1: ten packets of IPv6 are lost" astray 10 2001:db8:dead::1
	# Three fragments each.
	check "$1: fragments are lost" astray 5 203.0.113.1 -s 4000
	is "$1: each crosses the link there and back, no more" "$(counted "$b")" 70
	is "$1: each packet is dropped" $(($("$1") - before)) 35
	is "$1: no TTL has run out" "$(counted "$host")" 0
}

# others_pass DROPPED: packets that do not loop are not dropped.
others_pass() {
	local before retransmitted

	before=$("$1")
	check "$1: ping passes" at "$host" ping -qc 20 -i 0.01 198.51.100.1
	check "$1: ping passes in the other direction" at "$server" ping -qc 20 -i 0.01 192.0.2.1
	check "$1: ping of IPv6 passes" at "$host" ping -qc 20 -i 0.01 2001:db8:2::1
	check "$1: TCP passes" transfer 198.51.100.1
	check "$1: TCP over IPv6 passes" transfer '[2001:db8:2::1]'
	is "$1: no packet was dropped" "$("$1")" "$before"
	at "$b" nft -f - <<-END
		table inet lossy {
			chain c {
				type filter hook forward priority 0;
				ip protocol tcp numgen inc mod 20 0 drop
			}
		}
		END
	at "$host" nstat -n
	check "$1: TCP passes where every twentieth segment is lost" \
		transfer 198.51.100.1
	retransmitted=$(at "$host" nstat -z TcpRetransSegs | awk '/Retr/ { print $2 }')
	at "$b" nft delete table inet lossy
	between "$1: segments were sent again" "$retransmitted" 5 10000
	is "$1: no segment was dropped" "$("$1")" "$before"
}

page "$(dirname "$0")/../Documentation/scenarios/routed.md"
page_step "$host" "a packet loops"
match "the packet loops until its TTL has run out" "$page_out" "Time to live exceeded"
is "it crosses the link 63 times" "$(counted "$b")" 63
is "the host gets one ICMP error" "$(counted "$host")" 1
check "ten packets of IPv6 are lost" astray 10 2001:db8:dead::1
is "each crosses the link 63 times" "$(counted "$b")" 630
counted "$host" >"$lib_dir/none"

page_step "$a" "the router is guarded"
page_step "$host" "a packet loops"
match "the host gets no answer" "$page_out" "1 packets transmitted, 0 received"
is "the packet crosses the link there and back" "$(counted "$b")" 2
is "no TTL runs out" "$(counted "$host")" 0
page_step "$a" "the guard's counters"
loops_end by_guard
others_pass by_guard
page_step "$a" "the guard is removed"
check "without a guard, ten packets are lost" astray 10 203.0.113.1
is "the loop is back" "$(counted "$b")" 630
check "without a guard, fragments are lost" astray 5 203.0.113.1 -s 4000
is "the fragments loop, too" "$(counted "$b")" 945

page_step "$a" "rules do the same"
loops_end by_rules
others_pass by_rules
page_step "$a" "the rules' counters"
page_end

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Two load balancers share a first-contact filter by seend and a real redis-server: a source that
# one of them has seen is new on neither, also if seend or Redis is killed meanwhile. The page is
# Documentation/scenarios/contacts.md.
#
#	$world eth1 --- eth0 $lb1
#	$world eth2 --- eth0 $lb2
#	$lb1 eth1 (with Redis) --- eth1 $lb2

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../net/helpers/lib.sh"
. "$(dirname "$0")/../net/helpers/page.sh"
. "$(dirname "$0")/../net/helpers/fleet.sh"

# Number of sources of each family and round.
SOURCES=$(long 100 1000)
ALL=$((2 * SOURCES))
# So many sources may be missed because of false positives.
MISSED=$(most $ALL 1e-4)
ROUNDS=$(long 1 5)

plan $((25 + 12 * ROUNDS))
lb1='' lb2='' world=''
server lb1 lb2
ns world
number=0
for host in "$lb1" "$lb2"; do
	veth "$world" eth$((++number)) "$host" eth0
	addr "$world" eth$number 192.0.2.$number/32 2001:db8::$number/128 fe80::1/64
	addr "$host" eth0 192.0.2.10$number/32 2001:db8::10$number/128 fe80::2/64
	ip -n "$world" route add 192.0.2.10$number dev eth$number
	ip -n "$world" route add 2001:db8::10$number via fe80::2 dev eth$number
	ip -n "$host" route add default dev eth0
	ip -n "$host" -6 route add default via fe80::1 dev eth0
	# Packets that the helper sends for itself must not reach the rules.
	at "$host" iptables -A INPUT -s 198.18.0.0/15 -j ACCEPT
	# The same holds for the questions by which the world finds the addresses of the hosts.
	at "$host" ip6tables -A INPUT -p icmpv6 -j ACCEPT
done
veth "$lb1" eth1 "$lb2" eth1
addr "$lb1" eth1 10.0.0.1/24
addr "$lb2" eth1 10.0.0.2/24
link_up "$lb1" eth0 eth1
link_up "$lb2" eth0 eth1

# send HOST NET: the sources of this number send to lb1 (1) or lb2 (2).
send() {
	local host=lb$1

	many_senders "${!host}" "192.0.2.10$1" "2001:db8::10$1" \
		"four:$world,10.$2.0.1,$SOURCES,1" "six:$world,2001:db8:$2::1,$SOURCES,1" \
		>"$lib_dir/sent"
}

# logged HOST: the number of packets that the rules have logged. Errors are discarded: iptables
# warns that nftables has a log target of its own.
logged() {
	local host=lb$1

	{ at "${!host}" iptables -vS INPUT; at "${!host}" ip6tables -vS INPUT; } 2>/dev/null |
		sed -n 's/.*--filter contacts.* -c \([0-9]*\) .*/\1/p' |
		awk '{ sum += $1 } END { print sum + 0 }'
}

# new_of HOST NET: sends, and sets $new to the number of packets that were first contacts.
new_of() {
	local before

	before=$(logged "$1")
	send "$1" "$2"
	new=$(($(logged "$1") - before))
}

# keys NET: the keys of the sources of this number.
keys() {
	awk -v net="$1" -v count="$SOURCES" 'BEGIN {
		for (i = 1; i <= count; i++) {
			printf "10.%d.%d.%d\n", net, i / 256, i % 256
			printf "2001:db8:%d::%x\n", net, i
		} }'
}

# knows HOST NET...: the filter of the host has all keys of these sources.
knows() {
	local host=lb$1 net

	for net in "${@:2}"; do
		keys "$net"
	done | at "${!host}" seenctl key test contacts - >/dev/null
}

# --- the page -----------------------------------------------------------------------

document=$(cd "$(dirname "$0")/../Documentation/scenarios" && pwd)/contacts.md
page "$document"
page_on "a folder for keys" "$lb1" "$lb2"
page_step "$lb1" "Redis"
page_step "$lb1" "a filter, its secret and a seal"
copy_to "$lb1" redis.password contacts.secret contacts.seal "$lb2"
page_step "$lb2" "the same filter"
hosts='' next=$page_next
for host in "$lb1" "$lb2"; do
	page_next=$next
	page_step "$host" "a key, on ${host%-*}"
	hosts+=$page_out$'\n'
done
page_on "the configuration" "$lb1" "$lb2"
for host in "$lb1" "$lb2"; do
	at "$host" tee -a /etc/seen/fleet.conf <<<"$hosts" >/dev/null
done
page_on "seend" "$lb1" "$lb2"
page_on "the rules" "$lb1" "$lb2"
page_step "$lb1" "a client"
page_step "$lb2" "lb2 knows it"
page_on "the filter is shown" "$lb1" "$lb2"
note "$page_out"
page_end

# --- clients ------------------------------------------------------------------------

# share WHAT FROM TO NET: sources that FROM has seen are not new for TO.
share() {
	new_of "$2" "$4"
	between "$1: sources are new on lb$2: $new of $ALL" "$new" $((ALL - MISSED)) $ALL
	check "$1: lb$3 gets them" await 120 knows "$3" "$4"
	new_of "$3" "$4"
	is "$1: none of them is new on lb$3" "$new" 0
}

net=0
share "from lb1" 1 2 $((++net))
share "from lb2" 2 1 $((++net))

for ((round = 1; round <= ROUNDS; round++)); do
	# The daemon of the publisher is killed while it has keys that are not acknowledged.
	send 1 $((++net))
	hurt "$lb1" seend
	send 1 $((++net))
	at "$lb1" systemctl start seend
	check "round $round, seend of lb1 is killed: lb2 gets all" \
		await 120 knows 2 $((net - 1)) "$net"
	new_of 2 $((net - 1))
	is "round $round, seend of lb1 is killed: sources before that are not new" "$new" 0
	new_of 2 "$net"
	is "round $round, seend of lb1 is killed: later sources are not new" "$new" 0

	# The daemon of the reader.
	hurt "$lb2" seend
	send 1 $((++net))
	check "round $round, seend of lb2 is killed: lb1 publishes" await 120 settled "$lb1"
	at "$lb2" systemctl start seend
	check "round $round, seend of lb2 is killed: it gets all" await 120 knows 2 "$net"
	new_of 2 "$net"
	is "round $round, seend of lb2 is killed: none of them is new" "$new" 0

	# Redis forgets all that it has.
	send 1 $((++net))
	send 2 $((++net))
	hurt "$lb1" redis-server
	send 1 $((++net))
	new_of 2 "$net"
	between "round $round, Redis is killed: clients of lb1 are new on lb2: $new" \
		"$new" $((ALL - MISSED)) $ALL
	at "$lb1" systemctl start redis-server
	check "round $round, Redis is killed: lb1 gets all" await 120 knows 1 $((net - 1))
	check "round $round, Redis is killed: lb2 gets all" await 120 knows 2 $((net - 2))
	new_of 1 $((net - 1))
	is "round $round, Redis is killed: lb2's sources are not new on lb1" "$new" 0
	new_of 2 $((net - 2))
	is "round $round, Redis is killed: lb1's sources are not new on lb2" "$new" 0
	check "round $round, both hosts know all sources" \
		eval "knows 1 $(seq -s ' ' $net) && knows 2 $(seq -s ' ' $net)"
done
is "no record of a feed was lost" "$(filter_get "$lb1" contacts .feed.lost) $(filter_get "$lb2" contacts .feed.lost)" "0 0"
note "lb1: $(status_of "$lb1" ' | tojson')"
note "lb2: $(status_of "$lb2" ' | tojson')"

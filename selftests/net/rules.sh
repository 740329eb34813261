#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The operations that a rule performs on its filter, and when the rule matches.
#
#	$far eth0 --- eth0 $box eth1 --- eth0 $near
#
# The key is the port of a datagram; rules count the packets that they match. All four
# tools test the path through the hooks; some of them test the other cases.

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/helpers/lib.sh"
. "$(dirname "$0")/helpers/rules.sh"

# One tool for each family; two in a long run on a fast guest.
read -ra by_one <<<"$(scale iptables-nft iptables-nft \
	iptables-nft "iptables-nft ip6tables-legacy")"
read -ra by_other <<<"$(scale ip6tables-legacy ip6tables-legacy \
	ip6tables-legacy "iptables-legacy ip6tables-nft")"

# What -m seen says | ports in the filter | datagrams | matched | copies of 1, 2
operations='
--filter f | 1 | 1 2 1 | 2 | 1 0
! --filter f | 1 | 1 2 1 | 1 | 1 0
--filter f --test-add | 1 | 1 2 2 1 | 3 | 1 1
! --filter f --test-add | 1 | 1 2 2 1 | 1 | 1 1
--filter f --add | 1 | 1 2 2 1 | 3 | 3 2
! --filter f --add | 1 | 1 2 2 1 | 1 | 3 2
--filter f --add | 1 | 1 1 1 1 1 1 1 1 1 | 9 | 8 0
--filter f --del | 1 1 | 1 1 1 2 | 2 | 0 0
! --filter f --del | 1 1 | 1 1 1 2 | 2 | 0 0
--filter f --count-over 0 | 1 | 1 2 | 1 | 1 0
--filter f --count-over 1 | 1 1 2 | 1 2 3 | 1 | 2 1
! --filter f --count-over 1 | 1 1 2 | 1 2 3 | 2 | 2 1
--filter f --add --count-over 0 | | 1 1 2 | 3 | 2 1
--filter f --add --count-over 3 | 2 2 | 1 1 1 1 1 1 2 2 | 4 | 4 4
! --filter f --add --count-over 3 | | 1 1 1 1 1 1 2 | 4 | 4 1
--filter f --add --count-over 7 | | 1 1 1 1 1 1 1 1 1 | 2 | 8 0
--filter f --missing match | 1 | 1 2 1 | 2 | 1 0
'

# Two datagrams that the filter cannot judge: the rule after -m seen | matched
# | the filter's counter
unknown='
--filter none | 0 | unanswered
! --filter none | 0 | unanswered
--filter none --add --missing match | 2 | unanswered
! --filter none --missing match | 2 | unanswered
! --filter none --missing nomatch | 0 | unanswered
--filter bloom --del | 0 | stats.unfit
! --filter bloom --del | 0 | stats.unfit
! --filter bloom --del --missing match | 2 | stats.unfit
--filter bloom --count-over 0 | 0 | stats.unfit
--filter f --count-over 8 --missing match | 2 | stats.unfit
--filter bloom --add --count-over 0 --missing match | 2 | stats.unfit
! --filter stamped --add --count-over 0 | 0 | stats.unfit
--filter stamped --count-over 0 --missing match | 2 | stats.unfit
--filter tcp --add | 0 | stats.nokey
! --filter tcp --test-add | 0 | stats.nokey
! --filter tcp --missing match | 2 | stats.nokey
'

# The path of six datagrams from $far to $near, four to $box and two from $box: table, hook,
# number of datagrams, number of those to port 1.
way='filter FORWARD 6 3
filter INPUT 4 2
filter OUTPUT 2 1
mangle FORWARD 6 3
mangle INPUT 4 2
mangle OUTPUT 2 1
mangle POSTROUTING 8 4
mangle PREROUTING 10 5
nat INPUT 4 2
nat OUTPUT 2 1
nat POSTROUTING 8 4
nat PREROUTING 10 5
raw OUTPUT 2 1
raw PREROUTING 10 5'

# in_table TEXT: lines that are cases, as FIELD|FIELD...
in_table() {
	grep '|' <<<"$1" | sed 's/ *| */|/g'
}

# load LINE...: the rules of table filter, and no others
load() {
	printf '%s\n' '*filter' "$@" COMMIT >"$lib_dir/rules"
	rules "$lib_dir/rules"
}

# send PORT...: from $far to the box, where all have come when this returns.
send() {
	datagrams "$far" "$(family 192.0.2.2 2001:db8::2)" "$@"
	await 10 come $#
}

# come COUNT: the last rule of INPUT, which matches every datagram, has matched COUNT times. Sets
# $hit to the count of each rule.
come() {
	mapfile -t hit < <(rule -vS INPUT | sed -n 's/^-A .* -c \([0-9]*\) .*/\1/p')
	[ "${hit[-1]}" = "$1" ]
}

# copies KEY: deletes all copies of the key in f, and prints how many there were.
copies() {
	local told

	told=$(ask -j key del f "$1" "$1" "$1" "$1" "$1" "$1" "$1" "$1" \
		"$1" 2>/dev/null)
	[[ $told =~ \"absent\":([0-9]+) ]] && echo $((9 - BASH_REMATCH[1]))
}

try_operations() {
	local what stored sent want copied

	while IFS='|' read -ru 3 what stored sent want copied; do
		# shellcheck disable=SC2086 # one word a port
		[ -z "$stored" ] || ask key add f --copies $stored
		load "-A INPUT -p udp -m seen $what" "-A INPUT -p udp"
		# shellcheck disable=SC2086 # one word a port
		send $sent
		is "$tool: $what, with ${stored:-none}, for $sent" \
			"${hit[0]}|$(copies 1) $(copies 2)" "$want|$copied"
	done 3< <(in_table "$operations")
}

try_unknown() {
	local what want counter words name before

	while IFS='|' read -ru 3 what want counter; do
		load "-A INPUT -p udp -m seen $what" "-A INPUT -p udp"
		read -ra words <<<"${what#! }"
		name=${words[1]}
		before=$(about "$name" ".$counter")
		send 1 2
		is "$tool: $what: ${counter#stats.}" \
			"${hit[0]} $(about "$name" ".$counter")" \
			"$want $((before + 2))"
	done 3< <(in_table "$unknown")
	try_link
}

# Packets without a link-layer header, and packets that still have the one of their arrival.
try_link() {
	load "-A INPUT -p udp -m seen ! --filter macs --add" "-A INPUT -p udp" \
		"-A OUTPUT -p udp -m seen ! --filter macs --add" \
		"-A OUTPUT -p udp -m seen --filter macs --missing match"
	ask filter flush macs
	send 1 1
	is "$tool: a MAC address in INPUT" "${hit[0]}" 1
	datagrams "$box" "$(family 192.0.2.1 2001:db8::1)" 1 1
	is "$tool: no MAC address in OUTPUT" \
		"$(hits OUTPUT 1) $(hits OUTPUT 2)" "0 2"
	load "-A INPUT -p udp -m seen --filter hosts --add" \
		"-A INPUT -p udp -m seen --filter macs --missing match" \
		"-A INPUT -p udp"
	ask filter flush hosts
	datagrams "$box" "$(family 224.0.0.1 ff02::1%eth0)" 1 1
	await 10 come 2
	is "$tool: own multicast, looped back, has its source and no MAC address" \
		"${hit[0]} ${hit[1]}" "1 2"
}

accepted() {
	[ "$(hits INPUT 2)" = 1 ]
}

try_order() {
	local udp="-A INPUT -p udp"

	ask filter flush f
	load "$udp -m mark --mark 1 -m seen --filter f --add" "$udp"
	send 1
	is "$tool: a failed match before it: the filter is not used" "$(copies 1)" 0
	load "$udp -m seen ! --filter f --add -m mark --mark 1" "$udp"
	send 1
	is "$tool: a failed match after it: the filter is used" \
		"${hit[0]}$(copies 1)" 01
	load "$udp -m udp --dport 1" \
		"$udp -m udp --dport 1 -m seen ! --filter f --add -j ACCEPT" \
		"$udp -m seen --filter f --add" "$udp"
	send 2
	datagrams "$far" "$(family 192.0.2.2 2001:db8::2)" 1
	check "$tool: what a rule accepts ..." await 10 accepted
	is "$tool: ... does not reach a later rule" \
		"$(copies 1)$(copies 2)" 11
	load "$udp -m seen --filter f --add" "$udp -m seen --filter f --add" \
		"$udp"
	send 1
	is "$tool: each rule uses the filter" "${hit[1]}$(copies 1)" 12
	load ":user - [0:0]" ":deep - [0:0]" "-A INPUT -j user" "$udp" \
		"-A user -p udp -m udp --dport 1 -j deep" \
		"-A deep -m seen --filter f --add -m seen --filter f --add"
	send 1 2 1
	is "$tool: nested chains, and twice in a rule" \
		"$(hits deep 1)$(copies 1)$(copies 2)" 130
	load "$udp -m seen ! --filter full --test-add" "$udp"
	ask filter flush full
	ask key add full 1 2>/dev/null
	send 2 2 2
	is "$tool: full: new keys are new again" "${hit[0]}" 3
}

try_pings() {
	local count=(-m seen --filter hosts --add --count-over 3)
	local echo

	echo=$(family "-p icmp -m icmp --icmp-type 8" \
		"-p ipv6-icmp -m icmp6 --icmpv6-type 128")
	ask filter flush hosts
	load "-A INPUT $echo ${count[*]} -j DROP"
	match "$tool: three pings of a host" "$(at "$far" ping -qc6 -i0.01 -W1 \
		"$(family 192.0.2.2 2001:db8::2)")" '6 .*transmitted, 3 received'
	is "$tool: the rule's counter has the other pings" "$(hits INPUT 1)" 3
}

# It appears: in another namespace, then here.
try_late() {
	at "$far" seenctl filter add late capacity 100 key dport
	at "$far" seenctl key add late 1
	events told "$box"
	load "-A INPUT -p udp -m seen --filter late" "-A INPUT -p udp"
	check "$tool: missing filter: an event reports it" \
		heard told 10 '^[^ ]+ missing filter late'
	match "$tool: missing filter: filter show prints it" "$(ask filter show)" \
		$'\nfilter late MISSING rules 1 unanswered 0$'
	send 1 1
	is "$tool: missing filter: that of another namespace is not used" "${hit[0]}" 0
	is "$tool: missing filter: packets are counted as unanswered" "$(about late .unanswered)" 2
	ask filter add late capacity 100 key dport
	ask key add late 1
	datagrams "$far" "$(family 192.0.2.2 2001:db8::2)" 1 2
	check "$tool: missing filter: when it is added it takes effect ..." await 10 come 4
	# The add of the key was a lookup, too.
	is "$tool: ... at once" \
		"$(hits INPUT 1) $(about late .stats.lookups)" "1 3"
	load "-A INPUT -p udp"
	check "$tool: it is deleted" ask filter del late
	at "$far" seenctl filter del late
}

# asked RULE...: in each hook of each table.
asked() {
	local table chain last='' _

	while read -r table chain _; do
		[ "$table" = "$last" ] || echo "${last:+COMMIT$'\n'}*$table"
		last=$table
		printf -- "-A $chain %s\n" "$@"
	done <<<"$there"
	echo COMMIT
}

# Table, hook, datagrams, those that matched.
went() {
	saved -c | awk '
		/^\*/ { table = substr($0, 2) }
		/ -A / { split($1, n, /\[|:/) }
		/ -m seen / { hit = n[2] }
		/-p udp$/ { print table, $3, n[2], hit }' | sort
}

went_all() {
	[ "$(went)" = "$there" ]
}

try_way() {
	local there=$way sums

	if has nat; then
		ok "$tool: table nat"
	else
		skip "$tool: table nat" "the kernel has none"
		there=$(grep -v ^nat <<<"$way")
	fi
	ask filter add f type cuckoo bits 32 capacity 100 key dport
	ask key add f 1
	sums=$(about f '.stats | "\(.lookups) \(.seen)"')
	asked "-p udp -m seen --filter f" "-p udp" >"$lib_dir/rules"
	rules "$lib_dir/rules"
	# What nobody tracks never comes to table nat.
	rule -A OUTPUT -m conntrack --ctstate INVALID
	datagrams "$far" "$(family 198.51.100.2 2001:db8:1::2)" 1 2 1 2 1 2
	datagrams "$far" "$(family 192.0.2.2 2001:db8::2)" 1 2 1 2
	datagrams "$box" "$(family 198.51.100.2 2001:db8:1::2)" 1 2
	check "$tool: each rule of each hook" await 10 went_all
	went_all || note "$(went)"
	is "$tool: it uses the filter once for each packet" \
		"$(about f '.stats | "\(.lookups) \(.seen)"')" \
		"$(went | awk -v sums="$sums" '
			BEGIN { split(sums, n) }
			{ n[1] += $3; n[2] += $4 }
			END { print n[1], n[2] }')"
	asked "" | grep -v ^-A >"$lib_dir/rules"
	rules "$lib_dir/rules"
	check "$tool: without rules the filter can be deleted" ask filter del f
}

plan $((${#by_one[@]} * ($(in_table "$operations" | wc -l) + 7) +
	${#by_other[@]} * ($(in_table "$unknown" | wc -l) + 3 + 2) + 7 + 4 * 4))
far='' near=''
ns far box near
veth "$far" eth0 "$box" eth0
veth "$box" eth1 "$near" eth0
addr "$far" eth0 192.0.2.1/24
addr "$box" eth0 192.0.2.2/24
addr "$box" eth1 198.51.100.1/24
addr "$near" eth0 198.51.100.2/24
ip -n "$far" addr add 2001:db8::1/64 dev eth0 nodad
ip -n "$box" addr add 2001:db8::2/64 dev eth0 nodad
ip -n "$box" addr add 2001:db8:1::1/64 dev eth1 nodad
ip -n "$near" addr add 2001:db8:1::2/64 dev eth0 nodad
ip -n "$far" route add default via 192.0.2.2
ip -n "$far" -6 route add default via 2001:db8::2
ip -n "$box" route add 224.0.0.1 dev eth0
at "$box" sysctl -qw net.ipv4.ip_forward=1 net.ipv6.conf.all.forwarding=1
ask -j -b - <<-END >/dev/null || exit 1
	filter add f type cuckoo bits 32 capacity 100 key dport
	filter add bloom type bloom capacity 100 key dport
	filter add stamped type cuckoo capacity 100 window 1h bits 32 key dport
	filter add tcp type cuckoo capacity 100 key tcpseq
	filter add macs type cuckoo bits 32 capacity 100 key smac
	filter add full type bloom capacity 1 key dport
	filter add hosts type cuckoo capacity 100 key src
	END

for tool in "${by_one[@]}"; do
	try_operations
	try_order
done
for tool in "${by_other[@]}"; do
	try_unknown
	try_pings
done
tool=iptables-nft
try_late
load
ask filter del f
for tool in $TOOLS; do
	try_way
done

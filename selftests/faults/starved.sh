#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Each allocation that a rule of iptables makes in the module fails in turn. Then all of
# the module's fail, while packets pass and works run; and for packets none is even asked
# for, whatever they add to. With the build of places.sh.

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../net/helpers/lib.sh"
. "$(dirname "$0")/../net/helpers/rules.sh"

net=$(dirname "$0")/../net/helpers
helpers=$(dirname "$0")/../helpers
places=$(dirname "$0")/../places
export NTH_CONTROL=/sys/module/seen_nth/parameters/nth
always=/sys/module/seen_nth/parameters/always
for_packets=/sys/module/seen_nth/parameters/for_packets

# What packets add to, each up to its capacity and beyond, and how.
kinds=(
	"--test-add type bloom fpp 1e-3"
	"--test-add type bloom layout classic fpp 1e-3"
	"--test-add type bloom fpp 1e-3 window 1h"
	"--test-add type cuckoo bits 12"
	"--add type cuckoo bits 32"
	"--test-add type cuckoo bits 16 window 1h"
	"--test-add type cuckoo bits 32 window 1h on-full reject"
	"--test-add type counting fpp 0.01"
	"--add type cms fpp 0.01 top 8"
	"--add type cmm fpp 0.01"
)

[ -e "$places/seen.ko" ] || skip_all "the module was not built that way"

# held TOOL: the filters and the rules that there are.
held() {
	at "$a" seenctl -j -s filter show && at "$a" "$1" -S
}

# rules TOOL: a rule comes while each allocation fails in turn, until it has come.
rules() {
	local n=0 before out failed=0 bad=0 chain=(-I OUTPUT -m seen --filter r)

	before=$(held "$1")
	while ((++n < 100)); do
		out=$(echo $n >$NTH_CONTROL
			exec nsenter --net="/run/netns/$a" -- "$1" \
				"${chain[@]}" -j ACCEPT 2>&1) && break
		((++failed))
		if [ "$(<$NTH_CONTROL)" != 0 ] || [[ $out != *[Mm]emory* ]] ||
		   [ "$(held "$1")" != "$before" ]; then
			((++bad))
			note "$n: $out"
		fi
	done
	[ "$(<$NTH_CONTROL)" != 0 ] || ((++bad))
	echo 0 >$NTH_CONTROL
	is "$1: a rule comes, or is refused for want of memory" \
		"$bad $((failed > 0))" "0 1"
	figure "$1: $failed allocations failed in turn, $bad unexpected"
	at "$a" "$1" -F OUTPUT
	# Nftables ends a rule later, and with it the name.
	await 60 nothing_there
}

nothing_there() {
	[ "$(at "$a" seenctl -j filter show)" = "[]" ]
}

# adding RULE PARAMETER...: a rule that adds each packet to a filter of its own.
adding() {
	local how=$1 name=add$((++added)) key=src,dst,ipid,payload:8

	shift
	# A list of the heaviest keeps keys whole.
	[[ $* != *top* ]] || key=src,dst,ipid
	at "$a" seenctl filter add $name key $key capacity 50 "$@" &&
		at "$a" iptables -A INPUT -p icmp -m seen --filter $name "$how"
}
added=0

# stored: of each of those filters, whether all that was there was brought to it, and
# stored or refused, but for what it took for seen by mistake.
stored() {
	at "$a" seenctl -j -s filter show | jq -c '[.[] |
		select(.name | startswith("add")) |
		.stats | .lookups >= 100 and .adds + .full >= 90] | unique'
}

judged() {
	at "$a" seenctl -j -s guard show | jq '[.[].ports[].judged] | add'
}

# ports FIELD: of that map, from a list, which takes no memory of the module's.
ports() {
	at "$a" seenctl -j -s filter show |
		jq ".[] | select(.name == \"ports\") | .$1"
}

refused() {
	[ "$(ports stats.full)" -gt 0 ]
}

sent() {
	datagrams "$a" 127.0.0.1 "$last"
	at "$a" seenctl key test ports "$last" | grep -q ' seen$'
}

# circling: copies come back by the second of two ports.
circling() {
	at "$d" frames $((circled += 100)) 100 q0 q1
	ports_reach "$c" dup_other_port 100
}
circled=0

# blocked: what the bridge sends by one of two ports that are wired together comes back.
blocked() {
	at "$c" frames $((circled += 100)) 20 br0
	ports_reach "$c" blocks 1
}

plan 23
rmmod xt_seen seen 2>/dev/null
insmod "$places/seen_nth.ko"
check "the module is loaded" insmod "$places/seen.ko"
ns a b
for tool in iptables ip6tables; do
	rules $tool-legacy
	rules $tool
done

# --- no memory at all -----------------------------------------------------------------

veth "$a" eth0 "$b" eth0
addr "$a" eth0 192.0.2.1/24
addr "$b" eth0 192.0.2.2/24
at "$a" seenctl filter add f type cuckoo key src,dst,ipid,payload:16 capacity 10 bits 16
at "$a" seenctl guard add dev eth0 filter f action count
at "$a" seenctl filter add out type cuckoo key src,dst,ipid,payload:16 capacity 1k bits 16
at "$a" seenctl guard add dev eth0 filter out hook egress action count
at "$a" iptables -I INPUT -m seen --filter f
at "$a" iptables -I OUTPUT -m seen --filter out --add
for kind in "${kinds[@]}"; do
	# shellcheck disable=SC2086 # one word a parameter
	adding $kind || exit
done
at "$a" seenctl filter add h type bloom key bytes capacity 100 fpp 1%
# All but one of these ports have a place under the map's first hashes.
seed=000102030405060708090a0b0c0d0e0f
at "$a" seenctl filter add ports type map key dport capacity 100 seed $seed
mapfile -t keys < <(python3 "$net/collide.py" $seed "$(ports blocks)" 9 ports)
last=${keys[8]}
at "$a" seenctl key add ports "${keys[@]:0:8}"
at "$a" iptables -A INPUT -p udp -m seen --filter ports --add
# Guards of each kind: of a bridge, which know ports and block one, and by what is listed,
# or heavy.
ns c d
for dev in 0 1 2; do
	veth "$c" p$dev "$d" q$dev
done
br "$c" br0 p0 p1 p2
addr "$c" br0 198.51.100.1/24
veth "$c" l0 "$d" k0
veth "$c" h0 "$d" i0
at "$c" seenctl -b - <<-END || exit 1
	filter add known type map key smac capacity 10
	key add known 02:00:00:00:ee:01 value 7
	filter add heavy type cms key smac capacity 1000 threshold 3 top 2
	guard add bridge br0 profile loop protect p0
	guard add dev l0 filter known verdict listed match all action mark value
	guard add dev h0 filter heavy verdict heavy match all action drop
	END
events all "$a" -j
link_up "$a" eth0
link_up "$c" br0
before=$(judged)
echo Y >$always
match "packets pass, all of them" \
	"$(at "$b" ping -qc 100 -i 0.002 192.0.2.1 2>&1)" ' 100 received'
refuse "a request is refused" 1 "capacity: 100 keys need" \
	at "$a" seenctl filter add g type bloom key bytes capacity 100 fpp 1%
check "what needs none is done" at "$a" seenctl filter del h
datagrams "$a" 127.0.0.1 "$last"
check "a key whose map gets no other hashes is refused, and counted" await 10 refused
check "copies that come back are duplicates" await 60 circling
is "without memory for a probe no port is blocked" "$(ports_sum "$c" blocks)" 0
at "$c" ping -qbc 20 -i 0.002 198.51.100.255 >/dev/null 2>&1
check "what the bridge itself sends is recorded" \
	await 10 ports_reach "$c" new 20 br0
at "$d" frames 0 100 k0
at "$d" frames 0 100 i0
check "what is listed is marked" await 10 ports_reach "$c" marked 100 l0
check "what is heavy is dropped" await 10 ports_reach "$c" dropped 98 h0
echo N >$always
is "the others are there" \
	"$(at "$a" seenctl key test ports "${keys[@]:0:8}" | grep -c ' seen$')" 8
between "each was judged, and so was its answer" "$(($(judged) - before))" 200 220
is "and brought to every filter" "$(stored)" "[true]"
is "and no packet has asked for memory" "$(<$for_packets)" 0
check "with memory the request is done" \
	at "$a" seenctl filter add g type bloom key bytes capacity 100 fpp 1%
check "and the event that could not be built is counted" heard all 10 '"lost":[1-9]'
check "with memory soon that key is there" await 10 sent
br "$d" br1 q0 q1
check "with memory a probe proves a loop, and a port is blocked" await 60 blocked
at "$a" iptables -F
check "the module goes" await 30 rmmod xt_seen
seenctl reset -a >/dev/null
rmmod seen seen_nth

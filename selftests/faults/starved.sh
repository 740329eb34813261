#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Each allocation that the module makes for an iptables rule fails in turn. Then all allocations
# of the module fail while packets pass and work items run; packets must not even request memory,
# whatever type of filter they add to. Uses the build of places.sh.

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../net/helpers/lib.sh"
. "$(dirname "$0")/../net/helpers/rules.sh"

net=$(dirname "$0")/../net/helpers
helpers=$(dirname "$0")/../helpers
places=$(dirname "$0")/../places
export NTH_CONTROL=/sys/module/seen_nth/parameters/nth
always=/sys/module/seen_nth/parameters/always
for_packets=/sys/module/seen_nth/parameters/for_packets

# The filters to which packets add keys, up to the capacity and beyond it, and the rule's option.
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

# held TOOL: prints all filters and rules.
held() {
	at "$a" seenctl -j -s filter show && at "$a" "$1" -S
}

# rules TOOL: adds a rule while each allocation fails in turn, until the rule is added.
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
	is "$1: a rule is added, or refused for lack of memory" \
		"$bad $((failed > 0))" "0 1"
	figure "$1: $failed allocations failed in turn, $bad unexpected"
	at "$a" "$1" -F OUTPUT
	# nftables removes a rule later, and the filter's name with it.
	await 60 nothing_there
}

nothing_there() {
	[ "$(at "$a" seenctl -j filter show)" = "[]" ]
}

# adding RULE PARAMETER...: adds a filter, and a rule that adds each packet to it.
adding() {
	local how=$1 name=add$((++added)) key=src,dst,ipid,payload:8

	shift
	# A list of the heaviest keys stores whole keys, so they must be short.
	[[ $* != *top* ]] || key=src,dst,ipid
	at "$a" seenctl filter add $name key $key capacity 50 "$@" &&
		at "$a" iptables -A INPUT -p icmp -m seen --filter $name "$how"
}
added=0

# stored: for each of these filters: were all packets looked up, and nearly all of them stored or
# refused? (The others were false positives.)
stored() {
	at "$a" seenctl -j -s filter show | jq -c '[.[] |
		select(.name | startswith("add")) |
		.stats | .lookups >= 100 and .adds + .full >= 90] | unique'
}

judged() {
	at "$a" seenctl -j -s guard show | jq '[.[].ports[].judged] | add'
}

# ports FIELD: a field of the map "ports", from a list, for which the module allocates no memory.
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

# circling: sends frames by two ports: the copies are duplicates from another port.
circling() {
	at "$d" frames $((circled += 100)) 100 q0 q1
	ports_reach "$c" dup_other_port 100
}
circled=0

# blocked: frames that the bridge sends return, because two of its ports are wired together.
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
# With this secret, all but one of these ports have a place in the map.
seed=000102030405060708090a0b0c0d0e0f
at "$a" seenctl filter add ports type map key dport capacity 100 seed $seed
mapfile -t keys < <(python3 "$net/collide.py" $seed "$(ports blocks)" 9 ports)
last=${keys[8]}
at "$a" seenctl key add ports "${keys[@]:0:8}"
at "$a" iptables -A INPUT -p udp -m seen --filter ports --add
# Guards of each kind: of a bridge, which records ports and blocks one, and guards with the
# verdicts listed and heavy.
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
match "all packets pass" \
	"$(at "$b" ping -qc 100 -i 0.002 192.0.2.1 2>&1)" ' 100 received'
refuse "a request that needs memory is refused" 1 "capacity: 100 keys need" \
	at "$a" seenctl filter add g type bloom key bytes capacity 100 fpp 1%
check "a request that needs no memory succeeds" at "$a" seenctl filter del h
datagrams "$a" 127.0.0.1 "$last"
check "a key whose map cannot be rehashed is refused, and counted" await 10 refused
check "copies that arrive by another port are duplicates" await 60 circling
is "without memory for a probe no port is blocked" "$(ports_sum "$c" blocks)" 0
at "$c" ping -qbc 20 -i 0.002 198.51.100.255 >/dev/null 2>&1
check "frames that the bridge itself sends are recorded" \
	await 10 ports_reach "$c" new 20 br0
at "$d" frames 0 100 k0
at "$d" frames 0 100 i0
check "packets of a listed key are marked" await 10 ports_reach "$c" marked 100 l0
check "packets of a heavy key are dropped" await 10 ports_reach "$c" dropped 98 h0
echo N >$always
is "the other keys of the map are still there" \
	"$(at "$a" seenctl key test ports "${keys[@]:0:8}" | grep -c ' seen$')" 8
between "each packet and each reply was judged" "$(($(judged) - before))" 200 220
is "each packet was added to every filter" "$(stored)" "[true]"
is "no packet has requested memory" "$(<$for_packets)" 0
check "with memory the request succeeds" \
	at "$a" seenctl filter add g type bloom key bytes capacity 100 fpp 1%
check "the event that could not be sent is counted" heard all 10 '"lost":[1-9]'
check "soon after there is memory, the refused key is stored" await 10 sent
br "$d" br1 q0 q1
check "with memory a probe proves a loop, and a port is blocked" await 60 blocked
at "$a" iptables -F
check "the module can be unloaded" await 30 rmmod xt_seen
seenctl reset -a >/dev/null
rmmod seen seen_nth

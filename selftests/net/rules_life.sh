#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# A rule and its filter: the order in which they can be made, changed and deleted, and which
# command has to wait; while packets flow; and when the module or the namespace is removed.
#
#	$far eth0 --- eth0 $box

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/helpers/lib.sh"
. "$(dirname "$0")/helpers/rules.sh"

TIMES=$(scale 20 50 50 200)
MANY=$(scale 2000 20000 2000 40000)
tool=''

in_use() {
	echo "is in use (guards: $1, rules: $2); delete them first"
}

counted() {
	rule -A INPUT -p udp -m seen --filter "$@"
}

# --- refusals ------------------------------------------------------------------

# uptime: hundredths of a second, by a clock that nobody sets.
uptime() {
	local up

	read -r up _ </proc/uptime
	echo "${up/./}"
}

refusals() {
	local begun

	counted f
	counted f --add
	refuse "$tool: rename" 1 "filter \"f\" is in use (rules: 2); delete them first" \
		ask filter rename f new
	refuse "$tool: del --no-wait" 1 "filter \"f\" $(in_use 0 2)" \
		ask filter del f --no-wait
	begun=$(uptime)
	refuse "$tool: del waits, and then reports the same error" 1 "filter \"f\" $(in_use 0 2)" \
		ask filter del f
	check "$tool: two seconds later" [ $(($(uptime) - begun)) -ge 190 ]
	ask guard add dev eth0 filter f >/dev/null
	refuse "$tool: del: guards and rules are counted separately" 1 "filter \"f\" $(in_use 1 2)" \
		ask filter del f
	ask guard del dev eth0
	is "$tool: show prints the number of rules" \
		"$(about f '"\(.users) \(.rules)"')" "2 2"
	refuse "$tool: the match's module is in use" 1 "xt_seen is in use" \
		rmmod xt_seen
	refuse "$tool: the module seen is in use" 1 "seen is in use by: xt_seen" rmmod seen
	rule -F INPUT
	check "$tool: del --no-wait, without rules" \
		await 10 ask filter del f --no-wait
	ask filter add f type cuckoo bits 32 capacity 100 key dport
}

# A machine that stands still for the two seconds has to try again.
waits() {
	local waiting before listens status

	for _ in 1 2 3; do
		counted f
		before=$(members "$box")
		seenctl -n "$box" filter del f &
		waiting=$!
		# Once the kernel has refused it, seenctl listens to the events and waits.
		await 10 more_members "$box" "$before"
		listens=$?
		rule -F INPUT
		wait $waiting
		status=$?
		[ "$listens $status" != "0 0" ] || break
	done
	is "$tool: del waits" $listens 0
	is "$tool: del completes when the rule is deleted" $status 0
	is "$tool: the filter is deleted" "$(about f .name)" ""
	ask filter add f type cuckoo bits 32 capacity 100 key dport
}

# A program that reads the table must not see the kernel's private part of a rule.
hidden() {
	counted f
	counted f --add
	is "$tool: no rule shows a pointer" \
		"$(at "$box" python3 "$helpers/rule_pointers.py" filter)" \
		"f 0000000000000000
f 0000000000000000"
	rule -F INPUT
}

# --- 200 times -----------------------------------------------------------------

# A deleted object does not disturb the next command, even without a pause or a second try.
# shellcheck disable=SC2016 # the other shell expands it
again_and_again() {
	numbered 'filter add again% capacity 10 key dport' >"$lib_dir/batch"
	ask -j -b "$lib_dir/batch" >/dev/null
	{
		echo '*filter'
		numbered '-A INPUT -m seen --filter again%'
		echo COMMIT
	} >"$lib_dir/rules"
	rules "$lib_dir/rules"
	at "$box" bash -c '
		for ((i = 1; i <= $2; i++)); do
			$1 -D INPUT 1 && seenctl filter del "again$i" || exit
		done' - "$tool" "$TIMES"
}

# numbered TEXT: a line for each number, which stands for the %
numbered() {
	local i

	for ((i = 1; i <= TIMES; i++)); do
		echo "${1/\%/$i}"
	done
}

# --- swap ------------------------------------------------------------------------

swapped() {
	ask filter add g type cuckoo bits 32 capacity 100 key dport
	ask key add f 1
	ask key add g 2
	counted f
	rule -A INPUT -p udp
	datagrams "$far" 192.0.2.2 1
	check "$tool: the rule uses the filter" await 10 matched 1 1
	ask filter swap f g
	datagrams "$far" 192.0.2.2 1 2 2
	check "$tool: more packets arrive" await 10 matched 2 4
	check "$tool: swap: the same rule uses the other filter" matched 1 3
	rule -F INPUT
	ask filter del g
	ask filter flush f
}

matched() {
	[ "$(hits INPUT "$1")" = "$2" ]
}

# --- names without a filter --------------------------------------------------------

# add_rules: until one is refused; prints how many there were before.
add_rules() {
	local n

	for ((n = 0; n < 100; n++)); do
		counted "none$n" 2>"$lib_dir/refusal" || break
	done
	echo $n
}

names_are_charged() {
	local n

	at "$box" sysctl -qw net.seen.max_bytes=$(($(about f .bytes) + 4096))
	n=$(add_rules)
	between "$tool: names without a filter are charged" "$n" 2 60
	match "$tool: rules beyond the cap are refused" "$(cat "$lib_dir/refusal")" \
		'No space left on device'
	rule -F INPUT
	is "$tool: without rules these names are gone" \
		"$(await 10 only_f; add_rules)" "$n"
	rule -F INPUT
	at "$box" sysctl -qw net.seen.max_bytes=0
}

only_f() {
	[ "$(ask -j filter show | jq -r '.[].name')" = f ]
}

# A filter that is given a name which rules wait for is theirs, with its allow list.
takes_a_name() {
	counted wanted
	rule -A INPUT -p udp
	ask filter add other type cuckoo bits 32 capacity 100 key dport
	ask key add other 1
	ask allow add other 2
	ask guard add dev eth0 filter other >/dev/null
	refuse "rename to a name that rules wait for: refused while a guard uses the filter" 1 \
		"filter rename: new: already referenced by rules, and guards use" \
		ask filter rename other wanted
	ask guard del dev eth0
	ask filter add list type map capacity 10 key dport
	ask allow map f list
	refuse "rename to that name: refused while it is an allow map" 1 \
		"filter rename: new: already referenced by rules, and the filter is" \
		ask filter rename list wanted
	ask filter set f allow-map none
	ask filter del list
	check "rename to that name: succeeds after that" ask filter rename other wanted
	datagrams "$far" 192.0.2.2 1 3
	check "packets arrive" await 10 matched 2 2
	check "the rules use the renamed filter" matched 1 1
	is "the filter has its allow list" "$(ask allow show wanted)" 2
	is "no filter has the old name" "$(about other .name)" ""
	rule -F INPUT
	ask filter del wanted
}

# --- under load --------------------------------------------------------------------

# In OUTPUT a process asks, in INPUT a softirq, and all by the same key: one line
# of memory. Meanwhile rules come and go, and the filter is swapped.
under_load() {
	local pids=() sent asked

	ask filter add one type cuckoo capacity 100 window 1h bits 32 key proto
	ask filter add two type cuckoo capacity 100 window 1h bits 32 key proto
	rule -A INPUT -p udp -m seen --filter one --test-add
	rule -A INPUT -p udp
	rule -A OUTPUT -p udp -m seen --filter one --add
	rule -A OUTPUT -p udp
	datagram_flood "$far" 192.0.2.2 &
	pids+=($!)
	datagram_flood "$box" 192.0.2.1 &
	pids+=($!)
	datagram_flood "$box" 127.0.0.1 &
	pids+=($!)
	changes
	join "$tool: three senders" "${pids[@]}"
	check "$tool: all packets have arrived" await 20 all_came
	asked=$(($(about one .stats.lookups) + $(about two .stats.lookups)))
	sent=$(($(hits INPUT 2) + $(hits OUTPUT 2)))
	is "$tool: one lookup per packet, no matter how the filter changed" \
		"$asked" "$sent"
	rule -F
	ask filter del one
	ask filter del two
}

datagram_flood() {
	at "$1" python3 -c '
import socket, sys
sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
for i in range(int(sys.argv[2])):
    try:
        sock.sendto(b"", (sys.argv[1], 9))
    except ConnectionRefusedError:
        pass
' "$2" "$MANY"
}

# As long as there is a sender.
changes() {
	while [ -n "$(jobs -pr)" ]; do
		ask filter swap one two
		rule -A FORWARD -m seen --filter one --add
		rule -D FORWARD -m seen --filter one --add
	done
}

# Of the three senders one is on the other side of the wire, two send from here,
# one of them to itself.
all_came() {
	matched 2 $((2 * MANY)) && [ "$(hits OUTPUT 2)" = $((2 * MANY)) ]
}

# --- the end -------------------------------------------------------------------------

gone() {
	rmmod xt_seen
	rmmod seen
	[ ! -d /sys/module/seen ]
}

plan $((1 + 2 * (9 + 3 + 1 + 3 + 3 + 3) + 7 + 4))
far=''
ns far box
veth "$far" eth0 "$box" eth0
addr "$far" eth0 192.0.2.1/24
addr "$box" eth0 192.0.2.2/24
# A long backlog, so that the kernel drops no datagram before the receiver processes it.
sysctl -qw net.core.netdev_max_backlog=1000000
ask filter add f type cuckoo bits 32 capacity 100 key dport
for tool in iptables-nft iptables-legacy; do
	refusals
	waits
	[ $tool = iptables-nft ] || hidden
	check "$tool: a rule, and then its filter, deleted $TIMES times" \
		again_and_again
	swapped
	names_are_charged
	under_load
done
takes_a_name

counted f
counted none
tool=ip6tables-nft
counted f
ns_del "$box"
check "a namespace is deleted with rules, filters and names" await 20 gone
ns box
tool=iptables-nft
check "a rule loads both modules" counted f
check "both modules are loaded" ls -d /sys/module/seen /sys/module/xt_seen
rule -F INPUT
check "both modules unload when the rule is deleted" await 20 gone

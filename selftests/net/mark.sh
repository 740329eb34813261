#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# nftables acts on the marks that a guard sets: it drops, counts and logs marked packets, on
# ingress and egress, in chains with a later priority than the guard, not in earlier ones. The
# first ruleset is that of the guide.
#
#	$away  a0 ------- eth0  $box
#	       a1 ------- p1 \
#	       a2 ------- p2 -- br0

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/helpers/lib.sh"

guide=$(dirname "$0")/../Documentation/guide.md

plan 24
ns box away
veth "$away" a0 "$box" eth0
veth "$away" a1 "$box" p1
veth "$away" a2 "$box" p2
br "$box" br0 p1 p2
addr "$away" a0 192.0.2.1/24
addr "$box" eth0 192.0.2.2/24
link_up "$away" a0 a1 a2
link_up "$box" p1 p2

ctl() {
	at "$box" seenctl "$@" >/dev/null 2>&1 || exit 1
}

sender "$away"

# datagrams COUNT PORT: so many to eth0, all alike, and broadcast.
datagrams() {
	local i

	for ((i = 0; i < $1; i++)); do
		send udp a0 1000 255.255.255.255 "$2" 20
	done
}

# counts TABLE COUNTER: packets; such as "netdev seen" copies.
counts() {
	# shellcheck disable=SC2086 # two words
	at "$box" nft -j list counters table $1 |
		jq ".nftables[] | .counter? | select(.name == \"$2\").packets"
}

# --- the guide's ruleset -------------------------------------------------------------

ruleset() {
	awk '/^table netdev seen/ { on = 1 } on && /^END$/ { exit } on' "$guide"
}

ctl filter add f capacity 10k window 1h fpp 1e-6 type cuckoo key relay
ctl guard add dev eth0 filter f action mark 0x5ee4
check "the guide's ruleset" at "$box" nft -f - <<<"$(ruleset)"
listen log at "$box" tcpdump -lni nflog:5
check "the log is read" heard log 20 'listening on nflog:5'
# The stack, behind the ruleset.
at "$box" nft -f - <<-'END'
	table inet behind {
		counter each { }
		chain in {
			type filter hook prerouting priority -300;
			udp dport 4000-4999 counter name each
		}
	}
	END

# all COUNT COMMAND...: the sum of the numbers that it prints. Sent is not yet come:
# a packet may have to wait for its softirq.
all() {
	local numbers

	numbers=$("${@:2}")
	[ "$((${numbers// /+}))" = "$1" ]
}

# seen_by: how many the ruleset dropped, and how many came to the stack.
seen_by() {
	echo "$(counts "netdev seen" copies) $(counts "inet behind" each)"
}

datagrams 4 4000
check "copies are marked" await 20 ports_reach "$box" marked 3
# tcpdump does not know netdev's family: ports 1000 and 4000 in hex.
check "copies are logged" heard log 20 ' 03e8 0fa0 '
await 10 all 4 seen_by
is "marked packets are counted and dropped" "$(seen_by)" "3 1"
datagrams 1 4001
await 10 all 5 seen_by
is "other packets are not" "$(seen_by)" "3 2"
ctl guard pause all
datagrams 1 4001
await 10 all 6 seen_by
is "while the guard is paused no packet is" "$(seen_by)" "3 3"
ctl guard resume all
ctl guard set dev eth0 action count
datagrams 1 4001
await 10 all 7 seen_by
is "a guard that only counts marks no packet" "$(seen_by)" "3 4"
at "$box" nft delete table netdev seen
at "$box" nft delete table inet behind

# --- priorities ----------------------------------------------------------------------

# chains HOOK: one before a guard of the usual priority, one behind it.
chains() {
	at "$box" nft -f - <<-END
		table netdev order {
			counter before { }
			counter behind { }
			counter each { }
			chain before {
				type filter hook $1 device eth0 priority -1001;
				meta mark 0x5ee4 counter name before
			}
			chain behind {
				type filter hook $1 device eth0 priority -999;
				udp dport 4000-4999 counter name each
				meta mark 0x5ee4 counter name behind
			}
		}
		END
}

order() {
	echo "$(counts "netdev order" before) $(counts "netdev order" behind) $(
		counts "netdev order" each)"
}

at "$box" nft -f - <<-'END'
	table inet later {
		counter seen { }
		counter each { }
		chain in {
			type filter hook prerouting priority 0;
			meta mark 0x5ee4 counter name seen
			udp dport 4000-4999 counter name each
		}
	}
	END
ctl guard set dev eth0 action mark 0x5ee4
chains ingress
datagrams 3 4002
await 10 all 3 counts "inet later" each
is "ingress: a chain before the guard sees no mark, the next one does" \
	"$(order)" "0 2 3"
is "the stack's own chain sees the mark, too" "$(counts "inet later" seen)" 2
ctl guard del dev eth0
at "$box" nft delete table netdev order

ctl guard add dev eth0 filter f action mark 0x5ee4 priority -2000
chains ingress
datagrams 2 4003
await 10 all 5 counts "inet later" each
is "a guard with an earlier priority runs before both chains" "$(order)" "1 1 2"
is "the guard shows its priority" "$(at "$box" seenctl -j guard show |
	jq '.[0].priority')" -2000
ctl guard del dev eth0
at "$box" nft delete table netdev order

# out COUNT PORT: datagrams that leave by eth0.
out() {
	local i

	for ((i = 0; i < $1; i++)); do
		echo "udp eth0 1000 255.255.255.255 $2 20"
	done | at "$box" python3 "$helpers/send.py" >/dev/null
}

# arrived PORT: in the capture, which goes on.
arrived() {
	tcpdump -nr "$(capture_file leaves)" 2>/dev/null | grep -q "\.$1:"
}

ctl guard add dev eth0 hook egress filter f action mark 0x5ee4
chains egress
datagrams 3 4004
await 10 all 8 counts "inet later" each
is "egress: packets that arrive are not judged" \
	"$(ports_sum "$box" judged) $(order)" "0 0 0 0"
out 3 4005
is "packets that leave are judged" "$(ports_sum "$box" new) $(ports_sum "$box" marked)" "1 2"
is "a chain before the guard sees no mark, the next one does" \
	"$(order)" "0 2 3"
capture leaves "$away" a0 udp port 4006 or udp port 4007
ctl guard set dev eth0 hook egress action drop
out 3 4006
out 1 4007
check "the last one arrives" await 10 arrived 4007
is "dropped packets are counted" "$(ports_sum "$box" dropped)" 2
captured leaves >"$lib_dir/leaves"
is "the dropped packet does not arrive" "$(grep -c '\.4006:' "$lib_dir/leaves")" 1
ctl guard del dev eth0 hook egress
at "$box" nft delete table netdev order

# --- a bridge --------------------------------------------------------------------------

ctl filter add frames capacity 10k window 1h fpp 1e-6 type cuckoo key frame
ctl guard add dev p1 filter frames action mark 0x5ee4
at "$box" nft -f - <<-'END'
	table bridge seen {
		counter came { }
		counter copies { }
		counter left { }
		chain in {
			type filter hook prerouting priority -300;
			ether type 0x88b5 counter name came
			meta mark 0x5ee4 counter name copies drop
		}
		chain through {
			type filter hook forward priority 0;
			ether type 0x88b5 counter name left
		}
	}
	END

at_bridge() {
	echo "$(counts "bridge seen" came) $(counts "bridge seen" copies) $(
		counts "bridge seen" left)"
}

at "$away" frames 0 20 a1
at "$away" frames 0 20 a1
at "$away" frames 0 20 a1
check "a port of a bridge: copies are marked" \
	await 20 ports_reach "$box" marked 40
await 10 all 120 at_bridge
is "the bridge's own chain finds and drops them" \
	"$(at_bridge)" "60 40 20"
ctl guard set dev p1 action mark 7
at "$away" frames 0 20 a1
check "another mark" await 20 ports_reach "$box" marked 60
await 10 all 160 at_bridge
is "packets have the other mark" "$(at_bridge)" "80 40 40"
ctl guard set dev p1 action drop
at "$away" frames 0 20 a1
check "drop needs no chain" await 20 ports_reach "$box" dropped 20
is "the chain sees no dropped packet" "$(counts "bridge seen" came)" 80

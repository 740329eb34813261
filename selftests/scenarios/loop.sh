#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Three switches with redundant links, one of which is a bond. They carry untagged frames and a
# VLAN. With a spanning tree guards change nothing; without one they end the storm. Meanwhile,
# hosts in another network repeat their frames legitimately. The page is
# Documentation/scenarios/loop.md.
#
#	h1 --- s1 ====== s2 --- h2	u1, u2, u3, k1, k2, k3: the same, without
#	        \\      /		guards
#	    bond \\    /
#	           s3 --- h3		l1 --- q1 --- q2 --- l2
#						      | ---- l3

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../net/helpers/loops.sh"
. "$(dirname "$0")/../net/helpers/page.sh"

helpers=$(cd "$(dirname "$0")/../net/helpers" && pwd)
# Hosts repeat frames for so long: under QEMU (TCG) the other checks take that long.
case ${KERNEL:-} in
*debug)	skip_all "frames come late on a debug kernel" ;;
uml)	seconds=$(long 15 30) ;;
*)	seconds=$(long 60 120) ;;
esac
plan 43

# --- the networks ------------------------------------------------------------------

# bond SWITCH DEVICE...: makes the devices one port, bond0, of the switch's bridge.
bond() {
	local dev space=${!1}

	ip -n "$space" link add bond0 type bond mode balance-xor miimon 100
	for dev in "${@:2}"; do
		ip -n "$space" link set "$dev" down
		ip -n "$space" link set "$dev" nomaster
		ip -n "$space" link set "$dev" master bond0
	done
	ip -n "$space" link set bond0 up master br0
}

# vlan_aware SWITCH PRIORITY: adds VLAN 7, tagged, to every port of the switch.
vlan_aware() {
	local port

	ip -n "${!1}" link set br0 type bridge priority "$2" vlan_filtering 1
	for port in $(ip -n "${!1}" -j link show master br0 | jq -r '.[].ifname'); do
		bridge -n "${!1}" vlan add vid 7 dev "$port"
	done
}

# network S H: switches S1 to S3 with hosts H1 to H3. S1 is the root of the spanning tree.
network() {
	local s=$1 h=$2 n link

	switches "${s}1" "${s}2" "${s}3"
	for n in 1 2 3; do
		host "$h$n" "$s$n"
		tree "$s$n" 1
	done
	for link in 12 12 23 31 31; do
		wire "$s${link%?}" "$s${link#?}"
	done
	bond "${s}3" "${s}3${s}1a" "${s}3${s}1b"
	bond "${s}1" "${s}3${s}1a" "${s}3${s}1b"
	for n in 1 2 3; do
		vlan_aware "$s$n" $((4096 * n))
	done
}

# tree SWITCH 0|1: turns STP off or on, with the shortest timers that the standard allows.
tree() {
	ip -n "${!1}" link set br0 type bridge \
		forward_delay 200 hello_time 100 max_age 600 stp_state "$2"
}

trees() {
	local name

	for name in "$1"{1..3}; do
		tree "$name" "$2"
	done
}

# states LETTER: prints the STP state of every port of the three switches, one per line.
states() {
	local n

	for n in 1 2 3; do
		bridge -n "$(eval "echo \$$1$n")" link show |
			sed -n 's/^[0-9]*: \([^:@]*\).* state \([a-z]*\).*/\1 \2/p' |
			sed "s/^$1\([0-9]\)$1/\1-/; s/^/$n: /"
	done | sed 's/ [hk]\([0-9]\)/ host\1/' | sort
}

# converged LETTER COUNT: no port listens or learns, and COUNT ports block.
converged() {
	local now

	now=$(states "$1")
	[[ $now != *listening* && $now != *learning* ]] &&
		[ "$(grep -c blocking <<<"$now")" = "$2" ]
}

# same LETTER STATES
same() {
	[ "$(states "$1")" = "$2" ]
}

# link SWITCH DEVICE up|down
link() {
	ip -n "${!1}" link set "$2" "$3"
}

network s h
network u k
switches q1 q2
for word in "l1 q1" "l2 q2" "l3 q2"; do
	# shellcheck disable=SC2086 # two words
	host $word
done
wire q1 q2
ready q1 q2
at "$q1" seenctl guard add bridge br0 profile loop >/dev/null
at "$q2" seenctl guard add bridge br0 profile loop >/dev/null
hosts l1 l2 l3
quiet_ask=$hosts_ask quiet_answer=$hosts_answer
echo "legit $seconds" >&"$quiet_ask"

page "$(dirname "$0")/../Documentation/scenarios/loop.md"
hosts h1 h2 h3
everybody=(h1 h2 h3)

# --- with a spanning tree ------------------------------------------------------------

check "the spanning tree converges" await 30 converged s 2
check "without guards it converges, too" await 30 converged u 2
page_step "$s1" "the tree"
tree=$(states s)
exactly_when="a tree, no guards"
all_exactly 12 "${everybody[@]}"
page_step "$s1" "a guard"
switches_guarded=(s1)
guard s2
guard s3

# With guards and a spanning tree the network s must behave like the network u.
guarded_tree() {
	local name

	exactly_when="a tree and guards"
	all_exactly 12 "${everybody[@]}"
	link s1 s1s2a down
	link u1 u1u2a down
	link s3 s3s1a down
	link u3 u3u1a down
	check "a link and a slave of the bond go down: another tree" \
		await 30 converged s 1
	check "without guards: another tree, too" await 30 converged u 1
	is "the tree is the same with and without guards" "$(states s)" "$(states u)"
	exactly_when="the other tree"
	all_exactly 12 "${everybody[@]}"

	link s1 s1s2a up
	link u1 u1u2a up
	link s3 s3s1a up
	link u3 u3u1a up
	check "both come up again: the first tree" await 30 same s "$tree"
	check "without guards: the first tree, too" await 30 same u "$tree"
	exactly_when="the first tree"
	all_exactly 12 "${everybody[@]}"
	for name in s1 s2 s3; do
		is "$name has dropped and blocked nothing" \
			"$(ports $name 'map(.dropped + .blocks) | add')" 0
	done
	between "frames of the spanning tree have passed" \
		"$(ports s2 'map(.exempt) | add')" 5 100000
}

guarded_tree
page_step "$s1" "the guard's counters"

# --- without a spanning tree -----------------------------------------------------------

trees s 0
page_step "$s1" "no tree"
# This takes a while: a port that STP had blocked first waits for STP's timer.
check "every port forwards" await 30 converged s 0
exactly_when="no tree, guards"
heals=1
all_exactly 12 "${everybody[@]}"
between "copies were dropped" \
	"$(for name in s1 s2 s3; do ports $name 'map(.dropped) | add'; done |
		jq -s add)" 1 10000000
page_step "$s1" "the guard's counters without a tree"
match "one of the guards shows its block" \
	"$(for name in s1 s2 s3; do at "${!name}" seenctl guard show; done)" "port +blocks +last"

# The number of frames that the guards of q1 and q2 dropped, and of their blocks.
harm() {
	for name in q1 q2; do
		ports $name 'map(.dropped + .blocks) | add'
	done | xargs
}

# If the machine stalled so long that two repeats arrived together, the run is repeated.
lost="0 0"
for _ in 1 2 3; do
	IFS= read -rt $((seconds + 60)) -u "$quiet_answer" answer
	[[ $answer = late* ]] || break
	note "$answer"
	lost=$(harm)
	echo "legit $seconds" >&"$quiet_ask"
done
match "$seconds s of repeats: each host gets each frame exactly once" \
	"$answer" '^exact [1-9][0-9]* '
note "$answer"
is "the guards have dropped and blocked nothing" "$(harm)" "$lost"

# --- a storm -------------------------------------------------------------------------

frames() {
	stat_of "$u1" u1u2a rx.packets
}

trees u 0
check "every port forwards" await 30 converged u 0
before=$(frames)
echo "raw eth0 ffffffffffff02000000000188b5$(printf %092d 0)" |
	at "$k1" python3 "$helpers/send.py" >"$lib_dir/none"
check "no tree and no guards: one frame has become more than 10,000" \
	await 60 has_grown frames "$before" 10000
for name in u1 u2 u3; do
	guard "$name"
done
check "the guards end the storm" await 60 stands frames
hosts k1 k2 k3
exactly_when="after the storm"
all_exactly 12 k1 k2 k3
page_end

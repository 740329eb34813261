# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Sourced after ../lib.sh by the tests of loops: bridges, wires, hosts, and a check
# that each frame arrives at each host exactly once.
#
#	switches s1 s2		# a namespace of that name each, with bridge br0
#	wire s1 s2		# a link between two of them, the first one: s1s2a,
#	wire s1 s2		# at both ends, the second one: s1s2b
#	host h1 s1		# a namespace with eth0, at port h1 of s1
#	hosts h1 h2		# starts them; also NAME=SWITCH:DEVICE
#	guard s1		# guards its bridge by profile loop
#	unguard; guard s2; rejoin	# the wires carry nothing in between
#	exactly h1 20		# h1's frames are exactly once at each other host

# On a slow machine a storm fills the queue of a CPU, and the kernel drops new frames there, before
# the guard.
sysctl -qw net.core.netdev_max_backlog=100000

switches_guarded=()
declare -A wires=()
wires_all=()

switches() {
	local name

	ns "$@"
	for name; do
		br "${!name}" br0
	done
}

# wire S1 S2: the name is in $wire.
wire() {
	local n=${wires[$1$2]:-0} letters=(a b c d)

	wires[$1$2]=$((n + 1))
	wire=$1$2${letters[n]}
	wires_all+=("${!1} $wire" "${!2} $wire")
	veth "${!1}" "$wire" "${!2}" "$wire"
	ip -n "${!1}" link set "$wire" master br0
	ip -n "${!2}" link set "$wire" master br0
}

host() {
	ns "$1"
	veth "${!2}" "$1" "${!1}" eth0
	ip -n "${!2}" link set "$1" master br0
}

# sum COUNTER SWITCH...: of all ports of their guards; needs lib.sh of this folder.
sum() {
	local total=0 name

	for name in "${@:2}"; do
		total=$((total + $(ports_sum "${!name}" "$1")))
	done
	echo $total
}

# summed COUNTER NUMBER SWITCH...: is the sum this number?
summed() {
	[ "$(sum "$1" "${@:3}")" = "$2" ]
}

# keep_trails NAMESPACE...: br_netfilter, if the kernel has it, cuts frames to their packet.
keep_trails() {
	local space

	for space; do
		at "$space" sysctl -qew net.bridge.bridge-nf-call-{ip,ip6,arp}tables=0
	done
}

forwards() {
	local ports up

	ports=$(ip -n "$1" -br link show master br0 | wc -l)
	up=$(at "$1" bridge link show | grep -c 'state forwarding')
	[ "$ports" = "$up" ]
}

# ready SWITCH...: every port of theirs forwards.
ready() {
	local name

	for name; do
		await 20 forwards "${!name}" || exit 1
	done
}

# hosts WORD...: NAME, or NAME=SWITCH:DEVICE for a device of a switch; with "!"
# before it only to send.
hosts() {
	local word name words=()

	for word; do
		name=${word#!}
		if [[ $word = *=* ]]; then
			name=${word#*=}
			name=${name%:*}
			words+=("${word%%=*}=${!name}:${word##*:}")
		else
			words+=("$word=${!name}:eth0")
		fi
	done
	exec {hosts_ask}<> <(:) {hosts_answer}<> <(:)
	"$(dirname "${BASH_SOURCE[0]}")/hosts.py" "${words[@]}" \
		<&"$hosts_ask" >&"$hosts_answer" &
	lib_pids+=($!)
}

# ask WORD...: a command of hosts.py; the answer is in $answer.
ask() {
	echo "$*" >&"$hosts_ask"
	IFS= read -rt 60 -u "$hosts_answer" answer || answer="no answer"
}

# guard SWITCH [WORD...]
guard() {
	at "${!1}" seenctl guard add bridge br0 profile loop "${@:2}" \
		>/dev/null || exit 1
	[[ " ${switches_guarded[*]} " = *" $1 "* ]] || switches_guarded+=("$1")
}

# Drops all frames on the wires, with an earlier priority than that of a guard.
cut_wires() {
	local item netns dev chain

	for item in "${wires_all[@]}"; do
		read -r netns dev <<<"$item"
		chain="{ type filter hook ingress device $dev priority -2000; policy drop; }"
		! ip -n "$netns" link show "$dev" &>/dev/null || at "$netns" \
			nft "add table netdev cut; add chain netdev cut $dev $chain" || exit 1
	done
}

# Deletes all guards. Without them any frame that the kernel sends could begin a storm, which
# would fill the hosts' sockets. So the wires are cut before, until `rejoin`.
unguard() {
	local name

	cut_wires
	for name in "${switches_guarded[@]}"; do
		at "${!name}" seenctl guard del bridge br0
	done
	switches_guarded=()
}

rejoin() {
	local item

	for item in "${wires_all[@]}"; do
		at "${item% *}" nft "add table netdev cut; delete table netdev cut" || exit 1
	done
}

# ports SWITCH JQ: of its guard's ports, such as 'map(.dropped) | add'.
ports() {
	at "${!1}" seenctl -j -s guard show bridge br0 |
		jq -c ".[0].ports | $2"
}

# blocks: the blocks of all guards so far; the output changes with every block and
# release.
blocks() {
	local name

	for name in "${switches_guarded[@]}"; do
		ports "$name" 'map([.name, .blocked, .blocks])'
	done
}

# once HOST COUNT [KIND]: the frames arrive at each other host exactly once. While a
# guard blocks or releases a port, frames may be doubled or lost; then this tries
# again. If several guards block, "heals=1" also allows a partition that ends by
# itself: frames may be lost while ports are blocked. Between the end of a block and
# its event, a few jiffies later, a port collects no evidence. So on a port that has
# been blocked frames may double without a change in `blocks`, but not twice in a row.
once() {
	local before untold='' end=$((SECONDS + 120))

	while ((SECONDS <= end)); do
		before=$(blocks)
		ask exact "$@"
		[ "$answer" != exact ] || return 0
		if [ "$before" != "$(blocks)" ]; then
			untold=''
		elif [[ $answer = copies* && -z $untold && $before =~ ,[1-9][0-9]*\] ]]; then
			untold=1
		elif [[ -z ${heals:-} || $before != *true* || $answer != lost* ]]; then
			return 1
		fi
	done
	answer="in 120 s not once: $answer"
	return 1
}

# The numbers of frames that guards let pass without a verdict, by reason.
unjudged() {
	local name

	for name in "${switches_guarded[@]}"; do
		ports "$name" '{over_budget: map(.over_budget) | add,
			full: map(.full) | add, stale: map(.stale) | add}'
	done
}

# exactly WHO COUNT [KIND]
exactly() {
	local what="$1's ${3:+$3 }frames: each exactly once"

	what+=${exactly_when:+, $exactly_when}
	if once "$@"; then
		ok "$what"
	else
		not_ok "$what"
		note "$answer"
		note "passed unjudged: $(unjudged | tr '\n' ' ')"
	fi
}

# all_exactly COUNT HOST...
all_exactly() {
	local name

	for name in "${@:2}"; do
		exactly "$name" "$1"
	done
}

# await_block LISTENER: the next event of a block.
await_block() {
	heard "$1" 20 port-blocked >/dev/null
}

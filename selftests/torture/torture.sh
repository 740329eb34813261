#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Everything at the same time, for TORTURE_SECONDS. A control set of UDP ports is in a filter of
# every type. It is looked up all the time: by netlink, by guards at the ingress and egress of
# devices, and by rules of iptables-nft and -legacy in five chains, for IPv4 and IPv6, also by the
# number of their occurrences. No lookup may ever miss one of these keys, while
#
# - each of these filters is changed in every possible way (helpers/change.c), and packets store
#   other keys in it, as many as fit;
# - other filters are kept as full as possible: one program adds and deletes keys, other programs
#   look them up; each new key moves another one (helpers/shadow.c);
# - all CPUs add the same new keys at the same time, by netlink and through a bridge's guard:
#   exactly one of them must find a key new;
# - keys expire, namespaces, devices, guards and rules are created and deleted, unloading the
#   module is tried, memory is short, caches are dropped, CPUs are unplugged.
#
#	$src  e0 ---- in0  $box  out0 ---- e0  $dst	routed, beyond $dst too
#	      e1 ---- in1				a wire for each type
#	      ...
#	      x0 ---- b0 \ br0				a bridge that is guarded
#	      x1 ---- b1 /
#	      f* ---- eth0  come-*			namespaces that come and go
#
# At the end of each round the rules are deleted, and then the module is unloaded, under traffic,
# with all filters and guards.

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../net/helpers/lib.sh"

# Programs that run many at a time get a lower priority than the others.
calm=(nice)
# On the kernel debug all programs rest (see below): eager ones less than others, and brisk ones no
# longer than they work.
eager=()
brisk=()
# Seconds between two attempts to unload, and between two turns of a role that is a function here.
UNLOAD=0.05
PAUSE=0
CONTROL_COUNT=1000
STEP=250
SWAPS=64
SHORT=500
case ${KERNEL:-} in
*debug)	total=$(long 16 600) ROUND=$(long 8 120) ;;
*)	total=$(long 16 1800) ROUND=$(long 8 60) ;;
esac
# There a packet that all rules look up takes 10 ms, so it sends fewer packets, a few at a time;
# otherwise softirqs would take all the time. A change waits for grace periods, for rtnl, and for
# all readers in the namespace, and each of these waits for a CPU: if all roles want a CPU all the
# time, a change takes minutes. So each role rests for several times as long as it has worked, and
# programs that look up keys keep their normal priority.
if [ "${KERNEL:-}" = debug ]; then
	calm=()
	eager=(env REST=8)
	brisk=(env REST=1)
	UNLOAD=1
	PAUSE=5
	CONTROL_COUNT=200
	STEP=50
	SWAPS=8
	SHORT=100
	export REST=25
	sysctl -qw net.core.dev_weight=4
fi
export CONTROL_COUNT STEP
# Each round uses another seed.
seed=${TEST_SEED:-$(long 20190501 $((RANDOM << 15 | RANDOM)))}
TORTURE_SECONDS=${TORTURE_SECONDS:-$total}
ROUNDS=$(((TORTURE_SECONDS + ROUND - 1) / ROUND))
CONTROL=1:$CONTROL_COUNT
NOISE=40000:49999
# The part of NOISE that is deleted again from types that can delete single keys. The rest is still
# more than there is room for.
FLEETING=45000:49999
# MiB of memory that stay free when all other memory is allocated.
SPARE=200

kinds=(
	"bloom capacity 20k fpp 1e-3"
	"bloom capacity 20k layout classic fpp 1e-3"
	"bloom capacity 20k fpp 1e-3 window 1h"
	"cuckoo capacity 1500 bits 8"
	"cuckoo capacity 1500 bits 12"
	"cuckoo capacity 1500 bits 16"
	"cuckoo capacity 1500 bits 32"
	"cuckoo capacity 1500 bits 8 window 1h on-full reject"
	"bitmap range 0-65535"
	"counting capacity 1500 fpp 0.01"
	"map capacity 1500"
	"cms capacity 1k fpp 1e-3"
)
MANY=${#kinds[@]}
CHANGERS=4
tools="iptables-nft iptables-legacy ip6tables-nft ip6tables-legacy"
declare -A sum

# Seconds within which each role must have done its part once, however slow the machine.
PATIENCE=$(long 300 1200)

plan $((39 * ROUNDS + 3))
src='' box='' dst=''

# --- the network -----------------------------------------------------------------------

wires() {
	local i

	for ((i = 0; i < MANY; i++)); do
		echo "link add e$i up type veth peer name in$i netns $box"
		echo "addr add 10.0.$i.1/24 dev e$i"
	done | ip -n "$src" -batch - || return
	for ((i = 0; i < MANY; i++)); do
		echo "link set in$i up"
		echo "addr add 10.0.$i.2/24 dev in$i"
	done | ip -n "$box" -batch - || return
	veth "$box" out0 "$dst" e0
	addr "$box" out0 10.9.0.2/24
	addr "$dst" e0 10.9.0.1/24
	at "$box" sysctl -qw net.ipv4.ip_forward=1
	ip -n "$src" route add 198.51.100.0/24 via 10.0.0.2
	ip -n "$box" route add 198.51.100.0/24 via 10.9.0.1
	wires6 || return
	veth "$src" x0 "$box" b0
	veth "$src" x1 "$box" b1
	br "$box" br0 b0 b1
	addr "$box" br0 10.8.0.2/24
	# Queries of the bridge's querier do not pass an egress hook.
	ip -n "$box" link set br0 type bridge mcast_snooping 1 \
		mcast_querier 1 mcast_query_interval 10
	sysctl -qw net.core.netdev_max_backlog=100000
}

wires6() {
	local name

	for name in "$src" "$box" "$dst"; do
		at "$name" sysctl -qw net.ipv6.conf.all.disable_ipv6=0 || return
	done
	ip -n "$src" -batch - <<-END || return
		addr add fd00::1/64 dev e0 nodad
		route add fd09::/64 via fd00::2
	END
	ip -n "$box" -batch - <<-END || return
		addr add fd00::2/64 dev in0 nodad
		addr add fd09::2/64 dev out0 nodad
	END
	ip -n "$dst" addr add fd09::1/64 dev e0 nodad
	at "$box" sysctl -qw net.ipv6.conf.all.forwarding=1
}

# --- a round's filters, guards and rules ----------------------------------------------

furnish() {
	local i

	for ((i = 0; i < MANY; i++)); do
		echo "filter add c$i type ${kinds[i]} key dport"
	done
	for ((i = 0; i < MANY; i++)); do
		echo "guard add dev in$i filter c$i match all udp ${CONTROL/:/-}" \
			"verdict listed action count"
		echo "guard add dev in$i hook egress" \
			"filter c$(((i + 1) % MANY)) match all" \
			"udp ${CONTROL/:/-} verdict listed action count"
	done
	cat <<-END
		guard add dev out0 hook egress filter c$((MANY - 1)) match all \
			udp ${CONTROL/:/-} verdict listed action count
		filter add frames type cuckoo bits 32 capacity 100k key frame
		guard add bridge br0 filter frames action count
		filter add weighty type cms capacity 1k fpp 1e-3 threshold 2 key frame
		filter add both type cuckoo bits 32 capacity 20k window 1h key frame
		guard add dev br0 filter weighty match all verdict heavy action count
		guard add dev br0 hook egress filter both match all verdict other-port action count
		filter add once0 type map capacity 20k key bytes
		filter add once1 type cuckoo bits 32 capacity 20k key bytes
		filter add once2 type cuckoo bits 32 capacity 20k key bytes window 1h
		filter add once3 type bloom fpp 1e-5 capacity 20k key bytes
		filter add kick0 type cuckoo bits 12 capacity 1500 key bytes
		filter add kick1 type cuckoo bits 32 capacity 1500 key bytes
		filter add kick2 type map capacity 1500 key bytes
		filter add full0 type counting capacity 1500 fpp 0.01 key bytes
		filter add full1 type cuckoo bits 16 capacity 1500 key bytes window 1h on-full reject
		filter add full2 type bloom capacity 1M fpp 1e-3 key bytes
		filter add full3 type bloom capacity 20k fpp 1e-3 key bytes window 1h
		filter add turning type bloom capacity 500 fpp 1e-2 window 1h on-full rotate key dport
		filter add short0 type cuckoo bits 32 capacity 2k key bytes window 2s
		filter add short1 type bloom fpp 1e-3 capacity 2k key bytes window 2s
	END
}

# fill: adds the control set to every filter.
fill() {
	local i

	for ((i = 0; i < MANY; i++)); do
		seq "${CONTROL%:*}" "${CONTROL#*:}" |
			at "$box" seenctl -j key add "c$i" - || return
	done >/dev/null
}

# For each filter a rule counts control packets that were missed, or that could not be looked up.
# If the filter counts keys, another rule counts those that have never occurred.
control_chain() {
	local i

	for ((i = 0; i < MANY; i++)); do
		echo "-A control -m seen ! --filter c$i --missing match"
		case ${kinds[i]} in
		counting* | cms*)
			echo "-A control -m seen ! --filter c$i --count-over 0 --missing match" ;;
		esac
	done
}

noise_rules() {
	local i op

	echo "-A PREROUTING -p udp --dport $NOISE -m seen --filter turning --test-add"
	for ((i = 0; i < MANY; i++)); do
		op=--test-add
		[[ ${kinds[i]} != cms* ]] || op=--add
		echo "-A PREROUTING -p udp --dport $NOISE -m seen --filter c$i $op"
		# In these types a deletion removes no other key.
		case ${kinds[i]} in
		bitmap* | map*)
			echo "-A PREROUTING -p udp --dport $FLEETING -m seen --filter c$i --del" ;;
		esac
	done
}

rules() {
	local chain

	printf '%s\n' '*raw' ':control - [0:0]'
	control_chain
	echo "-A PREROUTING -p udp --dport $CONTROL -j control"
	noise_rules
	printf '%s\n' COMMIT '*filter' ':control - [0:0]'
	control_chain
	for chain in INPUT FORWARD OUTPUT; do
		echo "-A $chain -p udp --dport $CONTROL -j control"
	done
	printf '%s\n' COMMIT '*mangle' ':control - [0:0]'
	control_chain
	echo "-A POSTROUTING -p udp --dport $CONTROL -j control"
	echo COMMIT
}

set_up() {
	local tool

	furnish | at "$box" seenctl -j -b - >/dev/null && fill || return
	rules >"$lib_dir/rules"
	for tool in $tools; do
		at "$box" "$tool-restore" "$lib_dir/rules" || return
	done
}

# save_rules: saves all rules with their counters, once for all results. $least is the smallest
# number of control packets that the rules of one tool got.
save_rules() {
	local tool

	: >"$lib_dir/all"
	least=
	for tool in $tools; do
		at "$box" "$tool-save" -c >"$lib_dir/saved" 2>/dev/null
		asked=$(rule_sum '-j control')
		((asked >= ${least:-asked + 1})) || least=$asked
		cat "$lib_dir/saved" >>"$lib_dir/all"
	done
	mv "$lib_dir/all" "$lib_dir/saved"
}

# rule_sum REGEX: packets that the saved rules which match REGEX have counted.
rule_sum() {
	grep -e "$1" "$lib_dir/saved" |
		awk '{ n += substr($0, 2) } END { print n + 0 }'
}

# guard_sum JQ: a sum over the ports of the guards that look up the control set.
guard_sum() {
	at "$box" seenctl -j -s guard show 2>/dev/null | jq "
		[.[] | select(.verdict == \"listed\") | .ports[] | $1] | add"
}

# others_judged: the number of other guards that have judged packets.
others_judged() {
	at "$box" seenctl -j -s guard show | jq '[.[] |
		select(.verdict == "heavy" or .verdict == "other-port") |
		select(.ports[].judged > 0)] | length'
}

# --- the roles -------------------------------------------------------------------------

on() {
	[ -e "$lib_dir/on" ]
}

# pause SECONDS
pause() {
	read -rt "$1" -u "$lib_never"
}

# role NAME COMMAND...: runs it in the background. Its output is one line of words and numbers.
role() {
	local name=$1

	shift
	"$@" >"$lib_dir/role.$name" 2>"$lib_dir/error.$name" &
	roles[$name]=$!
}

# program NAME NAMESPACE COMMAND...: a role that ends at SIGTERM.
program() {
	role "$1" nsenter --net="/run/netns/$2" -- "${@:3}"
	programs+=("$1")
}

addresses() {
	local i

	for ((i = 0; i < MANY; i++)); do
		echo "10.0.$i.$1"
	done
}

# Sends the same new frames to both ports of the bridge, which sends some frames itself.
frames_once() {
	local sent=0

	while on; do
		at "$src" frames "$sent" 2000 x0 x1 || return
		((sent += 2000))
		await 60 frames_judged $((2 * sent)) || return
		at "$box" ping -bqc1 -W1 10.8.0.255 >/dev/null 2>&1
		at "$box" seenctl filter flush frames || return
		pause $PAUSE
	done
	echo "sent $sent new $(frames_sum new) judged $(frames_sum judged)"
}

frames_sum() {
	echo $(($(ports_sum "$box" "$1" b0) + $(ports_sum "$box" "$1" b1)))
}

frames_judged() {
	[ "$(frames_sum judged)" -ge "$1" ]
}

# replaces NAMESPACE: replaces the guards of the namespace, 24 times.
replaces() {
	local i

	for ((i = 0; i < 4; i++)); do
		cat <<-END
			guard replace dev eth0 filter same match all action drop priority -900
			guard replace bridge br0 profile loop udp 9
			guard replace dev eth0 filter list match all verdict listed action count
			guard replace bridge br0 profile loop priority -900
			guard replace dev eth0 filter same match all action drop
			guard replace bridge br0 profile loop
		END
	done | seenctl -j -n "$1" -b - >/dev/null
}

# moves NAMESPACE: its device leaves the bridge, is renamed, and returns.
moves() {
	ip -n "$1" -batch - <<-END
		link set eth0 nomaster
		link set eth0 down
		link set eth0 name eth1
		link set eth1 name eth0
		link set eth0 up
		link set eth0 master br0
	END
}

# Deletes a namespace with objects of every kind while they are in use. Its guards are replaced
# while its device moves, or is deleted.
spaces() {
	local n=0 rules=0 replaced=0 name pid

	while on; do
		name=come-$((n++))-$$
		ip netns add "$name" &&
			ip -n "$src" link add "f$n" up type veth \
				peer name eth0 netns "$name" || return
		ip -n "$name" -batch - <<-END || return
			link add br0 up type bridge
			link set eth0 up
			link set eth0 master br0
		END
		seenctl -j -n "$name" -b - <<-END >/dev/null || return
			filter add same capacity 10k key frame type cuckoo window 1s
			filter add list capacity 10k key dport type map
			guard add dev eth0 filter same match all action drop
			guard add bridge br0 profile loop
			key add list 1 2 3
		END
		! at "$name" iptables-nft -A INPUT -m seen --filter list || ((++rules))
		replaces "$name" &
		pid=$!
		((n % 4)) || ip -n "$src" link del "f$n"
		while ((n % 4)) && kill -0 $pid 2>/dev/null; do
			moves "$name" || return
		done
		wait $pid || return
		((replaced += 24))
		ip netns del "$name"
		pause $PAUSE
	done
	echo "spaces $n rules $rules replaced $replaced"
}

# Guards, rules and allow lists that use the control filters are added, changed and deleted.
lists() {
	local n=0 rules=0

	while on; do
		at "$box" seenctl -j -s -b - <<-END >/dev/null || return
			guard add dev lo filter c4 match all verdict listed
			filter show
			guard show
			guard del dev lo
			guard set dev in1 action mark 1
			guard set dev in1 action count
			guard set bridge br0 action mark 1
			guard set bridge br0 action count
			filter set frames on-full reject
			filter set frames on-full pass
			filter set c6 on-full reject
			filter add other type bloom capacity 100k fpp 1e-3 key host
			allow add other 192.0.2.1
			filter rename other another
			filter del another
			filter rename weighty heavier
			filter flush heavier
			filter rename heavier weighty
		END
		! at "$box" iptables-nft -A FORWARD -m seen --filter c5 --test ||
			! at "$box" iptables-nft -D FORWARD -m seen --filter c5 --test ||
			((++rules))
		seq 40000 $((40000 + STEP)) | at "$box" seenctl -j key add turning - \
			>/dev/null || return
		((++n))
		pause $PAUSE
	done
	echo "lists $n rules $rules"
}

# Unloading must fail while rules use the module.
unloads() {
	local n=0 gone=0 said

	while on; do
		for said in $(unload seen xt_seen); do
			case $said in
			gone)	((++gone)) ;;
			refused) ((++n)) ;;
			*)	echo "$said" >&2
				return 1 ;;
			esac
		done
		pause $UNLOAD
	done
	echo "unloads $n gone $gone"
}

cpus() {
	local n=0

	while on; do
		replug || return
		((++n))
		recover on
		pause $PAUSE
	done
	echo "cpus $n"
}

start() {
	local i names=()

	declare -gA roles=()
	programs=()
	note "seed $seed (TEST_SEED=)"
	export DRAW=$(((seed++ & 0x3fffffff) + 1))
	: >"$lib_dir/on"
	for ((i = 0; i < MANY; i++)); do
		names+=("c$i")
	done
	# Each of these programs gets filters of many types.
	for ((i = 0; i < CHANGERS; i++)); do
		program "change$i" "$box" change "$SWAPS" $(seq -f c%g $i $CHANGERS $((MANY - 1)))
	done
	program control "$box" control "${names[@]}"
	passers=(control in out kicks full)
	program kicks "$box" "${calm[@]}" shadow 1 kick0 kick1 kick2
	program full "$box" "${calm[@]}" shadow 1 full0 full1 full2 full3
	for ((i = 0; i < CHANGERS; i++)); do
		passers+=("change$i")
	done
	program once "$box" once "$CPUS" once0 once1
	program few "$box" once "$CPUS" once2 once3
	mapfile -t names < <(addresses 2)
	program in "$src" "${eager[@]}" \
		datagrams "${names[@]}" 198.51.100.1 198.51.100.2 fd00::2 fd09::1
	mapfile -t names < <(addresses 1)
	program out "$box" "${eager[@]}" datagrams "${names[@]}" 198.51.100.3 fd00::1
	program flood "$src" nice flood f
	program pressure "$box" "${brisk[@]}" pressure "$SPARE"
	for ((i = 0; i < 2; i++)); do
		role "short$i" at "$box" "${calm[@]}" keys hold "short$i" 0 "$SHORT" $((ROUND - 2)) 2000
		role "turn$i" at "$box" "${calm[@]}" keys renew "short$i" 1000 $((2 * SHORT)) $((ROUND - 2))
	done
	[ -z "$group" ] || program memcg_refused "$box" "${calm[@]}" memcg_refused "$group"
	for i in frames_once spaces lists unloads; do
		role "$i" "$i"
	done
	[ ! -w "$hotplug" ] || role cpus cpus
}

# stop: ends all roles; prints those that failed.
stop() {
	local name

	rm "$lib_dir/on"
	: >"$lib_dir/unsaid"
	for name in "${programs[@]}"; do
		kill "${roles[$name]}"
	done 2>/dev/null
	for name in "${!roles[@]}"; do
		wait "${roles[$name]}" || echo "$name"
	done >"$lib_dir/ends"
	while read -r name; do
		note "$name: $(cat "$lib_dir/role.$name" "$lib_dir/error.$name")"
	done <"$lib_dir/ends"
}

# of WORD ROLE...: the sum of the numbers after WORD in the output of the roles. If a role has not
# printed WORD, judge() reports that.
of() {
	local word=$1 name n=0 one

	shift
	for name; do
		one=$(field "$word" "$(cat "$lib_dir/role.$name")")
		[ -n "$one" ] || echo "$name: $word" >>"$lib_dir/unsaid"
		((n += one))
	done
	echo $n
}

# done_once: each role has done its part at least once, so that its results mean something.
done_once() {
	local name said

	for name in "${passers[@]}"; do
		said=
		read -r said <"$lib_dir/role.$name"
		[[ $said = "all 1"* ]] || return
	done
}

# one_died: a role has ended too early, so waiting is useless.
one_died() {
	local name

	for name in "${passers[@]}"; do
		kill -0 "${roles[$name]}" || return 0
	done
	return 1
}

settled() {
	done_once || one_died
}

at_least() {
	between "$1" "$2" "$3" 1000000000000
}

# Adds NUMBER to the figure WORD. Arguments: WORD NUMBER.
tell() {
	sum[$1]=$((${sum[$1]:-0} + $2))
}

# --- a round -----------------------------------------------------------------------------

judge() {
	local i deed asked least hits changers=()

	for ((i = 0; i < CHANGERS; i++)); do
		changers+=("change$i")
	done
	for i in "${changers[@]}" in out control kicks full once few short0 short1 turn0 turn1 \
			frames_once spaces lists unloads pressure; do
		note "$i: $(cat "$lib_dir/role.$i" "$lib_dir/error.$i")"
	done

	is "$1: netlink missed no control key" \
		"$(of missed control "${changers[@]}")" 0
	tell "missed keys" "$(of missed control "${changers[@]}")"
	i=$(of lookups control)
	tell lookups "$i"
	at_least "$1: netlink looked up each control key" "$i" \
		$((MANY * ${CONTROL#*:}))
	for deed in churns swaps imports merges folds renames; do
		tell $deed "$(of $deed "${changers[@]}")"
	done
	is "$1: each filter was changed in every way that its type supports" \
		"$(of lacking "${changers[@]}")" 0
	at_least "$1: control packets were sent" "$(of sent in out)" \
		$((2 * MANY * ${CONTROL#*:}))
	save_rules
	asked=$(rule_sum '-j control')
	at_least "$1: rules of each tool looked up control packets" "$least" 1000
	is "$1: each tool has a rule for each filter in three tables" \
		"$(grep -c -e '-m seen !' "$lib_dir/saved")" \
		$((4 * 3 * $(control_chain | wc -l)))
	is "$1: rules missed no control packet" "$(rule_sum '-m seen !')" 0
	tell "missed keys" "$(rule_sum '-m seen !')"
	hits=$(guard_sum .hits)
	between "$1: guards judged control packets" "$hits" 1000 1000000000000
	i=$(guard_sum '.new + .repeats + .full + .stale + .nokey + .over_budget')
	is "$1: guards missed no control packet" "$i" 0
	tell "missed keys" "$i"
	i=$(($(of bytes pressure) >> 20))
	at_least "$1: memory was allocated and freed, MiB" "$i" 1
	tell "MiB taken and given back" "$i"
	tell packets $(($(of sent in out) + $(of sent frames_once) * 2))
	tell questions $((asked * MANY + hits))
	is "$1: full filters missed no stored key" \
		"$(of missed kicks full)" 0
	tell "missed keys" "$(of missed kicks full)"
	at_least "$1: keys were looked up in full filters" "$(of asked kicks full)" 10000
	at_least "$1: keys of full filters were added and deleted" "$(of deleted kicks)" 1000
	at_least "$1: tables were folded" "$(of folded full)" 1
	tell "keys of full filters" "$(of added kicks full)"
	is "$1: no key was new twice" \
		"$(of twice once few) $(of others once few)" "0 0"
	at_least "$1: keys were added by all CPUs at once" "$(of keys few)" 64
	i=$(of keys once)
	at_least "$1: keys were added at once to a map, and to long fingerprints" "$i" 64
	between "$1: in a map, and in long fingerprints, each key was new once" \
		"$(of never once)" 0 "$(most "$i" 2e-9)"
	i=$(of adds "${changers[@]}")
	at_least "$1: keys were added to filters that change" "$i" 1000
	tell adds $(($(of new once few) + i))
	tell "new keys" $(($(of new once few) + $(of new frames_once)))
	at_least "$1: new frames were sent" "$(of sent frames_once)" 2000
	is "$1: each new frame was new once" "$(of new frames_once)" \
		"$(of sent frames_once)"
	at_least "$1: keys with a short window were looked up" \
		"$(of seen short0 short1)" 1000
	is "$1: no key was missed within its window" \
		"$(of new short0 short1) $(of stale short0 short1)" "0 0"
	at_least "$1: other keys were added to these filters meanwhile" \
		"$(($(of new turn0 turn1) + $(of seen turn0 turn1)))" 1000
	is "$1: the module was not unloaded while in use" "$(of gone unloads)" 0
	i=$(of unloads unloads)
	at_least "$1: unloading was tried" "$i" 1
	tell "unloads refused" "$i"
	[ -z "$group" ] || tell "filters refused for memory" \
		"$(of memcg_refused memcg_refused)"
	i=$(of spaces spaces)
	at_least "$1: namespaces were created and deleted" "$i" 1
	tell namespaces "$i"
	i=$(of replaced spaces)
	at_least "$1: guards were replaced while devices were deleted" "$i" 24
	tell "guards replaced" "$i"
	at_least "$1: guards with verdicts heavy and other-port judged packets" \
		"$(others_judged)" 2
	at_least "$1: guards, rules and allow lists were added and deleted" \
		"$(of lists lists)" 1
	at_least "$1: rules were added and deleted under traffic" "$(of rules lists)" 1
	at_least "$1: rules were deleted with their namespaces" "$(of rules spaces)" 1
	check "$1: a filter has shortened its window to make room" at "$box" sh -c \
		"seenctl -j filter show turning | jq -e '.[0] | .effective < .window'"
	[ ! -w "$hotplug" ] || tell hotplugs "$(of cpus cpus)"
	is "$1: every role has printed its figures" "$(cat "$lib_dir/unsaid")" ""
}

gone() {
	rmmod xt_seen
	rmmod seen
	! grep -q '^\(xt_\)\?seen ' /proc/modules
} 2>/dev/null

# First deletes the rules and the armed guards, which hold the module; then unloads it, with all
# other objects, while packets flow.
tear_down() {
	local tool

	for tool in $tools; do
		printf '*%s\nCOMMIT\n' raw filter mangle |
			at "$box" "$tool-restore" || return
	done
	at "$box" seenctl reset </dev/null >/dev/null
	await 60 gone
}

round() {
	check "$1: filters, guards, rules" set_up
	start
	pause "$ROUND"
	await "$PATIENCE" settled
	stop
	is "$1: every role ended without an error" "$(cat "$lib_dir/ends")" ""
	judge "$1"
	roles=() programs=()
	: >"$lib_dir/on"
	program in "$src" "${brisk[@]}" datagrams 10.0.0.2 10.0.1.2 198.51.100.1
	check "$1: the module is unloaded under traffic" tear_down
	stop
	is "$1: packets were sent to the end" "$(cat "$lib_dir/ends")" ""
	at_least "$1: many packets were sent at the end" "$(of sent in)" $((2 * ${CONTROL#*:}))
	tell unloads 1
}

areas() {
	grep -c '\[seen\]' /proc/vmallocinfo
}

# Cleans up after roles that were interrupted.
leftover() {
	local name

	for name in $(ip netns list | grep -o '^come-[^ ]*'); do
		ip netns del "$name"
	done
}

later leftover
ns src box dst
wires || exit 1
memory_group torture
for ((n = 1; n <= ROUNDS; n++)); do
	round "round $n"
done
is "no table is left allocated" "$(areas)" 0
if [ -w "$hotplug" ]; then
	between "CPUs were unplugged and plugged in" "${sum[hotplugs]}" 1 1000000
else
	skip "CPUs were unplugged and plugged in" "this kernel cannot unplug one"
fi
if [ -n "$group" ]; then
	at_least "filters were refused by the limit of a memory cgroup" \
		"${sum[filters refused for memory]}" 1
else
	skip "filters were refused by the limit of a memory cgroup" \
		"there is no memory cgroup here"
fi
text=$((ROUND * ROUNDS))" s"
for what in packets questions lookups adds "new keys" \
		"keys of full filters" churns swaps imports merges \
		folds renames "unloads refused" unloads namespaces "guards replaced" hotplugs \
		"filters refused for memory" "MiB taken and given back" \
		"missed keys"; do
	text+=", ${sum[$what]:-0} $what"
done
figure "$text"

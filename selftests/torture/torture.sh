#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Everything at once, for TORTURE_SECONDS. A control set of UDP ports is in a filter
# of every type, and is asked for all the time: by netlink, by guards at the ingress
# and egress of devices, by rules of iptables-nft and -legacy in five chains, of IPv4 and
# IPv6, also by how often they came. Nobody may ever miss one, while
#
# - each of these filters is changed in every way it can be (helpers/change.c), and
#   packets store other keys in it, as many as fit;
# - other filters are kept as full as they can be: keys that their owner knows come,
#   are asked for by others, and go again; each moves some other (helpers/shadow.c);
# - new keys are brought by all CPUs at the same time, by netlink and through a
#   bridge's guard: exactly one is told that they are new;
# - keys expire, namespaces, devices, guards and rules come and go, the module is
#   asked to go, memory is short, caches are dropped, CPUs are unplugged.
#
#	$src  e0 ---- in0  $box  out0 ---- e0  $dst	routed, beyond $dst too
#	      e1 ---- in1				a wire for each type
#	      ...
#	      x0 ---- b0 \ br0				a bridge that is guarded
#	      x1 ---- b1 /
#	      f* ---- eth0  come-*			namespaces that come and go
#
# At the end of each round the rules go, and then, under traffic, the module with all
# filters and guards.

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../net/helpers/lib.sh"

# Programs of which many ask go behind the others.
calm=(nice)
# Those that rest less than others, where these rest: much less, and no longer than they work.
eager=()
brisk=()
# Seconds between two attempts to unload, and from one to the next turn of a role that is a
# function here.
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
# A packet that all rules ask for takes 10 ms there: fewer of them, and a few at a time, or there
# is nothing but softirqs. Who changes something waits for grace periods, for rtnl, for all who
# read in that namespace, and each of these for a CPU: if all roles want one all the time, a change
# takes minutes. So each rests for several times what it has worked, and those who ask do not go
# behind the others.
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
# Each round draws by another one.
seed=${TEST_SEED:-$(long 20190501 $((RANDOM << 15 | RANDOM)))}
TORTURE_SECONDS=${TORTURE_SECONDS:-$total}
ROUNDS=$(((TORTURE_SECONDS + ROUND - 1) / ROUND))
CONTROL=1:$CONTROL_COUNT
NOISE=40000:49999
# Of it, what does not stay where a key can go alone: the rest is more than there is room for.
FLEETING=45000:49999
# Memory that remains when all else is taken, MiB.
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

# Seconds in which all must have been done once, however slow the machine.
PATIENCE=$(long 300 1200)

plan $((39 * ROUNDS + 3))
src='' box='' dst=''

# --- what stays ----------------------------------------------------------------------

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
	# Its querier sends where no egress hook is.
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

# fill: the control set, in every filter.
fill() {
	local i

	for ((i = 0; i < MANY; i++)); do
		seq "${CONTROL%:*}" "${CONTROL#*:}" |
			at "$box" seenctl -j key add "c$i" - || return
	done >/dev/null
}

# A rule for each filter counts those control packets that it does not know, or that
# it could not be asked about; another one, where it counts, those that never came.
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
		# Of these a delete takes no other key with it.
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

# save_rules: with their counters, once for all that is asked of them. Of which tool the
# fewest packets came to the control set's chains is in $least.
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

# rule_sum REGEX: packets of the saved rules that it fits.
rule_sum() {
	grep -e "$1" "$lib_dir/saved" |
		awk '{ n += substr($0, 2) } END { print n + 0 }'
}

# guard_sum JQ: over the ports of the guards that look for the control set.
guard_sum() {
	at "$box" seenctl -j -s guard show 2>/dev/null | jq "
		[.[] | select(.verdict == \"listed\") | .ports[] | $1] | add"
}

# others_judged: by how many of those guards that look for nothing in particular.
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

# role NAME COMMAND...: its output is one line of words and numbers.
role() {
	local name=$1

	shift
	"$@" >"$lib_dir/role.$name" 2>"$lib_dir/error.$name" &
	roles[$name]=$!
}

# program NAME NAMESPACE COMMAND...: one that ends when it is told to.
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

# The same new frames on both ports of the bridge, which sends some of its own.
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

# replaces NAMESPACE: other guards take the place of its guards, 24 times.
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

# moves NAMESPACE: its device leaves the bridge, and comes by another name, and back.
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

# A namespace with all that one can have, under traffic, that goes as it is. Its guards are
# replaced while its device moves, or goes.
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

# Guards and rules on what is asked all the time come, change and go; and lists.
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

# It cannot go while rules ask.
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
	# Each of them has filters of many types.
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

# stop: says which role did not end well.
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

# of WORD ROLE...: the sum of what they say behind it. A word that is not there is
# kept for judge().
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

# done_once: what must not be judged before it has been done.
done_once() {
	local name said

	for name in "${passers[@]}"; do
		said=
		read -r said <"$lib_dir/role.$name"
		[[ $said = "all 1"* ]] || return
	done
}

# one_died: then there is nothing to wait for.
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

# tell WORD NUMBER: into the figures
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
	at_least "$1: netlink asked for each control key" "$i" \
		$((MANY * ${CONTROL#*:}))
	for deed in churns swaps imports merges folds renames; do
		tell $deed "$(of $deed "${changers[@]}")"
	done
	is "$1: each filter was changed in all ways that it can be" \
		"$(of lacking "${changers[@]}")" 0
	at_least "$1: control packets were sent" "$(of sent in out)" \
		$((2 * MANY * ${CONTROL#*:}))
	save_rules
	asked=$(rule_sum '-j control')
	at_least "$1: rules of each tool asked for control packets" "$least" 1000
	is "$1: by each tool, in three tables, one for each filter" \
		"$(grep -c -e '-m seen !' "$lib_dir/saved")" \
		$((4 * 3 * $(control_chain | wc -l)))
	is "$1: rules missed no control packet" "$(rule_sum '-m seen !')" 0
	tell "missed keys" "$(rule_sum '-m seen !')"
	hits=$(guard_sum .hits)
	between "$1: guards met control packets" "$hits" 1000 1000000000000
	i=$(guard_sum '.new + .repeats + .full + .stale + .nokey + .over_budget')
	is "$1: guards missed no control packet" "$i" 0
	tell "missed keys" "$i"
	i=$(($(of bytes pressure) >> 20))
	at_least "$1: memory was taken and given back, MiB" "$i" 1
	tell "MiB taken and given back" "$i"
	tell packets $(($(of sent in out) + $(of sent frames_once) * 2))
	tell questions $((asked * MANY + hits))
	is "$1: full filters missed no key that is there" \
		"$(of missed kicks full)" 0
	tell "missed keys" "$(of missed kicks full)"
	at_least "$1: and were asked for them" "$(of asked kicks full)" 10000
	at_least "$1: while they came and went" "$(of deleted kicks)" 1000
	at_least "$1: and tables were folded" "$(of folded full)" 1
	tell "keys of full filters" "$(of added kicks full)"
	is "$1: no key was new twice" \
		"$(of twice once few) $(of others once few)" "0 0"
	at_least "$1: keys were brought by all at once" "$(of keys few)" 64
	i=$(of keys once)
	at_least "$1: and to a map, and to long fingerprints" "$i" 64
	between "$1: of a map, and of long fingerprints, all were new once" \
		"$(of never once)" 0 "$(most "$i" 2e-9)"
	i=$(of adds "${changers[@]}")
	at_least "$1: keys were added to filters that change" "$i" 1000
	tell adds $(($(of new once few) + i))
	tell "new keys" $(($(of new once few) + $(of new frames_once)))
	at_least "$1: new frames were sent" "$(of sent frames_once)" 2000
	is "$1: each new frame was new once" "$(of new frames_once)" \
		"$(of sent frames_once)"
	at_least "$1: keys of a short window were asked for" \
		"$(of seen short0 short1)" 1000
	is "$1: within its window no key was missed" \
		"$(of new short0 short1) $(of stale short0 short1)" "0 0"
	at_least "$1: others were added to them meanwhile" \
		"$(($(of new turn0 turn1) + $(of seen turn0 turn1)))" 1000
	is "$1: the module did not go" "$(of gone unloads)" 0
	i=$(of unloads unloads)
	at_least "$1: though the kernel was asked for it" "$i" 1
	tell "unloads refused" "$i"
	[ -z "$group" ] || tell "filters refused for memory" \
		"$(of memcg_refused memcg_refused)"
	i=$(of spaces spaces)
	at_least "$1: namespaces came and went" "$i" 1
	tell namespaces "$i"
	i=$(of replaced spaces)
	at_least "$1: guards were replaced while devices went" "$i" 24
	tell "guards replaced" "$i"
	at_least "$1: guards by weight, and by port, judged too" \
		"$(others_judged)" 2
	at_least "$1: guards, rules and lists came and went" \
		"$(of lists lists)" 1
	at_least "$1: rules did, where packets are" "$(of rules lists)" 1
	at_least "$1: and with their namespaces" "$(of rules spaces)" 1
	check "$1: a filter ended generations for room" at "$box" sh -c \
		"seenctl -j filter show turning | jq -e '.[0] | .effective < .window'"
	[ ! -w "$hotplug" ] || tell hotplugs "$(of cpus cpus)"
	is "$1: every role has told its figures" "$(cat "$lib_dir/unsaid")" ""
}

gone() {
	rmmod xt_seen
	rmmod seen
	! grep -q '^\(xt_\)\?seen ' /proc/modules
} 2>/dev/null

# The rules and the armed guards first, which hold the module; then all else at once, while
# packets flow.
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
	is "$1: every role came to its end" "$(cat "$lib_dir/ends")" ""
	judge "$1"
	roles=() programs=()
	: >"$lib_dir/on"
	program in "$src" "${brisk[@]}" datagrams 10.0.0.2 10.0.1.2 198.51.100.1
	check "$1: the module goes, under traffic" tear_down
	stop
	is "$1: packets were sent to the end" "$(cat "$lib_dir/ends")" ""
	at_least "$1: and there were many" "$(of sent in)" $((2 * ${CONTROL#*:}))
	tell unloads 1
}

areas() {
	grep -c '\[seen\]' /proc/vmallocinfo
}

# What a role that was interrupted has left.
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
is "no table is left" "$(areas)" 0
if [ -w "$hotplug" ]; then
	between "CPUs came and went" "${sum[hotplugs]}" 1 1000000
else
	skip "CPUs came and went" "this kernel cannot unplug one"
fi
if [ -n "$group" ]; then
	at_least "filters were refused for memory of a group" \
		"${sum[filters refused for memory]}" 1
else
	skip "filters were refused for memory of a group" \
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

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Many processes send valid and broken netlink messages in four namespaces, two of which belong to
# other users, while devices are created and deleted. Each message must be answered, and each
# refusal must have a text. Afterwards listings, answers, exports, counters and memory must agree.
# Events must follow the spec.

. "$(dirname "$0")/../lib.sh"

plan 12
modprobe seen || exit 1
out=$lib_dir/out
seed=${TEST_SEED:-$(long 20190501 $((RANDOM << 15 | RANDOM)))}
processes=$(($(nproc) * 4))
# Emulated kernels, and those that check themselves, are slower.
case $KERNEL in
uml) messages=$(long 100000 1000000) ;;
*) messages=$(long 30000 1000000) ;;
esac
rounds=$(long 6 100)

# is_own PID net|user: the process shares this namespace with the test.
is_own() {
	[ "$(readlink "/proc/$1/ns/$2")" = "$(readlink "/proc/self/ns/$2")" ]
}

# in_space PID COMMAND...: runs it in the namespaces of the process; fails until these exist.
in_space() {
	local user=(-U)

	! is_own "$1" net || return
	! is_own "$1" user || user=()
	nsenter -t "$1" "${user[@]}" -n -- "${@:2}"
}

# Makes the devices of the pool. Without IPv6 they send no packets of their own.
devices='
	echo 1 >/proc/sys/net/ipv6/conf/default/disable_ipv6 &&
	ip link set lo up &&
	ip link add br0 up type bridge stp_state 0 mcast_snooping 0 &&
	ip link add br1 up type bridge stp_state 0 mcast_snooping 0 &&
	ip link add d0 up type veth peer name d1 &&
	ip link add d2 up master br0 type veth peer name d3 &&
	ip link set d1 up && ip link set d3 up master br1'

# space COMMAND...: the command makes a namespace, in which a process then stays.
space() {
	background "$@" sleep infinity
	await 60 in_space "${lib_pids[-1]}" true || exit 1
	in_space "${lib_pids[-1]}" sh -c "$devices" || exit 1
	spaces+=("${lib_pids[-1]}")
}

# Prints a figure of the fuzzer. Argument: FIGURE.
told() {
	sed -n "s/^$1 //p" "$out"
}

spaces=()
for _ in 1 2; do
	space unshare -n
	space setpriv --reuid=65534 --regid=65534 --clear-groups unshare -Urn
done

# hear PID: checks the events of its namespace against the spec.
hear() {
	local user=(-U)

	! is_own "$1" user || user=()
	background nsenter -t "$1" "${user[@]}" -n -- \
		python3 "$(dirname "$0")/../net/helpers/events.py" >"$lib_dir/events.$1" 2>&1
	hearers+=("${lib_pids[-1]}")
	await 60 grep -q ready "$lib_dir/events.$1" || exit 1
}

# One space of the machine's own user, and one of another user.
hearers=()
for space in "${spaces[@]:0:2}"; do
	hear "$space"
done
note "seed $seed (TEST_SEED=), $processes processes, $rounds rounds"
"$(dirname "$0")/../helpers/netlink" "$seed" "$messages" "$rounds" "$processes" "${spaces[@]}" \
	>"$out" 2>"$out.log"
status=$?
kill -TERM "${hearers[@]}"
wait "${hearers[@]}"
grep -E '^(command|refusal|untried) ' "$out" | sed 's/^/# /'
head -c 20000 "$out.log" | cut -c 1-400 | sed 's/^/# /'
between "the fuzzer ran to its end" $status 0 1
is "each message was answered" "$(told silent) $(told lost)" "0 0"
is "each refusal has a text" "$(told wordless)" 0
is "each refusal names the attribute or object" "$(told nameless)" 0
is "each command was accepted at least once" "$(told commands)" all
is "each attribute, too" "$(told attributes)" all
is "listings, answers, exports, counts and memory agree" \
	"$(told disagreements)" 0
between "number of filters compared with their ledgers" \
	"$(told tallied)" $((rounds * processes)) 1000000000
between "number of acknowledged keys looked up" "$(told keys)" \
	$((rounds * processes * 10)) 1000000000
is "all objects can be deleted, and nothing stays charged" "$(told left)" 0
is "each event follows the spec" "$(
	cat "$lib_dir"/events.* | grep -vE '^(ready|heard [0-9]+)$' | cut -c 1-400 | head -3)" ""
heard=$(sed -n 's/^heard //p' "$lib_dir"/events.* | sort -n | head -1)
between "number of events received in each of two spaces" "$heard" 100 1000000000
figure "$(told sent) messages ($(told broken) broken), $(told taken) taken;" \
	"$(told filters) filters, $(told guards) guards, $(told exports) exports" \
	"compared, $(told tallied) filters tallied, $(told keys) keys asked for;" \
	"$(told disagreements) disagreements"

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# A sweep that is late: stamps could wrap, and old keys could look fresh. So a filter judges
# nothing until its sweep has run. Packets pass and are counted, and an event reports the state.
# Processes that never sleep keep the sweep from its CPU (helpers/starve_sweep.c).

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/helpers/lib.sh"

mountpoint -q /sys/kernel/debug || mount -t debugfs debugfs /sys/kernel/debug ||
	skip_all "the kernel has no debugfs"
fair=/sys/kernel/debug/sched/fair_server
COUNT=20
PORT=4000
# With this window a sweep is late after some seconds.
WINDOW=400ms

plan 17
box=''
ns box

# Files with a value each; restore puts back what was there.
declare -A before
change() {
	local file

	for file in "${@:2}"; do
		[ -e "$file" ] || continue
		before[$file]=$(<"$file")
		echo "$1" >"$file" || return
	done
}

restore() {
	local file

	for file in "${!before[@]}"; do
		echo "${before[$file]}" >"$file"
	done
}

# By default the kernel reserves a part of each second for tasks without real-time priority, and
# limits the tasks with it. Turn both off.
keep_nothing() {
	change 0 "$fair"/cpu*/runtime && change -1 /proc/sys/kernel/sched_rt_runtime_us
}

# Threads that receive packets get a higher priority than the processes that take the CPUs.
receive_first() {
	local pid

	for pid in $(pgrep '^ksoftirqd/'); do
		chrt "$1" -p "$2" "$pid" || return
	done
}

# passed REGEX: prints the packets of the rules that match.
passed() {
	at "$box" iptables-nft-save -c -t raw | grep -e "$1" |
		awk '{ n += substr($0, 2) } END { print n + 0 }'
}

# One program sends both: if starting a second one is slow, the window has ended by then.
datagrams() {
	at "$box" bash -c "echo >/dev/udp/127.0.0.1/$PORT
		echo >/dev/udp/127.0.0.1/$PORT"
}

# On a slow machine the second one may still be too late.
is_dropped() {
	datagrams
	[ "$(ports_sum "$box" dropped)" -gt "$1" ]
}

is_answer() {
	[[ $(at "$box" seenctl key test asked 8) = *"$1"* ]]
}

at "$box" seenctl -b - >/dev/null <<-END || exit 1
	filter add asked type cuckoo bits 32 capacity 1k key dport window $WINDOW
	filter add guarded type cuckoo bits 32 capacity 1k key dport window $WINDOW
	filter add ruled type cuckoo bits 32 capacity 1k key dport window $WINDOW
	filter add added type cuckoo bits 32 capacity 1k key dport window $WINDOW
	filter add quiet type cuckoo bits 32 capacity 1k key dport window $WINDOW
	guard add dev lo filter guarded match all udp $PORT action drop
	guard add dev lo hook egress filter asked match all udp $PORT verdict listed action drop
	END
at "$box" iptables-nft-restore <<-END || exit 1
	*raw
	-A PREROUTING -p udp --dport $PORT
	-A PREROUTING -p udp --dport $PORT -m seen --filter ruled --test-add
	-A PREROUTING -p udp --dport $PORT -m seen --filter added --add
	COMMIT
	END
events m "$box" -j
check "copies are dropped" await 20 is_dropped 0

later restore
later "receive_first -o 0"
keep_nothing
is "tasks without real-time priority get no CPU time" $? 0
check "threads that receive packets get a real-time priority" receive_first -f 3
dropped=$(ports_sum "$box" dropped) came=$(passed "dport $PORT\$")
known=$(passed 'seen --filter')
late=$(at "$box" starve_sweep $PORT $COUNT quiet asked guarded ruled added)
restore
note "$late"
is "a key is not stored" "$(field add "$late")" 1
is "a key is not stored with --new" "$(field new "$late")" 1
is "a key is not deleted" "$(field del "$late")" 1
is "datagrams pass" "$(field passed "$late")" $COUNT
is "the sweep has not run meanwhile" "$(field late "$late")" 1
is "no guard has judged a datagram" "$(ports_sum "$box" stale)" $((2 * COUNT))
is "no guard has dropped a datagram" "$(ports_sum "$box" dropped)" "$dropped"
is "each datagram has reached the rules" "$(passed "dport $PORT\$")" $((came + COUNT))
is "no rule has matched a datagram as seen" "$(passed 'seen --filter')" "$known"
is "the filter of a rule counts each datagram and request as stale" \
	"$(filter_get "$box" ruled .stats.stale)" $((COUNT + 1))
is "so does the filter of a rule that adds" "$(filter_get "$box" added .stats.stale)" $((COUNT + 1))
check "once the sweep has run a key is judged" await 20 is_answer new
check "copies are dropped again" await 20 is_dropped "$dropped"
all_told() {
	local name

	for name in asked guarded ruled added quiet; do
		grep -q "\"event\":\"window-short\",\"filter\":\"$name\",\"window\":0," \
			"$(heard_log m)" || return
	done
}

# The order is nobody's promise.
while ! all_told && heard m 20 '"event":"window-short"' >/dev/null; do
	:
done
check "an event reports each filter, also one without lookups" all_told

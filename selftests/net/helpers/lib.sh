# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Sourced after ../lib.sh by the tests that use these helpers: see Makefile.

helpers=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# Beside this folder's parent in a guest, under build/ where they were made.
for dir in "$helpers/../../helpers" "$helpers/../../../build/helpers"; do
	[ ! -x "$dir/race" ] || PATH=$(cd "$dir" && pwd):$PATH
done
command -v race >/dev/null || skip_all "the helpers are not built"

# shellcheck disable=SC2034 # for those who source this
CPUS=$(nproc)
# Where a test must find the same keys in the same places each time.
# shellcheck disable=SC2034 # for those who source this
SEED=000102030405060708090a0b0c0d0e0f

# scale SMALL LARGE [SMALL LARGE]: LARGE where the guest runs at native speed; the
# second two in a long run.
scale() {
	[ -z "${LONG:-}" ] || [ $# = 2 ] || shift 2
	if [ "${KERNEL:-}" = uml ]; then
		echo "$2"
	else
		echo "$1"
	fi
}

# sender NAMESPACE: send.py there; "send WORD..." is one of its commands, done.
sender() {
	coproc SEND { at "$1" python3 "$helpers/send.py"; }
	later "exec {SEND[1]}>&-"
}

send() {
	send_all "$*"
}

# send_all LINE...: each as send has it, one right after the other.
send_all() {
	local line answer status=0

	printf '%s\n' "$@" >&"${SEND[1]}"
	for line; do
		read -rt 20 answer <&"${SEND[0]}"
		[ "$answer" = "done" ] || {
			note "send $line: $answer"
			status=1
		}
	done
	return $status
}

# filter_get NAMESPACE NAME JQ: such as .stats.new
filter_get() {
	at "$1" seenctl -j -s filter show "$2" | jq -r ".[0]$3"
}

# port_get NAMESPACE DEV JQ: of the port of that name, of whichever guard.
port_get() {
	at "$1" seenctl -j -s guard show |
		jq -c "[.[].ports[]] | map(select(.name == \"$2\"))[0] | $3"
}

# ports_sum NAMESPACE COUNTER [DEV]: over all ports of all guards.
ports_sum() {
	at "$1" seenctl -j -s guard show | jq --arg dev "${3:-}" \
		"[.. | objects | select($dev_is) | .$2 | numbers] | add // 0"
}
# shellcheck disable=SC2016 # jq's variable
dev_is='($dev == "" or .name? == $dev)'

# ports_reach NAMESPACE COUNTER NUMBER [DEV]
ports_reach() {
	[ "$(ports_sum "$1" "$2" "${4:-}")" -ge "$3" ]
}

# so_far NAMESPACE NAME: reads all that the listener of that name was told by now.
so_far() {
	local mark=mark$((++marks))

	at "$1" seenctl filter add $mark capacity 10 key bytes type bloom >/dev/null
	heard "$2" 20 "\"event\":\"filter-add\".*\"filter\":\"$mark\"" >/dev/null
}
marks=0

# field WORD LINE: the number behind a word of a helper's output.
field() {
	local words

	read -ra words <<<"$2"
	for ((i = 0; i < ${#words[@]}; i += 2)); do
		[ "${words[i]}" != "$1" ] || echo "${words[i + 1]}"
	done
}

# most TRIALS RATE: hits within three standard deviations; 0 where even one is
# unlikely.
most() {
	awk -v n="$1" -v p="$2" 'BEGIN {
		m = n * p; x = m + 3 * sqrt(m)
		print x < 0.01 ? 0 : int(x) + 1 }'
}

# join WHAT PID...: children, all of which end with 0.
join() {
	local what=$1 pid bad=0

	shift
	for pid; do
		wait "$pid" || bad=$?
	done
	is "$what" "$bad" 0
}

# --- what the kernel charges to a memory cgroup ----------------------------------

# memory_group NAME: makes one; $group is its folder, "" where there is no such
# thing.
memory_group() {
	group=/sys/fs/cgroup/seen-$1
	if ! echo +memory >/sys/fs/cgroup/cgroup.subtree_control ||
			! mkdir "$group"; then
		group=
		return
	fi 2>/dev/null
	later "rmdir $group"
}

# enter_group: from here on this shell and its children are charged there.
enter_group() {
	[ -z "$group" ] || echo "$BASHPID" >"$group/cgroup.procs"
}

# charged KIND: bytes, a line of memory.stat. Small ones take up to two seconds to get
# there: until then a processor keeps them to itself.
charged() {
	awk -v kind="$1" '$1 == kind { print $2 }' "$group/memory.stat"
}

some_charged() {
	(($(charged "$1") > 0))
}

nothing_charged() {
	[ "$(charged vmalloc)" = 0 ] && [ "$(charged percpu)" = 0 ]
}

# --- a CPU that comes and goes ----------------------------------------------------

hotplug=/sys/devices/system/cpu/cpu1/online
recovery=0

# replug: takes a CPU away and gives it back.
replug() {
	local began=${EPOCHREALTIME/./}

	echo 0 >$hotplug && echo 1 >$hotplug || return
	recovery=$(((${EPOCHREALTIME/./} - began) / 50000 + 2))
}

# recover COMMAND...: whoever changes hooks, devices or namespaces has waited for that: both
# CPUs are there for twice as long, and 0.2 s, or until the command fails.
recover() {
	while ((recovery-- > 0)) && "$@"; do
		read -rt 0.1 -u "$lib_never"
	done
	return 0
}

# marks SPACE DEV: count the packets with the marks 7 and 9 that come in by a device.
marks() {
	at "$1" nft -f - <<-END
		table netdev t {
			counter seven { }
			counter nine { }
			chain c {
				type filter hook ingress device $2 priority 0;
				meta mark 7 counter name seven
				meta mark 9 counter name nine
			}
		}
		END
}

# marks_told SPACE: these counts, as [7, 9].
marks_told() {
	at "$1" nft -j list counters table netdev t | jq -c \
		'[.nftables[] | .counter? | select(.) | .packets]'
}

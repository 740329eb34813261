# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Sourced after ../lib.sh by the tests that use these helpers: see Makefile.

helpers=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# In a guest the programs are in helpers/ next to this folder's parent, else in build/helpers/.
for dir in "$helpers/../../helpers" "$helpers/../../../build/helpers"; do
	[ ! -x "$dir/race" ] || PATH=$(cd "$dir" && pwd):$PATH
done
command -v race >/dev/null || skip_all "the helpers are not built"

# shellcheck disable=SC2034 # for the tests that source this
CPUS=$(nproc)
# A fixed hash secret, for tests that need the same keys in the same buckets in each run.
# shellcheck disable=SC2034 # for the tests that source this
SEED=000102030405060708090a0b0c0d0e0f

# scale SMALL LARGE [SMALL LARGE]: LARGE if the guest runs at native speed; the
# second pair in a long run.
scale() {
	[ -z "${LONG:-}" ] || [ $# = 2 ] || shift 2
	if [ "${KERNEL:-}" = uml ]; then
		echo "$2"
	else
		echo "$1"
	fi
}

# sender NAMESPACE: starts send.py there; "send WORD..." runs one of its commands.
sender() {
	coproc SEND { at "$1" python3 "$helpers/send.py"; }
	later "exec {SEND[1]}>&-"
}

send() {
	send_all "$*"
}

# send_all LINE...: runs several commands of send.py without a pause between them.
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

# port_get NAMESPACE DEV JQ: prints a member of the port of that name, of any guard.
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

# so_far NAMESPACE NAME: reads all events that the listener of that name has received so far.
so_far() {
	local mark=mark$((++marks))

	at "$1" seenctl filter add $mark capacity 10 key bytes type bloom >/dev/null
	heard "$2" 20 "\"event\":\"filter-add\".*\"filter\":\"$mark\"" >/dev/null
}
marks=0

# field WORD LINE: the number after a word of a helper's output.
field() {
	local words

	read -ra words <<<"$2"
	for ((i = 0; i < ${#words[@]}; i += 2)); do
		[ "${words[i]}" != "$1" ] || echo "${words[i + 1]}"
	done
}

# most TRIALS RATE: the most hits within three standard deviations; 0 if even one hit
# is unlikely.
most() {
	awk -v n="$1" -v p="$2" 'BEGIN {
		m = n * p; x = m + 3 * sqrt(m)
		print x < 0.01 ? 0 : int(x) + 1 }'
}

# join WHAT PID...: waits for children; all must exit with 0.
join() {
	local what=$1 pid bad=0

	shift
	for pid; do
		wait "$pid" || bad=$?
	done
	is "$what" "$bad" 0
}

# --- what the kernel charges to a memory cgroup ----------------------------------

# memory_group NAME: makes a memory cgroup. Sets $group to its folder, or to "" if the
# kernel has no memory controller.
memory_group() {
	group=/sys/fs/cgroup/seen-$1
	if ! echo +memory >/sys/fs/cgroup/cgroup.subtree_control ||
			! mkdir "$group"; then
		group=
		return
	fi 2>/dev/null
	later "rmdir $group"
}

# enter_group: moves this shell and its later children to the cgroup.
enter_group() {
	[ -z "$group" ] || echo "$BASHPID" >"$group/cgroup.procs"
}

# charged KIND: a number of bytes from memory.stat. Small charges appear up to two seconds
# late, because each CPU caches its own.
charged() {
	awk -v kind="$1" '$1 == kind { print $2 }' "$group/memory.stat"
}

some_charged() {
	(($(charged "$1") > 0))
}

nothing_charged() {
	[ "$(charged vmalloc)" = 0 ] && [ "$(charged percpu)" = 0 ]
}

# --- CPU hotplug ------------------------------------------------------------------

hotplug=/sys/devices/system/cpu/cpu1/online
recovery=0

# replug: unplugs a CPU and plugs it in again.
replug() {
	local began=${EPOCHREALTIME/./}

	echo 0 >$hotplug && echo 1 >$hotplug || return
	recovery=$(((${EPOCHREALTIME/./} - began) / 50000 + 2))
}

# recover COMMAND...: processes that change hooks, devices or namespaces had to wait for the
# replug. Keeps both CPUs for twice that time plus 0.2 s, or until the command fails.
recover() {
	while ((recovery-- > 0)) && "$@"; do
		read -rt 0.1 -u "$lib_never"
	done
	return 0
}

# marks SPACE DEV: counts the packets with the marks 7 and 9 that arrive on a device.
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

# marks_told SPACE: prints these counts as an array: mark 7, mark 9.
marks_told() {
	at "$1" nft -j list counters table netdev t | jq -c \
		'[.nftables[] | .counter? | select(.) | .packets]'
}

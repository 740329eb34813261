#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# A flood through guards, on each CPU one, and commands that are long by their
# nature meanwhile: none of them holds up the packets, and no detector of the kernel
# (RCU stalls; hung tasks and soft lockups where it has them) has anything to say.
#
#	$src  s0 ---- in0  $box		CPU 0
#	      s1 ---- in1		CPU 1
#
# The same flood is measured before the module is loaded, and with guards alone. Times
# are told and not judged; frames are counted: while a command was in the kernel some of
# each stream must have passed (helpers/commands.c), and in the end the guards must
# have met as many as were sent. The long run has a filter of 1 GiB, the short one has
# an eighth of everything.

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../net/helpers/lib.sh"

LOAD_SECONDS=${LOAD_SECONDS:-$(long 1 600)}
ALONE=$(long 2 20)
DIVISOR=$(long 8 1)

# Of one stream, for a command to be judged: as in helpers/commands.c.
DUE=1000

plan $((3 + 2 * 8))
src='' box=''
ns src box
meters=$lib_dir/meters
for ((cpu = 0; cpu < CPUS; cpu++)); do
	veth "$src" "s$cpu" "$box" "in$cpu"
	ip -n "$src" link set "s$cpu" txqueuelen 1000
done
[ ! -w /proc/sys/kernel/hung_task_timeout_secs ] ||
	echo 60 >/proc/sys/kernel/hung_task_timeout_secs

sysctl -qw net.core.netdev_max_backlog=100000

# tell WHEN LINE: what was measured, in words and as JSON.
tell() {
	local name times longest gap frames due least

	IFS=$'\t' read -r name times longest gap frames due least <<<"$2"
	figure "$1: $name: $times times, at most $longest us;" \
		"longest gap $gap us; $frames frames passed; judged by $least" \
		"of one stream, where $due were due"
	echo "# json: $(jq -nc --arg when "$1" --arg name "$name" \
		"{when: \$when, command: \$name, times: $times, latency_us: \
		$longest, gap_us: $gap, frames: $frames, due: $due, \
		least: $least}")"
}

# sent: frames of all streams so far (helpers/meter.h).
sent() {
	local cpu sum=0

	for ((cpu = 0; cpu < CPUS; cpu++)); do
		((sum += $(od -An -tu8 -j $((64 + 64 * cpu)) -N 8 "$meters")))
	done
	echo $sum
}

met() {
	at "$box" seenctl -j -s guard show 2>/dev/null |
		jq '[.[].ports[] | .judged + .over_budget + .full + .stale] |
			add'
}

has_met() {
	[ "$(met)" -ge "$1" ]
}

streams=()
for ((cpu = 0; cpu < CPUS; cpu++)); do
	background at "$src" stream "$meters" "$cpu" "s$cpu"
	streams+=($!)
done
[ ! -d /sys/module/seen ] || rmmod seen
tell "without the module" "$(commands "$meters" "$CPUS" "$ALONE" 0)"
refuse "it is not loaded so far" 1 "" test -d /sys/module/seen

at "$box" seenctl filter add dup type cuckoo capacity 1M window 1s key frame || exit 1
for ((cpu = 0; cpu < CPUS; cpu++)); do
	at "$box" seenctl guard add dev "in$cpu" filter dup action count \
		>/dev/null || exit 1
done
before=$(sent)
tell "guarded" "$(commands "$meters" "$CPUS" "$ALONE" 0)"
at "$box" commands "$meters" "$CPUS" "$LOAD_SECONDS" \
	"$DIVISOR" >"$lib_dir/answers"
is "the commands were given" $? 0
while IFS= read -r line; do
	IFS=$'\t' read -r name times longest gap frames due least <<<"$line"
	tell "flooded" "$line"
	between "$name: frames were due meanwhile" "$due" "$DUE" 1000000000000
	between "$name: frames passed meanwhile" "$least" 1 1000000000000
done <"$lib_dir/answers"
for pid in "${streams[@]}"; do
	kill "$pid"
	wait "$pid"
done 2>/dev/null
guarded=$(($(sent) - before))
await 60 has_met "$guarded"
between "every frame was judged, or passed for a reason that was counted" "$(met)" "$guarded" \
	1000000000000
figure "$guarded frames were sent to guards, which met $(met)"

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
# are told and not judged, but for this: beside a command that takes long there must be
# no gap between two frames that is half as long (helpers/commands.c). The long run has
# a filter of 1 GiB, the short one has an eighth of everything.

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../net/helpers/lib.sh"

LOAD_SECONDS=${LOAD_SECONDS:-$(long 1 600)}
ALONE=$(long 2 20)
DIVISOR=$(long 8 1)

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

# tell WHEN LINE: what was measured, in words and as JSON.
tell() {
	local name times longest gap frames held

	IFS=$'\t' read -r name times longest gap frames held <<<"$2"
	figure "$1: $name: $times times, at most $longest us;" \
		"longest gap $gap us; $frames frames passed"
	echo "# json: $(jq -nc --arg when "$1" --arg name "$name" \
		"{when: \$when, command: \$name, times: $times, latency_us: \
		$longest, gap_us: $gap, frames: $frames, held: $held}")"
}

for ((cpu = 0; cpu < CPUS; cpu++)); do
	background at "$src" stream "$meters" "$cpu" "s$cpu"
done
[ ! -d /sys/module/seen ] || rmmod seen
tell "without the module" "$(commands "$meters" "$CPUS" "$ALONE" 0)"
refuse "it is not loaded so far" 1 "" test -d /sys/module/seen

at "$box" seenctl filter add dup type cuckoo capacity 1M window 1s key frame || exit 1
for ((cpu = 0; cpu < CPUS; cpu++)); do
	at "$box" seenctl guard add dev "in$cpu" filter dup action count \
		>/dev/null || exit 1
done
tell "guarded" "$(commands "$meters" "$CPUS" "$ALONE" 0)"
at "$box" commands "$meters" "$CPUS" "$LOAD_SECONDS" \
	"$DIVISOR" >"$lib_dir/answers"
is "the commands were given" $? 0
while IFS= read -r line; do
	IFS=$'\t' read -r name times longest gap frames held <<<"$line"
	tell "flooded" "$line"
	between "$name: frames passed meanwhile" "$frames" 1 1000000000000
	is "$name: it held up no frame" "$held" 0
done <"$lib_dir/answers"
between "every frame was judged, or passed over budget" "$(at "$box" seenctl -j -s \
	guard show 2>/dev/null | jq '[.[].ports[] | .judged + .over_budget + .full] |
	add')" 10000 1000000000000

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# A flood passes through a guard on each CPU while long commands run: no command holds up the
# packets, and no detector of the kernel (RCU stalls; hung tasks and soft lockups if the kernel
# has these) reports anything.
#
#	$src  s0 ---- in0  $box		CPU 0
#	      s1 ---- in1		CPU 1
#
# The same flood is measured without the module: with nothing else for as long as with guards, and
# during comparable work of the kernel for as long as streams were watched for the command. Times
# are printed but not judged. Frames are counted: during each command some frames of each stream
# must have passed (helpers/commands.c), and the guards must have judged exactly the frames that
# were sent to them. The long run has a filter of 1 GiB, the short one an eighth of everything.

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../net/helpers/lib.sh"

LOAD_SECONDS=${LOAD_SECONDS:-$(long 1 600)}
ALONE=$(long 2 20)
DIVISOR=$(long 8 1)

# Frames of each stream that must have been due in a command: as in helpers/commands.c.
DUE=1000
MANY=1000000000000

plan $((5 + 2 * 8))
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

# --- streams -----------------------------------------------------------------

begin_streams() {
	local cpu

	streams=()
	for ((cpu = 0; cpu < CPUS; cpu++)); do
		background at "$src" stream "$meters" "$cpu" "s$cpu"
		streams+=($!)
	done
}

# Each stream ends between two frames, so the number of frames that it has sent is exact.
end_streams() {
	local pid status=0

	for pid in "${streams[@]}"; do
		kill "$pid"
		wait "$pid" || status=$?
	done 2>/dev/null
	return $status
}

# sent: the number of frames of all streams so far (helpers/meter.h).
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

# --- the measurements ----------------------------------------------------------

# The columns of a line of helpers/commands.c.
fields=(name times longest took watched gap lead frames due least)

# Prints LINE as a figure and as JSON. Arguments: WHEN LINE.
tell() {
	local "${fields[@]}"

	IFS=$'\t' read -r "${fields[@]}" <<<"$2"
	figure "$1: $name: $times times, at most $longest us," \
		"$((took / 1000)) us in all; $frames frames passed, $least" \
		"of one stream, where $due were due; watched for" \
		"$((watched / 1000)) us: longest gap $gap us, most frames of" \
		"others in a gap $lead"
	echo "# json: $(jq -nc --arg when "$1" --arg name "$name" \
		"{when: \$when, command: \$name, times: $times, latency_us: \
		$longest, took_us: $((took / 1000)), \
		watched_us: $((watched / 1000)), gap_us: $gap, \
		lead: $lead, frames: $frames, due: $due, least: $least}")"
}

# Compares a command with the kernel's own work of the same time. Arguments: LINE LINE.
beside() {
	local "${fields[@]}" own

	IFS=$'\t' read -r "${fields[@]}" <<<"$2"
	own="$gap us, $lead frames ($name)"
	IFS=$'\t' read -r "${fields[@]}" <<<"$1"
	figure "$name: longest gap $gap us, $lead frames of others in one;" \
		"without the module $own"
}

# --- the test ------------------------------------------------------------------

begin_streams
[ ! -d /sys/module/seen ] || rmmod seen
tell "without the module" "$(commands "$meters" "$CPUS" alone "$ALONE")"
refuse "the module is not loaded so far" 1 "" test -d /sys/module/seen
end_streams
is "the streams end" $? 0

at "$box" seenctl filter add dup type cuckoo capacity 1M window 1s key frame || exit 1
for ((cpu = 0; cpu < CPUS; cpu++)); do
	at "$box" seenctl guard add dev "in$cpu" filter dup action count \
		>/dev/null || exit 1
done
before=$(sent)
begin_streams
tell "guarded" "$(commands "$meters" "$CPUS" alone "$ALONE")"
at "$box" commands "$meters" "$CPUS" ours "$DIVISOR" "$LOAD_SECONDS" \
	>"$lib_dir/ours"
is "all commands ran" $? 0
watches=()
while IFS= read -r line; do
	IFS=$'\t' read -r "${fields[@]}" <<<"$line"
	tell "flooded" "$line"
	between "$name: number of frames due during the command" "$due" $DUE $MANY
	between "$name: number of frames of a stream that passed during it" "$least" 1 $MANY
	watches+=("$watched")
done <"$lib_dir/ours"
end_streams
guarded=$(($(sent) - before))
await 60 has_met "$guarded"
is "the guards judged exactly the frames that were sent" "$(met)" "$guarded"
figure "$guarded frames were sent to guards, which judged $(met)"

at "$box" seenctl reset >/dev/null
await 20 rmmod seen || exit 1
begin_streams
at "$box" commands "$meters" "$CPUS" plain "$DIVISOR" "${watches[@]}" \
	>"$lib_dir/plain"
is "the comparable work of the kernel ran" $? 0
end_streams
while IFS= read -r line; do
	tell "without the module" "$line"
done <"$lib_dir/plain"
while IFS= read -r line && IFS= read -r own <&3; do
	beside "$line" "$own"
done <"$lib_dir/ours" 3<"$lib_dir/plain"

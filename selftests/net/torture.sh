#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# A control set of keys is found at all times, while other processes replace other keys of
# the same filter at 90 % load (so that fingerprints move), generations rotate, stamps
# expire, another filter is flushed, filled, renamed, swapped and deleted, and a CPU is
# unplugged and plugged. The filter is small, so that the tested buckets change often.

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/helpers/lib.sh"

SECONDS_EACH=$(scale 1 2 2 5)
HOUR=3600
CAPACITY=2000
CONTROL=1000
WINDOW=1000

kinds=(
	"type cuckoo bits 12"
	"type cuckoo bits 16"
	"type cuckoo bits 32"
	"type cuckoo bits 32 window ${WINDOW}ms"
	"type bloom fpp 1e-4"
	"type bloom layout classic fpp 1e-4"
	"type bloom fpp 1e-3 window ${WINDOW}ms"
)

plan $((5 * ${#kinds[@]} + 2))
box=''
ns box

# Keeps other filters, and the list of them, in motion until it is killed; ends
# if it is refused anything.
meddle() {
	local add="filter add other capacity 5k key bytes type cuckoo bits 16"

	while at "$box" seenctl -b - <<-END
			$add
			filter add third capacity 5k key bytes type cuckoo bits 16
			key add other a b c
			filter flush other
			filter swap other third
			filter rename third fourth
			filter flush fourth
			filter del fourth
			filter del other
			END
	do
		:
	done
}

# replugs: until it is killed; how often is in the file replugged.
replugs() {
	local n=0

	while replug; do
		echo $((++n)) >"$lib_dir/replugged"
		recover true
	done
}

replugged() {
	[ -s "$lib_dir/replugged" ] && kill -0 "$replugger"
}

# disturb KIND: adds as many other keys as there is room for, and starts a process on each CPU
# that replaces them until it is killed. A Bloom filter adds the same keys again.
disturb() {
	local share=$(((CAPACITY - CONTROL) / CPUS)) cpu first verb=churn

	[[ $1 = *cuckoo* ]] || verb=renew
	for ((cpu = 0; cpu < CPUS; cpu++)); do
		first=$(((cpu + 1) << 32))
		at "$box" keys add f $first $share >/dev/null || return
		background at "$box" keys $verb f $first $share $HOUR \
			>"$lib_dir/disturbed.$cpu"
		pids+=($!)
		await 60 test -s "$lib_dir/disturbed.$cpu" || return
	done
}

# least_disturbed: of these processes, the least that one of them has been answered.
least_disturbed() {
	awk '{ for (i = 2; i <= NF; i += 2) sum += $i; print sum; sum = 0 }' \
		"$lib_dir"/disturbed.* | sort -n | head -n1
}

torture() {
	local what=$1 answers window='' absent=' + .absent' pids=()

	# A deleted key may have expired before; with 32 bits it is hardly ever
	# taken for another key.
	[[ $what = *window* ]] && window=$WINDOW absent=''
	# shellcheck disable=SC2086 # one word a parameter
	at "$box" seenctl filter add f capacity "$CAPACITY" key bytes $what \
		seed "$SEED" || exit 1
	disturb "$what" || exit 1
	# shellcheck disable=SC2086 # absent or one word
	answers=$(at "$box" keys hold f 0 $CONTROL "$SECONDS_EACH" $window)
	kill "${pids[@]}"
	join "$what: the other processes ended" "${pids[@]}"
	between "$what: the other processes changed keys" "$(least_disturbed)" \
		$(((CAPACITY - CONTROL) / CPUS)) 1000000000000
	note "$what: $answers"
	between "$what: the control set was tested all the time" \
		"$(field seen "$answers")" $((10 * CONTROL)) 1000000000000
	is "$what: no key was missed" \
		"$(field new "$answers") $(field stale "$answers")" "0 0"
	is "$what: no key was refused or evicted" "$(filter_get \
		"$box" f ".stats | .full + .copies + .evicted$absent")" 0
	at "$box" seenctl filter del f
}

background meddle
meddler=$!
if [ -w $hotplug ]; then
	background replugs
	replugger=$!
fi
for what in "${kinds[@]}"; do
	torture "$what"
done
check "the other filters were changed until the end" kill -0 $meddler
if [ -w $hotplug ]; then
	check "CPUs were unplugged and plugged until the end" replugged
	kill "$replugger"
	wait "$replugger" 2>/dev/null
	echo 1 >$hotplug
	figure "net/torture: a CPU went and came $(cat "$lib_dir/replugged") times"
else
	skip "CPUs were unplugged and plugged until the end" "this kernel cannot unplug one"
fi

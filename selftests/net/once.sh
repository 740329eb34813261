#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# If several CPUs add the same new key at the same time, exactly one gets the answer "new".
#
# By netlink: a process on each CPU sends the same keys, in step. By guards: each CPU sends
# the same frames on a wire of its own, in step, and all guards have one filter:
#
#	$out a0 ------- b0 $in
#	$out a1 ------- b1 $in
#
# If a key is a false positive, all CPUs get the answer "seen". The number of such keys
# has a bound. If two CPUs get the answer "new" for one key, that is always an error.

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/helpers/lib.sh"

# One filter of each structure gets the full number of keys, its variants get a tenth of it.
MANY=$(scale 20000 50000 50000 1000000)
((CPUS == 2)) || MANY=$((MANY / 5))
FEW=$((MANY / 10))

netlink_many=(
	"type bloom fpp 1e-4"
	"type bloom window 1h fpp 1e-3"
	"type cuckoo bits 16"
	"type cuckoo window 1h bits 32"
)
netlink_few=(
	"type bloom layout classic fpp 1e-4"
	"type cuckoo bits 8"
	"type cuckoo bits 12"
	"type cuckoo bits 24"
	"type cuckoo bits 32"
	"type cuckoo window 1h bits 8"
	"type cuckoo window 1h bits 16"
)
guards_many=(
	"type bloom fpp 1e-6"
	"type cuckoo window 1h bits 32"
)
guards_few=(
	"type bloom layout classic fpp 1e-6"
	"type bloom window 1h fpp 1e-3"
	"type cuckoo bits 32"
)

# More than two CPUs make each race slower, and the variants do not differ there.
((CPUS == 2)) || netlink_few=() guards_few=()
((CPUS > 1)) || skip_all "one CPU alone is always exact"
plan $((4 * (${#netlink_many[@]} + ${#netlink_few[@]}) + 2 +
	4 * (${#guards_many[@]} + ${#guards_few[@]}) + 5))
in='' out=''
ns in out

# add_filter CAPACITY WORD...
add_filter() {
	at "$in" seenctl filter add f capacity "$1" seed "$SEED" "${@:2}" ||
		exit 1
}

# race_keys KEYS WHAT
race_keys() {
	local keys=$1 what=$2 answers new

	# shellcheck disable=SC2086 # one word a parameter
	add_filter "$keys" key bytes $what
	answers=$(at "$in" race f "$keys" "$CPUS")
	new=$(field new "$answers")
	is "$what: no key is new twice" "$(field twice "$answers")" 0
	between "$what: few keys are new to no process" \
		"$(field never "$answers")" 0 \
		"$(most "$keys" "$(filter_get "$in" f .fpp)")"
	is "$what: the only answers are new and seen" "$(field others "$answers")" 0
	is "$what: the filter counted the same" \
		"$(filter_get "$in" f '.stats | "\(.new) \(.seen) \(.adds)"')" \
		"$new $((CPUS * keys - new)) $new"
	at "$in" seenctl filter del f
}

for what in "${netlink_many[@]}"; do
	race_keys "$MANY" "$what"
done
for what in "${netlink_few[@]}"; do
	race_keys "$FEW" "$what"
done

# The same with seenctl, which sends thousands of keys per request.
add_filter "$MANY" key bytes type cuckoo bits 32
seq "$MANY" >"$lib_dir/keys"
pids=()
for ((cpu = 0; cpu < CPUS; cpu++)); do
	at "$in" taskset -c "$cpu" seenctl -j key add f --new - \
		<"$lib_dir/keys" >"$lib_dir/answers.$cpu" &
	pids+=($!)
done
join "seenctl on each CPU" "${pids[@]}"
is "seenctl: each key is new once" \
	"$(jq -s 'map(.new) | add' "$lib_dir"/answers.*)" "$MANY"
at "$in" seenctl filter del f

wires=()
for ((cpu = 0; cpu < CPUS; cpu++)); do
	veth "$out" "a$cpu" "$in" "b$cpu"
	wires+=("a$cpu")
done

guard_all() {
	for ((cpu = 0; cpu < CPUS; cpu++)); do
		at "$in" seenctl guard add dev "b$cpu" filter f "$@" >/dev/null ||
			exit 1
	done
}

unguard_all() {
	for ((cpu = 0; cpu < CPUS; cpu++)); do
		at "$in" seenctl guard del dev "b$cpu"
	done
	at "$in" seenctl filter del f
}

# race_frames FRAMES WHAT: the capacity is large, because with a verdict per port all guards share
# three tenths of it.
race_frames() {
	local keys=$1 what=$2 new

	# shellcheck disable=SC2086 # one word a parameter
	add_filter $((keys * CPUS * 4)) key frame $what
	guard_all verdict dup action count
	at "$out" frames 0 "$keys" "${wires[@]}"
	check "guards, $what: every frame is judged" \
		await 10 ports_reach "$in" judged $((keys * CPUS))
	new=$(ports_sum "$in" new)
	between "guards, $what: each frame is new once" "$new" \
		$((keys - $(most "$keys" "$(filter_get "$in" f .fpp)"))) "$keys"
	is "guards, $what: its other copies are duplicates" \
		"$(($(ports_sum "$in" dup_same_port) +
			$(ports_sum "$in" dup_other_port)))" \
		$((keys * CPUS - new))
	is "guards, $what: the filter counted the same" \
		"$(filter_get "$in" f .stats.new)" "$new"
	unguard_all
}

for what in "${guards_many[@]}"; do
	race_frames "$MANY" "$what"
done
for what in "${guards_few[@]}"; do
	race_frames "$FEW" "$what"
done

# All CPUs send the same frames to one port; then the same frames arrive on another port.
same=()
for ((cpu = 0; cpu < CPUS; cpu++)); do
	same+=(a0)
done
add_filter $((MANY * CPUS * 4)) key frame type cuckoo window 1h bits 32
guard_all verdict other-port action count
at "$out" frames 0 "$MANY" "${same[@]}"
check "one port: every frame is judged" \
	await 10 ports_reach "$in" judged $((MANY * CPUS))
is "one port: each frame is new once" "$(ports_sum "$in" new)" "$MANY"
is "one port: no frame counts as from another port" "$(ports_sum "$in" dup_other_port)" 0
at "$out" frames 0 "$MANY" a1
check "other port: every frame is judged" \
	await 10 ports_reach "$in" judged $((MANY * (CPUS + 1)))
is "other port: every frame counts as from another port" \
	"$(ports_sum "$in" dup_other_port)" "$MANY"

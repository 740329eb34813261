#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Runs each fuzzer of tools/fuzz on its corpus and then for a number of inputs, with a fixed seed.
# A long run has a hundred times as many inputs, a random seed (or $TEST_SEED), several fuzzers at
# a time, and keeps useful inputs in build/fuzz/corpus. FUZZERS names fuzzers; if it is set, only
# these are built and run.

# Fuzzers write thousands of files and sync each of them, so the files are kept in memory.
[ ! -w /dev/shm ] || export TMPDIR=/dev/shm
. "$(dirname "$0")/../lib.sh"
top=$(cd "$(dirname "$0")/../.." && pwd)
fuzz=$top/build/fuzz
captures=${SEEN_CAPTURES:-$top/../shared/data/captures}
PATH=$top/build/tools:$PATH

# snapshot PARAMETERS...: makes a file of such a filter with a key in it.
snapshot() {
	local file key=80

	[[ $* == *"key src"* ]] && key=192.0.2.0
	file=$lib_dir/seeds/snapshot/$(tr -c '[:alnum:]\n' _ <<<"$*")
	seenctl file create "$file" "$@" >/dev/null &&
		seenctl file add "$file" "$key"
}

snapshots() {
	local type

	snapshot key sport range 0-99 &&
		snapshot key src/24 range 192.0.0.0/16 || return
	for type in "bloom fpp 0.01" "bloom layout classic fpp 0.01" \
			"bloom window 1h fpp 0.01" cuckoo "cuckoo window 1h" \
			"counting fpp 0.02" map cms "cms window 1h" cmm; do
		# shellcheck disable=SC2086
		snapshot type $type capacity 4 key sport || return
	done
}

# start TARGET RUNS OPTION...: runs a fuzzer in a folder of its own, because seenctl may write
# files. New inputs are added to the first corpus.
start() {
	local target=$1 runs=$2 new dict

	shift 2
	runs=$((runs * $(long 1 100)))
	new=$(long "$lib_dir/new/$target" "$fuzz/corpus/$target")
	dict=$top/tools/fuzz/$target.dict
	[ ! -e "$dict" ] || set -- -dict="$dict" "$@"
	mkdir -p "$new" "$lib_dir/seeds/$target" "$lib_dir/cwd/$target"
	cd "$lib_dir/cwd/$target" && "$fuzz/fuzz_$target" -seed="$seed" \
		-runs="$runs" -rss_limit_mb=4096 -timeout=60 -close_fd_mask=3 \
		-artifact_prefix="$fuzz/$target-" "$@" "$new" \
		"$top/tools/fuzz/corpus/$target" "$lib_dir/seeds/$target" \
		>"$lib_dir/$target.log" 2>&1
	echo $? >"$lib_dir/$target.status"
}

# judge TARGET RUNS EDGES: the fuzzer made all its runs, and reached at least EDGES edges.
judge() {
	local made=0 edges=0 features=0 runs=$(($2 * $(long 1 100)))

	read -r made edges features < <(sed -n \
		's/^#\([0-9]*\)\tDONE *cov: \([0-9]*\) ft: \([0-9]*\).*/\1 \2 \3/p' \
		"$lib_dir/$1.log")
	if [ "${made:-0}" -ge "$runs" ] && [ "$(<"$lib_dir/$1.status")" = 0 ]; then
		ok "$1: $runs inputs do no harm"
		figure "fuzz $1: $made runs, $edges edges, $features features, 0 crashes"
	else
		not_ok "$1: $runs inputs do no harm"
		note "$(grep -aE '^ *#[0-9]+ 0x|ERROR|SUMMARY|fuzz:|runtime error|Test unit' \
			"$lib_dir/$1.log" | head -n 30)"
	fi
	between "$1: edges of the code that were reached" "${edges:-0}" "$3" 100000
}

# The fuzzers: name, runs, least number of edges, options.
targets="
packet	10000	550	-max_len=1600
snapshot 6000	1650	-max_len=8192
set	2500	1850	-max_len=250 -len_control=0
top	1000	360	-max_len=150 -len_control=0
arrival	2000	325	-max_len=200 -len_control=0
text	20000	600	-max_len=150
cli	8000	1250	-max_len=400 -len_control=10
file	4000	1500	-max_len=600
capture	8000	300	-max_len=800
xtables	8000	70	-max_len=150
fleet	20000	150	-max_len=400
"
list=$(awk 'NF { print $1 }' <<<"$targets")
# libFuzzer would replace a seed of 0 by a random one.
seed=$((${TEST_SEED:-$(long 1 $RANDOM)} & 0x7fffffff | 1))

# build: builds the chosen fuzzers, or all.
build() {
	local name files=()

	for name in ${FUZZERS:-}; do
		files+=("$fuzz/fuzz_$name")
	done
	make -s -C "$top/tools/fuzz" "${files[@]}"
}

# chosen: prints the lines of $targets whose fuzzers run.
chosen() {
	awk -v names="${FUZZERS:-}" 'NF && (names == "" ||
		index(" " names " ", " " $1 " "))' <<<"$targets"
}

rows=$(chosen)
plan $((4 + 2 * $(wc -l <<<"$rows")))
check "the fuzzers build" build
is "each fuzzer in tools/fuzz is in the list" "$(sort <<<"$list")" \
	"$(make -s -C "$top/tools/fuzz" list | sort)"
mkdir -p "$lib_dir/seeds/snapshot" "$lib_dir/seeds/packet"
check "the corpus gets a snapshot of every type" snapshots
if [ -d "$captures" ]; then
	check "the corpus gets real frames" "$top/tools/fuzz/seeds.py" \
		"$captures" "$lib_dir/seeds/packet"
else
	skip "the corpus gets real frames" "SEEN_CAPTURES names no folder"
fi

figure "fuzz: seed $seed"
while read -r target runs _ options; do
	[ -n "$target" ] || continue
	while [ "$(jobs -rp | wc -l)" -ge "$(long 1 "$(nproc)")" ]; do
		wait -n
	done
	# shellcheck disable=SC2086
	start "$target" "$runs" $options &
done <<<"$rows"
wait
while read -r target runs edges _; do
	[ -z "$target" ] || judge "$target" "$runs" "$edges"
done <<<"$rows"

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# A short run of each fuzzer, from files of every type, and with one seed.

. "$(dirname "$0")/../lib.sh"
top=$(cd "$(dirname "$0")/../.." && pwd)
PATH=$top/build/tools:$PATH

# corpus PARAMETERS...: a file of such a filter, with a key in it.
corpus() {
	local file key=80

	[[ $* == *"key src"* ]] && key=192.0.2.0
	file=$lib_dir/corpus/$(tr -c '[:alnum:]\n' _ <<<"$*")
	seenctl file create "$file" "$@" >/dev/null &&
		seenctl file add "$file" "$key"
}

plan 14
check "the fuzzers build" make -s -C "$top/tools/fuzz"
mkdir "$lib_dir/corpus"
check "a bitmap" corpus key sport range 0-99
check "of networks" corpus key src/24 range 192.0.0.0/16
for type in "bloom fpp 0.01" "bloom layout classic fpp 0.01" \
		"bloom window 1h fpp 0.01" cuckoo "cuckoo window 1h" \
		"counting fpp 0.02" map cms "cms window 1h" cmm; do
	# shellcheck disable=SC2086
	check "type $type" corpus type $type capacity 4 key sport
done
check "20,000 damaged snapshots do no harm" "$top/build/fuzz/fuzz_snapshot" \
	-runs=20000 -seed=1 -max_len=8192 -rss_limit_mb=4096 "$lib_dir/corpus"

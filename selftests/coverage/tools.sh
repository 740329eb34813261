#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Which lines of tools/ did no test run? Reads the counts that seenctl wrote in guests with the
# kernel uml-gcov and in the stage tools.

. "$(dirname "$0")/../lib.sh"

top=$(cd "$(dirname "$0")/../.." && pwd)
counts=$top/build/check/counts
report=$top/build/check/coverage-tools.txt

merged() {
	find "$counts" -name '*.profraw' >"$lib_dir/list" &&
		llvm-profdata merge -o "$lib_dir/all" -f "$lib_dir/list"
}

# share FOLDER: prints the number of lines of the files in FOLDER, and how many of them ran.
share() {
	llvm-cov export -summary-only -instr-profile="$lib_dir/all" \
		"$top/build/coverage/seenctl" |
		jq -r --arg folder "/$1/" '[.data[0].files[] |
			select(.filename | contains($folder)) |
			.summary.lines] | "\(map(.count) | add) \(map(.covered) | add)"'
}

# judge FOLDER LEAST
judge() {
	local lines ran

	read -r lines ran < <(share "$1")
	figure "$1: $ran of $lines lines run, $((100 * ran / lines)) %"
	between "$1: percentage of lines run" $((100 * ran / lines)) "$2" 100
}

plan 4
check "the tests on the host have written counts" compgen -G "$counts/host/*.profraw"
check "the counts can be merged" merged
judge tools/seenctl 85
judge tools/lib 75
llvm-cov show -instr-profile="$lib_dir/all" "$top/build/coverage/seenctl" \
	>"$report" 2>/dev/null

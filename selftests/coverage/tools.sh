#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Which lines of tools/ did no test run? What seenctl has counted in
# guests uml-gcov and in the stage tools.

. "$(dirname "$0")/../lib.sh"

top=$(cd "$(dirname "$0")/../.." && pwd)
counts=$top/build/check/counts
report=$top/build/check/coverage-tools.txt

merged() {
	find "$counts" -name '*.profraw' >"$lib_dir/list" &&
		llvm-profdata merge -o "$lib_dir/all" -f "$lib_dir/list"
}

# share FOLDER: lines, and those that did not run, of what lies in it.
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
	between "$1: of a hundred lines run" $((100 * ran / lines)) "$2" 100
}

plan 4
check "the tests of the host have counted" compgen -G "$counts/host/*.profraw"
check "the counts are read" merged
judge tools/seenctl 85
judge tools/lib 75
llvm-cov show -instr-profile="$lib_dir/all" "$top/build/coverage/seenctl" \
	>"$report" 2>/dev/null

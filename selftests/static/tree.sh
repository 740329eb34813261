#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# What holds for the tree as a whole.

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/helpers/files.sh"
cd "$(dirname "$0")/../.." || exit

# core/ must compile anywhere with these headers alone.
core="types compiler atomic barrier spinlock seqlock build_bug byteorder log2"

core_includes() {
	local allowed

	allowed=$(for name in $core; do echo "<(linux|asm)/$name\.h>"; done)
	! sources '^kmod/core/.*\.[ch]$' | xargs grep -Hn '^ *# *include' |
		grep -vE "include +($(tr '\n' '|' <<<"$allowed")\"[a-z_]+\.h\")"
}

core_conditions() {
	! sources '^kmod/core/.*\.[ch]$' | xargs grep -n '__KERNEL__'
}

# The brackets keep this line from finding itself.
machine_paths() {
	! sources . | xargs grep -nIE '(^|[^a-z0-9_.)}])/(wor[k]|hom[e])/'
}

spdx() {
	local file

	sources '\.([ch]|sh|py|awk)$|(Makefile|Kbuild)$' |
		while read -r file; do
			head -n3 "$file" | grep -q SPDX-License-Identifier ||
				echo "$file"
		done | (! grep .)
}

# A test that is in no row of the table never runs.
listed() {
	local file

	sources '^selftests/[a-z]*/[^/]*\.(sh|py)$' |
		grep -vE '/(run|show|build|measure|report|hosts|requests)\.(sh|py)$|^selftests/vm/' |
		while read -r file; do
			file=${file#selftests/}
			grep -qwF -e "$file" -e "${file%/*}/*" selftests/tests || echo "$file"
		done | (! grep .)
}

# A row of a stage or for a kernel that does not exist, or for a test that has gone, never
# runs.
rows_are_right() {
	local word stages kernels

	stages=$(sed -n 's/^check-\([a-z]*\): ##.*/\1/p' Makefile | tr '\n' '|')
	kernels=$(make -s -C selftests kernels | tr ' ' '|')
	! grep -vE '^#|^[[:blank:]]|^$' selftests/tests |
		grep -vE "^(${stages%|})[+-]?[[:blank:]]+(host|first|alone|($kernels)-[1-9])[[:blank:]]" ||
		return

	grep -v '^#' selftests/tests | grep -o '[^[:blank:]]*/[^[:blank:]]*' | sort -u |
		while read -r word; do
			case $word in
			../build/*) ;;
			PARAMS_FILE=*) [ -e "selftests/${word#*=}" ] || echo "$word" ;;
			*/\*) [ -d "selftests/${word%/*}" ] || echo "$word" ;;
			*)	[ -x "selftests/$word" ] || echo "$word" ;;
			esac
		done | (! grep .)
}

# all_planned [LONG]: no job of check-all writes the log of another one.
all_planned() {
	local stages jobs

	stages=$(make -sn check-all LONG="$1" | sed -n 's/.*selftests\/check //p')
	# shellcheck disable=SC2086 # a word a stage
	jobs=$(LONG=$1 selftests/check --plan $stages) && grep -q /static/ <<<"$jobs"
}

# What clears the log, or moves its mark, takes the guest's verdict its first line.
log_cleared() {
	! sources '^selftests/' | grep -v '^selftests/vm/stage2$' |
		xargs grep -nE 'dmesg +(-[a-zA-Z]*[cC]|--(read-)?clea[r])|READ_CLEA[R]'
}

plan 10
check "core includes nothing but the few headers that it may" core_includes
check "core does not ask where it runs" core_conditions
check "no line names a place on somebody's machine" machine_paths
check "every source file states its licence" spdx
check "nothing clears the kernel's log" log_cleared
check "every guest test is in the table of tests" listed
check "the table names stages, kernels and tests that are there" rows_are_right
check "each job has a log of its own" all_planned ""
check "and in a long run" all_planned 1
# One whose line has changed proves nothing any more.
check "each mutant can be planted" selftests/mutant --check

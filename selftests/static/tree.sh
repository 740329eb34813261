#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Rules for the whole tree: includes of core, licences, machine paths, the table of tests, mutants.

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/helpers/files.sh"
cd "$(dirname "$0")/../.." || exit

# core/ must compile anywhere with only these headers.
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

# The brackets keep the pattern from matching this line.
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

# A test without a row in the table never runs.
listed() {
	local file

	sources '^selftests/[a-z]*/[^/]*\.(sh|py)$' |
		grep -vE '/(run|show|build|measure|report|hosts|requests)\.(sh|py)$|^selftests/vm/' |
		while read -r file; do
			file=${file#selftests/}
			grep -qwF -e "$file" -e "${file%/*}/*" selftests/tests || echo "$file"
		done | (! grep .)
}

# A row never runs if its stage, its kernel or its test does not exist.
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

# all_planned [LONG]: no two jobs of check-all write the same log.
all_planned() {
	local stages jobs

	stages=$(make -sn check-all LONG="$1" | sed -n 's/.*selftests\/check //p')
	# shellcheck disable=SC2086 # a word a stage
	jobs=$(LONG=$1 selftests/check --plan $stages) && grep -q /static/ <<<"$jobs"
}

# A test that clears the kernel log, or moves its mark, hides lines from the guest's verdict.
log_cleared() {
	! sources '^selftests/' | grep -v '^selftests/vm/stage2$' |
		xargs grep -nE 'dmesg +(-[a-zA-Z]*[cC]|--(read-)?clea[r])|READ_CLEA[R]'
}

plan 10
check "core includes only the headers in this list" core_includes
check "core does not depend on __KERNEL__" core_conditions
check "no file contains a path of somebody's machine" machine_paths
check "every source file states its licence" spdx
check "nothing clears the kernel's log" log_cleared
check "every guest test is in the table of tests" listed
check "the table names only stages, kernels and tests that exist" rows_are_right
check "each job has a log of its own" all_planned ""
check "each job of a long run has a log of its own" all_planned 1
# A mutant whose line has changed proves nothing.
check "each mutant can be planted" selftests/mutant --check

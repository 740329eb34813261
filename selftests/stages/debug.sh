# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Sourced by ../check.sh: the module in guests that check themselves. A short run
# has those tests that bring the most of the module in the least time; a long one
# has all, on Linux 6.1 and on the newest.

# debug_tests KERNEL: into list.
debug_tests() {
	mapfile -t list < <(ALL=$LONG picked "$1" 2)
}

debug_emulated() {
	local list

	debug_tests debug
	in_guest debug 2 "${list[@]}"
}

debug() {
	local list

	await_emulated debug
	debug_tests debug
	judge_guest debug 2 "${list[@]}"
	[ -n "$LONG" ] || return 0
	debug_tests uml-debug
	one_guest uml-debug 2 "${list[@]}"
	PLANTED="debug uml-debug" TEST_TIMEOUT=7200 on_host planted vm/planted.sh
}

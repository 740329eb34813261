# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Sourced by ../check.sh: the module in guests that check themselves. A short run
# has those tests that bring the most of the module in the least time; a long one
# has all, on Linux 6.1 and on the newest.

debug() {
	local kernel list selves=debug

	[ -z "$LONG" ] || selves="debug uml-debug"
	PLANTED=$selves TEST_TIMEOUT=7200 on_host planted vm/planted.sh
	for kernel in $selves; do
		mapfile -t list < <(ALL=$LONG picked "$kernel" 2)
		one_guest "$kernel" 2 "${list[@]}"
	done
}

# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Sourced by ../check.sh: the benchmark of rules runs, with few keys, and counts right.
# Times are told, and not judged.

bench() {
	local kernel mem=2G

	[ -z "$LONG" ] || mem=8G
	for kernel in ${KERNELS:-uml}; do
		if "$here/bench/build.sh" "$kernel" "$top/build/helpers/bench"; then
			PARAMS="xt_recent.ip_list_tot=1048576" MEM=${MEM:-$mem} \
				one_guest "$kernel" 2 bench/kernel.sh
		else
			fail "bench: the module that measures does not build"
		fi
	done
}

# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Sourced by ../check.sh: kmod/core in userspace. No other test of it runs beside its
# threads: one that waits for the CPU for too long has nothing to show. What runs beside all
# stages is nice.

core() {
	local log=$out/core.log status=0 list

	make -C "$here/core" -j2 all >"$log" 2>&1 || {
		tail -n 30 "$log"
		fail "core: it does not build"
		return
	}
	TEST_TIMEOUT=$(left 3600) make -C "$here/core" check 2>&1 | tee "$log" | progress
	status=${PIPESTATUS[0]}
	mapfile -t list < <(make -s -C "$here/core" list)
	judge core "$log" "$status" "${list[@]/#/../build/core/}"
}

# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Sourced by ../check.sh: a flood through guards, and commands that are long; and how
# much of these is done while others wait.

load() {
	local log=$out/load-build.log kernel

	if make -C "$here/load" -j2 all >"$log" 2>&1; then
		on_host load ../build/load/held
	else
		tail -n 30 "$log"
		fail "load: it does not build"
	fi
	for kernel in ${KERNELS:-uml ${LONG:+debug}}; do
		MEM=3G one_guest "$kernel" 2 load/load.sh
	done
}

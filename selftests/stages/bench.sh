# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Sourced by ../check.sh: the benchmark of rules runs, with few keys, and counts right,
# and its figures are what a page is made of.
# Times are told, and not judged.

bench() {
	local kernel mem=2G module=$top/build/bench-module

	[ -z "$LONG" ] || mem=8G
	for kernel in ${KERNELS:-uml}; do
		if "$here/bench/build.sh" "$kernel" "$module"; then
			MODULES=$module PARAMS=$(cat "$here/bench/params") MEM=${MEM:-$mem} \
				one_guest "$kernel" 2 bench/kernel.sh
			"$here/bench/report.py" "$out/bench-$kernel-2.log" \
				"$out/kernel.json" "kernel=$kernel" >/dev/null ||
				fail "bench: no page can be made of its figures"
		else
			fail "bench: the module that measures does not build"
		fi
	done
}

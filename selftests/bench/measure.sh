#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# measure.sh: kernel.sh at full size in a guest of its own, then BPF on this machine.
# Writes build/bench/kernel.csv and prints the ratios. From the environment: ROUNDS, KERNEL;
# LISTS=1: loads lists alone, once, and prints that; GUARDS=1: guards alone;
# FEEDS=1: feeds alone.

set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
selftests=$(dirname "$here")
top=$(dirname "$selftests")
out=$top/build/bench
log=$out/kernel.log
[ -z "${LISTS:-}" ] || log=$out/lists.log
[ -z "${GUARDS:-}" ] || log=$out/guards.log
[ -z "${FEEDS:-}" ] || log=$out/feeds.log
KERNEL=${KERNEL:-uml-bench}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

load() {
	cut -d' ' -f1 /proc/loadavg
}

# bpf_build: compiles bpf.c with the core as `make bench` does, with a kernel's options.
bpf_build() {
	make -s -C "$here/native" core
	gcc -O2 -std=gnu11 -Wall -Wextra -Werror -D_GNU_SOURCE -I"$here/native/shim" \
		-I"$top/tools/shim" -I"$top/kmod/core" -o "$scratch/bpf" "$here/bpf.c" \
		"$out"/native/core/*.o -no-pie
}

# bpf: runs it on this machine's last CPU, or prints why that is impossible.
bpf() {
	local status=0 said

	said=$(taskset -c "$(($(nproc) - 1))" "$scratch/bpf" 1000000 "${ROUNDS:-7}" \
		2>&1 >>"$log") || status=$?
	[ $status != 0 ] || return 0
	echo "$said"
	[ $status = 4 ]
}

# commit: the measured commit; a + marks files that were changed since.
commit() {
	git -C "$top" describe --always --exclude '*' --dirty=+ 2>/dev/null || echo unknown
}

"$here/build.sh" "$KERNEL" "$top/build/bench-module"
mkdir -p "$out"
[ -n "${LISTS:-}${GUARDS:-}${FEEDS:-}" ] || bpf_build

# Other processes on the machine disturb the run: print the load.
before=$(load)
echo "measuring; this takes up to half an hour, or more where others run" >&2
LONG=1 KERNEL=$KERNEL SMP=2 MEM=${MEM:-8G} VM_TIMEOUT=14400 \
	PARAMS="$(cat "$here/params") ${ROUNDS:+BENCH_ROUNDS=$ROUNDS} \
		${LISTS:+BENCH_LISTS=1 BENCH_LOADS=1} ${GUARDS:+BENCH_GUARDS=1} \
		${FEEDS:+BENCH_FEEDS=1}" \
	FILES="$selftests/lib.sh $selftests/tap.awk $here $top/build/helpers $top/build/bench-module" \
	"$selftests/vm/vm.sh" "$selftests/run" -t 14400 bench/kernel.sh >"$log" ||
	{ status=$?; grep -v '^# json: ' "$log" | tail -n 40; exit $status; }
part=${LISTS:+list}${GUARDS:+guard}${FEEDS:+feed}
if [ -n "$part" ]; then
	"$here/report.py" --show "$log" "$part"
	exit
fi
why=$(bpf) || { echo "BPF: $why" >&2; exit 1; }
"$here/report.py" "$log" "$out/kernel.csv"
echo "CPU: $(sed -n 's/^model name.*: //p;T;q' /proc/cpuinfo)"
echo "kernel: $KERNEL $(cat "$("$selftests/vm/kernel.sh" "$KERNEL")/release")"
echo "commit: $(commit), load: $before to $(load)"
echo "JIT of BPF: $(cat /proc/sys/net/core/bpf_jit_enable 2>/dev/null || echo unknown)"
[ -z "$why" ] || echo "BPF was left out: $why"
echo "all figures: ${out#"$top/"}/kernel.csv"

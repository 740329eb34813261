#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# measure.sh: runs kernel.sh at full size in a guest of its own, then BPF on this machine. Results
# go to build/bench/kernel.json and to the terminal. From the environment: ROUNDS, KERNEL;
# LISTS=1: only lists, once, to the terminal; GUARDS=1: only guards.

set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
selftests=$(dirname "$here")
top=$(dirname "$selftests")
out=$top/build/bench
log=$out/kernel.log
[ -z "${LISTS:-}" ] || log=$out/lists.log
[ -z "${GUARDS:-}" ] || log=$out/guards.log
KERNEL=${KERNEL:-uml-bench}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

load() {
	cut -d' ' -f1 /proc/loadavg
}

# bpf_build: builds bpf.c with the core, which is compiled as in `make bench`: like a kernel.
bpf_build() {
	make -s -C "$here/native" core
	gcc -O2 -std=gnu11 -Wall -Wextra -Werror -D_GNU_SOURCE -I"$here/native/shim" \
		-I"$top/tools/shim" -I"$top/kmod/core" -o "$scratch/bpf" "$here/bpf.c" \
		"$out"/native/core/*.o -no-pie
}

# bpf: runs it on this machine's last CPU. If that is not possible, prints the reason.
bpf() {
	local status=0 said

	said=$(taskset -c "$(($(nproc) - 1))" "$scratch/bpf" 1000000 "${ROUNDS:-7}" \
		2>&1 >>"$log") || status=$?
	[ $status != 0 ] || return 0
	echo "$said"
	[ $status = 4 ]
}

# commit: prints the commit that is measured, with a + if files have changed since.
commit() {
	git -C "$top" describe --always --exclude '*' --dirty=+ 2>/dev/null || echo unknown
}

"$here/build.sh" "$KERNEL" "$top/build/bench-module"
mkdir -p "$out"
[ -n "${LISTS:-}${GUARDS:-}" ] || bpf_build

# Other programs on this machine disturb the measurement, so the load is printed.
before=$(load)
echo "measuring; this takes up to half an hour, or more where others run" >&2
LONG=1 KERNEL=$KERNEL SMP=2 MEM=${MEM:-8G} VM_TIMEOUT=14400 \
	PARAMS="$(cat "$here/params") ${ROUNDS:+BENCH_ROUNDS=$ROUNDS} \
		${LISTS:+BENCH_LISTS=1 BENCH_LOADS=1} ${GUARDS:+BENCH_GUARDS=1}" \
	FILES="$selftests/lib.sh $selftests/tap.awk $here $top/build/helpers $top/build/bench-module" \
	"$selftests/vm/vm.sh" "$selftests/run" -t 14400 bench/kernel.sh >"$log" ||
	{ status=$?; grep -v '^# json: ' "$log" | tail -n 40; exit $status; }
part=${LISTS:+lists}${GUARDS:+guards}
if [ -n "$part" ]; then
	"$here/report.py" "--$part" "$log"
	exit
fi
why=$(bpf) || { echo "BPF: $why" >&2; exit 1; }
"$here/report.py" "$log" "$out/kernel.json" \
	"CPU=$(sed -n 's/^model name.*: //p;T;q' /proc/cpuinfo)" \
	"kernel=$KERNEL $(cat "$("$selftests/vm/kernel.sh" "$KERNEL")/release")" \
	"commit=$(commit)" "rounds=${ROUNDS:-7}" "date=$(date -u +%F)" "load=$before to $(load)" \
	"JIT of BPF=$(cat /proc/sys/net/core/bpf_jit_enable 2>/dev/null || echo unknown)" ${why:+"bpf=left out: $why"}
echo "all of it is in ${out#"$top/"}/kernel.json"

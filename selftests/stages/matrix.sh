# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Sourced by ../check.sh: each kernel, both compilers, tools of 32 bits.

# on_kernel KERNEL TEST...: in one guest.
on_kernel() {
	one_guest "$1" 2 "${@:2}"
	count_passed "$@"
}

# count_passed KERNEL TEST...
count_passed() {
	local log=$out/$stage-$1-2.log

	[ ! -e "$log.status" ] || echo "$stage: $1${CLANG:+, by clang}: $(grep -c '^# end .* 0$' \
		"$log") of $(($# - 1)) tests passed" >>"$out/figures"
}

# Last, since it gives the guest its tools.
narrow=(matrix/bits32.sh net/save.sh net/snapshot.sh net/filter.sh net/types.sh
	net/top.sh net/guard.sh net/cli.sh net/json.sh net/rules_text.sh
	net/rules.sh)

matrix_long() {
	local kernel list

	BUILDS="6.12-rt uml uml-debug 6.12-clang 6.12-rt-clang uml-clang" \
		on_host matrix-builds-long static/sparse.sh
	for kernel in 6.1 6.12 6.12-rt uml uml-debug; do
		mapfile -t list < <(ALL=1 picked "$kernel" 2)
		on_kernel "$kernel" "${list[@]}"
	done
	for kernel in 6.1 6.12 6.12-rt; do
		MODULES=$tools32 on_kernel "$kernel" "${narrow[@]}"
	done
	for kernel in 6.12 6.12-rt uml; do
		CLANG=1 on_kernel "$kernel" net/rmmod.sh net/once.sh net/rules.sh
	done
}

# Where build32.sh puts them.
tools32=$top/build/bits32
by_clang=(6.1 net/gro.sh ${LONG:+net/rmmod.sh} matrix/bits32.sh)

matrix_emulated() {
	run_on_host matrix-32 matrix/build32.sh
	BUILDS=6.1-clang run_on_host matrix-builds static/sparse.sh
	CLANG=1 MODULES=$tools32 in_guest 6.1 2 "${by_clang[@]:1}"
}

matrix() {
	await_emulated matrix
	judge_on_host matrix-32 matrix/build32.sh
	judge_on_host matrix-builds static/sparse.sh
	judge_guest 6.1 2 "${by_clang[@]:1}"
	CLANG=1 count_passed "${by_clang[@]}"
	[ -z "$LONG" ] || matrix_long
}

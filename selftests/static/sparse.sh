#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The module builds on every kernel without a word from the compiler's further
# warnings (W=1) or from sparse (C=2). What the kernel's own headers provoke is
# the kernel's. BUILDS names kernels, with "-clang" behind them where clang is to
# build; guests then take that from the same folder. What gcc builds has a folder of its own:
# guests may run meanwhile.

. "$(dirname "$0")/../lib.sh"
cd "$(dirname "$0")/../.." || exit

builds=${BUILDS:-6.1 6.12}

build() {
	local entry flags="W=1 C=2" obj=$PWD/build/kmod/$1

	entry=$(selftests/vm/kernel.sh "${1%-clang}") || return
	if [[ $1 = *-clang ]]; then
		flags=$(selftests/vm/clang.sh "$entry") || return
	else
		obj+=-sparse
	fi
	mkdir -p "$obj"
	exec 9>"$obj/.lock"
	flock 9
	find "$obj" -mindepth 1 ! -name .lock -delete
	make -j2 kmod KDIR="$entry/build" KOBJ="$obj" KFLAGS="$flags" \
		>"build/check/$1.log" 2>&1
}

# Clang tells from where a header was included, and which compiler it is.
complaints() {
	! grep -E '(warning|error|WARNING|ERROR)' "build/check/$1.log" |
		grep -vE '^[^ ]*/build/cache/[^ :]*:[0-9]' |
		grep -vE '^warning: the compiler differs|^[0-9]+ warnings? generated'
}

plan $((2 * $(wc -w <<<"$builds")))
mkdir -p build/check
for name in $builds; do
	check "$name: builds" build "$name"
	check "$name: no complaints" complaints "$name"
done

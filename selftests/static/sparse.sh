#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The module builds on every kernel without a word from the compiler's further
# warnings (W=1) or from sparse (C=2). What the kernel's own headers provoke is
# the kernel's.

. "$(dirname "$0")/../lib.sh"
cd "$(dirname "$0")/../.." || exit

kernels="6.1 6.12"

build() {
	local entry obj=$PWD/build/check/$1

	entry=$(selftests/vm/kernel.sh "$1") || return
	rm -rf "$obj"
	make -j2 kmod KDIR="$entry/build" KOBJ="$obj" KFLAGS="W=1 C=2" \
		>"$obj.log" 2>&1
}

complaints() {
	! grep -E '(warning|error|WARNING|ERROR)' "build/check/$1.log" |
		grep -vE '^[^ ]*/linux-headers-[^ :]*:[0-9]'
}

plan $((2 * $(wc -w <<<"$kernels")))
mkdir -p build/check
for kernel in $kernels; do
	check "$kernel: builds" build "$kernel"
	check "$kernel: no complaints" complaints "$kernel"
done

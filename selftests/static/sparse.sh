#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The module builds on every kernel without a word from the compiler's further
# warnings (W=1) or from sparse (C=1). What the kernel's own headers provoke is
# the kernel's. BUILDS names kernels, with "-clang" behind them where clang is to
# build, which calls no sparse. What was built for a guest, with nothing there before, is not
# built again.

. "$(dirname "$0")/../lib.sh"
cd "$(dirname "$0")/../.." || exit

builds=${BUILDS:-6.1 6.12}

build() {
	local entry

	[[ $1 = *-clang ]] || command -v sparse || return
	entry=$(selftests/vm/kernel.sh "${1%-clang}") || return
	mkdir -p "build/kmod/$1"
	ANEW=1 flock "build/kmod/$1/.lock" selftests/vm/compile.sh "$1" "$entry"
}

# An error is never the kernel's: behind one sparse tells no warning of the same file. Clang
# tells from where a header was included, and which compiler it is.
complaints() {
	local words=build/kmod/$1/words

	[ -e "$words" ] && [ -e "$words.of" ] || return
	! grep -E '(warning|error|WARNING|ERROR|not available or not up to date)' "$words" |
		grep -vE '^[^ ]*/build/cache/[^ :]*:[0-9]+:([0-9]+:)? warning' |
		grep -vE '^warning: the compiler differs|^[0-9]+ warnings? generated' ||
		{ rm "$words.of"; false; }
}

plan $((2 * $(wc -w <<<"$builds")))
for name in $builds; do
	check "$name: builds" build "$name"
	check "$name: no complaints" complaints "$name"
done

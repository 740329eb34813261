#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The module builds on every kernel without a warning of the compiler (W=1) or of sparse.
# The test judges the output of vm/compile.sh, which builds the module once for this test and for
# the guests, in `make check-static`. Warnings about the kernel's own headers do not count.

. "$(dirname "$0")/../lib.sh"
cd "$(dirname "$0")/../.." || exit

words=build/check/words
# Stage matrix builds for more kernels.
names=$({ printf '%s\n' 6.1 6.12 uml; ls "$words"; } | sort -u)

# An error never counts as the kernel's: after an error, sparse prints no warnings for that
# file. Clang prints where a header was included from, and which compiler it is.
complaints() {
	! grep -E '(warning|error|WARNING|ERROR|not available or not up to date)' "$words/$1" |
		grep -vE '^[^ ]*/seen/kernel-[^ :]*:[0-9]+:([0-9]+:)? warning' |
		grep -vE '^warning: the compiler differs|^[0-9]+ warnings? generated'
}

plan $((1 + 2 * $(wc -w <<<"$names")))
check "sparse is installed" command -v sparse
for name in $names; do
	check "$name: builds" [ -e "$words/$name" ]
	check "$name: no complaints" complaints "$name"
done

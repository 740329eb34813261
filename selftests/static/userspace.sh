#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Everything in userspace builds with both compilers without a warning.

. "$(dirname "$0")/../lib.sh"
cd "$(dirname "$0")/../.." || exit

build() {
	make -C "$2" -B -j2 CC="$1 -Wall -Wextra -Werror" "${@:3}"
}

out=$PWD/build/check
plan 4
for cc in gcc clang; do
	check "$cc: the command line tool" build $cc tools B="$out/tools-$cc"
	check "$cc: the tests' helpers" \
		build $cc selftests/net/helpers OUT="$out/helpers-$cc"
done

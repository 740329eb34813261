#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# A warning of the kernel, sent with a successful answer, is printed to standard error with every
# output option, and does not change standard output. helpers/fake_kernel.c is preloaded.

. "$(dirname "$0")/../lib.sh"
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
PATH=${TOOLS:-$top/build/tools}:$PATH
read -ra nl < <(pkg-config --cflags --libs libnl-3.0 libnl-genl-3.0)

# warned WHAT OUT WORD...: seenctl with these words prints OUT and the warning.
warned() {
	local what=$1 want=$2

	shift 2
	is "$what: the answer" "$(LD_PRELOAD=$lib_dir/warning.so seenctl "$@" \
		2>"$lib_dir/said")" "$want"
	is "$what: the warning" "$(cat "$lib_dir/said")" "seenctl: note: this is a warning"
}

plan 13
check "a kernel that warns" gcc -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -Werror -O2 -shared \
	-fPIC -I"$top/uapi" -o "$lib_dir/warning.so" "$here"/helpers/{warning,fake_kernel}.c \
	"${nl[@]}"
warned "no option" "" filter flush f
warned "-o" "" -o filter flush f
warned "-j" "{}" -j filter flush f
warned "-soj" "{}" -soj filter flush f
warned "guard add" "" guard add dev d0 filter f action count
warned "guard replace" "" guard replace dev d0 filter f action count

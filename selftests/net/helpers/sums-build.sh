#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# sums-build.sh KERNEL OUT: builds the module of net/trail_sums.sh for this guest kernel, and copies
# it to the folder OUT.

set -euo pipefail

here=$(cd "$(dirname "$0")/.." && pwd)
top=$(cd "$here/../.." && pwd)
entry=$("$top/selftests/vm/kernel.sh" "${1%-clang}")
obj=$top/build/kmod/$1-sums
flags=(W=1 KCFLAGS=-g0 CONFIG_DEBUG_INFO_BTF_MODULES=)
case $1 in
*-clang) eval "flags+=($("$top/selftests/vm/clang.sh" "$entry"))" ;;
*-gcov)	eval "flags+=($("$top/selftests/vm/gcov.sh"))" ;;
esac

mkdir -p "$obj" "$2"
cp -rsf "$top/kmod" "$top/uapi" "$obj/"
find "$obj" -xtype l -delete
cp "$here/module/sums.c" "$obj/"
cat "$top/Kbuild" "$here/module/Kbuild" >"$obj/Kbuild"
make -s -C "$entry/build" M="$obj" "${flags[@]}" modules
cp "$obj/seen_sums.ko" "$2/"

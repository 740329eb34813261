#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# compile.sh NAME ENTRY: builds the modules for the kernel in the cache entry ENTRY, in
# build/kmod/NAME, whose .lock the caller holds. With -clang behind NAME clang builds them,
# with -gcov they count which of their lines run. With SPARSE=FILE all of it is built again
# and checked by sparse, and FILE gets all that is said of it, once it is built.

. "$(dirname "$0")/common.sh"

name=$1 entry=$2
obj=$top/build/kmod/$name
case $name in
*-clang) flags=$("$vm/clang.sh" "$entry") ;;
*-gcov)	flags=$("$vm/gcov.sh") ;;
# Guests need no debug information; BTF is made of it.
*)	flags="W=1 KCFLAGS=-g0 CONFIG_DEBUG_INFO_BTF_MODULES=" ;;
esac
compile() {
	echo "$flags" >"$obj/flags"
	make -s -j"$(nproc)" -C "$top" kmod KDIR="$entry/build" KOBJ="$obj" KFLAGS="$flags"
}

if [ -z "${SPARSE:-}" ]; then
	compile >&2
	exit
fi
find "$obj" -name '*.o' -delete
# The sources are the same for both compilers, and sparse looks at them with gcc's.
[[ $name = *-clang ]] || flags+=" C=1"
# Linux 7.2 uses what Debian 12's sparse does not know.
[[ $name != uml* ]] || flags+=" CHECK='sparse -include $vm/sparse.h'"
mkdir -p "${SPARSE%/*}"
compile 2>&1 | tee "$SPARSE.new" >&2
mv "$SPARSE.new" "$SPARSE"

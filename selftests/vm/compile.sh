#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# compile.sh NAME ENTRY: builds the modules for the kernel in the cache entry ENTRY, in the folder
# build/kmod/NAME. The caller holds the lock of its file .lock. If NAME ends in -clang, clang
# builds them; if it ends in -gcov, they count which of their lines run. With SPARSE=FILE
# everything is rebuilt and checked by sparse, and FILE gets all messages of the build.

. "$(dirname "$0")/common.sh"

name=$1 entry=$2
obj=$top/build/kmod/$name
case $name in
*-clang) flags=$("$vm/clang.sh" "$entry") ;;
*-gcov)	flags=$("$vm/gcov.sh") ;;
# Guests need neither debug information nor BTF, which is made from it.
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
# Both compilers build the same sources, so sparse checks them once, in the build by gcc.
[[ $name = *-clang ]] || flags+=" C=1"
# sparse of Debian 12 lacks features that Linux 7.2 uses.
[[ $name != uml* ]] || flags+=" CHECK='sparse -include $vm/sparse.h'"
mkdir -p "${SPARSE%/*}"
compile 2>&1 | tee "$SPARSE.new" >&2
mv "$SPARSE.new" "$SPARSE"

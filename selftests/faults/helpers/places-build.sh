#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# places-build.sh KERNEL OUT: the module for that guest kernel, every allocation of
# which can be made to fail, into the folder OUT: module/places.h.

set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
top=$(cd "$here/../.." && pwd)
entry=$("$top/selftests/vm/kernel.sh" "$1")
obj=$top/build/kmod/$1-places

mkdir -p "$obj" "$2"
cp -rsf "$top/kmod" "$top/uapi" "$obj/"
find "$obj" -xtype l -delete
cp "$here"/module/*.[ch] "$obj/"
cat "$top/Kbuild" "$here/module/Kbuild" >"$obj/Kbuild"
make -s -C "$entry/build" M="$obj" modules
cp "$obj/seen.ko" "$obj/seen_nth.ko" "$2/"

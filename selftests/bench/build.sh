#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# build.sh KERNEL OUT: builds the module that measures, for this guest kernel, into OUT.

set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
entry=$("$top/selftests/vm/kernel.sh" "$1")
obj=$top/build/kmod/bench-$1

mkdir -p "$obj" "$2"
exec 9>"$obj/.lock"
flock 9
cp -rsf "$here"/module/* "$top"/kmod/core/{hash,siphash}.[ch] "$top"/kmod/core/{le,wide,siphash_rounds}.h \
	"$obj/"
find "$obj" -xtype l -delete
make -s -C "$entry/build" M="$obj" modules
cp "$obj/seen_bench.ko" "$2/"

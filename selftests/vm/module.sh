#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# module.sh NAME ENTRY DIR: builds the modules for the guest kernel in the cache entry ENTRY, and
# copies to DIR the files of lib/modules by which modprobe and auto-loading find them. If NAME
# ends in -gcov, the modules count which of their lines run; with CLANG=1 in the environment,
# clang builds them.

. "$(dirname "$0")/common.sh"

name=$1 entry=$2
[ -z "${CLANG:-}" ] || name+=-clang
rel=$(cat "$entry/release")
obj=$top/build/kmod/$name
stage=$obj/root
mod=$stage/lib/modules/$rel

index() {
	rm -rf "$stage"
	mkdir -p "$mod/updates"
	ln -s "$entry/lib/modules/$rel/kernel" "$mod/kernel"
	cp "$entry/lib/modules/$rel"/modules.{order,builtin,builtin.modinfo} "$mod"
	cp "$obj"/*.ko "$mod/updates"
	depmod -b "$stage" "$rel"
	rm "$mod/kernel"
}

mkdir -p "$obj"
exec 9>"$obj/.lock"
flock 9
[ -e "$top/kmod/main.c" ] || exit 0
"$vm/compile.sh" "$name" "$entry"
stamp=$(digest "$obj"/*.ko "$0")
if [ "$(cat "$stage/stamp" 2>/dev/null)" != "$stamp" ]; then
	index >&2
	echo "$stamp" >"$stage/stamp"
fi
# The caller gets a copy, because another process may start a build at any time.
cp -a "$stage/lib/modules" "$3"

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# compile.sh NAME ENTRY: builds the modules for the kernel in the cache entry ENTRY, in
# build/kmod/NAME, whose .lock the caller holds. With -clang behind NAME it is clang that
# builds, with -gcov they count what runs of them. What the compiler's further warnings (W=1) and
# sparse, where there is one, say of all of it is then in "words" there, if nothing was built
# before; with ANEW=1 it is always: nothing is built again of which it is there already. What
# make was given as KFLAGS is in "flags".

. "$(dirname "$0")/common.sh"

name=$1 entry=$2
obj=$top/build/kmod/$name
sparse=C=1
# Linux 7.2 asks for more than Debian 12's sparse knows.
[[ $name != uml* ]] || sparse+=" CHECK='sparse -include $vm/sparse.h'"
[ -n "$(command -v sparse)" ] || sparse=
case $name in
*-clang) flags=$("$vm/clang.sh" "$entry") ;;
*-gcov)	flags=$("$vm/gcov.sh") ;;
# Nobody asks what is said of it.
debug | kcsan) flags= ;;
*)	flags="W=1 $sparse" ;;
esac
# Guests get modules without what debuggers want, a sixth of the compiler's time; BTF is made
# of that.
[[ $name = *-gcov ]] || flags+=" KCFLAGS=-g0 CONFIG_DEBUG_INFO_BTF_MODULES="

# What the words are of.
state() {
	local tool

	{
		echo "$entry $flags"
		for tool in gcc clang-14 clang-16 sparse; do
			"$tool" --version 2>/dev/null || true
		done
		cd "$top" && find Kbuild kmod uapi selftests/vm/sparse.h -type f -exec sha256sum {} +
	} | sort | digest -
}

compile() {
	echo "$flags" >"$obj/flags"
	make -s -j2 -C "$top" kmod KDIR="$entry/build" KOBJ="$obj" KFLAGS="$flags"
}

now=$(state)
[ -z "${ANEW:-}" ] || [ "$(cat "$obj/words.of" 2>/dev/null)" != "$now" ] || exit 0
if [ -z "${ANEW:-}" ] && compgen -G "$obj/*.o" >/dev/null; then
	[ "$(cat "$obj/words.of" 2>/dev/null)" = "$now" ] || rm -f "$obj/words.of"
	compile >&2
else
	# What says that the words are there goes first.
	rm -f "$obj/words.of"
	find "$obj" -mindepth 1 ! -name .lock -delete
	compile 2>&1 | tee "$obj/words" >&2
	[[ $flags != *W=1* ]] || echo "$now" >"$obj/words.of"
fi

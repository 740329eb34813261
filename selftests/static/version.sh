#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Modules, tools and packages have the version of kmod/version.h.

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/helpers/files.sh"
cd "$(dirname "$0")/../.." || exit

version=$(sed -n 's/^#define SEEN_VERSION "\(.*\)"$/\1/p' kmod/version.h)

# unversioned: modules that do not have this version.
unversioned() {
	sources '^kmod/.*\.c$' | xargs grep -l '^MODULE_LICENSE' |
		xargs grep -L '^MODULE_VERSION(SEEN_VERSION);$'
}

plan 6
match "the version" "$version" '^[0-9]+\.[0-9]+\.[0-9]+$'
is "both modules have it" "$(unversioned)" ""
is "the Debian packages have it" "$(sed -n '1s/.*(\(.*\)).*/\1/p' debian/changelog)" "$version"
is "the rpm has it" "$(sed -n 's/^Version:[[:blank:]]*//p' packaging/rpm/seen.spec)" "$version"
is "seenctl has it" "$(build/tools/seenctl -V 2>/dev/null | sed -n '1s/^seenctl //p')" "$version"
is "the name of the library has its first number" \
	"$(sed -n 's/^SONAME := libseen\.so\.//p' tools/Makefile)" "${version%%.*}"

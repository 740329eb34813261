#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The tools build for 32 bits without a warning. They are put into a folder for the guest,
# together with a 32-bit iptables and the libraries that all of them need.

. "$(dirname "$0")/../lib.sh"
cd "$(dirname "$0")/../.." || exit

built=$PWD/build/check/tools32
to=$PWD/build/parts/all/bits32

build() {
	PKG_CONFIG_SYSROOT_DIR=$root \
	PKG_CONFIG_LIBDIR=$root/usr/lib/i386-linux-gnu/pkgconfig \
		make -s -C tools -j2 B="$built" \
		CC="clang --target=i686-linux-gnu --sysroot=$root" all
}

# libraries FILE...: copies the libraries that the files need, and those that these need.
libraries() {
	local name

	readelf -d "$@" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | sort -u |
		while read -r name; do
			[ ! -e "$to/lib/$name" ] || continue
			find "$root"/{,usr/}lib/i386-linux-gnu -maxdepth 1 \
				-name "$name" -exec cp -L {} "$to/lib" \;
			libraries "$to/lib/$name" || return
		done
}

put() {
	mkdir -p "$to/lib/xtables" "$to/sbin"
	cp "$root/usr/lib/i386-linux-gnu"/xtables/*.so "$built/libxt_seen.so" \
		"$to/lib/xtables" &&
		cp "$root"/usr/sbin/xtables-{legacy,nft}-multi \
			"$built/seenctl" "$to/sbin" &&
		cp -L "$root/lib/ld-linux.so.2" "$to/lib" &&
		libraries "$to"/sbin/* "$to"/lib/xtables/*
}

# The fifth byte of an ELF file: 1 for 32 bits.
narrow() {
	[ "$(od -An -tu1 -j4 -N1 "$1" | tr -d ' ')" = 1 ]
}

rm -rf "$to"
plan 4
root=$(selftests/vm/i386.sh) || exit
check "the tools build" build
check "the folder has all that the tools need to run" put
check "seenctl is a 32-bit program" narrow "$to/sbin/seenctl"
check "the plugin is a 32-bit library" narrow "$to/lib/xtables/libxt_seen.so"

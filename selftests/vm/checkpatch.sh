#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# checkpatch.sh: prints the cache entry with the kernel's checkpatch.pl. Debian ships it only in
# the kernel's source package.

. "$(dirname "$0")/common.sh"

package=linux-source-6.1
scripts=(checkpatch.pl const_structs.checkpatch
	spdxcheck.py spelling.txt)

fill() {
	local dir=$1

	say "fetching $package for checkpatch"
	download "$dir" $package
	dpkg-deb --fsys-tarfile "$dir"/*.deb | tar -xO "./usr/src/$package.tar.xz" |
		tar -xJ -C "$dir" --strip-components=2 \
			"${scripts[@]/#/$package/scripts/}"
	rm "$dir"/*.deb
}

entry "checkpatch-$(digest "$0")" fill

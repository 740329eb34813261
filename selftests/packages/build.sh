#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The Debian packages satisfy lintian, are the same when they are built again, and have the files of
# `make install`. The build changes nothing in the tree.

. "$(dirname "$0")/../lib.sh"
cd "$(dirname "$0")/../.." || exit

debs=build/deb
again=$lib_dir/elsewhere/again

sums() {
	(cd "$1" && sha256sum -- *.deb)
}

# changed: files of the tree that are newer than the file "begin".
changed() {
	find . \( -path ./build -o -path ./.git \) -prune -o -newer "$lib_dir/begin" -print
}

# installed: mode and path of each file that `make install` installs, without the modules.
installed() {
	make -s -C tools install DESTDIR="$lib_dir/dest" >/dev/null &&
		(cd "$lib_dir/dest" && find . ! -type d -printf '%M %p\n' | LC_ALL=C sort -k2)
}

# packaged: the same for the packages. They have documents of their own, and the sources of the
# modules; and they compress manuals.
packaged() {
	for deb in "$debs"/*.deb; do
		case $deb in
		*-dbgsym_*) ;;
		*)	dpkg-deb -c "$deb" | awk '!/^d/ { print $1, $6 }' ;;
		esac
	done | sed 's/\.gz$//' | grep -vE ' \./usr/(src/|share/lintian/|share/doc/[a-z0-9-]*/(changelog|copyright)$)' |
		LC_ALL=C sort -k2
}

# sources: what dkms builds from.
sources() {
	dpkg-deb -c "$debs"/seen-dkms_*.deb | sed -n 's,.* \./usr/src/seen-[^/]*/\(.*[^/]\)$,\1,p' | sort
}

plan 6
check "lintian" lintian --allow-root --fail-on error,warning --info "$debs"/seen_*.changes
touch "$lib_dir/begin"
mkdir "${again%/*}"
check "the packages can be built again" env TZ=Asia/Tokyo packaging/deb.sh "$again"
is "the packages are the same" "$(sums "$again")" "$(sums "$debs")"
is "the build changes nothing in the tree" "$(changed)" ""
is "the packages have the files of \"make install\"" "$(packaged)" "$(installed)"
is "dkms gets the sources of the modules" "$(sources)" \
	"$({ echo dkms.conf; find Kbuild kmod uapi -type f; } | sort)"

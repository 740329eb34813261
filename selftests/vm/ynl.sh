#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# ynl.sh: prints the cache entry with the kernel's own YNL client (pyynl: cli.py and its library)
# and the schemas of netlink specs (netlink/*.yaml). Debian ships them only in the kernel's source
# package.

. "$(dirname "$0")/common.sh"

# The kernel uml is built from this package, which source.sh downloads.
package=$(grep -om1 'linux-source-[^ ]* suite=unstable' "$vm/source.sh")
package=${package% *}

fill() {
	local dir=$2 tree=./usr/src/$package.tar.xz

	say "unpacking YNL"
	dpkg-deb --fsys-tarfile "$1" | tar -xO "$tree" |
		tar -xJ -C "$dir" --wildcards --strip-components=1 \
			"$package/tools/net/ynl/pyynl/*" \
			"$package/Documentation/netlink/*.yaml"
	mv "$dir/tools/net/ynl/pyynl" "$dir/"
	mkdir "$dir/netlink"
	mv "$dir"/Documentation/netlink/*.yaml "$dir/netlink/"
	rm -r "$dir/tools" "$dir/Documentation"
}

is_whole "$cache/$package" || "$vm/source.sh" uml >/dev/null
deb=$(compgen -G "$cache/$package/*.deb")
key=$({ cat "$0"; basename "$deb"; } | digest -)
entry "ynl-$key" fill "$deb"

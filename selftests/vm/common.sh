# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Sourced by every script of this folder: where the cache lies, and the one
# way in which an entry gets into it.

set -euo pipefail
shopt -s inherit_errexit

vm=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
top=$(cd "$vm/../.." && pwd)
cache=$top/build/cache
export cache top vm

say() {
	echo "vm: $*" >&2
}

die() {
	say "$*"
	exit 1
}

# entry NAME COMMAND [ARG...]: prints the path of the cache entry NAME. When it
# is absent, COMMAND ARG... DIR fills an empty folder, which then appears under
# its name in one step: no reader ever meets half an entry.
entry() {
	local path=$cache/$1

	shift
	if [ ! -e "$path" ]; then
		mkdir -p "$cache"
		(
			flock 9
			if [ ! -e "$path" ]; then
				rm -rf "$path.tmp"
				mkdir "$path.tmp"
				"$@" "$path.tmp" >&2
				mv "$path.tmp" "$path"
			fi
		) 9>"$path.lock"
	fi
	echo "$path"
}

# digest [FILE...]: a short key of the files' (or standard input's) content.
digest() {
	cat "$@" | sha256sum | cut -c1-12
}

# download DIR PACKAGE...: fetches without installing anything.
download() {
	local dir=$1

	shift
	(cd "$dir" && apt-get -qq -oAPT::Sandbox::User=root download "$@")
}

# squash TREE IMAGE: uncompressed, since under emulation the host's page cache
# is faster than any decompressor in the guest.
squash() {
	rm -f "$2"
	mksquashfs "$1" "$2" -noI -noD -noF -noX -no-xattrs -all-root \
		-no-progress -quiet >/dev/null
}

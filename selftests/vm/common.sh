# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Sourced by every script in this folder, and by other scripts that need the cache: the path of
# the cache, and entry(), the only function that adds entries to it.

set -euo pipefail
shopt -s inherit_errexit
# Kernels and modules are built by separate calls of make, without the options of the caller's.
unset MAKEFLAGS MFLAGS MAKELEVEL

vm=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
top=$(cd "$vm/../.." && pwd)
cache=${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/seen
export cache top vm

say() {
	echo "vm: $*" >&2
}

die() {
	say "$*"
	exit 1
}

# inventory DIR: a checksum over the names, sizes and times of all files below DIR. It
# notices a file that is missing, truncated or overwritten, and reads no content.
inventory() {
	(cd "$1" && find . -type d -printf '%P/\n' -o -printf '%P %s %T@ %l\n') |
		LC_ALL=C sort | digest -
}

# is_whole PATH: the entry is as it was when it was filled. The seal is written last.
is_whole() {
	[ -d "$1" ] && [ "$(cat "$1.seal" 2>/dev/null)" = "$(inventory "$1")" ]
}

# entry NAME COMMAND [ARG...]: prints the path of the cache entry NAME. If the entry is
# absent or damaged, COMMAND ARG... DIR fills an empty folder DIR, which then takes the
# entry's place. The lock makes other processes, also those of other clones, wait for it.
entry() {
	local path=$cache/$1

	shift
	if ! is_whole "$path"; then
		mkdir -p "$cache"
		(
			flock 9
			if ! is_whole "$path"; then
				[ ! -e "$path" ] || say "${path##*/} is damaged: making it again"
				rm -rf "$path" "$path.tmp"
				mkdir "$path.tmp"
				"$@" "$path.tmp" >&2
				inventory "$path.tmp" >"$path.seal"
				mv "$path.tmp" "$path"
			fi
		) 9>"$path.lock"
	fi
	echo "$path"
}

# digest [FILE...]: a short key of the content of the files, or of standard input.
digest() {
	cat "$@" | sha256sum | cut -c1-12
}

# download DIR PACKAGE...: fetches Debian packages without installing them.
download() {
	local dir=$1

	shift
	(cd "$dir" && apt-get -qq -oAPT::Sandbox::User=root download "$@")
}

# mirror_of LABEL: prints the URI of this machine's mirror of Debian or Debian-Security. Without
# such a mirror it prints nothing.
mirror_of() {
	# shellcheck disable=SC2016 # apt's own variable
	apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' \
		'Origin: Debian' "Label: $1" | head -n1
}

mirror() {
	local uri

	uri=$(mirror_of Debian)
	[ -n "$uri" ] || die "no Debian mirror among apt's sources"
	echo "$uri"
}

# squash TREE IMAGE: uncompressed, because the host's page cache is faster than a
# decompressor in an emulated guest.
squash() {
	rm -f "$2"
	mksquashfs "$1" "$2" -noI -noD -noF -noX -no-xattrs -all-root \
		-no-progress -quiet >/dev/null
}

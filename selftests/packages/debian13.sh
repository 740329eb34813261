#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The packages in Debian 13, built there; helpers/life.sh says what happens. Of the second kernel
# only the headers are installed.

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../static/helpers/files.sh"
. "$(dirname "$0")/helpers/chroot.sh"
cd "$(dirname "$0")/../.." || exit

release=13
second=linux-headers-rt-amd64

build() {
	local sets

	sets=$(tools/deps.sh list deb)
	# shellcheck disable=SC2086 # one word a package
	chroot_make 13 $sets systemd-dev
	mkdir "$root/tree" &&
		(cd "$1" && sources . | tar -c -T -) | tar -x -C "$root/tree" &&
		inside /tree/packaging/deb.sh /built >"$said" 2>&1 &&
		cp -r "$root/built" "$2"
}

. selftests/packages/helpers/life.sh

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The packages in Debian 12; helpers/life.sh says what happens. The second kernel is installed
# completely.

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../static/helpers/files.sh"
. "$(dirname "$0")/helpers/chroot.sh"
cd "$(dirname "$0")/../.." || exit

release=12
second="linux-image-6.12-cloud-amd64 linux-headers-6.12-cloud-amd64"

# `make check-packages` has built the packages of this tree.
build() {
	if [ "$1" = "$PWD" ]; then
		cp -r build/deb "$2"
		return
	fi
	"$1/packaging/deb.sh" "$2" >"$said" 2>&1
}

. selftests/packages/helpers/life.sh

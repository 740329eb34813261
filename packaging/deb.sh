#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# deb.sh DIR: builds the Debian packages, and puts them into DIR. The build works in a copy of the
# tree, so that the tree stays as it is.

set -euo pipefail

dir=$1
cd "$(dirname "$0")/.."
version=$(dpkg-parsechangelog -S Version)
rm -rf "$dir"
mkdir -p "$dir/seen-$version"
dir=$(cd "$dir" && pwd)
find . \( -path ./build -o -path ./.git \) -prune -o ! -type d -print0 |
	tar -c --null -T - | tar -x -C "$dir/seen-$version"
cd "$dir/seen-$version"
echo "building; the messages are in $dir/build.log" >&2
dpkg-buildpackage -us -uc -j"$(nproc)" >"$dir/build.log" 2>&1 || {
	tail -n 20 "$dir/build.log"
	echo "deb.sh: the build failed; $dir/build.log has all messages"
	exit 1
} >&2
cd "$dir"
rm -r "seen-$version"
ls -- *.deb

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# kit.sh KERNEL DIR: fills the folder DIR with what several guests of this kernel share: links
# to the cache entries kernel, boot and root, and own.sqfs, an image with the modules,
# seenctl, its plugin, and FILES (files and folders that a guest finds in /vm). From the
# environment: TOOLS (where seenctl and its plugin are) and CLANG (1: clang builds the
# modules).

. "$(dirname "$0")/common.sh"

name=$1 kit=$2
TOOLS=${TOOLS:-$top/build/tools} FILES=${FILES:-}

# own KERNEL-ENTRY: the topmost layer of the root of all guests.
own() {
	local stage=$kit/stage file

	mkdir -p "$stage"/usr/{lib/seen-vm,sbin} "$stage/vm"
	"$vm/module.sh" "$name" "$1" "$stage/usr/lib"
	if [ -x "$TOOLS/seenctl" ]; then
		cp "$TOOLS/seenctl" "$stage/usr/sbin/"
	fi
	if [ -e "$TOOLS/libxt_seen.so" ]; then
		install -D -t "$stage$(pkg-config --variable=xtlibdir xtables)" \
			"$TOOLS/libxt_seen.so"
	fi
	cp "$vm/stage2" "$vm/races.awk" "$stage/usr/lib/seen-vm/"
	for file in $FILES; do
		[ -e "$file" ] || die "$file: no such file"
		cp -rL "$file" "$stage/vm/"
	done
	squash "$stage" "$kit/own.new"
	# A guest that runs keeps the old image.
	mv "$kit/own.new" "$kit/own.sqfs"
}

"$top/tools/deps.sh" need vm
mkdir -p "$kit"
# What was made before must not stand for what cannot be made now.
rm -rf "$kit/stage" "$kit/own.sqfs"
root=$("$vm/root.sh")
kernel=$("$vm/kernel.sh" "$name")
boot=$("$vm/boot.sh" "$kernel")
own "$kernel"
rm -r "$kit/stage"
ln -sfn "$kernel" "$kit/kernel"
ln -sfn "$boot" "$kit/boot"
ln -sfn "$root" "$kit/root"

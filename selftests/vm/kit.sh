#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# kit.sh KERNEL DIR: fills the folder DIR with the files that guests of this kernel share: links
# to the cache entries kernel, boot and root, and own.sqfs, an image with the modules, seenctl,
# seend, its plugin, and FILES (files and folders that a guest finds in /vm). From the environment:
# TOOLS (the folder of seenctl and its plugin) and CLANG (1: clang builds the modules).

. "$(dirname "$0")/common.sh"

name=$1 kit=$2
TOOLS=${TOOLS:-$top/build/tools} FILES=${FILES:-}

# own KERNEL-ENTRY: makes own.sqfs, the second layer from the top of each guest's root.
own() {
	local stage=$kit/stage file

	mkdir -p "$stage"/usr/{lib/seen-vm,sbin} "$stage/vm"
	"$vm/module.sh" "$name" "$1" "$stage/usr/lib"
	for file in seenctl seend; do
		[ ! -x "$TOOLS/$file" ] || cp "$TOOLS/$file" "$stage/usr/sbin/"
	done
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
	# A running guest keeps the old image open.
	mv "$kit/own.new" "$kit/own.sqfs"
}

"$top/tools/deps.sh" need vm
mkdir -p "$kit"
# If the build below fails, guests must not boot an older image.
rm -rf "$kit/stage" "$kit/own.sqfs"
root=$("$vm/root.sh")
kernel=$("$vm/kernel.sh" "$name")
boot=$("$vm/boot.sh" "$kernel")
own "$kernel"
rm -r "$kit/stage"
ln -sfn "$kernel" "$kit/kernel"
ln -sfn "$boot" "$kit/boot"
ln -sfn "$root" "$kit/root"

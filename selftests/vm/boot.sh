#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# boot.sh ENTRY: prints the cache entry with the other files that a guest needs to boot the
# kernel in the cache entry ENTRY: boot.cpio, with stage1 and the modules that mount the root,
# and modules.sqfs, with all modules.

. "$(dirname "$0")/common.sh"

modules="virtio_pci virtio_blk virtio_console squashfs overlay"

initramfs() {
	local rel=$1 from=$2 stage=$3 n=10 m ko

	mkdir -p "$stage"/{bin,modules,new,lower,upper,proc,sys,dev}
	cp /bin/busybox "$stage/bin/"
	install -m755 "$vm/stage1" "$stage/init"
	for m in $modules; do
		for ko in $(modprobe -S "$rel" -d "$from" --show-depends "$m" \
				2>/dev/null | sed -n 's/^insmod \([^ ]*\).*/\1/p'); do
			compgen -G "$stage/modules/*-${ko##*/}" >/dev/null ||
				cp "$ko" "$stage/modules/$((n++))-${ko##*/}"
		done
	done
	(cd "$stage" && find . | cpio --quiet -o -H newc)
}

fill() {
	local from=$1 dir=$2 stage=$2/stage

	initramfs "$(cat "$from/release")" "$from" "$stage" >"$dir/boot.cpio"
	rm -r "$stage"
	mkdir -p "$stage/usr/lib"
	cp -al "$from/lib/modules" "$stage/usr/lib/"
	squash "$stage" "$dir/modules.sqfs"
	rm -r "$stage"
}

entry "boot-${1##*/}-$(digest "$0" "$vm/common.sh" "$vm/stage1" /bin/busybox)" \
	fill "$1"

# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Sourced by ../check.sh: allocations that fail. The module's own, of whatever kind, one
# after the other at native speed; in long runs also those that the kernel makes for it,
# by the kernel's fault injection.

# places KERNEL TEST...
places() {
	local kernel=$1 to=$top/build/helpers/places

	if guest_parts && "$here/faults/places-build.sh" "$kernel" "$to"; then
		one_guest "$kernel" 2 "${@:2}"
	else
		fail "faults: the module does not build for them"
	fi
	rm -rf "$to"
}

faults() {
	local kernel

	if [ -z "$LONG" ]; then
		places uml faults/places.sh
		return
	fi
	for kernel in uml uml-debug; do
		places "$kernel" faults/places.sh faults/starved.sh \
			faults/memcg.sh
	done
	for kernel in debug uml-debug; do
		one_guest "$kernel" 2 faults/netlink.sh faults/lifetime.sh
	done
}

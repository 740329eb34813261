# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Sourced by ../check.sh: allocations that fail. The module's own, of whatever kind, one
# after the other at native speed; in long runs also those that the kernel makes for it,
# by the kernel's fault injection.

# places KERNEL: who has allocated what is known there, so that leaks are.
places() {
	local to=$top/build/places

	if guest_parts && "$here/faults/helpers/places-build.sh" "$1" "$to"; then
		MODULES=$to PARAMS=slub_debug=U one_guest "$1" 2 faults/places.sh \
			faults/starved.sh faults/memcg.sh \
			${LONG:+faults/lifetime.sh}
	else
		fail "faults: the module does not build for them"
	fi
	rm -rf "$to"
}

faults() {
	places "$(counting uml)"
	[ -n "$LONG" ] || return 0
	places uml-debug
	one_guest uml 2 faults/netlink.sh
	# Where stacks are unwound, and not searched, each tells who allocated.
	one_guest debug 2 faults/netlink.sh faults/lifetime.sh
}

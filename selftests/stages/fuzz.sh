# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Sourced by ../check.sh: fuzzers, of what runs in userspace on the host, of netlink
# in a guest.

fuzz() {
	local kernel

	on_host fuzz fuzz/host.sh
	# Ten times slower: a long run can afford KASAN.
	for kernel in $(counting uml) ${LONG:+uml-debug}; do
		one_guest "$kernel" 2 fuzz/netlink.sh
	done
}

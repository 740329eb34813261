# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Sourced by ../check.sh: everything at once, with a control set that must always be
# seen. The long run is on the kernel that checks itself, too.

torture() {
	local kernel

	for kernel in ${KERNELS:-uml ${LONG:+debug}}; do
		MEM=1G one_guest "$kernel" 2 torture/torture.sh
	done
}

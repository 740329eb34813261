# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Sourced by ../check.sh: a flood through guards, and commands that are long.

load() {
	local kernel

	for kernel in ${KERNELS:-uml ${LONG:+debug}}; do
		MEM=3G one_guest "$kernel" 2 load/load.sh
	done
}

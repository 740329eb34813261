# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Sourced by ../check.sh: everything at once, with a control set that must always be
# seen. The long run is on the kernel that checks itself, too.

# More wants to run on debug than two emulated CPUs can: who waits behind many others is not hung
# yet.
overloaded=sysctl.kernel.hung_task_timeout_secs=600

torture() {
	local kernel params

	for kernel in ${KERNELS:-uml ${LONG:+debug}}; do
		params=${PARAMS:-}
		[ "$kernel" != debug ] || params+=" $overloaded"
		PARAMS=$params MEM=1G one_guest "$kernel" 2 torture/torture.sh
	done
}

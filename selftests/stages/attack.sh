# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Sourced by ../check.sh: floods, chosen keys, replay, tenants, privilege, leaks.

attack() {
	local log=$out/attack-build.log list=() test kernel

	if make -C "$here/attack" -j2 all >"$log" 2>&1; then
		on_host attack ../build/attack/gcc/{chosen,leaked,steps} \
			../build/attack/asan/{leaked,steps}
	else
		tail -n 30 "$log"
		fail "attack: it does not build"
	fi
	for test in "$here"/attack/*.sh; do
		list+=("attack/${test##*/}")
	done
	for kernel in ${KERNELS:-uml ${LONG:+6.1 debug}}; do
		one_guest "$kernel" 2 "${list[@]}"
	done
}

# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Sourced by ../check.sh: what lines the tests run. In guests uml-gcov the modules
# count, by gcov, and so does seenctl, by clang.

# counting KERNEL: what a stage's guest runs, if what it runs shall count.
counting() {
	if [[ $1 = uml && $stages = *" coverage "* && " $kernels " = *" uml "* ]]; then
		echo uml-gcov
	else
		echo "$1"
	fi
}

# The plugin does not count: what counts is written when iptables closes it, and would
# change the errno that iptables has yet to tell.
counted_tools() {
	local to=$top/build/coverage

	if ! make -s -C "$top/tools" B="$to" CC=clang \
		CFLAGS="-O1 -g -fprofile-instr-generate -fcoverage-mapping" \
		"$to/seenctl" || ! cp "$top/build/tools/libxt_seen.so" "$to"; then
		fail "coverage: tools do not build"
		return 1
	fi
}

# What `make check` has run before it comes to coverage; here, what of it was left out.
counted_stages() {
	local kernels=uml

	[[ $stages = *" faults "* ]] || stage=faults places uml-gcov
	[[ $stages = *" fuzz "* ]] || stage=fuzz one_guest uml-gcov 2 fuzz/netlink.sh
	[[ $stages = *" guest "* ]] || stage=guest guest
	[[ $stages = *" tools "* ]] || stage=tools tools
}

coverage() {
	if [[ " $kernels " != *" uml "* ]]; then
		leave_out coverage "it is counted on uml"
		return
	fi
	counted_stages
	on_host coverage coverage/kmod.py coverage/tools.sh
}

# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Sourced by ../check.sh: what lines the tests run. In the guest uml-gcov the modules
# count, by gcov, and so does seenctl, by clang. Where the stage guest has run there is
# nothing left to do but to look.

# The plugin does not count: what counts is written when iptables closes it, and would
# change the errno that iptables has yet to tell.
counted_tools() {
	local to=$top/build/coverage

	make -s -C "$top/tools" B="$to" CC=clang \
		CFLAGS="-O1 -g -fprofile-instr-generate -fcoverage-mapping" \
		"$to/seenctl" && cp "$top/build/tools/libxt_seen.so" "$to"
}

# counted_guest TEST...: each line that they run leaves its mark in $out/counts;
# and, in another guest, each that the netlink fuzzer comes to, which asks for what nobody else does.
counted_guest() {
	counted_tools || { fail "coverage: tools do not build"; return; }
	TOOLS=$top/build/coverage OUT=$out/counts one_guest uml-gcov 2 "$@"
	OUT=$out/counts-netlink one_guest uml-gcov 2 fuzz/netlink.sh
}

coverage() {
	local list

	if [[ $stages != *" guest "* || " $kernels " != *" uml "* ]]; then
		mapfile -t list < <(picked uml 2)
		counted_guest "${list[@]}"
	fi
	on_host coverage coverage/kmod.py coverage/tools.sh
}

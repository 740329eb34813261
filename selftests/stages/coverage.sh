# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Sourced by ../check.sh: what lines the tests run. In the guest uml-gcov the modules
# count, by gcov, and so does seenctl, by clang.

# The plugin does not count: what counts is written when iptables closes it, and would
# change the errno that iptables has yet to tell.
counted_tools() {
	local to=$top/build/coverage

	guest_parts || return
	make -s -C "$top/tools" B="$to" CC=clang \
		CFLAGS="-O1 -g -fprofile-instr-generate -fcoverage-mapping" \
		"$to/seenctl" && cp "$top/build/tools/libxt_seen.so" "$to"
}

# The tests of the table leave their marks in $out/counts, and in another guest the
# netlink fuzzer, which asks for what nobody else does.
coverage() {
	local list

	counted_tools || { fail "coverage: tools do not build"; return; }
	mapfile -t list < <(picked uml 2)
	TOOLS=$top/build/coverage OUT=$out/counts one_guest uml-gcov 2 "${list[@]}"
	OUT=$out/counts-netlink one_guest uml-gcov 2 fuzz/netlink.sh
	on_host coverage coverage/kmod.py coverage/tools.sh
}

# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Sourced by ../check.sh: what needs no kernel of its own.

tools() {
	local counts=$out/counts/host

	if ! make -s -C "$top" tools; then
		fail "tools: they do not build"
	elif [ "$(counting uml)" = uml ]; then
		folder on_host tools
	elif counted_tools; then
		mkdir -p "$counts"
		TOOLS=$top/build/coverage LLVM_PROFILE_FILE=$counts/%m.profraw \
			folder on_host tools
	fi
}

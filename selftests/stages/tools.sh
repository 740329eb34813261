# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Sourced by ../check.sh: what needs no kernel of its own.

tools() {
	if make -s -C "$top" tools; then
		folder on_host tools
	else
		fail "tools: they do not build"
	fi
}

# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Sourced by ../check.sh: the lock-free protocols, as far as memory and order go.

model() {
	if make -C "$here/core" -j2 model >"$out/model-build.log" 2>&1; then
		folder on_host model
	else
		tail -n 30 "$out/model-build.log"
		fail "model: it does not build"
	fi
}

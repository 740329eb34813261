#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Namespaces come, and the module is loaded, while each allocation fails in turn.

. "$(dirname "$0")/../lib.sh"

helpers=$(dirname "$0")/../helpers

[ -e /proc/self/fail-nth ] || skip_all "the kernel has no FAULT_INJECTION"

# run WHAT COMMAND...: its results are this test's, in one.
run() {
	local out status

	out=$("${@:2}" 2>&1)
	status=$?
	grep -v '^\(TAP\|1\.\.\|ok\)' <<<"$out"
	is "$1" $status 0
}

plan 3
modprobe seen
run "a namespace comes" "$helpers/lifetime" netns "$(long short long)"
rmmod seen
run "the module is loaded" "$helpers/lifetime" module "$(modinfo -n seen)" \
	"$(long short long)"
check "and at last it is" modprobe seen

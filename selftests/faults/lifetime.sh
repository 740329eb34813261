#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# A namespace is created, and the module is loaded, while each allocation fails in turn. If the
# module of places.sh was built, it is used: it shows with certainty which allocations it made.

. "$(dirname "$0")/../lib.sh"

helpers=$(dirname "$0")/../helpers
places=$(dirname "$0")/../places
module=$(modinfo -n seen)

[ -e /proc/self/fail-nth ] || skip_all "the kernel has no FAULT_INJECTION"

# run WHAT COMMAND...: runs a program that prints TAP; all its results are one result here.
run() {
	local out status

	out=$("${@:2}" 2>&1)
	status=$?
	grep -v '^\(TAP\|1\.\.\|ok\)' <<<"$out"
	is "$1" $status 0
}

plan 3
modprobe seen
if [ -e "$places/seen.ko" ]; then
	rmmod xt_seen seen 2>/dev/null
	module=$places/seen.ko
	export NTH_ASKED=yes
	insmod "$places/seen_nth.ko"
	insmod "$module"
fi
run "a namespace is created" "$helpers/lifetime" netns "$(long short long)"
rmmod seen
run "the module is loaded" "$helpers/lifetime" module "$module" \
	"$(long short long)"
check "afterwards the module can be loaded" insmod "$module"
rmmod seen seen_nth 2>/dev/null

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Namespaces come, and the module is loaded, while each allocation fails in turn. With the
# build of places.sh, where it is there: then which of them are the module's is certain.

. "$(dirname "$0")/../lib.sh"

helpers=$(dirname "$0")/../helpers
places=$(dirname "$0")/../places
module=$(modinfo -n seen)

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
if [ -e "$places/seen.ko" ]; then
	rmmod xt_seen seen 2>/dev/null
	module=$places/seen.ko
	export NTH_ASKED=yes
	insmod "$places/seen_nth.ko"
	insmod "$module"
fi
run "a namespace comes" "$helpers/lifetime" netns "$(long short long)"
rmmod seen
run "the module is loaded" "$helpers/lifetime" module "$module" \
	"$(long short long)"
check "and at last it is" insmod "$module"
rmmod seen seen_nth 2>/dev/null

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Each allocation of the module's own, of whatever kind, fails in turn: for each request
# and device, as a namespace comes, and as the module is loaded. With a build of the
# module that counts its places, on a kernel without fault injection, at full speed.

. "$(dirname "$0")/../lib.sh"

helpers=$(dirname "$0")/../helpers
places=$(dirname "$0")/../places
export NTH_CONTROL=/sys/module/seen_nth/parameters/nth
export NTH_ONWARDS=/sys/module/seen_nth/parameters/onwards
slabs=/sys/kernel/debug/slab
expedited=/sys/kernel/rcu_expedited

[ -e "$places/seen.ko" ] || skip_all "the module was not built that way"

# run WHAT COMMAND...: its results are this test's, in one.
run() {
	local status

	"${@:2}" >"$lib_dir/out" 2>&1
	status=$?
	grep -v '^\(TAP\|1\.\.\|ok\)' "$lib_dir/out"
	is "$1" $status 0
}

# pieces: of the module's memory, by who asked for them: tables, and whatever of slabs is
# known by slub_debug=U.
pieces() {
	awk '/\[seen\]/ { n++ } END { print n + 0 }' /proc/vmallocinfo
	awk '/^ *[0-9]+ [^ ]+ \[seen\]/ { n += $1 } END { print n + 0 }' \
		$slabs/*/alloc_traces
}

as_before() {
	[ "$(pieces)" = "$before" ]
}

plan 6
# Most of the time would go by in waiting for readers, which are not what this is about.
echo 1 >$expedited
rmmod xt_seen seen 2>/dev/null
insmod "$places/seen_nth.ko"
run "the module is loaded" "$helpers/lifetime" module "$places/seen.ko" long
check "it is there" insmod "$places/seen.ko"
ns a
before=$(pieces)
match "what the module has allocated is known" "$before" $'^0\n[1-9]'
run "requests and devices" at "$a" "$helpers/faults" "$(long short long)"
check "nothing of theirs is left" await 30 as_before
run "a namespace comes" "$helpers/lifetime" netns long
ns_del "$a"
rmmod seen seen_nth
echo 0 >$expedited

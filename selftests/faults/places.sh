#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Each allocation that the module itself makes fails in turn: for each request, for changes of
# devices, while a namespace is created, and while the module is loaded. Uses a build of the
# module that counts its allocations, on a kernel without fault injection, at full speed.

. "$(dirname "$0")/../lib.sh"

helpers=$(dirname "$0")/../helpers
places=$(dirname "$0")/../places
export NTH_CONTROL=/sys/module/seen_nth/parameters/nth
export NTH_ONWARDS=/sys/module/seen_nth/parameters/onwards
slabs=/sys/kernel/debug/slab
expedited=/sys/kernel/rcu_expedited

[ -e "$places/seen.ko" ] || skip_all "the module was not built that way"

# run WHAT COMMAND...: runs a program that prints TAP; all its results are one result here.
run() {
	local status

	"${@:2}" >"$lib_dir/out" 2>&1
	status=$?
	grep -v '^\(TAP\|1\.\.\|ok\)' "$lib_dir/out"
	is "$1" $status 0
}

# pieces: prints how many tables the module has allocated, and how many objects in slabs that
# slub_debug=U tracks.
pieces() {
	awk '/\[seen\]/ { n++ } END { print n + 0 }' /proc/vmallocinfo
	awk '/^ *[0-9]+ [^ ]+ \[seen\]/ { n += $1 } END { print n + 0 }' \
		$slabs/*/alloc_traces
}

as_before() {
	[ "$(pieces)" = "$before" ]
}

plan 6
# Expedite grace periods: waiting for readers would take most of the time, and is not under test.
echo 1 >$expedited
rmmod xt_seen seen 2>/dev/null
insmod "$places/seen_nth.ko"
run "the module is loaded" "$helpers/lifetime" module "$places/seen.ko" long
check "afterwards the module can be loaded" insmod "$places/seen.ko"
ns a
before=$(pieces)
match "the module's allocations are tracked" "$before" $'^0\n[1-9]'
run "requests and devices" at "$a" "$helpers/faults" "$(long short long)"
check "requests and devices leave no memory allocated" await 30 as_before
run "a namespace is created" "$helpers/lifetime" netns long
ns_del "$a"
rmmod seen seen_nth
echo 0 >$expedited

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# A request beyond the limit of its memory cgroup is refused, with a text, and changes nothing;
# memory that it had allocated by then is freed.

. "$(dirname "$0")/../lib.sh"

group=/sys/fs/cgroup/seen-faults
helpers=$(cd "$(dirname "$0")/../helpers" && pwd)
echo +memory >/sys/fs/cgroup/cgroup.subtree_control 2>/dev/null
mkdir $group
[ -e $group/memory.max ] || { rmdir $group; skip_all "no memory controller"; }
later "rmdir $group"

# within COMMAND...: runs it in the namespace. Memory for its requests is charged to the group, its
# own memory is not. (Linux 7.2 frees a partly allocated table by a worker, a moment after the
# refusal. If a process of the group needed a page at that time, the OOM killer would kill it.)
within() {
	at "$a" env LD_PRELOAD="$helpers/memcg_send.so" SEEN_GROUP=$group "$@"
}

state() {
	at "$a" seenctl -j -s filter show
	at "$a" seenctl -j -s guard show
}

table() {
	awk '$1 == "vmalloc" { print $2 }' $group/memory.stat
}

# memory.stat may show small charges up to two seconds late.
has_table() {
	[ "$(table)" -gt 0 ]
}

given_back() {
	[ "$(table)" -le "$taken" ]
}

# beyond WHAT COMMAND...
beyond() {
	local before

	before=$(state)
	taken=$(table)
	refuse "$1: refused" 1 ", which could not be allocated" within "${@:2}"
	is "$1: the state is unchanged" "$(state)" "$before"
	check "$1: nothing is charged to the group any more" \
		await 30 given_back
}

plan 14
ns a
veth "$a" eth0 "$a" eth1
within seenctl filter add small type bloom key bytes capacity 1000 fpp 1%
await 10 has_table
at "$a" seenctl filter add large type bloom key bytes capacity 40M fpp 1%
echo 24M >$group/memory.max
beyond "add" seenctl filter add more type bloom key bytes capacity 40M fpp 1%
beyond "add cuckoo" \
	seenctl filter add more type cuckoo key bytes capacity 20M bits 16
beyond "flush" seenctl filter flush large
beyond "a guard's own filter" seenctl guard add dev eth0 profile packet
check "a filter that fits is added" within seenctl filter add fits type bloom key bytes \
	capacity 1000 fpp 1%
echo max >$group/memory.max
out=$(at "$a" "$helpers/memcg_exhaust" $group 2>&1)
match "at each limit, page by page: refused, and no process is killed" "$out" \
	'^refused [1-9][0-9]* made [1-9][0-9]*$'
note "$out"
figure "memory cgroup: 4 requests beyond its limit, $lib_failed unexpected"

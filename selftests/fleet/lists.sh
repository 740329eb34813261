#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The list of hosts of a group changes while keys flow: a host is added, another one is removed, and
# a seal and a host's key are replaced, as in Documentation/fleet.md. No key is lost; in a group with
# deletes, the keys that only the removed host or the old key held are deleted. Real daemons and a
# real redis-server; the filters are libseen's.

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/helpers/lib.sh"

# config HOST: writes its configuration, with the hosts $hosts. All but c may aggregate.
config() {
	local host

	{
		host_section "$1"
		cat <<-END

		[group $group]
		filter = f
		engine = unix:$lib_dir/redis.sock
		deletes = $deletes
		seal = $dir/seal

		[hosts $group]
		END
		for host in $hosts; do
			echo "$host = $(<"$dir/$host/public") publish $([ "$host" = c ] || echo aggregate)"
		done
	} >"$dir/$1/conf"
}

# start HOST...
start() {
	local host

	for host; do
		"$seend" run "$dir/$host/conf" >>"$dir/$host/log" 2>&1 &
		pid[$host]=$!
		await 20 status "$host" >/dev/null
	done
}

stop() {
	kill "${pid[$1]}"
	wait "${pid[$1]}"
	unset "pid[$1]"
}

# rekey HOST: makes another key for it.
rekey() {
	rm "$dir/$1/key"
	"$seend" key "$dir/$1/key" >"$dir/$1/public"
}

# relist HOST...: these hosts get the list $hosts; keys flow after each restart.
relist() {
	local host

	for host; do
		config "$host"
		stop "$host"
		start "$host"
		flow
	done
}

# field HOST NAME: a value of the status.
field() {
	status "$1" | jq -r ".groups[0].$2"
}

# flow: every host that runs gets new keys, and nothing waits until they are known.
flow() {
	local host

	for host in a b c d; do
		[ -n "${pid[$host]:-}" ] || continue
		ask "$host" add "$next" $((next + 49))
		next=$((next + 50))
	done
}

# have FIRST LAST: the hosts of the list have these keys.
have() {
	local host

	for host in $hosts; do
		[ "$(ask "$host" missing "$1" "$2")" = 0 ] || return
	done
}

# lack FIRST LAST: they have no key of these.
lack() {
	local host

	for host in $hosts; do
		[ "$(ask "$host" missing "$1" "$2")" = $(($2 - $1 + 1)) ] || return
	done
}

# settled: all keys of all hosts of the list are acknowledged.
settled() {
	local host

	for host in $hosts; do
		[ "$(field "$host" unsent)$(field "$host" sent)" = 00 ] || return
	done
}

# left_out: an aggregator has left out messages of a host that it does not list.
left_out() {
	[ "$(($(field a counts.sender) + $(field b counts.sender)))" -gt 0 ]
}

# have_both FIRST LAST FIRST LAST
have_both() {
	have "$1" "$2" && have "$3" "$4"
}

# begin: a group with the hosts a, b and c, and a key for d.
begin() {
	local host

	dir=$lib_dir/$deletes group=list-$deletes hosts="a b c" next=10001
	mkdir "$dir"
	"$seend" seal "$dir/seal"
	for host in a b c d; do
		mkdir "$dir/$host"
		"$seend" key "$dir/$host/key" >"$dir/$host/public"
	done
	for host in $hosts; do
		config "$host"
	done
	# shellcheck disable=SC2086 # one word a host
	start $hosts
}

plan 30
redis-server --port 0 --unixsocket "$lib_dir/redis.sock" --dir "$lib_dir" --save "" \
	--daemonize no --loglevel warning >"$lib_dir/redis.log" 2>&1 &
pid[redis]=$!
check "redis-server starts" await 20 redis_answers

for deletes in no yes; do
	what="deletes = $deletes"
	begin
	ask a add 1 100
	check "$what: three hosts share keys" await 60 have 1 100

	# The new host comes too early: its keys wait until the others know it.
	hosts="a b c d"
	config d
	start d
	ask d add 101 200
	flow
	hosts="a b c"
	check "$what: keys of a host that the others do not list are left out" \
		await 60 left_out
	check "$what: the others lack them" lack 101 200
	# The hosts that aggregate come first, then the others.
	hosts="a b c d"
	relist a b c
	check "$what: all hosts list the new one, and no key is lost" \
		await 120 have 10001 $((next - 1))
	check "$what: keys of the new host reach the others" await 120 have 101 200
	check "$what: the new host has the earlier keys" await 60 have 1 100
	check "$what: all keys are acknowledged" await 120 settled

	# Host c leaves; b holds some of its keys, too.
	ask c add 301 500
	await 60 have 301 500
	ask b del 401 500
	ask b add 401 500
	check "$what: the leaving host publishes" await 60 settled
	stop c
	hosts="a b d"
	first=$next
	relist a b d
	check "$what: the list without it: no key is lost" await 120 have $first $((next - 1))
	if [ "$deletes" = yes ]; then
		check "$what: keys that only it held are deleted" await 120 lack 301 400
	else
		check "$what: its keys stay" have 301 400
	fi

	for host in $hosts; do
		stop "$host"
	done
	rm "$dir/seal"
	"$seend" seal "$dir/seal"
	first=$next
	# shellcheck disable=SC2086 # one word a host
	start $hosts
	flow
	check "$what: with another seal no key is lost" await 120 have $first $((next - 1))

	ask b add 601 700
	check "$what: keys of b" await 60 have 601 700
	check "$what: keys of b are acknowledged" await 60 settled
	stop b
	rekey b
	first=$next
	relist a d
	config b
	hosts="a d"
	if [ "$deletes" = yes ]; then
		check "$what: keys that only the old key of b held are deleted" \
			await 120 lack 601 700
		start b
		ask b del 601 700
		ask b add 601 700
	fi
	hosts="a b d"
	[ -n "${pid[b]:-}" ] || start b
	flow
	check "$what: with another key of b no key is lost" \
		await 120 have_both $first $((next - 1)) 601 700
	for host in $hosts; do
		note "$host: $(sort "$dir/$host/log" | uniq -c | sort -rn | head -n 5)"
		stop "$host"
	done
done

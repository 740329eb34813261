#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Two hosts, each a network namespace with a filter of the kernel and its seend, share keys by a
# redis-server. Their filters are flushed, replaced, and deleted and made meanwhile, and the server stops.

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/helpers/lib.sh"

SEED=00112233445566778899aabbccddeeff
OTHER=ffeeddccbbaa99887766554433221100
declare -A pid=()
a='' b=''
ns a b

stop_all() {
	kill -KILL "${pid[@]}"
	# Not for the monitors, which lib.sh ends later.
	wait "${pid[@]}"
}
later 'stop_all 2>/dev/null'

# make SPACE [ARGUMENT...]: makes the filter of a host.
make() {
	at "$1" seenctl filter add f type cuckoo capacity 20000 bits 24 key src "${@:2}"
}

config() {
	cat <<-END
	[host]
	key = $lib_dir/$1/key
	state = $lib_dir/$1
	socket = $lib_dir/$1/sock
	[group test]
	filter = f
	engine = unix:$lib_dir/redis.sock
	[hosts test]
	a = $(<"$lib_dir/a/public") publish aggregate
	b = $(<"$lib_dir/b/public") publish
	END
}

# start HOST: starts its daemon, without a shell in between that would outlive or hide it.
start() {
	rm -f "$lib_dir/$1/sock"
	nsenter --net="/run/netns/${!1}" -- seend run "$lib_dir/$1/conf" >>"$lib_dir/$1/log" 2>&1 &
	pid[$1]=$!
}

listens() {
	await 20 test -S "$lib_dir/$1/sock"
}

addresses() {
	local i

	for ((i = $1; i <= $2; i++)); do
		echo "10.0.$((i / 250)).$((i % 250))"
	done
}

# add HOST FIRST LAST: a user adds keys.
add() {
	addresses "$2" "$3" | at "${!1}" seenctl key add f - >/dev/null
}

# has HOST FIRST LAST: it has all these keys.
has() {
	addresses "$2" "$3" | at "${!1}" seenctl key test f -
}

said() {
	grep -q "$2" "$lib_dir/$1/log"
}

frame_exists() {
	[ "$(redis-cli -s "$lib_dir/redis.sock" exists seen:test:frame)" = 1 ]
}

absent() {
	! at "$b" seenctl filter show "$1"
}

plan 20
for host in a b; do
	mkdir "$lib_dir/$host"
	seend key "$lib_dir/$host/key" >"$lib_dir/$host/public"
	make "${!host}" seed $SEED
done
for host in a b; do
	config "$host" >"$lib_dir/$host/conf"
done
redis-server --port 0 --unixsocket "$lib_dir/redis.sock" --dir "$lib_dir" --save "" \
	--loglevel warning >"$lib_dir/redis.log" 2>&1 &
pid[redis]=$!
await 20 redis-cli -s "$lib_dir/redis.sock" ping
start a
start b
check "daemon a starts" listens a
check "daemon b starts" listens b
add a 1 2000
check "keys reach the other host" await 30 has b 1 2000
check "a keyframe is made" await 30 frame_exists

at "$b" seenctl filter flush f
check "a flush: the keys of the group come back" await 60 has b 1 2000
events made "$b"
at "$b" seenctl filter del f
make "$b" seed $SEED
check "a new filter: the keys come back" await 60 has b 1 2000
add b 2001 2100
check "its new keys are sent" await 30 has a 2001 2100

# The rest of a keyframe, from a daemon that was killed while it loaded it.
temporary=$(heard made 20 'seend\.load\.[0-9a-f]+' | grep -o 'seend\.load\.[0-9a-f]*' | head -n 1)
match "a keyframe becomes a filter of its own" "$temporary" '^seend\.load\.'
check "which is deleted then" await 20 absent "$temporary"
kill -KILL "${pid[b]}"
wait "${pid[b]}" 2>/dev/null
at "$b" seenctl filter add "$temporary" type cuckoo capacity 100 bits 16 key src
start b
check "also if the daemon was killed meanwhile" await 20 absent "$temporary"
check "and nothing is missing" await 30 has b 1 2100

at "$b" seenctl filter del f
make "$b" seed $OTHER
check "another secret is noticed" await 30 said b 'another key, secret or window than before'
add b 3001 3100
add a 4001 4100
at "$b" seenctl filter del f
make "$b" seed $SEED
check "with the right secret the keys come back" await 60 has b 4001 4100
check "all of them" await 60 has b 1 2100
add b 5001 5001
check "and new keys are sent" await 30 has a 5001 5001
is "no hash of the other secret was sent" "$(filter_get "$a" f .entries)" 2201

events stale "$a"
kill -STOP "${pid[redis]}"
check "the server is gone: the feed gets stale" heard stale 60 'feed-stale'
add a 6001 6100
add b 6101 6200
kill -CONT "${pid[redis]}"
check "it is back: the feed is fresh" heard stale 60 'feed-fresh'
check "keys of the meantime reach a" await 60 has a 6001 6200
check "and b" await 60 has b 6001 6200
note "$(sort "$lib_dir"/[ab]/log | uniq -c | sort -rn | head -n 20)"

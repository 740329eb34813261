#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Three daemons and a real redis-server on a unix socket: keys reach all hosts, also if daemons and
# the server are killed, and if another host becomes the aggregator. The filters are libseen's.

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/helpers/lib.sh"

# Redis syncs its log every second, and keeps it over a kill.
redis_start() {
	redis-server --port 0 --unixsocket "$lib_dir/redis.sock" --dir "$lib_dir" --appendonly yes \
		--save "" --daemonize no --loglevel warning >>"$lib_dir/redis.log" 2>&1 &
	pid[redis]=$!
}

hosts=(a b c)

# config HOST [LINE...]: its configuration; a and b may aggregate.
config() {
	local host

	host_section "$1"
	cat <<-END

	[group test]
	filter = f
	engine = unix:$lib_dir/redis.sock
	seal = $lib_dir/seal
	END
	printf '%s\n' "${@:2}"
	echo "[hosts test]"
	for host in "${hosts[@]}"; do
		echo "$host = $(<"$lib_dir/$host/public") publish$([ "$host" = c ] || echo " aggregate")"
	done
}

# start HOST: starts its daemon.
start() {
	"$seend" run "$lib_dir/$1/conf" >>"$lib_dir/$1/log" 2>&1 &
	pid[$1]=$!
}

# field HOST NAME: a value of the status.
field() {
	status "$1" | jq -r ".groups[0].$2"
}

# have FIRST LAST: every host has these keys.
have() {
	local host

	for host in "${hosts[@]}"; do
		[ "$(ask "$host" missing "$1" "$2")" = 0 ] || return
	done
}

# settled HOST: all its keys are acknowledged.
settled() {
	[ "$(field "$1" unsent)" = 0 ] && [ "$(field "$1" sent)" = 0 ] &&
		[ "$(field "$1" acknowledged)" -gt 0 ]
}

offline() {
	[ "$(field "$1" online)" = false ]
}

leader() {
	field "$1" leader
}

leader_is() {
	[ "$(leader c)" = "$1" ]
}

# arrive WHAT HOST FIRST LAST: keys of a host reach all hosts.
arrive() {
	ask "$2" add "$3" "$4"
	check "$1" await 60 have "$3" "$4"
	check "$1: acknowledged" await 60 settled "$2"
}

ROUNDS=$(long 3 100)
RANDOM=${TEST_SEED:-1}
plan 31
note "TEST_SEED=${TEST_SEED:-1}"

check "a seal is made" "$seend" seal "$lib_dir/seal"
for host in "${hosts[@]}"; do
	mkdir "$lib_dir/$host"
	"$seend" key "$lib_dir/$host/key" >"$lib_dir/$host/public"
done
is "a key is made once" "$("$seend" key "$lib_dir/a/key")" "$(<"$lib_dir/a/public")"
for host in "${hosts[@]}"; do
	config "$host" >"$lib_dir/$host/conf"
done
check "the configuration is accepted" "$seend" check "$lib_dir/a/conf"
chmod 644 "$lib_dir/a/key"
refuse "a key that others can read is refused" 1 "other users can read this key; chmod 600 it" \
	"$seend" run "$lib_dir/a/conf"
chmod 600 "$lib_dir/a/key"
config a "colour = red" >"$lib_dir/bad"
refuse "an unknown key is refused with its line" 1 'line 10: unknown key "colour" in [group]' \
	"$seend" check "$lib_dir/bad"
{ config a; printf '%s\n' "[group other]" "filter = f" "engine = none"; } >"$lib_dir/bad"
refuse "two groups with one filter are refused" 1 "filter f: it is in group test" \
	"$seend" check "$lib_dir/bad"

redis_start
check "redis-server starts" await 20 redis_answers
for host in "${hosts[@]}"; do
	start "$host"
	check "daemon $host starts" await 20 status "$host"
done
refuse "a second daemon is refused" 1 "another seend uses it" "$seend" run "$lib_dir/a/conf"
arrive "keys of a" a 1 1000
arrive "keys of c, which is no aggregator" c 1001 1500

first=$(leader c)
other=$([ "$first" = a ] && echo b || echo a)
match "the aggregator is a or b" "$first" '^[ab]$'
ask "$first" add 2001 2200
ask c add 2201 2400
hurt "$first"
check "another host becomes the aggregator" await 60 leader_is "$other"
start "$first"
check "the killed daemon starts again" await 20 status "$first"
check "keys that were under way are not lost" await 60 have 2001 2400

ask c add 3001 3200
hurt redis
ask a add 3201 3400
ask b add 3401 3600
redis_start
check "redis-server starts again" await 20 redis_answers
check "keys are not lost while the server is killed" await 60 have 3001 3600
arrive "keys after that" b 4001 4100

ask c add 5001 5100
hurt c
start c
check "the daemon of a publisher is killed, and starts again" await 20 status c
check "its keys are not lost" await 60 have 5001 5100

# The server answers nobody for a while: commands under way end without an answer.
ask a add 6001 6200
kill -STOP "${pid[redis]}"
ask b add 6201 6400
check "without the server the daemons answer" await 60 offline a
ask c add 6401 6600
kill -CONT "${pid[redis]}"
check "keys are not lost while the server is away" await 60 have 6001 6600

# Kill a daemon or the server again and again, in the middle of keys from all hosts.
victims=(a b c redis)
next=10001
for ((round = 0; round < ROUNDS; round++)); do
	for host in "${hosts[@]}"; do
		ask "$host" add "$next" $((next + 99))
		next=$((next + 100))
	done
	victim=${victims[RANDOM % 4]}
	hurt "$victim"
	if [ "$victim" = redis ]; then
		redis_start
		await 20 redis_answers
	else
		start "$victim"
		await 20 status "$victim"
	fi
done
check "after $ROUNDS kills no key is lost" await 120 have 10001 $((next - 1))

# A host that has lost everything joins by the keyframe and the stream.
hurt c
rm -f "$lib_dir/c"/*.{state,disk,base0}
start c
await 20 status c
check "a new host gets all keys" await 60 have 1 1500
note "$(grep -h . "$lib_dir"/*/log | sort | uniq -c | sort -rn | head -n 20)"
check "a daemon ends in order" kill -TERM "${pid[a]}"
wait "${pid[a]}"
is "exit status" $? 0

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# A primary and a replica, both real redis-servers. Host a uses the primary, host b reads from the
# replica. The replica is cut from the primary, killed, promoted, and follows another primary. A relay
# is the only link between the servers.

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/helpers/lib.sh"
top=$here/../..
PATH=$top/build/tools:$PATH

# redis_start NAME [OPTION...]
redis_start() {
	redis-server --port 0 --unixsocket "$lib_dir/$1.redis" --dir "$lib_dir/$1.data" \
		--appendonly yes --save "" --repl-diskless-sync-delay 0 --daemonize no \
		--loglevel warning "${@:2}" >>"$lib_dir/$1.log" 2>&1 &
	pid[$1]=$!
	await 20 redis_answers "$1"
}

redis_cli() {
	redis-cli -s "$lib_dir/$1.redis" "${@:2}"
}

redis_answers() {
	[ "$(redis_cli "$1" ping)" = PONG ]
}

# linked STATE: the replica's link to the primary is up or down.
linked() {
	redis_cli near info replication | grep -q "^master_link_status:$1"
}

# link [PORT]: connects the servers; sets $port.
link() {
	rm -f "$lib_dir/port"
	"$here/helpers/relay.py" "$lib_dir/home.redis" "$@" >"$lib_dir/port" &
	pid[link]=$!
	await 20 test -s "$lib_dir/port"
	port=$(<"$lib_dir/port")
}

# config HOST [LINE...]: its configuration; a line with another engine comes first.
config() {
	host_section "$1"
	cat <<-END

	[group test]
	filter = f
	END
	[[ ${2:-} = engine* ]] || echo "engine = unix:$lib_dir/home.redis"
	printf '%s\n' "${@:2}"
	cat <<-END
	[hosts test]
	a = $(<"$lib_dir/a/public") publish aggregate
	b = $(<"$lib_dir/b/public") publish aggregate
	END
}

start() {
	"$seend" run "$lib_dir/$1/conf" >>"$lib_dir/$1/log" 2>&1 &
	pid[$1]=$!
	await 20 status "$1"
}

# restart HOST ENGINE [LINE...]: starts its daemon with another engine.
restart() {
	config "$1" "${@:3}" | sed "s,^engine = .*,engine = $2," >"$lib_dir/$1/conf"
	hurt "$1"
	start "$1"
}

# field HOST EXPRESSION: a value of the status.
field() {
	status "$1" | jq -r ".groups[0] | $2"
}

# has HOST FIRST LAST: the host has these keys.
has() {
	[ "$(ask "$1" missing "$2" "$3")" = 0 ]
}

have() {
	has a "$@" && has b "$@"
}

# settled HOST: all its keys are acknowledged.
settled() {
	[ "$(field "$1" .unsent+.sent)" = 0 ]
}

# fails HOST TEXT: the status of the host has this error.
fails() {
	[[ $(field "$1" .error) = *"$2"* ]]
}

old() {
	[ "$(field "$1" .age)" -gt 3000000000 ]
}

leads() {
	[ "$(field "$1" .leader)" = "$1" ]
}

# bad WHAT TEXT LINE...: a configuration with these lines is refused.
bad() {
	config a "${@:3}" >"$lib_dir/bad"
	refuse "$1" 1 "$2" "$seend" check "$lib_dir/bad"
}

plan 45
mkdir "$lib_dir"/{a,b,home.data,near.data,other.data}
for host in a b; do
	"$seend" key "$lib_dir/$host/key" >"$lib_dir/$host/public"
done
near=unix:$lib_dir/near.redis
config a >"$lib_dir/a/conf"
config b "replica = $near" >"$lib_dir/b/conf"
check "a configuration with a replica" "$seend" check "$lib_dir/b/conf"
bad "an address without a port" "line 9: replica: tcp:near: must be tcp:HOST:PORT" "replica = tcp:near"
bad "a port of 0" "line 9: replica: tcp:near:0: the port must be a number from 1 to 65535" \
	"replica = tcp:near:0"
bad "a port that is a word" "line 8: engine: tcp:near:x: the port must be" "engine = tcp:near:x"
bad "a port that is too high" "the port must be" "replica = tcp:near:65536"
bad "an IPv6 address without brackets" "must be in brackets, as in tcp:[2001:db8::1]:6379" \
	"replica = tcp:2001:db8::1"
bad "an IPv6 address without a port" "must be tcp:HOST:PORT" "replica = tcp:[2001:db8::1]"
bad "no host" "must be tcp:HOST:PORT" "replica = tcp::6379"
bad "a relative path" "the path of a socket must be absolute" "replica = unix:redis.sock"
bad "another word" "line 9: replica: near: must be unix:PATH or tcp:HOST:PORT" "replica = near"
bad "no replica without an engine" "group test: replica: there is no engine" \
	"engine = none" "replica = $near"
bad "the engine itself" "replica: it is the engine; omit it" "replica = unix:$lib_dir/home.redis"
config a "replica = tcp:[::1]:6379" >"$lib_dir/good"
check "an IPv6 address in brackets" "$seend" check "$lib_dir/good"

# --- a replica that works ------------------------------------------------------------

redis_start home
link
redis_start near --replicaof 127.0.0.1 "$port"
check "the replica is linked to the primary" await 20 linked up
start a
check "host a becomes the aggregator" await 20 leads a
start b
is "its status names the replica" "$(field b .replica)" "$near"
match "seenctl prints it" "$(seenctl fleet show --socket "$lib_dir/b/sock")" \
	'replica[[:space:]]+unix:[^ ]*/near.redis:[[:space:]]+both answer'
is "the document follows its schema" "$(status b |
	"$here/../net/helpers/answer.py" fits "$top/Documentation/json/seend.json" status)" good
is "that of host a names none" "$(field a .replica)" null
ask a add 1 200
ask b add 201 400
check "keys of both hosts are known to both" await 60 have 1 400
check "host b reads its acknowledgement from the replica" await 60 settled b
redis_cli near client list >"$lib_dir/clients"
check "it waits for entries there" grep -q "cmd=xread" "$lib_dir/clients"

# --- the link is cut -----------------------------------------------------------------

hurt link
await 20 linked down
ask a add 1001 1100
ask b add 1101 1200
check "keys of host b reach host a without the link" await 60 has a 1001 1200
check "on host b the age of the news grows" await 60 old b
is "host b does not have the keys of host a" "$(ask b missing 1001 1100)" 100
is "its keys are sent, but not acknowledged" "$(field b '.unsent == 0 and .sent > 0')" true
link "$port"
await 60 linked up
check "when the link is back, all keys are known" await 60 have 1001 1200
check "and acknowledged" await 60 settled b

# --- the replica is killed -----------------------------------------------------------

hurt near
ask a add 2001 2100
ask b add 2101 2200
check "the error names the replica" await 60 fails b "$near: "
redis_start near --replicaof 127.0.0.1 "$port"
check "after its restart all keys are known" await 60 have 2001 2200
is "no keyframe was needed" "$(field b .counts.gap)" 0

# --- the primary is killed -----------------------------------------------------------

hurt home
ask b add 3001 3100
check "the error names the primary" await 60 fails b "unix:$lib_dir/home.redis: "
redis_start home
check "after its restart all keys are known" await 60 have 3001 3100

# --- the aggregator is killed --------------------------------------------------------

hurt a
check "host b becomes the aggregator by its replica" await 60 leads b
ask b add 4001 4100
start a
check "its keys are known to both" await 60 have 4001 4100

# --- a server with another role or history -------------------------------------------

redis_start other
redis_cli other set strange data >/dev/null
redis_cli near replicaof no one >/dev/null
ask b add 5001 5100
check "a replica that became a primary is refused" await 60 fails b "$near: it is no replica"
redis_cli near replicaof 127.0.0.1 "$port" >/dev/null
check "as a replica again it is accepted" await 60 have 5001 5100
# The checks above make a handful of outages; each is one line.
between "outages are logged when they begin" \
	"$(grep -c "the engine cannot be used" "$lib_dir/b/log")" 1 5
check "and its end" await 60 grep -q "the engine answers again" "$lib_dir/b/log"
restart b "unix:$lib_dir/other.redis" "replica = $near"
check "a replica of another primary is refused" await 60 fails b \
	"replica: it does not have the data of this engine"
restart b "$near"
check "an engine that is a replica is refused" await 60 fails b "$near: it is a replica"

# --- the replica is promoted ---------------------------------------------------------

restart b "unix:$lib_dir/home.redis" "replica = $near"
ask b add 6001 6100
check "keys before the promotion are known" await 60 have 6001 6100
ask b add 6101 6200
hurt home
ask a add 6201 6300
redis_cli near replicaof no one >/dev/null
restart a "$near"
restart b "$near"
ask a add 6301 6400
check "no key is lost by the promotion" await 60 have 6001 6400
check "all are acknowledged" await 60 settled a
check "on both hosts" await 60 settled b
note "$(grep -h . "$lib_dir"/[ab]/log | sort | uniq -c | sort -rn | head -n 20)"

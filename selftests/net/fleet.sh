#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# seenctl fleet key: two hosts get filters with equal hashes. seenctl fleet ask: which publishers of
# a group may have a key.
#
#	$a, $b and $c: seend with groups bans (union) and caches (each); c only reads
#	one redis-server on a unix socket

. "$(dirname "$0")/../lib.sh"
helpers=$(cd "$(dirname "$0")" && pwd)/helpers
schema=$helpers/../../Documentation/json/seenctl.json
type -P redis-server >/dev/null || skip_all "redis-server is not installed"
cd "$lib_dir" || exit

a='' b='' c='' copy=''
ns a b c
hosts=("$a" "$b" "$c")

ctl() {
	at "$1" seenctl "${@:2}"
}

seed() {
	ctl "$1" save --with-secret | sed -n "s/^filter add $2 .* seed //p"
}

# config NAMESPACE
config() {
	local group space

	echo "[host]"
	printf '%s = %s\n' key "$1.key" state "$lib_dir/$1" socket "$lib_dir/$1.sock"
	for group in "bans banned union" "caches content each"; do
		# shellcheck disable=SC2086 # three words
		set -- $group
		printf '[group %s]\nfilter = %s\nmode = %s\nengine = unix:%s\n[hosts %s]\n' \
			"$1" "$2" "$3" "$lib_dir/redis.sock" "$1"
		for space in "${hosts[@]}"; do
			echo "${space%-*} = $(<"$space.public")$([ "$space" = "$c" ] ||
				echo " publish aggregate")"
		done
	done
}

# show NAMESPACE JQ
show() {
	ctl "$1" -j fleet show --socket "$1.sock" | jq -r "$2"
}

stop_redis() {
	kill -9 "$redis" && wait "$redis"
} 2>/dev/null

offline() {
	[ "$(show "$1" 'map(.online) | any')" = false ]
}

complete() {
	[ "$(show "$1" 'map(.wrong | length) | add')" = 0 ]
}

settled() {
	[ "$(show "$1" 'map(.unsent + .sent) | add')" = 0 ] &&
		[ "$(ctl "$1" -j filter show content | jq '.[0].feed.pending')" = 0 ]
}

# ask NAMESPACE ARG...
ask() {
	ctl "$1" fleet ask "${@:2}" --socket "$1.sock" | grep -v ^note
}

plan 42

# --- the secret ------------------------------------------------------------------------

ctl "$a" filter add banned type cuckoo bits 32 capacity 10k window 1h key src/24,dport >/dev/null
ctl "$a" filter add content type bloom capacity 10k fpp 1e-6 key bytes >/dev/null
check "the secret is written" ctl "$a" fleet key banned banned.key
check "another one" ctl "$a" fleet key content content.key
is "only the owner may read it" "$(stat -c %a banned.key)" 600
match "it has key and secret" "$(<banned.key)" \
	$'^#[^\n]*\nkey src/24,dport\nseed '"$(seed "$a" banned)"'$'
refuse "a file is not overwritten" 1 "banned.key: exists; delete it first" \
	ctl "$a" fleet key content banned.key
refuse "no such filter" 1 'filter "none" does not exist' ctl "$a" fleet key none new.key
is "then there is no file" "$(ls new.key 2>/dev/null)" ""
refuse "a folder that does not exist" 1 "nowhere/key: No such file" \
	ctl "$a" fleet key banned nowhere/key
refuse "without a file" 2 "FILE: required" ctl "$a" fleet key banned

for space in "$b" "$c"; do
	check "$space gets an equal filter, of another type" ctl "$space" filter add banned \
		type bloom capacity 20k window 1h secret banned.key
	ctl "$space" filter add content type bloom capacity 10k fpp 1e-6 secret content.key >/dev/null
done
is "the secrets are equal" "$(seed "$b" banned)" "$(seed "$a" banned)"
is "and the keys" "$(ctl "$b" -j filter show banned | jq -r '.[0].key')" src/24,dport
check "-exist: it is the same" ctl "$b" -exist filter add content type bloom capacity 10k \
	fpp 1e-6 secret content.key
ctl "$b" filter add other capacity 100 key bytes >/dev/null
refuse "-exist: another secret" 1 'filter "other" exists with another seed' \
	ctl "$b" -exist filter add other capacity 100 secret content.key
ns copy
ctl "$b" save --with-secret | ctl "$copy" restore - >/dev/null
is "save and restore keep the secret" "$(seed "$copy" banned)" "$(seed "$a" banned)"

refuse "secret and seed" 2 "secret: excludes seed and key, which the file has" \
	ctl "$b" filter add x capacity 1 seed "$(seed "$a" banned)" secret banned.key
refuse "secret and key" 2 "secret: excludes seed and key" \
	ctl "$b" filter add x capacity 1 key src secret banned.key
refuse "a file that does not exist" 1 "none.key: No such file" \
	ctl "$b" filter add x capacity 1 secret none.key
chmod 640 banned.key
refuse "a file that others can read" 1 "banned.key: other users can read this secret; chmod 600" \
	ctl "$b" filter add x capacity 1 secret banned.key
chmod 600 banned.key
(umask 077 && echo "key src" >short.key && { cat banned.key banned.key; } >double.key)
refuse "a file without a secret" 2 'the file must have a line "key SPEC" and a line "seed HEX"' \
	ctl "$b" filter add x capacity 1 secret short.key
refuse "a file with two" 2 'expected a line "key SPEC"' \
	ctl "$b" filter add x capacity 1 secret double.key

# --- the fleet -----------------------------------------------------------------------------

for space in "${hosts[@]}"; do
	mkdir "$space"
	seend key "$space.key" >"$space.public"
done
redis-server --port 0 --unixsocket redis.sock --save "" --daemonize no >redis.log 2>&1 &
redis=$!
later stop_redis
check "redis-server starts" await 20 redis-cli -s redis.sock ping
for space in "${hosts[@]}"; do
	config "$space" >"$space.conf"
	background at "$space" seend run "$space.conf" 2>"$space.log"
done
for space in "${hosts[@]}"; do
	check "$space takes part" await 60 complete "$space"
done

ctl "$a" key add content /only-a /both >/dev/null
ctl "$b" key add content /both >/dev/null
ctl "$b" key add banned 192.0.2.1,22 >/dev/null
for space in "$a" "$b"; do
	check "keys of $space are acknowledged" await 60 settled "$space"
done
known() {
	[ "$(ask "$c" caches /both)" = "/both may be at a, b" ] &&
		ask "$c" bans 192.0.2.1,22
}
check "the publishers that may have a key" await 60 known
is "several keys" "$(ask "$c" caches /only-a /none)" "/only-a may be at a
/none is at no publisher"
is "a list" "$(printf '/none\n/both\n' | ask "$c" caches -)" "/none is at no publisher
/both may be at a, b"
is "a publisher lists itself" "$(ask "$a" caches /only-a)" "/only-a may be at a"
is "a union" "$(ask "$a" bans 192.0.2.1,22 192.0.2.1,23)" "192.0.2.1,22 may be in the group
192.0.2.1,23 is not in the group"
refuse "the exit status of an unknown key" 1 "" \
	ctl "$c" fleet ask caches /both /none --socket "$c.sock"
match "the note about errors" "$(ctl "$c" fleet ask caches /both --socket "$c.sock")" \
	'note: "may be" is wrong for about [0-9.e-]+ of the keys that a host does not have'
ctl "$c" -j fleet ask caches /only-a /none --socket "$c.sock" >json
is "JSON" "$(jq -c 'map([.key, .answer, .seen, .hosts])' json)" \
	'[["/only-a","seen",true,["a"]],["/none","new",false,[]]]'
is "JSON follows the schema" "$("$helpers/answer.py" fits "$schema" key_answers <json)" good
refuse "a bad key" 2 "src: not an IPv4 or IPv6 address: bad" \
	ctl "$a" fleet ask bans bad --socket "$a.sock"
refuse "an unknown group" 1 'seend has no group "cache", did you mean "caches"?' \
	ctl "$a" fleet ask cache /both --socket "$a.sock"

stop_redis
check "the server is gone" await 60 offline "$c"
refuse "a note says that keys may be missing" 0 \
	"keys of other hosts may be missing here; see seenctl fleet show caches" \
	ctl "$c" fleet ask caches /both --socket "$c.sock"
# seend makes filters of publishers again, but not its own.
ctl "$c" filter del banned
refuse "a filter that was deleted" 1 'filter "banned" does not exist' \
	ctl "$c" fleet ask bans 192.0.2.1,22 --socket "$c.sock"

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# seenctl fleet show: the status of two daemons with a real redis-server, and the faults that an
# operator reads. A status of a strange program changes nothing on the terminal.

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/helpers/lib.sh"
top=$here/../..
PATH=$top/build/tools:$PATH

# hosts: the section of the hosts of a group.
hosts() {
	echo "[hosts $1]"
	echo "a = $(<"$lib_dir/a/public") publish aggregate"
	echo "b = $(<"$lib_dir/b/public") publish"
	echo "reader = $(<"$lib_dir/reader/public")"
}

# config HOST: its configuration. Group lost has a server that does not exist.
config() {
	host_section "$1"
	cat <<-END

	[group bans]
	filter = f
	engine = unix:$lib_dir/redis.sock

	$(hosts bans)
	END
	[ "$1" = a ] || return 0
	cat <<-END
	[group lost]
	filter = g"\\h
	mode = each
	engine = unix:$lib_dir/nowhere

	$(hosts lost)
	END
}

show() {
	seenctl "${@:2}" fleet show --socket "$lib_dir/$1/sock"
}

# field HOST EXPRESSION: a value of its group bans.
field() {
	show "$1" -j | jq -r '.[] | select(.group == "bans") | '"$2"
}

settled() {
	[ "$(field a '"\(.online) \(.complete) \(.unsent) \(.sent)"')" = "true true 0 0" ] &&
		[ "$(field a .acknowledged)" -gt 0 ]
}

# counted HOST WORD NUMBER: a counter has this value.
counted() {
	[ "$(field "$1" '.reasons[] | select(.what == "'"$2"'").count')" = "$3" ]
}

offline() {
	[ "$(field "$1" .online)" = false ]
}

# wrong HOST WORDS: its group has exactly these faults.
wrong() {
	[ "$(field "$1" '.wrong | map(.what) | join(" ")')" = "$2" ]
}

stop_redis() {
	kill -9 "$redis" && wait "$redis"
} 2>/dev/null

# refused_status WHAT TEXT ANSWER: the answer of a strange program.
refused_status() {
	printf '%b' "$3" >"$lib_dir/answer"
	refuse "$1" 1 "$2" seenctl fleet show --socket "$lib_dir/strange"
}

plan 51

refuse "an option with one dash" 2 'unknown option "-socket", did you mean "--socket"?' \
	seenctl fleet show -socket "$lib_dir/sock"
refuse "no daemon" 1 "no seend answers at $lib_dir/sock; systemctl status seend says why" \
	seenctl fleet show --socket "$lib_dir/sock"
refuse "the usual socket" 1 "no seend answers at /run/seen/seend.sock" seenctl fleet
is "in JSON an error is an empty list" \
	"$(seenctl -j fleet show --socket "$lib_dir/sock" 2>/dev/null)" "[]"

for host in a b reader; do
	mkdir "$lib_dir/$host"
	"$seend" key "$lib_dir/$host/key" >"$lib_dir/$host/public"
done
redis-server --port 0 --unixsocket "$lib_dir/redis.sock" --dir "$lib_dir" --save "" \
	--daemonize no --loglevel warning >"$lib_dir/redis.log" 2>&1 &
redis=$!
later stop_redis
check "redis-server starts" await 20 redis_answers
for host in a b; do
	config "$host" >"$lib_dir/$host/conf"
	background "$seend" run "$lib_dir/$host/conf" 2>"$lib_dir/$host/log"
	check "daemon $host starts" await 20 status "$host"
done
"$here/helpers/ask.py" "$lib_dir/a" add 1 100
check "keys are acknowledged" await 60 settled

# --- what is printed ---------------------------------------------------------------

text=$(show a)
is "the group with a fault is first" "$(sed -n 's/^group \([a-z]*\) .*/\1/p' <<<"$text" |
	paste -sd' ')" "lost bans"
match "its fault is its first line" "$text" \
	$'^group lost filter g"\\\\h mode each host a\n    FAULT      the engine does not answer: unix:[^ ]*/nowhere: No'
match "the server is named" "$text" 'engine     unix:[^ ]*/nowhere does not answer'
match "a group that works" "$text" \
	$'\ngroup bans filter f mode union host a\n    engine     unix:[^ ]*/redis.sock answers\n'
match "its aggregator" "$text" 'aggregator a \(this host\), last batch [0-9.]+[a-z]+ ago'
match "its keys" "$text" 'keys       complete, 100 applied'
match "its batches" "$text" 'batches    0 not sent, 0 sent, [1-9][0-9]* acknowledged'
match "its hosts" "$text" \
	'hosts      a \(publishes, aggregates\), b \(publishes\), reader \(reads\)'
is "no line is longer than 80 columns" "$(awk 'length > 80' <<<"$text")" ""
is "-oneline: a line for each group" "$(show a -o | wc -l)" 2
match "another host has another leader" "$(show b)" 'aggregator a, last batch '
is "one group" "$(seenctl -j fleet show bans --socket "$lib_dir/a/sock" | jq -r '.[].group')" bans
refuse "an unknown group" 1 'seend has no group "ban", did you mean "bans"?' \
	seenctl fleet show ban --socket "$lib_dir/a/sock"
is "the daemon's document follows its schema" "$(status a |
	"$here/../net/helpers/answer.py" fits "$top/Documentation/json/seend.json" status)" good
is "seenctl's document follows its schema" "$(show a -j | "$here/../net/helpers/answer.py" \
	fits "$top/Documentation/json/seenctl.json" fleet_groups)" good
is "faults in JSON" "$(show a -j | jq -c '[.[] | [.wrong[].what]]')" '[["offline"],[]]'

# --- hosts that differ -----------------------------------------------------------------

# odd HOST SEAL [LINE]: the configuration of a host of group odds, whose hosts have two seals.
odd() {
	host_section "$1"
	cat <<-END
	[group odds]
	filter = f
	engine = unix:$lib_dir/redis.sock
	share = 1
	seal = $lib_dir/$2
	${3:-}
	[hosts odds]
	c = $(<"$lib_dir/c/public") publish aggregate
	d = $(<"$lib_dir/d/public") publish
	END
}

# faulty HOST FAULT: its status has this fault.
faulty() {
	[[ $(show "$1" -j | jq -r '.[].wrong[].text') = *"$2"* ]]
}

said() {
	grep -q "$2" "$lib_dir/$1/log"
}

end() {
	kill "${odd[$1]}" && wait "${odd[$1]}"
} 2>/dev/null

# begin HOST SEAL [LINE]
begin() {
	odd "$@" >"$lib_dir/$1/conf"
	"$seend" run "$lib_dir/$1/conf" 2>>"$lib_dir/$1/log" &
	odd[$1]=$!
	later "end $1"
	await 20 status "$1"
}
declare -A odd=()

for host in c d; do
	mkdir "$lib_dir/$host"
	"$seend" key "$lib_dir/$host/key" >"$lib_dir/$host/public"
done
"$seend" seal "$lib_dir/seal1"
"$seend" seal "$lib_dir/seal2"
begin c seal1
begin d seal2
what="sends batches that are not sealed with this group's seal; give all hosts the same seal"
check "another seal: the aggregator is named" await 60 faulty d "c $what"
match "first of all" "$(show d)" $'host d\n    FAULT      c sends batches that are not sealed'
match "a host that cannot use batches is not complete" "$(show d)" 'keys       not complete'
check "the log names it, too" await 20 said d \
	"group odds: c: a message is not sealed with this group's seal (seal, "
is "the document follows its schema" "$(status d |
	"$here/../net/helpers/answer.py" fits "$top/Documentation/json/seend.json" status)" good
is "in JSON" "$(show d -j | "$here/../net/helpers/answer.py" \
	fits "$top/Documentation/json/seenctl.json" fleet_groups)" good
"$here/helpers/ask.py" "$lib_dir/d" add 1 10
check "the aggregator names a publisher" await 60 faulty c \
	"d sends keys that are not sealed with this group's seal"
match "and is not complete" "$(show c)" 'keys       not complete'
end d
begin d seal1 "deletes = yes"
check "other deletes: the aggregator is named" await 60 faulty d \
	"c sends batches of a filter with another key, secret or window, or has another mode or deletes"
end d
begin d seal1
right() {
	[ "$(show d -j | jq -c '.[0] | [.complete, .wrong]')" = '[true,[]]' ]
}
check "no fault is left when all are equal" await 60 right
"$here/helpers/ask.py" "$lib_dir/d" add 101 4100
check "a share that is used up is a fault of the publisher" await 60 faulty d \
	"the aggregator refuses keys of this host: its rate, or its share of the capacity, is used up; raise rate, share or the capacity on all hosts"
check "the log of the aggregator names the publisher" await 20 said c \
	"group odds: d: a quota is exceeded (quota, "

# --- events ----------------------------------------------------------------------------

redis_cli xadd seen:bans:out '*' m garbage >/dev/null
check "a strange message is counted" await 60 counted b size 1
match "in words" "$(show b)" 'counted    1: a message is too short or too long'
stop_redis
check "the server is gone" await 60 offline b
match "the fault has the reason" "$(show b)" \
	'FAULT      the engine does not answer: unix:[^ ]*redis.sock:[[:space:]]+[A-Z].*redis.sock does not answer'
check "the silence is a fault" await 60 wrong b "offline silent"

# --- strange answers --------------------------------------------------------------------

listen strange "$here/helpers/answer.py" "$lib_dir/strange" "$lib_dir/answer"
heard strange 20 listening >/dev/null
refused_status "an empty answer" "the answer is incomplete or no JSON" ''
refused_status "a part of an answer" "the answer is incomplete or no JSON" '{"groups":[{"group":"a'
refused_status "no object" "the answer is no status" '[]'
refused_status "no groups" "the answer is no status" '{"groups":[1]}'
status a >"$lib_dir/good"
sed 's/"applied":[0-9]*/"applied":"many"/' "$lib_dir/good" >"$lib_dir/answer"
refuse "a number that is a text" 1 "the answer is no status" \
	seenctl fleet show --socket "$lib_dir/strange"
sed 's/"applied":[0-9]*/"applied":-1/' "$lib_dir/good" >"$lib_dir/answer"
refuse "a number below 0" 1 "the answer is no status" \
	seenctl fleet show --socket "$lib_dir/strange"
sed 's/"host":"a"/"host":"x"/' "$lib_dir/good" >"$lib_dir/answer"
refuse "a host that is not in the group" 1 "the answer is no status" \
	seenctl fleet show --socket "$lib_dir/strange"
printf '{"groups":%0100000d' 0 | tr 0 '[' >"$lib_dir/answer"
refuse "endless brackets" 1 "the answer is incomplete or no JSON" \
	seenctl fleet show --socket "$lib_dir/strange"
sed 's/"filter":"f"/"filter":"\\u001b[31m\\u009b\\n'"$(printf '%0300d' 0)"'"/' "$lib_dir/good" \
	>"$lib_dir/answer"
text=$(seenctl fleet show --socket "$lib_dir/strange")
match "control characters and long names are harmless" "$text" \
	'filter \?\[31m\?\?0{50,60}'$'\n'' *mode'
is "no control character is printed" "$(LC_ALL=C.UTF-8 grep -c '[[:cntrl:]]' <<<"$text")" 0

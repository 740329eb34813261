#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Prefixes of any length in one filter: in rules, guards, marks, allow lists and exports.
#
#	$away  a0 ------- eth0  $box

# shellcheck disable=SC2016 # "check" expands what it runs by eval

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/helpers/lib.sh"

plan 51
box='' away=''
ns box away
veth "$away" a0 "$box" eth0
addr "$away" a0 192.0.2.1/24 10.1.2.3/8 10.128.0.1/8 2001:db8:1::1/64 2001:db8:2::1/64
addr "$box" eth0 192.0.2.2/24 10.0.0.2/8 2001:db8:1::2/64 2001:db8:2::2/64
link_up "$away" a0
link_up "$box" eth0

ctl() {
	at "$box" seenctl "$@"
}

# told FILTER JQ
told() {
	ctl -j -s filter show "$1" | jq -c ".[0] | $2"
}

# from SOURCE TARGET: a datagram.
from() {
	at "$away" python3 -c '
import socket, sys
family = socket.AF_INET6 if ":" in sys.argv[1] else socket.AF_INET
s = socket.socket(family, socket.SOCK_DGRAM)
s.bind((sys.argv[1], 0))
s.sendto(b"x", (sys.argv[2], 9))' "$@"
}

# The same from each address, of which two are in prefixes that are held.
from_each() {
	from 192.0.2.1 192.0.2.2
	from 10.1.2.3 10.0.0.2
	from 10.128.0.1 10.0.0.2
	from 2001:db8:1::1 2001:db8:1::2
	from 2001:db8:2::1 2001:db8:2::2
}

# --- keys ------------------------------------------------------------------------------

for type in bloom cuckoo map "counting fpp 0.2"; do
	# shellcheck disable=SC2086 # one word a parameter
	check "${type%% *}: a filter" ctl filter add ${type%% *} type $type \
		capacity 100 key 'src/*'
	type=${type%% *}
	check "$type: prefixes are stored" ctl key add "$type" 10.0.0.0/9 \
		2001:db8:1::/48 198.51.100.0/24
	is "$type: what is in one is seen, be it an address or a prefix" \
		"$(ctl key test "$type" 10.127.1.1 10.128.0.1 10.1.0.0/16 10.0.0.0/8 \
			2001:db8:1:2::3 2001:db8:2::1 | xargs)" \
		"10.127.1.1 seen 10.128.0.1 new 10.1.0.0/16 seen 10.0.0.0/8 new 2001:db8:1:2::3 seen 2001:db8:2::1 new"
	is "$type: lengths are told" "$(told "$type" .lengths)" '["9","24","6/48"]'
done
check "one is deleted" ctl key del map 198.51.100.0/24
refuse "but no part of one" 1 "were not there" ctl key del map 10.1.0.0/16
is "its length is asked for until a flush" "$(told map .lengths)" '["9","24","6/48"]'
is "what a map holds" "$(ctl key show map | sort)" "10.0.0.0/9 0
2001:db8:1::/48 0"
for ((i = 1; i <= 64; i++)); do
	echo "2001:db8:7:7:7:7:7:7/$i"
done | ctl key add bloom - 2>"$lib_dir/said"
is "a 65th length is refused, the others are stored" \
	"$? $(told bloom '.lengths | length')" "1 64"
is "and counted" "$(told bloom .stats.full)" 1
match "with words" "$(<"$lib_dir/said")" "prefixes of 64 lengths already"
refuse "no bitmap" 1 "type: prefixes of any length" \
	ctl filter add x type bitmap range 10.0.0.0/24 key 'src/*'
for type in cms cmm; do
	refuse "no $type" 1 "type: prefixes of any length" \
		ctl filter add x type $type capacity 100 key 'src/*'
done

check "with a threshold" eval '
	ctl filter add often type counting capacity 100 fpp 0.2 key "src/*" threshold 2 &&
	ctl key add often 10.0.0.0/8 10.1.0.0/16 10.1.0.0/16'
is "a prefix is seen when it came so often" \
	"$(ctl key test often 10.1.2.3 10.2.2.3 | xargs)" "10.1.2.3 seen 10.2.2.3 new"
is "and counted before" "$(ctl key count often 10.1.2.3 10.0.0.0/8 | xargs)" \
	"10.1.2.3 2 10.0.0.0/8 1"
is "below it the longest prefix that is there has the count" \
	"$(ctl key count often 10.2.2.3 10.1.2.3 11.0.0.1 | xargs)" \
	"10.2.2.3 1 10.1.2.3 2 11.0.0.1 0"

refuse "no fold" 1 "key: with prefixes of any length no filter folds" \
	ctl filter fold bloom

# --- export and import -------------------------------------------------------------------

check "an export" ctl filter export cuckoo "$lib_dir/cuckoo.seen" --with-secret
check "and an import" ctl filter import again "$lib_dir/cuckoo.seen"
is "the lengths come with it" "$(told again .lengths)" '["9","24","6/48"]'
is "and its keys" "$(ctl key test again 10.127.1.1 | xargs)" "10.127.1.1 seen"
ctl key add again 203.0.113.0/25
check "a merge" ctl filter merge again cuckoo
is "has the lengths of both" "$(told again .lengths)" '["9","24","25","6/48"]'

# --- packets ------------------------------------------------------------------------------

ctl filter reset map
check "a rule asks" at "$box" iptables -A INPUT -p udp -m seen --filter map --test -j DROP
check "one of IPv6, too" at "$box" ip6tables -A INPUT -p udp -m seen --filter map --test -j DROP
from_each
judged() {
	[ "$(told map '[.stats.new, .stats.seen]')" = "[$1,$2]" ]
}
check "two of five are in a prefix" await 10 judged 3 2
at "$box" iptables -F INPUT
at "$box" iptables -A INPUT -p udp -m seen --filter map --test-add -j DROP
from 10.1.2.3 10.0.0.2
unfit() {
	[ "$(told map .stats.unfit)" = 1 ]
}
check "a rule that stores does not fit: the packet passes" await 10 unfit
at "$box" iptables -F INPUT
ctl filter reset often
at "$box" iptables -A INPUT -p udp -m seen --filter often --test --count-over 0
from 10.128.0.1 10.0.0.2
over() {
	[ "$(told often '[.stats.new, .stats.seen]')" = "[0,1]" ]
}
check "a rule asks how often a prefix came" await 10 over
at "$box" iptables -F INPUT
at "$box" ip6tables -F INPUT

# port JQ: of the guard's
port() {
	ctl -j -s guard show | jq -c ".[0].ports[0] | $1"
}
looked() {
	[ "$(port '.judged + .allowed')" -ge "$1" ]
}
check "a guard drops what is in one" ctl guard add dev eth0 filter cuckoo \
	verdict listed match all udp 9 action drop
from_each
await 10 looked 5
is "two of five" "$(port '[.judged, .dropped]')" '[5,2]'
check "a prefix is allowed" ctl allow add cuckoo 10.1.0.0/16
from_each
await 10 looked 10
is "what is in it is not judged" "$(port '[.judged, .allowed, .dropped]')" '[9,1,3]'
is "nor if it is asked for" "$(ctl key test cuckoo 10.1.9.9 10.2.9.9 | xargs)" \
	"10.1.9.9 allowed 10.2.9.9 seen"
ctl guard del dev eth0
refuse "no verdict that stores" 1 "listed" \
	ctl guard add dev eth0 filter cuckoo verdict dup action drop

# --- values of the longest ------------------------------------------------------------------

marks "$box" eth0
check "a map has values" ctl key add map 10.0.0.0/9 value 7 10.1.0.0/16 value 9
check "a guard marks with them" ctl guard add dev eth0 filter map verdict listed \
	match all udp 9 action mark value
ip -n "$away" address add 10.2.0.1/8 dev a0
from 10.1.2.3 10.0.0.2
from 10.2.0.1 10.0.0.2
from 10.128.0.1 10.0.0.2
await 10 looked 3
is "that of the longest prefix" "$(marks_told "$box")" "[1,1]"

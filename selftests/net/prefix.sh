#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Prefixes of any length in one filter: in rules, guards, marks, allow lists and exports.
#
#	$away  a0 ------- eth0  $box

# shellcheck disable=SC2016 # "check" expands what it runs by eval

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/helpers/lib.sh"

plan 61
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

# Prints a member ($2) of the filter $1.
told() {
	ctl -j -s filter show "$1" | jq -c ".[0] | $2"
}

# from SOURCE TARGET: sends a datagram.
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
	is "$type: addresses and prefixes in a stored prefix are seen" \
		"$(ctl key test "$type" 10.127.1.1 10.128.0.1 10.1.0.0/16 10.0.0.0/8 \
			2001:db8:1:2::3 2001:db8:2::1 | xargs)" \
		"10.127.1.1 seen 10.128.0.1 new 10.1.0.0/16 seen 10.0.0.0/8 new 2001:db8:1:2::3 seen 2001:db8:2::1 new"
	is "$type: the lengths are shown" "$(told "$type" .lengths)" '["9","24","6/48"]'
done
check "one is deleted" ctl key del map 198.51.100.0/24
refuse "a part of a prefix cannot be deleted" 1 "did not exist" ctl key del map 10.1.0.0/16
is "the length stays until a flush" "$(told map .lengths)" '["9","24","6/48"]'
is "the prefixes in a map" "$(ctl key show map | sort)" "10.0.0.0/9 0
2001:db8:1::/48 0"
# more_lengths: 64 prefixes, three lines of a length that comes before, one of two keys.
more_lengths() {
	local i

	for ((i = 1; i <= 64; i++)); do
		echo "2001:db8:7:7:7:7:7:7/$i"
	done
	echo '2001:db8:8::/63 # again'
	echo 2001:db8:9::/48
	echo 2001:db9::-2001:dba:ffff:ffff:ffff:ffff:ffff:ffff
}

check "--strict refuses too many lengths" eval '! more_lengths |
	ctl key add bloom --strict - 2>"$lib_dir/said" &&
	grep -q "line 63: .*/63: the filter already has prefixes of 64 lengths" "$lib_dir/said" &&
	grep -q "3 bad lines: nothing was done" "$lib_dir/said"'
is "--strict has added nothing" "$(told bloom '.lengths | length')" 3
said=$(more_lengths | ctl -s key add bloom - 2>&1)
is "lines with a 65th length are skipped, the others are stored" \
	"$? $said" "2 seenctl: key add: line 63: 2001:db8:7:7:7:7:7:7/63: the filter already has prefixes of 64 lengths; use one of these lengths
seenctl: key add: line 65: 2001:db8:8::/63: the filter already has prefixes of 64 lengths; use one of these lengths
seenctl: key add: line 64: 2001:db8:7:7:7:7:7:7/64: the filter already has prefixes of 64 lengths; use one of these lengths
keys 65 new 65 skipped 3"
is "the filter has 64 lengths" "$(told bloom '.lengths | length')" 64
is "later lines are stored" "$(ctl key test bloom 2001:db8:9:1::1)" "2001:db8:9:1::1 seen"
is "the refusals are counted" "$(told bloom .stats.full)" 2
is "many lines of one length are few requests" "$(seq -f '9001::%.0f' 1 9999 |
	ctl -s key add bloom - 2>/dev/null)" "keys 0 skipped 9999"
refuse "a key alone is refused" 1 "9001::1: the filter already has prefixes of 64 lengths" \
	ctl key add bloom 9001::1
check "an allow list" eval 'more_lengths | head -n62 | ctl allow add bloom - &&
	ctl allow add bloom 10.0.0.0/8 11.0.0.0/9'
refuse "a 65th length is refused in an allow list" 2 \
	"line 2: 10.0.0.0/10: the allow list already has prefixes of 64 lengths" \
	ctl allow add bloom - < <(printf '12.0.0.0/9\n10.0.0.0/10\n13.0.0.0/9\n')
is "the other lines are added to it" "$(ctl allow show bloom | grep -c '^1[23]')" 2
refuse "--strict refuses them in an allow list" 2 "1 bad lines: nothing was done" \
	ctl allow add bloom --strict - < <(printf '14.0.0.0/9\n10.0.0.0/10\n')
is "--strict has added no line" "$(ctl allow show bloom | grep -c '^14')" 0
refuse "a bitmap is refused" 1 "type: prefixes of any length need type bloom" \
	ctl filter add x type bitmap range 10.0.0.0/24 key 'src/*'
for type in cms cmm; do
	refuse "type $type is refused" 1 "type: prefixes of any length need type bloom" \
		ctl filter add x type $type capacity 100 key 'src/*'
done

check "a filter with a threshold" eval '
	ctl filter add often type counting capacity 100 fpp 0.2 key "src/*" threshold 2 &&
	ctl key add often 10.0.0.0/8 10.1.0.0/16 10.1.0.0/16'
is "a prefix is seen when its count reaches the threshold" \
	"$(ctl key test often 10.1.2.3 10.2.2.3 | xargs)" "10.1.2.3 seen 10.2.2.3 new"
is "a count exists before that" "$(ctl key count often 10.1.2.3 10.0.0.0/8 | xargs)" \
	"10.1.2.3 2 10.0.0.0/8 1"
is "below the threshold the longest stored prefix has the count" \
	"$(ctl key count often 10.2.2.3 10.1.2.3 11.0.0.1 | xargs)" \
	"10.2.2.3 1 10.1.2.3 2 11.0.0.1 0"

refuse "a fold is refused" 1 "key: a filter with prefixes of any length cannot be folded" \
	ctl filter fold bloom

# --- export and import -------------------------------------------------------------------

check "the filter is exported" ctl filter export cuckoo "$lib_dir/cuckoo.seen" --with-secret
check "the filter is imported" ctl filter import again "$lib_dir/cuckoo.seen"
is "the import has the lengths" "$(told again .lengths)" '["9","24","6/48"]'
is "the import has the keys" "$(ctl key test again 10.127.1.1 | xargs)" "10.127.1.1 seen"
ctl key add again 203.0.113.0/25
check "two filters are merged" ctl filter merge again cuckoo
is "the merged filter has the lengths of both" "$(told again .lengths)" '["9","24","25","6/48"]'

# --- packets ------------------------------------------------------------------------------

ctl filter reset map
check "a rule uses the filter" \
	at "$box" iptables -A INPUT -p udp -m seen --filter map --test -j DROP
check "a rule of IPv6 uses the filter" \
	at "$box" ip6tables -A INPUT -p udp -m seen --filter map --test -j DROP
from_each
judged() {
	[ "$(told map '[.stats.new, .stats.seen]')" = "[$1,$2]" ]
}
check "two of five datagrams match a prefix" await 10 judged 3 2
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
check "a rule tests the count of a prefix" await 10 over
at "$box" iptables -F INPUT
at "$box" ip6tables -F INPUT

# port JQ: of the guard's
port() {
	ctl -j -s guard show | jq -c ".[0].ports[0] | $1"
}
looked() {
	[ "$(port '.judged + .allowed')" -ge "$1" ]
}
check "a guard drops datagrams in a prefix" ctl guard add dev eth0 filter cuckoo \
	verdict listed match all udp 9 action drop
from_each
await 10 looked 5
is "the guard drops two of five" "$(port '[.judged, .dropped]')" '[5,2]'
check "a prefix is allowed" ctl allow add cuckoo 10.1.0.0/16
from_each
await 10 looked 10
is "datagrams in the allowed prefix are not judged" \
	"$(port '[.judged, .allowed, .dropped]')" '[9,1,3]'
is "key test reports allowed keys" "$(ctl key test cuckoo 10.1.9.9 10.2.9.9 | xargs)" \
	"10.1.9.9 allowed 10.2.9.9 seen"
ctl guard del dev eth0
refuse "a verdict that stores is refused" 1 "listed" \
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
is "the mark is the value of the longest prefix" "$(marks_told "$box")" "[1,1]"

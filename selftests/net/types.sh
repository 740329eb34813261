#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The types other than bloom and cuckoo: the operations that each supports, reports and
# refuses, by netlink and by rules. The tests of the core test accuracy.

# shellcheck disable=SC2016 # "check" expands what it runs by eval

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/helpers/lib.sh"

tool=iptables-nft
. "$(dirname "$0")/helpers/rules.sh"

plan 71
ns box far
veth "$box" eth0 "$far" eth0
addr "$box" eth0 192.0.2.2/24
addr "$far" eth0 192.0.2.1/24
link_up "$box" eth0
link_up "$far" eth0

# times N WORD: one a line
times() {
	for ((i = 0; i < $1; i++)); do
		echo "$2"
	done
}

# Prints a member ($2) of the filter $1, in one line.
told() {
	ask -j -s filter show "$1" | jq -c ".[0] | $2"
}

counted() {
	ask key count "$@" | cut -d' ' -f2 | xargs
}

# load RULE...: loads the rules into INPUT, and a last one that matches every datagram.
load() {
	printf '%s\n' '*filter' "$@" "-A INPUT -p udp" COMMIT >"$lib_dir/rules"
	rules "$lib_dir/rules"
}

come() {
	mapfile -t hit < <(rule -vS INPUT | sed -n 's/^-A .* -c \([0-9]*\) .*/\1/p')
	[ "${hit[-1]}" = "$1" ]
}

# sent PORT...: datagrams from $far, all of which have come: what the first rule hit.
sent() {
	datagrams "$far" 192.0.2.2 "$@"
	await 10 come $# && echo "${hit[0]}"
}

# --- bitmap -------------------------------------------------------------------------

check "bitmap: of a network" ask filter add nets range 10.0.0.0/8
is "it shows its range, is exact and has no rate" \
	"$(told nets '[.type, .range, .capacity, .errs, .rate, .on_full]')" \
	'["bitmap","10.0.0.0-10.255.255.255",16777216,"exact",null,null]'
check "both ends are added" ask key add nets 10.0.0.0 10.255.255.255
is "both ends are seen, and no other key" \
	"$(ask key test nets 10.0.0.0 10.255.255.255 10.0.0.1 | xargs)" \
	"10.0.0.0 seen 10.255.255.255 seen 10.0.0.1 new"
is "keys outside of the range are not seen" "$(ask key test nets 9.255.255.255 11.0.0.0 \
	2001:db8::1 | cut -d' ' -f2 | xargs)" "new new new"
refuse "an add with a key outside of the range adds nothing" 1 \
	"keys: a key is outside the bitmap's range" \
	ask key add nets 10.0.0.5 11.0.0.0
refuse "the other key of that add is not there" 1 "1 of 2 keys did not exist" \
	ask key del nets 10.0.0.0 10.0.0.5
is "each bit is counted" "$(told nets '[.entries, .used, .room]')" \
	'[1,1,16777216]'
check "a flush empties the bitmap" eval '
	ask filter flush nets && ask key add nets 10.0.0.7'
is "a flush keeps the range" "$(told nets '[.entries, .range]')" \
	'[1,"10.0.0.0-10.255.255.255"]'
check "bitmap: of networks" ask filter add nets24 key src/24 range 10.0.0.0/8
is "the bitmap has a bit for each network" "$(told nets24 .capacity)" 65536
check "any address of a network is its key" eval '
	ask key add nets24 10.1.2.3 && ask key test nets24 10.1.2.99'
check "bitmap: of IPv6" eval '
	ask filter add six range 2001:db8::1:0/112 &&
	ask key add six 2001:db8::1:ffff && ask key test six 2001:db8::1:ffff'
is "the range of IPv6 is shown" "$(told six .range)" '"2001:db8::1:0-2001:db8::1:ffff"'
check "bitmap: of numbers that no packet has" eval '
	ask filter add ids key id range 0-999999 &&
	ask key add ids 0 999999 && ask key test ids 0 999999'
check "bitmap: of MAC addresses" ask filter add macs \
	key smac range 02:00:00:00:00:00-02:00:00:00:ff:ff
is "the range of MAC addresses has 65536" "$(told macs .capacity)" 65536

check "bitmap: of ports, in a rule" ask filter add ports key dport range 1-99
load "-A INPUT -p udp -m seen --filter ports --test-add"
is "each port is new once" "$(sent 1 2 1 99 99)" 2
load "-A INPUT -p udp -m seen --filter ports --missing match"
is "ports outside of the range are no keys" \
	"$(sent 100 101 3) $(told ports .stats.nokey)" "2 2"
load "-A INPUT -p udp -m seen --filter ports --del"
is "a rule deletes" "$(sent 1 1 3) $(told ports .entries)" "1 2"

# --- counting -----------------------------------------------------------------------

check "counting: with a threshold" \
	ask filter add count type counting capacity 100 threshold 3 key dport
check "a key is added twice" ask key add count 7 7
is "below the threshold it is not seen, but counted" \
	"$(ask key test count 7) $(counted count 7 8)" \
	"7 new 2 0"
check "at the threshold it is seen" eval 'ask key add count 7 && ask key test count 7'
check "one copy is deleted" ask key del count 7
is "it is not seen any more" "$(ask key test count 7) $(counted count 7)" "7 new 2"
check "counts stick at 15" eval 'times 40 9 | ask key add count - &&
	ask key del count 9 9'
is "a count that sticks does not fall" "$(counted count 9)" 15
is "the filter shows its properties" "$(told count '[.type, .errs, .counts, .threshold]')" \
	'["counting","seen","to-15",3]'
load "-A INPUT -p udp -m seen --filter count --add --count-over 2"
is "a rule counts: over 2" "$(sent 11 11 11 12 12 11)" 2
load "-A INPUT -p udp -m seen --filter count --count-over 14"
is "a rule tests the count, up to the highest one" "$(sent 9 11 12)" 1
load "-A INPUT -p udp -m seen --filter count --count-over 15 --missing match"
is "above the highest count a rule is unfit" "$(sent 9) $(told count .stats.unfit)" "1 1"
check "full" ask filter add small type counting capacity 10 key id
refuse "a full filter refuses keys" 1 "the filter is full" eval 'seq 1 100 | ask key add small -'
is "a full filter has at least its capacity" "$(told small '.full and .entries >= 10')" true
check "with on-full pass no key is seen" eval 'ask filter set small on-full pass &&
	! ask key test small 1'

# --- map -----------------------------------------------------------------------------

check "map: keys with values" ask filter add map type map capacity 1000 key bytes
check "keys with values on the command line" ask key add map one value 1 none max value 4294967295
check "keys with values from a stream" eval 'printf "%s\n" "two 2" "three words 3" zero |
	ask key add map -'
is "the values are printed" "$(counted map one none max two zero)" "1 0 4294967295 2 0"
is "keys may have blanks" "$(ask key count map "three words")" "three words 3"
is "a missing key has no value" "$(ask key count map nil)" "nil -"
long=$(printf '%099d' 0)
is "a key that is too long has no value" "$(ask key count map "$long")" "$long -"
is "in JSON, too" "$(ask -j key count map two nil | jq -c .)" \
	'[{"key":"two","value":2,"answer":"seen","seen":true},{"key":"nil","answer":"new","seen":false}]'
check "a key gets another value" ask key add map two value 22
asked=$(told map '"\(.stats.adds) \(.stats.seen + 1)"')
check "--new does not change the value of a key" ask key add map --new two value 5
is "that counts as a lookup, not as an add" "$(told map '"\(.stats.adds) \(.stats.seen)"')" \
	"$asked"
is "the key has its value" "$(counted map two)" 22
is "it is exact" "$(told map '[.entries, .errs, .counts, .rate]')" \
	'[6,"exact","value",null]'
check "map: of ports" ask filter add portmap type map capacity 100 key dport
load "-A INPUT -p udp -m seen --filter portmap --test-add"
is "map: each port is new once, in a rule" "$(sent 1 2 1)" 1
load "-A INPUT -p udp -m seen --filter portmap --add"
is "map: a rule adds" "$(sent 1 3 3) $(told portmap .entries)" "2 3"
check "a key is deleted" eval 'ask key del map one && ! ask key test map one'
seq 1 2000 >"$lib_dir/many"
check "full" ask filter add tiny type map capacity 500 key id
refuse "a full filter refuses keys" 1 "the filter is full" \
	eval 'ask key add tiny - <"$lib_dir/many"'
is "the full map has exactly its capacity" "$(told tiny '[.entries, .full]')" '[500,true]'
check "the full map has all these keys" eval 'head -500 "$lib_dir/many" | ask key test tiny -'
check "a map for a rule that deletes" eval '
	ask filter add marks type map capacity 10 key dport &&
	ask key add marks 5 value 50'
load "-A INPUT -p udp -m seen --filter marks --del"
is "the rule deletes each key once" "$(sent 5 5 6)" 1

# --- sketches --------------------------------------------------------------------------

check "cms" ask filter add cms type cms capacity 1000 threshold 3 key dport
check "cmm" ask filter add cmm type cmm capacity 1000 window 1h key dport
for type in cms cmm; do
	load "-A INPUT -p udp -m seen --filter $type --add --count-over 2"
	is "$type: a rule counts" "$(sent 1 1 1 2 2 1)" 2
done
is "the counts of the sketches are right" "$(counted cms 1 2 3) $(counted cmm 1 2 3)" "4 2 0 4 2 0"
load "-A INPUT -p udp -m seen --filter cms"
is "cms: a key is seen from the threshold on" "$(sent 1 2 3)" 1
load "-A INPUT -p udp -m seen --filter cms --test-add --missing match"
is "a rule that tests and adds is unfit" "$(sent 1 3) $(told cms .stats.unfit)" "2 2"
is "the sketches show their error bounds" "$(told cms '[.total, .error, .confidence, .errs]
	')$(told cmm '[.total, .errs, .window]')" \
	'[6,1,0.999,"over"][6,"either",3600000000000]'
check "filters with equal keys are swapped" ask filter swap cms cmm
is "the counts are swapped, too" "$(told cms .type) $(counted cms 1)" '"cmm" 4'

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# restore makes the objects that save has printed, also if it runs twice. It reports objects that
# exist with other parameters.

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/helpers/lib.sh"

plan 39

ns a b
for space in "$a" "$b"; do
	ip -n "$space" link add br0 up type bridge
	ip -n "$space" link add eth0 up type veth peer name eth1
done

# The state of $a, with something of everything.
state='filter add hosts type bloom capacity 100000 fpp 0.0025 key host
filter add classic type bloom layout classic capacity 77777 fpp 0.001 key bytes
filter add late type bloom capacity 1000 fpp 0.01 window 90s refresh key src/24,dport on-full rotate
filter add flows type cuckoo capacity 5000 bits 16 key flow,inner
filter add wide type cuckoo capacity 10000 bits 32 window 1h key host
filter add recent type cuckoo capacity 3000 fpp 1e-7 window 1500ms key packet on-full pass
filter add "odd#name" capacity 10 type cuckoo key src/20/29,payload:3
filter add bounded type cuckoo capacity 100 bits 16 key frame,payload:256
filter add nets type bitmap key src/24 range 10.0.0.0/8
filter add ports key dport range 1000-2000
filter add often type counting capacity 1000 fpp 0.01 key host threshold 3
filter add values type map capacity 500 key host
filter add heavy type cms capacity 1000 fpp 0.01 key host window 10s conservative top 10
filter add mean type cmm capacity 1000 fpp 0.01 key flow threshold 100
filter set hosts allow-map values
allow add hosts 192.0.2.1 2001:db8::1
allow add classic "0x00ff" "plain text"
guard add bridge br0 profile loop action block protect eth7 protect eth8 storm 7
guard add dev eth0 filter hosts match bum udp 53,6000-6010 src 10.0.0.0/8,fe80::/10 action mark 0x2a
guard add dev eth1 hook egress profile relay dst 10.0.0.9 priority -5
guard add dev eth1 filter values verdict listed action mark value
guard add dev eth0 hook egress filter mean verdict heavy
guard pause dev eth0'
check "filters and guards are made" at "$a" seenctl -b - <<<"$state"

saved() {
	at "$1" seenctl save "${@:2}"
}

first=$(saved "$a")
is "save prints as many commands" "$(wc -l <<<"$first")" 22
match "a filter's command" "$first" \
	'filter add late type bloom layout blocked capacity 1000 fpp 0.01 window 90s refresh key src/24,dport on-full rotate'
match "a guard's command" "$first" \
	'guard add dev eth0 hook ingress filter hosts match bum udp 53,6000-6010 src 10.0.0.0/8,fe80::/10 verdict dup action mark 0x2a priority -1000 storm 100'
match "a bitmap has its range" "$first" \
	'filter add ports type bitmap range 1000-2000 key dport'
match "a map can be an allow list" "$first" \
	'filter set hosts allow-map values'
match "an allow list has several keys a line" "$first" \
	'allow add hosts (192.0.2.1 2001:db8::1|2001:db8::1 192.0.2.1)'
match "a paused guard is added paused" "$first" \
	'guard add dev eth0 hook ingress [^'$'\n'']* paused'
is "allow lists and allow maps come before the guards" "$(grep -nE \
	'^(allow|filter set)|^guard' <<<"$first" | sed -n '/guard/,$p' |
	grep -vc guard)" 0
is "no secret is printed" "$(grep -c seed <<<"$first")" 0
is "a guard's own filter is not printed" \
	"$(grep -c 'filter add loop-br0' <<<"$first")" 0

check "another namespace is made from it" at "$b" seenctl restore <<<"$first"
is "the other namespace is the same" "$(saved "$b")" "$first"
check "the same restore again succeeds" at "$b" seenctl restore <<<"$first"
is "it changes nothing" "$(saved "$b")" "$first"
is "the guard is paused" "$(at "$b" seenctl -j guard show dev eth0 |
	jq -r '.[0].state')" paused

secrets=$(saved "$a" --with-secret)
is "secrets are printed with --with-secret" \
	"$(grep -cE 'seed [0-9a-f]{32}$' <<<"$secrets")" 14
refuse "contents without secrets are refused" 2 "--contents: requires --with-secret" \
	at "$a" seenctl save --contents .
refuse "a filter with another secret differs" 1 \
	'filter "hosts" exists with another seed' at "$b" seenctl restore <<<"$secrets"

refuse "without -exist an existing filter is refused" 1 \
	'filter "hosts" already exists' \
	at "$b" seenctl filter add hosts type bloom capacity 100000 fpp 0.0025
check "with -exist an existing filter is accepted" at "$b" seenctl -exist \
	filter add hosts type bloom capacity 100000 fpp 0.0025
refuse "-exist: a filter with another capacity is refused" 1 \
	'filter "hosts" exists with another capacity' \
	at "$b" seenctl -exist filter add hosts type bloom capacity 1
check "with -exist an existing guard is accepted" at "$b" seenctl -exist \
	guard add dev eth1 hook egress profile relay dst 10.0.0.9
refuse "-exist: a guard with another action is refused" 1 \
	"guard dev eth1 hook egress exists with action count, not drop" \
	at "$b" seenctl -exist \
	guard add dev eth1 hook egress profile relay dst 10.0.0.9 action drop
is "in JSON, a command is a text" \
	"$(at "$a" seenctl -j save | jq -r '.[]')" "$first"

# --- objects added after the save ------------------------------------------------------

state=$lib_dir/state
mkdir "$lib_dir/contents"
at "$a" seenctl key add values 192.0.2.7 value 7
at "$a" seenctl allow add loop-br0 \
	0xffffffffffff020000000001ffff08060000002e000000020001
saved "$a" --contents "$lib_dir/contents" --with-secret >"$state"
match "a guard with a list of its own is added paused" "$(grep -n loop "$state")" \
	'guard add bridge br0 [^'$'\n'']* paused.*allow add loop-br0.*'
is "guards are resumed at the end" "$(tail -n2 "$state" | sort)" \
	"guard resume bridge br0 hook ingress
guard resume dev eth1 hook egress"
at "$a" seenctl -b - <<-'END'
key add values 192.0.2.7 value 8 192.0.2.8 value 9
allow add hosts 192.0.2.99
allow del hosts 192.0.2.1
filter set hosts allow-map none
guard resume dev eth0
END
now=$(saved "$a")
match "restore prints which contents it keeps" "$(at "$a" seenctl restore "$state")" \
	'note: filter "values" exists: its keys and allow lists stay'
is "restore without --replace changes nothing" "$(saved "$a")" "$now"
is "restore without --replace keeps keys and values" \
	"$(at "$a" seenctl key show values)" "192.0.2.7 8
192.0.2.8 9"
check "restore --replace succeeds" at "$a" seenctl restore --replace "$state"
is "--replace: the keys and values are the saved ones" \
	"$(at "$a" seenctl key show values)" "192.0.2.7 7"
match "--replace: the allow map is the saved one" \
	"$(saved "$a")" "filter set hosts allow-map values"
is "--replace: the allow list has the saved keys" \
	"$(at "$a" seenctl allow show hosts | sort | paste -sd' ')" \
	"192.0.2.1 192.0.2.99 2001:db8::1"
is "--replace: the guard is paused" \
	"$(at "$a" seenctl -j guard show dev eth0 | jq -r '.[0].state')" paused
at "$a" seenctl reset -y >/dev/null
refuse "a restore that fails reports that its guards are paused" 1 \
	"stopped early and left 1 new guard paused" at "$a" seenctl restore \
	<<<$'guard add dev eth0 profile packet paused\nfilter del nothing'
at "$a" seenctl reset -y >/dev/null
check "an empty namespace is restored" at "$a" seenctl restore "$state"
is "its contents are restored" "$(at "$a" seenctl key show values)" "192.0.2.7 7"
is "no other guard is left paused" "$(at "$a" seenctl -j guard show bridge br0 |
	jq -r '.[0].state')" armed

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The kernel's own netlink client (ynl), made from the spec alone, sends every command and dump,
# gets the answers that the manual promises, and reads every event.
#
#	$away  a0 ------- eth0  $box	a guard on the device
#	       a1 ------- p1 \
#	       a2 ------- p2 -- br0	a guard on the bridge

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/helpers/lib.sh"

box='' away=''
ns box away
veth "$away" a0 "$box" eth0
veth "$away" a1 "$box" p1
veth "$away" a2 "$box" p2
br "$box" br0 p1 p2
# The client asks for the families that are there, and so loads no module.
modprobe seen || exit

ynl() {
	python3 "$helpers/ynl.py" "$@"
}

ctl() {
	at "$box" seenctl -j "$@" >/dev/null 2>"$lib_dir/notes" || exit 1
}

# Checks that the event $1 arrives, with attributes that match the regex $2, in the order of their
# names.
told() {
	check "event $1" heard y 30 "^$1-ntf .*$2"
}

is_forwarding() {
	[ "$(at "$1" bridge link show | grep -c 'state forwarding')" = 2 ]
}

# circles: frames of the bridge itself come back, until there is such an event.
circles() {
	at "$box" frames $((first += 100)) 20 br0
	heard y 1 "^$1-ntf " >"$lib_dir/event"
}
first=1000000

# --- commands --------------------------------------------------------------------------

answers=$lib_dir/answers
at "$box" python3 "$helpers/ynl.py" commands >"$answers" 2>"$lib_dir/errors"
status=$?
mapfile -t names < <(ynl names)
plan $(($(wc -l <"$answers") + ${#names[@]} + 17))
is "the client sends all commands" "$status $(cat "$lib_dir/errors")" "0 "
while IFS=$'\t' read -r what got want; do
	is "$what" "$got" "$want"
done <"$answers"
at "$box" python3 "$helpers/../../ynl/pyynl/cli.py" --no-schema --output-json \
	--spec "$helpers/../../Documentation/netlink/specs/seen.yaml" --dump filter-get \
	>"$lib_dir/dump"
is "its command line dumps the same objects as seenctl" "$(jq -c 'map(.name)' "$lib_dir/dump")" \
	"$(at "$box" seenctl -j filter show | jq -c 'map(.name)')"

# --- events ----------------------------------------------------------------------------

listen y at "$box" python3 "$helpers/ynl.py" events
check "the client listens" heard y 30 '^ready'

ctl filter add x capacity 100 key frame type cuckoo bits 32
told filter-add '"filter": .*"capacity": 100.*"name": "x"'
ctl guard add dev eth0 filter x action drop storm 5
ctl guard add dev vlan5 filter x action drop
told guard-add '"dev": "vlan5".*"kind": "dev"'
told waiting '"dev": "vlan5"'
ip -n "$box" link add link eth0 name vlan5 type vlan id 5
told armed '"dev": "vlan5"'
told suspended '"dev": "vlan5".*"other": "eth0"'
ctl guard del dev eth0
told resumed '"dev": "vlan5"'
ctl guard pause dev vlan5
told guard-change '"change": "pause".*"dev": "vlan5".*"state": "paused"'
ctl guard resume dev vlan5
told guard-change '"change": "resume".*"dev": "vlan5".*"state": "armed"'
ctl guard reset dev vlan5
told guard-change '"change": "reset".*"dev": "vlan5".*"storm": 100'
ctl guard set dev vlan5 storm 7
told guard-change '"change": "set".*"dev": "vlan5".*"storm": 7'
ctl guard pause dev vlan5
ctl filter rename x z
told filter-change '"change": "rename", "filter": .*"name": "z".*"old-name": "x"'
ctl filter rename z x
index=$(ip -n "$box" -j link show vlan5 | jq '.[].ifindex')
ctl guard del dev vlan5
told guard-del "\"dev\": \"vlan5\".*\"ifindex\": $index.*\"state\": \"paused\""
ip -n "$box" link del vlan5

ctl guard add dev eth0 filter x action drop storm 5
at "$away" frames 0 10 a0
at "$away" frames 0 10 a0
told suspect '"dup": .*"dmac": "ffffffffffff", "ethertype": 34997'
told storm '"port": "eth0", "rate": '
told calm '"count": 10,.*"peak": [0-9]+'
ctl guard del dev eth0

ctl filter add full capacity 100 key bytes type cuckoo bits 32
at "$box" keys add full 0 1000 >/dev/null 2>&1
told saturated '"count": [0-9]+, "filter": .*"name": "full"'
ctl filter add w capacity 100 key bytes type cuckoo bits 32 window 1h
at "$box" keys add w 0 2000 >/dev/null
told window-short '"filter": .*"name": "w".*"promised": 3600000000000'

at "$box" iptables -A INPUT -m seen --filter x
at "$box" iptables -A INPUT -m seen --filter nowhere
told missing '"filter": .*"missing": true, "name": "nowhere"'
at "$box" iptables -F INPUT
told unused '"filter": .*"name": "x"'
ctl filter del x
told filter-del '"filter": .*"name": "x"'

# Each change of a filter has an event with the whole filter, as it is then.
seed=000102030405060708090a0b0c0d0e0f
ctl filter add to capacity 1000 key bytes type bloom seed "$seed"
ctl filter add of capacity 1000 key bytes type bloom seed "$seed"
ctl key add of a b c
ctl filter merge to of
told filter-change '"change": "merge", "filter": .*"capacity": 1000.*"name": "to".*"used": [1-9]'
ctl filter fold to capacity 10
told filter-change '"change": "fold", "filter": .*"blocks": 1,.*"name": "to".*"used": [1-9]'
ctl filter export of "$lib_dir/of.seen" --with-secret
ctl filter import to "$lib_dir/of.seen" --replace
told filter-change '"change": "replace", "filter": .*"capacity": 1000.*"name": "to".*"used": [1-9]'
ctl filter swap to of
told filter-change '"change": "swap", "filter": .*"capacity": 1000.*"name": "of"'
ctl filter set to on-full pass
told filter-change '"change": "set", "filter": .*"name": "to".*"on-full": "pass"'
ctl key test to a
ctl filter reset to
told filter-change '"change": "reset", "filter": .*"name": "to".*"stats": .*"lookups": 0'
ctl allow add to a
told filter-change '"change": "allow", "filter": .*"allowed": 1.*"name": "to"'
ctl filter flush to
told filter-change '"change": "flush", "filter": .*"name": "to".*"used": 0'
ctl feed add to stale 1h
told filter-change '"change": "feed", "filter": .*"feed": .*"records": 4096.*"name": "to"'
at "$box" feeds news to 7200000000000
told feed-stale '"duration": 7[0-9]*, "filter": .*"name": "to"'
at "$box" feeds news to 0
told feed-fresh '"filter": .*"name": "to"'
ctl filter del to
ctl filter del of

ctl guard add bridge br0 profile loop action count
br "$away" br1 a1 a2
await 20 is_forwarding "$away"
check "event would-block" await 60 circles would-block
check "event probed came before" grep -E '^probed-ntf .*"finding": .*"kind": "loop"' \
	"$(heard_log y)"
ctl guard set bridge br0 action block
check "event port-blocked" await 60 circles port-blocked
ip -n "$away" link del br1
told port-released '"duration": [0-9]+.*"port": "p[12]"'
ctl guard del bridge br0
at "$box" sysctl -qw net.bridge.bridge-nf-call-{iptables,ip6tables,arptables}=0
ctl guard add bridge br0 profile loop trail trail-only
br "$away" br1 a1 a2
await 20 is_forwarding "$away"
addr "$box" br0 192.0.2.1/24
# A request of ARP for an address that nobody has.
asks() {
	at "$box" ping -c 1 -W 1 192.0.2.9 >/dev/null
	heard y 1 "^circled-ntf " >"$lib_dir/event"
}
check "event circled" await 60 asks
match "it has a finding" "$(cat "$lib_dir/event")" '"finding": .*"kind": "trail".*"nodes": 1.*"port": "p[12]"'

is "every event of the spec" "$(sed -n 's/^\([a-z-]*-ntf\) .*/\1/p' "$(heard_log y)" |
	sort -u)" "$(printf '%s\n' "${names[@]}" | sort)"

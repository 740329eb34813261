#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Invalid input is refused with a text that names the error, and changes nothing.
#
# cli.table has command lines: exit status, command line, and the whole output.
# requests.table has requests that seenctl does not send: the request, the errno
# and the kernel's text.

. "$(dirname "$0")/../lib.sh"

here=$(cd "$(dirname "$0")" && pwd)
space=

seenctl() {
	command seenctl -n "$space" "$@"
}

nobody() {
	at "$space" setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
}

setup() {
	ns space
	seenctl filter add hosts type bloom capacity 10k
	seenctl filter add flows type cuckoo capacity 10k key flow
	seenctl filter add bytes type bloom capacity 10k key bytes
	seenctl filter add short type cuckoo bits 16 capacity 10 window 200ms
	seenctl filter add slow type cuckoo bits 32 capacity 10 key frame window 1h
	seenctl filter add slower type cuckoo bits 32 capacity 10 key frame window 2h
	seenctl guard add dev absent filter slow verdict other-port
	seenctl filter add twice type cuckoo capacity 10
	seenctl filter add full type bloom capacity 1
	seenctl key add full 192.0.2.1
	seenctl key add twice --copies 10.0.0.1 10.0.0.1 10.0.0.1 10.0.0.1 10.0.0.1 \
		10.0.0.1 10.0.0.1 10.0.0.1
	seenctl filter add ports key dport range 0-69
	seenctl filter add ids key id range 0-9
	seenctl filter add names type map capacity 10 key bytes
	seenctl filter add marks type map capacity 10
	seenctl filter add once type counting capacity 10
	seenctl filter add sketch type cms capacity 10 threshold 5
	veth "$space" v0 "$space" v1
	br "$space" br0 v1
	ip -n "$space" link add link v0 name v0.5 type vlan id 5
	seenctl guard add dev v0 filter hosts
	seenctl guard add bridge br0 profile loop
}

# Nothing that a packet changes: the devices are silent.
state() {
	printf 'filter show\nguard show\n' | seenctl -j -b -
}

# unfold LINE: "\|" is a bar in a field, "~" the end of a line.
unfold() {
	local bar=$'\001'

	fields=${1//\\|/$bar}
	IFS='|' read -r first second third <<<"$fields"
	second=${second//$bar/|} third=${third//'~'/$'\n'}
}

try_line() {
	local first second third status said

	unfold "$1"
	said=$(eval "$second" 2>&1 >/dev/null)
	status=$?
	is "$second" "$status: $said" "$first: $third"
}

long_request() {
	printf 'KEY_COUNT FILTER=str:names PACKED=hex:%s\n' \
		"$(printf '010061%.0s' {1..1537})"
}

try_requests() {
	local request want said hosts v0

	hosts=$(at "$space" seenctl -j filter show hosts | jq '.[0].id')
	v0=$(at "$space" seenctl -j guard show dev v0 | jq '.[0].id')
	cut -d'|' -f1 "$here/requests.table" |
		at "$space" python3 "$here/requests.py" >"$lib_dir/said"
	while IFS='|' read -r request want && IFS= read -ru 3 said; do
		want=${want//@hosts/$hosts}
		is "$request" "$said" "${want//@v0/$v0}"
	done <"$here/requests.table" 3<"$lib_dir/said"
	is "more keys than an answer has room for" \
		"$(long_request | at "$space" python3 "$here/requests.py")" \
		"EINVAL keys: at most 1536 in one request"
	is "no request has changed anything" "$(state)" "$before"
}

plan $(($(cat "$here"/{cli,requests}.table | wc -l) + 3))
setup >"$lib_dir/setup" 2>&1
before=$(state)
while IFS= read -ru 3 line; do
	try_line "$line"
done 3<"$here/cli.table"
is "no command line has changed anything" "$(state)" "$before"
try_requests

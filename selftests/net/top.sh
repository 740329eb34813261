#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The list of the heaviest keys that a sketch keeps.

# shellcheck disable=SC2016 # "check" expands what it runs by eval

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/helpers/lib.sh"

plan 21
box=''
ns box

ctl() {
	at "$box" seenctl "$@"
}

# weights FIRST LAST: key K comes K times, in an order without meaning.
weights() {
	for ((k = $1; k <= $2; k++)); do
		for ((i = 0; i < k; i++)); do
			echo "10.0.$((k >> 8)).$((k & 255))"
		done
	done | shuf --random-source=/proc/self/exe
}

heaviest() {
	ctl top "$@" | xargs
}

for type in cms cmm; do
	check "$type: a filter with a list" \
		ctl filter add $type type $type capacity 10k top 5
	is "$type: the list is empty" "$(heaviest $type)" ""
	weights 1 100 | ctl key add $type -
	is "$type: the heaviest first" "$(heaviest $type)" \
		"100 10.0.0.100 99 10.0.0.99 98 10.0.0.98 97 10.0.0.97 96 10.0.0.96"
	is "$type: a shorter list" "$(heaviest $type -n 1)" "100 10.0.0.100"
	is "$type: in JSON" "$(ctl -j top $type -n 2 | jq -c .)" \
		'[{"key":"10.0.0.100","count":100},{"key":"10.0.0.99","count":99}]'
done
ctl key add cms 10.9.9.9
ctl filter export cms "$lib_dir/cms.seen" --with-secret
check "an export" ctl filter import again "$lib_dir/cms.seen"
is "the import has the list" "$(heaviest again)" "$(heaviest cms)"
is "the import has the total" "$(filter_get "$box" again .total)" 5051
ctl filter add cautious type cms capacity 10 top 2 conservative
weights 1 100 | ctl key add cautious -
ctl filter export cautious "$lib_dir/cautious.seen" --with-secret
ctl filter import cautious "$lib_dir/cautious.seen" --replace
is "the total with conservative updates" "$(filter_get "$box" cautious .total)" 5050
check "a flush empties the list" eval '
	ctl filter flush cms && [ -z "$(heaviest cms)" ]'
check "the longest list" \
	ctl filter add wide type cms capacity 100k top 1024 conservative
for ((k = 1; k <= 1024; k++)); do
	echo "10.1.$((k >> 8)).$((k & 255))"
	echo "10.1.$((k >> 8)).$((k & 255))"
done | ctl key add wide -
between "the longest list is printed" "$(ctl top wide | wc -l)" 1000 1024
check "keys of bytes" eval '
	ctl filter add names type cms capacity 1000 top 2 key bytes &&
	ctl key add names alpha beta beta'
is "keys of bytes are printed in hex" "$(heaviest names)" "2 0x62657461 1 0x616c706861"
check "a list with a window" eval '
	ctl filter add brief type cms capacity 1000 top 2 window 200ms &&
	ctl key add brief 10.0.0.1'
check "the keys expire in time" await 10 eval '[ -z "$(heaviest brief)" ]'

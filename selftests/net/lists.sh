#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Lists of keys that are sent to the kernel; the keys of exact filters, and the differences of two
# such filters; and lines of a batch that are sent together. tools/list.sh tests the formats of
# lists, because the same code reads them.

. "$(dirname "$0")/../lib.sh"

space=

ctl() {
	seenctl -n "$space" "$@"
}

# Prints a member ($2) of the filter $1.
tell() {
	ctl -s -j filter show "$1" | jq -r ".[0]$2"
}

# batch LINE...: prints the exit status and the output.
batch() {
	local said status

	said=$(printf '%s\n' "$@" | ctl -b - 2>&1)
	status=$?
	echo "$status${said:+: $said}"
}

loads() {
	ctl filter add hosts type map capacity 1000 key host
	is "bad lines are reported and skipped, the others are added" "$(printf \
		'192.0.2.1 # a\r\nbad\n192.0.2.2 name ;b\n192.0.2.4-192.0.2.5' |
		ctl -s key add hosts - 2>&1)" \
		"seenctl: key add: line 2: src: not an IPv4 or IPv6 address: bad
keys 4 new 4 skipped 1"
	refuse "the exit status reports bad lines" 2 \
		"line 1: src: not an IPv4 or IPv6 address: 300" \
		ctl key add hosts - <<<"300 x 1"
	is "the added keys" "$(ctl key show hosts)" "192.0.2.1 0
192.0.2.2 0
192.0.2.4 0
192.0.2.5 0"
	refuse "--strict" 2 "1 bad lines: nothing was done" \
		ctl key add hosts --strict - < <(printf '192.0.2.9\nbad x\n')
	is "adds nothing" "$(ctl key test hosts 192.0.2.9)" "192.0.2.9 new"
	check "--strict adds all lines if no line is bad" ctl key add hosts --strict - \
		< <(seq -f '198.51.100.%.0f' 1 200)
	is "all keys are there" "$(tell hosts .entries)" 204
	check "CSV, by name" ctl key add hosts --csv ip,port - \
		< <(printf '"seen","ip","port"\n"1","203.0.113.1","443"\n')
	is "with a value" "$(ctl key count hosts 203.0.113.1)" "203.0.113.1 443"
	is "a key without a value keeps the one that is there" "$(ctl key add hosts \
		203.0.113.1; ctl key count hosts 203.0.113.1)" "203.0.113.1 443"
	check "--copies: sets the value to 0" ctl key add hosts --copies 203.0.113.1
	is "the value is 0" "$(ctl key count hosts 203.0.113.1)" "203.0.113.1 0"
	ctl filter add small type map capacity 3 key id
	match "a full filter ends a list, and the later lines are counted" \
		"$(seq 1000 | ctl key add small - 2>&1 |
			sed -E 's/.*line ([0-9]+): ([0-9]+): (.*full); ([0-9]+) (.*)/\1 \2 \4 \3 \5/' |
			awk '{ print $1 - $2, $1 + $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13 }')" \
		"^0 1000 the filter is full more lines were not processed *$"
	refuse "a list is deleted, and missing keys are counted" 1 \
		"1 of 201 keys did not exist" ctl key del hosts - \
		< <(printf '%s\n' 198.51.100.0 '198.51.100.1 - 198.51.100.200 # all')
	is "an allow list, too" "$(printf '192.0.2.0/30 # net\n' |
		ctl allow add hosts -; ctl allow show hosts | wc -l)" 4
}

# For each type: an address is added two or three times. Types that store a key once have lost it
# after one delete.
once() {
	local type

	for type in "cuckoo bits 32" map; do
		# shellcheck disable=SC2086
		ctl filter add f type $type capacity 100
		ctl key add f 192.0.2.1 192.0.2.1
		ctl key add f - <<<192.0.2.1
		check "$type: a stored key is not stored again" ctl key del f 192.0.2.1
		is "$type: after one delete the key is gone" \
			"$(ctl key test f 192.0.2.1)" "192.0.2.1 new"
		ctl filter del f
	done
	ctl filter add f type bloom capacity 100
	is "bloom" "$(ctl -s key add f 192.0.2.1 192.0.2.1)" "keys 2 new 1 seen 1"
	ctl filter del f
	ctl filter add f type bitmap range 192.0.2.0/24
	is "bitmap" "$(ctl -s key add f 192.0.2.1 192.0.2.1)" "keys 2 new 1 seen 1"
	ctl filter del f
	ctl filter add f type counting capacity 100
	ctl key add f 192.0.2.1 192.0.2.1
	is "counting counts each add" "$(ctl key count f 192.0.2.1)" "192.0.2.1 2"
	ctl filter del f
	ctl filter add f type cms capacity 100
	ctl key add f 192.0.2.1 192.0.2.1
	is "cms, too" "$(ctl key count f 192.0.2.1)" "192.0.2.1 2"
	ctl filter del f
}

shows() {
	ctl filter add nets type bitmap key src/24 range 10.0.0.0/8
	ctl filter add words type map capacity 100 key bytes
	ctl key add nets 10.255.255.0 10.0.0.0 10.1.2.3
	is "a bitmap" "$(ctl key show nets | paste -sd' ')" \
		"10.0.0.0/24 10.1.2.0/24 10.255.255.0/24"
	printf '%s\n' 'two words 1' '0x0061 2' 'a;b#c 3' ';d 4' '0x2365 5' '0x65 6' |
		ctl key add words -
	is "text, readable where a list gives it back" "$(ctl key show words)" \
		"0x0061 2
0x2365 5
;d 4
a;b#c 3
e 6
two words 1"
	ctl key show words >"$lib_dir/words"
	ctl filter add again type map capacity 100 key bytes
	check "a list that is read again" ctl key add again - <"$lib_dir/words"
	check "has the same keys and values" ctl filter diff words again
	is "in JSON" "$(ctl -j key show words | jq -c '.[2]')" '{"key":";d","value":4}'
	refuse "key show needs a map or a bitmap" 1 "words2: type cuckoo stores no keys" eval \
		'ctl filter add words2 type cuckoo capacity 10 >/dev/null &&
			ctl key show words2'
}

diffs() {
	ctl key del again e
	ctl key add again ';d' value 40 new value 7
	is "differences" "$(ctl filter diff words again)" "| ;d 4 40
< e 6
> new 7"
	refuse "differences set the exit status" 1 "" ctl filter diff words again
	is "in JSON" "$(ctl -j filter diff words again | jq -c '.[]')" \
		'{"key":";d","value":4,"other_value":40}
{"key":"e","only":"words","value":6}
{"key":"new","only":"again","value":7}'
	check "no differences with itself" ctl filter diff nets nets
	ctl filter export words "$lib_dir/words.seen" --with-secret
	check "no differences with the saved file" \
		ctl filter diff words --file "$lib_dir/words.seen"
	ctl filter add other type bitmap key src/24 range 10.1.0.0/16
	ctl key add other 10.1.3.0
	is "ranges may differ" "$(ctl filter diff nets other)" "< 10.0.0.0/24
< 10.1.2.0/24
< 10.255.255.0/24
> 10.1.3.0/24"
	ctl filter add mapped type map capacity 10 key src/24
	ctl key add mapped 10.1.3.0 value 3
	check "types may differ" ctl filter diff other mapped
}

gathers() {
	ctl filter add b type cuckoo bits 32 capacity 10k key id
	ctl filter add c type map capacity 10 key id
	seq -f 'key add b %.0f' 1 3000 >"$lib_dir/lines"
	check "adjacent adds are sent together" ctl -b "$lib_dir/lines"
	is "all keys are there" "$(seq 3000 | ctl key test b - | grep -c ' seen$')" 3000
	is "other commands run in order" "$(batch 'key add b 5001' 'key test b 5001' \
		'key del b 5001' 'key add b 5002' 'key add c 1 value 7' 'key add c 2' \
		'key add c 1 value 8' 'key count c 1 2' 'key test b 5001 5002')" \
		"1: 5001 seen
1 8
2 0
5001 new
5002 seen"
	is "several keys per line" "$(batch 'key add b 6001 6002' 'k a b 6003' \
		'key test b 6001 6002 6003')" "0: 6001 seen
6002 seen
6003 seen"
	is "a bad key ends it at its line; those before are added" \
		"$(batch 'key add b 7001' '' 'key add b 7002 x' 'key add b 7003')" \
		"2: seenctl: -:3: key add: id: must be 0 to 4294967295: x"
	is "later keys are not added" "$(ctl key test b 7001 7002 7003 | paste -sd,)" \
		"7001 seen,7002 new,7003 new"
	is "a failed command ends the batch" \
		"$(batch 'key add b 7004' 'nonsense')" \
		"2: seenctl: -:2: unknown object \"nonsense\" (seenctl help)"
	is "earlier lines are added before it" "$(ctl key test b 7004)" "7004 seen"
	is "an open quote ends the batch" "$(batch 'key add b 7005' "key add b '")" \
		"2: seenctl: -:2: a quote is not closed"
	ctl filter add few type map capacity 3 key id
	match "a refused key is reported with its line" "$(batch '# few' \
		"$(seq -f 'key add few %.0f' 1 1000)" 'key add b 7006')" \
		"^1: seenctl: -:(5|6|7|8|9|[1-9][0-9]+): key add: [0-9]+: the filter is full$"
	is "later lines are not done" "$(ctl key test b 7006)" "7006 new"
	is "the line number matches the key" "$(batch '# few' \
		"$(seq -f 'key add few %.0f' 1 1000)" |
		sed -E 's/.*:([0-9]+): key add: ([0-9]+):.*/\1 \2/' |
		awk '{ print $1 - $2 }')" 1
	is "lines for two filters in turn" "$(batch "$(for i in {1..20}; do
		echo "key add b 80$i"; echo "key add c 3 value $i"; done)" \
		'key count c 3')" "0: 3 20"
	is "allow lists, too" "$(batch 'allow add b 1' 'allow add b 2' 'key add b 1' \
		'allow add c 1'; ctl allow show b | wc -l)" "0
2"
	slow_writer
}

# A program that writes a command to the pipe and waits for its effect need not close the pipe.
slow_writer() {
	local pid to

	coproc batch_run { command seenctl -n "$space" -b -; }
	pid=$! to=${batch_run[1]}
	echo 'key add b 9001' >&"$to"
	check "a slow writer need not wait" await 20 ctl key test b 9001
	exec {to}>&-
	wait "$pid"
}

plan 51
ns space
loads
once
shows
diffs
gathers

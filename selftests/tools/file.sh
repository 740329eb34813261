#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# seenctl file: filters in files, the answers to lookups, and refusals.

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/helpers/flipped.sh"
PATH=${TOOLS:-$(cd "$(dirname "$0")/../../build/tools" && pwd)}:$PATH
cd "$lib_dir" || exit

seed=000102030405060708090a0b0c0d0e0f

file() {
	seenctl file "$@"
}

# make FILE PARAMETERS...
make() {
	file create "$@" seed $seed >/dev/null
}

# two_writers FILE: two processes add keys at the same time; prints the keys that are seen then.
two_writers() {
	local first

	for n in {1..50}; do file add "$1" "a$n"; done &
	first=$!
	for n in {1..50}; do file add "$1" "b$n"; done
	wait $first
	printf '%s\n' {a,b}{1..50} | file test "$1" -
}

# creators FILE: eight processes create it at the same time; prints how many succeed.
creators() {
	local pids=() done=0

	for _ in {1..8}; do
		file create "$1" capacity 100k key bytes >/dev/null 2>&1 &
		pids+=($!)
	done
	for pid in "${pids[@]}"; do wait "$pid" && done=$((done + 1)); done
	echo $done
}

plan 116

# A file stores all keys, and only its owner can read it.
for type in "bloom fpp 1e-3" "bloom layout classic fpp 1e-3" "cuckoo fpp 1e-6" \
		"counting fpp 0.01" "map" "cuckoo window 1h fpp 1e-4" \
		"bloom window 1h fpp 1e-2"; do
	rm -f f
	# shellcheck disable=SC2086
	check "create type $type" make f type $type capacity 10k key bytes
	check "add" eval 'seq 1 10000 | file add f -'
	is "test prints all keys that are seen" "$(seq 1 10000 | file test f -)" \
		"$(seq 1 10000)"
	is "with -v test prints the keys that are not seen: no key" \
		"$(seq 1 10000 | file test f -v -)" ''
	between "hardly any other key is seen" \
		"$(seq 20001 30000 | file test f - | wc -l)" 0 150
	match "show" "$(file show f)" "type ${type%% *} .*capacity 10000"
done
is "only the owner can read the file" "$(stat -c %a f)" 600
refuse "create refuses to replace a file" 3 "File exists" file create f capacity 10
is "it does not report a type then" "$(file create f capacity 10 2>/dev/null)" ''
match "else it reports the type" "$(file create chosen capacity 10)" "^type [a-z]+ chosen"

# Answers of lookups.
make t type cuckoo capacity 100 key src fpp 1e-6
check "addresses" file add t 192.0.2.1 2001:db8::1
check "all addresses are seen" file test t 192.0.2.1 2001:db8::1
refuse "exit status 1 if an address is not seen" 1 "" file test t 192.0.2.1 192.0.2.2
is "the answer in JSON" "$(seenctl -j file test t 192.0.2.2 | jq -c '.[0]')" \
	'{"key":"192.0.2.2","answer":"new","seen":false}'
is "a key of a list is not seen, and the rest is still looked up" \
	"$( (printf 'nonsense\n\n192.0.2.1\0\n'; head -c 300000 /dev/zero |
		tr '\0' x; echo; echo 192.0.2.1) | file test t - 2>/dev/null)" \
	192.0.2.1
refuse "a file that does not exist has another exit status" 3 "No such file" \
	file test nothing x
refuse "a text that is no key is refused" 2 "nonsense" file test t nonsense
# Words that begin with a dash are options, before and after the keys; "--" ends them.
refuse "an unknown option is no key" 2 'unknown option "--copeis", did you mean "--copies"?' \
	file add t --copeis 192.0.2.1
refuse "nor is one after the keys" 2 'unknown option "--strct", did you mean "--strict"?' \
	file add t 192.0.2.1 --strct
refuse "nor is a short one" 2 'unknown option "-q" (seenctl file help)' file test t 192.0.2.1 -q
refuse "a number below 0 is no option" 2 "src: not a" file add t -5
refuse "a value needs a map" 2 "file add: value: needs type map" file add t 192.0.2.3 value 5
refuse "a test takes no value" 2 "file test: value: only add takes a value" \
	file test t 192.0.2.1 value 5
make d type map capacity 10 key bytes
check "options may follow the keys" file add d a value 1 --copies
check "after -- a key may begin with a dash" file add d -- --copies -v
is "hex digits name the same keys" \
	"$(file test d 0x2d2d636f70696573 0x2d76 0x2d77 | paste -sd' ')" \
	"0x2d2d636f70696573 0x2d76"
is "test takes options after its keys, and keys after --" "$(file test d -v -- -v -w)" -w
is "del takes keys after --" "$(file del d -- -v; file test d -- -v --copies)" --copies
check "delete" file del t 192.0.2.1
refuse "the deleted key is not seen" 1 "" file test t 192.0.2.1
refuse "a key that does not exist cannot be deleted" 1 "1 of 1 keys did not exist" \
	file del t 192.0.2.1

# A list of spam senders, and a list of addresses that are never spam.
seq -f "user%g@spam.example" 1 1000 >spam
printf '%s\n' user5@spam.example user6@spam.example >friends
make s type cuckoo fpp 1e-6 capacity 1000 key bytes
file add s - <spam
make a type cuckoo fpp 1e-6 capacity 10 key bytes
file add a user7@spam.example
is "addresses on an allow list are not seen" \
	"$(file test s --allow-list friends - <spam | wc -l)" 998
is "an allow filter works like an allow list" \
	"$(file test s --allow a --allow-list friends -v - <spam | tr '\n' ' ')" \
	"user5@spam.example user6@spam.example user7@spam.example "

# Values.
make m type map capacity 100 key sport
check "keys with values are added" file add m 80 value 7 443 value 8
check "a value is changed" file add m 80 value 9
check "a list has values" file add m - <<<$'81\t1\n82 2'
check "keys with values from a list are seen" file test m 81 82
refuse "a text that is no value is reported with its line" 2 "line 2: 84 many: the last word" \
	file add m - <<<$'83 1\n84 many'

for word in --strict --csv --copies "ranges FIRST-LAST"; do
	match "file help has ${word#--}" "$(file help)" "$word"
done

# Two files are merged; a large file is folded.
for f in 1 2; do
	make "m$f" capacity 1000 fpp 1e-3 key bytes
	seq -f "$f-%g" 1 400 | file add "m$f" -
done
check "merge" file merge m1 m2
check "every key of both is seen" file test m1 - < <(seq -f "1-%g" 1 400
	seq -f "2-%g" 1 400)
seq -f "3-%g" 1 500 | file add m2 -
refuse "a merge beyond the capacity is refused" 3 "more than the capacity of" \
	file merge m1 m2
check "with --force the merge is done" file merge m1 m2 --force
file create other capacity 1000 fpp 1e-3 key bytes >/dev/null
refuse "a merge with another secret is refused" 3 "file merge: other: " file merge m1 other
# The keys of each pair have the same fields but different bytes.
for keys in "packet,inner packet,inner:14789" "src,dport,inner:1:2 src,dport,inner:1:3" \
		"packet src,dst,proto,ipid,frag,payload" "src dst"; do
	rm -f k1 k2
	make k1 capacity 1000 key "${keys% *}"
	make k2 capacity 1000 key "${keys#* }"
	refuse "not ${keys% *} and ${keys#* }" 3 "the filters differ in key" file merge k1 k2
done
rm -f k2
make k2 capacity 1000 key src
check "keys host and src can be merged" \
	eval 'rm k1; make k1 capacity 1000 key host && file merge k1 k2'
make large capacity 1M fpp 1e-3 key bytes
seq 1 1000 | file add large -
before=$(stat -c %s large)
check "fold" file fold large
between "fold makes the file a thousand times smaller" $((before / $(stat -c %s large))) 500 1100
check "every key is seen after the fold" file test large - < <(seq 1 1000)

# Concurrent writers lose nothing, and a damaged file is refused.
make w type cuckoo capacity 1000 fpp 1e-6 key bytes
is "two writers at the same time: no key is lost" "$(two_writers w | wc -l)" 100
for byte in 0 9 70 440 460; do
	flipped w $byte
	refuse "byte $byte damaged" 3 "bad: " file test bad x
done
head -c 600 w >bad
refuse "truncated" 3 "truncated: the file ends after 152 of the" file show bad

# Each error text names the file, or standard input.
refuse "a file that does not exist" 3 "file test: absent: No such file" file test absent x
refuse "a list that is a folder" 3 "file test: .: Is a directory" \
	file test w --allow-list . x
echo 0x1 >odd
refuse "a bad line of a list" 2 "file test: odd: line 1: " file test w --allow-list odd x
refuse "keys of a folder" 3 "file add: standard input: Is a directory" file add w - <.
refuse "keys of a closed standard input" 3 "file add: standard input: Bad file descriptor" \
	sh -c 'seenctl file add w - <&-'
refuse "fold to a capacity that does not exist" 3 \
	"file fold: large: capacity: must be 1 to 17179869184" \
	file fold large capacity 99999999999999999999
refuse "a type that cannot be folded" 3 "file fold: w: " file fold w

# A limit of 1 KiB per file, below the size of the old file.
make old type cuckoo capacity 1000 fpp 1e-6 key bytes
file add old one
cp old before
refuse "a failed write is an error" 3 "" bash -c \
	'trap "" XFSZ; ulimit -f 1; seenctl file add old two'
check "the old file is unchanged" cmp before old
is "no other file is left" "$(find . -name 'old?*')" ""

# A write follows links, and keeps the file's mode and links.
make real type cuckoo capacity 100 key bytes
ln -s real link
check "a link is followed" file add link one
is "the link is still a link" "$(readlink link)" real
check "the file that the link points to has changed" file test real one
chmod 640 real
check "a file with another mode is changed" file add link two
is "the mode is kept" "$(stat -c %a real)" 640
is "if several processes create a file at the same time, one succeeds" "$(creators race)" 1
ln -s nowhere dangling
refuse "create refuses a link to a file that does not exist" \
	3 "File exists" make dangling capacity 10
is "no temporary file is left" "$(find . -name 'race.*' -o -name 'real.*')" ""

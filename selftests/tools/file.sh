#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# seenctl file: filters as files, what they answer, and what is refused.

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

# two_writers FILE: at the same time; what is seen then.
two_writers() {
	local first

	for n in {1..50}; do file add "$1" "a$n"; done &
	first=$!
	for n in {1..50}; do file add "$1" "b$n"; done
	wait $first
	printf '%s\n' {a,b}{1..50} | file test "$1" -
}

# creators FILE: eight make it at the same time; how many did.
creators() {
	local pids=() done=0

	for _ in {1..8}; do
		file create "$1" capacity 100k key bytes >/dev/null 2>&1 &
		pids+=($!)
	done
	for pid in "${pids[@]}"; do wait "$pid" && done=$((done + 1)); done
	echo $done
}

plan 102

# What is made is kept, and is its owner's alone.
for type in "bloom fpp 1e-3" "bloom layout classic fpp 1e-3" "cuckoo fpp 1e-6" \
		"counting fpp 0.01" "map" "cuckoo window 1h fpp 1e-4" \
		"bloom window 1h fpp 1e-2"; do
	rm -f f
	# shellcheck disable=SC2086
	check "create type $type" make f type $type capacity 10k key bytes
	check "add" eval 'seq 1 10000 | file add f -'
	is "test prints what is seen: all" "$(seq 1 10000 | file test f -)" \
		"$(seq 1 10000)"
	is "with -v what is not: nothing" "$(seq 1 10000 | file test f -v -)" ''
	between "of others hardly one" \
		"$(seq 20001 30000 | file test f - | wc -l)" 0 150
	match "show" "$(file show f)" "type ${type%% *} .*capacity 10000"
done
is "only its owner may read it" "$(stat -c %a f)" 600
refuse "it is not made again" 3 "File exists" file create f capacity 10

# The answers of test.
make t type cuckoo capacity 100 key src fpp 1e-6
check "addresses" file add t 192.0.2.1 2001:db8::1
check "all are seen" file test t 192.0.2.1 2001:db8::1
refuse "one is not" 1 "" file test t 192.0.2.1 192.0.2.2
is "in JSON" "$(seenctl -j file test t 192.0.2.2 | jq -c '.[0]')" \
	'{"key":"192.0.2.2","answer":"new","seen":false}'
is "in a list it is not seen, and the rest goes on" \
	"$( (printf 'nonsense\n\n192.0.2.1\0\n'; head -c 300000 /dev/zero |
		tr '\0' x; echo; echo 192.0.2.1) | file test t - 2>/dev/null)" \
	192.0.2.1
refuse "a file that is not there is another error" 3 "No such file" \
	file test nothing x
refuse "what is no key is refused" 2 "nonsense" file test t nonsense
check "delete" file del t 192.0.2.1
refuse "it has gone" 1 "" file test t 192.0.2.1
refuse "what is not there cannot go" 1 "1 of 1 keys did not exist" \
	file del t 192.0.2.1

# A list of addresses for spam, and those that are never on it.
seq -f "user%g@spam.example" 1 1000 >spam
printf '%s\n' user5@spam.example user6@spam.example >friends
make s type cuckoo fpp 1e-6 capacity 1000 key bytes
file add s - <spam
make a type cuckoo fpp 1e-6 capacity 10 key bytes
file add a user7@spam.example
is "an allow list" "$(file test s --allow-list friends - <spam | wc -l)" 998
is "an allow filter as well" \
	"$(file test s --allow a --allow-list friends -v - <spam | tr '\n' ' ')" \
	"user5@spam.example user6@spam.example user7@spam.example "

# Values.
make m type map capacity 100 key sport
check "values" file add m 80 value 7 443 value 8
check "are changed" file add m 80 value 9
check "in a list" file add m - <<<$'81\t1\n82 2'
check "a key and a tab" file test m 81 82
refuse "what is none is named with its line" 2 "line 2: 84 many: the last word" \
	file add m - <<<$'83 1\n84 many'

for word in --strict --csv --copies "ranges FIRST-LAST"; do
	match "file help has ${word#--}" "$(file help)" "$word"
done

# Two files are one; a large one is small.
for f in 1 2; do
	make "m$f" capacity 1000 fpp 1e-3 key bytes
	seq -f "$f-%g" 1 400 | file add "m$f" -
done
check "merge" file merge m1 m2
check "every key of both is seen" file test m1 - < <(seq -f "1-%g" 1 400
	seq -f "2-%g" 1 400)
seq -f "3-%g" 1 500 | file add m2 -
refuse "beyond what was promised to fit" 3 "more than the capacity of" \
	file merge m1 m2
check "by force" file merge m1 m2 --force
file create other capacity 1000 fpp 1e-3 key bytes >/dev/null
refuse "not with another secret" 3 "file merge: other: " file merge m1 other
# Each pair of keys has the same fields, and other bytes.
for keys in "packet,inner packet,inner:14789" "src,dport,inner:1:2 src,dport,inner:1:3" \
		"packet src,dst,proto,ipid,frag,payload" "src dst"; do
	rm -f k1 k2
	make k1 capacity 1000 key "${keys% *}"
	make k2 capacity 1000 key "${keys#* }"
	refuse "not ${keys% *} and ${keys#* }" 3 "the filters differ in key" file merge k1 k2
done
rm -f k2
make k2 capacity 1000 key src
check "but host and src" eval 'rm k1; make k1 capacity 1000 key host && file merge k1 k2'
make large capacity 1M fpp 1e-3 key bytes
seq 1 1000 | file add large -
before=$(stat -c %s large)
check "fold" file fold large
between "to a thousandth" $((before / $(stat -c %s large))) 500 1100
check "every key is seen" file test large - < <(seq 1 1000)

# Nothing is half done, and nothing that is damaged is taken.
make w type cuckoo capacity 1000 fpp 1e-6 key bytes
is "two writers at once: nothing is lost" "$(two_writers w | wc -l)" 100
for byte in 0 9 70 440 460; do
	flipped w $byte
	refuse "byte $byte damaged" 3 "bad: " file test bad x
done
head -c 600 w >bad
refuse "truncated" 3 "truncated: the file ends after 152 of the" file show bad

# Each error names its file, or standard input.
refuse "a file that is not there" 3 "file test: absent: No such file" file test absent x
refuse "a list that is a folder" 3 "file test: .: Is a directory" \
	file test w --allow-list . x
echo 0x1 >odd
refuse "a bad line of a list" 2 "file test: odd: line 1: " file test w --allow-list odd x
refuse "keys of a folder" 3 "file add: standard input: Is a directory" file add w - <.
refuse "keys of a closed standard input" 3 "file add: standard input: Bad file descriptor" \
	sh -c 'seenctl file add w - <&-'
refuse "what does not fold" 3 "file fold: w: " file fold w

# Limited to 1 KiB a file, which the old one has outgrown.
make old type cuckoo capacity 1000 fpp 1e-6 key bytes
file add old one
cp old before
refuse "a write that fails is told" 3 "" bash -c \
	'trap "" XFSZ; ulimit -f 1; seenctl file add old two'
check "and leaves the old file" cmp before old
is "and nothing beside it" "$(find . -name 'old?*')" ""

# A name stands for the file it leads to, and keeps what others made of it.
make real type cuckoo capacity 100 key bytes
ln -s real link
check "through a link" file add link one
is "it is still a link" "$(readlink link)" real
check "to what was changed" file test real one
chmod 640 real
check "a mode is kept" file add link two
is "it is" "$(stat -c %a real)" 640
is "one of those who make a file at once makes it" "$(creators race)" 1
ln -s nowhere dangling
refuse "a link is no new file" 3 "File exists" make dangling capacity 10
is "nothing is left beside" "$(find . -name 'race.*' -o -name 'real.*')" ""

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# seenctl dedup: exactly the lines that awk would pass are passed, and the number of lines that
# may be lost is reported.

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/helpers/dedup.sh"
PATH=${TOOLS:-$(cd "$(dirname "$0")/../../build/tools" && pwd)}:$PATH
cd "$lib_dir" || exit

plan 98

# --- against awk -----------------------------------------------------------------

for seed in 1 2 3; do
	lines $seed 200000 120000 >in
	mawk '!had[$0]++' <in >want
	same "seed $seed: the lines that awk lets pass, in their order" want --fpp 1e-9
	is "seed $seed: the statistics have the same numbers" \
		"$(figure lines) $(figure unique) $(figure dropped)" \
		"200000 $(wc -l <want) $((200000 - $(wc -l <want)))"
done
between "the capacity fits the lines of a file" "$(figure capacity)" 190000 230000
is "one filter is enough" "$(figure filters)" 1
sort -u in >sorted
is "sort -u prints as many lines" "$(wc -l <sorted)" "$(figure unique)"
seenctl -j dedup --fpp 1e-9 --capacity 1000 <in >out 2>err
is "with a capacity of 1000 lines it grows, and the same lines pass" \
	"$(cmp out want 2>&1)$(($(figure filters) > 5))" 1
mawk '{ print; fflush() }' <in | seenctl -j dedup --fpp 1e-9 >out 2>err
is "from a pipe the same lines pass" "$(cmp out want 2>&1)" ""
is "for a pipe the capacity is a million lines" "$(figure capacity)" 1000000

# --- the direction of error --------------------------------------------------------

seq 300000 >in
seenctl -j dedup --fpp 0.01 --capacity 300k <in >out 2>err
between "the number of lost lines is within the given rate" "$(figure dropped)" \
	"$(figure 'expected_lost * 0.7 | floor')" "$(figure 'expected_lost * 1.3 | ceil')"
between "below the rate with the default capacity, too" "$(figure dropped)" 1 3000
seenctl -j dedup --fpp 0.01 --capacity 500 <in >out 2>err
between "below the rate if it had to grow, too" "$(figure dropped)" 1 3000
cat in in | seenctl -j dedup --fpp 1e-9 --memory 500k >out 2>err
is "with too little memory, lines that are not stored pass, and it fails" \
	"$? $(sort -u out | cmp - <(sort in))" "1 "
between "the number of these lines is reported" "$(figure unstored)" 300000 600000
match "an error text has their number" "$(cat err)" 'not enough memory to record [0-9]+ lines'
between "the memory limit is kept" "$(figure bytes)" 250000 500000

# --- lines -------------------------------------------------------------------------

one "a last line without an end" 'a\nb\na\nc' 'a\nb\nc'
one "a last line without an end that is a repeat" 'a\nb\na' 'a\nb\n'
one "nothing" '' ''
one "empty lines" '\n\na\n\n' '\na\n'
one "any bytes" 'a\0b\na\0c\n\377\na\0b\n' 'a\0b\na\0c\n\377\n'
one "a last line without an end equals one that ended with CR LF" \
	'a\r\nb\r\na\r\nb' 'a\r\nb\r\n'
one "or one that ended with LF, whatever the line above ends with" 'b\na\r\nb' 'b\na\r\n'
one "whatever the line above ends with: CR LF" 'b\r\na\nb' 'b\r\na\n'
one "a last line that ends with CR equals only a line with CR LF" 'a\na\r' 'a\na\r'
one "the last column of a last line, too" 'x b\r\ny a\r\nz b' 'x b\r\ny a\r\n' --key 2
one "several columns of a last line, too" 'b 1 x\r\nc 2 x\r\nb 3 x' 'b 1 x\r\nc 2 x\r\n' --key 1,3-
one "other lines differ if one ends with CR LF and one with LF" 'a\r\na\na\r\na\n' 'a\r\na\n'
one "if lines end with NUL, CR is a byte like others" 'a\r\0a' 'a\r\0a' -0
one "lines that end with a NUL" 'a\nb\0c\0a\nb\0c' 'a\nb\0c\0' -0
long=$(head -c 700000 /dev/zero | tr '\0' x)
one "lines that are longer than a block" "a\n$long\n${long}y\nb\n$long\n${long}y\na\n" \
	"a\n$long\n${long}y\nb\n"
refuse "a line that is too long is an error" 1 "line 2: longer than 268435456 bytes" \
	sh -c '(echo; head -c 600000000 /dev/zero) | seenctl dedup'

# --- files -----------------------------------------------------------------------

# files WHAT EXPECTED ARG...: with the files one, two, ...; EXPECTED has printf's escapes.
files() {
	printf %b "$2" >want
	seenctl -j dedup "${@:3}" >out 2>err
	is "$1" "$? $(cmp out want 2>&1)" "0 "
}

printf 'a\nb\na\nc' >one
printf 'c\nd\nb\ne' >two
printf 'f\r\ng' >three
printf 'g\r\nh\r\n' >four
: >none
files "several files, in their order: each ends with the end of a line" \
	'a\nb\nc\nd\ne' one two
files "the same files in the other order" 'c\nd\nb\ne\na\n' two one
files "twice" 'a\nb\nc\n' one none one
files "a file that ends without CR LF, and one that has it" 'f\r\ng\r\nh\r\n' three four
files "a missing end is that of the line above it" 'f\r\ng\r\na\nb\nc' three one
files "options before, between and behind files" 'a\nb\nc\nd\ne' --fpp 1e-9 one --quiet two \
	--capacity 10
files "standard input among them" 'a\nb\nc\nx\nd\ne' one - two < <(printf 'x\na\n')
mkdir -- --key
printf 'k\n' >--quiet
files "a name that begins with -" 'k\n' -- --quiet
files "the same name with its folder" 'k\n' ./--quiet
is "the capacity fits all files together" \
	"$(seq 5000 >in; seenctl -j dedup in in one 2>&1 >/dev/null | jq '.capacity > 11000 and .capacity < 13000')" true
refuse "a file that does not exist: nothing is printed" 1 "absent: No such file" \
	sh -c 'seenctl dedup one absent >out'
is "nothing is" "$(cat out)" ""
refuse "a folder among the files" 1 "./--key: Is a directory" seenctl dedup one ./--key
refuse "too long a line is named with its file" 1 \
	"standard input: line 2: longer than 268435456 bytes" \
	sh -c '(echo; head -c 600000000 /dev/zero) | seenctl dedup one -'

# --- columns -------------------------------------------------------------------------

one "a column" 'a 1\nb  1\n\tc 2\n' 'a 1\n\tc 2\n' --key 2
one "several columns" 'a x 1\nb x 1\na y 1\na x 2\n' 'a x 1\nb x 1\na x 2\n' --key 1,3
one "a range" 'a b c\nx b c\na b\n' 'a b c\na b\n' --key 2-3
one "all columns from one on" '1 b c d\n2 b c d\n3 b c\n' '1 b c d\n3 b c\n' --key 2-
one "columns between delimiters may be empty" \
	',b\nb\n,b,c\nx,,b\nx,b\n' ',b\nb\nx,,b\nx,b\n' --key 1,2 --delimiter ,
one "a line whose columns are all empty has a key" '\n\na\n\n' '\na\n' \
	--key 1,2 --delimiter ,
one "a tab" 'a b\tc\nd\tc\na\tb c\n' 'a b\tc\na\tb c\n' --key 2 --delimiter '\t'
one "a line without these columns passes" 'a\na\nb 1\nc 1\na\n' 'a\na\nb 1\na\n' --key 2
is "lines without these columns are counted" "$(figure keyless)" 3
many=$(seq -s, 80)
one "columns after the last one with a number" "$many\n$many\n$many,81\n" \
	"$many\n$many,81\n" --key 60- --delimiter ,
one "the last column with a number" "$many\n$many,81\n$many,82\n" "$many\n" \
	--key 63 --delimiter ,
one "all columns from there on" "$many\n$many,81\n$many,81\n" "$many\n$many,81\n" \
	--key 63- --delimiter ,

# --- windows -----------------------------------------------------------------------

one "a window, by a column of seconds" \
	'0 a\n1 b\n9 a\n9.9 a\n10.5 b\n20.5 a\n20.6 b\n21 c\n' \
	'0 a\n1 b\n20.5 a\n20.6 b\n21 c\n' --key 2 --window 10s --time 1
one "an earlier time counts as the latest one, and a line without a time has the one before" \
	'100 a\n95 a\n90 b\nx b\n109 b\n1e3 c\n' '100 a\n90 b\n1e3 c\n' \
	--key 2 --window 10s --time 1
is "both kinds of lines are counted" "$(figure earlier) $(figure untimed)" "2 2"
one "lines before the first time are repeats only of each other" \
	'x a\ny a\n5 a\nz a\n' 'x a\n5 a\n' --key 2 --window 10s --time 1
is "lines before the first time are counted" "$(figure untimed)" 3
one "a single time in the far future loses no line" \
	'1 a\n2 a\n1e1 b\n4000000000 w\n3 a\n14 a\n15 a\n25 a\n' \
	'1 a\n1e1 b\n4000000000 w\n3 a\n14 a\n25 a\n' --key 2 --window 10s --time 1
is "the restart of time is counted" "$(figure restarts) $(figure earlier)" "1 0"
mawk 'BEGIN { for (i = 0; i < 500; i++) print (i % 2 ? "4000000000" : 1), "a" }' >in
same "many times in the far future lose no line" in --key 2 --window 1h --time 1
one "times that are years apart" '1 a\n1 a\n700000000 a\n1700000000.5 a\n1700000001 a\n' \
	'1 a\n700000000 a\n1700000000.5 a\n' --key 2 --window 1s --time 1
is "the window was kept completely" "$(figure effective)" 1000000000
seq 5000 | sed 's/.*/1 &/' >in
seenctl -j dedup --key 2 --window 10s --time 1 --capacity 100 --fpp 1e-7 <in >out 2>err
is "lines that exceed the capacity within a window pass" "$(cmp in out)" ""
between "the shortened window is reported" "$(figure effective)" 0 9999999999
one "a window by the clock" 'a\nb\na\n' 'a\nb\n' --window 1h

# --- streams and words -----------------------------------------------------------------

mkfifo lines
exec 5<>lines
listen passed sh -c 'exec seenctl dedup --quiet <lines 5<&-'
printf 'a\nb\na\n' >&5
is "lines from a pipe are printed at once" "$(heard passed 10 a)$(heard passed 10 b)" ab
exec 5>&-
printf 'a\na\nb\n' >in
is "without a terminal only lines are printed" "$(seenctl dedup <in 2>&1 >out)" ""
match "-s prints statistics" "$(seenctl -s dedup <in 2>&1 >out)" \
	'^lines 3 unique 2 dropped 1 expected-lost [0-9.e-]+.*filters 1 capacity'
is "--quiet suppresses statistics" "$(seenctl -s dedup --quiet <in 2>&1 >out)" ""
is "-j prints the statistics as JSON, even without -s" \
	"$(seenctl -j dedup <in 2>&1 >out | jq .unique)" 2
match "a terminal gets statistics" \
	"$(script -qec 'seenctl dedup <in >out' /dev/null </dev/null)" \
	'^lines 3 unique 2 dropped 1'
seq 200000 >many
match "no line is lost silently" "$(seenctl dedup --fpp 0.01 many 2>&1 >out)" \
	'^note: about [0-9]+ new lines were taken for repeats and lost; --exact'
# With a window the expected number is an upper bound; far fewer lines are lost.
seq 90 >ninety
is "no line was dropped, so no line can be lost: no note" \
	"$(seenctl dedup --fpp 0.01 --window 1h ninety 2>&1 >out)" ""
is "a line was dropped, and at least half a line is expected to be lost: a note" \
	"$(seenctl dedup --fpp 0.01 --window 1h ninety in 2>&1 >out)" \
	"note: about 0.9 new lines were taken for repeats and lost; --exact loses none"
is "less than half a line is expected to be lost: no note" \
	"$(head -n 40 ninety | seenctl dedup --fpp 0.01 --window 1h - in 2>&1 >out)" ""
is "no line can be lost: no note" "$(seenctl dedup --exact --fpp 0.01 many many 2>&1 >out)" ""
figures=$(seenctl -j dedup --fpp 0.01 many 2>&1 >out)
is "JSON has the expected number of lost lines" \
	"$(jq '.expected_lost > 100 and .expected_lost < 2000' <<<"$figures")" true
is "--quiet suppresses the note" "$(seenctl dedup --quiet --fpp 0.01 many 2>&1 >out)" ""
# Lines are written until the progress has been drawn.
mkfifo slow
(exec 5>slow; until grep -q lines drawn; do seq 100 >&5 || exit; done) 2>/dev/null &
TERM=xterm timeout 60 script -qec 'seenctl dedup --quiet <slow >/dev/null' /dev/null \
	</dev/null >drawn
match "a terminal shows the progress, and is cleaned at the end" "$(tr '\r' '\n' <drawn)" \
	$'[0-9]+ lines\n.*\e\\[K'
wait
refuse "no space on the output's disk" \
	1 "standard output: No space left" sh -c 'seenctl dedup <in >/dev/full'
seq 1000000 >in
is "if the reader closes the pipe, it ends like sort" "$(bash -c \
	'seq 1000000 | seenctl dedup --quiet 2>said | head -n1; echo "${PIPESTATUS[1]} $(cat said)"' |
	tr '\n' ' ')" "1 141  "
refuse "a folder as standard input" 1 "standard input: Is a directory" sh -c 'seenctl dedup </'
while IFS='|' read -r text words; do
	# shellcheck disable=SC2086 # one word an option
	refuse "$words" 2 "$text" sh -c 'seenctl dedup "$@" </dev/null' - $words
done <<'END'
--key: 0 is not a list of columns|--key 0
--key: 64 is not a list of columns from 1 to 63|--key 64
--time: must be 1 to 63|--window 1s --time 64
--time: requires --window|--time 1
--delimiter: requires|--delimiter ,
--memory: no key fits in 1 bytes|--memory 1
--memory: 1000000 lines at this rate need|--capacity 1M --memory 1k
END

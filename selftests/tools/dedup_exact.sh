#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# seenctl dedup --exact, --count and --repeated: no line is lost even if the filter has many false
# positives, counts are exact, and an error of the disk loses nothing.

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/helpers/dedup.sh"
PATH=${TOOLS:-$(cd "$(dirname "$0")/../../build/tools" && pwd)}:$PATH
cd "$lib_dir" || exit
mkdir temp
export TMPDIR=$lib_dir/temp

# counts: prints the expected output of --count, computed by awk.
counts() {
	mawk '!had[$0]++ { line[++n] = $0 }
		END { for (i = 1; i <= n; i++) printf "%7d %s\n", had[line[i]], line[i] }'
}

# small COMMAND...: its files may have 1 MiB; its output is read from a pipe.
small() {
	(
		trap '' XFSZ
		ulimit -f 1024
		"$@" 2>err
	) | cat >out
	return "${PIPESTATUS[0]}"
}

plan 55

# --- no line is lost ---------------------------------------------------------------

seq 300000 >in
seenctl -j dedup --fpp 0.4 <in >out 2>err
between "a filter that errs often loses lines" "$(figure dropped)" 1000 300000
same "--exact loses no line" in --fpp 0.4 --exact
between "lines that the filter would have lost are counted" "$(figure rescued)" 1000 300000
is "each reported repeat was compared" "$(figure 'rescued == .verified')" true
is "no line is expected to be lost" "$(figure expected_lost)" 0
match "the statistics as text" "$(seenctl -s dedup --exact --fpp 0.4 in 2>&1 >out)" \
	'dropped 0 expected-lost 0 verified [1-9][0-9]* rescued [1-9]'
is "there is no note" "$(seenctl dedup --exact --fpp 0.4 in 2>&1 >out)" ""
for seed in 1 2; do
	lines $seed 200000 120000 >in
	mawk '!had[$0]++' <in >want
	same "seed $seed: the lines that awk lets pass, in their order" want --fpp 0.3 --exact
	is "seed $seed: each repeat was compared" \
		"$(figure 'verified - .rescued')" "$(figure dropped)"
done
mawk '{ print; fflush() }' <in | seenctl dedup --fpp 0.3 --exact --capacity 1000 >out
is "from a pipe, with filters that grow: the same lines" "$(cmp out want 2>&1)" ""
one "keys that are columns" 'a 1\nb 2\nc 1\nd\nd\n' 'a 1\nb 2\nd\nd\n' --exact --key 2
one "empty lines" '\n\na\n\n' '\na\n' --exact --fpp 0.4
one "a last line without an end" 'a\r\nb\r\na\r\nb' 'a\r\nb\r\n' --exact --fpp 0.4
long=$(head -c 3000000 /dev/zero | tr '\0' x)
one "long lines that differ in their last byte" "$long\n${long}y\n$long\n${long}z\n${long}y\n" \
	"$long\n${long}y\n${long}z\n" --exact --fpp 0.4
mkfifo lines
exec 5<>lines
listen passed sh -c 'exec seenctl dedup --exact <lines 5<&-'
printf 'a\nb\na\nc\n' >&5
is "lines are printed at once, also after a repeat" "$(heard passed 10 a)$(heard passed 10 c)" ac
exec 5>&-
is "no file is left" "$(ls -A temp)" ""

# --- more than the table in memory holds --------------------------------------------

seq 1800000 >many
mawk '{ print; if (NR % 3 == 0) print NR / 3 }' many >in
same "millions of lines, sorted on the disk" many --exact --fpp 0.3
between "each repeat was found on the disk" "$(figure 'verified - .rescued')" 600000 600000
mawk 'BEGIN { for (i = 0; i < 300000; i++) printf "%0500d\n", i }' >wide
is "long lines (150 MB in all) need no more memory than short ones" \
	"$(ulimit -v 80000; cat wide wide | seenctl dedup --exact --capacity 300k --fpp 0.1 | wc -l)" \
	300000
rm wide

# --- counts and repeats --------------------------------------------------------------

lines 3 200000 50000 >in
counts <in >want
same "counts are those of awk, in the order of first occurrences" want --count --fpp 0.3
is "counts are those of uniq -c" "$(sort out | cmp - <(sort in | uniq -c | sort) 2>&1)" ""
is "the number of printed lines is right" "$(figure printed)" "$(wc -l <want)"
mawk '$1 > 1' want >counted
same "--count --repeated prints only repeated lines" counted --count --repeated
cut -c9- counted >want
same "each once" want --repeated --fpp 0.3
is "--repeated prints the lines that uniq -d prints" \
	"$(sort out | cmp - <(sort in | uniq -d) 2>&1)" ""
mawk '{ print }' <in | seenctl dedup --count --capacity 100 >out
is "counts from a pipe, with filters that grow" "$(counts <in | cmp - out 2>&1)" ""
mawk '{ print; if (NR % 3 == 0) print NR / 3 }' many >in
mawk '{ printf "%7d %s\n", 1 + ($1 <= 600000), $1 }' many >want
same "millions" want --count
one "the first line of a key is printed whole" 'x 1\ny 2\nz 1\n' '      2 x 1\n      1 y 2\n' \
	--count --key 2
one "lines without a key are counted once each" \
	'x\nx\na 1\nb 1\n' '      1 x\n      1 x\n      2 a 1\n' --count --key 2
one "lines without a key are no repeats" 'x\nx\na 1\nb 1\n' 'a 1\n' --repeated --key 2
one "a last line without an end is printed with one" \
	'a\r\nb\r\nb' '      1 a\r\n      2 b\r\n' --count
one "empty lines" '\n\n' '      2 \n' --count
one "nothing" '' '' --count
one "lines that end with a NUL" 'a\nb\0a\nb\0' '      2 a\nb\0' --count -0
one "long lines" "$long\n${long}y\n$long\n" "$long\n" --repeated
printf 'a\nb' >first
printf 'b\nc\n' >second
is "counts over several files" \
	"$(seenctl dedup --count first second | tr -s ' \n' ,)" ",1,a,2,b,1,c,"

# --- no memory, no space -----------------------------------------------------------

seq 300000 >in
cat in in >twice
seenctl -j dedup --exact --memory 500k --fpp 1e-9 <twice >out 2>err
is "with too little memory for the filter, all lines are compared" "$? $(cmp out in 2>&1)" "0 "
between "lines that the filter had no room for were compared" "$(figure verified)" 400000 600000
seenctl dedup --count --memory 500k <twice >out
is "counts are right with too little memory" \
	"$? $(mawk '$1 != 2' out | wc -l) $(wc -l <out)" "0 0 300000"
small seenctl -j dedup --exact --fpp 0.01 <twice
is "a full disk: an error, and no line is lost" "$? $(sort -u out | cmp - <(sort in) 2>&1)" "1 "
match "the error names the folder" \
	"$(cat err)" "$TMPDIR: File too large; [0-9]+ lines were not recorded"
between "lines that could not be recorded are counted" "$(figure unrecorded)" 100000 600000
small seenctl dedup --count <twice
is "counts that would be wrong are not printed" "$? $(wc -c <out)" "1 0"
match "the error is printed" "$(cat err)" "$TMPDIR: File too large; no line was printed"
refuse "no space for the output" 1 "standard output: No space left" \
	sh -c 'seenctl dedup --count in >/dev/full'
refuse "--temp with a folder that does not exist" 1 "absent: No such file" \
	seenctl dedup --exact --temp absent in
refuse "TMPDIR with a folder that does not exist" \
	1 "nowhere: No such file" env TMPDIR=nowhere seenctl dedup --count in
is "--temp takes precedence over TMPDIR" \
	"$(TMPDIR=nowhere seenctl dedup --exact --temp temp in | cmp - in)" ""
is "no file is left" "$(ls -A temp)" ""
while IFS='|' read -r text words; do
	# shellcheck disable=SC2086 # one word an option
	refuse "$words" 2 "$text" sh -c 'seenctl dedup "$@" </dev/null' - $words
done <<'END'
--temp: requires --exact|--temp .
exclude --window|--exact --window 1s
exclude --window|--count --window 1s
exclude --state|--repeated --state f
END

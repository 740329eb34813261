#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# seenctl dedup --state: a run continues where the last one ended. A state with other parameters,
# a damaged state and a state in use are refused. A run that fails changes nothing.

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/helpers/dedup.sh"
. "$(dirname "$0")/helpers/flipped.sh"
. "$(dirname "$0")/../net/helpers/written.sh"
here=$(cd "$(dirname "$0")" && pwd)
PATH=${TOOLS:-$(cd "$here/../../build/tools" && pwd)}:$PATH
writer=$lib_dir/writer.so
cd "$lib_dir" || exit

# keep STATE ARG...: a run with so low a rate that no line is lost; $json is -j or empty.
json=
keep() {
	# shellcheck disable=SC2086 # none or one
	seenctl $json dedup --fpp 1e-9 --state "$@"
}

# day FILE ARG...: dedup the lines of a day; the output goes to the file out.
day() {
	json=-j keep state "${@:2}" <"$1" >out 2>err
}

# unchanged WHAT: the state is unchanged.
unchanged() {
	check "$1: the state is as it was" cmp state before
}

# small: a run whose files may have at most 8 KiB.
small() {
	(
		trap '' XFSZ
		ulimit -f 8
		seenctl dedup --fpp 1e-9 --state state fourth
	) | cat >/dev/null
	return "${PIPESTATUS[0]}"
}

# knows STATE: the state has the lines of the fourth day.
knows() {
	cp "$1" copy
	[ -z "$(keep copy fourth)" ]
}

# synced FILE OUTPUT: prints, in order, when the output was synced and when FILE was renamed.
synced() {
	awk -v state="$(stat -c %i "$1")" -v lines="$(stat -c %i "$2")" '
		$2 == lines && $1 == "sync" { print "sync output" }
		$2 == state && $1 == "rename" { print "rename state" }' calls | paste -sd,
}

plan 73

# --- day by day ------------------------------------------------------------------

seq 1 50000 >monday
seq 40000 90000 >tuesday
seq 1 3 200000 >wednesday
day monday
is "the first day" "$? $(cmp out monday 2>&1)" "0 "
is "the state is its owner's alone" "$(stat -c %a state)" 600
day tuesday
is "the second day: lines of the first one are dropped" "$? $(cmp out <(seq 50001 90000) 2>&1)" "0 "
between "the expected number of lost lines is that of this day" \
	"$(figure 'expected_lost * 1000000 | round')" 1 60
day wednesday
is "the third day: lines of both are dropped" \
	"$? $(cmp out <(seq 1 3 200000 | mawk '$1 > 90000') 2>&1)" "0 "
day wednesday
is "the same day again: all lines are dropped" "$? $(cat out)" "0 "
is "lines that are there are not stored again" "$(figure 'unique')" 0
rm state
seq 1000 | keep state --capacity 100 >out
seq 2000 | json=-j keep state >out 2>err
is "the state keeps all filters after growth" "$? $(cmp out <(seq 1001 2000) 2>&1)" "0 "
between "there are several filters" "$(figure filters)" 4 8
is "the filters grow further" "$(seq 9000 | keep state | cmp - <(seq 2001 9000) 2>&1)" ""
ln -s state link
seq 9002 | keep link >out
is "a link is followed" "$(readlink link) $(tr '\n' ' ' <out)" "state 9001 9002 "
printf 'a\r\nb\r\n' | keep ends >out
is "a last line without an end equals one of the day before" \
	"$(printf 'b' | keep ends)" ""
is "no other file is left" "$(find . -name 'state.*' -o -name 'ends.*')" ""

# --- other parameters --------------------------------------------------------------

cp state before
while IFS='|' read -r text words; do
	# shellcheck disable=SC2086 # one word an option
	refuse "$words" 2 "$text" sh -c 'echo new | seenctl dedup --state state "$@"' - \
		$words
done <<'END'
--key: state was made with another key|--fpp 1e-9 --key 2
--fpp: state was made with 1e-09, this run has 1e-06|
--fpp: state was made with 1e-09, this run has 0.001|--fpp 1e-3
-0: state was made with another end of lines|--fpp 1e-9 -0
--capacity: state was made with 100|--fpp 1e-9 --capacity 101
--memory: the filters of state need|--fpp 1e-9 --memory 1k
exclude --state|--exact
--state and --window exclude each other|--window 1s
END
seenctl dedup --state columns --key 2 --delimiter , </dev/null
refuse "--delimiter" 2 "--delimiter: columns was made with another delimiter" \
	seenctl dedup --state columns --key 2 --delimiter ';' /dev/null
unchanged "refused"
check "the same capacity" keep state --capacity 100 /dev/null

# --- damage --------------------------------------------------------------------------

cp state before
size=$(stat -c %s state)
for byte in 0 5 25 60 110 4095 4100 5000 $((size - 1)); do
	flipped state "$byte"
	seenctl dedup --fpp 1e-9 --state bad monday >out 2>err
	is "byte $byte damaged: nothing passes" \
		"$? $(wc -c <out) $(grep -c 'bad: damaged: ' err)" "1 0 1"
done
for bytes in 0 100 4096 $((size - 1)) $((size + 1)); do
	cp state bad
	truncate -s "$bytes" bad
	refuse "$bytes of $size bytes" 1 "bad: damaged: wrong length" \
		seenctl dedup --state bad monday
done
mkdir folder
refuse "a folder" 2 "folder is not a regular file" seenctl dedup --state folder monday
# into_out ARG...: a run whose output goes to the file out.
into_out() {
	seenctl dedup "$@" >out
}

# unread WHAT TEXT FILE: the state is refused with TEXT before any line is passed.
unread() {
	refuse "$1: refused" 1 "$2" into_out --state "$3" monday
	is "$1: no line was passed before" "$(wc -c <out)" 0
}
unread "a folder that does not exist" \
	"nowhere/f: No such file or directory; its folder nowhere must" nowhere/f
unread "a folder that does not exist, from the root" \
	"/nowhere/f: No such file or directory; its folder /nowhere " \
	/nowhere/f
unread "a file instead of a folder" "monday/f: Not a directory; its folder monday must" monday/f
ln -s absent dangling
unread "the link's target does not exist" \
	"--state: dangling: the link's target does not exist" dangling
echo text >kept.lock
unread "another file has the name of the lock" \
	"--state: kept: kept.lock is not a lock file of dedup" kept
is "that file is unchanged" "$(cat kept.lock)" text
if [ "$(id -u)" != 0 ] || ! command -v setpriv >/dev/null; then
	skip "a folder that cannot be written" "not root, or no setpriv"
	skip "a folder that cannot be written, with a state in it" "not root, or no setpriv"
else
	chmod 755 .
	mkdir closed
	refuse "a folder that cannot be written" 1 \
		"closed/f: Permission denied; its folder closed must" \
		setpriv --reuid 65534 --clear-groups \
		"$(type -P seenctl)" dedup --state closed/f /dev/null
	cp state closed/f
	chmod 666 closed/f
	refuse "a folder that cannot be written, with a state in it" 1 \
		"closed/f: Permission denied; its folder closed must" \
		setpriv --reuid 65534 --clear-groups \
		"$(type -P seenctl)" dedup --fpp 1e-9 --state closed/f /dev/null
fi

# --- runs that fail -------------------------------------------------------------------

seq 20001 30000 >fourth
cp state before
refuse "no space for lines" 1 "standard output: No space left" \
	sh -c 'seenctl dedup --fpp 1e-9 --state state fourth >/dev/full'
unchanged "no space"
refuse "no space for the state" 1 "state: File too large; the file is unchanged" small
unchanged "no space for the state"
mkfifo lines
exec 5<>lines
listen passed sh -c 'exec seenctl dedup --fpp 1e-9 --state state <lines 5<&-'
killed=$!
seq 30001 33000 >&5
heard passed 10 30001 >/dev/null
refuse "a run at the same time" 1 "state: another run uses it" \
	keep state fourth
{ kill -9 $killed; wait $killed; } 2>/dev/null
exec 5>&-
unchanged "killed"
is "lines of the killed run pass again" "$(seq 30001 30003 | keep state | tr '\n' ' ')" \
	"30001 30002 30003 "
exec 5<>lines
listen later sh -c 'exec seenctl dedup --fpp 1e-9 --state new <lines 5<&-'
first=$!
printf 'x\n' >&5
heard later 10 x >/dev/null
refuse "of two first runs at the same time one is refused" 1 "new: another run uses it" \
	into_out --fpp 1e-9 --state new fourth
is "no line of the refused run is passed" "$(wc -c <out)" 0
ln -s . here
refuse "the same with another name of the folder" 1 "here/new: another run uses it" \
	keep here/new fourth
cp monday new
exec 5>&-
match "a file that another program makes meanwhile is not replaced" "$(heard later 10 seenctl)" \
	'new: another run created it'
{ wait $first; } 2>/dev/null
check "that file is unchanged, too" cmp monday new
rm new
exec 5<>lines
listen last sh -c 'exec seenctl dedup --fpp 1e-9 --state new <lines 5<&-'
killed=$!
printf 'x\n' >&5
heard last 10 x >/dev/null
{ kill -9 $killed; wait $killed; } 2>/dev/null
exec 5>&-
is "a first run that is killed leaves no file" "$(ls new 2>/dev/null)" ""
is "the next run is not refused" "$(printf 'x\ny\n' | keep new | tr '\n' ' ')" "x y "
is "the file has the lines of that run" "$(printf 'x\ny\nz\n' | keep new)" z
refuse "a first run whose input does not exist" 1 "absent: No such file" \
	seenctl dedup --state another absent
is "no lock is left" "$(find . -name 'new.*' -o -name 'another*')" ""

# --- one whole file --------------------------------------------------------------------

check "the library to preload is built" gcc -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -Werror -O2 \
	-shared -fPIC -o "$writer" "$here/helpers/writer.c"
match "killed at each of its calls a run leaves the old state or the new one" \
	"$(killed state knows seenctl dedup --fpp 1e-9 --state state fourth)" '^old [1-9][0-9]* new [12]$'
match "killed at each of its calls a first run leaves no state or the new one" \
	"$(killed third knows seenctl dedup --fpp 1e-9 --state third fourth)" \
	'^old [1-9][0-9]* new [1-4]$'
SEEN_CALLS=calls LD_PRELOAD=$writer seenctl dedup --fpp 1e-9 --state state monday fourth >passed
is "the output is synced before the new state takes its name" \
	"$(synced state passed)" "sync output,rename state"

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Runs the commands of Documentation/backup.md, block by block. $a is the host, $b is the
# second host.

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/helpers/lib.sh"
. "$(dirname "$0")/helpers/page.sh"

document=$(cd "$(dirname "$0")/../Documentation" && pwd)/backup.md

plan 28

ns a b
veth "$a" eth0 "$b" eth0
cd "$lib_dir" || exit

saved() {
	at "$1" seenctl save
}

page "$document"
page_step "$a" "a state is made"
page_step "$a" "it is told as commands"
check "which seenctl -b makes elsewhere" \
	at "$b" seenctl -b - <<<"$page_out"
is "the same" "$(saved "$b")" "$page_out"
page_step "$a" "it is restored where it is"
is "which changes nothing" "$(saved "$a")" "$(cat state)"
page_step "$a" "what exists is no error"
page_step "$a" "contents are saved, too"
is "in files for their owner alone" "$(stat -c %a contents/*.seen | sort -u)" 600
is "and so are the commands" "$(stat -c %a contents/state)" 600
state=$(saved "$a")
page_step "$a" "all is restored"
is "as it was" "$(saved "$a")" "$state"
check "with the other key" at "$a" seenctl key test blocked 203.0.113.9
page_step "$a" "a filter is exported"
at "$b" seenctl -b - <<<'guard del dev eth0
filter del strangers
filter del blocked'
page_step "$b" "and imported elsewhere"
page_step "$b" "and again, in its place"
check "it is there" at "$b" seenctl key test blocked 203.0.113.9

page_step "$a" "a map is listed"
page_step "$a" "and compared with what it was"
page_step "$a" "two hosts have a filter"
check "the other one, too" page_again "$b"
seq -f '2001:db8::%.0f' 1 1000 | at "$a" seenctl key add known -
seq -f '2001:db8::%.0f' 1001 2000 | at "$b" seenctl key add known -
page_step "$b" "one is exported"
page_step "$a" "and merged"
check "every key of both is seen" at "$a" seenctl key test known - \
	< <(seq -f '2001:db8::%.0f' 1 2000)
page_step "$a" "a filter is folded"
check "its keys are seen" at "$a" seenctl key test guess - < <(seq 100000)
between "it is small" "$(filter_get "$a" guess .bytes)" 1 400000
page_end

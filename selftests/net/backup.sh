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
page_step "$a" "filters and guards are made"
page_step "$a" "save prints them as commands"
check "seenctl -b makes them on another host" \
	at "$b" seenctl -b - <<<"$page_out"
is "there save prints the same" "$(saved "$b")" "$page_out"
page_step "$a" "restore on the first host"
is "restore changes nothing there" "$(saved "$a")" "$(cat state)"
page_step "$a" "restore accepts objects that exist"
page_step "$a" "the contents of filters are saved"
is "these files have mode 600" "$(stat -c %a contents/*.seen | sort -u)" 600
is "the file of commands has mode 600" "$(stat -c %a contents/state)" 600
state=$(saved "$a")
page_step "$a" "all is restored, with contents"
is "the state is the saved one" "$(saved "$a")" "$state"
check "the key in the saved contents is there" at "$a" seenctl key test blocked 203.0.113.9
page_step "$a" "a filter is exported"
at "$b" seenctl -b - <<<'guard del dev eth0
filter del strangers
filter del blocked'
page_step "$b" "the file is imported on another host"
page_step "$b" "the file is imported again, with --replace"
check "its key is there" at "$b" seenctl key test blocked 203.0.113.9

page_step "$a" "a map is listed"
page_step "$a" "a map is compared with its saved file"
page_step "$a" "the same filter is made on the first host"
check "the same filter is made on the second host" page_again "$b"
seq -f '2001:db8::%.0f' 1 1000 | at "$a" seenctl key add known -
seq -f '2001:db8::%.0f' 1001 2000 | at "$b" seenctl key add known -
page_step "$b" "the filter of one host is exported"
page_step "$a" "it is merged into that of the other host"
check "every key of both is seen" at "$a" seenctl key test known - \
	< <(seq -f '2001:db8::%.0f' 1 2000)
page_step "$a" "a filter is folded"
check "the keys of the folded filter are seen" at "$a" seenctl key test guess - < <(seq 100000)
between "the folded filter is small" "$(filter_get "$a" guess .bytes)" 1 400000
page_end

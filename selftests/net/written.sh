#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# How an export is written: the new file is on the disk before it is renamed, and the folder is
# on the disk before the command ends. An export that is killed at any point leaves the old file
# or the new one. The same holds for the files of "save".

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/helpers/lib.sh"
. "$(dirname "$0")/helpers/written.sh"

box=''
ns box
writer=$(dirname "$(type -P race)")/writer.so
KEYS=40000

ask() {
	seenctl -n "$box" "$@"
}

# whole FILE: it has the keys of now.
whole() {
	[ "$(seq $((2 * KEYS)) | seenctl file test "$1" - | wc -l)" = $((2 * KEYS)) ]
}

# ordered WHAT ORDER FILE COMMAND...
ordered() {
	is "$1: the calls are in the right order" "$(order "$3" seenctl -n "$box" "${@:4}")" "$2"
}

# survives WHAT FILE COMMAND...: a table of many pieces, so that there are many calls.
survives() {
	match "$1: killed at each call, it leaves one whole file" \
		"$(killed "$2" whole seenctl -n "$box" "${@:3}")" \
		'^old [1-9][0-9] new [12]$'
}

plan 8
cd "$lib_dir" || exit
ask filter add f type cuckoo bits 24 capacity $((3 * KEYS)) key bytes
seq $KEYS | ask key add f -
ordered "export" "$REPLACED" f.seen filter export f f.seen --with-secret
seq $((KEYS + 1)) $((2 * KEYS)) | ask key add f -
check "a damaged file is detected" eval '! whole f.seen'
survives "export" f.seen filter export f f.seen --with-secret
survives "a new one" new.seen filter export f new.seen --with-secret
ordered "export, in the place of another" "$REPLACED" f.seen \
	filter export f f.seen --with-secret
mkdir contents
ordered "save" "$REPLACED" contents/f.seen save --with-secret --contents contents
ordered "save, in the place of another" "$REPLACED" contents/f.seen \
	save --with-secret --contents contents
check "no killed command holds the filter" ask filter del f --no-wait

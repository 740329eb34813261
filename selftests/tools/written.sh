#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# How seenctl writes a snapshot: the new file is synced before it takes the name, and the folder is
# synced before the command ends. A command that is killed at any point leaves the complete old
# file or the complete new one.

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../net/helpers/written.sh"
here=$(cd "$(dirname "$0")" && pwd)
PATH=${TOOLS:-$(cd "$here/../../build/tools" && pwd)}:$PATH
writer=$lib_dir/writer.so
seed=000102030405060708090a0b0c0d0e0f

file() {
	seenctl file "$@"
}

# make FILE KEY...
make() {
	file create "$1" type bloom capacity 10k fpp 1e-3 key bytes seed $seed &&
		file add "$1" "${@:2}"
}

# ordered WHAT ORDER FILE COMMAND...: the command syncs and renames in this order.
ordered() {
	is "$1: synced and renamed in this order" "$(order "$3" seenctl file "${@:4}")" "$2"
}

# survives WHAT FILE WHOLE COMMAND...: WHOLE tests that FILE is the complete new file.
survives() {
	match "$1: killed at each of its calls, it leaves one whole file" \
		"$(killed "$2" "$3" seenctl file "${@:4}")" \
		'^old [5-9] new [12]$'
}

# Tests for the complete new file after each of the commands below.
created() {
	file show "$1"
}

added() {
	file test "$1" old new
}

deleted() {
	file test "$1" two && ! file test "$1" one
}

merged() {
	file test "$1" old theirs
}

folded() {
	file test "$1" old && [ "$(stat -c %s "$1")" -lt 2000 ]
}

plan 13
cd "$lib_dir" || exit
check "the library to preload is built" gcc -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -Werror -O2 \
	-shared -fPIC -o "$writer" "$here/helpers/writer.c"
mkdir elsewhere
for name in f elsewhere/f other; do
	make $name old >/dev/null 2>&1
done
file add other theirs
file create c type cuckoo bits 32 capacity 100 key bytes >/dev/null
file add c one two
ln -s elsewhere/f link

survives create new created create new capacity 10k key bytes
survives add f added add f new
survives del c deleted del c one
survives merge other merged merge other f
survives fold elsewhere/f folded fold elsewhere/f capacity 100

ordered create "$MADE" made create made capacity 10 key bytes
ordered add "$REPLACED" f add f more
ordered del "$REPLACED" c del c two
ordered merge "$REPLACED" f merge f other
ordered "add, through a link" "$REPLACED" link add link more
make large old >/dev/null 2>&1
ordered fold "$REPLACED" large fold large capacity 100
is "without /proc the new file has a temporary name from the beginning" \
	"$(SEEN_NO_PROC=1 order f seenctl file add f others)" \
	"change file, sync file, rename file, sync folder"

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Snapshot files of each earlier version, in userspace: every key is found, and a file written now
# has the same header, except for the length.

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../net/helpers/golden.sh"
here=$(cd "$(dirname "$0")" && pwd)
PATH=${TOOLS:-$(cd "$here/../../build/tools" && pwd)}:$PATH

clocked() {
	LD_PRELOAD=$lib_dir/clock.so seenctl "$@"
}

take() {
	cp "$1" "$lib_dir/taken.seen" &&
		clocked file show "$lib_dir/taken.seen" >/dev/null
}

seen() {
	clocked file test "$lib_dir/taken.seen" -
}

told() {
	clocked -j file show "$lib_dir/taken.seen" | jq '.[0]'
}

# Adding a key that exists writes the file again. The first key of a map has value 1.
rewritten() {
	local key

	key=$(golden_keys "$1" 1 1)
	[[ $(told | jq -r .type) != map ]] || key+=" 1"
	clocked file add "$lib_dir/taken.seen" - <<<"$key" >&2
	echo "$lib_dir/taken.seen"
}

# Some types count this add: two numbers of the header are not compared.
golden_status=3
golden_parts="0-8 10-12 32-40 44-56 64-144 160-448"
plan $((1 + $(golden_plan)))
check "a clock to preload" gcc -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -Werror -O2 \
	-shared -fPIC -o "$lib_dir/clock.so" "$here/helpers/clock.c"
golden_all

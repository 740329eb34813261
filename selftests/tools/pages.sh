#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The pages about commands that need no kernel: the commands work and print what the pages show,
# and the programs on the pages equal the examples. The examples of such pages of the manual work,
# too.

. "$(dirname "$0")/../lib.sh"
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
. "$here/../net/helpers/page.sh"

# Runs a command in a folder. (In page.sh, in a namespace.)
at() {
	(cd "$1" && shift && "$@")
}

# page_folded: only times and rates may differ between runs, so only these are replaced.
page_folded() {
	sed -E 's/\<(seconds|lines-a-second) [0-9.e+]+/\1 N/g; s/[ \t]+/ /g; s/^ //; s/ $//' |
		sort
}

# page_programs FILE: each block of C or Python equals the file that is named before it.
page_programs() {
	awk -v top="$top/" '
		inside && /^```$/ { inside = 0; close(file)
			if ((getline line < (top name)) > 0) exit 1
			close(top name); next }
		inside { if ((getline line < (top name)) <= 0 || line != $0) exit 1
			next }
		/^`tools\/examples\/.*`:$/ { name = substr($0, 2, length($0) - 3) }
		/^```(c|python)$/ { inside = 1; found++ }
		END { if (found < 4) exit 1 }' "$1"
}

dest=$lib_dir/dest
LD_LIBRARY_PATH=$dest/usr/lib/$(gcc -print-multiarch)
export LD_LIBRARY_PATH
export PKG_CONFIG_PATH=$LD_LIBRARY_PATH/pkgconfig PKG_CONFIG_SYSROOT_DIR=$dest
export PKG_CONFIG_ALLOW_SYSTEM_CFLAGS=1 PKG_CONFIG_ALLOW_SYSTEM_LIBS=1
PATH=${TOOLS:-$top/build/tools}:$PATH
scene=$lib_dir/scene

plan $((23 + ${#page_kernelless[@]}))
mkdir "$scene"
for n in {0..99}; do
	printf '1000.%03d %d text\n1000.%03d %d text\n' $((n * 9)) "$n" $((n * 9 + 1)) "$n"
done | "$here/helpers/capture.py" >"$scene/mirror.pcap"
page "$top/Documentation/files.md" "sh host"
for what in lines "no line lost" counts "from run to run" columns "a window" captures "a dry run" "a filter in a file" \
		"a DROP list" "a netset" "a list in CSV"; do
	page_step "$scene" "$what"
done
page_end

check "libseen is installed" make -s -C "$top/tools" install DESTDIR="$dest"
cp "$top"/tools/examples/*.{c,py} "$scene"
page "$top/Documentation/libseen.md" "sh host"
for what in "where it is" "ten lines of C" "ten lines of Python" "its file" "the client"; do
	page_step "$scene" "$what"
done
page_end
page "$top/Documentation/scenarios/queues.md" "sh host"
page_step "$scene" "a queue of messages"
page_end
check "the programs of the page are the examples" page_programs "$top/Documentation/libseen.md"

mkdir "$lib_dir/manual"
cp "$scene/mirror.pcap" "$lib_dir/manual"
printf '%s\n' 192.0.2.1 198.51.100.7 2001:db8::1 >"$lib_dir/manual/addresses"
printf '%s\n' http://a.example/ http://b.example/ http://a.example/ >"$lib_dir/manual/urls"

# manual_shell PAGE: each of its examples works.
manual_shell() {
	local example

	for example in "$lib_dir/$1"/*; do
		at "$lib_dir/manual" bash -euo pipefail "$example" || return
	done
}

# manual_program PAGE: its example is a program that prints each word once.
manual_program() {
	local flags

	read -ra flags < <(pkg-config --cflags --libs libseen)
	gcc -Wall -Werror -x c "$lib_dir/$1"/* -x none -o "$lib_dir/words" "${flags[@]}" &&
		[ "$("$lib_dir/words" red green red | paste -sd' ')" = "red green" ]
}

for page in "${page_kernelless[@]}"; do
	mkdir "$lib_dir/$page"
	page_examples "$top/tools/man/$page" "$lib_dir/$page"
	run=manual_shell
	[ "$page" != libseen.3 ] || run=manual_program
	check "the examples of $page work" "$run" "$page"
done

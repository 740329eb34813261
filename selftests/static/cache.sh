#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The cache of kernels and guest roots: one process at a time makes an entry, and a damaged or
# half-written entry is made again. The test uses a cache of its own.

. "$(dirname "$0")/../lib.sh"
here=$(cd "$(dirname "$0")/.." && pwd)
export XDG_CACHE_HOME=$lib_dir/cache
entry=$lib_dir/cache/seen/thing

# make: fills the entry, and counts how often. "hold" stops in the middle.
cat >"$lib_dir/make" <<-END
	. "$here/vm/common.sh"
	fill() {
		echo "\$1" >>"$lib_dir/fills"
		mkdir "\$2/folder"
		echo content >"\$2/folder/file"
		ln -s folder/file "\$2/link"
		"\$1" "\$2"
	}
	hold() {
		echo >"$lib_dir/begun"
		read -r _ <"$lib_dir/go_on"
	}
	entry thing fill "\$1"
END
mkfifo "$lib_dir/begun" "$lib_dir/go_on"

make_entry() {
	bash "$lib_dir/make" "${1:-true}" 2>"$lib_dir/said"
}

fills() {
	wc -l <"$lib_dir/fills"
}

# damaged WHAT COMMAND...: the command damages the entry; the next call makes it again.
damaged() {
	local what=$1 before

	shift
	before=$(fills)
	"$@"
	make_entry >/dev/null
	is "$what is noticed, and the entry is made again" \
		"$(($(fills) - before)) $(cat "$entry/link")" "1 content"
}

# The same size, other content.
overwrite() {
	echo CONTENT >"$entry/folder/file"
}

plan 13
is "an entry is made" "$(make_entry)" "$entry"
is "the next call finds the entry" "$(make_entry) $(fills)" "$entry 1"
damaged "a file that is shorter" truncate -s 3 "$entry/folder/file"
match "a message reports the damage" "$(cat "$lib_dir/said")" "thing is damaged"
damaged "a file that was overwritten" overwrite
damaged "a file that is missing" rm "$entry/folder/file"
damaged "an additional file" touch "$entry/other"
damaged "a link that leads elsewhere" ln -sfn other "$entry/link"
damaged "an entry without its seal" rm "$entry.seal"

# A process is killed while it fills the entry: nothing may exist under the entry's name.
rm -r "$entry" "$entry.seal"
setsid bash "$lib_dir/make" hold >/dev/null 2>&1 &
pid=$!
read -r _ <"$lib_dir/begun"
kill -9 -- -$pid
wait $pid 2>/dev/null
refuse "a process that is killed leaves no entry" 1 "" [ -e "$entry" ]
is "the next process makes it" "$(make_entry) $(cat "$entry/link")" "$entry content"

# Two at once: the second one waits for the first.
rm -r "$entry" "$entry.seal"
: >"$lib_dir/fills"
make_entry hold >"$lib_dir/first" &
read -r _ <"$lib_dir/begun"
make_entry >"$lib_dir/second" &
waits() {
	grep -q -- "-> .*:$(stat -c %i "$entry.lock") " /proc/locks
}
check "a second process waits while the first one fills the entry" await 20 waits
echo >"$lib_dir/go_on"
wait
is "both get the same entry, which was made once" \
	"$(cat "$lib_dir/first" "$lib_dir/second" | sort -u) $(fills)" "$entry 1"

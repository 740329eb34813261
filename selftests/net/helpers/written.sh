# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Sourced after ../lib.sh by the tests of how files are replaced. $writer is the preload
# library ../tools/helpers/writer.c.

# The calls for a file that replaces another one, and those for a new file.
# shellcheck disable=SC2034 # for the tests that source this
REPLACED="change file, sync file, link file, rename file, sync folder"
# shellcheck disable=SC2034 # the same
MADE="change file, sync file, link file, unlink file, sync folder"

# order FILE COMMAND...: prints the calls on the inode that FILE has afterwards, and on its folder.
order() {
	local file=$1 folder inode

	rm -f "$lib_dir/calls"
	SEEN_CALLS=$lib_dir/calls LD_PRELOAD=$writer "${@:2}" >/dev/null ||
		return
	file=$(realpath "$file")
	folder=$(stat -c %i "${file%/*}") inode=$(stat -c %i "$file")
	awk -v file="$inode" -v folder="$folder" '
		$1 !~ /^(change|sync|link|rename|unlink)$/ { next }
		$2 == file { print $1, "file" }
		$2 == folder { print $1, "folder" }' "$lib_dir/calls" | uniq |
		paste -sd, | sed "s/,/, /g"
}

# killed FILE WHOLE COMMAND...: runs the command again and again, and kills it before each of its
# calls in turn, and in the middle of each write, until it completes. FILE must be unchanged, or
# WHOLE FILE must succeed. Prints how often each was the case, or the first error.
killed() {
	local file=$1 whole=$2 n=0 old=0 new=0 status

	shift 2
	cp -p "$file" "$lib_dir/before" 2>/dev/null || rm -f "$lib_dir/before"
	while ((++n < 100)); do
		rm -f "$file" "$file".*
		[ ! -e "$lib_dir/before" ] || cp -p "$lib_dir/before" "$file"
		status=0
		(SEEN_KILL=$n LD_PRELOAD=$writer "$@" >"$lib_dir/said" 2>&1) ||
			status=$?
		if [ "$status" = 0 ]; then
			break
		elif [ "$status" != 137 ]; then
			echo "call $n: exit $status: $(cat "$lib_dir/said")"
			return
		elif was "$file"; then
			((++old))
		elif "$whole" "$file" >/dev/null 2>&1; then
			((++new))
		else
			echo "call $n: neither the old file nor the new one"
			return
		fi
	done 2>/dev/null
	"$whole" "$file" >/dev/null || echo "in the end it is not whole"
	echo "old $old new $new"
}

# was FILE: true if the file is unchanged, or still absent.
was() {
	if [ -e "$lib_dir/before" ]; then
		cmp -s "$lib_dir/before" "$1"
	else
		[ ! -e "$1" ]
	fi
}

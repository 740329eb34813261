# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Sourced after ../lib.sh: the shell in a document, block by block. Blocks marked
# "sh run" are commands; whatever stands in a plain block is what they print, or a
# picture.
#
#	page ../Documentation/scenarios/loop.md
#	page_step "$switch" "the guard is added"	# runs the next block there
#	match "it says so" "$page_out" "armed"
#	page_end					# no block was left out

# page_blocks FILE FOLDER: writes each block to FOLDER, numbered by its line.
page_blocks() {
	awk -v folder="$2" '
		/^```/ && inside { inside = 0; close(out); out = ""; next }
		/^```/ { inside = 1
			if ($0 == "```sh run")
				out = sprintf("%s/%04d", folder, NR)
			next }
		out != "" { print >out }' "$1"
}

# page FILE: the steps that follow are its.
page() {
	page_name=${1##*/}
	page_next=0
	mkdir "$lib_dir/$page_name"
	page_blocks "$1" "$lib_dir/$page_name"
	page_list=("$lib_dir/$page_name"/*)
}

# page_step NAMESPACE WHAT: one result; what the block printed is in $page_out.
page_step() {
	local step=${page_list[page_next++]:-/none} status

	page_out=$(at "$1" bash -euo pipefail "$step" 2>&1)
	status=$?
	is "$page_name, line $((10#${step##*/})): $2" "$status" 0
	[ "$status" = 0 ] || note "$page_out"
}

# page_again NAMESPACE: the last block once more, for another machine of its kind.
page_again() {
	at "$1" bash -euo pipefail "${page_list[page_next - 1]}"
}

page_end() {
	is "$page_name: every block was run" "$page_next" "${#page_list[@]}"
}

# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Sourced after ../lib.sh: runs the shell in a document, block by block. Blocks marked
# "sh run" are commands; a plain block right after such a block is the expected output;
# any other block is a picture.
#
#	page ../Documentation/scenarios/loop.md
#	page_step "$switch" "the guard is added"	# runs the next block there
#	match "it says so" "$page_out" "armed"
#	page_end					# no block was left out

# page_blocks FILE FOLDER [MARK]: writes each block with the mark MARK (default: "sh run")
# to FOLDER, numbered by its line.
page_blocks() {
	awk -v folder="$2" -v mark="\`\`\`${3:-sh run}" '
		/^```/ && inside { inside = 0; close(out); out = ""; next }
		/^```/ { inside = 1
			if ($0 == mark)
				out = sprintf("%s/%04d", folder, NR)
			next }
		out != "" { print >out }' "$1"
}

# page_rows FILE FOLDER: writes the command of each table row whose column is headed
# "one command" to FOLDER, named row- and the number of its line.
page_rows() {
	awk -F '|' -v folder="$2" '
		!/^\|/ { inside = wanted = 0; next }
		!inside { inside = 1; wanted = $3 == " one command "; next }
		wanted && match($3, /`[^`]+`/) {
			out = sprintf("%s/row-%04d", folder, NR)
			print substr($3, RSTART + 1, RLENGTH - 2) >out
			close(out) }' "$1"
}

# page_examples FILE FOLDER: writes each example of a page of the manual, from .EX to .EE, to
# FOLDER, numbered by its line.
page_examples() {
	awk -v folder="$2" '
		/^\.EE/ { close(out); out = ""; next }
		/^\.EX/ { out = sprintf("%s/%04d", folder, NR); next }
		out != "" { gsub(/\\-/, "-"); gsub(/\\\(aq/, "\047"); gsub(/\\e/, "\\")
			print >out }' "$1"
}

# Pages of the manual whose examples need no kernel; tools/pages.sh runs them.
# shellcheck disable=SC2034 # tests that source this file use it
page_kernelless=(libseen.3 seenctl-dedup.8 seenctl-file.8 seenctl-pcap.8 seenctl-plan.8)

# page FILE [MARK]: the next steps are those of FILE.
page() {
	page_name=${1##*/}
	page_next=0
	page_file=$1
	mkdir "$lib_dir/$page_name"
	page_blocks "$1" "$lib_dir/$page_name" "${2:-}"
	page_list=("$lib_dir/$page_name"/*)
}

# page_shown LINE: prints the plain block right after the commands at that line.
page_shown() {
	awk -v line="$1" '
		NR <= line { next }
		/^```$/ { if (++fences == 3) exit; next }
		fences == 2
		fences == 1 && NF { exit }' "$page_file"
}

# page_folded: joins broken lines, and removes what differs from run to run: numbers, addresses,
# the state of ports with the columns after it, and the last duplicate.
page_folded() {
	sed -z 's/\n        / /g' | sed -E '
		s/^ *port +state( .*)?$/port state/
		s/^( *[^ ]+) +(calm|suspect|storm|BLOCKED|suspended|self)( .*)?$/\1 state/
		s/(last duplicate( of another port)?): .*/\1/
		s/[0-9a-f]{2}(:[0-9a-f]{2}){5}/MAC/g
		s/[0-9][0-9.,]*(e-[0-9]+)?/N/g
		s/N(ns|us|ms|s|m|h|K|M|G)\>/N/g
		s/[ \t]+/ /g; s/^ //; s/ $//' | sort -u
}

# page_unsaid LINE: prints lines that the page shows there, but the commands did not print.
page_unsaid() {
	comm -23 <(page_shown "$1" | page_folded) <(page_folded <<<"$page_out") |
		grep .
}

# page_step NAMESPACE WHAT: one result: the next block succeeds, and prints the output that the
# page shows. Sets $page_out to its output.
page_step() {
	local step=${page_list[page_next++]:-/none} line status unsaid

	line=$((10#${step##*/}))
	page_out=$(at "$1" bash -euo pipefail "$step" 2>&1)
	status=$?
	unsaid=$(page_unsaid $line)
	is "$page_name, line $line: $2" "$status $unsaid" "0 "
	[ "$status$unsaid" = 0 ] || note "$page_out"
}

# page_again NAMESPACE: runs the last block again, on another machine.
page_again() {
	at "$1" bash -euo pipefail "${page_list[page_next - 1]}"
}

page_end() {
	is "$page_name: every block was run" "$page_next" "${#page_list[@]}"
}

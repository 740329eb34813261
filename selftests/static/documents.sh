#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The documents match the tree: links have a target, every promise names existing tests, every
# target of make exists.

. "$(dirname "$0")/../lib.sh"
cd "$(dirname "$0")/../.." || exit

documents=(README.md CONTRIBUTING.md Documentation/{,performance/,scenarios/,testing/,theory/}*.md)

broken_links() {
	local document target

	for document in "${documents[@]}"; do
		grep -oP '\]\(\K[^)#]+' "$document" | grep -v '://' |
			while read -r target; do
				[ -e "$(dirname "$document")/$target" ] ||
					echo "$document: $target"
			done
	done | (! grep .)
}

unfinished() {
	! grep -n '<!--' "${documents[@]}"
}

# rows FILE: the first column of each table whose first heading is "packet".
rows() {
	sed -n '/^| packet |/,/^$/s/^| \([^|`]*\) |.*/\1/p' "$1" | grep -v '^packet$'
}

# The cases of the key test must be exactly the rows of these tables.
untested() {
	diff <(rows Documentation/keys.md | sort) \
		<(grep -o '^	{ "[^"]*"' selftests/core/test_key_table.c |
			cut -d'"' -f2 | sort -u)
}

# The rows of the tables of promises, without headings.
promised() {
	sed -n '/^| promise |/,/^$/p' Documentation/promises.md |
		grep -vE '^(\|--|\| promise |$)'
}

# Promises that name no test, and tests that do not exist.
unheld() {
	local row file

	promised | while IFS= read -r row; do
		# shellcheck disable=SC2016 # backquotes of the page
		grep -qE '\| (`[a-z]+/[a-z_0-9-]+\.(c|sh|py)` ?)+\|$' <<<"$row" ||
			echo "no test: $row"
		# shellcheck disable=SC2016
		grep -oE '`[a-z]+/[^ `]+\.(c|sh|py)`' <<<"$row" | tr -d '`' |
			while read -r file; do
				[ -e "selftests/$file" ] || echo "absent: $file"
			done
	done | (! grep .)
}

# Targets of make that the text, or a block for the host, names and the Makefile lacks.
absent_targets() {
	local target

	# shellcheck disable=SC2016 # backquotes of the pages
	grep -hoP '(^|`)([A-Z_]+=("[^"]*"|\S+) )*make \K[a-z]+(-[a-z]+)*(?=`|$| [A-Z]+=)' \
			"${documents[@]}" | sort -u |
		while read -r target; do
			grep -qE "^([a-z -]+ )?$target( [a-z -]+)?:" Makefile ||
				echo "make $target"
		done | (! grep .)
}

# No test runs the commands of these pages, so every block must be marked "host".
not_for_host() {
	! grep -n '^```[a-z]' Documentation/{performance,testing,theory}/*.md |
		grep -v '```sh host$'
}

# The tables and the plots are those of the CSV files.
speeds() {
	selftests/bench/report.py --check Documentation/performance README.md &&
		selftests/bench/native/native.py check
}

plan 8
check "no link leads nowhere" broken_links
check "every line of the tables of packets has a test" untested
check "no comment is left" unfinished
between "promises are made" "$(promised | wc -l)" 10 100
check "each target of make that they speak of is there" absent_targets
check "what no test runs is for the host" not_for_host
check "each promise is held by tests that are there" unheld
check "pages of speed and the README show the figures of the CSV files" speeds

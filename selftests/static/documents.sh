#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The documents keep up: links lead somewhere, and every promise names its tests.

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

# rows FILE: the first column of the tables of packets.
rows() {
	sed -n '/^| packet |/,/^$/s/^| \([^|`]*\) |.*/\1/p' "$1" | grep -v '^packet$'
}

# The cases of the test are those rows, and all of them.
untested() {
	diff <(rows Documentation/keys.md | sort) \
		<(grep -o '^	{ "[^"]*"' selftests/core/test_key_table.c |
			cut -d'"' -f2 | sort -u)
}

# The rows of the tables of promises, without their heads.
promised() {
	sed -n '/^| promise |/,/^$/p' Documentation/promises.md |
		grep -vE '^(\|--|\| promise |$)'
}

# Each promise names tests, all of which are there.
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

# Targets of make in the blocks for the host, and in the text, that are not there.
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

# Pages below those folders have commands for the host alone: no test runs others.
not_for_host() {
	! grep -n '^```[a-z]' Documentation/{performance,testing,theory}/*.md |
		grep -v '```sh host$'
}

plan 7
check "no link leads nowhere" broken_links
check "every line of the tables of packets has a test" untested
check "no comment is left" unfinished
between "promises are made" "$(promised | wc -l)" 10 100
check "each target of make that they speak of is there" absent_targets
check "what no test runs is for the host" not_for_host
check "each promise is held by tests that are there" unheld

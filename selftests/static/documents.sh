#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The documents match the tree: links have a target, every promise names existing tests, every
# target of make exists. The pages of the manual are well-formed, refer to existing pages, and
# name each function of the library.

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

# The terms of seen(7) with their definitions, one per line.
manual_terms() {
	sed -n '/^\.SH TERMS/,/^\.SH SEE/p' tools/man/seen.7 | sed 's/\\-/-/g' | awk '
		/^\.(TP|SH)/ { if (line) print line; line = ""; next }
		/^\.I / { line = substr($0, 4) ":"; next }
		{ line = line " " $0 }'
}

# The terms of seen(7) that the glossary defines in other words.
differing_terms() {
	manual_terms | grep -vxFf <(sed -n 's/^| \([^|]*\) | \(.*\) |$/\1: \2/p' \
		Documentation/glossary.md | sed -E 's/ ?\(\[[^]]*\]\([^)]*\)\)//g; s/`//g')
}

pages=(tools/man/*.[3578])

# Pages of our own that a page or a document refers to, and that do not exist. Some are links.
absent_pages() {
	sed -E 's/\\f(\(..|.)//g; s/\\-/-/g; s/^\.[BI]R? //; s/ \(/(/g' "${pages[@]}" \
			"${documents[@]}" tools/iptables/*.c |
		grep -oE '\b(seen(ctl|d)?|libseen|(lib)?xt_seen)(-[a-z]+)?\([0-9]\)' | tr -d ')' | tr '(' . |
		sort -u |
		while read -r page; do
			[ -e "tools/man/$page" ] || grep -q "/man8/$page\$" tools/Makefile ||
				echo "$page"
		done | (! grep .)
}

lint() {
	local faults

	faults=$(mandoc -Tlint "${pages[@]}" 2>&1)
	[ -z "$faults" ] || ! echo "$faults"
}

# exported: the functions of the library; its other symbols are tables of words.
exported() {
	grep -oP '^\tseen_\w+(?=;)' tools/lib/libseen.map | tr -d '\t' |
		grep -vxFf <(grep -oP '^extern const struct seen_names \K\w+' tools/lib/names.h)
}

# unnamed: functions that libseen(3) does not list, and entries that stand for none.
unnamed() {
	local entry function
	local -a entries functions
	local -A used=()

	mapfile -t functions < <(exported)
	mapfile -t entries < <(sed -n '/^\.SH DESCRIPTION/,/^\.SH RETURN/p' tools/man/libseen.3 |
		grep -A1 '^\.TP' | grep -oE 'seen_[a-z_]+\*?')
	for function in "${functions[@]}"; do
		for entry in "${entries[@]}" none; do
			# shellcheck disable=SC2053 # a pattern
			[[ $function != $entry ]] || break
		done
		[ "$entry" != none ] || echo "$function is in no group"
		used[$entry]=1
	done
	for entry in "${entries[@]}"; do
		[ -n "${used[$entry]:-}" ] || echo "$entry stands for no function"
	done
}

plan 12
check "every link has a target" broken_links
check "every row of the tables of packets has a test case" untested
check "no document contains an HTML comment" unfinished
between "number of promises" "$(promised | wc -l)" 10 100
check "each target of make that the documents name exists" absent_targets
check "blocks of commands that no test runs are marked \"host\"" not_for_host
check "each promise names tests, and these exist" unheld
check "each page of the manual is well-formed" lint
check "each page of the manual that the documents name exists" absent_pages
between "terms of seen(7)" "$(manual_terms | wc -l)" 10 50
is "seen(7) and the glossary define them in the same words" "$(differing_terms)" ""
is "the library's page names its functions" "$(unnamed)" ""

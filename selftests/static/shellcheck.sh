#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Every script passes shellcheck, whatever its name.

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/helpers/files.sh"
cd "$(dirname "$0")/../.." || exit

mapfile -t files < <(sources . |
	while read -r file; do
		read -r line <"$file"
		case $file:$line in
		*.sh:* | *:'#!'*sh) echo "$file" ;;
		esac
	done 2>/dev/null)

# look: at all of them by one process.
look() {
	shellcheck -f gcc "${files[@]}" >"$lib_dir/said"
	# With all complaints told it ends with 1.
	(($? <= 1))
}

plan $((2 + ${#files[@]}))
check "it has looked at all" look
for file in "${files[@]}"; do
	is "$file" "$(said_of "$file")" ""
done
is "and it has told nothing else" \
	"$(grep -vFf <(printf '%s:\n' "${files[@]}") "$lib_dir/said")" ""

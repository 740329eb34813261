#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Every script passes shellcheck, whatever its file name.

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

# The result of a script also depends on sourced files and on the configuration.
checker="$(shellcheck --version) $(printf '%s\n' "${files[@]}" | grep '\.sh$' |
	while read -r file; do [ -x "$file" ] || cat "$file"; done |
	cat .shellcheckrc - | sha256sum)"
mapfile -t todo < <(not_passed "$checker" "${files[@]}")

# look: checks all files with one process.
look() {
	[ ${#todo[@]} = 0 ] && return
	shellcheck -f gcc "${todo[@]}" >"$lib_dir/said"
	# Exit status 1: it has printed complaints. Above 1: it could not check.
	(($? <= 1))
}

: >"$lib_dir/said"
plan $((2 + ${#files[@]}))
look
sound=$?
is "shellcheck looked at each new or changed file" $sound 0
is "shellcheck printed nothing but complaints about these files" \
	"$(grep -vFf <(printf '%s:\n' "${files[@]}") "$lib_dir/said")" ""
for file in "${files[@]}"; do
	judge_said $sound "$checker" "$file"
done

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

plan ${#files[@]}
for file in "${files[@]}"; do
	check "$file" shellcheck "$file"
done

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Every C file is in the kernel's style, as checkpatch --strict sees it.

. "$(dirname "$0")/../lib.sh"
cd "$(dirname "$0")/../.." || exit

entry=$(selftests/vm/checkpatch.sh) || exit
mapfile -t files < <(git ls-files -co --exclude-standard -- '*.c' '*.h')

plan ${#files[@]}
for file in "${files[@]}"; do
	check "$file" "$entry/checkpatch.pl" --no-tree --strict --terse \
		--show-types --quiet -f "$file"
done

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Every C file is in the kernel's style, as checkpatch --strict sees it.

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/helpers/files.sh"
cd "$(dirname "$0")/../.." || exit

entry=$(selftests/vm/checkpatch.sh) || exit
mapfile -t files < <(sources '\.[ch]$')

# What userspace has no kernel header for, what a C test may do (volatile for
# what threads and signals share, names of other libraries, a word that happens to
# be a function's name, an array that a macro names twice, functions of one kind),
# and in the shim, what a kernel header is made of. checkpatch takes the
# compiler's own "unsigned __int128" for a bare "unsigned".
userspace=PREFER_KERNEL_TYPES,PREFER_DEFINED_ATTRIBUTE_MACRO,ARRAY_SIZE
userspace+=,EMBEDDED_FUNCTION_NAME,EMBEDDED_FILENAME,SPDX_LICENSE_TAG
userspace+=,VOLATILE,FUNCTION_ARGUMENTS,LINE_SPACING,CAMELCASE
userspace+=,MACRO_ARG_REUSE,COMPLEX_MACRO
shim=$userspace,NEW_TYPEDEFS,MEMORY_BARRIER

plan ${#files[@]}
for file in "${files[@]}"; do
	case $file in
	kmod/core/*)		ignore=(--ignore UNSPECIFIED_INT) ;;
	kmod/* | uapi/*)	ignore=() ;;
	*/shim/* | */vm/*.h)	ignore=(--ignore "$shim") ;;
	*)			ignore=(--ignore "$userspace") ;;
	esac
	check "$file" "$entry/checkpatch.pl" --no-tree --strict --terse \
		--show-types --quiet "${ignore[@]}" -f "$file"
done

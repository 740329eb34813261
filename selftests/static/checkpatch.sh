#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Every C file is in the kernel's style, as checkpatch --strict sees it; those of the tests
# with SELFTESTS=1.

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/helpers/files.sh"
cd "$(dirname "$0")/../.." || exit

entry=$(selftests/vm/checkpatch.sh) || exit
mapfile -t files < <(sources "^(kmod|uapi|tools${SELFTESTS:+|selftests})/.*\.[ch]$")

# What userspace has no kernel header for, what a C test may do (volatile for
# what threads and signals share, names of other libraries, a word that happens to
# be a function's name, an array that a macro names twice, functions of one kind),
# and in the shim and the fake kernel, what a kernel header is made of. checkpatch takes the
# compiler's own "unsigned __int128" for a bare "unsigned".
userspace=PREFER_KERNEL_TYPES,PREFER_DEFINED_ATTRIBUTE_MACRO,ARRAY_SIZE
userspace+=,EMBEDDED_FUNCTION_NAME,EMBEDDED_FILENAME,SPDX_LICENSE_TAG
userspace+=,VOLATILE,FUNCTION_ARGUMENTS,LINE_SPACING,CAMELCASE
userspace+=,MACRO_ARG_REUSE,COMPLEX_MACRO
shim=$userspace,NEW_TYPEDEFS,MEMORY_BARRIER,EXPORT_SYMBOL,MACRO_ARG_PRECEDENCE

# kind FILE: whose rules are for it.
kind() {
	case $1 in
	kmod/core/*)		echo core ;;
	kmod/* | uapi/*)	echo kernel ;;
	*/shim/* | */fake/* | */vm/*.h) echo shim ;;
	*)			echo userspace ;;
	esac
}

# look KIND [TYPES]: at all files of that kind at once, but not for that. Of each file it
# prints a total, and each report begins with a name.
look() {
	[ -s "$lib_dir/$1" ] || return 0
	xargs "$entry/checkpatch.pl" --no-tree --strict --terse --show-types \
		--quiet ${2:+--ignore "$2"} -f <"$lib_dir/$1" >>"$lib_dir/said" 2>&1
	case $? in
	0 | 123) ;;	# all is well, or it has printed what is not
	*)	echo "$1: checkpatch has died" >>"$lib_dir/said" ;;
	esac
}

plan $((2 + ${#files[@]}))
checker="${entry##*/} $(sha256sum <"$0")"
mapfile -t todo < <(not_passed "$checker" "${files[@]}")
for file in "${todo[@]}"; do
	echo "$file" >>"$lib_dir/$(kind "$file")"
done
: >"$lib_dir/said"
look core UNSPECIFIED_INT
look kernel
look shim "$shim"
look userspace "$userspace"
looked=$(grep -c '^total:' "$lib_dir/said")
is "it looked at each new or changed file" "$looked" ${#todo[@]}
is "and found nothing in any" \
	"$(grep -v '^total: 0 errors, 0 warnings, 0 checks, ' "$lib_dir/said")" ""
for file in "${files[@]}"; do
	judge_said $((looked != ${#todo[@]})) "$checker" "$file"
done

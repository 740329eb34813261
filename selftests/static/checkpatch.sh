#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Every C file passes checkpatch --strict. Files of the tests are checked with SELFTESTS=1 only.

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/helpers/files.sh"
cd "$(dirname "$0")/../.." || exit

entry=$(selftests/vm/checkpatch.sh) || exit
mapfile -t files < <(sources "^(kmod|uapi|tools${SELFTESTS:+|selftests})/.*\.[ch]$")

# Types that userspace code need not follow: the kernel header for the rule is missing; volatile,
# which a C test needs for data that threads and signals share; names of other libraries; a word
# that happens to be a function's name; a macro that names an array twice; lines between functions
# of one kind. The shim and the fake kernel also define what only kernel headers may define.
# checkpatch takes the compiler's own "unsigned __int128" for a bare "unsigned".
userspace=PREFER_KERNEL_TYPES,PREFER_DEFINED_ATTRIBUTE_MACRO,ARRAY_SIZE
userspace+=,EMBEDDED_FUNCTION_NAME,EMBEDDED_FILENAME,SPDX_LICENSE_TAG
userspace+=,VOLATILE,FUNCTION_ARGUMENTS,LINE_SPACING,CAMELCASE
userspace+=,MACRO_ARG_REUSE,COMPLEX_MACRO
shim=$userspace,NEW_TYPEDEFS,MEMORY_BARRIER,EXPORT_SYMBOL,MACRO_ARG_PRECEDENCE

# kind FILE: prints the set of rules for the file.
kind() {
	case $1 in
	kmod/core/*)		echo core ;;
	kmod/* | uapi/*)	echo kernel ;;
	*/shim/* | */fake/* | */vm/*.h) echo shim ;;
	*)			echo userspace ;;
	esac
}

# look KIND [TYPES]: checks all files of the kind in one call, without these types of message.
# checkpatch prints a total for each file, and begins each report with a file name.
look() {
	[ -s "$lib_dir/$1" ] || return 0
	xargs "$entry/checkpatch.pl" --no-tree --strict --terse --show-types \
		--quiet ${2:+--ignore "$2"} -f <"$lib_dir/$1" >>"$lib_dir/said" 2>&1
	case $? in
	0 | 123) ;;	# no complaint, or complaints that it has printed
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
is "checkpatch looked at each new or changed file" "$looked" ${#todo[@]}
is "checkpatch has no complaint about any file" \
	"$(grep -v '^total: 0 errors, 0 warnings, 0 checks, ' "$lib_dir/said")" ""
for file in "${files[@]}"; do
	judge_said $((looked != ${#todo[@]})) "$checker" "$file"
done

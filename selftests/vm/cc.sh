#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# cc.sh ARG...: calls gcc for the kernel's own files, with precompiled headers. When it compiles the
# object PRECOMPILE, it also makes the folder "precompiled", with headers.h and the header that the
# build includes first. Other files with the same flags use it; each adds its object to the list
# "used" there. gcc accepts a precompiled header only if no macro on the command line differs, so
# macros that differ from file to file are defined in a header next to the object, which is
# included after it.

names=
flags=
object=
source=
# The header that the build includes before all others.
version=
before=
for arg; do
	shift
	case $before,$arg in
	*,-include) ;;
	-include,*/compiler-version.h)
		version=$arg ;;
	-include,*)
		flags="$flags -include $arg"
		set -- "$@" -include "$arg" ;;
	*,-DKBUILD_*=* | *,-D__KBUILD_*=*)
		arg=${arg#-D}
		names="$names#define ${arg%%=*} ${arg#*=}
" ;;
	*)	set -- "$@" "$arg"
		case $before,$arg in
		-o,*)	object=$arg ;;
		*,*.c)	source=$arg ;;
		*,-Wp,-MMD,* | *,-o | *,-c) ;;
		*)	flags="$flags $arg" ;;
		esac ;;
	esac
	before=$arg
done

precompile() {
	mkdir precompiled &&
		echo "#include \"../$version\"" >precompiled/first.h || return
	# shellcheck disable=SC2086 # a word a flag
	gcc -include "$version" $flags -x c-header -c "${0%/*}/headers.h" \
		-o precompiled/first.h.gch &&
		printf '%s\n' "$flags" >precompiled/flags
}

# A file that defines macros before its includes may change what a header declares, so it cannot use
# the precompiled one. CREATE_TRACE_POINTS is an exception: none of these headers depends on it.
asks_for_more() {
	awk '
		/^[ \t]*#[ \t]*(define|undef)/ &&
			!/define[ \t]+CREATE_TRACE_POINTS/ { asks = 1 }
		/^[ \t]*#[ \t]*include/ && asks { more = 1; exit }
		END { exit !more }' "$source"
}

fits() {
	[ -e precompiled/flags ] && [ "$(cat precompiled/flags)" = "$flags" ] &&
		! asks_for_more
}

if [ -n "$object" ] && [ "$object" = "${PRECOMPILE:-}" ]; then
	precompile || exit
fi
if [ -n "$names" ] && [ -n "$object" ]; then
	printf %s "$names" >"$object.names.h" || exit
	set -- "$@" -include "$object.names.h"
	# The fallback: a file may use a name that is a macro in a header that it does not include
	# itself.
	if fits && gcc -Werror=invalid-pch -include precompiled/first.h "$@" 2>/dev/null; then
		echo "$object" >>precompiled/used
		exit
	fi
fi
exec gcc ${version:+-include "$version"} "$@"

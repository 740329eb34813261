#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# cc.sh ARG...: gcc for a kernel's own files. When it compiles the object PRECOMPILE it also
# makes the folder "precompiled": headers.h, and what the build includes everywhere, for all
# files with the same flags; a line of "used" there is an object that had it. gcc takes it only
# where macros are what they were, so those that differ from file to file are defined behind
# it, in a header beside the object.

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

# A file that defines something before it includes may have asked a header for something else
# than the others do, but for CREATE_TRACE_POINTS, which none of these looks at.
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
	# A file may have a name of its own for what is a macro in a header that it never
	# asked for.
	if fits && gcc -Werror=invalid-pch -include precompiled/first.h "$@" 2>/dev/null; then
		echo "$object" >>precompiled/used
		exit
	fi
fi
exec gcc ${version:+-include "$version"} "$@"

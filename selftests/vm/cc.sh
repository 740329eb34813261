#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# cc.sh ARG...: gcc for a kernel's own files. When it compiles the object PRECOMPILE it also
# makes the folder "precompiled": headers.h, and what the build includes everywhere, for all
# files with the same flags. gcc takes it only where macros are what they were, so those that
# differ from file to file are defined behind it, in a header beside the object.

names=
flags=
object=
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
	-o,*)	object=$arg
		set -- "$@" "$arg" ;;
	*,-DKBUILD_*=* | *,-D__KBUILD_*=*)
		arg=${arg#-D}
		names="$names#define ${arg%%=*} ${arg#*=}
" ;;
	*,-Wp,-MMD,* | *,-o | *,-c | *,*.c)
		set -- "$@" "$arg" ;;
	*)	flags="$flags $arg"
		set -- "$@" "$arg" ;;
	esac
	before=$arg
done

precompile() {
	mkdir precompiled || return
	echo "#include \"../$version\"" >precompiled/first.h
	# shellcheck disable=SC2086 # a word a flag
	gcc -include "$version" $flags -x c-header -c "${0%/*}/headers.h" \
		-o precompiled/first.h.gch || return
	echo "$flags" >precompiled/flags
}

precompiled() {
	[ -e precompiled/flags ] && [ "$(cat precompiled/flags)" = "$flags" ]
}

if [ -n "$object" ] && [ "$object" = "${PRECOMPILE:-}" ]; then
	precompile || exit
fi
if [ -n "$names" ] && [ -n "$object" ]; then
	printf %s "$names" >"$object.names.h"
	set -- "$@" -include "$object.names.h"
	# A file may have a name of its own for what is a macro in a header that it never
	# asked for.
	! precompiled || ! gcc -include precompiled/first.h "$@" 2>/dev/null || exit 0
fi
exec gcc ${version:+-include "$version"} "$@"

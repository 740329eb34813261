#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# libseen for other programs: it exports exactly the names that the headers declare; each header
# compiles on its own, in C and C++; pkg-config finds the shared and the static library.

. "$(dirname "$0")/../lib.sh"
cd "$(dirname "$0")/../.." || exit

dest=$lib_dir/dest
libdir=$dest/usr/lib/$(gcc -print-multiarch)
include=$dest/usr/include

# config: pkg-config with $dest as the root of the file system.
config() {
	PKG_CONFIG_SYSROOT_DIR=$dest PKG_CONFIG_ALLOW_SYSTEM_CFLAGS=1 \
		PKG_CONFIG_ALLOW_SYSTEM_LIBS=1 \
		PKG_CONFIG_PATH=$libdir/pkgconfig pkg-config "$@" libseen
}

# declared: prints the functions and variables that the headers declare.
declared() {
	local header

	for header in "$include"/seen/*.h; do
		echo "#include \"$header\""
	done | gcc -I "$include" -x c -fsyntax-only -aux-info "$lib_dir/aux" -
	grep -F "$include/seen/" "$lib_dir/aux" | grep -oP '\bseen_\w+(?= \()'
	grep -hoP '^extern .*\b\Kseen_\w+(?=;)' "$include"/seen/*.h
}

# exported VERSION: prints the names that the library exports with this version.
exported() {
	nm -D --defined-only "$libdir/libseen.so.1" | sed -n "s/.* \(.*\)@@$1$/\1/p"
}

# stands_alone LANGUAGE OPTION...: each header compiles on its own.
stands_alone() {
	local header

	for header in "$include"/seen/*.h; do
		echo "#include <seen/${header##*/}>" |
			gcc -Wall -Wextra -Wpedantic -Werror -I "$include" -fsyntax-only \
				-x "$@" - || return
	done
}

# A program that is valid in both languages.
cat >"$lib_dir/use.c" <<'END'
#include <stdio.h>
#include <string.h>
#include <seen/local.h>

int main(void)
{
	struct seen_filter_config config;
	struct seen_local *filter;
	int first, second;

	memset(&config, 0, sizeof(config));
	config.type = SEEN_TYPE_CUCKOO;
	config.capacity = 1000;
	config.fpp = SEEN_FPP_ONE / 1000000;
	config.key.profile = SEEN_KEY_PROFILE_BYTES;
	config.key.count = 1;
	config.key.field[0].id = SEEN_FIELD_BYTES;
	if (seen_local_create(&filter, &config)) {
		fprintf(stderr, "%s\n", seen_local_error());
		return 1;
	}
	first = seen_local_test_and_add(filter, "key", 3);
	second = seen_local_test_and_add(filter, "key", 3);
	seen_local_close(filter);
	printf("%s %s\n", seen_word(&seen_key_results, first),
	       seen_word(&seen_key_results, second));
	return 0;
}
END

# Sets fields for which a structure has room, but which this version of the library rejects.
cat >"$lib_dir/later.c" <<'END'
#include <stdio.h>
#include <string.h>
#include <seen/local.h>

static struct seen_filter_config config;

static void refused(const char *what)
{
	struct seen_local *filter;
	int err = seen_local_create(&filter, &config);

	printf("%s %d %s\n", what, err, err ? seen_local_error() : "");
	memset(&config, 0, sizeof(config));
	config.type = SEEN_TYPE_CUCKOO;
	config.capacity = 1000;
	config.fp_bits = 32;
	config.key.count = 1;
	config.key.field[0].id = SEEN_FIELD_SRC;
}

int main(void)
{
	refused("nothing");
	config.reserved[7] = 1;
	refused("config");
	config.key.reserved[3] = 1;
	refused("key");
	config.key.field[0].reserved = 1;
	refused("field");
	config.key.count = SEEN_KEY_FIELDS_ROOM;
	refused("fields");
	config.key.count = SEEN_KEY_FIELDS_ROOM + 1;
	refused("too many fields");
	config.first_len = 17;
	refused("first");
	memset(config.name, 'a', SEEN_NAME_ROOM / 2);
	refused("name");
	memset(config.name, 'a', SEEN_NAME_ROOM);
	refused("name without an end");
	config.name[0] = 'a';
	config.key.vxlan[0] = 4790;
	refused("ports");
	config.key.vxlan[0] = 0;
	refused("good");
	return 0;
}
END

# use WHAT COMPILER...: the program builds and runs.
use() {
	local what=$1

	shift
	check "$what: it builds" "$@" -Wall -Wextra -Werror -o "$lib_dir/use" \
		"${flags[@]}" "$lib_dir/use.c" "${libs[@]}"
	is "$what: it runs" "$(LD_LIBRARY_PATH=$libdir "$lib_dir/use")" "new seen"
}

plan 17
check "make install works" make -s -C tools install DESTDIR="$dest"
is "the library exports exactly what the headers declare" \
	"$(diff <(exported LIBSEEN_1.0 | sort) <(declared | sort -u))" ""
is "all exported names have a version" "$(nm -D --defined-only "$libdir/libseen.so.1" |
	grep -cv '@@LIBSEEN_1\.0$')" 1
match "the SONAME has the version of the ABI" \
	"$(readelf -d "$libdir/libseen.so.1")" 'SONAME.*\[libseen\.so\.1\]'
check "each header compiles on its own, in C" stands_alone c -std=c99
check "each header compiles on its own, in C++" stands_alone c++ -std=c++11
read -ra flags < <(config --cflags)
read -ra libs < <(config --libs)
use "C" gcc
match "the shared library is in use" "$(readelf -d "$lib_dir/use")" \
	'NEEDED.*libseen\.so\.1'
use "C++" gcc -x c++
check "a program for a later library: it builds" gcc -Wall -Wextra -Werror \
	-o "$lib_dir/later" "${flags[@]}" "$lib_dir/later.c" "${libs[@]}"
later="a reserved member of the structure is not 0: clear it, or update libseen"
is "its calls are refused: this library is older" "$(LD_LIBRARY_PATH=$libdir "$lib_dir/later" |
	grep -v ^nothing)" "config -22 $later
key -22 $later
field -22 $later
fields -22 key: must have at most 16 fields
too many fields -22 key: count is above SEEN_KEY_FIELDS_ROOM
first -22 first: first_len is above 16
name -22 name: must be at most 31 bytes of printable ASCII without blanks and slashes
name without an end -22 name: must be at most 31 bytes
ports -22 vxlan-port: needs inner
good 0 "
check "the program compiles with clang" clang -fsyntax-only "${flags[@]}" "$lib_dir/use.c"
read -ra libs < <(config --static --libs)
use "static" gcc -static
match "the static program needs no shared library" \
	"$(readelf -d "$lib_dir/use" 2>&1)" 'no dynamic section'

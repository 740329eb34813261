#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The client of libseen without the module: programs that are linked with helpers/fake_kernel.c, or
# run with it preloaded. helpers/client.c and client_calls.c are tests; filters.c and filters.py
# are the examples of Documentation/libseen.md.

. "$(dirname "$0")/../lib.sh"
cd "$(dirname "$0")/../.." || exit

dest=$lib_dir/dest
libdir=$dest/usr/lib/$(gcc -print-multiarch)
make -s -C tools install DESTDIR="$dest" || exit
read -ra netlink < <(pkg-config --cflags libnl-genl-3.0)
flags=(-std=gnu11 -O1 -g -Wall -Wextra -Werror -D_GNU_SOURCE -I "$dest/usr/include" "${netlink[@]}")
read -ra libs < <(pkg-config --libs libnl-genl-3.0)
helpers=selftests/tools/helpers

# listed COMMAND...: prints what the command prints about the two filters of the fake kernel.
listed() {
	LD_PRELOAD=$lib_dir/fake_kernel.so LD_LIBRARY_PATH=$libdir "$@"
}

# tests NAME TESTS WHAT: the program helpers/NAME.c passes all of its TESTS tests.
tests() {
	check "$3: the test is built" gcc "${flags[@]}" -fsanitize=address,undefined \
		-fno-sanitize-recover=all -o "$lib_dir/$1" \
		"$helpers"/{"$1",client_tap,fake_kernel}.c "$libdir/libseen.a" "${libs[@]}" \
		-lzstd -lpthread -lm
	is "$3" "$(timeout 120 "$lib_dir/$1" 2>&1 | grep -v '^ok' | tr '\n' ' ')" \
		"TAP version 13 1..$2 "
}

plan 7
tests client 72 "libseen handles a kernel that misbehaves"
tests client_calls 108 "libseen refuses wrong calls, and sends the others"
check "the fake kernel is built" gcc "${flags[@]}" -shared -fPIC \
	-o "$lib_dir/fake_kernel.so" "$helpers/fake_kernel.c" "${libs[@]}"
gcc "${flags[@]}" -o "$lib_dir/filters" tools/examples/filters.c -L "$libdir" -lseen
is "the example in C lists the filters" "$(listed "$lib_dir/filters")" "hosts bloom keys 7 of 1000
flows cuckoo keys 7 of 1000"
is "the example in Python lists the filters" \
	"$(listed python3 tools/examples/filters.py)" "hosts bloom
flows cuckoo"

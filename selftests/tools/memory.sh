#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# A filter that needs more memory than is available is refused before it is allocated, by every
# command. The text states the bytes needed and the bytes available.

. "$(dirname "$0")/../lib.sh"
PATH=${TOOLS:-$(cd "$(dirname "$0")/../../build/tools" && pwd)}:$PATH
cd "$lib_dir" || exit

# limited KIB COMMAND...: runs the command with so much address space.
limited() {
	(ulimit -v "$1"; "${@:2}")
}

plan 27

# More memory than any machine has that runs this test.
refuse "more than the machine has" 2 "capacity: 8589934592 keys need 544.7GiB" \
	seenctl file create huge type map capacity 8589934592 key bytes
match "the available memory is reported" \
	"$(seenctl file create huge type map capacity 8589934592 key bytes 2>&1)" \
	'\([0-9]+ bytes\), [0-9.]+[KMGT]iB is available$'
is "no file is left" "$(ls)" ""
while read -r type bytes; do
	refuse "$type: more than the limit" 2 \
		"file create: capacity: 4294967296 keys need" \
		limited 4000000 seenctl file create x type "$type" capacity 4294967296 key bytes
	match "$type: the text has the number of bytes" "$(limited 4000000 seenctl file create x \
		type "$type" capacity 4294967296 key bytes 2>&1)" "\($bytes bytes\), 3\.[0-9]GiB is"
	is "$type: no file is left" "$(ls)" ""
done <<'END'
bloom 8455716864
cuckoo 9138228544
counting 23488102400
map 292423311936
END
check "a smaller filter is created" limited 4000000 seenctl file create x type bloom \
	capacity 100000000 fpp 0.01 key bytes
rm x
check "plan allocates nothing" limited 4000000 seenctl plan capacity 4294967296 type map
seq 1000 >lines
refuse "dedup with more memory than available" 1 "capacity: 4294967296 keys need" limited 4000000 \
	sh -c "seenctl dedup --capacity 4294967296 --memory 100G <lines"
match "dedup without --memory: needed and available bytes, and a remedy" \
	"$(limited 300000 seenctl dedup --capacity 1G lines 2>&1)" \
	"--capacity: 1000000000 lines at this rate need [0-9.]+GiB \\([0-9]+ bytes\\), [0-9.]+MiB is available; lower --capacity or raise --fpp\$"
refuse "this is a usage error" 2 "lines at this rate need" limited 300000 \
	seenctl dedup --capacity 1G lines
match "dedup with too little --memory" "$(seenctl dedup --capacity 1G --memory 100M lines 2>&1)" \
	"--memory: 1000000000 lines at this rate need [0-9.]+GiB \\([0-9]+ bytes\\), 95.4MiB is given\$"
seenctl dedup --quiet --capacity 30M --state state lines >/dev/null
refuse "a state that does not fit into memory is not reported as damaged" \
	1 "--state: state: not enough memory: the file needs two times" \
	limited 180000 seenctl dedup --state state lines
seenctl file create map type map capacity 4M key src
is "libseen: a file that does not fit into memory is ENOMEM" "$(limited 200000 python3 - <<END
import ctypes
seen = ctypes.CDLL("$(dirname "$(command -v seenctl)")/libseen.so.1")
seen.seen_local_error.restype = ctypes.c_char_p
local = ctypes.c_void_p()
print(seen.seen_local_open(ctypes.byref(local), b"map", None),
      seen.seen_local_error().decode().split(":")[0])
END
)" "-12 not enough memory"
rm map
match "a state that does not fit into --memory is not reported as damaged" \
	"$(seenctl dedup --memory 1M --state state lines 2>&1)" \
	"--memory: the filters of state need [0-9.]+MiB \\([0-9]+ bytes\\), 977KiB is given\$"
check "dedup without --capacity and --memory uses the available memory" \
	limited 200000 sh -c 'seenctl dedup --fpp 1e-9 <lines | cmp - lines'
seenctl file create large type bloom capacity 150000000 fpp 0.01 seed \
	000102030405060708090a0b0c0d0e0f key bytes
seq 1000 | seenctl file add large -
cp large other
check "merging two files needs only the memory of the files" \
	limited 500000 seenctl file merge large other
check "a file is saved without a copy in memory" limited 260000 seenctl file add large x

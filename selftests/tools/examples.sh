#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The examples are built as their heads say, from an installed libseen, and do what
# they say: counts, not times.

. "$(dirname "$0")/../lib.sh"
cd "$(dirname "$0")/../.." || exit
top=$PWD

dest=$lib_dir/dest
LD_LIBRARY_PATH=$dest/usr/lib/$(gcc -print-multiarch)
export LD_LIBRARY_PATH
export PKG_CONFIG_PATH=$LD_LIBRARY_PATH/pkgconfig PKG_CONFIG_SYSROOT_DIR=$dest
export PKG_CONFIG_ALLOW_SYSTEM_CFLAGS=1 PKG_CONFIG_ALLOW_SYSTEM_LIBS=1

# build NAME: by the command that stands in its source.
build() {
	local command

	command=$(sed -n 's/^ \* \(gcc .*\)/\1 -Wall -Wextra -Werror/p' \
		"$top/tools/examples/$1.c")
	[ -n "$command" ] && (cd "$lib_dir" && cp "$top/tools/examples/$1.c" . &&
		eval "$command")
}

plan 26
check "libseen is installed" make -s -C tools install DESTDIR="$dest"
for name in front crawler spam; do
	check "$name is built" build $name
done
cd "$lib_dir" || exit

# --- a filter in front of a store ------------------------------------------------------

mkdir store
check "front runs" eval './front store 200000 >told'
note "$(cat told)"
is "no key of the store is missed" "$(grep hits told)" "hits asked 200000 found 200000"
is "what is not there is not found" "$(grep -o 'misses asked [0-9]* found [0-9]*' told)" \
	"misses asked 200000 found 0"
between "99 of 100 misses do not touch the store" \
	"$(grep -oP 'found 0 store-lookups \K[0-9]+' told)" 1 2000
is "all of them do without the filter" \
	"$(grep -oP 'without the filter: store-lookups \K[0-9]+' told)" 200000
between "a key takes 11 to 16 bits" \
	"$(($(grep -oP 'filter-bytes \K[0-9]+' told) * 8 / 200000))" 11 16

# --- a crawler's URLs ------------------------------------------------------------------

# links FROM TO: each is met in three ways.
links() {
	seq "$1" "$2" | sed 's,.*,https://example.org/&\nhttps://example.org/&/\nhttps://example.org/&#top,'
}

# A false positive in a million loses an address: more than 4 of 20,000 with a chance
# of less than 10^-9.
links 1 20000 | ./crawler urls 50000 >new 2>told
news=$(sort -u new | wc -l)
is "each address is new once" "$(cat told)" "met 60000 new $news"
between "and none is missing, but for false positives" "$news" 19996 20000
is "the set is for its owner alone" "$(stat -c %a urls)" 600
links 10001 30000 | ./crawler urls 50000 >new 2>told
is "what is new to another run is new once" "$(cat told)" "met 60000 new $(sort -u new | wc -l)"
between "another run knows those of the first" "$(sort -u new | wc -l)" 9996 10000
is "and finds the others" "$(sed -n '1p;$p' new | xargs)" \
	"https://example.org/20001 https://example.org/30000"
cp urls before
links 30001 90000 | ./crawler urls 50000 >new 2>told
is "a set that is full says so" "$? $(cat told)" "1 crawler: the set is full"
check "and stays as it was" cmp urls before
head -c 1000 before >urls
refuse "half a file is refused" 1 "crawler: urls: " ./crawler urls 50000 </dev/null
is "and stays, too" "$(stat -c %s urls)" 1000

# --- a list of spam --------------------------------------------------------------------

seq -f 'Robot-%.0f@Spam.example' 50000 >listed
printf '%s\n' robot-7@spam.example friend@mail.example >allowed
{
	seq -f 'robot-%.0f@spam.example' 50000
	seq -f 'person-%.0f@mail.example' 50000
	echo friend@mail.example
} | ./spam listed allowed >answers 2>told
is "all are found, and nobody else" "$(cat told)" "unknown 50000 listed 49999 allowed 2"
is "who is allowed is not listed" "$(grep -c ' allowed$' answers)" 2
is "though on both lists" "$(grep -F 'robot-7@' answers)" "robot-7@spam.example allowed"
is "letters may be large" "$(echo ROBOT-8@SPAM.EXAMPLE | ./spam listed allowed 2>/dev/null)" \
	"robot-8@spam.example listed"
seq -f '%060.0f@long.example' 2 >allowed
refuse "what does not fit an exact list is refused" 1 "the key does not fit" \
	./spam listed allowed </dev/null
refuse "no list" 1 "cannot be read" ./spam nowhere allowed </dev/null

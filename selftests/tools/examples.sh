#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The examples are built by the commands in their heads, from an installed libseen, and work as
# described. The test checks counts, not times.

. "$(dirname "$0")/../lib.sh"
cd "$(dirname "$0")/../.." || exit
top=$PWD

dest=$lib_dir/dest
LD_LIBRARY_PATH=$dest/usr/lib/$(gcc -print-multiarch)
export LD_LIBRARY_PATH
export PKG_CONFIG_PATH=$LD_LIBRARY_PATH/pkgconfig PKG_CONFIG_SYSROOT_DIR=$dest
export PKG_CONFIG_ALLOW_SYSTEM_CFLAGS=1 PKG_CONFIG_ALLOW_SYSTEM_LIBS=1

# build NAME: builds it by the command in its source.
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
is "no other key is found" "$(grep -o 'misses asked [0-9]* found [0-9]*' told)" \
	"misses asked 200000 found 0"
between "99 of 100 misses do not read the store" \
	"$(grep -oP 'found 0 store-lookups \K[0-9]+' told)" 1 2000
is "without the filter all misses read the store" \
	"$(grep -oP 'without the filter: store-lookups \K[0-9]+' told)" 200000
between "a key takes 11 to 16 bits" \
	"$(($(grep -oP 'filter-bytes \K[0-9]+' told) * 8 / 200000))" 11 16

# --- a crawler's URLs ------------------------------------------------------------------

# links FROM TO: prints each URL in three forms.
links() {
	seq "$1" "$2" | sed 's,.*,https://example.org/&\nhttps://example.org/&/\nhttps://example.org/&#top,'
}

# A false positive, one in a million, loses an address. The probability that more than 4 of 20,000
# are lost is below 10^-9.
links 1 20000 | ./crawler urls 50000 >new 2>told
news=$(sort -u new | wc -l)
is "each address is new once" "$(cat told)" "met 60000 new $news"
between "no address is missing, except for false positives" "$news" 19996 20000
is "only the owner can read the set" "$(stat -c %a urls)" 600
links 10001 30000 | ./crawler urls 50000 >new 2>told
is "in another run each address is new once, too" \
	"$(cat told)" "met 60000 new $(sort -u new | wc -l)"
between "another run finds the addresses of the first one" "$(sort -u new | wc -l)" 9996 10000
is "another run prints the other addresses" "$(sed -n '1p;$p' new | xargs)" \
	"https://example.org/20001 https://example.org/30000"
cp urls before
links 30001 90000 | ./crawler urls 50000 >new 2>told
is "a full set is an error" "$? $(cat told)" "1 crawler: the set is full"
check "the full set is unchanged" cmp urls before
head -c 1000 before >urls
refuse "a truncated file is refused" 1 "crawler: urls: " ./crawler urls 50000 </dev/null
is "the truncated file is unchanged" "$(stat -c %s urls)" 1000

# --- a list of spam --------------------------------------------------------------------

seq -f 'Robot-%.0f@Spam.example' 50000 >listed
printf '%s\n' robot-7@spam.example friend@mail.example >allowed
{
	seq -f 'robot-%.0f@spam.example' 50000
	seq -f 'person-%.0f@mail.example' 50000
	echo friend@mail.example
} | ./spam listed allowed >answers 2>told
is "all listed addresses are found, and no others" \
	"$(cat told)" "unknown 50000 listed 49999 allowed 2"
is "an allowed address is not listed" "$(grep -c ' allowed$' answers)" 2
is "an address on both lists is allowed" \
	"$(grep -F 'robot-7@' answers)" "robot-7@spam.example allowed"
is "upper case does not matter" "$(echo ROBOT-8@SPAM.EXAMPLE | ./spam listed allowed 2>/dev/null)" \
	"robot-8@spam.example listed"
seq -f '%060.0f@long.example' 2 >allowed
refuse "a key that is too long for the exact list is refused" 1 "the key does not fit" \
	./spam listed allowed </dev/null
refuse "a list that does not exist" 1 "cannot be read" ./spam nowhere allowed </dev/null

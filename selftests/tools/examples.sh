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

plan 43
check "libseen is installed" make -s -C tools install DESTDIR="$dest"
for name in front crawler spam share; do
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

# --- a queue of messages ---------------------------------------------------------------

# messages: of a million producers, all but ten send 4 messages, which is their share. The ten
# "greedy" ones send 3,996 together.
messages() {
	awk 'BEGIN {
		for (round = 1; round <= 4; round++)
			for (i = 1; i <= 999990; i++) {
				print 1, "p" i, round
				if (i % 1000 == 0)
					print 1, "greedy" i / 1000 % 10, round "-" i
			}
	}'
}

# twice PRODUCERS: that many producers send one message in each of two periods.
twice() {
	awk -v producers="$1" 'BEGIN {
		for (period = 1; period <= 2; period++)
			for (i = 1; i <= producers; i++)
				print period, "p" i
	}'
}

# in_order: true if the lines of the files "now" and "late" are the standard input, each once, and
# each file is in the order of the input.
in_order() {
	awk '
		function next_of(file,   line) {
			return (getline line <file) > 0 ? line : ""
		}
		BEGIN { now = next_of("now"); late = next_of("late") }
		$0 == now { now = next_of("now"); next }
		$0 == late { late = next_of("late"); next }
		{ failed = 1; exit }
		END { exit failed || now != "" || late != "" }'
}

messages | ./share 4 1000000 >printed 2>told
note "$(cat told)"
waited=$(grep -oP 'waited \K[0-9]+' told)
is "all messages are counted" "$(grep -o 'messages [0-9]*' told)" "messages 4003956"
is "a million producers find room" "$(grep -o 'full [0-9]*' told)" "full 0"
between "a million producers need at most 10 MB" "$(grep -oP 'filter-bytes \K[0-9]+' told)" \
	1 10000000
head -n $((4003956 - waited)) printed >now
tail -n "$waited" printed >late
check "each message is printed once, and those that wait are the last ones" \
	eval 'messages | in_order'
is "no producer gets more than its share" \
	"$(awk '/greedy/ && ++count[$2] > 4 { print $2 }' now)" ""
between "messages beyond the share wait" "$(grep -c greedy late)" 3956 3996
# At most one of 400 producers, in the mean. The probability of 2,800 is below 10^-8.
between "no producer within its share waits, except for false positives" \
	"$(awk '/ p/ { print $2 }' late | sort -u | wc -l)" 0 2800
twice 1000 | ./share 1 1000000 >printed 2>told
is "with few producers none waits" "$(grep -o 'waited [0-9]*' told)" "waited 0"
# Without the end of a period, in which they are printed, messages that wait are not in order.
twice 100000 | ./share 1 100000 2>told | awk '
	$1 != period { period = $1; last = 0 }
	{ number = substr($2, 2) + 0 }
	number < last { print period, $2 }
	number > last { last = number }' >late
check "each period has some producers that wait" eval 'grep -q ^1 late && grep -q ^2 late'
check "in another period these are other producers" \
	eval '! cmp -s <(sed -n "s/^1 //p" late) <(sed -n "s/^2 //p" late)'
twice 3000 | ./share 1 1000 >printed 2>told
between "messages of producers without room are counted" "$(grep -oP 'full \K[0-9]+' told)" \
	1 6000
between "they do not wait, except for false positives" \
	"$(grep -oP 'waited \K[0-9]+' told)" 0 300
is "they are printed, too" "$(sort printed | uniq -c | awk '$1 == 1' | wc -l)" 6000
refuse "a share that the counters do not hold" 1 "must be 1 to 15" ./share 16 10 <<<"1 a b"
refuse "no share" 1 "share: 0: the share is 1 to 15" ./share 0 10 <<<"1 a b"
refuse "a line without a producer" 1 "line 2: needs a period, a producer" \
	./share 1 10 <<<$'1 a b\n2'

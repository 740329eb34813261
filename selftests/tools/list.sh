#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Lists of keys as they are published: with comments, names, ranges, prefixes, CSV, and bad lines,
# which are reported and skipped. Bitmaps and maps are exact, so their content shows exactly which
# keys a list had.

. "$(dirname "$0")/../lib.sh"
PATH=${TOOLS:-$(cd "$(dirname "$0")/../../build/tools" && pwd)}:$PATH
cd "$lib_dir" || exit

# make FILE PARAMETERS...
make() {
	rm -f "$1"
	seenctl file create "$@" seed 000102030405060708090a0b0c0d0e0f >/dev/null
}

# adds LIST WORD...: adds LIST (with printf's escapes) to file f; prints status and messages.
adds() {
	local said status

	# shellcheck disable=SC2059 # the list has escapes
	said=$(printf "$1" | seenctl file add f "${@:2}" - 2>&1)
	status=$?
	echo "$status${said:+: $said}"
}

# totals LIST WORD...: adds LIST; prints the numbers of new, existing and skipped keys.
totals() {
	# shellcheck disable=SC2059
	printf "$1" | seenctl -j file add f "${@:2}" - 2>/dev/null |
		jq -r '"\(.new) \(.seen) \(.skipped)"'
}

# has KEY...: prints those of the keys that f contains.
has() {
	seenctl file test f "$@" | paste -sd' '
}

hosts() {
	make f type map capacity 100000 key host
}

nets() {
	make f type bitmap key src/24 range 192.0.0.0/16
}

comments() {
	hosts
	is "comments after an address, a byte order mark, CRLF, no last line end" "$(adds \
		'\xef\xbb\xbf192.0.2.1 # a\r\n; b\r\n192.0.2.2;c\r\n \t\r\n#d\n192.0.2.3\t; # e')" 0
	is "the keys of these lines are added" "$(has 192.0.2.1 192.0.2.2 192.0.2.3)" \
		"192.0.2.1 192.0.2.2 192.0.2.3"
	is "a byte order mark alone" "$(adds '\xef\xbb\xbf')" 0
	is "IPv4 in IPv6 is IPv4" "$(totals '::ffff:192.0.2.1\n::FFFF:c000:202\n')" \
		"0 2 0"
	make f type map capacity 10 key iif
	is "a name of an interface keeps its characters" \
		"$(adds '7;x\n' | grep -c '7;x') $(adds '7 ;x\n')" "1 0"
}

# In a key of bytes, only blanks at the ends and lines that begin with "#" are removed.
texts() {
	make f type map capacity 10 key bytes
	is "text in a map: the last word is a value" "$(totals \
		'a # b\nc;d 1\n;e 2\n#f\n10.0.0.1-10.0.0.2\n192.0.2.1 name\n')" "3 0 2"
	make f type cuckoo bits 32 capacity 10 key bytes
	adds 'a # b\nc;d\n;e\n#f\n\xef\xbb\xbfg\n' >/dev/null
	is "text that would be a comment in other keys: each line is a key" \
		"$(has 'a # b' 'c;d' ';e' '#f' a c g)" \
		"a # b c;d ;e"
}

drop_list() {
	nets
	is "a list of prefixes with semicolons" "$(adds \
		'; A list\n; Expires: later\n192.0.2.0/24 ; S1\n192.0.4.0/24;S2\n')" 0
	is "addresses in these prefixes are seen, others are not" \
		"$(has 192.0.2.77 192.0.3.1 192.0.4.255)" "192.0.2.77 192.0.4.255"
	is "a shorter prefix adds all prefixes in it" \
		"$(totals '192.0.8.0/22 ; S3\n') $(has 192.0.7.1 192.0.8.1 192.0.11.1 192.0.12.1)" \
		"4 0 0 192.0.8.1 192.0.11.1"
	is "a longer prefix is no key of this filter" "$(adds '192.0.2.0/25\n')" \
		"2: seenctl: file add: line 1: src: the key's prefix length is 24: 192.0.2.0/25"
}

names() {
	hosts
	is "lines of a hosts file" "$(totals \
		'192.0.2.1 www.example www\n192.0.2.2\tmail_1 # x\n2001:db8::1 six\n')" \
		"3 0 0"
	is "the addresses of a hosts file are added" "$(has 192.0.2.1 192.0.2.2 2001:db8::1)" \
		"192.0.2.1 192.0.2.2 2001:db8::1"
	is "a second address is not taken for a name" "$(adds '192.0.2.3 192.0.2.4\n')" \
		"2: seenctl: file add: line 1: 192.0.2.3 192.0.2.4: the last word is not a value from 0 to 4294967295"
	make f type bloom capacity 10
	is "not in a type without values either" \
		"$(adds '192.0.2.3 192.0.2.4\n') $(has 192.0.2.3 192.0.2.4)" \
		"2: seenctl: file add: line 1: key: must have 1 field (src): 192.0.2.3 192.0.2.4 "
}

ranges() {
	hosts
	is "a range adds its addresses" "$(totals \
		'192.0.2.254-192.0.3.1\n192.0.2.9 - 192.0.2.9 # one\n2001:db8::ff-2001:db8::100\n')" \
		"7 0 0"
	is "a range includes its ends" "$(has 192.0.2.253 192.0.2.254 192.0.2.255 192.0.3.0 \
		192.0.3.1 192.0.3.2 2001:db8::fe 2001:db8::ff 2001:db8::100)" \
		"192.0.2.254 192.0.2.255 192.0.3.0 192.0.3.1 2001:db8::ff 2001:db8::100"
	is "a prefix adds its addresses" "$(totals '198.51.100.0/30\n2001:db8:1::/127\n')" "6 0 0"
	is "a range on the command line" "$(seenctl -s file add f 203.0.113.1-203.0.113.3)" \
		"keys 3 new 3"
	is "a wrong range is reported" "$(adds \
		'192.0.2.9-192.0.2.1\n192.0.2.1-::2\n192.0.2.1-9\n192.0.2.1/24\n')" \
		"2: seenctl: file add: line 1: src: the range ends before it begins: 192.0.2.9-192.0.2.1
seenctl: file add: line 2: src: the range must not mix IPv4 and IPv6: 192.0.2.1-::2
seenctl: file add: line 3: src: not a range FIRST-LAST of two addresses: 192.0.2.1-9
seenctl: file add: line 4: src: the key is a whole address, not a prefix: 192.0.2.1/24"
	match "too large a range is reported, with a remedy" "$(adds '0.0.0.0-0.16.0.0\n')" \
		"^2: .*more than 1048576 keys; use a filter with key 'src/\*': 0.0.0.0-0.16.0.0$"
	match "too large a prefix is reported, too" \
		"$(adds '2001:db8::/32\n')" "^2: .*more than 1048576 keys"
	nets
	is "in a key with prefixes, a range adds the prefixes that it covers" \
		"$(totals '192.0.2.0-192.0.3.255\n')" "2 0 0"
	is "whole" "$(adds '192.0.2.0-192.0.3.254\n')" \
		"2: seenctl: file add: line 1: src: the range must begin and end with a whole prefix /24: 192.0.2.0-192.0.3.254"
	make f type map capacity 100 key src/24/64
	is "a range of IPv6 adds the prefixes that it covers" \
		"$(totals '2001:db8::-2001:db8:0:2:ffff:ffff:ffff:ffff\n')" "3 0 0"
	make f type map capacity 100 key dst
	is "with a value, each address has it" \
		"$(totals '192.0.2.1-192.0.2.3 7\n') $(has 192.0.2.3)" "3 0 0 192.0.2.3"
}

# In a key with prefixes of one length, an address without a length is its whole prefix.
bare() {
	nets
	is "addresses without a length are noted, once" \
		"$(adds '192.0.2.1\n192.0.3.1 # a\n192.0.4.0/24\n192.0.5.0-192.0.5.255\n')" \
		"0: seenctl: note: 2 addresses without a prefix length are treated as their whole /24"
	is "one address is noted in the singular" "$(adds '192.0.2.1\n')" \
		"0: seenctl: note: 1 address without a prefix length is treated as its whole /24"
	is "noted with --strict, too" "$(adds '192.0.2.1\n' --strict)" \
		"0: seenctl: note: 1 address without a prefix length is treated as its whole /24"
	is "no address without a length: no note" "$(adds '192.0.4.0/24\n')" 0
	is "no note for keys on the command line" "$(seenctl file add f 192.0.2.1 2>&1)" ""
	is "no note for lookups" "$(seenctl file test f - <<<192.0.2.1 2>&1)" 192.0.2.1
	make f type map capacity 100 key src/24/48
	is "two families" "$(adds '192.0.2.1\n2001:db8::1\n')" \
		"0: seenctl: note: 2 addresses without a prefix length are treated as their whole /24 (IPv4) or /48 (IPv6)"
	make f type map capacity 100 key src/48
	is "no note if the key has whole addresses" "$(adds '192.0.2.1\n')" 0
	is "a note for the other family" "$(adds '2001:db8::1\n192.0.2.1\n')" \
		"0: seenctl: note: 1 address without a prefix length is treated as its whole /48 (IPv6)"
	make f type map capacity 100 key 'src/*'
	is "no note if the key has prefixes of any length" "$(adds '192.0.2.1\n')" 0
	make f type map capacity 100 key dport,dst/16
	is "a note for a key with another field" "$(adds '53,192.0.2.1\n53,192.0.0.0/16\n')" \
		"0: seenctl: note: 1 address without a prefix length is treated as its whole /16"
}

# The length of an IPv4-mapped address counts the 128 bits of IPv6; IPv4 has the last 32.
mapped() {
	local type

	make f type map capacity 1000 key src
	is "IPv4-mapped: a prefix adds its addresses" \
		"$(totals '::ffff:192.0.2.4/126 # a\n::FFFF:c000:208 name\n') $(has 192.0.2.3 192.0.2.4 192.0.2.7 192.0.2.8)" \
		"5 0 0 192.0.2.4 192.0.2.7 192.0.2.8"
	make f type map capacity 1000 key src/24
	is "IPv4-mapped: in a key with /24, the prefixes in it" \
		"$(totals '::ffff:192.0.2.0/119\n::ffff:198.51.100.0/120\n') $(has 192.0.2.1 192.0.3.1 192.0.4.1 198.51.100.9)" \
		"3 0 0 192.0.2.1 192.0.3.1 198.51.100.9"
	make f type map capacity 1000 key 'src/*'
	is "IPv4-mapped: in a key with any length, the prefix itself" \
		"$(totals '::ffff:10.2.0.0/112\n') $(has 10.1.255.255 10.2.0.0 10.2.255.255 10.3.0.0)" \
		"1 0 0 10.2.0.0 10.2.255.255"
	is "the prefix of IPv4 is the same key" "$(totals '10.2.0.0/16\n')" "0 1 0"
	is "a range, too" "$(totals '::ffff:192.0.2.8-::ffff:192.0.2.11\n') $(has 192.0.2.11 192.0.2.12)" \
		"1 0 0 192.0.2.11"
	is "CSV, too" "$(totals 'x,::ffff:10.9.0.0/112\n' --csv 2) $(has 10.9.1.1 10.10.1.1)" \
		"1 0 0 10.9.1.1"
	for type in src src/24 'src/*'; do
		make f type map capacity 1000 key "$type"
		is "key $type: a length of IPv4 is refused" "$(adds '::ffff:10.2.0.0/16\n')" \
			"2: seenctl: file add: line 1: src: prefix length of an IPv4-mapped address must be 96 or more: ::ffff:10.2.0.0/16"
	done
	make f type map capacity 1000 key src/8
	is "IPv4-mapped: a length of 96 is all of IPv4" "$(totals '::ffff:0:0/96\n')" "256 0 0"
	make f type map capacity 1000 key src/24/96
	match "no prefix goes from IPv6 to IPv4" "$(adds '::fffe:0:0/95\n')" "^2: "
	rm f
	refuse "no range of a bitmap goes from IPv6 to IPv4" \
		2 "must be FIRST-LAST" make f type bitmap \
		key src range ::ffff:10.2.0.0/16
	check "the range of a bitmap may be IPv4-mapped" \
		make f type bitmap key src range ::ffff:10.2.0.0/112
	is "such a bitmap has the addresses of IPv4" \
		"$(totals '10.2.0.0\n10.2.255.255\n10.3.0.0\n')" "2 0 1"
}

# Bad lines of a list are reported; the other lines are added.
bad_lines() {
	make f type bloom capacity 1000
	is "bad lines are reported with number and text, and skipped" \
		"$(adds '192.0.2.1\n95.32.221.040\n192.0.2.2\n102.204..15\n192.0.2.3\n')" \
		"2: seenctl: file add: line 2: src: not an IPv4 or IPv6 address: 95.32.221.040
seenctl: file add: line 4: src: not an IPv4 or IPv6 address: 102.204..15"
	is "the other lines are added" "$(has 192.0.2.1 192.0.2.2 192.0.2.3)" \
		"192.0.2.1 192.0.2.2 192.0.2.3"
	is "the totals in JSON" "$(totals '192.0.2.1\nx\n192.0.2.4\ny\n')" "1 1 2"
	match "the totals as text" "$(printf '192.0.2.5\nx\n' |
		seenctl -s file add f - 2>/dev/null)" "^keys 1 new 1 skipped 1$"
	is "on a terminal a load ends with one line of totals" "$(script -qec \
		'printf "192.0.2.5\n192.0.2.7\ny\n" | seenctl file add f -' /dev/null |
		tail -n1 | tr -d '\r')" "added 1, already there 1, skipped 1"
	is "a comma after an address does not end the line" "$(adds '192.0.2.1,\n')" \
		"2: seenctl: file add: line 1: key: must have 1 field (src): 192.0.2.1,"
	is "escape sequences are not printed to the terminal" "$(adds '\x1b[2Jx\n')" \
		"2: seenctl: file add: line 1: src: not an IPv4 or IPv6 address: ?[2Jx"
	is "a NUL, a long line, and the lines after them" "$(adds \
		"1\\0\\n$(printf '%0300000d' 0)\\n192.0.2.6\\n")" \
		"2: seenctl: file add: line 1: the line contains a NUL byte
seenctl: file add: line 2: the line has more than 262144 bytes"
	is "is added" "$(has 192.0.2.6)" 192.0.2.6
	is "UTF-16 is reported once" "$(adds '\xff\xfe1\x00\n\x002\x00\n\x00')" \
		"2: seenctl: file add: line 1: the text is UTF-16; convert it: iconv -f UTF-16 -t UTF-8"
	make f type bitmap key src range 192.0.2.0/24
	is "keys outside a bitmap's range are reported" \
		"$(adds '192.0.2.255-192.0.3.0\n192.0.3.1\n192.0.2.1\n')" \
		"2: seenctl: file add: line 1: 192.0.2.255-192.0.3.0: keys must be in the bitmap's range
seenctl: file add: line 2: 192.0.3.1: keys must be in the bitmap's range"
	is "such a range is not added in part" "$(has 192.0.2.255 192.0.2.1)" 192.0.2.1
	make f type bloom capacity 10 layout classic
	refuse "a full filter ends the list" 3 "the filter is full" \
		seenctl file add f 0.0.0.0/24
	match "a list that ends early: the number of lines that were not tried" \
		"$(seq -f '0.0.%.0f.0/24' 1 8 | seenctl file add f - 2>&1)" \
		"^seenctl: file add: line [1-8]: 0.0.[0-9.]*: the filter is full; [0-7] more lines? (was|were) not processed$"
	is "the number of such lines is right" "$(seq -f '0.0.%.0f.0/24' 1 8 |
		seenctl file add f - 2>&1 | awk '{ print $5 + $11 }')" 8
	is "a last line without an end is counted, too" "$(printf '0.0.0.0/24\n\n\n0.0.0.1' |
		seenctl file add f - 2>&1 | grep -o '; .*')" "; 3 more lines were not processed"
	is "if the writer goes on: at least the lines that have arrived" "$( (
		seq -f '0.0.%.0f.0/24' 1 8; sleep 2) | seenctl file add f - 2>&1 |
		grep -o 'at least .* not processed')" "at least 7 more lines were not processed"
	match "the totals are printed although the load has failed" \
		"$(seenctl -s file add f - <<<0.0.0.0/16 2>/dev/null)" "^keys [0-9]+.* seen [0-9]+$"
}

strictly() {
	make f type bloom capacity 1000
	is "--strict adds nothing if a line is bad" \
		"$(adds '192.0.2.1\nx\n192.0.2.2\n' --strict)" \
		"2: seenctl: file add: line 2: src: not an IPv4 or IPv6 address: x
seenctl: file add: 1 bad lines: nothing was done"
	is "nothing" "$(has 192.0.2.1 192.0.2.2)" ""
	is "--strict adds all lines if no line is bad" "$(adds '192.0.2.1\n192.0.2.2\n' --strict)" 0
	is "all" "$(has 192.0.2.1 192.0.2.2)" "192.0.2.1 192.0.2.2"
	refuse "--strict requires a list" 2 "require a list" \
		seenctl file add f --strict 192.0.2.1
}

# deletes TYPE WORD...: adds an address twice, deletes it once, and prints it if it is still seen.
deletes() {
	make f capacity 100 type "$@"
	seenctl file add f 192.0.2.1 192.0.2.1
	seenctl file add f 192.0.2.1
	seenctl file del f 192.0.2.1
	has 192.0.2.1
}

# With 32 bits, two of so few keys do not share a fingerprint in a cuckoo filter.
once() {
	is "cuckoo: an existing key is not stored again" "$(deletes cuckoo bits 32)" ""
	is "map: an existing key is not stored again" "$(deletes map)" ""
	is "bitmap: an existing key is not stored again" "$(make f key src range 192.0.2.0/24
		seenctl -s file add f 192.0.2.1 192.0.2.1)" "keys 2 new 1 seen 1"
	is "counting counts each add" "$(deletes counting)" 192.0.2.1
	make f type cuckoo bits 32 capacity 100
	seenctl file add f --copies 192.0.2.1 192.0.2.1
	check "--copies stores another copy" seenctl file del f 192.0.2.1
	is "after a deletion one copy is left" "$(has 192.0.2.1)" 192.0.2.1
	make f type map capacity 100 key dport
	seenctl file add f 80 value 7
	seenctl file add f 80 443
	is "a map keeps the value of a key that is added without one" \
		"$(seenctl -j file add f 80 value 7 | jq -r .seen)" 1
}

csv() {
	hosts
	printf '%s\r\n' '# A list, with "quotes"' \
		'"first_seen","dst_ip","dst_port","note"' \
		'"2026-05-20 10:00:00","192.0.2.1","443","a ""b"", c"' \
		'2026-05-20, 192.0.2.2 ,80,' \
		'"2026-05-20", "192.0.2.3", "8080", "x"' '# END' >rows
	is "CSV: a column by its name" "$(seenctl -j file add f --csv DST_IP - <rows |
		jq -r '"\(.new) \(.skipped)"') $(has 192.0.2.1 192.0.2.2 192.0.2.3)" \
		"3 0 192.0.2.1 192.0.2.2 192.0.2.3"
	is "CSV: a column by its number, after the header row" \
		"$(totals "$(cat rows)" --csv 2)" "0 3 0"
	is "CSV: the header row in a comment" "$(totals \
		'# made today, by hand\n# seen,address\n1,192.0.2.9\n' --csv address)" "1 0 0"
	is "without one" "$(totals '192.0.2.10,a\n192.0.2.11,b\n' --csv 1)" "2 0 0"
	is "CSV: a bad first row is no header" "$(adds '192.0.2.300,a\n192.0.2.11,b\n' --csv 1)" \
		"2: seenctl: file add: line 1: src: not an IPv4 or IPv6 address: 192.0.2.300"
	is "CSV: a name that the header row lacks" \
		"$(adds 'seen,address\n1,192.0.2.12\n' --csv dst)" \
		"2: seenctl: file add: line 1: seen,address: the first row does not name the column that --csv asks for"
	is "CSV: bad rows" "$(adds '1,"192.0.2.13\n1\n1,"192.0.2.13"x\n1,192.0.2.14\n' \
		--csv 2 | sed 's/.*line/line/') $(has 192.0.2.13 192.0.2.14)" \
		'line 1: 1,"192.0.2.13: a quote is not closed, or text follows it
line 2: 1: the column is missing or empty
line 3: 1,"192.0.2.13"x: a quote is not closed, or text follows it 192.0.2.14'
	refuse "no columns" 2 "must be 1 to 16 columns" seenctl file add f --csv , - <rows
	seenctl file add f --csv dst_ip,dst_port - <rows
	is "two columns: a value" "$(has 192.0.2.1)" 192.0.2.1
	make f type bloom capacity 100 key dst,dport
	is "CSV: a key of two fields" "$(adds "$(sed 's/%/%%/g' rows)" \
		--csv dst_ip,dst_port) $(has 192.0.2.1,443 192.0.2.1,80)" \
		"0 192.0.2.1,443"
	make f type bloom capacity 100 key bytes
	is "CSV: text with commas and quotes" \
		"$(adds '#\nnote\n"a ""b"", c"\n' --csv note) $(has 'a "b", c')" \
		'0 a "b", c'
	hosts
	is "CSV: by name with --strict, the header row is read twice" \
		"$(totals "$(cat rows)" --strict --csv dst_ip)" "3 0 0"
	is "CSV: test reads it, too" "$(seenctl file test f --csv dst_ip - <rows | wc -l)" 3
}

allow_lists() {
	make f type bloom capacity 100
	seenctl file add f 192.0.2.0/29
	printf '192.0.2.1 # mine\n192.0.2.2-192.0.2.3\n' >friends
	is "an allow list has the same syntax" "$(seenctl file test f --allow-list friends - \
		<<<192.0.2.0/29 | wc -l)" 5
	echo x >>friends
	refuse "an allow list must not have bad lines" 2 "friends: a line is bad" \
		seenctl file test f --allow-list friends 192.0.2.1
}

plan 96
comments
texts
drop_list
names
ranges
bare
mapped
bad_lines
strictly
once
csv
allow_lists

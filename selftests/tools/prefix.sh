#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Files with prefixes of any length.

# shellcheck disable=SC2016 # "check" expands what it runs by eval

. "$(dirname "$0")/../lib.sh"
here=$(cd "$(dirname "$0")" && pwd)
PATH=${TOOLS:-$here/../../build/tools}:$PATH
cd "$lib_dir" || exit

plan 63

# found FILE KEY...: prints the keys that are seen.
found() {
	printf '%s\n' "${@:2}" | seenctl file test "$1" - | xargs
}

for type in bloom cuckoo counting map; do
	rate=0.001
	[ $type != counting ] || rate=0.2
	[ $type != map ] || rate=
	check "$type: prefixes" seenctl file create $type.seen type $type capacity 100 \
		key 'src/*' ${rate:+fpp "$rate"}
	seenctl file add $type.seen - <<-END
		10.0.0.0/8 ; SBL1
		192.0.2.128/25
		2001:db8::/32
		198.51.100.7
		END
	is "$type: addresses in the prefixes are seen" \
		"$(found $type.seen 10.1.2.3 11.1.2.3 192.0.2.129 \
		192.0.2.127 2001:db8:1::2 2001:db9::2 198.51.100.7 198.51.100.8)" \
		"10.1.2.3 192.0.2.129 2001:db8:1::2 198.51.100.7"
	is "$type: longer prefixes in them are seen, too" \
		"$(found $type.seen 10.0.0.0/9 10.0.0.0/8 10.0.0.0/7)" "10.0.0.0/9 10.0.0.0/8"
	is "$type: the lengths of its prefixes" \
		"$(seenctl -j file show $type.seen | jq -c '.[0].lengths')" \
		'["8","25","32","6/32"]'
done
refuse "a prefix that does not exist is not deleted" 1 "" seenctl file del map.seen 10.0.0.0/9
is "its length is not added" "$(seenctl -j file show map.seen | jq -c '.[0].lengths')" \
	'["8","25","32","6/32"]'
refuse "a bitmap is refused" 2 "type: prefixes of any length need type bloom" \
	seenctl file create x.seen type bitmap key 'src/*' range 10.0.0.0/8
refuse "a sketch is refused" 2 "type: prefixes of any length need type bloom" \
	seenctl file create x.seen type cms capacity 10 key 'src/*'
for rate in "" "fpp 0.01" "fpp 0.1"; do
	# shellcheck disable=SC2086 # a parameter and its value
	refuse "type counting with ${rate:-the default rate} is refused" 2 \
		"use at least 0.2, or type cuckoo" \
		seenctl file create x.seen type counting capacity 10 $rate key 'src/*'
done
refuse "refused in the kernel, too" 2 "use at least 0.2" \
	seenctl filter add x type counting capacity 10 key 'src/*'
refuse "two prefixes of any length in a key are refused" 2 "src/* and dst/* exclude each other" \
	seenctl file create x.seen capacity 10 key 'src/*,dst/*'
refuse "a length of 0 is refused" 2 "prefix length must be 1 to 32" \
	seenctl file add cuckoo.seen 0.0.0.0/0
seenctl file create wide.seen capacity 1000 key 'dst/*,dport'
for ((i = 1; i <= 64; i++)); do
	echo "2001:db8:7:7:7:7:7:7/$i,53"
done | seenctl file add wide.seen -
refuse "a 65th length is refused" \
	3 "the filter already has prefixes of 64 lengths" seenctl file add wide.seen 10.0.0.0/8,53
is "a key with another field" "$(found wide.seen 2001:db8:7:7:7:7:7:7,53 \
	2001:db8:7:7:7:7:7:7,54 10.0.0.1,53)" "2001:db8:7:7:7:7:7:7,53"

check "a range of addresses adds the prefixes that cover it" eval '
	seenctl file create range.seen type map capacity 100 key "src/*" &&
	seenctl file add range.seen 192.0.2.4-192.0.3.4 2001:db8::-2001:db8::ff'
is "the prefixes have these lengths" \
	"$(seenctl -j file show range.seen | jq -c '.[0] | [.lengths, .entries]')" \
	'[["25","26","27","28","29","30","32","6/120"],9]'
is "exactly the addresses of the range are seen" \
	"$(found range.seen 192.0.2.3 192.0.2.4 192.0.2.255 192.0.3.4 192.0.3.5 \
	2001:db8::ff 2001:db8::100)" "192.0.2.4 192.0.2.255 192.0.3.4 2001:db8::ff"
check "a range of all of IPv4" \
	eval 'seenctl file create all.seen type map capacity 100 key "src/*" &&
	seenctl file add all.seen 0.0.0.0-255.255.255.255 &&
	[ "$(seenctl -j file show all.seen | jq -c ".[0].lengths")" = "[\"1\"]" ]'

# The promised rate is that of a whole lookup, however many lengths there are.
seenctl file create rate.seen type cuckoo capacity 5000 fpp 0.01 key 'src/*'
python3 - <<'END' >prefixes
import random
random.seed(7)
for number in range(5000):
    print("%d.%d.%d.%d/%d" % (random.choice([9, 10]), number >> 8, number & 255,
                              random.randrange(256), 13 + number % 20))
END
seenctl file add rate.seen - <prefixes
python3 -c '
import random
random.seed(8)
for number in range(20000):
    print("%d.%d.%d.%d" % (random.randrange(20, 200), random.randrange(256),
                           random.randrange(256), random.randrange(256)))' >addresses
between "false positives among 20,000 addresses" \
	"$(seenctl file test rate.seen - <addresses | wc -l)" 0 260
python3 - <<'END' >inside
import ipaddress
for line in open("prefixes"):
    print(ipaddress.ip_network(line.strip(), strict=False)[-1])
END
is "no address in a prefix is new" "$(seenctl file test rate.seen -v - <inside | wc -l)" 0

# --- two files -------------------------------------------------------------------------

secret=000102030405060708090a0b0c0d0e0f
for n in 1 2; do
	seenctl file create $n.seen type cuckoo capacity 100 key 'src/*' seed $secret
done
seenctl file add 1.seen 10.0.0.0/8
seenctl file add 2.seen 192.0.2.0/24
check "a merge" seenctl file merge 1.seen 2.seen
is "the merged filter has the lengths of both" \
	"$(found 1.seen 10.9.9.9 192.0.2.9)" "10.9.9.9 192.0.2.9"
check "a map's value is that of the longest prefix" eval '
	seenctl file create values.seen type map capacity 10 key "src/*" &&
	printf "%s\n" "10.0.0.0/8 1" "10.1.0.0/16 2" | seenctl file add values.seen -'
is "the key in JSON" "$(seenctl -j file show values.seen | jq -c '.[0] | [.key, .entries]')" \
	'["src/*",2]'
is "key explain describes the lookups" "$(printf '1 1 x\n' | "$here/helpers/capture.py" |
	seenctl key explain key 'src/*' | tail -n1 | sed 's/ hex [^ ]*//')" \
	"    src       at 26 text 192.0.2.1 (IPv4 as ::ffff:a.b.c.d, looked up with each prefix length)"

# --- more than 64 lengths --------------------------------------------------------------

# all_lengths: prints 64 IPv6 prefixes, each with another length.
all_lengths() {
	local i

	for ((i = 1; i <= 64; i++)); do
		echo "2001:db8:7:7:7:7:7:7/$i"
	done
}

# loads FILE WORD...: adds the list on standard input; prints messages and status.
loads() {
	local said

	said=$(seenctl -s file add "$@" - 2>&1)
	echo "$said status $?"
}

seenctl file create many.seen type map capacity 1000 key 'src/*'
is "a line of a 65th length is skipped, and the load goes on" \
	"$( (all_lengths; echo 10.0.0.0/8; echo 2001:db9::/32; echo 11.0.0.0/8 0) |
		loads many.seen)" \
	"seenctl: file add: line 65: 10.0.0.0/8: the filter already has prefixes of 64 lengths; use one of these lengths
seenctl: file add: line 67: 11.0.0.0/8: the filter already has prefixes of 64 lengths; use one of these lengths
keys 65 new 65 skipped 2 status 2"
is "the other lines are added" "$(found many.seen 2001:db9::1 10.0.0.1 11.0.0.1)" 2001:db9::1
is "nothing of a range with such a length is added" \
	"$(loads many.seen <<<9001::-9001:0:0:0:1::) $(found many.seen 9001::1)" \
	"seenctl: file add: line 1: 9001::-9001:0:0:0:1::: the filter already has prefixes of 64 lengths; use one of these lengths
keys 0 skipped 1 status 2 "
seenctl file create most.seen type map capacity 1000 key 'src/*'
is "no length of such a range is added" "$( (all_lengths | head -n63; echo 9001::-9001:0:0:0:1::
		echo 10.0.0.0/8) | loads most.seen | tail -n1)" "keys 64 new 64 skipped 1 status 2"
check "del accepts any length" eval '! seenctl file del many.seen - <<<10.0.0.0/8 2>said &&
	grep -q "did not exist" said'
seenctl file create strict.seen type map capacity 1000 key 'src/*'
seenctl file add strict.seen 10.0.0.0/8
is "--strict counts the lengths of filter and list" \
	"$(all_lengths | loads strict.seen --strict | head -n2)" \
	"seenctl: file add: line 64: 2001:db8:7:7:7:7:7:7/64: the filter already has prefixes of 64 lengths; use one of these lengths
seenctl: file add: 1 bad lines: nothing was done status 2"
is "--strict adds nothing then" "$(seenctl -j file show strict.seen | jq .[0].entries)" 1
all_lengths >friends
echo 10.0.0.0/8 >>friends
refuse "an allow list is limited to 64 lengths, too" \
	2 "line 65: 10.0.0.0/8: the filter already has prefixes of 64" \
	seenctl file test strict.seen --allow-list friends 10.1.2.3

# --- allow lists -----------------------------------------------------------------------

cat >allowed <<-END
	10.1.0.0/16 # a customer
	2001:db8:1::/48
	192.0.2.200
	END
seenctl file create allowed.seen type map capacity 10 key 'src/*'
seenctl file add allowed.seen - <allowed
for option in "--allow allowed.seen" "--allow-list allowed"; do
	for key in 10.1.2.3 10.1.128.0/17 10.1.0.0/16 2001:db8:1:2::3 192.0.2.200; do
		# shellcheck disable=SC2086 # an option and its value
		refuse "$option: $key is allowed" 1 "" \
			seenctl file test cuckoo.seen $option $key
	done
	# shellcheck disable=SC2086
	check "$option: other addresses and shorter prefixes are not allowed" \
		seenctl file test cuckoo.seen $option 10.2.3.4 10.0.0.0/15 192.0.2.201
done
is "JSON has the answer \"allowed\"" \
	"$(seenctl -j file test cuckoo.seen --allow-list allowed 10.1.2.3 |
	jq -r '.[0].answer')" allowed
seenctl file create two.seen capacity 10 key 'dport,dst/*'
seenctl file add two.seen 53,10.0.0.0/8
echo 53,10.1.0.0/16 >two
refuse "an allow list for a key with another field" \
	1 "" seenctl file test two.seen --allow-list two 53,10.1.2.3
check "allowed only with the same value of the other field" \
	seenctl file test two.seen --allow-list two 53,10.2.2.3

is "bloom filters have prefixes of any length, too" \
	"$(seenctl -j file show bloom.seen | jq -r '.[0].type')" bloom

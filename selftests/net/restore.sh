#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# restore --keep-going runs all lines that can be run, and names what each other line loses.

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/helpers/lib.sh"

ctl() {
	at "$a" seenctl "$@"
}

# lost: restores from standard input; prints the errors.
lost() {
	cat >"$lib_dir/lines"
	ctl restore --keep-going "$@" "$lib_dir/lines" 2>&1 >/dev/null | sed "s,$lib_dir/,,g"
}

prefixes() {
	local length

	for length in $(seq "$1" "$2"); do
		echo "${3-}2001:db8::/$length"
	done
}

plan 17
ns a
ip -n "$a" link add br0 up type bridge

is "a file without errors loses nothing" "$(lost <<<"filter add nets capacity 100 key 'src/*'")" ""
is "lines that fail, and a request that is refused in the middle" \
	"$({
		echo "allow add nets 10.0.0.0/8"
		echo "allow add nets 300.1.1.1"
		prefixes 61 126 "allow add nets "
		echo "allow add nothing 192.0.2.1"
		echo "allow add nothing 192.0.2.2"
		echo "guard resume dev eth7 hook ingress"
		echo "filter add after capacity 100"
	} | lost --replace)" \
	"$(printf 'seenctl: lines:%s\n' \
		"2: keys on the allow list of filter \"nets\" are lost: src: not an IPv4 or IPv6 address: 300.1.1.1" \
		"66: 3 keys on the allow list of filter \"nets\" are lost: 2001:db8::/124: the allow list already has prefixes of 64 lengths; use one of these lengths" \
		'69: filter "nothing" is lost: no line of the file has added it' \
		"71: guard dev eth7 hook ingress stays paused: guard dev eth7 does not exist")"
is "the other lines are run" "$(ctl filter show after | grep -c after)" 1

# A list skips prefixes of too many lengths; the keys after them are added.
printf '%s\n' "filter add more capacity 100 key 'src/*'" "allow add more -" >"$lib_dir/lines"
{
	prefixes 61 126
	echo 2001:db8:1::/61
} | ctl restore --replace --keep-going "$lib_dir/lines" >"$lib_dir/said" 2>&1
is "a list with too many lengths: each skipped prefix has a line" \
	"$(grep -c 'prefixes of 64 lengths' "$lib_dir/said")" 2
is "the prefix after them is added" "$(ctl allow show more | grep -c 2001:db8:1::/61)" 1

is "keys of a filter that does not exist" "$(lost <<<'key add gone 192.0.2.1 192.0.2.2')" \
	'seenctl: lines:1: filter "gone" is lost: no line of the file has added it'
match "keys that do not fit" "$({
		echo "filter add small type map capacity 1 key host"
		printf 'key add small 192.0.2.%s\n' {1..99}
	} | lost)" '^seenctl: lines:[0-9]+: [0-9]+ keys of filter "small" are lost: [^
]+$'
is "a line that is no command" "$(lost <<<'filter frob x')" "seenctl: lines:1: the line is lost: \
unknown command \"frob\" (add, show, set, del, flush, reset, rename, swap, export, import, merge, fold, diff)"
is "a last line without an end is not run" "$(printf 'filter add half capacity 1000' | lost)" \
	"seenctl: lines:1: the line is lost: the file ends within the line"
is "without --keep-going it is run" \
	"$(printf 'filter add half capacity 1000' | ctl restore >/dev/null 2>&1
		ctl filter show half | grep -c half)" 1
refuse "the exit status" 1 'seenctl: -:1: filter "odd" is lost' ctl restore --keep-going - \
	<<<'filter add odd type nonsense capacity 7'
is "without --keep-going, the first error ends the restore" \
	"$(printf 'filter add half capacity 7\nfilter add never capacity 7\n' |
		ctl restore >/dev/null 2>&1; ctl filter show never 2>&1 | grep -c 'does not exist')" 1
refuse "--fallback requires --keep-going" 2 "--fallback: requires --keep-going" \
	ctl restore --fallback "$lib_dir" "$lib_dir/lines"

# --- objects that were changed since the save ------------------------------------------

ctl -b - <<-'END' >"$lib_dir/none" 2>&1
	filter add changed type bloom capacity 1000
	key add changed 192.0.2.1
	guard add bridge br0 profile loop storm 200
	END
is "objects that exist with other parameters have a note" \
	"$(lost <<-'END'
		filter add changed type bloom capacity 2000
		allow add changed 192.0.2.9
		guard add bridge br0 profile loop storm 50 paused
		guard resume bridge br0 hook ingress
		END
	)" \
	"$(printf 'seenctl: note: %s: it stays\n' 'filter "changed" exists with another capacity' \
		'guard bridge br0 hook ingress exists with another storm')"
check "they are no loss" ctl restore --keep-going "$lib_dir/lines"
is "they stay as they are" "$(ctl -j filter show changed | jq -c '.[0] | [.capacity, .entries]') $(
	ctl allow show changed) $(ctl -j guard show bridge br0 | jq -c '.[0] | [.storm, .paused]')" \
	"[1000,1]  [200,false]"
refuse "without --keep-going they are an error" 1 \
	"-:1: guard bridge br0 hook ingress exists with another storm" ctl restore - \
	<<<'guard add bridge br0 profile loop storm 50'

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The output of seenctl -json without a kernel follows the schema, and equals the files in
# golden/json. UPDATE=1 rewrites these files. selftests/net/json.sh does the same with a kernel.

. "$(dirname "$0")/../lib.sh"
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
PATH=${TOOLS:-$top/build/tools}:$PATH
schema=$top/Documentation/json/seenctl.json
cd "$lib_dir" || exit

# steady: replaces values that differ between runs and machines by 0.
steady() {
	jq -S 'walk(if type == "object" then
		with_entries(if .key | IN("duration", "lines_per_second")
			then .value = 0 else . end) else . end)' "$1"
}

# answer NAME PART COMMAND...: the document follows PART of the schema, and equals the golden file.
# (dedup prints it to standard error.)
answer() {
	local name=$1 part=$2

	shift 2
	"$@" >out 2>err
	grep -q '^[[{]' out || grep '^[[{]' err >out
	is "$name follows the schema" \
		"$("$here/../net/helpers/answer.py" fits "$schema" "$part" <out)" good
	steady out >"$name.json"
	[ -z "${UPDATE:-}" ] || cp "$name.json" "$here/golden/json/"
	check "$name equals the golden file" diff "$here/golden/json/$name.json" "$name.json"
}

# Writes three raw packets: IPv4, something else, and the first one again.
packets() {
	local packet='\0\0\0\0\0\0\0\0\x14\0\0\0\x14\0\0\0\x45\0\0\x14\0\1\0\0\x40\1\0\0\x0a\0\0\1\x0a\0\0\2'

	printf '\xd4\xc3\xb2\xa1\2\0\4\0\0\0\0\0\0\0\0\0\xff\xff\0\0\x65\0\0\0%b%b%b' "$packet" \
		'\0\0\0\0\0\0\0\0\4\0\0\0\4\0\0\0\x99\x99\x99\x99' "$packet"
}

plan 43
seed=000102030405060708090a0b0c0d0e0f
packets >frames
seenctl file create cuckoo type cuckoo capacity 100 bits 16 key host seed $seed
seenctl file create map type map capacity 100 key src seed $seed
seenctl file create other type map capacity 100 key src seed $seed
seenctl file create bloom type bloom capacity 1000 key src/24 seed $seed
seenctl file create bitmap key dport range 0-99 seed $seed
seenctl file create cms type cms capacity 100 top 3 threshold 2 conservative key src seed $seed

answer add key_totals seenctl -j file add map 10.0.0.1 value 7 10.0.0.2
answer del key_totals seenctl -j file del map 10.0.0.2
answer test key_answers seenctl -j file test map 10.0.0.1 10.0.0.9
for type in cuckoo map bloom bitmap cms; do
	answer "show-$type" filters seenctl -j file show $type
done
answer merge filters seenctl -j file merge map other
answer fold filters seenctl -j file fold bloom
answer refused nothing seenctl -j file add nowhere 10.0.0.1
answer plan plan seenctl -j plan capacity 1M fpp 1%
answer plan-window plan seenctl -j plan capacity 64k window 500ms fpp 1e-6
answer plan-sketch plan seenctl -j plan type cms capacity 1k fpp 1% top 100
answer plan-map plan seenctl -j plan type map capacity 10k key src
answer explain explained_list seenctl -j key explain key flow <frames
answer pcap pcap seenctl -j pcap frames copy.pcap --key src
answer pcap-list pcap seenctl -j pcap frames --dry-run --key src
printf '%s\n' a b a c >list
answer dedup dedup seenctl -j dedup --capacity 10 list
answer dedup-exact dedup seenctl -j dedup --exact --capacity 10 list
echo 'plan capacity 10' >lines
answer batch batch seenctl -j -b lines
is "golden/json has no other file" "$(cd "$here/golden/json" && echo ./*)" "$(echo ./*.json)"

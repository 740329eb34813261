#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# 32-bit tools on a 64-bit kernel, built by build32.sh. They replace the 64-bit tools in this
# guest, also for the tests that follow. Both must work and print the same.
#
#	$a eth0 --- eth0 $b

. "$(dirname "$0")/../lib.sh"

narrow=$(cd "$(dirname "$0")/.." && pwd)/bits32
wide=$lib_dir/wide
[ -d /usr/lib/seen-vm ] || skip_all "it changes the machine"
[ -x "$narrow/sbin/seenctl" ] || skip_all "build32.sh has not built the tools"

# replace: makes links to the 32-bit tools, and moves the 64-bit ones to $wide.
replace() {
	local tool

	mkdir "$wide"
	ln -sfn "$narrow/lib" /usr/lib/i386-linux-gnu
	ln -sf i386-linux-gnu/ld-linux.so.2 /usr/lib/ld-linux.so.2
	for tool in "$narrow"/sbin/*; do
		cp "/usr/sbin/${tool##*/}" "$wide/" || return
		ln -sf "$tool" /usr/sbin/
	done
	for tool in iptables-{nft,legacy}{,-save}; do
		ln -s "$(readlink "/usr/sbin/$tool")" "$wide/$tool"
	done
}

# The fifth byte of an ELF file: 1 for 32 bits, 2 for 64.
class() {
	od -An -tu1 -j4 -N1 "$(type -P "$1")" | tr -d ' '
}

# both NAMESPACE ARG...: prints the output of both seenctl; fails unless it is the same.
both() {
	local one other

	one=$(at "$1" seenctl "${@:2}") && other=$(at "$1" "$wide/seenctl" "${@:2}") ||
		return
	[ "$one" = "$other" ] || { diff <(echo "$one") <(echo "$other") >&2; return 1; }
	printf '%s\n' "$one"
}

# both_show NAME: compares the filter without its rate. A rate far below the promised one
# consists of rounding errors, which differ between the two floating-point units.
both_show() {
	local tool

	for tool in seenctl "$wide/seenctl"; do
		at "$a" "$tool" -j -s filter show "$1" | jq -c '.[] | del(.rate)'
	done | uniq | { mapfile -t told; [ ${#told[@]} = 1 ] && [ -n "${told[0]}" ]; }
}

# Each type: a name, and the parameters with which a filter of this name is added.
types=(
	"blocked type bloom capacity 5000 key bytes fpp 1e-4"
	"classic type bloom capacity 5000 key bytes layout classic fpp 1e-4"
	"bloomwindow type bloom capacity 5000 key bytes window 1h fpp 0.01"
	"cuckoo type cuckoo capacity 5000 key bytes fpp 1e-5"
	"cuckoo-window type cuckoo capacity 5000 key bytes window 1h fpp 1e-7"
	"counting type counting capacity 5000 key bytes fpp 0.01"
	"bitmap type bitmap key id range 0-9999999"
	"wide type bitmap key src range 2001:db8::1:0/112"
	"map type map capacity 5000 key bytes"
	"cms type cms capacity 5000 key bytes fpp 0.01 top 5"
	"cmm type cmm capacity 5000 key bytes fpp 0.01 top 5"
)

# keys NAME: some keys that the filter can store.
keys() {
	case $1 in
	wide)	printf '2001:db8::1:%x\n' {1..50} ;;
	*)	seq 1000 1049 ;;
	esac
}

# crossed NAME FROM TO: the tool FROM exports a snapshot, the tool TO imports it, and both tools
# find all keys in the copy.
crossed() {
	local file=$lib_dir/$1.snapshot

	at "$a" "$2" filter export "$1" - --with-secret >"$file" &&
		at "$a" "$3" filter import copy - <"$file" &&
		keys "$1" | at "$a" "$2" key test copy - >/dev/null &&
		keys "$1" | at "$a" "$3" key test copy - >/dev/null &&
		at "$a" "$3" filter del copy
}

# datagrams COUNT: $a sends datagrams to COUNT different ports of $b.
datagrams() {
	at "$a" python3 -c 'import socket, sys
to = socket.socket(type=socket.SOCK_DGRAM)
for n in range(int(sys.argv[1])):
	to.sendto(b"x", ("192.0.2.2", 1000 + n))' "$1"
}

matched() {
	at "$b" "$1" -vS INPUT | sed -n 's/^-A .* -c \([0-9]*\) .*/\1/p' | xargs
}

# come TOOL COUNT: the last rule has counted COUNT datagrams.
come() {
	[[ $(matched "$1") = *" $2" ]]
}

rule=(-I INPUT -p udp -m seen --filter ports --add --count-over 1 --missing match)
all=(-A INPUT -p udp -d 192.0.2.2)

# rules TOOL: both tools list the rule in the same way, unless the kernel has no tables for
# 32-bit tools. Of three datagrams the rule matches the two whose port is in the filter.
rules() {
	local tool=$1 other

	if ! at "$b" "$tool" "${all[@]}"; then
		skip "$tool: the same rules" "no tables for 32 bits"
		skip "$tool: a rule matches" "no tables for 32 bits"
		return
	fi
	at "$b" "$tool" "${rule[@]}"
	other=$(at "$b" "$wide/$tool" -S)
	is "$tool: the same rules" "$(at "$b" "$tool" -S)" "$other"
	at "$b" seenctl filter flush ports
	at "$b" seenctl key add ports 1000 1002
	datagrams 3
	await 10 come "$tool" 3
	is "$tool: a rule matches" "$(matched "$tool")" "2 3"
	at "$b" "$tool" -F INPUT
}

plan $((5 * ${#types[@]} + 14))
check "the tools are replaced" replace
is "seenctl is a 32-bit program" "$(class seenctl)" 1
is "iptables-nft is a 32-bit program" "$(class iptables-nft)" 1
is "the replaced seenctl was a 64-bit program" "$(class "$wide/seenctl")" 2

ns a b c
veth "$a" eth0 "$b" eth0
addr "$a" eth0 192.0.2.1/24
addr "$b" eth0 192.0.2.2/24
link_up "$a" eth0
link_up "$b" eth0

for type in "${types[@]}"; do
	name=${type%% *}
	# shellcheck disable=SC2086 # one word an argument
	check "$name: added" at "$a" seenctl filter add $type
	keys "$name" | at "$a" seenctl key add "$name" - >/dev/null
	mapfile -t list < <(keys "$name")
	check "$name: its keys are seen" both "$a" key test "$name" "${list[@]}"
	check "$name: both tools print the same" both_show "$name"
	check "$name: exported, and imported by the 64-bit tool" \
		crossed "$name" seenctl "$wide/seenctl"
	check "$name: exported by the 64-bit tool, and imported" \
		crossed "$name" "$wide/seenctl" seenctl
done
check "the heaviest keys" both "$a" top cms

check "a guard" at "$a" seenctl guard add dev eth0 profile relay action mark 7
check "both tools print the guard the same" both "$a" -j guard show
first=$(both "$a" save --with-secret)
match "both tools save the same" "$first" 'guard add dev eth0'
check "the saved state is restored" at "$c" seenctl restore <<<"$first"
is "the restored state is the same" "$(both "$c" save --with-secret)" "$first"

at "$b" seenctl filter add ports type counting capacity 1000 fpp 0.01 key dport
for tool in iptables-nft iptables-legacy; do
	rules $tool
done

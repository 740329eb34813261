#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Traffic is mirrored on both sides of a router, so the sensor gets each packet twice. Behind a
# guard the analyser gets it once. Then the test compares the guard with editcap, on real
# captures. The page is Documentation/scenarios/mirror.md.
#
#	client --- lan router wan.7 === server
#	             :     :     :
#	             :    tap    :		mirrors of lan and wan
#	                   |
#	                  eth0 sensor out --- eth0 analyser

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../net/helpers/page.sh"

here=$(cd "$(dirname "$0")" && pwd)
copies=$here/../net/helpers/copies.py
: "${CAPTURES:=$here/../captures}"
plan 36
client='' router='' server='' sensor='' analyser=''
ns client router server sensor analyser
veth "$client" eth0 "$router" lan
veth "$router" wan "$server" eth0
veth "$router" tap "$sensor" eth0
veth "$sensor" out "$analyser" eth0
ip -n "$router" link add link wan name wan.7 up type vlan id 7
ip -n "$server" link add link eth0 name eth0.7 up type vlan id 7
addr "$client" eth0 192.0.2.1/24 2001:db8:1::1/64
addr "$router" lan 192.0.2.254/24 2001:db8:1::fe/64 fe80::fe/64
addr "$router" wan.7 198.51.100.254/24 2001:db8:2::fe/64 fe80::fe/64
addr "$server" eth0.7 198.51.100.1/24 2001:db8:2::1/64
ip -n "$client" route add default via 192.0.2.254
ip -n "$client" route add default via 2001:db8:1::fe
ip -n "$server" route add default via 198.51.100.254
ip -n "$server" route add default via 2001:db8:2::fe
at "$router" sh -c 'echo 1 >/proc/sys/net/ipv4/ip_forward
	echo 1 >/proc/sys/net/ipv6/conf/all/forwarding'
# No segmentation offload: frames must have the size that they have on a wire.
for name in client server; do
	at "${!name}" ethtool -K eth0 tso off gso off gro off >/dev/null
done
for name in sensor analyser; do
	ip -n "${!name}" link set eth0 mtu 9500
done
ip -n "$router" link set tap mtu 9500
ip -n "$sensor" link set out mtu 9500

# --- traffic -------------------------------------------------------------------

at "$server" socat TCP6-LISTEN:80,ipv6-v6only=0,reuseaddr,fork SYSTEM:sha1sum &
lib_pids+=($!)
await 20 at "$client" socat -u OPEN:/dev/null TCP:198.51.100.1:80
await 20 at "$client" socat -u OPEN:/dev/null 'TCP:[2001:db8:2::1]:80'
head -c 100000 /dev/urandom >"$lib_dir/file"
sum=$(sha1sum <"$lib_dir/file")

# traffic ADDRESS: pings, fragments, datagrams, and a transfer in each direction.
traffic() {
	local tcp=$1

	[[ $1 != *:* ]] || tcp="[$1]"
	at "$client" ping -qc 10 -i 0.01 "$1" &&
		at "$client" ping -qc 5 -i 0.01 -s 4000 "$1" || return
	# shellcheck disable=SC2016 # the other shell expands it
	at "$client" bash -c 'for n in {1..100}; do
		echo "datagram $n" >"/dev/udp/$1/9"
	done' - "$1"
	[ "$(at "$client" socat -t20 - "TCP:$tcp:80" <"$lib_dir/file")" = "$sum" ]
}

# catch FILE NAMESPACE: captures frames that arrive at eth0, and stores their number so far.
catch() {
	printf -v "before_$1" %s "$(stat_of "$2" eth0 rx.packets)"
	capture "$1" "$2" eth0 -B 131072 -Q in
}

# left FILE: the number of frames in the file. (tcpdump prints several lines for some frames.)
left() {
	local count=0

	read -r count _ < <(tcpdump -nr "$1" --count 2>/dev/null)
	echo "${count:-0}"
}

# caught FILE NAMESPACE: the file has all frames that arrived since catch.
caught() {
	local before=before_$1

	[ "$(left "$(capture_file "$1")")" -ge \
		$(($(stat_of "$2" eth0 rx.packets) - ${!before})) ]
}

# both WHAT COMMAND...: runs the command between two captures: before the guard ($tap) and behind
# the guard ($after).
runs=0
both() {
	local what=$1 name n=$((++runs))

	shift
	tap=$(capture_file tap$n) after=$(capture_file after$n)
	# The capture behind the guard starts first and ends last, so it has every tapped frame.
	catch after$n "$analyser"
	catch tap$n "$sensor"
	check "$what" "$@"
	await 20 caught tap$n "$sensor"
	await 20 caught after$n "$analyser"
	for name in tap$n after$n; do
		capture_end "$name"
		match "$what: ${name%?} has every frame" \
			"$(heard "$name" 5 'dropped by kernel')" '^0 '
	done
}

everything() {
	traffic 198.51.100.1 && traffic 2001:db8:2::1
}

# merged: compares the captures by copies.py. Copies more than 20 ms apart need not be recognised:
# the machine may have stalled between them.
merged() {
	"$copies" once "$tap" "$after" 20
}

# field WORD: the number after this word in $result.
field() {
	grep -oP "\b$1 \K[0-9]+" <<<"$result"
}

document=$here/../Documentation/scenarios/mirror.md
page "$document"
page_step "$router" "both sides are mirrored"
page_step "$sensor" "the sensor passes on what it has judged"
both "without a guard" everything
result=$(merged)
note "$result"
between "number of packets that were mirrored twice" "$(field twice)" 450 100000
is "no packet was mirrored more than twice" "$(field frames)" \
	$(($(field packets) + $(field twice)))
is "no packet is lost" "$(field lost)" 0
is "without a guard all copies arrive" "$(field copies)" "$(field twice)"

page_step "$sensor" "a guard is added"
both "with the guard" everything
result=$(merged)
note "$result"
between "number of packets that were mirrored twice, with the guard" "$(field twice)" 450 100000
is "each packet arrives behind the guard" "$(field lost) $(field after)" "0 $(field packets)"
between "each packet arrives once" "$(field copies)" 0 "$(field apart)"
at "$sensor" editcap -F pcap -w 0.05 "$tap" "$lib_dir/whole.pcap"
is "editcap, which compares whole frames, keeps all copies" \
	"$(left "$lib_dir/whole.pcap")" "$(left "$tap")"
page_step "$sensor" "the guard's counters"
duplicates=$(($(field twice) - $(field copies)))
match "the guard has counted as many duplicates, and dropped them" "$page_out" \
	" eth0 .* $duplicates +$duplicates "

# --- captures ------------------------------------------------------------------

# replayed WHAT COMMAND...: compares the frames that the guard drops with the drops of editcap.
replayed() {
	at "$sensor" seenctl filter flush mirrors
	both "$@"
	check "$1: editcap" at "$sensor" editcap -F pcap -w 600 "$tap" \
		"$lib_dir/peer.pcap"
	result=$("$copies" explain "$tap" "$lib_dir/peer.pcap" "$after" 600000 2>&1)
	is "$1: every difference is explained" $? 0
	note "$result"
	is "$1: the counts of frames add up" \
		"$(left "$tap")" "$(awk '{ sum += $1 } END { print sum + 0 }' <<<"$result")"
}

# reasons: prints the reasons for differences, one per line. named: those in the page's table.
reasons() {
	sed -n 's/.*only peer: /editcap only: /p' <<<"$result"
	sed -n 's/.*only seen: differ in //p' <<<"$result" | tr ' ' '\n' |
		sed 's/^/seen only: /'
}

named() {
	sed -n 's/^| \([a-z]* only\) | \([^|]*\) |.*/\1: \2/p' "$document"
}

page_step "$sensor" "a window that is longer than the captures"
if [ ! -d "$CAPTURES" ]; then
	for n in {1..15}; do
		skip "editcap, $n" "no folder of captures"
	done
	page_end
	exit
fi
tc -n "$router" qdisc del dev lan clsact
tc -n "$router" qdisc del dev wan clsact
m57=$CAPTURES/m57-long-49583-80.pcap
replayed "m57" at "$router" "$copies" replay tap "$m57"
is "a real mirror, with its own pauses: the same frames are dropped" \
	"$(grep -o 'only .*' <<<"$result")" ""
match "many frames are dropped" "$result" "113 both"
replayed "all at once" at "$router" "$here/../net/helpers/inject.py" tap "$CAPTURES"/*
is "all captures at once: the page names the reason for every difference" \
	"$(reasons | grep -vxFf <(named))" ""
page_end

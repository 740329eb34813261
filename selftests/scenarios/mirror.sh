#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Traffic that is mirrored on both sides of a router: the sensor gets each packet
# twice, and behind a guard once. Then real captures, against editcap. The page is
# Documentation/scenarios/mirror.md.
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
# Packets as they are on a wire.
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

# traffic ADDRESS: pings, fragments, datagrams, a transfer each way.
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

# catch FILE NAMESPACE: what comes in by eth0; the number of frames so far is kept.
catch() {
	printf -v "before_$1" %s "$(stat_of "$2" eth0 rx.packets)"
	capture "$1" "$2" eth0 -B 131072 -Q in
}

# left FILE: frames in it. Of some tcpdump prints several lines.
left() {
	local count=0

	read -r count _ < <(tcpdump -nr "$1" --count 2>/dev/null)
	echo "${count:-0}"
}

# caught FILE NAMESPACE: it has all frames that came since.
caught() {
	local before=before_$1

	[ "$(left "$(capture_file "$1")")" -ge \
		$(($(stat_of "$2" eth0 rx.packets) - ${!before})) ]
}

# both WHAT COMMAND...: runs it between captures before and behind the guard, which
# are then the files $tap and $after.
runs=0
both() {
	local what=$1 name n=$((++runs))

	shift
	tap=$(capture_file tap$n) after=$(capture_file after$n)
	# Whatever is in the first one has to be in the second.
	catch after$n "$analyser"
	catch tap$n "$sensor"
	check "$what" "$@"
	await 20 caught tap$n "$sensor"
	await 20 caught after$n "$analyser"
	for name in tap$n after$n; do
		captured "$name" >/dev/null
		match "$what: ${name%?} has every frame" \
			"$(heard "$name" 5 'dropped by kernel')" '^0 '
	done
}

everything() {
	traffic 198.51.100.1 && traffic 2001:db8:2::1
}

# merged: what the captures hold, as told by copies.py. Copies that came this much
# apart, since the machine did not run in between, need not be known.
merged() {
	"$copies" once "$tap" "$after" 20
}

# field WORD: of it.
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
between "there is traffic, mirrored twice" "$(field twice)" 450 100000
is "no packet comes more often" "$(field frames)" \
	$(($(field packets) + $(field twice)))
is "nothing is lost" "$(field lost)" 0
is "the copies are there" "$(field copies)" "$(field twice)"

page_step "$sensor" "a guard is added"
both "with the guard" everything
result=$(merged)
note "$result"
between "there is traffic, mirrored twice" "$(field twice)" 450 100000
is "each packet is there" "$(field lost) $(field after)" "0 $(field packets)"
between "and once" "$(field copies)" 0 "$(field apart)"
at "$sensor" editcap -F pcap -w 0.05 "$tap" "$lib_dir/whole.pcap"
is "editcap, which compares whole frames, keeps all copies" \
	"$(left "$lib_dir/whole.pcap")" "$(left "$tap")"
page_step "$sensor" "the guard says so"
match "with as many duplicates" "$page_out" \
	"dup-same-port $(($(field twice) - $(field copies))) "

# --- captures ------------------------------------------------------------------

# replayed WHAT COMMAND...: what it sends, with and without the frames that either
# leaves out.
replayed() {
	at "$sensor" seenctl filter flush mirrors
	both "$@"
	check "$1: editcap" at "$sensor" editcap -F pcap -w 600 "$tap" \
		"$lib_dir/peer.pcap"
	result=$("$copies" explain "$tap" "$lib_dir/peer.pcap" "$after" 600000 2>&1)
	is "$1: every difference is explained" $? 0
	note "$result"
	is "$1: of the frames that are left none was counted twice" \
		"$(left "$tap")" "$(awk '{ sum += $1 } END { print sum + 0 }' <<<"$result")"
}

# reasons: of differences, and those that the page has in its table, a line each.
reasons() {
	sed -n 's/.*only peer: /editcap only: /p' <<<"$result"
	sed -n 's/.*only seen: differ in //p' <<<"$result" | tr ' ' '\n' |
		sed 's/^/seen only: /'
}

named() {
	sed -n 's/^| \([a-z]* only\) | \([^|]*\) |.*/\1: \2/p' "$document"
}

page_step "$sensor" "a window in which all of it comes"
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
match "of which there are many" "$result" "113 both"
replayed "all at once" at "$router" "$here/../net/helpers/inject.py" tap "$CAPTURES"/*
is "they differ in some frames, and the page names every reason" \
	"$(reasons | grep -vxFf <(named))" ""
page_end

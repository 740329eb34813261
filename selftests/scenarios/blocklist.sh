#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# A blocklist of a million IPv4 and IPv6 addresses and networks, with exceptions, is refreshed by
# swaps while packets flow. No listed source gets through at any time, and the share of other
# sources that are blocked by mistake stays within the promise. The page is
# Documentation/scenarios/blocklist.md.
#
#	$world eth0 --- eth0 $box

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../net/helpers/lib.sh"
. "$(dirname "$0")/../net/helpers/page.sh"

document=$(cd "$(dirname "$0")/../Documentation/scenarios" && pwd)/blocklist.md
# The number of listed addresses and networks, and of sources of each kind that send.
HOSTS4=$(scale 7000 700000)
HOSTS6=$(scale 3000 300000)
NETS=$(scale 1000 100000)
SENDERS=$(scale 500 20000)
UNLISTED=$(scale 1000 50000)
REFRESHES=2

plan $((22 + 6 * REFRESHES))
box='' world=''
ns world box
veth "$world" eth0 "$box" eth0
addr "$world" eth0 192.0.2.1/24 2001:db8::1/64 fe80::1/64 \
	198.51.100.7/32 203.0.113.9/32
addr "$box" eth0 192.0.2.2/24 2001:db8::2/64 fe80::2/64
ip -n "$box" route add default via 192.0.2.1
cd "$lib_dir" || exit

# --- lists -----------------------------------------------------------------------

# numbered COUNT FORMAT: formats each number as two halves, one per line.
numbered() {
	awk -v count="$1" -v format="$2\n" 'BEGIN {
		for (i = 0; i < count; i++)
			printf format, i / 65536, i % 65536 }'
}

addresses4() {
	awk -v count="$1" -v first="$2" 'BEGIN {
		for (i = 0; i < count; i++)
			printf "%s.%d.%d.%d\n", first, i / 65536, i / 256 % 256,
				i % 256 }'
}

nets4() {
	awk -v count="$1" 'BEGIN {
		for (i = 0; i < count; i++)
			printf "%d.%d.%d.0/24\n", 100 + i / 65536, i / 256 % 256,
				i % 256 }'
}

# The list before and after an update by its maintainer: one address removed, one added.
{
	addresses4 "$HOSTS4" 20
	numbered "$HOSTS6" '2001:db8:1::%x:%x'
} >core
nets4 "$NETS" >networks4
numbered "$NETS" '2a00:%x:%x::/48' >networks6
{ cat core; echo 198.51.100.7; } >addresses
{ cat core; echo 203.0.113.9; } >addresses.new

# --- the packets -------------------------------------------------------------------

# The allow list has the first entries of each list.
streams=(
	"listed4:$world,20.0.1.0,$SENDERS,1"
	"listed6:$world,2001:db8:1::100,$SENDERS,1"
	"network4:$world,100.0.1.7/24,$((SENDERS / 2)),1"
	"network6:$world,2a00:0:1::7/48,$((SENDERS / 2)),1"
	"free4:$world,50.0.0.7/24,$UNLISTED,1"
	"free6:$world,2b00::7/48,$UNLISTED,1"
	"allowed4:$world,20.0.0.1,1,100"
	"allowed6:$world,2001:db8:1::1,1,100"
	"allowednet4:$world,100.0.0.7,100,1"
	"allowednet6:$world,2a00::7,100,1"
)

traffic() {
	many_senders "$box" 192.0.2.2 2001:db8::2 laps "${streams[@]}" >sent &
	sender=$!
	lib_pids+=("$sender")
}

# dropped: the number of packets that all rules have dropped.
dropped() {
	{ at "$box" iptables -t raw -vS; at "$box" ip6tables -t raw -vS; } |
		awk '/-m seen/ { sum += $(NF - 3) } END { print sum + 0 }'
}

flows_on() {
	[ "$(dropped)" -ge $(($1 + SENDERS)) ]
}

# reaches ADDRESS: a ping from this source address is answered.
reaches() {
	at "$world" ping -qc1 -W1 -I "$1" 192.0.2.2
}

# of STREAM WORD
of() {
	field "$2" "$(grep "^stream $1 " sent)"
}

# total WORD: of all streams
total() {
	awk -v word="$1" '{ for (i = 1; i < NF; i += 2)
		if ($i == word) sum += $(i + 1) } END { print sum }' sent
}

# --- before ------------------------------------------------------------------------

page "$document"
page_step "$box" "filters are added"
page_step "$box" "lists are loaded"
page_step "$box" "exceptions"
page_step "$box" "rules"
page_step "$box" "memory"
note "$page_out"
bytes=$(filter_get "$box" addresses .bytes)
# Locks are larger on debug kernels.
limit=35000000
[[ ${KERNEL:-} != *debug ]] || limit=36000000
check "a million addresses need at most 35 bits each: $bytes bytes" \
	[ $((bytes * 8)) -le $limit ]
check "a listed address does not get through" eval '! reaches 198.51.100.7'
check "an address that is not listed gets through" reaches 203.0.113.9

# --- refreshes, while packets flow ---------------------------------------------------

traffic
refresh=$page_next
for ((n = 1; n <= REFRESHES; n++)); do
	check "refresh $n: packets flow" await 60 flows_on "$(dropped)"
	page_next=$refresh
	page_step "$box" "refresh $n"
	check "refresh $n: packets still flow" await 60 flows_on "$(dropped)"
	if [ $((n % 2)) = 1 ]; then
		on=203.0.113.9 off=198.51.100.7
	else
		on=198.51.100.7 off=203.0.113.9
	fi
	check "refresh $n: an address added to the list is blocked" \
		eval "! reaches $on"
	check "refresh $n: an address removed from the list is not blocked" reaches "$off"
	mv addresses.new addresses.last
	mv addresses addresses.new
	mv addresses.last addresses
	is "refresh $n: no filter is left over" \
		"$(at "$box" seenctl -j filter show | jq length)" 3
done
kill $sender
join "the sender ends" $sender
note "$(cat sent)"

# --- the result ----------------------------------------------------------------------

for stream in listed4 listed6 network4 network6; do
	is "$stream: no packet got through at any time" \
		"$(of $stream received)" 0
done
for stream in allowed4 allowed6 allowednet4 allowednet6; do
	is "$stream: no packet was blocked at any time" \
		"$(of $stream received)" "$(of $stream sent)"
done
# Each refresh draws a new secret, so each source may be blocked by mistake once per refresh.
trials=$((UNLISTED * (REFRESHES + 1)))
for stream in free4 free6; do
	lost=$(($(of $stream none) + $(of $stream fewer)))
	between "$stream: packets blocked by mistake, of $trials at a rate of 1e-4: $lost" \
		$lost 0 "$(most $trials 1e-4)"
done
# "reaches" dropped one ping before the refreshes and one at each refresh.
is "each packet was received or dropped by a rule" \
	$(($(total sent) + 1 + REFRESHES)) $(($(total received) + $(dropped)))
page_step "$box" "the rules' counters"
note "$page_out"
page_end

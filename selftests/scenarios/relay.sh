#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Two relays forward UDP broadcasts between the same two networks, so each forwards back what the
# other one sent. Guards on both devices of each relay end this loop, and every first copy is
# delivered. The page is Documentation/scenarios/relay.md.
#
#	h1 ---+--- eth1 r1 eth2 ---+--- h2
#	      +--- eth1 r2 eth2 ---+

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../net/helpers/page.sh"

helpers=$(cd "$(dirname "$0")/../net/helpers" && pwd)
plan 17
left='' right='' h1='' h2='' r1='' r2=''
ns left right h1 h2 r1 r2
veth "$left" h1 "$h1" eth0
veth "$right" h2 "$h2" eth0
for name in r1 r2; do
	veth "$left" $name "${!name}" eth1
	veth "$right" $name "${!name}" eth2
done
br "$left" br0 h1 r1 r2
br "$right" br0 h2 r1 r2
addr "$h1" eth0 192.0.2.1/24
addr "$h2" eth0 198.51.100.1/24
for n in 1 2; do
	name=r$n
	addr "${!name}" eth1 192.0.2.1$n/24
	addr "${!name}" eth2 198.51.100.1$n/24
done
link_up "$left" h1 r1 r2
link_up "$right" h2 r1 r2
for name in h1 h2; do
	background at "${!name}" "$helpers/listen.py" 5000 >"$lib_dir/at_$name"
	await 20 grep -q ready "$lib_dir/at_$name"
done

# start RELAY
start() {
	background at "${!1}" "$helpers/relay.py" 5000 eth1 eth2 >"$lib_dir/$1"
	await 20 grep -q ready "$lib_dir/$1"
}

# send HOST FROM TO: sends numbered broadcasts, each once.
send() {
	# shellcheck disable=SC2016 # the other shell expands it
	at "${!1}" bash -c 'for ((n = $2; n <= $3; n++)); do echo "$1 $n"; done' - "$@" |
		at "${!1}" python3 -c '
import socket, sys
sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
sock.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
sock.setsockopt(socket.SOL_SOCKET, socket.SO_BINDTODEVICE, b"eth0")
sock.bind(("", 6000))
for line in sys.stdin:
    sock.sendto(line.strip().encode(), ("255.255.255.255", 5000))'
}

# The number of datagrams that the relays have sent to both networks.
relayed() {
	echo $(($(stat_of "$r1" eth1 tx.packets) + $(stat_of "$r1" eth2 tx.packets) +
		$(stat_of "$r2" eth1 tx.packets) + $(stat_of "$r2" eth2 tx.packets)))
}

# got HOST FROM TO: which numbers of the other host arrived: "N x M" if N numbers came M times.
got() {
	awk -v from="$2" -v to="$3" -v self="$1" '
		$1 != self && $2 >= from && $2 <= to { times[$2]++ }
		END {
			for (n in times) numbers[times[n]]++
			for (n in numbers) print numbers[n] " x " n
		}' "$lib_dir/at_$1" | sort | xargs
}

came() {
	[ "$(got "$1" "$2" "$3")" = "$4" ]
}

# dropped RELAY: the number of datagrams that both of its guards dropped.
dropped() {
	at "${!1}" seenctl -j -s guard show | jq '[.[].ports[].dropped] | add'
}

page "$(dirname "$0")/../Documentation/scenarios/relay.md"

# --- one relay, and two -----------------------------------------------------------

start r1
send h1 1 20
check "one relay: each broadcast is forwarded once" await 20 came h2 1 20 "20 x 1"
send h2 1 20
check "one relay: in the other direction, too" await 20 came h1 1 20 "20 x 1"

start r2
before=$(relayed)
send h1 21 21
check "two relays, no guards: one broadcast has become more than 1,000" \
	await 60 has_grown relayed "$before" 1000

# --- guards ----------------------------------------------------------------------

page_step "$r1" "a relay is guarded"
check "the other relay is guarded, too" page_again "$r2"
check "datagrams that already circle end" await 20 stands relayed
before=$(relayed) dropped=$(($(dropped r1) + $(dropped r2)))
send h1 101 140
send h2 201 240
check "each broadcast is forwarded, once by each relay" await 20 came h2 101 140 "40 x 2"
check "in the other direction, too" await 20 came h1 201 240 "40 x 2"
check "then no datagram circles" await 20 stands relayed
is "each relay has sent each broadcast once" $(($(relayed) - before)) 160
is "each relay has dropped the other one's copies" \
	$(($(dropped r1) + $(dropped r2) - dropped)) 160
page_step "$r1" "the guards' counters"

send h1 101 140
check "broadcasts that a host repeats are forwarded again" await 20 came h2 101 140 "40 x 4"
check "then no datagram circles any more" await 20 stands relayed
is "each relay has sent each repeated broadcast once more" $(($(relayed) - before)) 240

for name in r1 r2; do
	at "${!name}" seenctl guard pause all
done
before=$(relayed)
send h1 301 301
check "while the guards are paused, the loop is back" \
	await 60 has_grown relayed "$before" 1000
page_end

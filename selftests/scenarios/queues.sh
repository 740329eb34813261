#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# One flood, five heavy and fifty light senders share a link. A sketch counts the packets of each
# sender, rules or a guard mark those of heavy senders, and prio sends marked packets last. Each
# packet takes the band that its sender's count demands, and no packet of a light sender is lost.
# Delays and rates, also without management, with sfb, hhf and fq_codel, are printed and not
# judged. The page is Documentation/scenarios/queues.md.
#
# Direction of error: a count is never too low, so no heavy sender stays in the upper band. If a
# count is too high, a light sender's packets wait behind heavy ones, or are lost with them.
#
#	$senders eth0 --- in $router out --- eth0 $server

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../net/helpers/lib.sh"
. "$(dirname "$0")/../net/helpers/page.sh"

# Light senders send fewer packets in all than the page's first threshold, so they are light
# however fast or slow the machine is; others send more than their threshold.
SPAN=$(scale 1 3)
LIGHT=$((50 * 20 * SPAN))
HEAVY=$((5 * 150 * SPAN))
FLOOD=$((2000 * SPAN))
# The page's thresholds.
FIRST=100
SECOND=1000

plan 49
senders='' router='' server=''
ns senders router server
veth "$senders" eth0 "$router" in
veth "$router" out "$server" eth0
addr "$senders" eth0 192.0.2.1/24
addr "$router" in 192.0.2.254/24
addr "$router" out 198.51.100.254/24
addr "$server" eth0 198.51.100.1/24
ip -n "$senders" route add default via 192.0.2.254
# No packet of ARP shall be in a band.
ip -n "$router" neigh replace 198.51.100.1 dev out lladdr "$(mac "$server" eth0)" nud permanent
at "$router" sh -c 'echo 1 >/proc/sys/net/ipv4/ip_forward'

# transmit PORTS: all senders send; the flood comes from so many ports. The result is in $sent.
transmit() {
	sent=$(flows "$senders" "$server" 198.51.100.1 "$SPAN" light:10.1.0.1,50,20,125 \
		heavy:10.2.0.1,5,150,1000 "flood:10.3.0.1,1,2000,1000,$1")
}

# of GROUP WORD
of() {
	field "$2" "$(grep "^group $1 " <<<"$sent")"
}

# decimal NUMBER: thousandths as a decimal number.
decimal() {
	printf '%d.%d' $(($1 / 1000)) $(($1 % 1000 / 100))
}

# measure WHAT PORTS: all senders send, and the figures are printed.
measure() {
	transmit "$2"
	is "$1, flood from $2 ports: all packets are sent" "$(of heavy sent) $(of flood sent)" \
		"$HEAVY $FLOOD"
	figure "$1, flood from $2 ports: light: p50 $(decimal "$(of light p50)") ms," \
		"p99 $(decimal "$(of light p99)") ms," \
		"$((LIGHT - $(of light received))) of $LIGHT lost;" \
		"heavy: $(decimal "$(of heavy kbit)") of $(decimal $((HEAVY * 8 / SPAN))) Mbit/s;" \
		"sent in $(decimal "$(of light ms)") s, planned: $SPAN"
}

# place WHAT QDISC...: puts a qdisc in the place where the page has prio.
place() {
	at "$router" tc qdisc add dev out root handle 1: tbf rate 10mbit burst 10k limit 1m &&
		at "$router" tc qdisc add dev out parent 1:1 handle 10: "${@:2}" || return
	[[ $1 != *"by sender" ]] || at "$router" tc filter add dev out parent 10: \
		handle 1 flow hash keys src divisor 1024
}

# rival PORTS WHAT QDISC...: measures a qdisc in that place.
rival() {
	check "$2" place "${@:2}"
	measure "$2" "$1"
	at "$router" tc qdisc del dev out root
}

# through BAND: packets that have entered the band so far: sent, dropped, and queued ones.
through() {
	at "$router" tc -j -s qdisc show dev out |
		jq ".[] | select(.handle == \"1$1:\") | .packets + .drops + .qlen"
}

# banded PORTS: all senders send. The packets in each band are in $band.
banded() {
	local i before=()

	for i in 1 2 3; do
		before[i]=$(through $i)
	done
	transmit "$1"
	for i in 1 2 3; do
		band[i]=$(($(through $i) - before[i]))
	done
}
band=()

# unlimited NAME TYPE...: exchanges the filter for one whose window is longer than the test, so
# that each count is the number of all packets; its secret is the same in each run.
unlimited() {
	at "$router" seenctl filter add exact key src window 1h seed "$SEED" "${@:2}" >/dev/null &&
		at "$router" seenctl filter swap exact "$1" &&
		at "$router" seenctl filter del exact
}

# counts: prints "SENDER COUNT" for each sender.
counts() {
	at "$router" seenctl key count senders 10.1.0.{1..50} 10.2.0.{1..5} 10.3.0.1
}

for ports in 1 1000; do
	rival $ports "no management" pfifo limit 1000
	rival $ports sfb sfb
	# By default a flow is heavy from 26 Mbit/s on: here from 0.8 Mbit/s on.
	rival $ports hhf hhf limit 1000 reset_timeout 1s admit_bytes 100000
	rival $ports fq_codel fq_codel
	rival $ports "fq_codel by sender" fq_codel
done

# --- the page ----------------------------------------------------------------------------

page "$(dirname "$0")/../Documentation/scenarios/queues.md"
page_step "$router" "a shaped link with three bands"
page_step "$router" "a sketch, and rules that mark"
for ports in 1 1000; do
	# No sender is heavy at the start.
	at "$router" seenctl filter flush senders
	measure counts $ports
	is "counts, flood from $ports ports: light senders lose nothing" "$(of light received)" \
		$LIGHT
done
figure "counts: $(filter_get "$router" senders .bytes) bytes"
page_step "$router" "the bands' counters"
note "$page_out"

# --- which packets take which band -------------------------------------------------------

check "a filter that counts all packets" unlimited senders type cms capacity 1k fpp 0.01
banded 1
is "the upper band has the light senders, and the first $FIRST packets of others" \
	"${band[1]}" $(($(of light sent) + 6 * FIRST))
is "the second band has the heavy senders, and the flood up to $SECOND packets" \
	"${band[2]}" $((HEAVY - 5 * FIRST + SECOND - FIRST))
is "the last band has the rest of the flood" "${band[3]}" $((FLOOD - SECOND))
is "light senders lose nothing" "$(of light received)" $LIGHT
is "exactly the flood and the heavy senders are above the threshold" \
	"$(counts | awk -v first=$FIRST '$2 > first { print $1 }' | xargs)" \
	"10.2.0.1 10.2.0.2 10.2.0.3 10.2.0.4 10.2.0.5 10.3.0.1"
page_step "$router" "a sender that is never marked"
at "$router" seenctl filter flush senders
banded 1
is "a sender on the allow list stays in the upper band" \
	"${band[1]}" $(($(of light sent) + 5 * FIRST + HEAVY / 5))
at "$router" seenctl allow del senders 10.2.0.1

# In a sketch that is far too small, light senders share their counters with other senders.
check "a sketch that is too small" unlimited senders type cms capacity 100 fpp 0.4
banded 1
is "too small: no count is too low" "$(counts |
	awk -v light=$((LIGHT / 50)) -v heavy=$((HEAVY / 5)) -v flood=$FLOOD '
		{ want = /^10.1/ ? light : /^10.2/ ? heavy : flood }
		$2 < want { print }')" ""
between "too small: light senders are marked, but no heavy one is missed" "${band[1]}" \
	$((LIGHT / 2)) $(($(of light sent) + 6 * FIRST - 1))
note "too small: ${band[*]} packets in the bands"

# --- a guard -----------------------------------------------------------------------------

page_step "$router" "a guard instead of rules"
for ports in 1 1000; do
	at "$router" seenctl filter flush heavy
	measure "counts by a guard" $ports
	is "counts by a guard, flood from $ports ports: light senders lose nothing" \
		"$(of light received)" $LIGHT
done
check "a guard's filter that counts all packets" \
	unlimited heavy type cms capacity 1k fpp 0.01 threshold $((FIRST + 1))
at "$router" seenctl guard reset dev out hook egress
banded 1
is "the guard's upper band has the light senders, and the first $FIRST packets of others" \
	"${band[1]}" $(($(of light sent) + 6 * FIRST))
is "the guard's second band has all others" "${band[2]}" $((HEAVY + FLOOD - 6 * FIRST))
is "each packet that the guard marks takes the second band" \
	"$(ports_sum "$router" marked)" "${band[2]}"
page_step "$router" "the end"
page_end

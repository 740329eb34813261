#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Every event of the multicast group arrives once, no matter how often its cause occurs, and names
# its object. A listener that missed events is notified of that.
#
#	$away  a0 ------- b0   $box	a guard on the device
#	       a1 ------- p1 \
#	       a2 ------- p2 -- br0	a guard on the bridge
#
# An alarm ends after a quiet second, a block after about five seconds. The test waits
# for these two; nothing else here takes time.

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/helpers/lib.sh"

plan 69
box='' away=''
ns box away
veth "$away" a0 "$box" b0
veth "$away" a1 "$box" p1
veth "$away" a2 "$box" p2
br "$box" br0 p1 p2

ctl() {
	at "$box" seenctl -j "$@" >/dev/null || exit 1
}

is_forwarding() {
	[ "$(ip -n "$1" -j -d link show "$2" |
		jq -r '.[].linkinfo.info_slave_data.state')" = forwarding ]
}

# Checks that an event that matches the regex $2 arrives. The regex names members in the order in
# which seenctl prints them.
told() {
	check "$1" heard m 20 "$2"
}

events m "$box" -j
monitor=${lib_pids[-1]}

# --- filters -------------------------------------------------------------------

ctl filter add f capacity 100 key bytes type cuckoo bits 16
told "a filter is added" '"event":"filter-add","filter":"f"'
ctl filter rename f g
told "a rename reports both names" \
	'"event":"filter-change","filter":"g","change":"rename","old_name":"f"'
ctl filter add h capacity 100 key bytes type cuckoo bits 16
told "another filter is added" '"filter_id":[1-9].*"event":"filter-add","filter":"h"'
ctl filter swap g h
told "a swap: event of the first filter" '"event":"filter-change","filter":"g","change":"swap"'
told "a swap: event of the second filter" '"event":"filter-change","filter":"h","change":"swap"'
ctl filter flush g
told "a flush" '"event":"filter-change","filter":"g","change":"flush"'
ctl filter set g on-full pass
told "a filter is set" '"event":"filter-change","filter":"g","change":"set"'
ctl filter set g on-full reject
told "a filter is set again" '"event":"filter-change","filter":"g","change":"set"'
ctl allow add g a
told "a key is added to its allow list" '"event":"filter-change","filter":"g","change":"allow"'
ctl allow add g a
at "$box" seenctl allow del g b >/dev/null 2>&1
ctl filter reset g
told "its counters are reset" '"event":"filter-change","filter":"g","change":"reset"'
is "no event of an allow list that stays as it is" \
	"$(grep -c '"change":"allow"' "$(heard_log m)")" 1
ctl allow del g a
ctl key add g a b c
ctl filter del h
told "no event of keys: next is a del" '"event":"filter-del","filter":"h"'
at "$box" keys add g 0 1000 >/dev/null 2>&1
told "a full filter" '"event":"saturated","filter":"g","count":[1-9]'
ctl filter del g
told "a filter is deleted" '"event":"filter-del","filter":"g"'

ctl filter add w capacity 100 key bytes type cuckoo bits 32 window 1h
at "$box" keys add w 0 2000 >/dev/null
told "a window that is too short" \
	'"event":"window-short","filter":"w","window":[0-9]+,"promised":3600000000000'
ctl filter del w

# --- guards --------------------------------------------------------------------

ctl filter add frames capacity 10k key frame type cuckoo bits 32 window 1h
ctl guard add dev b0 filter frames action drop
told "a guard is added" \
	'"event":"guard-add","kind":"dev","dev":"b0","hook":"ingress","filter":"frames"'
at "$away" frames 0 10 a0
at "$away" frames 0 10 a0
told "duplicates begin" \
	'"event":"suspect",.*"dev":"b0",.*"port":"b0",.*"smac":"02:00:00:00:ee:01","dmac":"ff:ff:ff:ff:ff:ff","ethertype":34997,"port":"b0","first_port":"b0"'
told "duplicates end" \
	'"event":"calm",.*"dev":"b0",.*"port":"b0","count":10,"peak":[1-9]'

ctl filter add sources capacity 100 key src type cuckoo bits 32 window 1h
ip -n "$box" link add t0 up type ipip local 127.0.0.1 remote 127.0.0.2
ip -n "$box" link add t1 up type ipip local 127.0.0.2 remote 127.0.0.1
addr "$box" t0 198.51.100.1/24
ctl guard add dev t1 filter sources match all
# shellcheck disable=SC2016 # that shell's
at "$box" bash -c 'for i in {1..20}; do echo >/dev/udp/198.51.100.2/9; done'
told "duplicates on a device without MAC addresses" \
	'"event":"suspect",.*"dev":"t1",.*"smac":"00:00:00:00:00:00","dmac":"00:00:00:00:00:00","ethertype":2048'
ctl guard del dev t1
ctl filter del sources

ip -n "$box" link set b0 down
ip -n "$box" link set b0 name c0
told "its device is renamed" \
	'"event":"waiting","kind":"dev","dev":"b0"'
ip -n "$box" link set c0 name b0
told "its device has the old name again" '"event":"armed","kind":"dev","dev":"b0"'
ip -n "$box" link set b0 up

ctl guard add dev vlan5 filter frames action drop
told "a guard is added before its device" '"event":"guard-add",.*"dev":"vlan5"'
told "that guard waits" '"event":"waiting",.*"dev":"vlan5"'
ip -n "$box" link add link b0 name vlan5 type vlan id 5
told "the device is added" '"event":"armed",.*"dev":"vlan5"'
told "the guard above another guarded device is suspended" \
	'"event":"suspended",.*"dev":"vlan5",.*"port":"vlan5","other":"b0"'
ctl guard del dev b0
told "the guard above resumes" \
	'"event":"resumed",.*"dev":"vlan5",.*"port":"vlan5"'
told "because the guard below is deleted" '"event":"guard-del",.*"dev":"b0"'
ip -n "$box" link del vlan5
told "the device is deleted" '"event":"waiting",.*"dev":"vlan5"'
ctl guard del dev vlan5
told "the guard is deleted" '"event":"guard-del",.*"dev":"vlan5"'
ctl filter del frames

ctl filter add few capacity 20 key frame type cuckoo bits 32 window 1h
ctl guard add dev b0 filter few
at "$away" frames 0 100 a0
told "a port over its budget" \
	'"event":"saturated",.*"dev":"b0",.*"filter":"few","port":"b0","count":[1-9]'
ctl guard del dev b0
ctl filter del few

# --- names that others have ------------------------------------------------------------

# id_of KIND NAME
id_of() {
	at "$box" seenctl -j "$1" show |
		jq ".[] | select(.name == \"$2\" or .dev == \"$2\") | .id"
}

ctl filter add early capacity 100 key src type cuckoo bits 32
id=$(id_of filter early)
ctl guard add dev b0 filter early verdict listed
ctl filter rename early later
told "a rename reports the id, which stays" \
	"\"filter_id\":$id,\"event\":\"filter-change\",\"filter\":\"later\",\"change\":\"rename\""
is "the guard shows the new name and the same id" "$(
	at "$box" seenctl -j guard show | jq -r '.[] | "\(.filter) \(.filter_id)"')" "later $id"
ctl guard del dev b0
told "its event guard-del has the new name" '"event":"guard-del",.*"dev":"b0",.*"filter":"later"'
is "the guard has no event guard-change" "$(grep -c '"event":"guard-change"' "$(heard_log m)")" 0

at "$box" iptables -A INPUT -m seen --filter awaited
told "a name that rules wait for has no id" '"time":[0-9]*,"event":"missing","filter":"awaited"'
ctl filter rename later awaited
told "a rename to this name keeps the id" \
	"\"filter_id\":$id,\"event\":\"filter-change\",\"filter\":\"awaited\",\"change\":\"rename\",\"old_name\":\"later\""
is "no event of an added or deleted filter" "$(
	grep -cE '"event":"filter-(add|del)","filter":"(later|awaited)"' "$(heard_log m)")" 0
is "the filter is found by the id" "$(id_of filter awaited)" "$id"
at "$box" iptables -F INPUT
ctl filter del awaited

# --- a loop ----------------------------------------------------------------------

refuse "a loop guard is refused" 1 "which this device does not have" \
	at "$box" seenctl guard add dev lo profile loop
ctl guard add bridge br0 profile loop
told "a loop guard adds its filter" \
	'"event":"filter-add","filter":"loop-br0"'
told "the loop guard is added" '"event":"guard-add","kind":"bridge","dev":"br0"'
at "$away" frames 1000 50 a1 a2
told "copies come back: probes find nothing" \
	'"event":"probed",.*"port":"(p1|p2)",.*"finding":\{"kind":"unconfirmed","port":"(p1|p2)","count":1'
# A wire between the two.
br "$away" br1 a1 a2
for dev in a1 a2; do
	await 20 is_forwarding "$away" $dev
done
at "$box" frames 2000 50 br0
told "a loop: probes find it" \
	'"event":"probed",.*"port":"(p1|p2)","other":"(p1|p2)",.*"finding":\{"kind":"loop","port":"(p1|p2)","other":"(p1|p2)","count":1'
told "a port is blocked" \
	'"event":"port-blocked","kind":"bridge","dev":"br0",.*"port":"(p1|p2)","other":"(p1|p2)","duration":[0-9]+,"duplicate":\{.*"first_port":"br0"'
ip -n "$away" link del br1
told "the port is released" \
	'"event":"port-released","kind":"bridge","dev":"br0",.*"port":"(p1|p2)","duration":[0-9]+'
ctl guard del bridge br0
told "the loop guard is deleted" '"event":"guard-del","kind":"bridge","dev":"br0"'
told "the filter of the loop guard is deleted" '"event":"filter-del","filter":"loop-br0"'

# --- all of them ---------------------------------------------------------------

at "$away" seenctl -j filter add elsewhere capacity 10 key bytes >/dev/null
ctl filter add last capacity 10 key bytes
told "the last event" '"event":"filter-add","filter":"last"'

log=$(grep '^{' "$(heard_log m)")
count() {
	jq -rs "map(select($1)) | length" <<<"$log"
}

# The two ports of a loop may each see duplicates, and a filter may be set again; of all
# else there is one each.
alarms='"suspect", "storm", "calm", "probed", "filter-change"'
is "each event arrived once" "$(jq -r "select(.event | IN($alarms) | not) | "'
	[.event, .dev, .filter, .port] | @csv' <<<"$log" | sort | uniq -d |
	grep -v '"vlan5","frames",$')" ""
is "three guards waited, two were armed again" \
	"$(count '.event == "waiting"') $(count '.event == "armed"')" "3 2"
is "one alarm on the device" "$(count '.event == "suspect" and .dev == "b0"') $(
	count '.event == "calm" and .dev == "b0"')" "1 1"
is "one block" "$(count '.event == "port-blocked"') $(
	count '.event == "port-released"')" "1 1"
is "filters: all that were added are deleted, but for one" \
	"$(($(count '.event == "filter-add"') -
		$(count '.event == "filter-del"')))" 1
is "no event of the filter of a refused guard" "$(count '.filter == "loop-lo"')" 0
is "no event of another namespace" "$(count '.filter == "elsewhere"')" 0
is "no event was lost" "$(count '.lost > 0')" 0

# --- no more than one a second ---------------------------------------------------

# In hundredths of a second.
uptime() {
	local up

	read -r up _ </proc/uptime
	echo "${up/./}"
}

refused_often() {
	(($(filter_get "$box" often .stats.full) >= 100))
}

ctl filter add often capacity 10 key frame type cuckoo bits 32
ctl guard add dev b0 filter often
begun=$(uptime)
background at "$away" flood a0 >/dev/null
flood=$!
saturated='"event":"saturated","filter":"often"'
told "a full filter, under a flood" "$saturated"
told "a full filter, still under the flood" "$saturated"
await 60 refused_often
kill "$flood"
wait "$flood"
refused=$(filter_get "$box" often .stats.full)
ctl guard del dev b0
told "the flood is over" '"event":"guard-del",.*"dev":"b0"'
times=$(grep -c "$saturated" "$(heard_log m)")
between "saturation was reported at most once per second" "$times" 2 \
	$((($(uptime) - begun) / 100 + 1))
between "there were many more refusals" "$refused" $((10 * times)) 1000000000
ctl filter del often

# --- what a listener missed ------------------------------------------------------

# many COUNT: so many events: a filter is renamed, from x0 to x0.
many() {
	local n

	{
		for ((n = 1; n < $1; n++)); do
			echo "filter rename x$((n - 1)) x$n"
		done
		echo "filter rename x$((n - 1)) x0"
	} | at "$box" seenctl -b -
}

# Of all listeners; the column is the kernel's.
drops() {
	# shellcheck disable=SC2016 # awk's
	at "$box" awk '$2 == 16 { n += $9 } END { print n + 0 }' \
		/proc/net/netlink
}

ctl filter add x0 capacity 10 key bytes type bloom
listen unread at "$box" events_unread
unread=${lib_pids[-1]}
check "a listener that does not read, and wants its losses counted" \
	heard unread 10 unread
many 20
check "another listener receives all events" \
	heard m 20 '"event":"filter-change","filter":"x0"'
dropped=$(drops)
kill "$unread"
wait "$unread"
between "the listener that does not read loses events" "$dropped" 1 40
ctl filter rename x0 y
told "the next event has the number of lost events" \
	"\"filter\":\"y\",\"change\":\"rename\",\"old_name\":\"x0\",\"lost\":$dropped}"
ctl filter flush y
told "the event after that has no lost events" \
	'"filter":"y","change":"flush","lost":0}'
ctl filter rename y x0

goes_on() {
	many 2
	heard slow 1 '"event":"filter-change","filter":"x1"'
}

kill "$monitor"
wait "$monitor"
# The next listener's socket is small, and soon full.
most=/proc/sys/net/core/rmem_max
before=$(<$most)
echo 4608 >$most
events slow "$box" -j
echo "$before" >$most
slow=${lib_pids[-1]}
kill -STOP "$slow"
dropped=$(drops)
many 100
is "a monitor that is stopped loses events" "$(($(drops) > dropped))" 1
kill -CONT "$slow"
check "the monitor reports the lost events" heard slow 20 \
	'^[{]"time":[0-9]+,"event":"lost","count":[1-9][0-9]*,"lost":0[}]$'
check "the monitor prints later events" await 20 goes_on

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Trails of frames of all kinds, lengths and shapes, between two guarded bridges: a frame arrives
# with a trail of two hops, or unchanged and counted as one without a trail.

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/helpers/lib.sh"
. "$(dirname "$0")/helpers/loops.sh"

# trails [WORD...]: new guards at both bridges.
trails() {
	local name

	for name in s1 s2; do
		at "${!name}" seenctl guard del bridge br0 2>/dev/null
		at "${!name}" seenctl guard add bridge br0 profile loop trail trail-only "$@" \
			>/dev/null || exit 1
	done
	at "$s1" seenctl guard reset all
}

# arrive WHAT NAME[:BYTES]=HOPS...: frames from h1 arrive at h2 with so many hops. Those without
# two have no trail from s1.
arrive() {
	local what=$1 word names=() with=0 without=0 got

	for word in "${@:2}"; do
		names+=("${word%=*}")
		if [[ $word = *=2 ]]; then
			((++with))
		else
			((++without))
		fi
	done
	at "$s1" seenctl guard reset all
	got=$("$helpers/framed.py" "$h1:eth0" "$h2:eth0" "${names[@]}" 2>&1 | tr ' \n' '= ')
	is "$what" "$got" "${*:2} "
	is "$what: counted" "$(port_get "$s1" h1 '[.trail_added, .trail_none]')" "[$with,$without]"
}

switches s1 s2
wire s1 s2
host h1 s1
host h2 s2
keep_trails "$s1" "$s2"
trails
ready s1 s2

plan 33

arrive "kinds of frames" arp=2 ip4=2 options=2 first-fragment=2 later-fragment=2 ip6=2 \
	hop-by-hop=2 fragment6=2 llc=2 vxlan=2
arrive "frames whose length is not stated" other=none truncated=none jumbogram=none
arrive "a trailer of PRP" prp=none
arrive "VLAN tags" vlan=2 vlan-arp=2 qinq=2 many-tags=none
arrive "short frames are padded" ip4:20=2 ip4:21=2 ip4:45=2 ip4:46=2 ip4:47=2 ip6:40=2 llc:9=2 \
	vlan:20=2 qinq:20=2 other:9=none
arrive "the largest frame with a trail" ip4:1376=2 ip4:1377=none ip4:1500=none ip6:1376=2 \
	llc:1376=2 vlan:1376=2 vlan:1377=none
ip -n "$s1" link set s1s2a mtu 1280
arrive "the smallest MTU of the ports" ip4:1256=2 ip4:1257=1 ip4:1280=1 ip6:1256=2
ip -n "$s1" link set s1s2a mtu 1500
ip -n "$s2" link set h2 mtu 1280
at "$s2" seenctl guard reset all
is "a smaller MTU at the next bridge" "$("$helpers/framed.py" "$h1:eth0" "$h2:eth0" ip4:1256 \
	ip4:1270 ip4:1280 2>&1 | tr ' \n' '= ')" "ip4:1256=2 ip4:1270=none ip4:1280=none "
is "a smaller MTU at the next bridge: counted" "$(port_get "$s2" s1s2a .trail_none)" 2
ip -n "$s2" link set h2 mtu 1500

# mtu BYTES: of the whole path
mtu() {
	local item

	for item in "$h1 eth0" "$s1 h1" "$s1 s1s2a" "$s2 s1s2a" "$s2 h2" "$h2 eth0"; do
		# shellcheck disable=SC2086 # a namespace and a device
		set -- "$1" $item
		ip -n "$2" link set "$3" mtu "$1" || exit 1
	done
}

# The kernel sends longer frames of a packet socket in pages.
mtu 9000
trails trail-max 9000
arrive "jumbo frames" ip4:1377=2 ip4:3900=2 ip4:8976=none
trails trail-max 1400
arrive "jumbo frames, but short trails" ip4:1376=2 ip4:1377=none ip4:8976=none
mtu 1500

# --- pages --------------------------------------------------------------------------------

trails trail-max 1400
# The module makes the file of taps.
modprobe -q tun
listen tap "$helpers/framed.py" "$s1:tap:tap0" "$h2:eth0" ip4:100 ip4:242 ip4:500 ip4:1000 \
	vlan:100 arp
heard tap 10 made >/dev/null
ip -n "$s1" link set tap0 master br0
ip -n "$s1" link set tap0 up
heard tap 20 '^arp' >/dev/null
is "frames in pages" "$(grep -v made "$(heard_log tap)" | tr ' \n' '= ')" \
	"ip4:100=2 ip4:242=2 ip4:500=none ip4:1000=none vlan:100=2 arp=2 "
is "frames in pages: counted" "$(port_get "$s1" tap0 '[.trail_added, .trail_none]')" "[4,2]"
ip -n "$s1" link del tap0

# --- other links ----------------------------------------------------------------------------

# bond MODE: the link between the bridges is two veth pairs
bond() {
	local name n

	veth "$s1" one "$s2" one
	veth "$s1" two "$s2" two
	for name in s1 s2; do
		ip -n "${!name}" link add bond0 type bond mode "$1" miimon 100
		for n in one two; do
			ip -n "${!name}" link set $n down master bond0
		done
		ip -n "${!name}" link set bond0 up master br0
	done
	ready s1 s2
}

ip -n "$s1" link del s1s2a
for mode in balance-rr active-backup; do
	bond $mode
	arrive "a bond, $mode" arp=2 ip4=2 ip6=2 vlan=2 qinq=2 ip4:1376=2 ip4:1400=none other=none
	for name in s1 s2; do
		ip -n "${!name}" link del bond0
	done
	ip -n "$s1" link del one
	ip -n "$s1" link del two
done

veth "$s1" under "$s2" under
addr "$s1" under 10.8.0.1/24
addr "$s2" under 10.8.0.2/24
ip -n "$s1" link add vx type vxlan id 5 dev under local 10.8.0.1 remote 10.8.0.2 dstport 4789
ip -n "$s2" link add vx type vxlan id 5 dev under local 10.8.0.2 remote 10.8.0.1 dstport 4789
for name in s1 s2; do
	ip -n "${!name}" link set vx up master br0
done
ready s1 s2
arrive "a tunnel of VXLAN" arp=2 ip4=2 ip6=2 vlan=2 ip4:1376=2 ip4:1400=none other=none

# --- what the kernel has merged, or is to cut -----------------------------------------------

# segments GSO: what h2 receives of a broadcast that h1 sends as one packet of four datagrams
segments() {
	at "$h1" ethtool -K eth0 tx-udp-segmentation "$1" || return
	"$helpers/exact.py" segments "$h1:eth0:10.9.0.1" "$h2:eth0:10.9.0.2"
}

addr "$h1" eth0 10.9.0.1/24
addr "$h2" eth0 10.9.0.2/24
at "$s1" seenctl guard reset all
is "a merged packet arrives" "$(segments on)" exact
is "a merged packet: without a trail" \
	"$(port_get "$s1" h1 '[.trail_added, .gro_skipped]')" "[0,1]"
is "the parts of a packet arrive" "$(segments off)" exact
is "the parts of a packet: with trails" \
	"$(port_get "$s1" h1 '[.trail_added, .gro_skipped]')" "[4,1]"

# --- what the connection tracking of bridges has put together ---------------------------------

if at "$s1" nft "add table bridge t; add chain bridge t c { type filter hook forward priority 0; };
		add rule bridge t c ct state new counter"; then
	is "small fragments arrive, whose bridge tracks connections" \
		"$("$helpers/exact.py" fragments "$h1:eth0:10.9.0.1" "$h2:eth0:10.9.0.2")" exact
else
	skip "fragments" "no connection tracking of bridges"
fi

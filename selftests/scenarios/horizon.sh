#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Split horizon for a customer edge that has a link to each of two provider edges, which a VXLAN
# tunnel joins. Without it, frames of the customer come back to it. With a segment in the trail,
# each frame up to the size limit reaches each other host once, and never its sender. The page is
# Documentation/scenarios/horizon.md.
#
# Direction of error: a frame is withheld wrongly if other members of the trail have set all bits
# of the segment. Frames without a trail are never withheld.
#
#	h1 --- br0 $pe1 vxlan7 ======== vxlan7 $pe2 br0 --- h2
#	          ce                            ce
#	            \\                          /
#	             pe1 --- bond0 $ce --- pe2
#	                      br0
#	                   c1     c2

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../net/helpers/lib.sh"
. "$(dirname "$0")/../net/helpers/loops.sh"
. "$(dirname "$0")/../net/helpers/page.sh"

FRAMES=20
# Bytes of the largest frame that gets a trail: 24 less than 1,400 behind its Ethernet header.
LIMIT=1390
# The same with trail-max 1500.
LARGER=1490

plan 89

# --- the network -------------------------------------------------------------------------

pe1='' pe2='' ce='' c1='' c2=''
switches pe1 pe2 ce
host c1 ce
host c2 ce
host h1 pe1
host h2 pe2
# The bond takes a link by the last byte of source, destination and type: c1's IPv4 broadcasts
# enter at pe1, those of c2 at pe2.
ip -n "$c1" link set eth0 address 02:00:00:00:0c:01
ip -n "$c2" link set eth0 address 02:00:00:00:0c:02
# The network between the provider edges has room for the headers of VXLAN.
veth "$pe1" core "$pe2" core
for name in pe1 pe2; do
	ip -n "${!name}" link set core mtu 1550
	addr "${!name}" core "192.0.2.${name#pe}/24"
	veth "${!name}" ce "$ce" $name
	ip -n "${!name}" link set ce master br0
done

# bond: makes the links of the customer edge one port of its bridge.
bond() {
	local name

	ip -n "$ce" link add bond0 type bond mode balance-xor miimon 100
	for name in pe1 pe2; do
		ip -n "$ce" link set $name down
		ip -n "$ce" link set $name master bond0
	done
	ip -n "$ce" link set bond0 up master br0
}

# bonded: the bond sends by both links.
bonded() {
	[ "$(ip -n "$ce" -d -j link show master bond0 |
		jq -c 'map(.linkinfo.info_slave_data.mii_status)')" = '["UP","UP"]' ]
}

# unbond: makes the links two ports of the bridge.
unbond() {
	local name

	ip -n "$ce" link del bond0
	for name in pe1 pe2; do
		ip -n "$ce" link set $name up master br0
	done
}

# page_exchanged: runs the last block again on pe2, with the addresses exchanged.
page_exchanged() {
	sed 's/192.0.2.1/@/; s/192.0.2.2/192.0.2.1/; s/@/192.0.2.2/' \
		"${page_list[page_next - 1]}" | at "$pe2" bash -euo pipefail
}

# both WHAT [COMMAND...]: the next block succeeds on pe1, and then on pe2, by the command.
both() {
	page_step "$pe1" "$1, on pe1"
	check "$1, on pe2" "${@:2}"
}

# on_both COMMAND...
on_both() {
	at "$pe1" "$@" &>"$lib_dir/none" && at "$pe2" "$@" &>"$lib_dir/none" || exit 1
}

# guard_with WORD...: replaces the guards of both.
guard_with() {
	on_both seenctl guard replace bridge br0 profile loop filter segments no-block \
		trail port ce segment 7 "$@"
}

# arrive WHAT WHO KIND WANT: the frames that c1, c2, h1 and h2 get, in multiples of the frames that
# WHO sends.
arrive() {
	local want=() count

	for count in $4; do
		want+=($((count * FRAMES)))
	done
	ask sends "$2" $FRAMES "$3"
	is "$1" "$answer" "c1 ${want[0]} c2 ${want[1]} h1 ${want[2]} h2 ${want[3]}"
}

# each_once KIND...: of each host, each frame reaches each other host once, and not its sender.
each_once() {
	local kind

	for kind; do
		exactly c1 $FRAMES "$kind"
		exactly c2 $FRAMES "$kind"
		exactly h1 $FRAMES "$kind"
		exactly h2 $FRAMES "$kind"
	done
}

# withheld: the frames that did not leave for the customer edge, at pe1 and pe2.
withheld() {
	echo "$(port_get "$pe1" ce .trail_withheld) $(port_get "$pe2" ce .trail_withheld)"
}

# hosts_start, hosts_stop: while no process reads their sockets, frames would fill them.
hosts_start() {
	hosts c1 c2 h1 h2
	hosts_pid=${lib_pids[-1]}
}

hosts_stop() {
	kill "$hosts_pid" && wait "$hosts_pid"
} 2>/dev/null

# --- without a guard ---------------------------------------------------------------------

page "$(dirname "$0")/../Documentation/scenarios/horizon.md"
both "a tunnel" page_exchanged
bond
ready pe1 pe2 ce
check "the bond has both links" await 20 bonded
hosts_start
arrive "stock bridges: frames of c1 come back, and reach c2 twice" c1 ip4 "1 2 1 1"
arrive "stock bridges: frames of c2 come back, and reach c1 twice" c2 ip4 "2 1 1 1"
is "stock bridges: the customer edge takes c2 for a host behind its bond" \
	"$(bridge -n "$ce" -j fdb get 02:00:00:00:0c:02 br br0 | jq -r '.[0].ifname')" bond0
arrive "stock bridges: frames of h1 reach the customer twice" h1 ip4 "2 2 0 1"

# --- a segment ---------------------------------------------------------------------------

both "a segment" page_again "$pe2"
for size in 60 500 $LIMIT; do
	arrive "a segment, $size bytes: no frame of c1 comes back" c1 "ip4:$size" "0 1 1 1"
	arrive "a segment, $size bytes: no frame of c2 comes back" c2 "ip4:$size" "1 0 1 1"
done
is "a segment: pe1 withholds the frames of c2, and pe2 those of c1" "$(withheld)" \
	"$((3 * FRAMES)) $((3 * FRAMES))"
is "a segment: the customer edge knows where c2 is" \
	"$(bridge -n "$ce" -j fdb get 02:00:00:00:0c:02 br br0 | jq -r '.[0].ifname')" c2
arrive "a segment: frames of h1 still reach the customer twice" h1 ip4 "2 2 0 1"
is "a segment: no frame of h1 is withheld" "$(withheld)" "$((3 * FRAMES)) $((3 * FRAMES))"

# --- and a designated forwarder -----------------------------------------------------------

page_step "$pe2" "a designated forwarder"
each_once ip4:60 ip4:500 ip4:$LIMIT arp mcast ip6 vlan
page_step "$pe1" "the counters"
note "$page_out"
is "pe1 drops nothing else" "$(ports_sum "$pe1" dropped) $(ports_sum "$pe1" trail_strikes)" "0 0"
is "pe2 drops nothing" "$(ports_sum "$pe2" dropped) $(ports_sum "$pe2" trail_strikes)" "0 0"
on_both seenctl guard pause bridge br0
arrive "the designated forwarder alone: frames of c2 come back" c2 ip4 "2 1 1 1"
on_both seenctl guard resume bridge br0

# --- a link fails --------------------------------------------------------------------------

ip -n "$ce" link set pe1 down
arrive "the link of the designated forwarder fails: c1 sends by pe2" c1 ip4 "0 1 1 1"
arrive "and frames of h1 do not reach the customer" h1 ip4 "0 0 0 1"
page_step "$pe2" "another designated forwarder"
arrive "another designated forwarder: they do" h1 ip4 "1 1 0 1"
at "$pe2" bridge link set dev ce flood off mcast_flood off bcast_flood off
ip -n "$ce" link set pe1 up
check "the bond has both links again" await 20 bonded

# --- frames without a trail ----------------------------------------------------------------

arrive "a frame above the limit comes back" c2 ip4:$((LIMIT + 1)) "2 1 1 1"
arrive "a frame that states no length comes back" c1 other "1 2 1 1"
arrive "an unknown unicast frame comes back" c2 unicast "2 1 1 1"
both "every frame, also larger ones" page_again "$pe2"
arrive "match all: an unknown unicast frame does not come back" c2 unicast "1 0 1 1"
arrive "trail-max 1500: a frame of $LARGER bytes does not come back" c2 "ip4:$LARGER" "1 0 1 1"
arrive "trail-max 1500: a larger frame does" c2 ip4:$((LARGER + 1)) "2 1 1 1"
guard_with

# --- a customer edge without a bond ---------------------------------------------------------

# frames: received by the bridge of the customer edge so far.
frames() {
	stat_of "$ce" br0 rx.packets
}

more_frames() {
	[ $(($(frames) - $1)) -ge "$2" ]
}

# No host sends, so the counter stops when no frame circles.
still() {
	local before

	before=$(frames)
	read -rt 1 -u "$lib_never"
	[ "$(frames)" = "$before" ]
}

hosts_stop
on_both seenctl guard pause bridge br0
unbond
ready ce
before=$(frames)
echo "raw eth0 ffffffffffff02000000000188b5$(printf %092d 0)" |
	at "$c1" python3 "$helpers/send.py" >"$lib_dir/none"
check "no bond, stock bridges: one frame has become more than 10,000" \
	await 60 more_frames "$before" 10000
on_both seenctl guard resume bridge br0
check "no bond: the guards end the storm" await 60 still
hosts_start
exactly_when="no bond"
each_once ip4:60 ip4:$LIMIT
guard_with trail-only
arrive "no bond, trails only: c1 sends two copies; none comes back" c1 ip4 "0 1 2 2"
arrive "no bond, trails only: c2 sends two copies; none comes back" c2 ip4 "1 0 2 2"

# --- without a guard, by VXLAN's group policy ------------------------------------------------

hosts_stop
on_both seenctl guard del bridge br0
bond
both "group policy" page_exchanged
ready pe1 pe2 ce
check "the bond has both links once more" await 20 bonded
hosts_start
exactly_when="group policy"
each_once ip4:60 ip4:1514
page_end

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Split horizon for a customer edge that has a link to each of two provider edges, which a VXLAN
# tunnel joins. Without it, frames of the customer come back to it. With a segment in the trail,
# each frame up to the size limit reaches each other host once, and never its sender. The page is
# Documentation/scenarios/horizon.md.
#
# Direction of error: a frame is withheld wrongly if other members of the trail have set all bits
# of the segment. Frames without a trail are never withheld.

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../net/helpers/lib.sh"
. "$(dirname "$0")/../net/helpers/loops.sh"
. "$(dirname "$0")/../net/helpers/page.sh"
. "$(dirname "$0")/../net/helpers/edges.sh"

# Bytes of the largest frame that gets a trail with trail-max 1500.
LARGER=1490

plan 89

edges ce
ip -n "$pe1" link set ce master br0
ip -n "$pe2" link set ce master br0

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

storm "stock bridges"
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

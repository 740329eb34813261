#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# A frame that the bridge refuses must not suppress another one. An attacker at p1 knows which
# frames will arrive at p0, and sends the same frames. The bridge refuses those from p1, for a
# different reason in each case. The host gets each frame once, no matter which one is first.
#
#	$far q0 --- p0 br0 ph --- eth0 $host
#	     q1 --- p1

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/helpers/lib.sh"
. "$(dirname "$0")/helpers/loops.sh"

FRAMES=30
kinds=(pruned no_pvid vlan_blocking mst_blocking learning closed locked dropped)
plan $((3 * ${#kinds[@]} + 17))
box='' far='' host=''
ns box far host
veth "$box" p0 "$far" q0
veth "$box" p1 "$far" q1
veth "$box" ph "$host" eth0
for dev in q0 q1; do
	ip -n "$far" link add link $dev name $dev.10 up type vlan id 10
done
hosts '!q0=far:q0' '!q1=far:q1' '!t0=far:q0.10' '!t1=far:q1.10' h=host:eth0

vlan() {
	at "$box" bridge vlan "$@"
}

port() {
	at "$box" bridge link set dev p1 "$@"
}

bridge_anew() {
	at "$box" seenctl guard del bridge br0 2>/dev/null
	ip -n "$box" link del br0 2>/dev/null
	BR="vlan_filtering 1 vlan_default_pvid 0" br "$box" br0 p0 p1 ph
}

# VLAN 10, tagged at p0 and p1, untagged at the host's port.
add_vlans() {
	vlan add dev p0 vid 10 && vlan add dev p1 vid 10 &&
		vlan add dev ph vid 10 pvid untagged && await 20 forwards "$box"
}

fresh() {
	bridge_anew && add_vlans
}

mst() {
	at "$box" python3 "$helpers/mst.py" "$@"
}

guarded() {
	at "$box" seenctl guard add bridge br0 profile loop no-block "$@" >/dev/null
}

# untag DEV VLAN: untagged frames that arrive at DEV are in this VLAN.
untag() {
	vlan del dev "$1" vid 10 && vlan add dev "$1" vid "$2" pvid untagged
}

# --- why a bridge refuses what p1 brings ------------------------------------------

# Each sets $senders to the devices that send to p1 and to p0.
pruned() {
	fresh && vlan del dev p1 vid 10
}

no_pvid() {
	senders=(q1 q0)
	fresh && untag p0 10
}

vlan_blocking() {
	fresh && vlan set dev p1 vid 10 state blocking
}

mst_blocking() {
	bridge_anew && mst enable br0 && add_vlans && mst map br0 10 1 &&
		mst state p0 1 3 && mst state ph 1 3 && mst state p1 1 4
}

learning() {
	fresh && port state 2
}

closed() {
	fresh && port state disabled
}

locked() {
	fresh && port learning off locked on
}

dropped() {
	fresh && at "$box" nft "add table bridge t
		add chain bridge t c { type filter hook prerouting priority 0; }
		add rule bridge t c iif p1 drop"
}

# undo KIND: removes the settings that remain when the bridge is deleted.
undo() {
	at "$box" nft "add table bridge t; delete table bridge t"
}

for kind in "${kinds[@]}"; do
	senders=(t1 t0)
	if ! $kind || ! guarded; then
		not_ok "$kind: is set up"
		continue
	fi
	ask both "${senders[0]}" $FRAMES "${senders[1]}" ip4
	is "$kind: p1's frames come first" "$answer" exact
	ask both "${senders[1]}" $FRAMES "${senders[0]}" ip4
	is "$kind: p0's frames come first" "$answer" exact
	is "$kind: no frame of p1 is stored, and no frame of p0 is dropped" "$(at "$box" \
		seenctl -j -s guard show | jq -c '[.[].ports[] |
		select(.name == "p1").new, select(.name == "p0").dropped]')" "[0,0]"
	undo
done

# --- what reaches some ports and not others ----------------------------------------

isolate() {
	fresh && port isolated on && at "$box" bridge link set dev ph isolated on && guarded
}

check "p1 and the host's port are isolated" isolate
ask both t1 $FRAMES t0 ip4
is "a frame of an isolated port may arrive again by another port" "$answer" exact
ask both t0 $FRAMES t1 ip4
is "the same if the isolated port is second" "$answer" exact
is "further copies are dropped" "$(port_get "$box" p1 .dropped)" $FRAMES

# --- what is accepted in another VLAN -----------------------------------------------

two_vlans() {
	fresh && untag p0 10 && untag p1 20 && vlan add dev br0 vid 20 self && guarded
}

check "p1 is in another VLAN, which the bridge itself is in, too" two_vlans
ask both q1 $FRAMES q0 ip4
is "a frame that was accepted in one VLAN is accepted in the other" "$answer" exact
ask both q0 $FRAMES q1 ip4
is "the same in the opposite order" "$answer" exact
is "each frame is stored in both VLANs" "$(at "$box" seenctl -j -s guard show |
	jq -c '[.[].ports[] | select(.name == "p0" or .name == "p1").new]')" \
	"[$((2 * FRAMES)),$((2 * FRAMES))]"

# --- what is accepted, tagged or not, is in one VLAN --------------------------------

fresh
untag p1 10
guarded
ask both q1 $FRAMES t0 ip4
is "tagged frames are copies of untagged ones in the same VLAN" "$answer" exact
is "the copies are dropped" "$(port_get "$box" p0 .dropped)" $FRAMES

# --- unicast ----------------------------------------------------------------------

# The host and the address that it sends to are behind one port.
fresh
guarded match all
at "$box" bridge fdb add 02:ff:ff:ff:ff:ff dev ph master static vlan 10
ask both h $FRAMES t0 unicast
is "a frame refused as it would leave by its own port may arrive by another" "$answer" exact
ip -n "$box" link set br0 promisc on
ask both h $FRAMES t0 unicast
is "the same with a promiscuous bridge" "$answer" exact
is "refused frames are counted" "$(port_get "$box" ph .refused)" $((2 * FRAMES))

# The hosts send to the bridge's own address.
for promisc in off on; do
	fresh
	ip -n "$box" link set br0 address 02:ff:ff:ff:ff:ff promisc $promisc
	vlan add dev br0 vid 10 self
	guarded match all
	ask both t0 $FRAMES t1 unicast
	is "frames to the bridge itself are stored, promiscuous mode $promisc" \
		"$(port_get "$box" p0 .new) $(port_get "$box" p1 .dropped)" "$FRAMES $FRAMES"
done

# --- queues of userspace ------------------------------------------------------------

queued() {
	fresh && at "$box" nft "add table bridge t
		add chain bridge t c { type filter hook prerouting priority 0; }
		add rule bridge t c queue num 0" && guarded
}

queued || note "there is no queue"
listen queue at "$box" python3 "$helpers/queue.py"
heard queue 10 ready >/dev/null
ask both t0 $FRAMES t1 ip4
is "frames that a queue delays are stored, and their copies are dropped" \
	"$answer $(port_get "$box" p0 .new) $(port_get "$box" p1 .dropped)" \
	"exact $FRAMES $FRAMES"
is "no frame is refused or left unrecorded" \
	"$(ports_sum "$box" refused) $(ports_sum "$box" unrecorded)" \
	"0 0"

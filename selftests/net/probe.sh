#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Probes distinguish a loop from other causes of copies. In each case copies come back by p1,
# once with the copy before the frame, and once after it. Then a wire joins two ports of the
# bridge: that is a loop if the bridge forwards between them, and no loop if it does not.
#
#	$far q0 --- p0 br0 ph --- eth0 $host
#	     q1 --- p1

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/helpers/lib.sh"

plan 42
box='' far='' host=''
ns box far host
veth "$box" p0 "$far" q0
veth "$box" p1 "$far" q1
veth "$box" ph "$host" eth0
events m "$box" -j
sent=0

# bridge_anew OPTION...: not guarded yet, and no wire behind it.
bridge_anew() {
	at "$box" seenctl guard del bridge br0 2>/dev/null
	ip -n "$far" link del br1 2>/dev/null
	ip -n "$box" link del br0 2>/dev/null
	BR="$*" br "$box" br0 p0 p1 ph
	await 20 all_forward "$box" 3
}

all_forward() {
	[ "$(at "$1" bridge link show | grep -c 'state forwarding')" = "$2" ]
}

guarded() {
	at "$box" seenctl guard add bridge br0 profile loop "$@" >/dev/null
	so_far "$box" m
}

# wired: q0 and q1 are ports of a bridge.
wired() {
	br "$far" br1 q0 q1
	await 20 all_forward "$far" 2
}

# pairs DEV DEV: new frames, each by the one device and at once by the other.
pairs() {
	at "$far" python3 "$helpers/pair.py" $((sent += 100)) 20 "$@"
}

# The next finding, in $finding.
probed() {
	finding=$(heard m 20 '"event":"probed"')
}

kind() {
	jq -r .finding.kind <<<"$finding"
}

# found: its kind, its ports in order and VLANs.
found() {
	jq -rc '[.finding | .kind, ([.port, .other // empty] | sort | join("-")), .vlan, .into] |
		map(select(. != null)) | join(" ")' <<<"$finding"
}

no_block() {
	is "$1: no port is blocked" \
		"$(ports_sum "$box" blocks) $(ports_sum "$box" would_block)" "0 0"
}

circles() {
	at "$box" frames $((sent += 100)) 20 br0
}

# --- two senders, or one that has moved -----------------------------------------------

for order in "q0 q1" "q1 q0"; do
	bridge_anew
	guarded
	# shellcheck disable=SC2086 # two words
	pairs $order
	probed
	is "$order send the same frames: no probe comes back" "$(kind)" unconfirmed
	no_block "$order"
done

# --- another guard takes the place of the guard ---------------------------------------

# captures_probe: the first probe that leaves the bridge, by q0 or q1.
captures_probe() {
	exec nsenter --net="/run/netns/$far" -- python3 -c '
import select, socket
socks = [socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(0x88b5)) for _ in "01"]
for sock, dev in zip(socks, ("q0", "q1")):
    sock.bind((dev, 0x88b5))
print("bound", flush=True)
while True:
    for sock in select.select(socks, [], [])[0]:
        frame, where = sock.recvfrom(2048)
        if where[2] != 4 and frame[14:18] == b"seen":
            print(frame.hex(), flush=True)
            raise SystemExit'
}

# hear_until LAST: frames that come to the host, up to this one.
hear_until() {
	exec nsenter --net="/run/netns/$host" -- python3 -c '
import socket, sys
sock = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(0x88b5))
sock.bind(("eth0", 0x88b5))
print("bound", flush=True)
while True:
    frame = sock.recv(2048).hex()
    print(frame, flush=True)
    if frame == sys.argv[1]:
        break' "$1"
}

lines() {
	[ "$(wc -l <"$1")" -ge "$2" ]
}

bridge_anew
guarded
captures_probe >"$lib_dir/captured" &
capturer=$!
await 20 lines "$lib_dir/captured" 1
pairs q0 q1
join "a probe is captured" $capturer
probe=$(tail -n1 "$lib_dir/captured")
check "another guard replaces this guard" \
	at "$box" seenctl guard replace bridge br0 profile loop priority -900
last=ffffffffffff02000000ee0288b5$(printf '%092d' 1)
hear_until "$last" >"$lib_dir/host" &
hearer=$!
await 20 lines "$lib_dir/host" 1
at "$far" python3 -c '
import socket, sys
sock = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
sock.bind(("q0", 0))
for frame in sys.argv[1:]:
    sock.send(bytes.fromhex(frame))' "$probe" "$last"
join "a frame after the probe is forwarded" $hearer
is "the probe of the old guard is not" "$(grep -c "^$probe$" "$lib_dir/host")" 0

# --- a wire between the ports --------------------------------------------------------

bridge_anew
guarded
wired
circles
probed
is "a wire: a loop" "$(found)" "loop p0-p1"
check "one of the two ports is blocked" heard m 20 '"event":"port-blocked"'
is "there is only one block" "$(ports_sum "$box" blocks)" 1

# not_forwarded NAME OPTION...: with this option of both ports the bridge does not forward between
# them.
not_forwarded() {
	local dev

	bridge_anew
	for dev in p0 p1; do
		at "$box" bridge link set dev $dev "${@:2}"
	done
	guarded
	wired
	at "$box" frames $((sent += 100)) 20 br0
	at "$host" frames $((sent += 100)) 20 eth0
	pairs q0 q1
	probed
	is "$1: a path, and no loop" "$(found)" "path p0-p1"
	no_block "$1"
}

not_forwarded isolated isolated on
not_forwarded bcast_flood bcast_flood off mcast_flood off
not_forwarded locked learning off locked on

bridge_anew
at "$box" bridge link set dev p1 state 2
guarded
wired
circles
probed
is "a port that learns: a path, and no loop" "$(found)" "path p0-p1"
no_block learning

# A rule of somebody's drops what would go from the one to the other.
bridge_anew
at "$box" nft "add table bridge t
	add chain bridge t c { type filter hook forward priority 0; }
	add rule bridge t c iif { p0, p1 } oif { p0, p1 } drop"
guarded
wired
circles
probed
is "a forward rule: a path, and no loop" "$(found)" "path p0-p1"
no_block "a forward rule"
at "$box" nft delete table bridge t

# p1 does not send, but frames that it receives leave by p0: that is a loop.
bridge_anew
at "$box" bridge link set dev p1 bcast_flood off mcast_flood off
guarded
wired
circles
probed
is "a wire that carries one way: a loop" "$(found)" "loop p0-p1"
check "one of the two ports is blocked" heard m 20 '"event":"port-blocked"'

# --- VLANs ------------------------------------------------------------------------------

# p0 and p1 are untagged, in two VLANs, of which the bridge itself is in both.
bridge_anew vlan_filtering 1 vlan_default_pvid 0
for item in "p0 10" "p1 20" "ph 10"; do
	read -r dev vlan <<<"$item"
	at "$box" bridge vlan add dev "$dev" vid "$vlan" pvid untagged
done
at "$box" bridge vlan add dev br0 vid 10 self pvid untagged
at "$box" bridge vlan add dev br0 vid 20 self
guarded
wired
# A frame of VLAN 10 comes back in VLAN 20, so it is no copy. Two that come by both are: in
# each VLAN one is first, by ph or by p0.
at "$host" frames $((sent += 100)) 20 eth0
at "$box" python3 "$helpers/pair.py" $sent 20 br0
pairs q0 q1
no_block "two VLANs wired together"

# Both are trunks of VLAN 10; p1 is in VLAN 20, too. The tag changes on the way.
bridge_anew vlan_filtering 1 vlan_default_pvid 0
for dev in p0 p1; do
	at "$box" bridge vlan add dev $dev vid 10
done
at "$box" bridge vlan add dev ph vid 10 pvid untagged
at "$box" bridge vlan add dev br0 vid 10 self pvid untagged
guarded
wired
at "$host" frames $((sent += 100)) 20 eth0
probed
is "a wire between trunks: a loop in that VLAN" "$(found)" "loop p0-p1 10"
check "one of the two ports is blocked" heard m 20 '"event":"port-blocked"'

# pruned: VLAN 10 at p0 alone; what p1 brings of it is refused.
bridge_anew vlan_filtering 1 vlan_default_pvid 0
at "$box" bridge vlan add dev p0 vid 10
at "$box" bridge vlan add dev p1 vid 20
at "$box" bridge vlan add dev ph vid 10 pvid untagged
guarded
wired
at "$host" frames $((sent += 100)) 20 eth0
no_block "a VLAN that is pruned at one of two trunks"

# --- what an operator says ----------------------------------------------------------------

bridge_anew
guarded no-probe
wired
circles
await 20 ports_reach "$box" dup_other_port 20
so_far "$box" m
is "no-probe: copies are dropped" \
	"$(at "$box" seenctl -j -s guard show | jq '[.[].ports[].dropped] | add >= 20')" true
is "no-probe: no probe is sent" "$(at "$box" seenctl -j guard show | jq -c '[.[].findings[]]')" "[]"
no_block no-probe
at "$box" seenctl guard set bridge br0 probe
circles
probed
is "probe, live: the loop is found" "$(found)" "loop p0-p1"
check "the loop is cut" heard m 20 '"event":"port-blocked"'

bridge_anew
guarded action drop
wired
circles
await 20 ports_reach "$box" dup_other_port 20
so_far "$box" m
is "action drop sends no probe" "$(at "$box" seenctl -j guard show | jq -c '[.[].findings[]]')" "[]"

bridge_anew
guarded protect p0 protect p1
wired
circles
probed
is "two protected ports: a loop is found" "$(found)" "loop p0-p1"
no_block "two protected ports"

bridge_anew
guarded protect p1
wired
circles
event=$(heard m 20 '"event":"port-blocked"')
is "one protected port: the other one of the loop is blocked" "$(jq -r .port <<<"$event")" p0

bridge_anew
guarded
wired
at "$far" nft "add table netdev t
	add chain netdev t c { type filter hook ingress device q0 priority 0; }
	add rule netdev t c ether type 0x88b5 @ll,112,32 0x7365656e drop"
circles
probed
is "a switch that drops probes: unconfirmed, or a loop by the other direction" \
	"$(kind | sed 's/loop/unconfirmed/')" unconfirmed
at "$far" nft delete table netdev t

# --- control groups -----------------------------------------------------------------------

# group DESTINATION COUNT: so many frames to a group come by p0, and at once by p1.
group() {
	local line lines=() n

	for ((n = 0; n < $2; n++)); do
		printf -v line '%s 020000000099 002a aaaa0300000c010b %08x' "$1" $((sent += 1))
		lines+=("raw q0 $line" "raw q1 $line")
	done
	send_all "${lines[@]}"
}

sender "$far"
bridge_anew
guarded
group 01000ccccccd 20
is "PVST+ by two ports: copies are dropped" "$(port_get "$box" p1 .dropped)" 20
so_far "$box" m
is "PVST+ by two ports: no suspicion" \
	"$(at "$box" seenctl -j guard show | jq -c '[.[].findings[]]')" "[]"
group 01005e000012 3
probed
is "another group: a suspicion" "$(kind)" unconfirmed
at "$box" seenctl guard set bridge br0 exempt 01:00:5e:00:00:10/44
group 01005e000012 3
so_far "$box" m
is "the group is exempt, live: no suspicion" "$(at "$box" seenctl -j guard show |
	jq '[.[].findings[].count] | add')" 1
at "$box" seenctl guard set bridge br0 exempt none
group 01005e000012 3
probed
is "the group is not exempt any more: a suspicion" "$(jq .finding.count <<<"$finding")" 2

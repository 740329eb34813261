#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Identical frames that arrive again on their own port, as VRRPv3 over IPv6 sends them every
# 10 ms. Without a sign of a loop all of them pass. With a sign each frame passes once per 100 ms,
# but only on the ports and in the VLAN that the sign is for.
#
#	$far q0 --- p0 br0 p2 --- q2 $far
#	     q1 --- p1

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/helpers/lib.sh"

[[ ${KERNEL:-} != *debug ]] || skip_all "10 ms are no time for a kernel that checks itself"
plan 15
box='' far=''
ns box far
for n in 0 1 2; do
	veth "$box" p$n "$far" q$n
done
br "$box" br0 p0 p1 p2
link_up "$box" p0 p1 p2
events m "$box" -j
sent=0

# advertise COUNT DEV [VLAN]: the same advertisement so often, each 10 ms.
advertise() {
	at "$far" python3 -c '
import socket, struct, sys, time
sock = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
sock.bind((sys.argv[2], 0))
tag = struct.pack("!HH", 0x8100, int(sys.argv[3])) if len(sys.argv) > 3 else b""
body = bytes.fromhex("60000000000870ff") + bytes(32) + bytes(8)
frame = bytes.fromhex("333300000012" "00005e000201") + tag + b"\x86\xdd" + body
for _ in range(int(sys.argv[1])):
    sock.send(frame)
    time.sleep(0.01)
' "$@"
}

guarded() {
	at "$box" seenctl guard del bridge br0 2>/dev/null
	at "$box" seenctl guard add bridge br0 profile loop "$@" >/dev/null
	so_far "$box" m
}

# of PORT: new frames, repeats and duplicates.
of() {
	port_get "$box" "$1" '[.new, .repeats, .dup_same_port, .dup_other_port]'
}

pairs() {
	at "$far" python3 "$helpers/pair.py" $((sent += 100)) "$@"
}

# --- no sign ------------------------------------------------------------------------

guarded
advertise 200 q0
is "200 advertisements, 10 ms apart: all pass" "$(of p0)" "[1,199,0,0]"
is "there is no probe" "$(at "$box" seenctl -j guard show | jq -c '[.[].findings[]]')" "[]"

# --- a suspicion ----------------------------------------------------------------------

# p1 returns a frame of p0's each second, which is no suspicion; advertisements go on.
guarded
for _ in 1 2 3; do
	pairs 1 q0 q1
	advertise 100 q0
done
is "a port that returns one frame a second: its copies are dropped" \
	"$(port_get "$box" p1 .dup_other_port)" 3
is "no advertisement is dropped" "$(port_get "$box" p0 .dup_same_port)" 0

# Three frames are one: until its probes are answered, or 500 ms, and not again for 10 s.
guarded
pairs 3 q0 q1
advertise 100 q0
check "three frames are a suspicion, which is probed" heard m 20 '"event":"probed"'
dropped=$(port_get "$box" p0 .dup_same_port)
between "at most the advertisements of 500 ms are dropped in a second" \
	"$dropped" 0 52
pairs 3 q0 q1
advertise 100 q0
check "a second suspicion is probed, too" heard m 20 '"event":"probed"'
is "a second suspicion is no sign" "$(port_get "$box" p0 .dup_same_port)" "$dropped"
advertise 100 q2
is "another port has no sign" "$(port_get "$box" p2 .dup_same_port)" 0

# --- many repeats ------------------------------------------------------------------------

guarded repeat 20
advertise 100 q0 10
between "more than 20 a second: 20 pass, then one per 100 ms" \
	"$(port_get "$box" p0 .repeats)" 20 50
between "the others are duplicates" "$(port_get "$box" p0 .dup_same_port)" 49 79
before=$(port_get "$box" p0 .dup_same_port)
advertise 15 q0 20
is "in another VLAN of the port all pass" "$(port_get "$box" p0 .dup_same_port)" "$before"
advertise 15 q2 10
is "on another port all pass" "$(port_get "$box" p2 .dup_same_port)" 0
at "$box" seenctl guard set bridge br0 repeat 100000
before=$(port_get "$box" p0 .dup_same_port)
advertise 100 q0 11
is "repeat, live: no frame is dropped" "$(port_get "$box" p0 .dup_same_port)" "$before"

# --- a control group ----------------------------------------------------------------------

guarded repeat 1 exempt 33:33:00:00:00:12
# A tenth of a second holds ten, of which ten pass.
advertise 100 q0
between "in a control group ten per 100 ms pass" "$(port_get "$box" p0 .repeats)" 60 99

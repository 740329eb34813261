#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Guards: verdicts, actions, counters, budgets; devices that are added, deleted or renamed, that
# join or leave the bridge, or move to another namespace.
#
#	h1 --- +----+
#	       | s1 | --- h3
#	h2 --- +----+

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/helpers/loops.sh"

plan 95
switches s1
for n in 1 2 3; do
	host "h$n" s1
done
ready s1
hosts h1 h2 h3 '!own=s1:br0'
events events "$s1"

seen() {
	at "$s1" seenctl "$@"
}

# of DEVICE JQ: of the guard of that name.
of() {
	seen -j -s guard show | jq -c --arg dev "$1" \
		".[] | select(.dev == \$dev) | $2"
}

# said REGEX: the next such event.
said() {
	heard events 20 "$1" >/dev/null
}

# answer WHAT GOT: of the command of hosts.py that follows.
answer() {
	local what=$1 want=$2

	shift 2
	ask "$@"
	is "$what" "$answer" "$want"
}

# since UPTIME: milliseconds that have passed, and a few for rough clocks.
since() {
	local now

	read -r now _ </proc/uptime
	echo $(((${now/./} - ${1/./}) * 10 + 30))
}

# age LEAST SINCE: of the last duplicate, in milliseconds, is no less than that,
# and no more than has passed.
age() {
	between "the age of the last one is right" \
		"$(of h1 '.ports[0].last.age / 1000000 | floor')" \
		"$1" "$(since "$2")"
}

passes="h1 0 h2 6 h3 6"
dropped="h1 0 h2 0 h3 0"

# --- actions -----------------------------------------------------------------

seen filter add dup0 type cuckoo capacity 10k window 10m key frame fpp 1e-6
seen filter add spare type cuckoo capacity 10k window 10m key frame fpp 1e-6
check "a guard" seen guard add dev h1 filter dup0
check "guard add is reported as an event" said "guard-add dev h1 hook ingress filter dup0"
is "the default is action count, match all" \
	"$(of h1 '[.match, .verdict, .action, .state]')" \
	'["all","dup","count","armed"]'
answer "count: new frames pass" "$passes" sends h1 6
read -r before _ </proc/uptime
answer "count: duplicates pass" "$passes" again h1 1
is "count: both are counted" \
	"$(of h1 '.ports[0] | [.judged, .new, .dup_same_port, .dropped]')" \
	'[12,6,6,0]'
check "an event reports duplicates" said "suspect dev h1 .* port h1"
check "an event reports their end" said "calm dev h1 .* port h1 count 6 "
is "the event has the last frame" \
	"$(of h1 '.ports[0].last | [.smac, .port, .first_port]')" \
	"[\"$(mac "$h1" eth0)\",\"h1\",\"h1\"]"
age 1000 "$before"

check "set drop" seen guard set dev h1 action drop
read -r before _ </proc/uptime
answer "drop: duplicates do not pass" "$dropped" again h1 1
answer "drop: new frames pass" "$passes" sends h1 6
is "drop: they are counted" "$(of h1 '.ports[0].dropped')" 6
age 0 "$before"
is "drops do not appear in rx_dropped" "$(stat_of "$s1" h1 rx.dropped)" 0

check "pause" seen guard pause dev h1
is "it says so" "$(of h1 .state)" '"paused"'
answer "the next packet passes" "$passes" again h1 1
check "resume" seen guard resume dev h1
answer "the next duplicate does not" "$dropped" again h1 1
check "pause all" seen guard pause all
answer "every guard is paused" "$passes" again h1 1
check "resume all" seen guard resume all
answer "and resumed" "$dropped" again h1 1

check "reset" seen guard reset dev h1
is "its counters are 0" "$(of h1 '.ports[0] | [.judged, .new, .dropped]')" '[0,0,0]'
answer "and count" "$dropped" again h1 1
is "the guard judges as before" "$(of h1 '.ports[0] | [.judged, .dropped]')" '[6,6]'
check "reset all" seen guard reset all
is "the counters of every guard are 0" "$(of h1 '.ports[0].judged')" 0

check "set mark" seen guard set dev h1 action mark 7
at "$s1" nft -f - <<-END
	table netdev t {
		counter marked { }
		chain c {
			type filter hook ingress device h1 priority 0;
			meta mark 7 counter name marked drop
		}
	}
	END
answer "mark: nftables takes part" "$dropped" again h1 1
is "mark: it found every duplicate" \
	"$(at "$s1" nft -j list counters | jq '.nftables[1].counter.packets')" 6
is "mark: the guard counts the marked frames" "$(of h1 '.ports[0].marked')" 6
at "$s1" nft delete table netdev t
check "the filter is in use" seen filter swap dup0 spare
answer "swapped for an empty one: the frames are new" "$passes" again h1 1
check "delete" seen guard del dev h1
check "guard del is reported as an event" said "guard-del dev h1"

# --- hooks, matches, what is not judged --------------------------------------

seen guard add dev h2 filter dup0 hook egress action drop >/dev/null
answer "egress: new frames pass" "$passes" sends h1 6
answer "egress: duplicates do not leave by that device" "h1 0 h2 0 h3 6" \
	again h1 1
is "egress: they are counted there" "$(of h2 '.ports[0].dropped')" 6
seen guard del dev h2 hook egress

seen guard add dev h1 filter dup0 match bum action drop >/dev/null
answer "bum: unicast is not judged" "$passes" sends h1 6 unicast
answer "bum: nor are its repeats" "$passes" again h1 1
is "bum: it is not counted" "$(of h1 '.ports[0].judged')" 0
ask sends h1 6 lldp
is "frames that never leave a link are exempt" \
	"$(of h1 '.ports[0] | [.judged, .exempt]')" '[0,6]'
seen guard del dev h1

seen filter add flows type cuckoo capacity 10k key flow fpp 1e-6
seen guard add dev h1 filter flows action drop >/dev/null
answer "a frame without such a key passes" "$passes" sends h1 6 arp
answer "it passes again" "$passes" again h1 1
is "that is counted as without a key" "$(of h1 '.ports[0] | [.judged, .nokey]')" '[0,12]'
is "the filter counts it, too" \
	"$(seen -j -s filter show flows | jq '.[0].stats.nokey')" 12
seen guard del dev h1

# --- ports -------------------------------------------------------------------

seen guard add bridge br0 filter dup0 verdict other-port action drop >/dev/null
answer "other-port: new frames pass" "$passes" sends h1 6
answer "other-port: repeats on their own port, too" "$passes" again h1 1
answer "other-port: repeats on another port are dropped" "$dropped" again h2 1
is "other-port: the duplicate is counted at that port" \
	"$(of br0 '.ports | map([.name, .repeats, .dup_other_port])')" \
	'[["br0",0,0],["h1",6,0],["h2",0,6],["h3",0,0]]'
is "the last duplicate has the first port" \
	"$(of br0 '.ports[] | select(.name == "h2").last_other.first_port')" '"h1"'

ip -n "$s1" link set h3 nomaster
is "a port that leaves the bridge is not listed any more" \
	"$(of br0 '.ports | map(.name)')" '["br0","h1","h2"]'
ip -n "$s1" link set h3 master br0
ip -n "$s1" link set h3 down
ip -n "$s1" link set h3 name other
ip -n "$s1" link set other up
ready s1
is "a port that joins, and is renamed, is listed" \
	"$(of br0 '.ports | map(.name)')" '["br0","h1","h2","other"]'
ask sends h3 6
is "that port is guarded" "$(of br0 '.ports[3].new')" 6
ip -n "$s1" link set other down
ip -n "$s1" link set other name h3
ip -n "$s1" link set h3 up

for n in {1..80}; do
	echo "link add p$n group 9 type dummy"
	echo "link set p$n master br0"
done | ip -n "$s1" -b -
is "a guard with more ports than a message holds lists each once" \
	"$(of br0 '.ports | map(.name) | (length, (unique | length))' | xargs)" \
	"84 84"
ip -n "$s1" link del group 9
is "after they are deleted four ports are listed" "$(of br0 '.ports | length')" 4
seen guard del bridge br0

# --- budgets -----------------------------------------------------------------

# Keys with their ports: three tenths of the capacity.
seen filter add small type cuckoo bits 32 capacity 134 window 10m key frame
for n in 1 3; do
	seen guard add dev h$n filter small action drop >/dev/null
done
is "two ports share half of the room" \
	"$(of h1 '.ports[0].budget')$(of h3 '.ports[0].budget')" 1010
answer "a frame over budget passes" "h1 0 h2 40 h3 40" sends h1 40
is "a frame over budget is not stored, but counted" \
	"$(of h1 '.ports[0] | [.new, .over_budget]')" '[30,10]'
check "an event reports it with the port" said "saturated dev h1 .* port h1 count [0-9]"
answer "the other port has its own share" "h1 10 h2 10 h3 0" sends h3 10
answer "the other port has its full protection" "h1 0 h2 0 h3 0" again h3 1
seen guard del dev h1
seen guard del dev h3
seen filter del small

# Frames of the bridge itself leave by three ports, and are never judged. A key without a known
# port takes as much room as any other. Half of an odd number is rounded up.
declare -A told=([cuckoo]='[50,251,502,147,0]' [bloom]='[50,250,500,150,0]')
for kind in "cuckoo bits 32 capacity 1340" "bloom fpp 1e-3 capacity 400"; do
	# shellcheck disable=SC2086 # several words
	seen filter add small type $kind window 10m key frame
	seen guard add bridge br0 filter small verdict dup action drop >/dev/null
	answer "${kind%% *}: a bridge's own pass beyond its budget" \
		"h1 300 h2 300 h3 300" sends own 300
	is "${kind%% *}: once new, twice repeated, or over it each time" \
		"$(of br0 '.ports[0] |
			[.budget, .new, .repeats, .over_budget, .dropped]')" \
		"${told[${kind%% *}]}"
	seen guard del bridge br0
	seen filter del small
done

# --- packets merged by GRO ---------------------------------------------------

seen guard add dev h1 filter dup0 action drop >/dev/null
addr "$h1" eth0 192.0.2.1/24
addr "$h2" eth0 192.0.2.2/24
at "$h2" python3 -c '
import socket
server = socket.create_server(("192.0.2.2", 9))
print("ready", flush=True)
peer = server.accept()[0]
while peer.recv(65536):
    pass
' >"$lib_dir/server" &
lib_pids+=($!)
await 20 grep -q ready "$lib_dir/server"
at "$h1" python3 -c '
import socket
with socket.create_connection(("192.0.2.2", 9)) as peer:
    peer.sendall(bytes(1000000))'
between "merged packets are skipped, and counted" \
	"$(of h1 '.ports[0].gro_skipped')" 10 10000
seen guard del dev h1

# The host's own multicast comes back to it with no Ethernet header.
ip -n "$s1" link add y0 type veth peer name y1
ip -n "$s1" link set y1 up
addr "$s1" y0 203.0.113.1/24
ip -n "$s1" link set y0 up
ip -n "$s1" route add 224.0.0.1 dev y0
seen guard add dev y0 filter dup0 match bum action drop >/dev/null
at "$s1" nft -f - <<-END
	table ip t {
		counter came { }
		chain c {
			type filter hook input priority 0;
			udp dport 9 counter name came
		}
	}
	END

came() {
	[ "$(at "$s1" nft -j list counters |
		jq '.nftables[1].counter.packets')" = "$1" ]
}

# shellcheck disable=SC2016 # the other shell expands it
at "$s1" bash -c 'for n in 1 2 3; do echo >/dev/udp/224.0.0.1/9; done'
check "bum: own multicast, looped back, passes" await 10 came 3
is "bum: it is neither judged nor without a key" \
	"$(of y0 '.ports[0] | [.judged, .nokey]')" '[0,0]'
at "$s1" nft delete table ip t
seen guard del dev y0
ip -n "$s1" link del y0

# --- devices that come and go ------------------------------------------------

ns away
check "a guard of a device that is not there" seen guard add dev x0 filter dup0
is "the guard waits" "$(of x0 '[.state, .ifindex]')" '["waiting",0]'
match "the text says why" "$(at "$s1" seenctl guard show dev x0)" 'state waiting \(no such device\)'
check "an event reports that it waits" said "waiting dev x0"
ip -n "$s1" link add x0 type veth peer name x1
check "it is armed when the device comes" said "armed dev x0"
ip -n "$s1" link set x0 name x2
check "it waits when it takes another name" said "waiting dev x0"
ip -n "$s1" link set x1 name x0
check "another device may take the old name" said "armed dev x0"
ip -n "$s1" link set x0 netns "$away"
check "it waits when it moves to another namespace" said "waiting dev x0"
ip -n "$away" link set x0 netns "$s1"
check "it is armed when the device is back" said "armed dev x0"
ip -n "$s1" link del x0
check "it waits when the device is gone" said "waiting dev x0"
seen guard del dev x0

check "a guard of a bridge that is not there" \
	seen guard add bridge br1 profile loop
ip -n "$s1" link add br1 type bridge
check "it is armed when the bridge is added" said "armed bridge br1"
ip -n "$s1" link set h3 master br1
is "the guard has the ports of the bridge" "$(of br1 '.ports | map(.name)')" \
	'["br1","h3"]'
ip -n "$s1" link set h3 master br0
ip -n "$s1" link del br1
check "it waits when the bridge is deleted" said "waiting bridge br1"
seen guard del bridge br1

# --- a packet must not meet itself -------------------------------------------

seen guard add dev h1 filter dup0 action drop >/dev/null
seen guard add dev v7 filter dup0 action drop >/dev/null
ip -n "$s1" link add link h1 name v7 type vlan id 7
check "a guard of an upper device is suspended" \
	said "suspended dev v7 .* port v7 other h1"
is "its port is shown as suspended" "$(of v7 '.ports[0].suspended')" true
ip -n "$s1" link set v7 up
answer "frames pass it unjudged" "h1 0 h2 0 h3 0" sends h1 6 vlan
is "frames are judged once, and none is a copy of itself" \
	"$(of h1 '.ports[0].dup_same_port')$(of v7 '.ports[0].judged')" 00
seen guard del dev h1
check "it resumes when the lower guard is deleted" said "resumed dev v7"
refuse "a guard of the lower device is refused, with both names" 1 \
	"v7 and h1 get the same packets" \
	seen guard add dev h1 filter dup0
refuse "a guard of the bridge of this device is refused" 1 "get the same packets" \
	seen guard add bridge br0 filter dup0
seen guard del dev v7
seen guard add dev h1 filter dup0 >/dev/null
refuse "a guard of a bridge is refused above guards of its ports" 1 \
	"br0 and h1 get the same packets" \
	seen guard add dev br0 filter dup0

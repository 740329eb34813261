#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Changes filters and guards in every way while packets flow. The guard judges each packet
# exactly once, each rule gives the right answer for it, and it arrives.
#
#	$far eth0 ---- eth0 $box: a guard, and three rules in INPUT

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/helpers/lib.sh"

tool=iptables-legacy
. "$(dirname "$0")/helpers/rules.sh"

ROUNDS=$(scale 2 2 20 200)
FIRST=1001 KEYS=1000

kinds=(
	"type bloom fpp 1e-3"
	"type bloom layout classic fpp 1e-3"
	"type cuckoo bits 32"
	"type counting fpp 1%"
	"type map"
	"type cuckoo bits 32 window 1h"
)

# Sends datagrams until SIGTERM. Prints "begun" first, and the number of datagrams at the end.
flood() {
	exec nsenter --net="/run/netns/$far" -- python3 -c '
import signal, socket, sys
ended = []
signal.signal(signal.SIGTERM, lambda *_: ended.append(True))
sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
first, keys = int(sys.argv[1]), int(sys.argv[2])
sent = 0
print("begun", flush=True)
while not ended:
    sock.sendto(b"", ("192.0.2.2", first + sent % keys))
    sent += 1
print(sent)
' "$FIRST" "$KEYS"
}

# ports: the destination ports of all datagrams, as keys; with values for a map.
ports() {
	case $kind in
	*map*)	seq -f '%.0f 1' $FIRST $((FIRST + KEYS - 1)) ;;
	*)	seq $FIRST $((FIRST + KEYS - 1)) ;;
	esac
}

# filter NAME CAPACITY: each has the same hash secret, so that the filters can be merged.
filter() {
	# shellcheck disable=SC2086 # one word a parameter
	echo "filter add $1 capacity $2 key dport seed $SEED $kind"
}

# The filters known and known2 hold all keys; the other filters stay empty.
make() {
	local name

	for name in known known2 empty guarded guarded2; do
		filter $name 4k
	done | ask -b - >/dev/null || return
	for name in known known2; do
		ports | ask key add $name - >/dev/null || return
		ask filter export $name $name.seen --with-secret || return
	done
	ask filter export guarded guarded.seen --with-secret
}

# A filter that a rule references cannot be renamed; a filter of a guard can.
commands() {
	cat <<-END
		filter swap known known2
		filter merge known known2 --force
		filter import known known.seen --replace
		filter set known on-full reject
		filter flush empty
		filter swap guarded guarded2
		filter rename guarded other
		filter flush other
		filter rename other guarded
		filter merge guarded guarded2 --force
		filter import guarded guarded.seen --replace
		filter flush guarded2
		guard set dev eth0 action mark 7
		guard set dev eth0 action count
	END
}

# Only a filter that is too large can be folded: a large filter is swapped in, folded, and
# swapped out.
fold() {
	{ filter large 100k; filter large2 100k; } | ask -b - &&
		ports | ask key add large - && folds | ask -b -
}

folds() {
	cat <<-END
		filter swap known large
		filter fold known capacity 4k
		filter swap known large
		filter swap guarded large2
		filter fold guarded capacity 4k
		filter swap guarded large2
		filter del large
		filter del large2
	END
}

# Runs the commands again and again.
swing() {
	local round

	for ((round = 0; round < 20 * ROUNDS; round++)); do
		printf '%s\n' "$@"
	done | ask -b -
}

# The map that is not in use is flushed, and filled again before it is used.
maps_change() {
	swing "filter set bad allow-map other" "filter flush good" \
		"filter import good good.seen --replace" \
		"filter set bad allow-map good" "filter set bad allow-map good" \
		"filter flush other" "filter import other other.seen --replace"
}

marks_change() {
	swing "guard set dev eth0 action mark 7" "guard set dev eth0 action mark value"
}

changes() {
	local round

	for ((round = 0; round < ROUNDS; round++)); do
		commands | ask -b - || return
		[[ $kind != *bloom* ]] || fold || return
	done
}

begun() {
	[ -s "$lib_dir/sent.1" ] && [ -s "$lib_dir/sent.2" ]
}

come() {
	[ "$(hits INPUT 3)" -ge "$1" ]
}

# flow WHAT FUNCTION: packets flow while the function changes something; sets $sent to the number
# of packets.
flow() {
	local pids=() i

	rule -A INPUT -p udp
	rule -A INPUT -p udp -j DROP
	rm -f "$lib_dir"/sent.?
	for i in 1 2; do
		flood >"$lib_dir/sent.$i" &
		pids+=($!)
	done
	check "$1: both senders have begun" await 60 begun
	check "$1: packets flow" await 60 come 1000
	check "$1: each change is done" "$2"
	check "$1: packets still flow" \
		await 60 come $(($(hits INPUT 3) + 1000))
	kill "${pids[@]}"
	join "$1: the senders end" "${pids[@]}"
	sent=0
	for i in 1 2; do
		sent=$((sent + $(tail -n 1 "$lib_dir/sent.$i")))
	done
	check "$1: all packets arrive" await 60 come $sent
	is "$1: no packet arrives twice" "$(hits INPUT 3)" $sent
}

over() {
	local name

	rule -F INPUT
	ask guard del dev eth0
	for name; do
		ask filter del "$name"
	done
}

# Keys that both maps hold stay allowed while one map replaces the other as the allow map.
allowed() {
	local kind i

	kind="type cuckoo bits 32"
	filter bad 4k | ask -b -
	ports | ask key add bad - >/dev/null
	kind="type map"
	{ filter good 4k; filter other 4k; } | ask -b -
	for i in good other; do
		ports | ask key add $i - >/dev/null
		ask filter export $i $i.seen --with-secret
	done
	ask filter set bad allow-map good
	ask guard add dev eth0 filter bad verdict listed action drop
	rule -A INPUT -p udp -m seen --filter bad
	rule -A INPUT -p udp -m seen ! --filter bad
	flow "allow maps" maps_change
	is "allow maps: no packet was judged by a guard" \
		"$(port_get "$box" eth0 '[.allowed, .judged, .dropped]')" "[$sent,0,0]"
	is "allow maps: no packet was judged by a rule" "$(hits INPUT 1) $(hits INPUT 2)" "0 0"
	over bad good other
}

# Adds and deletes many keys in one request each.
strangers_change() {
	local round

	for ((round = 0; round < 5 * ROUNDS; round++)); do
		seq 30000 33999 | ask allow add bad - && seq 30000 33999 | ask allow del bad - ||
			return
	done
}

# A key that is not on the list is judged, no matter which other keys are added and deleted.
strangers() {
	local kind="type cuckoo bits 32"

	filter bad 4k | ask -b -
	ports | ask key add bad - >/dev/null
	kind="type map"
	filter good 4k | ask -b -
	ask filter set bad allow-map good
	ask guard add dev eth0 filter bad verdict listed action count
	rule -A INPUT -p udp -m seen --filter bad
	rule -A INPUT -p udp -m seen ! --filter bad
	flow strangers strangers_change
	is "other keys on the list: the guard judged each packet" \
		"$(port_get "$box" eth0 '[.allowed, .judged, .would_drop]')" "[0,$sent,$sent]"
	is "other keys on the list: each rule judged each packet" \
		"$(hits INPUT 1) $(hits INPUT 2)" "$sent 0"
	over bad good
}

# The mark is the value in the map, or the guard's one mark for all, and nothing else.
marked() {
	local kind="type map"

	filter values 4k | ask -b -
	ports | sed 's/ 1$/ 9/' | ask key add values - >/dev/null
	ask guard add dev eth0 filter values verdict listed action mark value
	rule -A INPUT -p udp -m mark --mark 9
	rule -A INPUT -p udp -m mark --mark 7
	flow marks marks_change
	is "marks: each packet has the one mark or the other" \
		$(($(hits INPUT 1) + $(hits INPUT 2))) $sent
	over values
}

changed() {
	local listed='' unjudged='.stale + .full + .nokey'

	check "$kind: filters" make
	# Packets store nothing in a map, so its guard needs another verdict.
	[[ $kind != *map* ]] || listed="verdict listed"
	# Only a filter with a window limits the share of a port; keys that are new after a flush
	# use up that share.
	[[ $kind = *window* ]] || unjudged+=' + .over_budget'
	# shellcheck disable=SC2086 # one word a parameter
	ask guard add dev eth0 filter guarded action count $listed
	rule -A INPUT -p udp -m seen --filter known
	rule -A INPUT -p udp -m seen ! --filter empty
	flow "$kind" changes
	is "$kind: a key that was always stored was never new" \
		"$(hits INPUT 1)" $sent
	is "$kind: a key that was never stored was never seen" "$(hits INPUT 2)" $sent
	is "$kind: the guard judged each packet once" \
		"$(port_get "$box" eth0 '.judged + .over_budget')" $sent
	is "$kind: no packet met a late or full filter" \
		"$(port_get "$box" eth0 "$unjudged")" 0
	figure "changes: $kind: $sent packets, $ROUNDS rounds of $(commands | wc -l)"
	over known known2 empty guarded guarded2
}

plan $((12 * ${#kinds[@]} + 9 + 9 + 8))
cd "$lib_dir" || exit
far=''
ns far box
veth "$far" eth0 "$box" eth0
addr "$far" eth0 192.0.2.1/24
addr "$box" eth0 192.0.2.2/24
ip -n "$far" neigh add 192.0.2.2 lladdr "$(mac "$box" eth0)" dev eth0
# A long backlog, so that the kernel drops no datagram before the receiver processes it.
sysctl -qw net.core.netdev_max_backlog=1000000
link_up "$far" eth0
link_up "$box" eth0
for kind in "${kinds[@]}"; do
	changed
done
allowed
strangers
marked

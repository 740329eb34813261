#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The cost of a packet in the kernel: rules of seen compared with rules of ipset, recent and
# nftables, a guard compared with a hash, sets of growing size, and loading lists. Each round
# measures all of them, one after the other, so that a disturbance affects all. Times are printed
# as lines "# json:" and never judged. The test checks that each packet left the hooks, was
# counted by its rule and looked up by its filter.
#
# Documentation/performance/kernel.md describes the comparisons. A short run has few keys. The
# kernel needs the parameters in the file params: room for so many addresses in xt_recent, and no
# more stamps per address than its rules need.

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/helpers/rooms.sh"

ROUNDS=$(long 1 "${BENCH_ROUNDS:-7}")
KEYS=$(long 2000 1000000)
# Packets in a run that stores nothing.
PACKETS=$(long 2000 1000000)
# Packets in a run in which other work fills the caches before each packet.
COLD=$(long 50 2000)
LITTER=$((4 << 20))
FRAMES=$(long 500 10000)
SIZES=(64 1514)
# Payload bytes of a key whose hash is timed separately.
PAYLOAD=1450
read -ra GROWTH <<<"$(long "500 1000" "1000 10000 100000 1000000 10000000")"
SMALL=${GROWTH[1]}
LOADS=$(long 1 "${BENCH_LOADS:-3}")
MANY=$(long 5000 10000000)
SENT=$(long 400 20000)
OTHERS=$(long 10 200)
JOINED=$(long 5 75)
# The list of prefixes: a short run uses one prefix out of so many.
THINNED=$(long 50 1)
LISTED=$((200000 / THINNED))
# Records of a feed, a power of two: at least KEYS.
RECORDS=$(long 2048 1048576)
CPUS=$(nproc)
legacy=iptables-legacy xtnft=iptables-nft
round=0

[ "$CPUS" -ge 2 ] || skip_all "there is one CPU"
helper=$(dirname "$0")/../bench-module/seen_bench.ko
[ -e "$helper" ] || skip_all "the module that measures is not built"
modprobe xt_recent || exit 1
[ "$(cat /sys/module/xt_recent/parameters/ip_list_tot)" -ge "$KEYS" ] ||
	skip_all "the kernel has no xt_recent.ip_list_tot=1048576"
[ "$(cat /sys/module/xt_recent/parameters/ip_pkt_list_tot)" = 1 ] ||
	skip_all "the kernel has no xt_recent.ip_pkt_list_tot=1"
insmod "$helper" || exit 1
later "rmmod seen_bench"

# --- set-ups --------------------------------------------------------------------------

# Prints the bytes of kernel memory that sets may use.
memory() {
	awk '/^(Slab|VmallocUsed|Percpu):/ { sum += $2 } END { print sum * 1024 }' \
		/proc/meminfo
}

# occupy NAME: sends a packet from each address.
occupy() {
	round=fill run "$1" store "keys=$KEYS" "packets=$KEYS" cpus=1 fence=0 >/dev/null
}

# weigh ROW BYTES: prints the memory of a set: BYTES as reported by it, and the kernel's growth
# since $before.
weigh() {
	tell memory "row=$1" "keys=$KEYS" \
		"{\"told\":${2:-null},\"grown\":$(($(memory) - before))}"
}

# stored NAME TOOL FILTER...: a room with a filter to which each address was added.
stored() {
	room "$1" "$2"
	chain
	before=$(memory)
	filter "${@:3}" capacity "$KEYS"
	rule -m seen --filter f --test-add
	occupy "$1/$2"
	weigh "$1/$2" "$(at "$here" seenctl -j filter show f | jq '.[0].bytes')"
}

# blocklist NAME TOOL FILTER...: the same with a rule that only looks up.
blocklist() {
	stored "$@"
	rule -m seen --filter f
}

ipset_bytes() {
	at "$here" ipset list -t s | sed -n 's/^Size in memory: //p'
}

# stored_ipset NAME TOOL OPTION...: a room with an ipset that is large enough from the start.
stored_ipset() {
	room "$1" "$2"
	chain
	before=$(memory)
	at "$here" ipset create s hash:ip hashsize 1048576 maxelem "$KEYS" "${@:3}" ||
		exit 1
	rule -j SET --add-set s src
	occupy "$1/$2"
	weigh "$1/$2" "$(ipset_bytes)"
}

blocklist_ipset() {
	stored_ipset ipset "$1"
	rule -m set --match-set s src
}

# Measures an ipset that has grown from its default size. Only userspace can make it grow.
grown_ipset() {
	room ipset-grown none
	before=$(memory)
	at "$here" ipset create s hash:ip maxelem "$KEYS" || exit 1
	addresses "$KEYS" 'add s ' | at "$here" ipset restore || exit 1
	weigh ipset-grown/none "$(ipset_bytes)"
}

# elements: makes commands from lines, each short enough for a message of nft.
elements() {
	awk 'NR % 50000 == 1 {
			if (NR > 1)
				print " }"
			printf "add element ip bench s { %s", $0
			next
		}
		{ printf ", %s", $0 }
		END { print " }" }'
}

# With a size given, this is the fastest type of set that nft has for this purpose.
blocklist_nft() {
	room nft-set nft
	chain
	addresses "$KEYS" '' | elements >"$lib_dir/elements"
	before=$(memory)
	nft_set "type ipv4_addr; size $KEYS"
	at "$here" nft -f "$lib_dir/elements" || exit 1
	weigh nft-set/nft
	rm "$lib_dir/elements"
	rule ip saddr @s
}

# prefixes: prints prefixes that do not overlap, with a typical number of each length, and single
# addresses.
prefixes() {
	awk -v thinned="$THINNED" 'BEGIN {
		split("5 5 10 20 150 60 100 150 250 250 400 300 2300 100 100 100 " \
			"150 300 150 100", count, " ")
		at = 11 * 2 ^ 24
		for (len = 12; len <= 31; len++)
			for (i = 0; i < count[len - 11]; i += thinned) {
				printf "%d.%d.%d.%d/%d\n", at / 2 ^ 24,
					at / 65536 % 256, at / 256 % 256, at % 256, len
				at += 2 ^ (32 - len)
			}
	}'
	addresses $LISTED ''
}

# of_length LENGTH: prints the prefixes of this length. Addresses (32) are without a length.
of_length() {
	case $1 in
	32)	grep -v / "$lib_dir/prefixes" ;;
	*)	grep "/$1\$" "$lib_dir/prefixes" ;;
	esac
}

# listed_prefixes TOOL: a room with one filter for prefixes of all lengths.
listed_prefixes() {
	room prefixes "$1"
	chain
	before=$(memory)
	at "$here" seenctl filter add f type bloom key 'src/*' \
		capacity "$(wc -l <"$lib_dir/prefixes")" &&
		at "$here" seenctl key add f - <"$lib_dir/prefixes" &&
		at "$here" seenctl filter reset f || exit 1
	filters[prefixes/$1]=1
	weigh "prefixes/$1" "$(at "$here" seenctl -j filter show f | jq '.[0].bytes')"
	rule -m seen --filter f
}

# prefix_rules TOOL: a room with a filter and a rule for each length; the last one is f, with
# addresses.
prefix_rules() {
	local len name

	room prefix-rules "$1"
	chain
	before=$(memory)
	for len in {12..32}; do
		name=f$len
		[ "$len" != 32 ] || name=f
		at "$here" seenctl filter add "$name" type bloom key "src/$len" \
			capacity "$(of_length "$len" | wc -l)" &&
			of_length "$len" | at "$here" seenctl key add "$name" - &&
			at "$here" "$1" -t raw -A PREROUTING -m seen --filter "$name" || exit 1
	done
	at "$here" seenctl filter reset f || exit 1
	filters[prefix-rules/$1]=1
	weigh "prefix-rules/$1" "$(at "$here" seenctl -j filter show |
		jq 'map(.bytes) | add')"
}

# prefix_ipset TOOL: a room with an ipset of prefixes.
prefix_ipset() {
	room ipset-net "$1"
	chain
	before=$(memory)
	{
		echo "create s hash:net hashsize 262144 maxelem 262144"
		sed 's/^/add s /' "$lib_dir/prefixes"
	} | at "$here" ipset restore || exit 1
	weigh "ipset-net/$1" "$(ipset_bytes)"
	rule -m set --match-set s src
}

prefix_nft() {
	room nft-interval nft
	chain
	before=$(memory)
	nft_set "type ipv4_addr; flags interval"
	elements <"$lib_dir/prefixes" | at "$here" nft -f - || exit 1
	weigh nft-interval/nft
	rule ip saddr @s
}

prefix_rooms() {
	prefixes >"$lib_dir/prefixes"
	for tool in $legacy $xtnft; do
		listed_prefixes "$tool"
		prefix_rules "$tool"
		prefix_ipset "$tool"
	done
	prefix_nft
}

# window NAME TOOL FILTER...: a room with a filter that stores new addresses for an hour.
window() {
	stored "$@" window 1h
}

# fed NAME TOOL FILTER...: the same with a feed, which makes a record of each new address. The rings
# of both CPUs are used once before, since the first write to a page of memory takes long.
fed() {
	local room=$1/$2

	window "$@"
	at "$here" seenctl feed add f records "$RECORDS" >/dev/null || exit 1
	for _ in 1 2; do
		forget "$room"
		round=fill run "$room" store "keys=$KEYS" "packets=$((KEYS / 2))" cpus=2 \
			fence=0 >/dev/null
	done
}

# feeds ROOM WORD...: runs the helper.
feeds() {
	at "$1" "$(dirname "$0")/../helpers/feeds" "${@:2}"
}

# This rule needs only one stamp per address.
window_recent() {
	room recent "$1"
	chain
	before=$(memory)
	rule -m recent --name r --set
	occupy "recent/$1"
	weigh "recent/$1"
	rule -m recent --name r --update
}

# Measures the memory of recent with its default number of stamps per address.
usual_recent() {
	room recent-usual $legacy
	chain
	before=$(memory)
	rule -m recent --name r --update --seconds 3600 --hitcount 32
	rule -m recent --name r --set
	occupy recent-usual/$legacy
	weigh recent-usual/$legacy
}

window_nft() {
	room nft-dynset nft
	chain
	before=$(memory)
	nft_set "type ipv4_addr; flags dynamic,timeout; size $KEYS; timeout 1h"
	rule update @s "{ ip saddr }"
	occupy nft-dynset/nft
	weigh nft-dynset/nft
}

# nftables frees elements by a work item of its own, which no barrier waits for. Waits, for all
# types of sets, until memory has not shrunk between three looks in a row.
await_frees() {
	local was now=0 calm=0

	while ((calm < 3)); do
		sleep 0.1
		was=$now now=$(memory)
		((was && now > was - 100000 && ++calm)) || calm=0
	done
}

# forget ROOM: empties its set.
forget() {
	case $1 in
	ipset*)	at "${rooms[$1]}" ipset flush s ;;
	*-fed/*)
		feeds "${rooms[$1]}" drain f >/dev/null &&
			at "${rooms[$1]}" seenctl filter flush f ;;
	nft*)	at "${rooms[$1]}" nft flush set ip bench s ;;
	*)	at "${rooms[$1]}" seenctl filter flush f ;;
	esac || exit 1
	await_frees
}

furnish() {
	for tool in $legacy $xtnft nft; do
		room base "$tool"
		chain
	done
	for tool in $legacy $xtnft; do
		blocklist bloom "$tool" type bloom
		blocklist cuckoo "$tool" type cuckoo bits 16
		blocklist_ipset "$tool"
	done
	blocklist cuckoo32 $legacy type cuckoo bits 32
	blocklist_nft
	for tool in $legacy $xtnft; do
		window bloom-window "$tool" type bloom
		window cuckoo-window "$tool" type cuckoo
		stored_ipset ipset-timeout "$tool" timeout 3600
		window_recent "$tool"
	done
	window_nft
	fed bloom-fed $legacy type bloom
	fed cuckoo-fed $legacy type cuckoo
	prefix_rooms
	timed_rooms=("${order[@]}")
	usual_recent
	grown_ipset
}

# --- rounds ---------------------------------------------------------------------------

# alone ROOM CASE: measures one CPU: one packet at a time, overlapping packets, and packets after
# other work.
alone() {
	run "$1" "$2" "keys=$KEYS" "packets=$PACKETS" cpus=1 fence=1
	run "$1" "$2" fence=0
	run "$1" "$2" "packets=$COLD" fence=1 "evict=$LITTER"
	set_run evict=0
}

# together ROOM CASE: measures two CPUs, which begin with distant addresses.
together() {
	run "$1" "$2" "keys=$KEYS" "packets=$((PACKETS / 2))" cpus=2 fence=1
}

# store ROOM CPUS: stores new addresses; each CPU gets a part of them.
store() {
	local new

	forget "$1"
	[[ $1 != *-fed/* ]] || new=$(found_new "$1")
	run "$1" store "keys=$KEYS" "packets=$((KEYS / $2))" "cpus=$2" fence=1
	[[ $1 != *-fed/* ]] || all_recorded "$1" "$new"
}

# found_new ROOM: prints the number of keys that were new to its filter.
found_new() {
	at "${rooms[$1]}" seenctl -j -s filter show f | jq '.[0].stats.new'
}

# all_recorded ROOM NEW: its feed has each key that was new since there were NEW.
all_recorded() {
	local records new

	records=$(at "${rooms[$1]}" seenctl -j filter show f | jq '.[0].feed.pending')
	new=$(($(found_new "$1") - $2))
	((records == new)) || complain "$1" "$records records of $new new keys"
}

# The first measurement finds the caches as other ones left them, so every second round has the
# reverse order.
odd() {
	((round % 2))
}

# in_turn WORD...: prints the words in this round's order.
in_turn() {
	if odd; then printf '%s\n' "$@" | tac; else printf '%s\n' "$@"; fi
}

# ask ROOM CASE...: measures each case after runs that warm it up.
ask() {
	local case

	for case in $(in_turn "${@:2}"); do
		round=fill run "$1" "$case" "keys=$KEYS" "packets=$PACKETS" cpus=1 \
			fence=0 >/dev/null
		! odd || together "$1" "$case"
		alone "$1" "$case"
		odd || together "$1" "$case"
	done
}

stores() {
	local cpus

	for cpus in $(in_turn 2 1); do
		store "$1" "$cpus"
	done
}

rules() {
	local name

	for name in $(in_turn "${timed_rooms[@]}"); do
		case $name in
		*-window/* | nft-dynset/*)
			stores "$name"
			ask "$name" seen ;;
		ipset-timeout/* | *-fed/*)
			stores "$name" ;;
		recent/* | base/*)
			ask "$name" seen ;;
		prefix* | ipset-net/* | nft-interval/*)
			ask "$name" absent ;;
		*)	ask "$name" seen absent ;;
		esac
	done
}

# --- a guard --------------------------------------------------------------------------

declare -A covered=()

# Each frame is sent once, so every later one is a duplicate. Profile loop counts a repeat, or a
# duplicate if there are many.
guard_rooms() {
	local frame

	room guard none
	at "$here" seenctl filter add g type cuckoo capacity $((20 * FRAMES)) window 24h \
		fpp 1e-6 key frame || exit 1
	at "$here" seenctl guard add dev bench0 filter g match all verdict dup \
		action count >/dev/null || exit 1
	for frame in "${SIZES[@]}"; do
		covered[$frame]=$(covers "$frame")
		set_run "frame=$frame" "keys=$FRAMES" "packets=$FRAMES" first=$((10 << 24))
		beside fill guard/none ingress turn=0 >/dev/null
	done
	set_run frame=64
	room guard-loop none
	at "$here" seenctl guard add dev bench0 profile loop match all action count \
		>/dev/null || exit 1
	trail_room guard-bridge
	trail_room guard-trail trail
	room nobody none
}

# trail_room ROW [WORD...]: the packets arrive on a port of a guarded bridge.
trail_room() {
	room "$1" none
	at "$here" sysctl -qw net.bridge.bridge-nf-call-iptables=0
	ip -n "$here" link add br0 up type bridge && ip -n "$here" link set bench0 master br0 &&
		at "$here" seenctl guard add bridge br0 profile loop match all action count \
			"${@:2}" >/dev/null || exit 1
}

# covers BYTES: prints the length of the key of a frame with so many bytes.
covers() {
	"$(dirname "$0")/helpers/frames.py" "$1" | seenctl -j key explain key frame |
		jq -r '.[0].key' | awk '{ print (length($1) - 2) / 2 }'
}

# Prints a counter of the guard in a room, or a sum of some. Arguments: ROOM COUNTER.
told() {
	at "${rooms[$1]}" seenctl -j -s guard show | jq "[.[].ports[] | .$2] | add"
}

# Measures a loop that passes no rule. Arguments: WHAT ROOM LOOP NAME=VALUE...
beside() {
	local out

	set_run "turn=$((++turns[$2]))" "${@:4}"
	if ! out=$(loop "$2" "$3"); then
		complain "$2" "$1: the loop fails"
		return
	fi
	tell "$1" "row=${2%/*}" "round=$round" "$out"
}

# compare WHAT: measures a part of the goal of a guard, after a run that is not printed. The guard
# must count each packet: as a duplicate, or with profile loop as a repeat. For profile loop, frames
# are new if the guest stalled for longer than its window. On a bridge no
# frame reaches the hook that stores it, so all are refused, or the last one is new.
compare() {
	local room=nobody/none loop=ingress-empty each=would_drop before new

	case $1 in
	guard)			room=$1/none loop=ingress ;;
	guard-loop)		room=$1/none loop=ingress each=judged ;;
	guard-hash)		loop=siphash ;;
	guard-bridge | guard-trail) room=$1/none loop=bridge each="new + .refused" ;;
	guard-trail-on)		room=guard-trail/none loop=bridge-trail each="new + .refused" ;;
	payload-nh)		loop=nh ;;
	payload-siphash13)	loop=siphash13 ;;
	*-nothing)		loop=nothing ;;
	esac
	[[ $loop != @(ingress|bridge*) ]] || before=$(told "$room" "$each") new=$(told "$room" new)
	beside "$1" "$room" $loop >/dev/null
	beside "$1" "$room" $loop
	[[ $loop == @(ingress|bridge*) ]] || return
	(($(told "$room" "$each") - before == 2 * PACKETS)) ||
		complain "$room" "$(told "$room" "$each") after $before: not $((2 * PACKETS)) more"
	[[ $each == new* ]] || (($(told "$room" new) - new < PACKETS)) ||
		complain "$room" "most frames are new to the guard"
}

guard() {
	local frame what

	for frame in $(in_turn "${SIZES[@]}"); do
		set_run "keys=$FRAMES" "packets=$PACKETS" cpus=1 fence=1 "frame=$frame" \
			first=$((10 << 24)) "bytes=${covered[$frame]}"
		for what in $(in_turn guard guard-loop guard-empty guard-hash \
				guard-nothing); do
			compare "$what"
		done
	done
	set_run frame=64
	for what in $(in_turn guard-bridge guard-trail guard-trail-on); do
		compare "$what"
	done
	(($(told guard-trail/none trail_none) == 0)) ||
		complain guard-trail/none "frames got no trail"
	set_run frame=64 "bytes=$PAYLOAD"
	for what in $(in_turn payload-nh payload-siphash13 payload-nothing); do
		compare "$what"
	done
}

# --- bridges --------------------------------------------------------------------------

# bridge_room ROW: a room with br0, a port, and a station behind it in the forwarding table.
bridge_room() {
	room "$1" none
	ip -n "$here" link add br0 up type bridge mcast_snooping 0 &&
		ip -n "$here" link add p0 type veth peer name q0 &&
		ip -n "$here" link set p0 up master br0 && ip -n "$here" link set q0 up &&
		at "$here" bridge fdb add 02:00:00:00:02:02 dev p0 master static || exit 1
}

guard_bridge() {
	at "$here" seenctl guard add bridge "$1" profile loop "${@:2}" >/dev/null || exit 1
}

# Frames that a host sends by a bridge: without a guard, with one, and with many guarded bridges.
bridge_rooms() {
	local i

	bridge_room bridge-alone
	bridge_room bridge-guarded
	guard_bridge br0
	bridge_room bridge-beside
	guard_bridge br0
	at "$here" seenctl filter add f type cuckoo bits 24 window 500ms capacity 10k \
		key frame || exit 1
	for ((i = 0; i < OTHERS; i++)); do
		ip -n "$here" link add "b$i" up type bridge
		guard_bridge "b$i" filter f
	done
}

bridges() {
	local row

	for row in $(in_turn bridge-alone bridge-guarded bridge-beside); do
		tell bridge "row=$row" "round=$round" "{\"ns\":$(at "${rooms[$row/none]}" \
			"$(dirname "$0")/helpers/send.py" br0 "$SENT")}"
	done
	joins
}

# join FROM: $JOINED ports join the bridge, one after the other.
join() {
	local i

	for ((i = $1; i < $1 + JOINED; i++)); do
		echo "link set v$i master br0"
	done | ip -n "$space" -b -
}

# Ports join a guarded bridge in four batches; each batch finds more ports than the one before.
joins() {
	local batch space begin i

	ns space
	ip -n "$space" link add br0 up type bridge
	for ((i = 0; i < 4 * JOINED; i++)); do
		echo "link add v$i type dummy"
	done | ip -n "$space" -b -
	at "$space" seenctl guard add bridge br0 profile loop >/dev/null || exit 1
	for ((batch = 0; batch < 4; batch++)); do
		begin=$(date +%s%N)
		join $((batch * JOINED))
		tell bridge "row=join-$((batch + 1))" "round=$round" \
			"{\"ns\":$((($(date +%s%N) - begin) / JOINED))}"
	done
	[ "$(at "$space" seenctl -j guard show | jq '.[0].ports | length')" = \
		$((4 * JOINED + 1)) ] || complain bridge-alone/none "not all ports are guarded"
	ns_del "$space"
}

# --- growth ---------------------------------------------------------------------------

# The kinds of filters. Rules only look up without a window, and test and add with one.
KINDS=(bloom cuckoo bloom-window cuckoo-window)
declare -A filter_of=(
	[bloom]="type bloom" [bloom-window]="type bloom window 24h"
	[cuckoo]="type cuckoo bits 16" [cuckoo-window]="type cuckoo window 24h"
)

# grown N KIND: a room with N addresses.
grown() {
	local options

	read -ra options <<<"${filter_of[$2]}"
	tool=$legacy
	room "grown-$2-$1" $legacy
	filter "${options[@]}" capacity "$1"
	chain
	rule -m seen --filter f --test-add
	run "grown-$2-$1/$legacy" store "keys=$1" "packets=$1" cpus=1 fence=0 >/dev/null
	[[ $2 == *-window ]] || rule -m seen --filter f
}

# chase ROOM KEYS: measures a cache miss in as much memory as its filter has.
chase() {
	local bytes

	bytes=$(at "${rooms[$1]}" seenctl -j filter show f | jq '.[0].bytes')
	beside chase "$1" chase "keys=$2" "packets=$PACKETS" cpus=1 "bytes=$bytes"
}

# grow_part WHAT ROOM N: measures a part for N addresses: a cache miss, or packets on one or two
# CPUs, after as many packets that are not timed.
grow_part() {
	local cpus=1

	case $1 in
	chase)	chase "$2" "$3"
		return ;;
	together)
		cpus=2 ;;
	esac
	round=fill run "$2" seen "keys=$3" "packets=$((PACKETS / cpus))" cpus=$cpus fence=1 \
		>/dev/null
	run "$2" seen
}

# grow N KIND: measures all parts; two CPUs only if the table fits into each CPU's own caches.
grow() {
	local name=grown-$2-$1/$legacy parts=(chase together alone) part

	[ "$1" = "$SMALL" ] || parts=(chase alone)
	[ "$2" != base ] || name=base-grown/$legacy parts=(alone)
	for part in $(in_turn "${parts[@]}"); do
		grow_part "$part" "$name" "$1"
	done
}

# The chain without a rule is measured again, in a room of its own, so that the value which is
# subtracted is from the same minute.
growth() {
	local n kind

	for n in $(in_turn "${GROWTH[@]}"); do
		for kind in $(in_turn base "${KINDS[@]}"); do
			grow "$n" "$kind"
		done
	done
}

# --- lists ----------------------------------------------------------------------------

# addresses N BEFORE: prints N addresses, one per line, each after the text BEFORE.
addresses() {
	awk -v n="$1" -v before="$2" 'BEGIN {
		for (i = 0; i < n; i++)
			printf "%s10.%d.%d.%d\n", before, i / 65536, i / 256 % 256,
				i % 256
	}'
}

# timed WHAT KEYS FILE FROM COMMAND...: times a command that reads or writes FILE; stdin is FROM.
timed() {
	local from=${EPOCHREALTIME/.} us

	at "$here" "${@:5}" <"$4" >/dev/null || { complain loads/none "$1"; return; }
	us=$((${EPOCHREALTIME/.} - from))
	tell load "row=$1" "keys=$2" "round=$round" \
		"{\"us\":$us,\"bytes\":$(stat -c %s "$3")}"
}

entries() {
	at "$here" seenctl -j filter show "$1" | jq '.[0].entries'
}

# Adds so many keys by their hash, as a daemon of a fleet does. The helper states the time.
hashes() {
	local rate

	at "$here" seenctl filter add hashes type cuckoo bits 32 capacity $((2 * KEYS)) \
		key bytes window 1h >/dev/null
	rate=$(feeds "$here" bulk hashes 0 "$KEYS" 2>&1 >/dev/null)
	tell load row=hashes "keys=$KEYS" "round=$round" \
		"{\"us\":$((KEYS * 1000000 / ${rate%% *})),\"bytes\":$((16 * KEYS))}"
	[ "$(at "$here" seenctl -j -s filter show hashes | jq '.[0].stats.adds')" = "$KEYS" ] ||
		complain loads/none "hashes: not all"
	at "$here" seenctl filter del hashes
}

# load WHAT: loads a list into a new set.
load() {
	case $1 in
	seen)
		at "$here" seenctl filter add list type cuckoo bits 32 capacity "$KEYS"
		timed seen "$KEYS" "$list" "$list" seenctl key add list -
		[ "$(entries list)" = "$KEYS" ] || complain loads/none "seenctl: not all"
		at "$here" seenctl filter del list ;;
	hashes)
		hashes ;;
	ipset)
		at "$here" ipset create s hash:ip hashsize 1048576 maxelem "$KEYS"
		timed ipset "$KEYS" "$list.ipset" "$list.ipset" ipset restore
		at "$here" ipset destroy s ;;
	many)
		at "$here" seenctl filter add many type cuckoo bits 32 capacity "$MANY"
		timed seen "$MANY" "$list.many" "$list.many" seenctl key add many -
		[ "$(entries many)" = "$MANY" ] || complain loads/none "seenctl: not all"
		carried
		at "$here" seenctl filter del many ;;
	esac
}

# Bytes of a table in a message: SEEN_CHUNK_MAX.
PIECE=30K

# carry WHAT: measures an export of the filter to a file, a copy of this file (which is
# compressed), a copy of as many bytes as the filter has, the same through a pipe in pieces as long
# as a message, or an import of the file. Output files are new files.
carry() {
	case $1 in
	export)	timed export "$MANY" "$list.out" /dev/null seenctl filter export many \
			"$list.new" ;;
	copy)	timed copy "$MANY" "$list.out" /dev/null cp "$list.out" "$list.new" ;;
	copy-table)
		timed copy-table "$MANY" "$list.table" /dev/null cp "$list.table" \
			"$list.new" ;;
	pipe)	# shellcheck disable=SC2016 # of that shell
		timed pipe "$MANY" "$list.table" /dev/null sh -c \
			'dd "bs=$1" if="$2" status=none |
			dd "bs=$1" iflag=fullblock of="$3" status=none' \
			pipe $PIECE "$list.table" "$list.new" ;;
	import)	timed import "$MANY" "$list.out" /dev/null seenctl filter import many \
			"$list.out" --replace ;;
	esac
	rm -f "$list.new"
}

carried() {
	local bytes what

	bytes=$(at "$here" seenctl -j filter show many | jq '.[0].bytes')
	head -c "$bytes" /dev/urandom >"$list.table"
	# This first export is not timed; it also warms the caches.
	at "$here" seenctl filter export many "$list.out" || complain loads/none "export"
	for what in $(in_turn export copy copy-table pipe import); do
		carry "$what"
	done
	rm "$list.out" "$list.table"
	[ "$(entries many)" = "$MANY" ] || complain loads/none "import: entries are missing"
}

loads() {
	local list=$lib_dir/list what

	room loads none
	addresses "$KEYS" '' >"$list"
	addresses "$KEYS" 'add s ' >"$list.ipset"
	addresses "$MANY" '' >"$list.many"
	for ((round = 0; round < LOADS; round++)); do
		for what in $(in_turn seen hashes ipset many); do
			load "$what"
		done
	done
}

# --------------------------------------------------------------------------------------

guards() {
	guard_rooms
	for ((round = 0; round < ROUNDS; round++)); do
		guard
	done
}

# Costs of feeds.
fed_rounds() {
	local name

	room base $legacy
	chain
	window bloom-window $legacy type bloom
	window cuckoo-window $legacy type cuckoo
	fed bloom-fed $legacy type bloom
	fed cuckoo-fed $legacy type cuckoo
	room loads none
	for ((round = 0; round < ROUNDS; round++)); do
		for name in $(in_turn "${order[@]}"); do
			case $name in
			base/*)	ask "$name" seen ;;
			loads/*) hashes ;;
			*)	stores "$name" ;;
			esac
		done
	done
}

packets() {
	local n kind

	furnish
	guard_rooms
	bridge_rooms
	room base-grown $legacy
	chain
	for n in "${GROWTH[@]}"; do
		for kind in "${KINDS[@]}"; do
			grown "$n" "$kind"
		done
	done
	for ((round = 0; round < ROUNDS; round++)); do
		rules
		guard
		bridges
		growth
	done
}

if [ -n "${BENCH_GUARDS:-}" ]; then
	guards
elif [ -n "${BENCH_FEEDS:-}" ]; then
	fed_rounds
else
	[ -n "${BENCH_LISTS:-}" ] || packets
	loads
fi
plan ${#order[@]}
for name in "${order[@]}"; do
	is "$name: packets are judged and counted" "${wrong[$name]:-}" ""
done
figure "$ROUNDS rounds of ${#order[@]} set-ups with $KEYS keys"

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Feeds: each new key makes exactly one record, which stays until its reader confirms it, and keys
# that come from another host by their hash are as old as they were there.
#
#	$out a0 ------- b0 $in		a guard on each port, all with one filter
#	$out a1 ------- b1 $in

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/helpers/lib.sh"

FRAMES=$(scale 2000 20000)
KEYS=$(scale 20000 200000)
OLDEST=1152921504606846976	# 2^60 ns
cd "$lib_dir" || exit

plan 120
in='' out=''
ns in out
for ((cpu = 0; cpu < CPUS; cpu++)); do
	veth "$out" "a$cpu" "$in" "b$cpu"
done

ctl() {
	at "$in" seenctl -j "$@" >/dev/null || exit 1
}

# feed_get JQ: a member of the feed of f.
feed_get() {
	filter_get "$in" f ".feed$1"
}

# take DONE: takes a batch, and sets $number, $counts ("count pending") and the file "records".
number=0 counts=''
take() {
	at "$in" feeds take f "$1" >taken || return
	number=$(field batch "$(head -n 1 taken)")
	counts="$(field count "$(head -n 1 taken)") $(field pending "$(head -n 1 taken)")"
	sed 1d taken >records
}

hashes() {
	cut -d' ' -f1 records | sort | xargs
}

drain() {
	at "$in" feeds drain f
}

# --- add, show, delete -----------------------------------------------------------

ctl filter add f capacity 10k key bytes type cuckoo bits 32 window 1h refresh seed "$SEED"
refuse "a filter without a feed: take" 1 'filter "f" has no feed; use feed add' \
	at "$in" feeds take f 0
refuse "a filter without a feed: del" 1 'filter "f" has no feed; use feed add' \
	at "$in" seenctl feed del f
is "show has no feed" "$(feed_get '')" null
refuse "records must be a power of two" 1 "records: must be a power of two" \
	at "$in" seenctl feed add f records 1000
refuse "records have a range" 1 "records: must be 64 to 1048576" \
	at "$in" seenctl feed add f records 32
refuse "stale is a time or never" 2 "stale: must be above 0, or never" \
	at "$in" seenctl feed add f stale 0
refuse "no such filter" 1 'filter "g" does not exist' at "$in" seenctl feed add g
refuse "no user without a capability" 1 "CAP_NET_ADMIN" \
	at "$in" setpriv --reuid=65534 --regid=65534 --clear-groups seenctl feed add f
check "a feed is added" at "$in" seenctl feed add f
is "show has the feed" "$(feed_get ' | tojson')" \
	'{"records":0,"lost":0,"pending":0,"room":4096,"stale":10000000000,"is_stale":false}'
match "show as text" "$(at "$in" seenctl filter show f)" \
	"feed records 0 lost 0 pending 0 room 4096 stale 10s"
refuse "a second feed" 1 'filter "f" has a feed already' at "$in" seenctl feed add f
check "-exist: an equal feed" at "$in" seenctl -exist feed add f records 4096 stale 10s
refuse "-exist: another number of records" 1 'exists with another records' \
	at "$in" seenctl -exist feed add f records 64
refuse "-exist: another time" 1 'exists with another stale' \
	at "$in" seenctl -exist feed add f stale never

# --- records and batches ---------------------------------------------------------

take 0
is "no records yet" "$counts" "0 0"
ctl key add f red green
take 0
is "two new keys" "$counts $(cut -d' ' -f3 records | xargs)" "2 0 seen seen"
first=$number
red_green=$(hashes)
take 0
is "the batch is delivered again" "$number $(hashes)" "$first $red_green"
ctl key add f blue
take 0
is "a further record is pending" "$number $counts" "$first 2 1"
take 999
is "another number confirms nothing" "$number $(hashes)" "$first $red_green"
take "$number"
is "a confirmed batch is released" "$number $counts" "$((first + 1)) 1 0"
blue=$(hashes)
take "$number"
is "nothing is left" "$number $counts" "$((first + 1)) 0 0"
ctl key add f red green blue
ctl key add f --new red
take 0
is "keys that a user adds make records also if they are there" \
	"$counts $(cut -d' ' -f3 records | xargs)" "4 0 seen seen seen seen"
take "$number"
at "$in" seenctl key test f red violet >/dev/null
take 0
is "a lookup makes no record" "$counts" "0 0"
ctl key del f blue
take 0
is "a deleted key" "$(hashes) $(cut -d' ' -f3 records)" "$blue deleted"
take "$number"
at "$in" seenctl key del f blue >/dev/null 2>&1
take "$number"
is "a key that is not there cannot be deleted" "$counts" "0 0"
is "show has the numbers" "$(feed_get ' | "\(.records) \(.lost) \(.pending)"')" "8 0 0"

# --- by hash, on another host ----------------------------------------------------

at "$out" seenctl -j filter add f capacity 1k key bytes type bloom fpp 1e-6 seed "$SEED" >/dev/null
at "$out" seenctl -j feed add f >/dev/null
tr ' ' '\n' <<<"$red_green" | sed 's/$/ 1000000/' >copies
is "keys by their hash" "$(at "$out" feeds add f <copies | xargs)" "new new"
check "another host has the keys" at "$out" seenctl key test f red green
is "they are there once" "$(at "$out" feeds add f <copies | xargs)" "seen seen"
is "they make no records there" \
	"$(at "$out" feeds drain f)" "count 0 distinct 0 deleted 0 lost 0 batches 0"
refuse "a deleted record cannot be added" 1 "data: a record is of a deleted key; use hash del" \
	at "$out" feeds add f <<<"0123456789abcdef 1 deleted"
refuse "a bloom filter cannot delete" 1 "type: bloom cannot delete keys; use cuckoo or counting" \
	at "$out" feeds del f <copies

is "delete by hash" "$(at "$in" feeds del f <copies | xargs)" "removed removed"
is "they are gone" "$(at "$in" feeds del f <copies | xargs)" "absent absent"
refuse "also by their keys" 1 "" at "$in" seenctl key test f red green
is "deletes by hash make no records" "$(drain)" \
	"count 0 distinct 0 deleted 0 lost 0 batches 0"

# The window is an hour.
echo "$blue 3600000000000" >edge
echo "$blue 3700000000000" >late
is "a key older than the window" "$(at "$in" feeds add f <late)" expired
refuse "is not stored" 1 "" at "$in" seenctl key test f blue
is "a key in its last moments" "$(at "$in" feeds add f <edge)" new
check "is stored" at "$in" seenctl key test f blue
is "and renewed" "$(at "$in" feeds add f <<<"$blue 0")" seen
for what in "type cuckoo bits 32" "type bloom fpp 1e-3"; do
	# shellcheck disable=SC2086 # one word a parameter
	at "$out" seenctl -j filter add w capacity 100 key bytes window 2s $what >/dev/null
	is "$what: a key that lives a second" \
		"$(at "$out" feeds add w <<<"0123456789abcdef 1000000000")" new
	check "$what: expires" await 10 eval \
		"[ \"\$(at $out feeds add w <<<'0123456789abcdef 1900000000')\" = new ]"
	at "$out" seenctl filter del w
done

is "keys in bulk" "$(at "$in" bash -c "seenctl -j filter add bulk capacity $((KEYS * 2)) \
	key bytes type cuckoo bits 32 window 1h >/dev/null; feeds bulk bulk 0 $KEYS" 2>rate)" \
	"new $KEYS seen 0 full 0 stale 0 expired 0 "
note "$(cat rate)"
is "the same again" "$(at "$in" feeds bulk bulk 0 "$KEYS" 2>/dev/null)" \
	"new 0 seen $KEYS full 0 stale 0 expired 0 "
is "the filter has counted them" "$(filter_get "$in" bulk .stats.adds)" $((2 * KEYS))
at "$in" seenctl filter del bulk

# --- renewed keys ----------------------------------------------------------------

# A key that is seen more often than every half window makes a record in each half.
sight() {
	"$@" && [ "$(filter_get "$in" r .feed.records)" -ge 3 ]
}

# renewed WHAT DEVICE OPTIONS COMMAND...: the guard of the device sees the frame of the command.
renewed() {
	# shellcheck disable=SC2086 # one word a parameter
	ctl filter add r capacity 100 key frame window 2s $3
	ctl feed add r
	ctl guard add dev "$2" filter r verdict dup action count
	check "$1" await 60 sight "${@:4}"
	ctl guard del dev "$2"
	ctl filter del r
}

for what in "type cuckoo bits 32" "type bloom fpp 1e-2"; do
	renewed "$what: a frame that arrives again and again" b0 "$what refresh" \
		at "$out" frames 0 1 a0
done

# --- deletes ---------------------------------------------------------------------

# Short fingerprints: some keys still look present after their delete.
ctl filter add t capacity 10k key bytes type cuckoo bits 8 window 1h
ctl feed add t records 32768
at "$in" keys add t 0 10000 >/dev/null
is "each key that a user adds makes a record" "$(field count "$(at "$in" feeds drain t)")" 10000
at "$in" keys del t 0 10000 >/dev/null
is "with a window each delete makes a record" "$(field deleted "$(at "$in" feeds drain t)")" \
	"$(filter_get "$in" t .stats.dels)"
ctl filter del t

# --- losses ----------------------------------------------------------------------

ctl feed del f
ctl filter flush f
ctl feed add f records 64
at "$in" taskset -c 0 keys add f 0 1000 >/dev/null
is "keys beyond the ring are lost, not overwritten" \
	"$(feed_get ' | "\(.records) \(.lost) \(.pending)"')" "64 936 64"
is "all of them are stored" "$(field seen "$(at "$in" keys test f 0 1000)")" 1000
is "the records are the first ones" "$(drain)" \
	"count 64 distinct 64 deleted 0 lost 936 batches 1"
at "$in" taskset -c 0 keys add f 1000 10 >/dev/null
is "there is room again" "$(drain)" "count 10 distinct 10 deleted 0 lost 936 batches 1"
ctl feed del f
ctl feed add f records 64
for i in 0 1 2 3 4; do
	at "$in" taskset -c $((i % CPUS)) seenctl key "$([ $((i % 2)) = 0 ] && echo add || echo del)" \
		f 0xfeed >/dev/null
done
take 0
is "commands keep their order, also on several CPUs" "$(cut -d' ' -f3 records | xargs)" \
	"seen deleted seen deleted seen"
take "$number"
at "$in" taskset -c 0 keys add f 2000 1000 >/dev/null
is "the overview names the loss" \
	"$(at "$in" seenctl -j | jq -c '.filters[] | select(.name == "f").wrong')" \
	'[{"what":"feed-lost","bad":false,"count":936}]'
drain >/dev/null

# --- packets of several CPUs -----------------------------------------------------

# race_frames KIND...: each CPU sends the same frames.
race_frames() {
	local new wires=() cpu

	at "$in" seenctl -j filter add p capacity $((FRAMES * CPUS * 4)) key frame "$@" >/dev/null
	at "$in" seenctl -j feed add p records 65536 >/dev/null
	for ((cpu = 0; cpu < CPUS; cpu++)); do
		wires+=("a$cpu")
		at "$in" seenctl guard add dev "b$cpu" filter p verdict dup action count >/dev/null
	done
	at "$out" frames 0 "$FRAMES" "${wires[@]}"
	check "$*: every frame is judged" await 20 ports_reach "$in" judged $((FRAMES * CPUS))
	new=$(filter_get "$in" p .stats.new)
	between "$*: frames are new" "$new" \
		$((FRAMES - $(most "$FRAMES" "$(filter_get "$in" p .fpp)"))) "$FRAMES"
	at "$in" feeds drain p >drained
	is "$*: each new frame has one record" \
		"$(field count "$(<drained)") $(field distinct "$(<drained)") $(field lost "$(<drained)")" \
		"$new $new 0"
	at "$out" frames 0 "$FRAMES" a0
	check "$*: copies are judged" await 20 ports_reach "$in" judged $((FRAMES * (CPUS + 1)))
	is "$*: copies make no records" "$(field count "$(at "$in" feeds drain p)")" 0
	for ((cpu = 0; cpu < CPUS; cpu++)); do
		at "$in" seenctl guard del dev "b$cpu"
	done
	at "$in" seenctl filter del p
}

race_frames type cuckoo window 1h bits 32
race_frames type bloom fpp 1e-6

# --- which filters ---------------------------------------------------------------

while IFS=: read -r text words; do
	# shellcheck disable=SC2086 # one word a parameter
	at "$in" seenctl -j filter add t $words >/dev/null || exit 1
	refuse "no feed: $words" 1 "$text" at "$in" seenctl feed add t
	refuse "no hashes: $words" 1 "$text" at "$in" feeds add t <copies
	at "$in" seenctl filter del t
done <<-END
	bitmap and map store keys:type bitmap key id range 0-999
	cms and cmm count keys:type cms key bytes capacity 100 fpp 0.01
	threshold:type counting key bytes capacity 100 fpp 0.01 threshold 3
	prefixes of any length:type cuckoo key src/* capacity 100 bits 32
END

ctl guard add dev b0 profile loop action drop
refuse "no feed: a guard that stores ports" 1 \
	"a guard with verdict loop or other-port stores ports in it" at "$in" seenctl feed add loop-b0
refuse "no hashes: a guard that stores ports" 1 \
	"a guard with verdict loop or other-port stores ports in it" \
	at "$in" feeds add loop-b0 <copies
ctl guard del dev b0
ctl filter add g capacity 1k key frame type cuckoo bits 32 window 1s
ctl feed add g
refuse "no such guard for a filter with a feed" 1 "filter: has a feed, and this verdict stores ports" \
	at "$in" seenctl guard add dev b0 filter g verdict other-port
check "verdict dup has no ports that others need" \
	at "$in" seenctl guard add dev b0 filter g verdict dup action count
ctl guard del dev b0
ctl filter del g

# --- what happens to the filter --------------------------------------------------

# records WHAT KEY: a new key of f makes a record.
records() {
	at "$in" seenctl -j key add f "$2" >/dev/null
	is "$1" "$(field count "$(drain)")" 1
}

ctl filter flush f
is "a flush makes no records" "$(field count "$(drain)")" 0
records "the feed stays after a flush" flushed
ctl filter add other capacity 10k key bytes type cuckoo bits 32 window 1h refresh seed "$SEED"
ctl key add other stranger
ctl filter swap f other
records "the feed stays with the name after a swap" swapped
ctl key add other elsewhere
is "the other filter has no feed" "$(field count "$(drain)")" 0
ctl filter export other "$lib_dir/other.seen" --with-secret
ctl filter import f "$lib_dir/other.seen" --replace
is "an import makes no records" "$(field count "$(drain)")" 0
records "the feed stays after a replacement" replaced
ctl filter merge f other --force
is "a merge makes no records" "$(field count "$(drain)")" 0
ctl filter add exact type counting key bytes capacity 100 fpp 0.01 threshold 3
ctl filter export exact "$lib_dir/exact.seen" --with-secret
refuse "a filter that cannot have a feed does not replace it" 1 "threshold: must be at most 1" \
	at "$in" seenctl filter import f "$lib_dir/exact.seen" --replace
refuse "nor by a swap" 1 "threshold: must be at most 1" at "$in" seenctl filter swap f exact
ctl filter rename f moved
is "a rename moves the feed" "$(filter_get "$in" moved .feed.room)" 64
at "$in" iptables -A INPUT -m seen --filter f
ctl filter rename moved f
records "also to a name that rules use" renamed
at "$in" iptables -F INPUT
check "a filter is deleted with its feed" at "$in" seenctl filter del f
ctl filter add f capacity 10k key bytes type bloom fpp 1e-4 seed "$SEED"
is "a new filter of the name has no feed" "$(feed_get '')" null
ctl feed add f records 128 stale never
ctl filter fold f capacity 100
records "the feed stays after a fold" folded
is "save has the feed" "$(at "$in" seenctl save | grep '^feed')" \
	"feed add f records 128 stale never"
at "$in" seenctl save >all
grep -E '^(filter add|feed add) f ' all >saved
ns copy
check "restore adds the feed" at "$copy" seenctl restore saved
is "with its parameters" "$(filter_get "$copy" f '.feed | "\(.room) \(.stale)"')" "128 0"
ns_del "$copy"
ctl feed del f

# --- news ------------------------------------------------------------------------

refuse "an age needs a feed" 1 "age: the filter has no feed; use feed add" \
	at "$in" feeds news f 0
events m "$in" -j
ctl feed add f stale 2s
check "event: the feed is added" heard m 20 \
	'"event":"filter-change","filter":"f","change":"feed"'
is "a feed without news is not stale" "$(feed_get .is_stale)" false
check "news" at "$in" feeds news f 0
between "they have an age" "$(feed_get .age)" 0 60000000000
match "event: the feed is stale" "$(heard m 20 '"event":"feed-stale"')" \
	'"filter":"f","duration":[0-9]{10}'
is "show: the feed is stale" "$(feed_get .is_stale)" true
match "the overview names it" "$(at "$in" seenctl -j | jq -c '.filters[] | select(.name == "f").wrong')" \
	'"what":"feed-stale","bad":true,"age":[0-9]{10}'
ctl feed del f
ctl feed add f stale 1h
so_far "$in" m
check "old news make it stale at once" at "$in" feeds news f 3700000000000
check "event: the feed is stale again" heard m 20 '"event":"feed-stale","filter":"f"'
at "$in" feeds news f 3800000000000
check "fresh news" at "$in" feeds news f 1000
check "event: it is fresh" heard m 20 '"event":"feed-fresh","filter":"f"'
at "$in" feeds news f 3700000000000
is "older news change nothing" "$(feed_get .is_stale)" false
so_far "$in" m
is "each event comes once" "$(grep -c '"event":"feed-' "$(heard_log m)")" 3
ctl feed del f
ctl feed add f
at "$in" feeds news f "$OLDEST"
is "news as old as a request may say do not grow older" "$(feed_get ".age == $OLDEST")" true

# --- memory, and the end ---------------------------------------------------------

ctl feed del f
before=$(grep -c '\[seen\]' /proc/vmallocinfo)
at "$in" sysctl -qw net.seen.max_bytes=2000000
refuse "a feed counts against the cap" 1 "memory: sysctl net.seen.max_bytes" \
	at "$in" seenctl feed add f records 1048576
for ((i = 0; i < 20; i++)); do
	await 10 at "$in" seenctl feed add f records 16384 || break
	at "$in" seenctl feed del f
done
is "a deleted feed is no longer charged" "$i" 20
# The memory of the first one may have been freed after it was counted.
check "its memory is freed" await 20 eval \
	"[ \"\$(grep -c '\[seen\]' /proc/vmallocinfo)\" -le $before ]"
at "$in" sysctl -qw net.seen.max_bytes=0

ctl feed add f
ns gone
at "$gone" seenctl -j filter add f capacity 1k key bytes type cuckoo bits 32 >/dev/null
at "$gone" seenctl -j feed add f stale 1s >/dev/null
at "$gone" feeds news f 0
check "a namespace ends with its feeds" ns_del "$gone"
ctl filter add p capacity 100k key frame type cuckoo bits 32 window 1h
ctl feed add p stale 1s
at "$in" seenctl guard add dev b0 filter p verdict dup action count >/dev/null
at "$in" feeds news p 0
background at "$out" bash -c 'while :; do frames 0 1000 a0; done'
flooder=$!
check "frames make records" await 20 eval "(( \$(filter_get $in p .feed.records) > 0 ))"
at "$in" seenctl guard del dev b0
kill "$flooder"
unload() {
	[ ! -d /sys/module/xt_seen ] || rmmod xt_seen && rmmod seen
}
check "the module unloads while there are feeds" await 20 unload
check "and loads again" modprobe seen

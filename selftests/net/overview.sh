#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# `seenctl` without a command: one screen of 24 lines and 80 columns about all guards and filters,
# the worst first, with their faults. And the lines of `guard show`, `filter show` and
# `monitor`: at most 80 columns, without counters that are 0, with notes only at `guard add`.
#
#	$away  a0 ------- b0   $box	a guard on the device
#	       a1 ------- p1 \
#	       a2 ------- p2 -- br0	a guard on the bridge

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/helpers/lib.sh"
. "$(dirname "$0")/helpers/rules.sh"

plan 57
ns box away
veth "$away" a0 "$box" b0
veth "$away" a1 "$box" p1
veth "$away" a2 "$box" p2
br "$box" br0 p1 p2

# add OBJECT WORD...: adds it, and discards the notes
add() {
	ask "$1" add "${@:2}" >"$lib_dir/none" 2>&1 || { note "$(cat "$lib_dir/none")"; exit 1; }
}

# line NAME: the line of the overview about the object
line() {
	ask -o | awk -v name="$1" '$1 == name || $2 == name'
}

# wide: the longest line of standard input
wide() {
	awk '{ n = length($0) > n ? length($0) : n } END { print n + 0 }'
}

# fits WHAT COMMAND...: each line of the output has at most 80 columns.
fits() {
	local out

	out=$("${@:2}" 2>&1)
	between "$1: columns" "$(wide <<<"$out")" 20 80
}

# --- nothing ----------------------------------------------------------------------------

is "neither guards nor filters" "$(ask)" "no guards, no filters (seenctl help)"
is "in JSON" "$(ask -j)" '{"guards":[],"filters":[]}'

# --- nothing wrong ----------------------------------------------------------------------

add filter hosts type cuckoo bits 32 capacity 10k key src window 10m
add filter once type bloom capacity 1k
ask key add hosts 10.0.0.1 10.0.0.2 >"$lib_dir/none"
add filter frames capacity 10k key frame type cuckoo bits 32 window 1h
add guard dev b0 filter frames action drop
is "a guard: verdict, action, state, drops" "$(line b0 | xargs)" "b0 dup drop armed 0"
# The number of entries is an estimate.
match "a filter: type, fill, entries and capacity, window" "$(line hosts | xargs)" \
	'^hosts cuckoo 0\.0% [0-9]+/10\.0k 10m$'
is "a filter without a window" "$(line once | xargs)" "once bloom 0% 0/1000"
is "nothing needs attention" "$(ask | grep -c '^!')" 0
is "nor in JSON" "$(ask -j | jq -c '[.guards[], .filters[]] | [length, (map(.wrong[]) | length)]')" \
	"[4,0]"
is "-s and -o change nothing here" "$(ask -s -o)" "$(ask)"

# --- what is wrong ----------------------------------------------------------------------

# wrong WHAT NAME REGEX JQ: the text about the object, and its members in JSON
wrong() {
	match "$1" "$(line "$2")" "$3"
	is "$1, in JSON" "$(ask -j | jq -c --arg name "$2" '[.guards[], .filters[]] |
		map(select((.name // .dev) == $name))[0].wrong[0] | '"$4")" "$5"
}

tool=iptables-nft
rule -A INPUT -m seen --filter absent
rule -A INPUT -m seen --filter once --del
wrong "a missing filter" absent '^! absent +MISSING, rules: 1$' '[.what, .bad, .rules]' \
	'["missing",true,1]'
wrong "an unfit rule" once '^! once +bloom .* UNFIT rules: 1 of 1$' '[.what, .bad, .rules]' \
	'["unfit",true,1]'
rule -F INPUT
await 10 test -z "$(line absent)"
add filter small type bloom capacity 10
printf '10.1.%d.1\n' {1..200} | ask key add small - >"$lib_dir/none" 2>&1
wrong "a full filter" small '^! small +bloom .* FULL.*keys not stored: [0-9]+$' \
	'[.what, .bad]' '["full",true]'
ask guard pause dev b0
wrong "a paused guard" b0 '^! b0 .* paused .* judges nothing$' '[.what, .bad]' '["paused",true]'
ask guard resume dev b0
add guard bridge br7 profile loop
wrong "a guard without a device" br7 '^! br7 .* waiting .* no such device$' '[.what, .bad]' \
	'["waiting",true]'
ask guard del bridge br7
ask guard set dev b0 storm 2
events m "$box"
at "$away" frames 0 1 a0
await 20 ports_reach "$box" new 1

# stormy REGEX COMMAND...: copies arrive; then the output matches.
stormy() {
	at "$away" frames 0 1 a0 a0 a0 a0
	"${@:2}" | grep -qE "$1"
}

check "a storm" await 20 stormy '^! b0 .* STORM b0 [0-9]+/s' line b0
check "a storm has an event of one line" heard m 20 \
	' storm dev b0 hook ingress filter frames port b0 .* ethertype 0x88b5 port b0'

# --- ports -------------------------------------------------------------------------------

table=$(ask guard show dev b0)
match "guard show: a row for the port, with the frames" "$table" \
	$'\n    port  state .*duplicates +dropped.* last\n    b0    (storm|suspect|calm) '
is "no column is empty" "$(grep -c 'would-drop\|marked\|hits\|blocks\|loop-with' <<<"$table")" 0
is "guard show prints no notes" "$(ask guard show 2>&1 | grep -c 'note')" 0
counters=$(ask -s guard show dev b0)
match "-s: the counters, a row for each" "$counters" \
	$'\n    counter +b0\n    judged +[0-9]+\n    new +1\n.*dup-same-port +[0-9]+\n'
is "no counter is 0" "$(grep -cE '^    [a-z-]+ +0$' <<<"$counters")" 0
match "-s: the last duplicate" "$counters" $'\n    b0 last duplicate: smac [0-9a-f:]{17} '
match "-o is one line with alarms" "$(ask -o guard show dev b0)" \
	'^guard dev b0 hook .*\\    state armed .*\\    port b0 alarm '
check "a storm is red" await 20 stormy $'\033\\[1;31mstorm\033\\[0m' ask -c guard show dev b0
check "in the overview, too" await 20 stormy $'\033\\[1;31mSTORM b0 ' ask -c
ask guard del dev b0

# A bridge with many ports of long names, and a guard with many parameters.
for n in 01 02 03 04 05 06 07 08 09 10 11 12; do
	ip -n "$box" link add "long-port-123$n" type dummy
	ip -n "$box" link set "long-port-123$n" up master br0
done 2>"$lib_dir/none"
add guard bridge br0 profile loop udp 1,2,3,4-5,6-7 src 2001:db8:1:2:3:4:5:6,10.0.0.0/8 \
	dst 2001:db8:1:2:3:4:5:6 protect long-port-12301 exempt 01:00:5e:00:00:10/44
fits "guard show" ask guard show
fits "guard show -s" ask -s guard show
is "a row for each port" "$(ask guard show bridge br0 | grep -c '^    long-port-123.. *calm')" 12
match "a protected port" "$(ask guard show bridge br0)" 'long-port-12301 +calm +protected'
add filter a-name-of-exactly-31-characters type cms capacity 10k window 10s threshold 1000 top 20
fits "filter show" ask filter show
fits "filter show -s" ask -s filter show
fits "the overview" ask
is "a continued line has eight blanks, a further line four" \
	"$(ask -s filter show | grep -vcE '^(filter |    [^ ]|        [^ ])')" 0
ask guard del bridge br0 >"$lib_dir/none"

# --- notes -------------------------------------------------------------------------------

# notes COMMAND...: what it prints on standard error; standard output is discarded.
notes() {
	{ ask "$@" >"$lib_dir/none"; } 2>&1
}

is "guard add with action count: one note for every guard" \
	"$(notes guard add dev b0 filter frames action count | grep -c 'bypass a guard$')" 1
is "guard set action drop: notes about drops" \
	"$(notes guard set dev b0 action drop | grep -c 'tcpdump\|NETFILTER_DROP')" 2
is "guard set action drop, again: no notes about drops" \
	"$(notes guard set dev b0 action drop | grep -c 'tcpdump\|NETFILTER_DROP')" 0
is "guard set of another parameter: no notes" "$(notes guard set dev b0 storm 9)" ""
ask guard del dev b0
is "a batch prints each note once" \
	"$(printf 'guard add dev %s filter frames action drop\n' b0 p1 p2 | notes -b - |
		sort | uniq -d)" ""
ask guard del all >"$lib_dir/none"

# --- events ------------------------------------------------------------------------------

listen w at "$box" seenctl monitor until guard-del
heard w 10 listening >"$lib_dir/none"
add guard bridge br0 profile loop
ask filter rename a-name-of-exactly-31-characters another-name-of-31-characters..
ask guard del bridge br0
heard w 20 guard-del >"$lib_dir/none"
while heard w 1 .; do :; done >"$lib_dir/none"
between "lines of events: columns" "$(wide <"$(heard_log w)")" 40 80
match "a long event continues on the next line" "$(cat "$(heard_log w)")" \
	$' filter-change\n?.*change rename[\n ]+old-name a-name-of-exactly-31-characters'

# --- more faults than lines ---------------------------------------------------------------

long=()
for n in 01 02 03 04 05 06 07 08 09 10 11 12; do
	veth "$away" "c$n" "$box" "long-port-c$n"
	long+=("long-port-c$n")
done
br "$box" br1 "${long[@]}"
add filter few capacity 20 key frame type cuckoo bits 32 window 1h
add guard bridge br1 filter few
link_up "$away" "${long[@]/#long-port-/}"
# Each port is over its budget.
for n in 01 02 03 04 05 06 07 08 09 10 11 12; do
	at "$away" frames "$((10#$n * 1000))" 100 "c$n"
done
wrongs() {
	ask -j | jq '.guards[] | select(.dev == "br1").wrong | length'
}
all_wrong() {
	[ "$(wrongs)" -ge 12 ]
}
check "twelve ports have faults" await 20 all_wrong
# The bridge's lines in the overview.
faults=$(ask | awk '/^[! ] [^ ]/ { on = $1 == "br1" || $2 == "br1" } on')
between "the faults have at most three lines" "$(wc -l <<<"$faults")" 1 3
between "columns" "$(wide <<<"$faults")" 40 80
match "the last line counts the other faults" "$faults" ', and [0-9]+ more$'
is "printed and counted faults are all faults" \
	"$(($(grep -o 'over budget' <<<"$faults" | wc -l) + $(sed -n 's/.* and \([0-9]*\) more$/\1/p' <<<"$faults")))" \
	"$(wrongs)"
ask guard del bridge br1 >"$lib_dir/none"
ask filter del few >"$lib_dir/none"

# --- more than a screen ------------------------------------------------------------------

for ((n = 0; n < 40; n++)); do
	echo "filter add many$n type bloom capacity 100"
done | ask -b - >"$lib_dir/none"
between "40 filters: lines" "$(ask | wc -l)" 20 24
match "the last line counts the others" "$(ask | tail -n1)" \
	'^  and [0-9]+ more: seenctl filter show$'
is "listed and counted filters are all filters" \
	"$(($(ask | grep -cE '^[! ] [^ ]+ .*(bloom|cuckoo|cms)') + $(ask | sed -n 's/.*and \([0-9]*\) more.*/\1/p')))" \
	"$(ask -j filter show | jq length)"
match "the worst first" "$(ask | sed -n 2p)" '^! small '
is "-o prints all" "$(ask -o | grep -cE ' many[0-9]+ ')" 40
for ((n = 0; n < 30; n++)); do
	echo "guard add dev no$n filter frames"
done | ask -b - >"$lib_dir/none" 2>&1
between "guards, too: lines" "$(ask | wc -l)" 20 24
is "each kind counts its own" "$(ask | sed -n 's/.* more: //p' | paste -sd,)" \
	"seenctl guard show,seenctl filter show"
is "JSON has all" "$(ask -j | jq '.guards | length')" 30

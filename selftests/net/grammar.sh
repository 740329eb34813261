#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# seenctl's commands and options, as users of iproute2 expect them: omitted commands, aliases,
# "all", replace; each form of an option; colors, lines and versions. cli.sh tests invalid input.
#
#	box: v0 --- v1 in br0

. "$(dirname "$0")/../lib.sh"

plan 97
ns box
veth "$box" v0 "$box" v1
br "$box" br0 v1

ctl() {
	seenctl -n "$box" "$@"
}

# --- commands --------------------------------------------------------------------------

ctl filter add f capacity 1k >/dev/null
ctl filter add g type map capacity 10 >/dev/null
ctl guard add dev v0 filter f >/dev/null
for object in filter guard; do
	want=$(ctl -j "$object" show)
	match "$object show prints something" "$want" '^\[\{'
	is "$object alone shows" "$(ctl -j "$object")" "$want"
	for word in ls list l; do
		is "$object $word, too" "$(ctl -j "$object" "$word")" "$want"
	done
done
is "ls takes what show takes" "$(ctl filter ls g)" "$(ctl filter show g)"
ctl key add g 10.0.0.1
is "list shows keys" "$(ctl key list g)" "10.0.0.1 0"
check "delete" ctl filter delete g
is "deletes" "$(ctl -j filter | jq -c 'map(.name)')" '["f"]'
check "an abbreviation of it" ctl guard delet dev v0
is "the abbreviation deletes, too" "$(ctl -j guard)" "[]"

# --- keys ------------------------------------------------------------------------------

# The key dash is -x. Between NAME and "--" a word with a dash is an option.
ctl filter add dash type cuckoo bits 32 capacity 10 key bytes
is "no type is reported if the filter is refused" \
	"$(ctl filter add dash capacity 10 2>/dev/null)" ''
check "options may follow the keys" ctl key add dash y --copies
check "after -- a key may begin with a dash" ctl key add dash -- -x
is "hex digits name the same key" "$(ctl key test dash 0x2d78)" "0x2d78 seen"
is "in a list every word is a key" "$(echo -x | ctl key test dash -)" "-x seen"
ctl allow add dash -- --csv
is "allow takes -- too" "$(ctl allow show dash)" 0x2d2d637376
is "save prints this key as hex digits, which are no option" \
	"$(ctl save | sed -n '/^allow/p')" "allow add dash 0x2d2d637376"
ctl filter del dash

# --- all -------------------------------------------------------------------------------

names() {
	ctl -j filter | jq -r 'map(.name) | sort | join(" ")'
}

furnish() {
	ctl -exist -b - >/dev/null <<-'END'
		filter add plain capacity 1k
		filter add mapped type map capacity 1k
		filter add asks capacity 1k
		filter set asks allow-map mapped
		filter add guarded type cuckoo capacity 1k window 1s
		filter add ruled capacity 1k
		filter add passed type map capacity 1k
		filter set ruled allow-map passed
		guard add dev v0 filter guarded
		guard add bridge br0 profile loop
		END
}

at "$box" iptables -A INPUT -m seen --filter ruled -j ACCEPT
furnish
is "filter del all prints what it does" "$(ctl filter del all | sort)" "$(sort <<'END'
filter f deleted
filter plain deleted
filter asks deleted
filter mapped deleted
filter guarded kept: guards use it
filter ruled kept: rules name it
filter passed kept: it is the allow map of a filter that is kept
filter loop-br0 kept: it belongs to a guard
END
)"
is "the other filters are left" "$(names)" "guarded loop-br0 passed ruled"
furnish
is "in JSON it is an array" \
	"$(ctl -j filter delete all | jq -c 'map(select(.deleted).name) | sort')" \
	'["asks","mapped","plain"]'
ctl key add guarded 10.0.0.1
ctl key add passed 10.0.0.2 value 7
check "filter flush all" ctl filter flush all
is "empties a filter that guards use" "$(ctl key test guarded 10.0.0.1)" "10.0.0.1 new"
is "filter flush all empties a map" "$(ctl key show passed)" ""
is "filter flush all deletes no filter" "$(names)" "guarded loop-br0 passed ruled"
is "in JSON it is an object" "$(ctl -j filter flush all)" "{}"
is "guard del all prints each" "$(ctl guard del all | sort)" \
	$'guard bridge br0 hook ingress deleted\nguard dev v0 hook ingress deleted'
is "no guard is left" "$(ctl guard)" ""
is "no filter of a guard is left" "$(names)" "guarded passed ruled"
furnish
is "in JSON it is an array, too" "$(ctl -j guard del all | jq -c 'map(.dev) | sort')" \
	'["br0","v0"]'
is "that array may be empty" "$(ctl -j guard del all)" "[]"

# --- guard replace ---------------------------------------------------------------------

# of JQ: of the only guard.
of() {
	ctl -j -s guard | jq -c ".[0] | $1"
}

# frame: one that is new to any filter.
frames=0
frame() {
	at "$box" python3 -c '
import socket, sys
s = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
s.bind(("v1", 0))
s.send(b"\xff" * 6 + b"\2" * 6 + b"\x88\xb5" + int(sys.argv[1]).to_bytes(4, "big") + bytes(50))' \
		$((++frames))
}

ctl filter add h capacity 1k key frame >/dev/null
ctl filter add i capacity 1k key frame >/dev/null
check "replace adds a guard" ctl guard replace dev v0 filter h action drop storm 7
is "it has these parameters" "$(of '[.filter, .action, .storm, .state]')" '["h","drop",7,"armed"]'
frame
is "the guard judges" "$(of .ports[0].judged)" 1
check "the same replace" ctl guard replace dev v0 filter h action drop storm 7 profile none
is "the guard keeps its counters" "$(of .ports[0].judged)" 1
check "replace with another action" ctl guard replace dev v0 filter h action mark 9
is "the action is set, and the rest has the defaults" "$(of '[.action, .mark, .storm]')" \
	'["mark",9,100]'
is "the counters continue" "$(of .ports[0].judged)" 1
check "replace with paused" ctl guard replace dev v0 filter h paused
is "the guard is paused" "$(of '[.paused, .action]')" '[true,"count"]'
check "replace without paused" ctl guard replace dev v0 filter h
is "the guard judges again" "$(of '[.paused, .ports[0].judged]')" '[false,1]'
check "replace with another filter" ctl guard replace dev v0 filter i
is "the guard has the other filter" "$(of .filter)" '"i"'
is "it is a new guard" "$(of .ports[0].judged)" 0
frame
refuse "an invalid replace is refused" 1 "no-block" ctl guard replace dev v0 filter h no-block
is "the old guard is left" "$(of '[.filter, .state, .storm]')" '["i","armed",100]'
ctl guard del all >/dev/null
check "replace on a bridge" ctl guard replace bridge br0 profile loop no-probe storm 5 \
	protect v1 exempt 01:00:5e:00:00:10/44 repeat 7 block-first 2s suspect 4
is "the guard has all parameters" \
	"$(of '[.no_probe, .storm, .protect, .exempt, .repeat, .block_first, .suspect, .action]')" \
	'[true,5,["v1"],["01:00:5e:00:00:10/44"],7,2000000000,4,"block"]'
id=$(ctl -j filter show loop-br0 | jq .[0].id)
check "replace without these parameters" ctl guard replace bridge br0 profile loop no-block
is "the guard has none of them" \
	"$(of '[.no_probe, .storm, .protect, .exempt, .repeat, .block_first, .suspect, .action]')" \
	'[false,100,[],[],1000,5000000000,3,"drop"]'
is "the guard has the same filter" "$(ctl -j filter show loop-br0 | jq .[0].id)" "$id"
check "replace with the defaults" ctl guard replace bridge br0 profile loop
is "the action is block" "$(of .action)" '"block"'
for action in count "mark 7"; do
	# shellcheck disable=SC2086 # a word, or two
	ctl guard set bridge br0 action $action
	check "no-block, with action $action before" ctl guard set bridge br0 no-block
	is "no-block sets action drop" "$(of '[.action, .no_block]')" '["drop",true]'
done
refuse "no-block with another action is refused" 1 "no-block: contradicts action count; omit" \
	ctl guard set bridge br0 action count no-block
ctl guard del all >/dev/null

# --- options ---------------------------------------------------------------------------

ctl guard add dev v0 filter h >/dev/null
for words in "-s -j" -sj -js "-stats -json" "--stats --json" "-statistics -j" "-js -pretty"; do
	# shellcheck disable=SC2086 # one word an option
	is "$words" "$(ctl $words guard | jq -c '.[0].ports[0].judged')" 0
done
is "-netns is -n" "$(seenctl -netns "$box" -j guard | jq length)" 1
is "so is --netns=" "$(seenctl "--netns=$box" -j guard | jq length)" 1
is "-oneline has a line for each filter" "$(ctl -oneline -s filter | wc -l)" "$(names | wc -w)"
match "with backslashes" "$(ctl -so filter show h)" '^filter h .*\\    bytes .*\\    lookups '
is "and one for each guard" "$(ctl -os guard | wc -l)" 1
# unfolded OPTION OBJECT: each backslash is a line break.
unfolded() {
	ctl "$1" "$2" | sed 's/\\/\n/g'
}

# joined: the lines that continue a line are part of it.
joined() {
	sed -z 's/\n        / /g'
}

# A table of ports has a line for each port; with -o the parameters of each port are a line.
without_ports() {
	sed '/^    port /,$d'
}

for object in filter guard; do
	is "$object: -o has the same lines" "$(unfolded -o "$object" | without_ports)" \
		"$(ctl "$object" | joined | without_ports)"
	is "$object: -os, too" "$(unfolded -os "$object" | without_ports)" \
		"$(ctl -s "$object" | joined | without_ports)"
	is "$object: -osj is -sj" "$(ctl -osj "$object")" "$(ctl -sj "$object")"
done
is "no colors unless they are asked for" "$(ctl filter show h | grep -c $'\033')" 0
is "-c=auto prints no colors on a pipe" "$(ctl -c=auto filter show h | grep -c $'\033')" 0
is "-c is always" "$(ctl -c filter show h | head -n1)" \
	"$(ctl -color=always filter show h | head -n1)"
match "a name is colored" "$(ctl -c filter show h)" $'^filter \033\\[1;36mh\033\\[0m type '
is "JSON is not colored" "$(ctl -c -j filter show h)" "$(ctl -j filter show h)"

# --- versions --------------------------------------------------------------------------

match "-V prints the versions of tool, library and module" "$(ctl -V | paste -sd' ')" \
	'^seenctl ([0-9.]+) libseen ([0-9.]+) module ([0-9.]+) .*family [0-9]+$'
is "-Version, too" "$(ctl -Version)" "$(ctl -V)"
is "in JSON, and the same" \
	"$(ctl -jV | jq -c '[.loaded, .seenctl == .module, .libseen == .module]')" \
	"[true,true,true]"
is "-oV is one line" "$(ctl -oV | sed 's/\\/\n/g')" "$(ctl -V)"

# --- monitor ---------------------------------------------------------------------------

before=$(members "$box")
listen ear at "$box" seenctl -j monitor filter old
await 10 more_members "$box" "$before"
ctl filter add old type map capacity 10
ctl filter add other type map capacity 10
ctl filter rename old new
ctl filter flush other
ctl filter flush new
heard ear 10 flush >/dev/null
is "monitor filter follows a filter that is renamed" \
	"$(grep '^{' "$(heard_log ear)" | jq -r '[.event, .change // "-", .filter] | join(" ")')" \
	$'filter-add - old\nfilter-change rename new\nfilter-change flush new'
before=$(members "$box")
listen late at "$box" seenctl -j monitor filter new count 2
await 10 more_members "$box" "$before"
ctl filter rename new newer
ctl filter del newer
heard late 10 filter-del >/dev/null
is "monitor also follows a filter that was added before it" \
	"$(grep '^{' "$(heard_log late)" | jq -r '[.event, .filter] | join(" ")')" \
	$'filter-change newer\nfilter-del newer'

ctl guard del all >/dev/null
at "$box" iptables -F
ctl filter del all >/dev/null
rmmod xt_seen
rmmod seen
is "-V reports that no module is loaded" "$(ctl -V | tail -n1)" "module not loaded"
is "-V does not load the module" "$(grep -c '^seen ' /proc/modules)" 0
is "in JSON, too" "$(ctl -jV | jq .loaded)" false

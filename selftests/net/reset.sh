#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# `seenctl reset` deletes guards and filters, except filters that rules reference. Other commands
# print a note to standard error if the user probably meant another guard.

. "$(dirname "$0")/../lib.sh"

plan 30
box='' other=''
ns box other
ip -n "$box" link add eth0 type dummy
br "$box" br0
ip -n "$box" link set eth0 master br0 up
ip -n "$box" link add eth1 type dummy
at "$box" ethtool -K eth1 gro off

ctl() {
	at "$box" seenctl "$@"
}

# furnish NAMESPACE
furnish() {
	seenctl -exist -n "$1" -b - >/dev/null 2>&1 <<-END
		filter add known type cuckoo bits 32 capacity 1k key src
		filter add passed type map capacity 1k key src
		filter set known allow-map passed
		filter add named type cuckoo bits 32 capacity 1k key src
		guard add dev lo profile packet
		guard add dev later filter known action drop
		END
}

# reset NAMESPACE WORD...: what it says is in the file "said".
reset() {
	at "$1" seenctl "${@:2}" </dev/null >"$lib_dir/said"
}

left() {
	echo "$(at "$1" seenctl -j guard show | jq length)" \
		"$(at "$1" seenctl -j filter show | jq -r 'map(.name) | join(" ")')"
}

# --- reset ----------------------------------------------------------------------------

furnish "$box"
furnish "$other"
at "$box" iptables -A INPUT -m seen --filter named -j ACCEPT
check "reset succeeds" reset "$box" reset
is "each deleted object is printed" "$(sort "$lib_dir/said")" "$(sort <<'END'
guard dev lo hook ingress deleted
guard dev later hook ingress deleted
filter known deleted
filter passed deleted
filter named kept: rules name it
END
)"
is "a filter that rules reference is left" "$(left "$box")" "0 named"
is "another namespace is unchanged" "$(left "$other")" "2 known passed named packet"
is "a second reset only reports the kept filter" \
	"$(ctl reset </dev/null)" "filter named kept: rules name it"
furnish "$box"
check "reset in JSON succeeds" reset "$box" -j reset
is "the answer is an array" "$(jq -c 'map(.object, .dev // .name, .hook // .kept) | sort' \
	"$lib_dir/said")" "$(jq -nc '["guard","lo","ingress","guard","later","ingress",
	"filter","known",null,"filter","passed",null,"filter","named","rules name it"] | sort')"
furnish "$box"
check "reset -a resets each named namespace" reset "$other" reset -a
is "the first namespace is reset" "$(left "$box")" "0 named"
is "the second namespace is reset" "$(left "$other")" "0 "
match "the namespace is printed" "$(cat "$lib_dir/said")" "filter known netns $box deleted"

# A terminal is asked.
furnish "$box"
# answered TEXT
answered() {
	at "$box" python3 -c '
import os, pty, subprocess, sys
master, slave = pty.openpty()
os.write(master, sys.argv[1].encode() + b"\n")
sys.exit(subprocess.run(sys.argv[2:], stdin=slave, stdout=subprocess.DEVNULL).returncode)
' "$1" seenctl reset
}
refuse "answer no: nothing is deleted" 1 "nothing was deleted" answered n
is "all objects are there" "$(left "$box")" "2 named known passed packet"
check "answer yes" answered y
is "all objects are deleted" "$(left "$box")" "0 named"

# --- notes ----------------------------------------------------------------------------

# note_of WORD...: what `guard add` says on standard error about this guard only, and the guard
# goes.
note_of() {
	{ ctl guard add "$@" >/dev/null; } 2>&1 |
		grep -v 'bypass a guard$\|because it runs first$\|reports NETFILTER_DROP$'
	ctl guard del "$1" "$2"
}

# like DEV
like() {
	echo "seenctl: note: use instead: seenctl guard del dev $1;" \
		"seenctl guard add bridge br0 profile loop"
}
is "a note: profile loop on a bridge's port" \
	"$(note_of dev eth0 profile loop | tail -n1)" "$(like eth0)"
is "a note: profile loop on a bridge as a device" \
	"$(note_of dev br0 profile loop | tail -n1)" "$(like br0)"
is "no note: profile loop on another device" "$(note_of dev eth1 profile loop)" ""
ctl filter add small type bloom capacity 1k fpp 1e-3 key src
is "a note: drop by a filter without a window, with false positives" \
	"$(note_of dev eth1 filter small action drop)" \
	"seenctl: note: filter small has no window: repeated packets are dropped without a time limit
seenctl: note: filter small may drop one of 1000 new packets
seenctl: note: use this filter instead: seenctl filter add NEW type cuckoo capacity 1000 window 1s fpp 1e-06 key src"
is "a note: drop by a list with false positives" \
	"$(note_of dev eth1 filter small verdict listed action drop | tail -n1)" \
	"seenctl: note: use instead: an exact filter (map, bitmap), or fpp 1e-06"
ctl filter add ports type bitmap key dport range 0-65535
match "a note: drop by a bitmap" \
	"$(note_of dev eth1 filter ports action drop)" "use instead: verdict listed"
match "a note: a protected port that does not exist" \
	"$(note_of bridge br0 profile loop protect eth9)" \
	"seenctl: note: eth9 is not a port of br0; the guard protects it"
match "a note: signed trails that no other guard can read" \
	"$(note_of bridge br0 profile loop trail trail-auth)" \
	"seenctl: note: trail-auth: no other guard knows the secret of filter loop-br0"
match "a note: a port with a part in trails that does not exist" \
	"$(note_of bridge br0 profile loop trail port eth9 edge)" \
	"seenctl: note: eth9 is not a port of br0; edge or segment applies"
refuse "one port and none is refused" 2 "protect: none excludes all others" \
	ctl guard set bridge br0 protect eth0 protect none
refuse "none and one group is refused" 2 "exempt: none excludes all others" \
	ctl guard set bridge br0 exempt none exempt 01:00:0c:cc:cc:cc
ctl guard add dev eth1 filter small >/dev/null
match "a note: set to drop later" "$( { ctl guard set dev eth1 action drop >/dev/null; } 2>&1)" \
	"seenctl: note: filter small has no window"

# --- what is kept with a filter -------------------------------------------------------

ctl filter add never type map capacity 10 key src
ctl filter set named allow-map never
check "a filter that is kept keeps its allow map" reset "$box" reset
match "the kept map is printed with the reason" "$(cat "$lib_dir/said")" \
	"filter never kept: it is the allow map of a filter that is kept"
printf '%s\n' "reset -a" "filter add here type map capacity 10 key src" |
	at "$box" seenctl -b - >/dev/null
is "after reset -a a batch continues in its own namespace" "$(left "$box")" "0 named never here"

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Keys in messages. A request has one entry per key, or packed keys. Replies and dumps have one
# entry per key, except that adding packed keys is answered with counts. A reply has at most
# 64 KiB. A dump of an allow list reports if the list has changed meanwhile.

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/helpers/lib.sh"

here=$(dirname "$0")

plan 22
space=
ns space

ctl() {
	at "$space" seenctl "$@"
}

entries() {
	at "$space" python3 "$here/helpers/entries.py" "$@"
}

# Checks that REQUEST ($2) gets this answer ($3...), one line per message.
told() {
	is "$1" "$(entries ask <<<"$2")" "$(printf '%s\n' "${@:3}")"
}

ctl filter add map type map key id capacity 5000
ctl filter add copies type cuckoo key id capacity 100
ctl filter add heavy type cms key id capacity 1000 fpp 0.01 top 10
ctl filter add allow type cuckoo key id capacity 100

# enum seen_key_result: 1 new, 2 seen, 4 copies, 5 absent, 7 allowed
one=00000001 two=00000002 three=00000003

# --- entries ---------------------------------------------------------------------------

told "each key has its result" \
	"KEY_ADD FILTER=str:map ENTRY=nest:KEY=hex:$one,VALUE=u32:7 ENTRY=nest:KEY=hex:$two" \
	"{RESULT=1} {RESULT=1} DONE=2" "end 0"
told "results are in the order of the request" \
	"KEY_ADD FILTER=str:map ENTRY=nest:KEY=hex:$three ENTRY=nest:KEY=hex:$one IF_NEW=flag:" \
	"{RESULT=1} {RESULT=2} DONE=2" "end 0"
told "values come with results" \
	"KEY_COUNT FILTER=str:map ENTRY=nest:KEY=hex:$one ENTRY=nest:KEY=hex:000000ff" \
	"{RESULT=2 VALUE=7} {RESULT=1 VALUE=0} DONE=2" "end 0"
told "values come with the results of packed keys" \
	"KEY_COUNT FILTER=str:map PACKED=hex:0400${one}0400$two" \
	"{RESULT=2 VALUE=7} {RESULT=2 VALUE=0} DONE=2" "end 0"
told "packed keys that are tested have a result each" \
	"KEY_TEST FILTER=str:map PACKED=hex:0400${one}0400000000ff" \
	"{RESULT=2} {RESULT=1} DONE=2" "end 0"
told "packed keys that are deleted have a result each" \
	"KEY_DEL FILTER=str:map PACKED=hex:0400${two}0400000000ff" \
	"{RESULT=2} {RESULT=5} DONE=2" "end 0"
told "results keep the order of the keys among other attributes" \
	"KEY_TEST ENTRY=nest:KEY=hex:$two FILTER=str:map ENTRY=nest:KEY=hex:$one" \
	"{RESULT=1} {RESULT=2} DONE=2" "end 0"

# --- packed keys that are added --------------------------------------------------------

told "adding packed keys is answered with counts" \
	"KEY_ADD FILTER=str:map PACKED=hex:0400${one}0400${two}0400$three" \
	"DONE=3 NEW=1 STALE=0" "end 0"
is "packed keys have the value 0 in a map" "$(ctl key count map 1 2 3 | xargs)" "1 0 2 0 3 0"
told "the allow list answers with the same counts" \
	"ALLOW_ADD FILTER=str:allow PACKED=hex:0400${one}0400${one}" \
	"DONE=2 NEW=1 STALE=0" "end 0"
told "the allow list answers entries with entries" \
	"ALLOW_ADD FILTER=str:allow ENTRY=nest:KEY=hex:$one ENTRY=nest:KEY=hex:$two" \
	"{RESULT=2} {RESULT=1} DONE=2" "end 0"
told "a key on the list is not judged" \
	"KEY_TEST FILTER=str:allow PACKED=hex:0400$one" "{RESULT=7} DONE=1" "end 0"

# --- refusals --------------------------------------------------------------------------

many=$(printf "0400$one%.0s" {1..10})
told "the index of a packed key that is refused" \
	"KEY_ADD FILTER=str:copies PACKED=hex:$many" \
	"DONE=8 FAILED=8 NEW=1 STALE=0" "end 75"
told "an entry that is refused has a reason" \
	"KEY_ADD FILTER=str:copies ENTRY=nest:KEY=hex:$two ENTRY=nest:KEY=hex:$one" \
	"{RESULT=1} {RESULT=4} DONE=1 FAILED=1" "end 75"

# --- dumps -----------------------------------------------------------------------------

told "a dump of the allow list is in its order" "dump ALLOW_GET FILTER=str:allow" \
	"{KEY=$one} {KEY=$two}" "end 0"
told "a dump of an empty allow list" "dump ALLOW_GET FILTER=str:map" "end 0"
printf '%s\n' 5 5 5 6 6 | ctl key add heavy -
told "the heaviest keys, and their counts" "dump TOP_GET FILTER=str:heavy" \
	"{KEY=00000005 VALUE=3} {KEY=00000006 VALUE=2}" "end 0"

# --- as many as there may be -----------------------------------------------------------

is "the longest reply has 32 KiB at most" "$(entries long map 1536 |
	awk '{ print ($1 <= 32768), $2 }')" "1 1536"
is "more keys than that are refused" "$(entries long map 1537)" ""
# The kernel makes the next part when one is read: the change comes before the third.
seq 1 9000 | ctl allow add allow -
is "a long list comes in parts, each key once" "$(entries dump allow)" \
	"True 9000 0 whole"
is "the dump reports a change, and has each other key once" \
	"$(entries dump allow 9000)" "True 8999 0 interrupted"
is "the same if the deleted key was in an earlier part" "$(entries dump allow 1)" \
	"True 8999 0 interrupted"

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# A command finds a filter or a guard by its id alone, or by id and name, which must then belong
# to the same object. The id stays with the name through a flush and a swap, and with the filter
# through a rename. No two objects have the same id.

. "$(dirname "$0")/../lib.sh"

here=$(cd "$(dirname "$0")" && pwd)
plan 45
box=
ns box
ip -n "$box" link add v0 type dummy
key=PACKED=hex:100000000000000000000000ffff0a000001

# ask REQUEST: the kernel's answer.
ask() {
	echo "$*" | at "$box" python3 "$here/requests.py"
}

# id_of KIND NAME
id_of() {
	at "$box" seenctl -j "$1" show | python3 -c '
import json, sys
for told in json.load(sys.stdin):
    if sys.argv[1] in (told.get("name"), told.get("dev")):
        print(told["id"])' "$2"
}

# does WHAT REQUEST
does() {
	is "$1" "$(ask "$2")" 'done'
}

asked() {
	at "$box" seenctl key test "$1" 10.0.0.1
}

for name in a b; do
	at "$box" seenctl filter add $name type bloom capacity 10k \
		seed 000102030405060708090a0b0c0d0e0f || exit 1
done
at "$box" seenctl guard add dev v0 filter a >/dev/null || exit 1
a=$(id_of filter a) b=$(id_of filter b) guard=$(id_of guard v0)
is "ids of different objects differ" \
	"$(printf '%s\n' "$a" "$b" "$guard" | grep -cx '[1-9][0-9]*') $(
	printf '%s\n' "$a" "$b" "$guard" | sort -u | wc -l)" "3 3"

# --- keys -------------------------------------------------------------------------------

does "a key is added by the filter's id" "KEY_ADD FILTER_ID=u32:$a $key"
match "the key is there" "$(asked a)" "seen"
does "a key is tested by id and name" "KEY_TEST FILTER_ID=u32:$a FILTER=str:a $key"
does "a key is added to an allow list by id" "ALLOW_ADD FILTER_ID=u32:$b $key"
is "it is the list of that filter" "$(at "$box" seenctl allow show b)" "10.0.0.1"

# --- filters ----------------------------------------------------------------------------

does "merge by two ids" "FILTER_MERGE ID=u32:$b NEW_ID=u32:$a"
does "flush by id" "FILTER_FLUSH ID=u32:$a"
match "nothing is left" "$(asked a)" "new"
is "the id stays through a flush" "$(id_of filter a)" "$a"
does "swap by name and id" "FILTER_SWAP NAME=str:a NEW_ID=u32:$b"
match "the keys of the other filter are there" "$(asked a)" "seen"
is "ids stay with names through a swap" "$(id_of filter a) $(id_of filter b)" "$a $b"
does "rename by id" "FILTER_RENAME ID=u32:$b NEW_NAME=str:c"
is "the id stays with the filter through a rename" "$(id_of filter c)" "$b"
does "set by both" "FILTER_SET ID=u32:$b NAME=str:c ON_FULL=u32:4"
match "it is set" "$(at "$box" seenctl filter show c)" "on-full pass"
does "get by id" "FILTER_GET ID=u32:$b"
does "fold by id" "FILTER_FOLD ID=u32:$b"
does "delete by id" "FILTER_DEL ID=u32:$b"
is "the filter is deleted" "$(id_of filter c)" ""
at "$box" seenctl filter add c type bloom capacity 10
is "a later filter of this name is not found by the old id" \
	"$(ask "FILTER_FLUSH NAME=str:c ID=u32:$b")" \
	"ENOENT filter with id $b does not exist"

# --- guards -----------------------------------------------------------------------------

does "a guard is shown by id" "GUARD_GET ID=u32:$guard"
does "it is paused by id" "GUARD_SET ID=u32:$guard PAUSED=u8:1"
match "it is paused" "$(at "$box" seenctl guard show)" "state paused"
does "it is deleted by id" "GUARD_DEL ID=u32:$guard"
is "the guard is deleted" "$(at "$box" seenctl guard show)" ""

# --- references -------------------------------------------------------------------------

# Prints a member ($3) of the filter or guard ($1) with the name or device $2.
told() {
	at "$box" seenctl -j "$1" show | jq -r ".[] | select(.name == \"$2\" or .dev == \"$2\") | $3"
}

at "$box" seenctl filter add m type map capacity 10 || exit 1
a=$(id_of filter a) m=$(id_of filter m)
does "a guard has its filter by id" \
	"GUARD_ADD KIND=u32:1 DEV=str:v0 FILTER_ID=u32:$a VERDICT=u32:4"
is "the guard shows the filter's name and id" "$(told guard v0 '"\(.filter) \(.filter_id)"')" "a $a"
guard=$(id_of guard v0)
does "the guard is deleted by id" "GUARD_DEL ID=u32:$guard"
does "a guard has its filter by id and name" \
	"GUARD_ADD KIND=u32:1 DEV=str:v0 FILTER_ID=u32:$a FILTER=str:a VERDICT=u32:4"
does "a filter has its allow map by id" "FILTER_SET NAME=str:a ALLOW_MAP_ID=u32:$m"
is "the filter shows name and id of its allow map" \
	"$(told filter a '"\(.allow_map) \(.allow_map_id)"')" "m $m"
at "$box" seenctl filter rename m n
at "$box" seenctl filter rename a d
is "references show the new name after a rename, and the same ids" "$(
	told filter d '"\(.allow_map) \(.allow_map_id)"') $(
	told guard v0 '"\(.filter) \(.filter_id)"')" "n $m d $a"
does "the same allow map by id and name" "FILTER_SET ID=u32:$a ALLOW_MAP=str:n ALLOW_MAP_ID=u32:$m"
does "an empty name removes the allow map" "FILTER_SET ID=u32:$a ALLOW_MAP=str:"
is "no allow map is shown" "$(told filter d '"\(.allow_map) \(.allow_map_id)"')" "null null"
at "$box" seenctl guard del dev v0
at "$box" seenctl filter rename d a

replace() {
	at "$box" python3 "$here/helpers/import_replace.py" "$@"
}

is "an import replaces the filter of this name and id" "$(replace a "$a" true)" "done "
is "the replaced filter keeps its id" "$(id_of filter a)" "$a"
is "an import is refused if another filter has the name by then" \
	"$(replace a "$a" seenctl filter rename a d)" \
	"ESTALE id: the filter of this id was deleted, or has another name"
at "$box" seenctl filter add a type bloom capacity 10
is "an import is refused for the id of another filter" \
	"$(replace d "$a" seenctl -b - <<<"filter rename d e
filter rename a d")" "ESTALE id: the filter of this id was deleted, or has another name"
at "$box" seenctl filter del d
at "$box" seenctl filter rename e a

# --- ports ------------------------------------------------------------------------------

PORTS=200

# ports ATTRIBUTE...: prints how many ports a dump has. The last line is the end of the dump.
ports() {
	echo "dump PORT_GET $*" |
		at "$box" python3 "$here/../attack/helpers/raw.py" ask |
		sed '$d' | sort -u | wc -l
}

{
	echo link add br0 type bridge
	for ((i = 0; i < PORTS; i++)); do
		echo link add p$i master br0 type dummy
	done
} | ip -n "$box" -batch -
at "$box" seenctl guard add bridge br0 filter a verdict listed >/dev/null || exit 1
at "$box" seenctl guard add dev v0 filter a verdict listed >/dev/null || exit 1
is "a dump has each port once, and the bridge's own frames" "$(ports)" $((PORTS + 2))
is "a dump of the ports of one guard, by its id" "$(ports GUARD_ID=u32:@br0)" $((PORTS + 1))
is "a dump of the ports of one guard, by its device" "$(ports GUARD_KIND=u32:1 GUARD_DEV=str:v0)" 1
is "a guard is listed with all of its ports" "$(at "$box" seenctl -j guard show |
	python3 -c 'import json, sys
print(*[len({p["name"] for p in g["ports"]}) for g in json.load(sys.stdin)])')" \
	"$((PORTS + 1)) 1"

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Groups without an engine: a web server carries the filter of an aggregator as a signed file. Files
# that are damaged, old, of a stranger, or much larger at once are refused. Keys that leave the file
# stay. The filters are libseen's; scenarios/published.sh has those of the kernel.

. "$(dirname "$0")/../lib.sh"
here=$(cd "$(dirname "$0")" && pwd)
seend=$here/../../build/fleet/seend-local
PATH=$here/../../build/tools:$PATH
folder=$lib_dir/www
file=$folder/list.seen

config() {
	cat <<-END
	[host]
	key = $lib_dir/$1/key
	state = $lib_dir/$1

	[group list]
	filter = f
	engine = none

	[hosts list]
	a = $(<"$lib_dir/a/public") publish aggregate
	b = $(<"$lib_dir/b/public")
	END
}

# fill HOST FIRST LAST: stores keys in the filter of a host, as its kernel would have them.
fill() {
	"$here/helpers/fill.py" "$lib_dir/$1/f.disk" "$2" "$3"
}

# entries HOST: about the number of keys in the filter of a host that loaded a file.
entries() {
	seenctl -j file show "$lib_dir/$1/f.base0" | jq '.. | .entries? // empty'
}

publish() {
	"$seend" publish list "$folder" "$lib_dir/$1/conf"
}

subscribe() {
	"$seend" subscribe list "http://127.0.0.1:$port/list.seen" 0 "$lib_dir/b/conf"
}

plan 21
mkdir "$folder"
for host in a b; do
	mkdir "$lib_dir/$host"
	"$seend" key "$lib_dir/$host/key" >"$lib_dir/$host/public"
done
for host in a b; do
	config "$host" >"$lib_dir/$host/conf"
done
listen server "$here/helpers/serve.py" "$folder"
port=$(heard server 20 '^[0-9]+$')

refuse "a missing file" 1 "HTTP status (404)" subscribe
fill a 1 15000
check "an aggregator writes the file" publish a
between "bytes of 15,000 keys" "$(stat -c %s "$file")" 10000 60000
refuse "a host that is no aggregator does not" 1 "this host is no aggregator" publish b
is "a host loads the file" "$(subscribe)" "http://127.0.0.1:$port/list.seen: loaded"
# Some keys may have equal fingerprints.
between "and has its keys" "$(entries b)" 14900 15000
is "not again" "$(subscribe)" "http://127.0.0.1:$port/list.seen: not newer"
check "because of its tag" heard server 5 'list.seen 304'

"$seend" subscribe list "http://127.0.0.1:$port/list.seen" 1 "$lib_dir/b/conf" >"$lib_dir/rounds" &
rounds=$!
heard server 20 'list.seen 304' >/dev/null
heard server 20 'list.seen 304' >/dev/null
kill "$rounds" && wait "$rounds" 2>/dev/null
is "rounds that load nothing print nothing" "$(<"$lib_dir/rounds")" ""

cp "$file" "$lib_dir/old"
publish a
is "a newer file is loaded" "$(subscribe)" "http://127.0.0.1:$port/list.seen: loaded"
cp "$lib_dir/old" "$file"
is "an older one is not" "$(subscribe)" "http://127.0.0.1:$port/list.seen: not newer"

fill a 15001 16000
publish a
is "a file without the earlier keys is loaded" "$(subscribe)" \
	"http://127.0.0.1:$port/list.seen: loaded"
between "they stay" "$(entries b)" 15900 16000
fill a 1 70000
publish a
refuse "a file that adds too many keys at once is refused" 1 "adds too many keys at once" subscribe
sed 's/^engine.*/&\nforce = yes/' "$lib_dir/b/conf" >"$lib_dir/forced"
is "force = yes loads it" \
	"$("$seend" subscribe list "http://127.0.0.1:$port/list.seen" 0 "$lib_dir/forced")" \
	"http://127.0.0.1:$port/list.seen: loaded"
between "it has the keys of both" "$(entries b)" 69500 70000

publish a
printf '\377' | dd of="$file" bs=1 seek=200 conv=notrunc status=none
refuse "a changed head is refused" 1 "the signature of a message is wrong" subscribe
publish a
printf '\377\376\375' | dd of="$file" bs=1 seek=9000 conv=notrunc status=none
refuse "a changed content is refused" 1 "the keyframe is incomplete or damaged" subscribe
publish a
truncate -s -1 "$file"
refuse "a truncated file is refused" 1 "the content of a signed message is malformed" subscribe
head -c 100000 /dev/zero | tr '\0' '\377' >"$file"
refuse "a file of ones is refused" 1 "a message is too short or too long" subscribe
"$seend" key "$lib_dir/key" >"$lib_dir/public"
sed "s,^key = .*,key = $lib_dir/key,; s,^a = .*,a = $(<"$lib_dir/public") publish aggregate," \
	"$lib_dir/a/conf" >"$lib_dir/conf"
"$seend" publish list "$folder" "$lib_dir/conf"
refuse "a stranger's file is refused" 1 "a message is by a host that may not send it" subscribe

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Frames with trails, which the kernel's code makes: Wireshark shows what is in a trail, and takes
# nothing else for one; seenctl key explain names it, and seenctl pcap ignores it.

. "$(dirname "$0")/../lib.sh"
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
PATH=${TOOLS:-$top/build/tools}:$PATH
lua=$top/tools/wireshark/seen_trail.lua
cd "$lib_dir" || exit

macs=ffffffffffff020000000001
tag=81006064 stag=88a800c8
ports=04d20009 data=61626364
addresses6=20010db8$(printf %024d 1)20010db8$(printf %024d 2)
declare -A packets=(
	[udp4]=0800450000200001400040110000c0000201c0000202${ports}000c0000$data
	[udp6]=86dd60000000000c11ff$addresses6${ports}000c0000$data
	[arp]=080600010800060400010200000000010a0000010000000000000a000002
	[llc]=0026424203$(printf %070d 0)
	[snap]=0033aaaa03000000$(printf %090d 0)
)
formats=(plain wide signed "wide,signed")

# trails FILE: appends a trail to each frame of standard input; the frames go to FILE.hex, their
# values to FILE.want. The arrays frames and wants have both.
trails() {
	./trails | tee "$1.made" | cut -d' ' -f1 >"$1.hex"
	cut -d' ' -f2 "$1.made" >"$1.want"
	mapfile -t frames <"$1.hex"
	mapfile -t wants <"$1.want"
}

# pcap_of FILE [LINK]: makes a capture of frames in hex digits, a millisecond apart.
pcap_of() {
	python3 -c 'import struct, sys
out = sys.stdout.buffer
out.write(struct.pack("<IHHiIII", 0xa1b2c3d4, 2, 4, 0, 0, 262144, int(sys.argv[1], 0)))
for n, line in enumerate(sys.stdin):
    frame = bytes.fromhex(line)
    out.write(struct.pack("<4I", 1000 + n // 1000, n % 1000 * 1000, len(frame), len(frame)))
    out.write(frame)' "${2:-1}" >"$1"
}

# all_frames: prints a line for each frame, with and without tags, in each format.
all_frames() {
	local name tags format n=0

	for format in "${formats[@]}"; do
		for tags in "" $tag $stag$tag; do
			for name in udp4 udp6 arp llc snap; do
				echo "$format $((n % 5 + 1)) $((n++ % 7 + 1)) $macs$tags${packets[$name]}"
			done
		done
	done
}

# shark FILE ARG...: runs tshark with the dissector.
shark() {
	tshark -nr "$1" -X lua_script:"$lua" "${@:2}" 2>/dev/null
}

# shown FILE: prints the values of each frame's trail as Wireshark shows them.
shown() {
	local fields=() name

	for name in filter bits tag nonce version wide signed strike hops length; do
		fields+=(-e "seen_trail.$name")
	done
	shark "$1" -T fields -E separator=, "${fields[@]}" | sed 's/True/1/g; s/False/0/g'
}

# named FILE: prints the last five of these values as seenctl key explain finds them.
named() {
	seenctl -j key explain key len <"$1" | jq -r '.[] | .bytes as $bytes | .trail |
		if . then [(.bytes | . == 40 or . == 44), (.bytes | . == 28 or . == 44), .strike] +
			[.hops, $bytes - 14] else [range(5) | null] end |
		map(if type == "boolean" then if . then 1 else 0 end else . end) | @csv'
}

# none WHAT: Wireshark finds no trail in the frames of standard input; judged together, by
# none_found.
none() {
	tee -a none.hex | echo "$(wc -l) $1" >>none.list
}

none_found() {
	local count what

	pcap_of none.pcap <none.hex
	shown none.pcap >none.shown
	while read -r count what; do
		is "$what" "$count $(head -n "$count" <&3 | sort | uniq -c | xargs)" \
			"$count $count ,,,,,,,,,"
	done <none.list 3<none.shown
}

# flips HEX: prints the frame of a plain trail with each bit changed that only one value fits:
# version, unknown flag, length, suffix.
flips() {
	python3 - "$1" <<-'END'
	import sys
	frame = bytes.fromhex(sys.argv[1])
	for bit in (*range(3, 8), *range(16, 48)):
	    other = bytearray(frame)
	    other[bit // 8 - 6] ^= 1 << bit % 8
	    print(other.hex())
	END
}

# wild HEX: prints frames with the suffix and random bytes before it, of any length.
wild() {
	python3 - "$1" <<-'END'
	import random
	import sys
	frame = bytes.fromhex(sys.argv[1])
	draw = random.Random(39)
	for n in range(2000):
	    head = frame[:draw.randrange(len(frame))] if n % 2 else frame[:46]
	    tail = draw.randbytes(draw.randrange(50))
	    flags = bytes([0x10 | draw.randrange(8)]) if draw.randrange(4) else draw.randbytes(1)
	    size = len(head) + len(tail) - 14 + draw.choice((6, 6, 6, 7))
	    size = max(size, 0) if draw.randrange(8) else draw.randrange(65536)
	    print((head + tail + flags + draw.randbytes(1) + size.to_bytes(2, "little")).hex() + "88b6")
	END
}

# cut_off FRAME: prints the frame without its last byte, two bytes, and so on.
cut_off() {
	local n

	for n in {1..24}; do
		echo "${1::-$((2 * n))}"
	done
}

# vxlan FRAME: prints the packet that carries the frame in VXLAN, from the ethertype on.
vxlan() {
	local bytes=$((${#1} / 2))

	printf '08004500%04x0001400040110000c0000201c0000202' $((bytes + 36))
	printf '04d212b5%04x00000800000000000300%s' $((bytes + 16)) "$1"
}

dissected() {
	local inner carried

	is "Wireshark shows all frames' trails, in each format, with and without tags" \
		"$(shown all.pcap | diff all.want - | head -n4)" ""
	is "a display filter finds trails by their hops" \
		"$(shark all.pcap -Y 'seen_trail.hops > 4' | wc -l)" \
		"$(cut -d, -f9 all.want | awk '$1 > 4' | wc -l)"
	is "no bytes of a trail are left to Wireshark's trailer or checksum" \
		"$(shark all.pcap -Y 'eth.trailer or vlan.trailer or eth.fcs' | wc -l)" 0
	is "a line names the hops" "$(shark all.pcap -V -c1 | grep '^Trail')" "Trail of seen, hops 1"

	trails tags <<<"plain 2 3 $macs$stag$tag${packets[arp]}"
	printf '%s\n' "${frames[0]::24}${frames[0]:32}" "${frames[0]::24}${frames[0]:40}" \
		"${frames[0]::24}$tag${frames[0]:24}" | pcap_of tags.pcap
	is "a trail is found when one tag was removed, two, or one was added" \
		"$(shown tags.pcap | sort | uniq -c | xargs)" "3 ${wants[0]}"

	trails fcs <<<"wide,signed 3 3 $macs${packets[udp4]}"
	echo "${frames[0]}01020304" | tee fcs.hex | pcap_of fcs.pcap
	is "a trail before a checksum that nothing announces" "$(shown fcs.pcap)" "${wants[0]}"
	is "the checksum is shown" "$(shark fcs.pcap -T fields -e seen_trail.fcs)" 0x01020304
	pcap_of fcs.pcap 0x24000001 <fcs.hex
	is "a trail before a checksum that the capture announces" "$(shown fcs.pcap)" "${wants[0]}"
	is "the checksum is Wireshark's" "$(shark fcs.pcap -T fields -e eth.fcs)" 0x01020304

	trails inner <<<"signed 3 3 $macs${packets[udp4]}"
	inner=${wants[0]}
	carried=$macs$(vxlan "${frames[0]}")
	trails outer <<<"plain 2 2 $carried"
	printf '%s\n' "$carried" "${frames[0]}" | pcap_of tunnel.pcap
	is "a trail in VXLAN" "$(shown tunnel.pcap | head -n1)" "$inner"
	is "a trail in VXLAN, and one behind it" \
		"$(shark tunnel.pcap -T fields -e seen_trail.length | tail -n1)" \
		"${inner##*,},${wants[0]##*,}"
}

not_dissected() {
	local plain

	trails plain <<<"plain 3 3 $macs${packets[udp4]}"
	plain=${frames[0]}
	flips "$plain" | none "a trail with a wrong version, flag, length or suffix is padding"
	cut_off "$plain" | none "a trail that was cut off is padding"
	printf '%s\n' "${plain::92}${plain:94}" "${plain::92}00${plain:92}" |
		none "a trail whose frame is shorter or longer is padding"
	echo "$plain" | pcap_of whole.pcap
	editcap -F pcap -s 83 whole.pcap part.pcap
	is "a trail is not shown if the capture cut it" "$(shown part.pcap)" ",,,,,,,,,"
	printf '%s\n' "$macs${packets[arp]}$(printf %036d 0)0001a02e88fb" "${plain}0001a04e88fb" |
		none "PRP's trailer is none, nor is a trail before it"
	printf "$macs%s\n" 0806 "${packets[arp]}"{,88b6,1103240088b6} | none "runts have none"
	trails odd <<<"plain 3 3 ${macs}88b5616263"
	none "a frame without a stated length has none" <odd.hex
	printf '%s\n' "${macs}080045000046${plain:36}" |
		none "payload that looks like a trail is none"
	none_found
	wild "$plain" | pcap_of wild.pcap
	shark wild.pcap -V >wild.text
	is "2,000 wild trailers raise no error" \
		"$(grep -c '^Frame ' wild.text) $(grep -c 'Lua Error' wild.text)" "2000 0"
	shown wild.pcap | cut -d, -f6-10 >wild.shown
	named wild.pcap >wild.named
	is "Wireshark and key explain find the same trails in them" \
		"$(diff wild.named wild.shown | head -n4)" ""
	between "the number of these trails" "$(grep -c '[0-9]' wild.shown)" 100 1900
}

# installed: make install puts the dissector where Wireshark looks for it.
installed() {
	local folder

	folder=$(tshark -G folders 2>/dev/null | sed -n 's/^Global Lua Plugins:[ \t]*//p')
	make -s -C "$top/tools" install DESTDIR="$lib_dir/dest" &&
		cmp "$lua" "$lib_dir/dest$folder/seen_trail.lua"
}

# explained KEY HEX...: explains the frames.
explained() {
	printf '%s\n' "${@:2}" | pcap_of explained.pcap
	seenctl key explain key "$1" <explained.pcap
}

# keys FILE KEY: prints the keys of its frames.
keys() {
	seenctl -j key explain key "$2" <"$1" | jq -r '.[] | .key // .why'
}

explanations() {
	local key

	trails told <<<"wide,signed 2 3 $macs${packets[udp4]}"
	is "key explain names the trail" \
		"$(explained dport "$macs${packets[udp4]}$(printf %028d 0)" "${frames[0]}")" \
		"packet 1 bytes 60 key 0x0009
    dport     at 36 hex 0x0009 text 9
packet 2 bytes 104 key 0x0009
    dport     at 36 hex 0x0009 text 9
    trail     at 60 bytes 44 hops 3 strike (part of no key)"
	seenctl -j key explain key dport <explained.pcap >told.json
	is "in JSON, too" "$(jq -c '[.[].trail]' told.json)" \
		'[null,{"at":60,"bytes":44,"hops":3,"strike":true}]'
	is "the JSON follows the schema" "$("$here/../net/helpers/answer.py" fits \
		"$top/Documentation/json/seenctl.json" explained_list <told.json)" good
	is "key explain finds all trails" \
		"$(seenctl -j key explain key len <all.pcap | jq '[.[] | select(.trail)] | length')" 60
	all_frames | cut -d' ' -f4 | pcap_of bare.pcap
	for key in frame packet flow len; do
		is "key $key: the same keys without the trails" \
			"$(keys all.pcap $key | sha1sum)" "$(keys bare.pcap $key | sha1sum)"
	done
}

# copies KEY FILE: prints the numbers of packets, copies, and packets without a key.
copies() {
	seenctl -j pcap "$2" out.pcap --key "$1" --window 1s |
		jq -r '"\(.packets) \(.keys[0].copies) \(.keys[0].keyless) \(.cut)"'
}

# Each frame without a trail, and then its copies with trails of all formats.
duplicates() {
	all_frames | head -n15 | cut -d' ' -f4 >bare
	cat bare all.hex | pcap_of twice.pcap
	is "pcap: frames with a trail are copies of those without, by their frames" \
		"$(copies frame twice.pcap)" "75 60 0 0"
	check "pcap: the first of each stays" cmp out.pcap <(pcap_of /dev/stdout <bare)
	is "by their packets: ARP and LLC have no such key, tags do not count" \
		"$(copies packet twice.pcap)" "75 28 45 0"
	editcap -F pcap -s 75 twice.pcap short.pcap
	is "a capture that cut the trails has the same copies" "$(copies frame short.pcap)" "75 60 0 0"
}

plan 36
check "the frames' maker is built" gcc -std=gnu11 -O1 -Wall -Wextra -Werror \
	-I "$top/tools/shim" -I "$top/kmod/core" -o trails "$here/helpers/trails.c" \
	"$top/kmod/core/"{trail,siphash}.c
trails all < <(all_frames)
pcap_of all.pcap <all.hex
explanations
duplicates
if tshark -v 2>/dev/null | grep -q 'with Lua'; then
	check "make install puts the dissector where Wireshark looks for it" installed
	dissected
	not_dissected
else
	for n in {1..23}; do
		skip "Wireshark, $n" "no tshark with Lua"
	done
fi

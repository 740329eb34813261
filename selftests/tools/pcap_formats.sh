#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# seenctl pcap keeps all parts of a capture except the copies: pcap and pcapng in any variant,
# compressed or not. Damage is an error, and packets before it are kept.

. "$(dirname "$0")/../lib.sh"
here=$(cd "$(dirname "$0")" && pwd)
PATH=${TOOLS:-$here/../../build/tools}:$PATH
helpers=$here/helpers
cd "$lib_dir" || exit

# blocks FILE: makes a pcapng capture from the lines of standard input. Lines that begin with "-"
# are copies: FILE.want is the capture without them.
blocks() {
	cat >"$1.lines"
	sed 's/^-//' "$1.lines" | "$helpers/pcapng.py" >"$1"
	sed 's/ length$//' "$1.lines" | "$helpers/pcapng.py" >"$1.want"
}

# left FILE: prints the texts of its packets.
left() {
	tcpdump -Anr "$1" 2>/dev/null | grep -oE 'text-[a-z0-9]+' | tr '\n' ' '
}

# report ARG...: prints the report of seenctl pcap, without the run time.
report() {
	seenctl pcap "$@" 2>&1 | sed 's/ seconds .*//'
}

# kept WHAT FILE ARG...: the output equals the input without the copies, byte for byte.
kept() {
	local what=$1 file=$2

	rm -f out.pcapng
	seenctl -j pcap "$file" out.pcapng "${@:3}" >told 2>&1
	check "$what" cmp "$file.want" out.pcapng
}

# figure NAME: prints a value of the report.
figure() {
	jq -c ".$1" told
}

plan 91

# --- interfaces, sections, options ---------------------------------------------------

for n in 1 2 3 4 5; do
	echo "packet 0 $n $n text-$n"
	echo "-packet 1 $n.0003 $n text-$n"
done >pairs
{ echo section; echo interface ethernet; echo interface cooked; cat pairs; } |
	blocks links.pcapng
kept "two link types share a filter and a window" links.pcapng
is "the numbers are those of both link types" \
	"$(figure ' | [.packets, .dropped, .keys[0].keyless]')" "[10,5,0]"
is "two link types to pcap" "$(report links.pcapng out.pcap)" "packets 10 passed 5 dropped 5
    key packet copies 5 keyless 0 window-kept 50.0ms"
is "tcpdump reads the output" "$(left out.pcap)" "text-1 text-2 text-3 text-4 text-5 "
{ echo section; echo interface ethernet snaplen=65535; echo interface ethernet snaplen=262144
	cat pairs; } | blocks taps.pcapng
kept "two snaplens" taps.pcapng
printf '1 1 text-a\n2 2 text-b\n' | "$helpers/capture.py" >tap1.pcap
printf '1.0003 1 text-a\n2.0003 2 text-b\n' | "$helpers/capture.py" cooked >tap2.pcap
mergecap -w merged.pcapng tap1.pcap tap2.pcap
is "two files merged by mergecap" "$(report merged.pcapng out.pcapng)" \
	"packets 4 passed 2 dropped 2
    key packet copies 2 keyless 0 window-kept 50.0ms"
is "tshark reads the output of merged files" \
	"$(tshark -nr out.pcapng -T fields -e frame.time_epoch -e frame.interface_id 2>/dev/null |
		tr '\t\n' ': ')" "1.000000000:0 2.000000000:0 "
is "the output has both interfaces" "$(capinfos -M out.pcapng | grep -c 'Interface #')" 2

blocks units.pcapng <<'END'
section
interface ethernet resol=6
interface ethernet resol=9
interface ethernet resol=3
interface ethernet resol=12
interface ethernet resol=138
interface ethernet offset=1000 resol=6
packet 0 2000.000001 1 text-a
-packet 1 2000.000001002 1 text-a
-packet 2 2000.010 1 text-a
-packet 3 2000.020000000003 1 text-a
-packet 4 2000.03125 1 text-a
-packet 5 2000.040000 1 text-a
packet 5 2000.060000 1 text-a
END
kept "each interface has its own resolution and offset" units.pcapng --window 50ms
seenctl -j pcap units.pcapng -n --key packet >told
is "times are in nanoseconds" "$(figure 'list | [.[].time]')" \
	"[2000000001002,2000010000000,2000020000000,2000031250000,2000040000000]"

blocks rich.pcapng <<'END'
section length
interface ethernet name=eth0
block 4 names-of-hosts
block 10 secrets-of-sessions
block 0x0bad custom
block 0x12345678 nobody-knows-this
packet 0 1 1 text-a comment=first
-packet 0 1.01 1 text-a comment=second
packet 0 1.02 2 text-b in code=77
block 5 statistics__
section big length
interface cooked name=any
interface ethernet name=eth1
old 1 1.03 3 text-c
-old 1 1.031 3 text-c
-packet 0 1.032 2 text-b
packet 0 2 4 text-d out
END
kept "comments, names, secrets, statistics and unknown blocks are kept" rich.pcapng
is "in sections of both byte orders, too" "$(figure ' | [.packets, .dropped]')" "[7,3]"
sed '/^interface cooked/d; s/ 1 1.03/ 0 1.03/; s/^section big.*/&\ninterface ethernet/; /^-/d' \
	rich.pcapng.lines | blocks one.pcapng
is "in pcap they are left out, and counted" "$(report one.pcapng out.pcap | sed 1,2d)" \
	"    pcap has no room for: packet-options 3 interface-options 2 packets-of-other-interfaces 0 other-blocks 5; to keep them, name the output .pcapng"

# libpcap and wiretap reject longer packets as damage.
blocks long.pcapng <<'END'
section
interface ethernet
packet 0 1 1 text-a size=262144
packet 0 2 2 text-b size=262145
-packet 0 2.01 2 text-b size=262145
interface strange
packet 1 3 3 text-c size=300000
packet 0 4 4 text-d
END
is "a packet beyond 262144 bytes is left out of pcap, and counted" \
	"$(report long.pcapng out.pcap)" "packets 5 passed 2 dropped 1
    key packet copies 1 keyless 1 window-kept 50.0ms
    link type 297 is not supported, so its packets pass (1)
    pcap has no room for: packet-options 0 interface-options 0 packets-of-other-interfaces 0 other-blocks 0 longer-packets 2; to keep them, name the output .pcapng"
check "tcpdump takes the file for whole" tcpdump -nr out.pcap
check "capinfos reads the file completely" capinfos out.pcap
is "the other packets are in the output" \
	"$(left out.pcap)$(capinfos -TMrc out.pcap | cut -f2)" "text-a text-d 2"
seenctl -j pcap long.pcapng out.pcap >told
is "longer packets are counted in JSON, and are no error" \
	"$? $(figure 'left_out.longer_packets')" "0 2"
kept "pcapng keeps it" long.pcapng

blocks simple.pcapng <<'END'
section
interface ethernet snaplen=60
simple 1 text-a
-simple 1 text-a
packet 0 1 2 text-b
-simple 2 text-b
END
kept "simple packets have the time of the packet before them" simple.pcapng

blocks strange.pcapng <<'END'
section
interface ethernet
interface radio
interface strange
packet 0 1 1 text-a
packet 1 1 1 text-a
packet 2 1 1 text-a
packet 1 1 1 text-a
-packet 0 1.01 1 text-a
END
kept "packets of other link types pass" strange.pcapng
is "unknown link types are counted and named" "$(figure unknown_links)$(figure 'keys[0].keyless')" \
	'[{"link":"IEEE802_11","packets":2},{"link":"297","packets":1}]3'
is "for people" "$(report strange.pcapng out.pcapng)" "packets 5 passed 4 dropped 1
    key packet copies 1 keyless 3 window-kept 50.0ms
    link type IEEE802_11 is not supported, so its packets pass (2)
    link type 297 is not supported, so its packets pass (1)"
is "key explain continues after them, too" \
	"$(seenctl key explain key src <strange.pcapng | grep ^packet | cut -d' ' -f1-2,5- | head -n3)" \
	"packet 1 key 0x00000000000000000000ffffc0000201
packet 2 no key: link type IEEE802_11 is not supported
packet 3 no key: link type 297 is not supported"
cp strange.pcapng old.pcap
refuse "pcap for two link types" 1 "pcap has one link type, not EN10MB and IEEE802_11" \
	seenctl pcap strange.pcapng old.pcap
check "replaces nothing" cmp old.pcap strange.pcapng
is "no temporary file is left" "$(echo old.pcap.*)" "old.pcap.*"

# --- both directions -----------------------------------------------------------------

blocks lo.pcapng <<'END'
section
interface cooked2
packet 0 1 1 text-a out
-packet 0 1.0001 1 text-a in
packet 0 1.1 2 text-b out
-packet 0 1.1001 2 text-b in
-packet 0 1.11 2 text-b out
-packet 0 1.1101 2 text-b in
packet 0 1.2 3 text-c in
-packet 0 1.201 3 text-c in
END
kept "a packet of lo is one packet, going out and coming in" lo.pcapng
is "copies that the network made are counted separately" \
	"$(figure ' | [.dropped, .keys[0].copies, .keys[0].both_ways]')" "[5,2,3]"
seenctl pcap lo.pcapng -n --key packet >told
is "for people" "$(sed 's/seconds .*/seconds/' told)" \
	"packet 2 at 1.000100000: same as packet 1 at 1.000000000, in the other direction
packet 4 at 1.100100000: same as packet 3 at 1.100000000, in the other direction
packet 5 at 1.110000000: copy of packet 3 at 1.100000000
packet 6 at 1.110100000: same as packet 3 at 1.100000000, in the other direction
packet 8 at 1.201000000: copy of packet 7 at 1.200000000
packets 8 seconds
    key packet copies 2 both-ways 3 keyless 0 window-kept 50.0ms"
blocks flags.pcapng <<'END'
section
interface ethernet
packet 0 1 1 text-a in
-packet 0 1.0001 1 text-a out
packet 0 1.1 2 text-b
-packet 0 1.1001 2 text-b in
-packet 0 1.1002 2 text-b out
END
kept "a packet's flags show its direction, too" flags.pcapng
is "a packet without a direction has copies, too" \
	"$(figure 'keys[0] | [.copies, .both_ways]')" "[2,1]"

# --- which packet is a copy of which -----------------------------------------------------

for n in {1..9}; do
	printf '%d.000 %d text-%d\n%d.001 %d text-%d\n' "$n" "$n" "$n" "$n" "$n" "$n"
done | "$helpers/capture.py" >nine.pcap
seenctl -j pcap nine.pcap -n --key packet >told
is "a dry run with a key lists each copy and its packet" \
	"$(figure 'list | [length, .[8].packet, .[8].of, .[8].time, .[8].of_time]')" \
	"[9,18,17,9001000000,9000000000]"
is "packets have tshark's numbers" \
	"$(figure 'list | [.[] | .packet, .of]' | tr -d '[]' | tr , '\n' |
	sort -n | tr '\n' ' ')" \
	"$(tshark -nr nine.pcap -T fields -e frame.number 2>/dev/null | sort -n | tr '\n' ' ')"
is "as text: a line for each copy, then the numbers" \
	"$(seenctl pcap nine.pcap -n --key frame | sed -n '1p;9,10p' | sed 's/seconds .*/seconds/')" \
	"packet 2 at 1.001000000: copy of packet 1 at 1.000000000
packet 18 at 9.001000000: copy of packet 17 at 9.000000000
packets 18 seconds"
is "without a key: the first five of each key" \
	"$(seenctl pcap nine.pcap -n | sed -n '3p;8,9p')" \
	"        packet 2 at 1.001000000: copy of packet 1 at 1.000000000
        and 4 more: --key packet lists all
    key packet,inner copies 9 keyless 0 window-kept 50.0ms"
seenctl -j pcap tap1.pcap -n --key packet >told
is "without copies the list is empty" "$(figure ' | [.list, .packets]')" "[[],2]"
for n in {1..300}; do
	echo "1 $n text-$n"
done | "$helpers/capture.py" >crowd.pcap
mergecap -F pcap -w crowds.pcap crowd.pcap crowd.pcap
seenctl -j pcap crowds.pcap -n --key packet >told
is "each of many copies has its own packet" \
	"$(figure 'list | [length, all(.[]; .packet - .of == 300)]')" "[300,true]"
seenctl -j pcap crowds.pcap -n --key packet --capacity 100 >told
is "beyond the capacity copies pass, or the list lacks the number of their packet" \
	"$(figure 'list | [length < 300, any(.[]; .of == null),
		all(.[]; .of == null or .packet - .of == 300)]')" "[true,true,true]"
is "for people" "$(seenctl pcap crowds.pcap -n --key packet --capacity 100 |
	grep -c 'copy of a packet that is no longer stored$')" "$(figure 'list | map(select(.of == null)) | length')"

# --- compression -------------------------------------------------------------------------

editcap -F pcap nine.pcap want.pcap
report nine.pcap plain.pcap >said
gzip -k nine.pcap
for kind in zst lz4; do
	seenctl pcap nine.pcap nine-once.pcap.$kind >/dev/null
	check "editcap reads the output compressed as .$kind" \
		editcap -F pcap nine-once.pcap.$kind peer.pcap
	check ".$kind: the content is the same capture" cmp plain.pcap peer.pcap
	seenctl pcap nine-once.pcap.$kind again.pcap >/dev/null
	check ".$kind is read by pcap" cmp plain.pcap again.pcap
done
seenctl pcap nine.pcap nine-once.pcap.gz >/dev/null
check "gzip reads the output compressed as .gz" cmp plain.pcap <(gzip -dc nine-once.pcap.gz)
is "gzip is read" "$(report nine.pcap.gz out.pcap)" "$(cat said)"
check "without such a name the output is not compressed" cmp plain.pcap out.pcap
is "gzip is read from a pipe" "$(seenctl pcap - out.pcap <nine.pcap.gz | sed 's/ seconds .*//')" \
	"$(cat said)"
{ gzip -c <(head -c 500 nine.pcap); gzip -c <(tail -c +501 nine.pcap); } >parts.pcap.gz
is "gzip in several parts" "$(report parts.pcap.gz out.pcap)" "$(cat said)"
# padded FILE BYTES: makes a compressed capture with zeros after it.
padded() {
	{ cat nine.pcap.gz; head -c "$2" /dev/zero; } >"$1"
}
for bytes in 1 511 300000; do
	padded padded.gz $bytes
	is "gzip with $bytes zeros behind it, as a tape has it" "$(report padded.gz out.pcap)" \
		"$(cat said)"
done
check "gzip reads zeros after the end, too" sh -c 'gzip -dc <padded.gz | cmp - nine.pcap'
is "gzip with zeros after it, from a pipe" \
	"$(seenctl pcap - out.pcap < <(cat padded.gz) | sed 's/ seconds .*//')" \
	"$(cat said)"
{ gzip -c <(head -c 500 nine.pcap); head -c 9 /dev/zero; gzip -c <(tail -c +501 nine.pcap); } \
	>padded.gz
is "gzip with zeros between parts" "$(report padded.gz out.pcap)" "$(cat said)"
padded padded.gz 9
echo garbage >>padded.gz
refuse "other bytes after the end are damage" 1 "gzip: incorrect header check" \
	seenctl pcap padded.gz out.pcap
{ cat nine.pcap.gz; echo garbage; } >padded.gz
refuse "other bytes after the end without zeros, too" \
	1 "gzip: incorrect header check" seenctl pcap padded.gz out.pcap
is "packets before them are kept" "$(left out.pcap | wc -w)" 9
is "key explain prints the packets before them, too" \
	"$(seenctl key explain key src <nine.pcap.gz | grep -c ^packet)" 18
seq 1 9000 | sed 's/.*/& & text-&/' | "$helpers/capture.py" >long.pcap
for name in gzip zstd lz4; do
	kind=${name/zip/z} kind=${kind/zstd/zst}
	seenctl pcap long.pcap "long.pcap.$kind" >/dev/null
	head -c $(($(stat -c %s "long.pcap.$kind") * 2 / 3)) "long.pcap.$kind" >"cut.pcap.$kind"
	rm -f out.pcap
	refuse "packed by $name, and truncated" 1 "$name: truncated" seenctl pcap "cut.pcap.$kind" out.pcap
	between "packets before the damage are kept" "$(left out.pcap | wc -w)" 100 8900
done
lz4 -lc nine.pcap >legacy.pcap.lz4 2>/dev/null
refuse "lz4's legacy format is named" 1 \
	"the legacy lz4 format is not supported; unpack it with lz4 -dc" \
	seenctl pcap legacy.pcap.lz4 out.pcap
{ head -c 3000 long.pcap.gz; head -c 300 /dev/zero; tail -c +3301 long.pcap.gz; } >hurt.pcap.gz
refuse "damage" 1 "gzip: " seenctl pcap hurt.pcap.gz out.pcap

# --- pcap's variants ---------------------------------------------------------------------

# variant ORDER MAGIC MINOR WAY: makes a capture of three packets; the second one is a copy.
variant() {
	python3 - "$@" <<-'END'
	import sys, struct
	sys.path.insert(0, sys.argv[5])
	from capture import packet, HEADERS
	order, magic, minor, way = sys.argv[1], int(sys.argv[2], 16), int(sys.argv[3]), sys.argv[4]
	for name, numbers in (("variant.pcap", (0, 1, 2)), ("variant.pcap.want", (0, 2))):
	    out = struct.pack(order + "IHHiIII", magic, 2, minor, 0, 0, 65535, 1)
	    for n in numbers:
	        frame = HEADERS["ethernet"] + b"\x08\x00" + packet(n // 2, b"text")
	        there = frame[:-2] if minor < 4 else frame
	        lengths = [len(there), len(frame)]
	        out += struct.pack(order + "4I", 7, n * 1000, *(reversed(lengths) if minor < 4 else lengths))
	        out += bytes.fromhex(way) + there
	    open(name, "wb").write(out)
	END
}
while read -r order magic minor way what; do
	[ "$way" != - ] || way=
	variant "$order" "$magic" "$minor" "$way" "$helpers"
	rm -f out
	seenctl -j pcap variant.pcap out --key src,ipid >told 2>&1
	check "$what" cmp variant.pcap.want out
done <<'END'
< a1b2c3d4 4 - pcap
> a1b2c3d4 4 - the other byte order
> a1b23c4d 4 - the other byte order, of nanoseconds
< a1b2c3d4 3 - lengths that are the other way round
< a1b2cd34 4 0200000000080000 longer heads of packets
END

# --- damage ------------------------------------------------------------------------------

good="section
interface ethernet
packet 0 1 1 text-a
packet 0 2 2 text-b"
while IFS='|' read -r what text line; do
	printf '%s\n' "$good" "$line" | sed 's/;/\n/g' | "$helpers/pcapng.py" >hurt.pcapng
	rm -f out.pcapng
	refuse "$what" 1 "after packet 2: $text" seenctl pcap hurt.pcapng out.pcapng
done <<'END'
a block that ends too late|truncated: it ends within a record|raw 06000000 00000001 00000000
a block beyond all reason|damaged: a block of 4294967280 bytes|raw 06000000 f0ffffff 00000000
a block of no size|damaged: a block of 4 bytes|raw 06000000 04000000 00000000
a block of an odd size|damaged: a block of 13 bytes|raw 06000000 0d000000 00000000 00
two lengths that differ|damaged: the two lengths of a block differ|raw 77000000 10000000 00000000 11000000
a packet longer than its block|damaged: a packet of 99 bytes exceeds its block of 32|raw 06000000 20000000 00000000 00000000 00000000 63000000 63000000 20000000
a packet that is too short|damaged: a packet block of 12 bytes|raw 06000000 0c000000 0c000000
a packet of no interface|damaged: a packet names interface 7, there are 1|raw 06000000 20000000 07000000 00000000 00000000 00000000 00000000 20000000
a simple packet in a section without interfaces|damaged: a packet precedes its interface|section;raw 03000000 10000000 00000000 10000000
an interface that is too short|damaged: an interface block of 16 bytes|raw 01000000 10000000 00000000 10000000
a section of no byte order|damaged: a section header without a byte-order magic|raw 0a0d0d0a 1c000000 00000000 01000000
a section of a later version|pcapng version 2 is not supported|raw 0a0d0d0a 1c000000 4d3c2b1a 02000000 ffffffffffffffff 1c000000
END
is "packets before the damage are kept" "$(left out.pcapng)" "text-a text-b "
printf '%s\n' "$good" "raw 06000000 00000010 00000000" | "$helpers/pcapng.py" >hurt.pcapng
check "a wrong length in the file allocates no memory" \
	bash -c 'ulimit -v 200000; seenctl pcap hurt.pcapng out.pcapng 2>&1 | grep -q truncated'
head -c 24 nine.pcap >huge.pcap
printf '\1\0\0\0\0\0\0\0\377\377\377\177\377\377\377\177' >>huge.pcap
refuse "a packet with an impossible length" 1 "damaged: a packet states 2147483647 bytes" \
	seenctl pcap huge.pcap out.pcap
printf '\12\15\15\12' >stub.pcapng
refuse "a file that ends within its header" 1 "truncated: it ends within its header" \
	seenctl pcap stub.pcapng out.pcap
: >empty
refuse "an empty file" 1 "not a capture: the input has 0 bytes" seenctl pcap empty out.pcap

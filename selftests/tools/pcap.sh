#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# seenctl pcap: which packets are left out, judged by their own times. Compared with editcap: each
# difference has a reason.

. "$(dirname "$0")/../lib.sh"
here=$(cd "$(dirname "$0")" && pwd)
PATH=${TOOLS:-$here/../../build/tools}:$PATH
captures=${SEEN_CAPTURES:-$here/../../../shared/data/captures}
copies=$here/../net/helpers/copies.py
cd "$lib_dir" || exit

# make_capture FILE ARG...: makes a capture from the lines of standard input.
make_capture() {
	"$here/helpers/capture.py" "${@:2}" >"$1"
}

# left FILE: prints the texts of its packets.
left() {
	tcpdump -Anr "$1" 2>/dev/null | grep -oE 'text-[a-z0-9]+' | tr '\n' ' '
}

# cleaned WHAT IN EXPECTED ARG...: the packets that remain of IN; the report goes to a file.
cleaned() {
	local what=$1 in=$2 want=$3

	shift 3
	seenctl -j pcap "$in" out.pcap "$@" >told 2>&1
	is "$what" "$? $(left out.pcap)" "0 $want"
}

# file_magic FILE: prints its first four bytes.
file_magic() {
	head -c4 "$1" | od -An -tx1 | sed 's/ //'
}

# figure NAME: prints a value of the report.
figure() {
	jq -c ".$1" told
}

plan 91

# --- windows and times -----------------------------------------------------------

make_capture a.pcap <<'END'
1000.000 1 text-a
1000.010 2 text-b
1000.040 1 text-a
1000.049 2 text-b
1000.070 1 text-a
1000.200 2 text-b
1000.201 2 text-c
END
cleaned "copies within 50 ms are left out" a.pcap "text-a text-b text-a text-b text-c "
is "copies are counted" "$(figure packets) $(figure dropped)" "7 2"
cleaned "a shorter window" a.pcap "text-a text-b text-a text-b text-a text-b text-c " \
	--window 20ms
cleaned "a longer window" a.pcap "text-a text-b text-c " --window 10s
cleaned "another key" a.pcap "text-a " --window 10s --key src,dport
is "the report about the key" "$(figure 'keys[0] | [.key, .copies, .keyless, .effective]')" \
	'["src,dport",6,0,10000000000]'
# moment MS N TEXT: prints a packet with this time.
moment() {
	printf '%d.%03d %d %s\n' $(($1 / 1000)) $(($1 % 1000)) "$2" "$3"
}
for i in {0..39}; do
	moment $((i * 10007)) "$i" text-a
	moment $((i * 10007 + 1000)) "$i" text-b
	moment $((i * 10007 + 1051)) "$i" text-c
done | make_capture edge.pcap
cleaned "each copy within W is found, and no copy later than a tick of W / 20 after W" edge.pcap \
	"$(printf 'text-a text-c %.0s' {0..39})" --key ipid --window 1s
for i in {0..39}; do
	moment $((i * 10007)) "$i" text-a
	moment $((i * 10007 + 1025)) "$i" text-b
done | make_capture edge.pcap
seenctl -j pcap edge.pcap out.pcap --key ipid --window 1s >told
between "some copies between W and that tick are found" "$(figure dropped)" 1 39

make_capture back.pcap <<'END'
1000.000 1 text-a
1000.100 2 text-b
1000.060 1 text-a
1000.000 3 text-c
1000.101 3 text-c
1000.170 3 text-c
END
cleaned "an earlier time counts as the latest one, or time restarts" back.pcap \
	"text-a text-b text-a text-c text-c text-c "
is "both are counted" "$(figure earlier) $(figure restarts)" "1 1"
printf '%s\n' '1000 1 text-a' '1000.01 1 text-a' '4000000000 2 text-b' \
	'1000.02 1 text-a' '1000.08 1 text-a' '1000.1 1 text-a' '1000.2 1 text-a' |
	make_capture wild.pcap
cleaned "a single time in the far future loses no packet" wild.pcap \
	"text-a text-b text-a text-a text-a "
is "the restart is counted" "$(figure restarts) $(figure dropped)" "1 2"
printf '%s\n' '1 1 text-a' '1.01 1 text-a' '1800000000 1 text-a' '4294967295 1 text-a' \
	'4294967295.01 1 text-a' | make_capture years.pcap
cleaned "times that are years apart" years.pcap "text-a text-a text-a "
printf '%s\n' '5 arp' '5 1 text-a' '5 arp' '5 1 text-a' | make_capture arp.pcap
cleaned "a packet without a key passes" arp.pcap "text-a "
is "packets without a key are counted" "$(figure 'keys[0].keyless') $(figure dropped)" "2 1"
for n in {1..2000}; do
	echo "7.0 $n text-$n"
done | make_capture many.pcap
cleaned "packets beyond the capacity pass" many.pcap "$(left many.pcap)" --capacity 100 \
	--fpp 1e-7
is "the shortened window is reported" "$(figure 'keys[0].effective < 50000000')" true

# --- formats -----------------------------------------------------------------------

want="text-a text-b text-a text-b text-c "
for link in raw cooked; do
	printf '%s\n' '1 1 text-a' '1 1 text-a' | make_capture $link.pcap $link
	cleaned "link type $link" $link.pcap "text-a "
done
editcap -F pcapng a.pcap a.pcapng
cleaned "pcapng" a.pcapng "$want"
is "a name with .pcap: pcap" "$(file_magic out.pcap)" "4d 3c b2 a1"
seenctl pcap a.pcapng out >/dev/null
is "another name: pcapng" "$(file_magic out) $(left out)" "0a 0d 0d 0a $want"
for name in out.PCAP out.cap out.Cap; do
	seenctl pcap a.pcapng $name >/dev/null 2>told
	is "the name $name: pcap, without a note" "$(file_magic $name)$(cat told)" "4d 3c b2 a1"
done
seenctl pcap a.pcapng out.PCAP.GZ >/dev/null
is "packed, as out.PCAP.GZ" "$(gzip -dc <out.PCAP.GZ | head -c4 | od -An -tx1)" " 4d 3c b2 a1"
for name in out.pcapng out.PcapNG out.pcapng.zst; do
	is "pcap under the name $name: a note" "$(seenctl -j pcap a.pcap $name 2>&1 >/dev/null)" \
		"note: $name: written as pcap, the format of the input; editcap converts it to pcapng"
done
is "the output is pcap" "$(file_magic out.pcapng)" "d4 c3 b2 a1"
is "pcapng under the name .pcapng: no note" "$(seenctl pcap a.pcapng out.pcapng 2>&1 >/dev/null)" ""
seenctl pcap - - <a.pcap >out.pcap 2>told
is "from standard input to standard output" "$(left out.pcap)" "$want"
match "then the report goes to standard error" "$(cat told)" '^packets 7 passed 5 dropped 2 '
for sink in /dev/stdout /dev/fd/1 /proc/self/fd/1; do
	seenctl pcap a.pcap $sink 2>told | cat >out.pcap
	is "to a pipe as $sink" "$(left out.pcap)$(head -n1 told | cut -d' ' -f1-6)" \
		"${want}packets 7 passed 5 dropped 2"
	: >out.pcap
	seenctl pcap a.pcap $sink 2>told >out.pcap
	is "to a file as $sink" "$(left out.pcap)$(head -n1 told | cut -d' ' -f1-6)" \
		"${want}packets 7 passed 5 dropped 2"
done
seenctl -j pcap a.pcap >(cat >out.pcap) >told
wait $!
is "the output to a command of the shell" "$(left out.pcap)$(figure packets)" "${want}7"
mkfifo sink
cat sink >out.pcap &
seenctl -j pcap a.pcap sink >told
wait $!
is "the output to a named pipe" "$(left out.pcap)$(figure packets)" "${want}7"
exec {gone}<>gone
rm gone
seenctl -j pcap a.pcap /dev/fd/$gone >told
cat /dev/fd/$gone >out.pcap
exec {gone}>&-
is "the output to a file without a name" "$(left out.pcap)$(figure packets)" "${want}7"
refuse "refused in a batch, whose answers go to standard output" 2 "cannot run in a batch" \
	bash -o pipefail -c 'echo pcap a.pcap /dev/stdout | seenctl -b - | cat'
is "microseconds are kept" "$(file_magic out.pcap)" "d4 c3 b2 a1"
printf '%s\n' '1000.000000001 1 text-a' '1000.049999999 1 text-a' \
	'1000.070000001 1 text-b' | make_capture nano.pcap ethernet nano
cleaned "nanoseconds" nano.pcap "text-a text-b "
match "nanoseconds are kept" "$(tcpdump --nano -nr out.pcap 2>/dev/null | tail -n1)" '\.070000001 '
head -c $(($(stat -c %s a.pcap) - 5)) a.pcap >cut.pcap
refuse "a capture that ends within a packet" 1 "cannot be read after packet 6: truncated" \
	seenctl pcap cut.pcap out.pcap
is "packets before the damage are kept" "$(left out.pcap)" "text-a text-b text-a text-b "
editcap -F pcap -s 40 a.pcap short.pcap
seenctl -j pcap short.pcap out.pcap >told
is "packets whose key was cut off are counted" "$(figure cut)" 7

# --- packets that were cut off ---------------------------------------------------------

FAR=$(printf 'x%.0s' {1..900})
for i in {0..9}; do
	echo "1000.00$i 0 ${FAR}text-$i"
done | make_capture far.pcap
editcap -F pcap -s 54 far.pcap near.pcap
seenctl -j pcap near.pcap out.pcap >told
is "packets that may differ after the cut are kept" \
	"$(figure ' | [.packets, .dropped, .cut, .keys[0].copies, .keys[0].keyless]')" \
	"[10,0,10,0,0]"
is "their number is reported, and a key that needs less of a packet" \
	"$(figure 'keys[0] | [.cut, .fitting_key]')" '[10,"packet,payload:20"]'
is "all of them are in the output" "$(tcpdump -nr out.pcap 2>/dev/null | wc -l)" 10
seenctl pcap near.pcap out.pcap >told
is "the report as text" "$(sed -n 3p told)" \
	"        cut 10: too few bytes were captured for this key, so these packets pass; --key packet,payload:20 judges 10 of them, by only the first 20 bytes of payload"
# The second tap captures only 200 bytes of each packet.
for i in {1..5}; do
	echo "$((1000 + i)).0000 $i ${FAR}text-$i"
done | make_capture tap1.pcap
editcap -F pcap -s 200 -t 0.0003 tap1.pcap tap2.pcap
mergecap -F pcap -w taps.pcap tap1.pcap tap2.pcap
seenctl -j pcap taps.pcap out.pcap >told
is "if one of two taps cuts packets, its packets are kept" \
	"$(figure ' | [.packets, .dropped, .cut, .keys[0].cut]')" "[10,0,5,5]"
seenctl -j pcap taps.pcap out.pcap --key "$(figure 'keys[0].fitting_key' | tr -d '"')" >told
is "with the key that the report names they are copies" \
	"$(figure ' | [.packets, .dropped, .cut, .keys[0].cut]')" "[10,5,0,0]"
editcap -F pcap -s 30 far.pcap head.pcap
is "a field that was cut off is not counted as missing" "$(for key in src ttl smac tcpseq; do
	seenctl -j pcap head.pcap -n --key $key | jq -c '.keys[0] | [.cut, .keyless]'
done | tr '\n' ' ')" "[10,0] [10,0] [0,0] [10,0] "

# --- a dry run -----------------------------------------------------------------------

seenctl -j pcap a.pcap -n >told
is "a dry run: each key" "$(figure 'keys | [.[].key]')" \
	'["packet","packet,inner","frame","relay"]'
is "a dry run: copies for each key" "$(figure 'keys | [.[].copies]')" "[2,2,2,2]"
is "a dry run: the first copies" "$(figure 'keys[0].first')" \
	'[{"packet":3,"time":1000040000000,"of":1,"of_time":1000000000000,"both_ways":false},{"packet":4,"time":1000049000000,"of":2,"of_time":1000010000000,"both_ways":false}]'
is "a dry run drops nothing" "$(figure dropped)" 0
seenctl pcap a.pcap --dry-run --key packet >told
is "the report as text" "$(sed 's/seconds .*/seconds/' told)" \
	"packet 3 at 1000.040000000: copy of packet 1 at 1000.000000000
packet 4 at 1000.049000000: copy of packet 2 at 1000.010000000
packets 7 seconds
    key packet copies 2 keyless 0 window-kept 50.0ms"

# --- errors ----------------------------------------------------------------------------

refuse "the output must not be the input" 2 "a.pcap: OUT must not be IN" seenctl pcap a.pcap a.pcap
is "the input is unchanged" "$(left a.pcap | wc -w)" 7
refuse "a file that is no capture" 1 "not a capture" seenctl pcap told out.pcap
refuse "an input that does not exist" 1 "/nowhere: No such file" seenctl pcap /nowhere out.pcap
refuse "a folder that does not exist" \
	1 "/nowhere/out: No such file" seenctl pcap a.pcap /nowhere/out
refuse "no space for the output" 1 "/dev/full: No space left" seenctl pcap a.pcap /dev/full
# ended TEXT: the last command of TEXT writes to a head that stops reading; prints its exit status
# and its error text.
ended() {
	bash -c "$1"' 2>said | head -c1 >/dev/null; echo "${PIPESTATUS[-2]} $(cat said)"'
}
is "if the reader closes the pipe, it ends like sort" "$(ended 'seenctl pcap many.pcap -')" "141 "
is "if SIGPIPE is ignored, a closed pipe is an error, like in sort" \
	"$(trap '' PIPE; ended 'seenctl pcap many.pcap -')" "1 seenctl: pcap: -: Broken pipe"
is "a list ends in the same way" "$(ended 'seenctl pcap many.pcap -n --key src')" "141 "
yes '7 arp' | head -n1000 | make_capture arps.pcap
# endless: writes a capture without an end, until the reader closes the pipe.
endless() {
	cat arps.pcap
	while tail -c+25 arps.pcap; do :; done 2>/dev/null
}
export -f endless
is "a capture without an end: it ends when the reader closes the pipe" \
	"$(ended 'endless 2>/dev/null | timeout 60 seenctl pcap - -')" "141 "
refuse "a capture without an end: no space for the output" \
	1 "/dev/full: No space left" bash -o pipefail -c \
	'endless 2>/dev/null | timeout 60 seenctl pcap - /dev/full'
cp a.pcap old.pcap
chmod 600 old.pcap
ln -s old.pcap link.pcap
head -c30 a.pcap >stub.pcap
refuse "an input without a whole packet" 1 "after packet 0" seenctl pcap stub.pcap link.pcap
refuse "an input without a whole packet, to a new file" \
	1 "after packet 0" seenctl pcap stub.pcap fresh.cap
is "a new file has a header from the start, so that others can follow it" \
	"$(stat -c %s fresh.cap)" 24
refuse "the output does not fit" 1 "File too large" \
	sh -c 'trap "" XFSZ; ulimit -f 1; seenctl pcap many.pcap link.pcap'
check "the old output is unchanged" cmp a.pcap old.pcap
seenctl pcap a.pcap link.pcap >told
is "a link is followed, and the file keeps its mode" \
	"$(stat -c %F,%a link.pcap old.pcap | tr '\n' ' ')$(left old.pcap)" \
	"symbolic link,777 regular file,600 $want"
is "no temporary file is left" "$(echo *.pcap.*)" "*.pcap.*"
while IFS='|' read -r text words; do
	# shellcheck disable=SC2086 # one word an option
	refuse "pcap $words" 2 "$text" seenctl pcap $words
done <<'END'
IN: required|
OUT: required|a.pcap
out.pcap: OUT and --dry-run exclude each other|a.pcap out.pcap -n
--capacity: must be 1 to |a.pcap out.pcap --capacity 0
--fpp: each type needs more than 64 bits per key|a.pcap out.pcap --fpp 1e-12
END

# --- against editcap -------------------------------------------------------------------

# against FILE: seenctl and editcap leave out the same frames; otherwise the file why has a reason
# for each difference. Both read a copy by tcpdump, which cuts packets that are longer than the
# capture states.
against() {
	tcpdump -Z root -r "$1" -w base.pcap && editcap -F pcap -w 0.05 base.pcap peer.pcap &&
		seenctl pcap base.pcap ours.pcap >told || return
	cmp -s peer.pcap ours.pcap && return
	"$copies" explain base.pcap peer.pcap ours.pcap 50 >>why
}

all_against() {
	local file

	: >why
	for file in "$captures"/*.pcap*; do
		seenctl pcap "$file" -n >told 2>&1 || continue
		against "$file" >said 2>&1 || { echo "$file"; cat said why; return 1; }
		echo "$file" >>judged
	done
}

for n in {0..99}; do
	printf '1000.%03d %d text-%d\n1000.%03d %d text-%d\n' $((n * 9)) "$n" "$n" \
		$((n * 9 + 1)) "$n" "$n"
done | make_capture mirror.pcap
seenctl pcap mirror.pcap ours.pcap --window 50ms >told
editcap -F pcap -w 0.05 mirror.pcap peer.pcap 2>/dev/null
check "a mirror: the same file that editcap writes" cmp peer.pcap ours.pcap
is "half of the mirror's packets are left out" "$(left ours.pcap | wc -w)" 100
# In editcap each copy restarts the window; in seenctl the window begins at the packet that passed.
editcap -F pcap -w 0.05 a.pcap peer.pcap 2>/dev/null
cleaned "editcap also leaves out a copy of a copy beyond the window, and nothing else" \
	a.pcap "$(left peer.pcap | sed 's/text-b /&text-a /')"
if [ ! -d "$captures" ]; then
	for n in 1 2 3 4; do
		skip "editcap, $n" "no folder of captures"
	done
	exit
fi
against "$captures/m57-long-49583-80.pcap" >/dev/null 2>&1
check "a real mirror: the same file that editcap writes" cmp peer.pcap ours.pcap
match "half of the real mirror's packets are left out" \
	"$(cat told)" '^packets 227 passed 114 dropped 113 '
check "every difference in every capture has a reason" all_against
between "number of captures compared" "$(wc -l <judged)" 50 1000
note "$(awk '{ count = $1; $1 = ""; sum[$0] += count }
	END { for (reason in sum) print sum[reason] reason }' why | sort -rn)"

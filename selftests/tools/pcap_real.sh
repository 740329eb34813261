#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Real captures with copies that other tools made: seenctl pcap finds as many copies as editcap and
# tshark, and also copies from behind a router, which these two do not find.

. "$(dirname "$0")/../lib.sh"
here=$(cd "$(dirname "$0")" && pwd)
PATH=${TOOLS:-$here/../../build/tools}:$PATH
captures=${SEEN_CAPTURES:-$here/../../../shared/data/captures}
names=(aduser1.pcap bcm-li.pcap bigtransfer.pcap deeply-nested-mime.pcap
	dhcp-unique-xid-join-data-growth.pcapng http-post-large.pcap isakmp4500.pcap
	kerberos_tso.pcapng ldap-max-recursion.pcap of10_7050sx_bsn.pcap)
# Captures without copies, cut or not.
single=(ntp-control.pcap dns-edns-ecs.pcap dccp_partial_csum_v6_longer.pcap)
[ -d "$captures" ] || skip_all "no folder of captures"
cd "$lib_dir" || exit

# packets FILE: prints the number of its packets.
packets() {
	capinfos -TMrc "$1" 2>/dev/null | cut -f2
}

# figures FILE ARG...: prints how many packets seenctl leaves out, and how many have no key.
figures() {
	seenctl -j pcap "$@" | jq -c '[.keys[0].copies, .keys[0].keyless]'
}

# by_tshark FILE: prints how many packets equal one that passed within the last 50 ms.
by_tshark() {
	tshark -nr "$1" -o frame.generate_md5_hash:TRUE -T fields -e frame.time_epoch \
		-e frame.md5_hash 2>/dev/null | awk '
		($2 in passed) && $1 - passed[$2] < 0.05 { copies++; next }
		{ passed[$2] = $1 }
		END { print copies + 0 }'
}

# by_editcap FILE OPTION...: prints how many packets editcap leaves out.
by_editcap() {
	editcap "${@:2}" "$1" peer >/dev/null 2>&1
	echo $(($(packets "$1") - $(packets peer)))
}

# spread FILE: writes its packets to base.pcap, 100 ms apart, so that there are no copies.
spread() {
	editcap -F pcap "$1" base.pcap 2>/dev/null && python3 - <<-'END'
	import struct
	data = open("base.pcap", "rb").read()
	out, at, n = [data[:24]], 24, 0
	while at + 16 <= len(data):
	    size, wire = struct.unpack_from("<II", data, at + 8)
	    out.append(struct.pack("<4I", 1000 + n // 10, n % 10 * 100000, size, wire))
	    out.append(data[at + 16:at + 16 + size])
	    at, n = at + 16 + size, n + 1
	open("base.pcap", "wb").write(b"".join(out))
	END
}

# double FILE: merges base.pcap and FILE, shifted by 0.3 ms, into twice.pcapng.
double() {
	editcap -F pcap -t 0.0003 "$1" later.pcap &&
		mergecap -w twice.pcapng base.pcap later.pcap
}

plan $((7 * ${#names[@]} + 3 * ${#single[@]}))
for name in "${names[@]}"; do
	spread "$captures/$name"
	count=$(packets base.pcap)

	double base.pcap
	is "$name, each frame twice: as many copies as editcap -w leaves out" \
		"$(figures twice.pcapng -n --key frame)" "[$(by_editcap twice.pcapng -w 0.05),0]"
	is "$name: as many copies as editcap -d leaves out" \
		"$(figures twice.pcapng -n --key frame)" "[$(by_editcap twice.pcapng -d),0]"
	is "$name: as many copies as tshark finds" \
		"$(figures twice.pcapng -n --key frame)" "[$(by_tshark twice.pcapng),0]"
	editcap -F nsecpcap base.pcap base-nano.pcap
	seenctl pcap twice.pcapng once.pcap --key frame >/dev/null
	check "$name: the first copy of each packet is left" \
		cmp -i 24 once.pcap base-nano.pcap

	tcprewrite -i base.pcap -o routed.pcap --enet-smac=02:00:00:00:00:01 \
		--enet-dmac=02:00:00:00:00:02 --ttl=-1 >/dev/null 2>&1
	double routed.pcap
	keyless=$(figures base.pcap -n --key packet | jq '.[1]')
	cut=$(seenctl -j pcap base.pcap -n --key packet | jq '.keys[0].cut')
	is "$name, behind a router: all packets with a key are copies" \
		"$(figures twice.pcapng -n --key packet)" \
		"[$((count - keyless - cut)),$((2 * keyless))]"
	is "$name: by the whole frame there are as few copies as editcap finds" \
		"$(figures twice.pcapng -n --key frame | jq '.[0]')" \
		"$(by_editcap twice.pcapng -w 0.05)"
	seenctl -j pcap twice.pcapng -n --key packet >told
	is "$name: each copy is of the frame before it" \
		"$(jq '[.list[] | select(.packet - .of != 1)] | length' told)" 0
done

for name in "${single[@]}"; do
	editcap -F pcap -s 54 "$captures/$name" cut.pcap
	is "$name has no copies" "$(figures "$captures/$name" -n --key packet | jq '.[0]')" 0
	is "$name, cut to 54 bytes: no copies either" \
		"$(figures cut.pcap -n --key packet | jq '.[0]')" 0
	seenctl pcap cut.pcap out.pcap >/dev/null
	check "$name: all packets are left" cmp cut.pcap out.pcap
done

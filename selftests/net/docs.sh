#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Every command in the documents and in the manual works.
#
# Blocks marked "sh run" of a document run in order, in a namespace of the document's
# own. Commands in a table's column "one command" run each in a namespace of its own,
# because a reader has one of the problems, not all. A namespace has:
#
#	eth0		a device, with a peer that is up
#	br0		a bridge with the ports eth1 and eth2
#
# The working directory has:
#
#	addresses	a list of addresses, one a line
#	urls		a list of strings, one of them twice
#	mirror.pcap	a capture of one packet and its copy
#
# Examples of a page of the manual run in a namespace of the page's own, too.
#
# Blocks marked "sh host" are for the machine that boots the guest (make ...), and
# are not run here. Blocks marked "sh frr" need FRR; scenarios/evpn.sh runs them. There
# is no fourth kind. The pages in scenarios/ and backup.md have tests of their own, which
# build the networks that these pages describe.

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/helpers/page.sh"

cd "$(dirname "$0")" || exit
documents=(../README.md ../Documentation/*.md)
pages=(../Documentation/scenarios/*.md)
manual=(../man/*.[378])
own=(backup.md)

# True if a test runs each block of shell; else prints the other blocks.
unmarked() {
	! grep -Hn -E '^```(sh|bash|shell|console)' "${documents[@]}" "${pages[@]}" |
		grep -vE '```sh (run|host|frr)$'
}

scene() {
	space='' far=''
	ns space far
	veth "$space" eth0 "$far" eth0
	veth "$space" eth1 "$far" eth1
	veth "$space" eth2 "$far" eth2
	br "$space" br0 eth1 eth2
}

files() {
	mkdir "$lib_dir/files" && cd "$lib_dir/files" || exit
	printf '%s\n' 192.0.2.1 198.51.100.7 2001:db8::1 >addresses
	printf '%s\n' http://a.example/ http://b.example/ http://a.example/ >urls
	capture_of_copies >mirror.pcap
}

# Raw IP: the head of the file, then twice a head and a packet from UDP port 1000 to 2000.
capture_of_copies() {
	python3 - <<-'E'
		import struct, sys
		packet = bytes.fromhex("4500001c000100004011 0000 c0000201 c0000202"
		                       "03e807d000080000")
		head = struct.pack("=IHHiIII", 0xa1b2c3d4, 2, 4, 0, 0, 65535, 101)
		record = struct.pack("=4I", 0, 0, len(packet), len(packet)) + packet
		sys.stdout.buffer.write(head + 2 * record)
	E
}

steps=()
for document in "${documents[@]}"; do
	name=${document##*/}
	[[ " ${own[*]} " != *" $name "* ]] || continue
	mkdir "$lib_dir/$name"
	page_blocks "$document" "$lib_dir/$name"
	page_rows "$document" "$lib_dir/$name"
	for step in "$lib_dir/$name"/*; do
		[ ! -e "$step" ] || steps+=("$step")
	done
done
examples=0
for document in "${manual[@]}"; do
	name=${document##*/}
	[[ " ${page_kernelless[*]} " != *" $name "* ]] || continue
	mkdir "$lib_dir/$name"
	page_examples "$document" "$lib_dir/$name"
	for step in "$lib_dir/$name"/*; do
		[ ! -e "$step" ] || steps+=("$step")
	done
	examples=$((examples + 1))
done

plan $((${#steps[@]} + 4))
check "every block of shell says where it runs" unmarked
between "there are blocks to run" "$(printf '%s\n' "${steps[@]}" | grep -vc /row-)" 5 1000
between "there are table rows to run" "$(printf '%s\n' "${steps[@]}" | grep -c /row-)" 5 100
between "there are pages of the manual" "$examples" 5 100
files
last=
for step in "${steps[@]}"; do
	document=${step%/*} document=${document##*/}
	if [[ $document != "$last" || $step = */row-* ]]; then
		[ -z "$last" ] || { ns_del "$space"; ns_del "$far"; }
		scene
		last=$document
	fi
	line=$((10#${step##*[/-]}))
	check "$document, line $line" at "$space" bash -euo pipefail "$step"
done

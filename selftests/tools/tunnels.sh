#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copies of a packet in different tunnels, or without one: the key word `inner` makes them equal.

. "$(dirname "$0")/../lib.sh"
here=$(cd "$(dirname "$0")" && pwd)
PATH=${TOOLS:-$here/../../build/tools}:$PATH
cd "$lib_dir" || exit

plan 15

# found KEY WORD...: prints the numbers of packets, copies and packets without a key.
found() {
	"$here/helpers/tunnels.py" "${@:2}" >in.pcap
	seenctl -j pcap in.pcap out.pcap --key "$1" |
		jq -r '"\(.packets) \(.keys[0].copies) \(.keys[0].keyless)"'
}

is "copies from two switches by ERSPAN" "$(found packet,inner erspan-one erspan-two)" "10 5 0"
is "without inner they are ten packets" "$(found packet erspan-one erspan-two)" "10 0 0"
is "copies without a label, with one, and with two" \
	"$(found packet,inner plain label labels)" "15 10 0"
is "without inner labels hide IP" "$(found packet plain label labels)" "15 0 10"
for tunnel in vxlan vxlan-linux pppoe gtp-u geneve; do
	is "copies in $tunnel, and without a tunnel" "$(found packet,inner plain $tunnel)" "10 5 0"
done
is "VXLAN at another port is no tunnel" "$(found packet,inner plain vxlan-other)" "10 0 0"
is "VXLAN at another port is a tunnel if the key names the port" \
	"$(found packet,inner:14789 plain vxlan-other)" "10 5 0"
is "then the default port is no tunnel" "$(found packet,inner:14789 plain vxlan)" "10 0 0"

# --- explained -----------------------------------------------------------------------

explained() {
	"$here/helpers/tunnels.py" "$1" | seenctl "${@:3}" key explain key "$2"
}
match "the tunnel is named" "$(explained label src,inner)" "packet 1 bytes 52 tunnels mpls key 0x"
is "in JSON, too" "$(explained erspan-one src,inner -j | jq -c '.[0].tunnels')" '["erspan-2"]'
explained pppoe src >plain
refuse "a key without inner opens nothing" 1 "" grep -q tunnels plain

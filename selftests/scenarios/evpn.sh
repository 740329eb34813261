#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Split horizon for an Ethernet segment of FRR: the routes, the tunnel and the election of the
# designated forwarder are those of EVPN. Linux does not apply the election and has no split
# horizon, so frames of the customer come back to it. A segment in the trail and the election's
# result on the bridge end that. The page is Documentation/scenarios/horizon.md, section "With FRR".

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../net/helpers/lib.sh"
. "$(dirname "$0")/../net/helpers/loops.sh"
. "$(dirname "$0")/../net/helpers/page.sh"
. "$(dirname "$0")/../net/helpers/edges.sh"
. "$(dirname "$0")/../net/helpers/daemons.sh"

# Seconds; BGP repeats a connection that has failed after two minutes.
PATIENCE=150
doc=$(dirname "$0")/../Documentation/scenarios/horizon.md
# Daemons that are not root read their configuration there.
chmod 755 "$lib_dir"
plan 52

# frr STATION: its zebra and bgpd. An Ethernet segment waits for three minutes after their start,
# unless they have another delay.
frr() {
	local daemon

	own_run "$1"
	for daemon in zebra bgpd; do
		run_in "$1" "/usr/lib/frr/$daemon" -f /dev/null --log stdout
		await 20 inside "$1" test -S "/run/frr/$daemon.vty" || exit 1
	done
	inside "$1" vtysh -c configure -c "evpn mh startup-delay 0"
}

# at NAMESPACE COMMAND...: on a provider edge with the /run of its FRR.
at() {
	local name

	for name in "${!station_holder[@]}"; do
		if [ "$1" = "${!name}" ]; then
			inside "$name" "${@:2}"
			return
		fi
	done
	nsenter --net="/run/netns/$1" -- "${@:2}"
}

# forwarder STATION df|non-df: the segment has another provider edge, and this result.
forwarder() {
	local text

	text=$(inside "$1" vtysh -c "show evpn es detail")
	[[ $text = *"DF status: $2 "* && $text = *df_alg* ]]
}

# forwarder_alone STATION: the segment has no other provider edge, and this one forwards.
forwarder_alone() {
	local text

	text=$(inside "$1" vtysh -c "show evpn es detail")
	[[ $text = *"DF status: df "* && $text != *df_alg* ]]
}

# flooding STATION: its tunnel floods to the other one.
flooding() {
	bridge -n "${!1}" fdb show dev vxlan7 | grep -q '^00:00:00:00:00:00 dst'
}

# both_await WHAT COMMAND PE1 PE2: the command becomes true for each with its word.
both_await() {
	check "$1, on pe1" await "$PATIENCE" "$2" pe1 "$3"
	check "$1, on pe2" await "$PATIENCE" "$2" pe2 "$4"
}

# --- EVPN ----------------------------------------------------------------------------------

edges ce0
frr pe1
frr pe2
page "$doc" "sh frr"
both "an Ethernet segment" page_exchanged
bond
ready pe1 pe2 ce
check "the bond has both links" await 20 bonded
both_await "the tunnel floods" flooding "" ""
both_await "a designated forwarder is elected" forwarder df non-df
note "$(inside pe2 vtysh -c "show evpn es detail")"
is "Linux does not apply the election" \
	"$(bridge -n "$pe2" -d -j link show dev ce | jq -c '.[0] | [.flood, .bcast_flood]')" \
	"[true,true]"
hosts_start
arrive "FRR: frames of c1 come back, and reach c2 twice" c1 ip4 "1 2 1 1"
arrive "FRR: frames of c2 come back, and reach c1 twice" c2 ip4 "2 1 1 1"
arrive "FRR: frames of h1 reach the customer twice" h1 ip4 "2 2 0 1"

# --- a segment -------------------------------------------------------------------------------

mkdir "$lib_dir/static"
page_blocks "$doc" "$lib_dir/static"
on_both bash -euo pipefail "$(grep -l 'guard add' "$lib_dir"/static/*)"
arrive "a segment: no frame of c1 comes back" c1 ip4 "0 1 1 1"
arrive "a segment: no frame of c2 comes back" c2 ip4 "1 0 1 1"
is "a segment: pe1 withholds the frames of c2, and pe2 those of c1" "$(withheld)" \
	"$FRAMES $FRAMES"
arrive "a segment: frames of h1 still reach the customer twice" h1 ip4 "2 2 0 1"
both "the designated forwarder" page_again "$pe2"
each_once ip4:60 ip4:500 "ip4:$LIMIT" arp

# --- a link fails ------------------------------------------------------------------------------

ip -n "$ce" link set pe1 down
check "a link fails: pe2 is elected" await "$PATIENCE" forwarder_alone pe2
check "a link fails: the designated forwarder, on pe2" page_again "$pe2"
arrive "a link fails: frames of h1 reach the customer once" h1 ip4 "1 1 0 1"
arrive "a link fails: frames of c1 do not come back" c1 ip4 "0 1 1 1"
ip -n "$ce" link set pe1 up
check "the bond has both links again" await 20 bonded
both_await "pe1 is elected again" forwarder df non-df
page_again "$pe1"
page_again "$pe2"
arrive "frames of h1 reach the customer once" h1 ip4 "1 1 0 1"

# --- a customer edge without a bond ---------------------------------------------------------

storm FRR
exactly_when="no bond"
each_once ip4:60 "ip4:$LIMIT"
page_end

# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Sourced after ../lib.sh, lib.sh, loops.sh and page.sh: a customer edge with a link to each of two
# provider edges, and the copies of each frame at each host.
#
#	h1 --- br0 $pe1 core ---------- core $pe2 br0 --- h2
#	          ce                             ce
#	            \                            /
#	             pe1 --- bond0 $ce --- pe2
#	                      br0
#	                   c1     c2
#
#	edges ce		# makes them; the links of $pe1 and $pe2 have that name there
#	bond; hosts_start
#	arrive "once" c1 ip4 "0 1 1 1"

FRAMES=20
# Bytes of the largest frame that gets a trail: 24 less than 1,400 behind its Ethernet header.
# shellcheck disable=SC2034 # for the tests that source this
LIMIT=1390
pe1='' pe2='' ce='' c1='' c2=''

# edges DEVICE: the networks of the customer and of the two providers, not yet joined.
edges() {
	local name

	switches pe1 pe2 ce
	host c1 ce
	host c2 ce
	host h1 pe1
	host h2 pe2
	# The bond takes a link by the last byte of source, destination and type: c1's IPv4
	# broadcasts enter at pe1, those of c2 at pe2.
	ip -n "$c1" link set eth0 address 02:00:00:00:0c:01
	ip -n "$c2" link set eth0 address 02:00:00:00:0c:02
	# The network between the provider edges has room for the headers of VXLAN.
	veth "$pe1" core "$pe2" core
	for name in pe1 pe2; do
		ip -n "${!name}" link set core mtu 1550
		addr "${!name}" core "192.0.2.${name#pe}/24"
		veth "${!name}" "$1" "$ce" $name
	done
}

# bond: makes the links of the customer edge one port of its bridge.
bond() {
	local name

	ip -n "$ce" link add bond0 type bond mode balance-xor miimon 100
	for name in pe1 pe2; do
		ip -n "$ce" link set $name down
		ip -n "$ce" link set $name master bond0
	done
	ip -n "$ce" link set bond0 up master br0
}

# bonded: the bond sends by both links.
bonded() {
	[ "$(ip -n "$ce" -d -j link show master bond0 |
		jq -c 'map(.linkinfo.info_slave_data.mii_status)')" = '["UP","UP"]' ]
}

# unbond: makes the links two ports of the bridge.
unbond() {
	local name

	ip -n "$ce" link del bond0
	for name in pe1 pe2; do
		ip -n "$ce" link set $name up master br0
	done
}

# page_exchanged: runs the last block again on pe2, with the addresses exchanged.
page_exchanged() {
	sed 's/192.0.2.1/@/g; s/192.0.2.2/192.0.2.1/g; s/@/192.0.2.2/g' \
		"${page_list[page_next - 1]}" | at "$pe2" bash -euo pipefail
}

# both WHAT [COMMAND...]: the next block succeeds on pe1, and then on pe2, by the command.
both() {
	page_step "$pe1" "$1, on pe1"
	check "$1, on pe2" "${@:2}"
}

# on_both COMMAND...
on_both() {
	at "$pe1" "$@" &>"$lib_dir/none" && at "$pe2" "$@" &>"$lib_dir/none" || exit 1
}

# guard_with WORD...: replaces the guards of both.
guard_with() {
	on_both seenctl guard replace bridge br0 profile loop filter segments no-block \
		trail port ce segment 7 "$@"
}

# arrive WHAT WHO KIND WANT: the frames that each host gets, in multiples of the frames that WHO sends:
# of c1, c2, h1 and h2.
arrive() {
	local want=() count

	for count in $4; do
		want+=($((count * FRAMES)))
	done
	ask sends "$2" $FRAMES "$3"
	is "$1" "$answer" "c1 ${want[0]} c2 ${want[1]} h1 ${want[2]} h2 ${want[3]}"
}

# each_once KIND...: of each host, each frame reaches each other host once, and not its sender.
each_once() {
	local kind

	for kind; do
		exactly c1 $FRAMES "$kind"
		exactly c2 $FRAMES "$kind"
		exactly h1 $FRAMES "$kind"
		exactly h2 $FRAMES "$kind"
	done
}

# withheld: the frames that did not leave for the customer edge, at pe1 and pe2.
withheld() {
	echo "$(port_get "$pe1" ce .trail_withheld) $(port_get "$pe2" ce .trail_withheld)"
}

# hosts_start, hosts_stop: while no process reads their sockets, frames would fill them.
hosts_start() {
	hosts c1 c2 h1 h2
	hosts_pid=${lib_pids[-1]}
}

hosts_stop() {
	kill "$hosts_pid" && wait "$hosts_pid"
} 2>/dev/null

# frames: received by the bridge of the customer edge so far.
frames() {
	stat_of "$ce" br0 rx.packets
}

# storm WHAT: the customer edge has two links instead of a bond, and the guards are paused. One
# frame becomes a storm, which ends when the guards judge frames again.
storm() {
	local before

	hosts_stop
	on_both seenctl guard pause bridge br0
	unbond
	ready ce
	before=$(frames)
	echo "raw eth0 ffffffffffff02000000000188b5$(printf %092d 0)" |
		at "$c1" python3 "$helpers/send.py" >"$lib_dir/none"
	check "no bond, $1: one frame has become more than 10,000" \
		await 60 has_grown frames "$before" 10000
	on_both seenctl guard resume bridge br0
	check "no bond: the guards end the storm" await 60 stands frames
	hosts_start
}

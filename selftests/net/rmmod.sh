#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The module unloads cleanly while there are filters, guards of other users, listeners and traffic.
# If it cannot unload, for example while a guard in the user namespace of the host is armed, rmmod
# reports that. After the unload all packets pass:
#
#	$road  f1 ------- eth0  $box	another user's namespace; its guards drop copies

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/helpers/lib.sh"

LOADS=$(scale 10 30 30 100)

plan 34
box='' road='' own=''

# tenant VAR: a namespace that belongs to another user namespace.
tenant() {
	background unshare -Urn sleep infinity
	await 10 is_tenant $! || exit 1
	printf -v "$1" %s "$1-$$"
	ip netns attach "${!1}" $!
	lib_spaces+=("${!1}")
	quiet "${!1}"
}

is_tenant() {
	[ "$(readlink "/proc/$1/ns/net")" != "$(readlink /proc/self/ns/net)" ]
}

ns road
tenant box
veth "$road" f1 "$box" eth0
addr "$road" f1 192.0.2.1/24
addr "$box" eth0 192.0.2.2/24

loaded() {
	[ -d /sys/module/seen ]
}

answers() {
	at "$road" ping -qc1 -W5 192.0.2.2
}

# Adds the filters and guards of a typical user, charged to a memory cgroup of their own.
furnish() {
	enter_group
	seenctl -j -n "$box" -b - <<-END >/dev/null
		filter add hosts capacity 100k key host type cuckoo
		filter add frames capacity 10k key frame type cuckoo window 1s
		key add hosts 192.0.2.1 192.0.2.3 2001:db8::1
		guard add dev eth0 filter frames match all action drop
		guard add dev eth0 hook egress profile loop
		guard add dev later profile loop
		guard add bridge br0 profile loop
		END
}

memory_group rmmod

# --- by itself -------------------------------------------------------------------

# The kernel may free rules of earlier tests late.
for module in xt_seen seen; do
	[ ! -d /sys/module/$module ] || await 20 rmmod $module
done
refuse "the module is not loaded yet" 1 "" loaded
check "seenctl loads the module" seenctl filter show
check "the module is loaded" loaded
check "it unloads" rmmod seen

# --- with all there is ---------------------------------------------------------

(furnish) || exit 1
events heard "$box"
check "packets pass with guards" answers
if [ -n "$group" ]; then
	await 10 some_charged vmalloc
	between "tables are charged" "$(charged vmalloc)" 1 $((1 << 30))
else
	skip "tables are charged" "no memory controller"
fi
check "rmmod with filters, guards and a listener" rmmod seen
refuse "the module is not loaded" 1 "" loaded
check "packets pass without the module" answers
if [ -n "$group" ]; then
	check "no table or counter is left" await 10 nothing_charged
else
	skip "no table or counter is left" "no memory controller"
fi
check "it loads again" modprobe seen
is "no filter is left" \
	"$(at "$box" seenctl -j filter show | jq length)" 0
is "its sysctl exists again" \
	"$(at "$road" cat /proc/sys/net/seen/max_bytes)" 0

# --- a guard of the machine's own ------------------------------------------------------

on_road() {
	seenctl -n "$road" "$@" >/dev/null
}

is_held() {
	! rmmod seen 2>/dev/null && loaded
}

modprobe xt_seen
check "a guard" on_road guard add dev f1 profile loop
refuse "while it is armed, rmmod is refused" 1 "in use" rmmod seen
modprobe -r xt_seen
check "modprobe -r of xt_seen does not unload it" loaded
is "the guard is armed" "$(seenctl -n "$road" -j guard show | jq -r '.[0].state')" armed
on_road guard pause dev f1
check "a guard that is paused holds the module, too" is_held
on_road guard add dev later profile loop
on_road guard del dev f1
check "a guard that waits for its device does not" rmmod seen
modprobe seen
on_road guard add dev later profile loop
ip -n "$road" link add later type dummy
check "an armed guard holds it after its device is added" is_held
ip -n "$road" link del later
check "a guard whose device is deleted does not" rmmod seen
modprobe seen
ns own
at "$own" seenctl guard add dev lo profile packet >/dev/null
check "a guard in another namespace holds it" is_held
ns_del "$own"
check "when this namespace is deleted it unloads" await 20 rmmod seen
modprobe seen
on_road guard add dev f1 profile loop
check "reset deletes all guards" on_road reset
check "after reset it unloads" rmmod seen
modprobe seen

# --- when it cannot go -----------------------------------------------------------

(furnish) || exit 1
for ((i = 0; i < 100; i++)); do
	echo "filter add f$i capacity 10 key bytes"
done | seenctl -j -n "$box" -b - >/dev/null
listen asked at "$box" dump_unread
check "a dump that is not read begins" heard asked 10 asked
refuse "rmmod during a dump is refused" 1 "in use" rmmod seen
is "all filters are still there" \
	"$(at "$box" seenctl -j filter show | jq length)" 105
kill "${lib_pids[-1]}"
check "it unloads when the dump has ended" await 10 rmmod seen

# --- again and again ---------------------------------------------------------------

# Loads, uses and unloads the module. If rmmod is refused, it is tried again.
cycles() {
	local i

	for ((i = 0; i < LOADS; i++)); do
		modprobe seen || return
		"$@" || return
		await 10 rmmod seen || return
		! loaded || return
	done
}

check "load and unload, $LOADS times" cycles true
background at "$road" nice -n 19 flood f >"$lib_dir/flood"
flooder=$!
check "load, guard and unload under traffic, $LOADS times" cycles furnish
check "the flood ran until the end" kill "$flooder"
wait "$flooder"
between "frames were sent" "$(field sent "$(cat "$lib_dir/flood")")" \
	"$LOADS" 1000000000000
check "packets still pass" answers

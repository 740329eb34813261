#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# systemd accepts the units, as installed, and finds few rights in them that they do not need. The
# plugins of netfilter-persistent run in the order that they need.

. "$(dirname "$0")/../lib.sh"
cd "$(dirname "$0")/../.." || exit

dest=$lib_dir/dest
units=$dest/lib/systemd/system
plugins=$dest/usr/share/netfilter-persistent/plugins.d
# The limit of "OK" is 4, that of "SAFE" 2, on a scale to 10; here in tenths.
exposure=20

verify() {
	local said

	said=$(MANPATH=$dest/usr/share/man systemd-analyze verify --root="$dest" \
		--recursive-errors=no "$@" 2>&1)
	[ -z "$said" ] || ! echo "$said"
}

exposed() {
	systemd-analyze security --offline=true --threshold=$exposure "$1"
}

# position COMMAND: prints the place, among Debian's plugins, of the plugin that runs it.
position() {
	local own

	own=$(cd "$plugins" && grep -lE "seen-state $1" ./*)
	printf '%s\n' 15-ip4tables 25-ip6tables "${own#./}" | sort | grep -n seen | cut -d: -f1
}

services=(tools/systemd/*.service.in)
plan $((6 + ${#services[@]}))

check "install" make -s -C tools install DESTDIR="$dest" UNITDIR=/lib/systemd/system
check "systemd accepts the units" verify "$units"/seen*
for unit in "${services[@]##*/}"; do
	check "${unit%.in} has few rights" exposed "$units/${unit%.in}"
done
is "filters are restored before the rules" "$(position restore)" 1
is "filters are deleted after the rules" "$(position flush)" 3
is "units that start early use no folder in /tmp, which is being cleaned then" \
	"$(grep -l DefaultDependencies=no "$units"/* | xargs grep -E '^Private(Devices|Tmp)=yes')" ""
is "no path is left open" "$(grep -rl '@[A-Z]*@' "$units" "$plugins")" ""

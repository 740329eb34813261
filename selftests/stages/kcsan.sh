# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Sourced by ../check.sh: data races, in a guest that watches accesses to memory. A long run
# has what brings several CPUs to the same filter, rule, guard or name, but for the stages
# torture and load; a short one, what asks and changes lists.

kcsan() {
	local list=(net/allow.sh net/listed.sh net/changes.sh)

	[ -z "$LONG" ] || list+=(net/once.sh net/torture.sh net/guard.sh net/rehash.sh
		net/top.sh net/rules_life.sh net/snapshot.sh net/netns.sh net/storm.sh
		net/event.sh net/rmmod.sh net/loop_change.sh net/loop_block.sh net/block_stp.sh net/types.sh
		scenarios/blocklist.sh)
	PLANTED=kcsan TEST_TIMEOUT=7200 on_host planted vm/planted.sh
	one_guest kcsan 2 "${list[@]}"
}

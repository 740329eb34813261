# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Sourced by ../check.sh: data races. Whatever brings several CPUs to the same
# filter, rule, guard or name, in a guest that watches accesses to memory.

kcsan() {
	if [ -z "$LONG" ]; then
		leave_out kcsan "a kernel more to build: LONG=1"
		return
	fi
	PLANTED=kcsan TEST_TIMEOUT=7200 on_host planted vm/planted.sh
	one_guest kcsan 2 net/once.sh net/torture.sh net/guard.sh \
		net/listed.sh net/rehash.sh net/top.sh net/rules_life.sh \
		net/snapshot.sh net/netns.sh net/storm.sh net/event.sh \
		net/rmmod.sh net/loop_change.sh net/changes.sh net/allow.sh \
		net/types.sh
}

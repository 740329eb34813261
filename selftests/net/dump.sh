#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# One message of a dump has room for any guard, even if all of its lists are full.

. "$(dirname "$0")/../lib.sh"

here=$(cd "$(dirname "$0")" && pwd)
plan 2
box=
ns box
check "a bridge" at "$box" ip link add br0 type bridge
is "a guard with all lists full is dumped as a whole" \
	"$(at "$box" python3 "$here/helpers/full_guard.py" 2>&1)" \
	"done
protect 64 exempt 16 udp 16 src 16 dst 16
whole"

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Each allocation of each request, of netlink's and of devices', fails in turn.

. "$(dirname "$0")/../lib.sh"

[ -e /proc/self/fail-nth ] || skip_all "the kernel has no FAULT_INJECTION"

ns a
# It prints the results, and its status is that of the test.
at "$a" "$(dirname "$0")/../helpers/faults" "$(long short long)"

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Each allocation of each request, to the family and for devices, fails in turn.

. "$(dirname "$0")/../lib.sh"

[ -e /proc/self/fail-nth ] || skip_all "the kernel has no FAULT_INJECTION"

ns a
# The program prints the results of this test, and its exit status is that of the test.
at "$a" "$(dirname "$0")/../helpers/faults" "$(long short long)"

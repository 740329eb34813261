#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Keys and their hashes are the same on 32-bit and on big-endian machines.

. "$(dirname "$0")/../lib.sh"
cd "$(dirname "$0")/../.." || exit

TESTS=(test_siphash test_hash test_key_packet test_key_profile test_key_table
	test_key_text)

# machine COMPILER EMULATOR: builds the tests for the machine and runs them under qemu-user.
machine() {
	local built=$PWD/build/core-$1 test

	check "$1: build" make -s -C selftests/core B="$built" \
		"gcc=$1-gcc -O2 -static" "${TESTS[@]/#/$built/gcc/}"
	for test in "${TESTS[@]}"; do
		check "$1: $test" "qemu-$2" "$built/gcc/$test"
	done
}

plan $((3 * (1 + ${#TESTS[@]})))
tools/deps.sh need machines
machine i686-linux-gnu i386
machine aarch64-linux-gnu aarch64
machine s390x-linux-gnu s390x

# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Sourced by ../check.sh: the module in guests, by the table of tests.

# picked KERNEL SMP: the tests that the table has for this guest, in its order.
picked() {
	local name=${1%-debug}

	awk -v kernel="${name%-gcov}" -v smp="$2" -v all="${ALL:-$LONG}" '
		/^#/ || index("," $3 ",", "," smp ",") == 0 { next }
		!(all && smp == 2) && !index("," $2 ",", "," kernel ",") { next }
		!had[$1]++ { print $1 }' "$here/tests"
}

guest() {
	local kernel smp list

	[ "$kernels" != "$usual" ] || on_host vm vm/selftest.sh
	for kernel in $kernels; do
		for smp in 1 2 4; do
			mapfile -t list < <(picked "$kernel" $smp)
			[ ${#list[@]} = 0 ] ||
				one_guest "$(counting "$kernel")" $smp \
					"${list[@]}"
		done
	done
}

# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Sourced by ../check.sh: the module in guests, by the table of tests.

# picked KERNEL SMP: the tests that the table has for this guest, in its order. Where time
# travels there is one CPU.
picked() {
	local name=${1%-debug}

	awk -v kernel="${name%-gcov}" -v smp="$2" -v all="${ALL:-$LONG}" '
		/^#/ || index("," $3 ",", "," smp ",") == 0 { next }
		!(all && smp == 2 && kernel != "uml-time") &&
			!index("," $2 ",", "," kernel ",") { next }
		!had[$1]++ { print $1 }' "$here/tests"
}

# each_guest PATTERN FUNCTION: called with KERNEL SMP TEST... for each guest of the
# table whose kernel is like that.
each_guest() {
	local kernel smp list

	for kernel in $kernels; do
		# shellcheck disable=SC2053 # a pattern
		[[ $kernel = $1 ]] || continue
		for smp in 1 2 4; do
			mapfile -t list < <(picked "$kernel" $smp)
			[ ${#list[@]} = 0 ] ||
				"$2" "$(counting "$kernel")" $smp "${list[@]}"
		done
	done
}

# User-mode kernels run beside those of QEMU: neither kind needs two CPUs for long.
guest() {
	local user_mode short=$kernels kernels=$kernels

	[ -z "$LONG" ] || [ "$short" != "$usual" ] || kernels+=" uml-time"
	guest_parts "$(counting uml)" || return
	each_guest 'uml*' in_guest &
	user_mode=$!
	[ "$short" != "$usual" ] || on_host vm vm/selftest.sh
	each_guest '[!u]*' in_guest
	wait "$user_mode" || fail "guest: those of the user-mode kernel have ended early"
	each_guest '*' judge_guest
}

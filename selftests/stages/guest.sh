# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Sourced by ../check.sh: the module in guests, by the table of tests.

# picked KERNEL SMP: the tests that the table has for this guest, in its order. With ALL or
# LONG each runs with two CPUs, also where one is enough, but where time travels.
picked() {
	local name=${1%-debug} all=${ALL:-$LONG}

	[ "$1" != uml-time ] || all=
	awk -v kernel="${name%-gcov}" -v smp="$2" -v all="$all" '
		/^#/ { next }
		{ here = smp == $3 && index("," $2 ",", "," kernel ",") }
		all && smp <= 2 { here = smp == 2 && $3 <= 2 }
		here && !had[$1]++ { print $1 }' "$here/tests"
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

# beside_in_guest KERNEL SMP TEST...: a user-mode guest with one CPU leaves the other one
# to the next guest. One that checks itself is slow enough alone.
beside_in_guest() {
	if [[ $2 = 1 && $1 != *-debug ]]; then
		in_guest "$@" &
		beside+=($!)
	else
		in_guest "$@"
	fi
}

# The emulated ones wait for little and take long.
guest_emulated() {
	[ "$kernels" != "$usual" ] || run_on_host vm vm/selftest.sh
	each_guest '[!u]*' in_guest
}

guest() {
	local short=$kernels kernels=$kernels beside=() pid

	[ -z "$LONG" ] || [ "$short" != "$usual" ] || kernels+=" uml-time"
	guest_parts "$(counting uml)" || return
	each_guest 'uml*' beside_in_guest
	for pid in "${beside[@]}"; do
		wait "$pid" || fail "guest: one of those beside others has ended early"
	done
	await_emulated guest
	[ "$short" != "$usual" ] || judge_on_host vm vm/selftest.sh
	each_guest '*' judge_guest
}

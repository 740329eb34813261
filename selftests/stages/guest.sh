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

# Those of QEMU run beside those of the user-mode kernel, in which tests wait for much of
# the time; they are nice, since what such a test waits for must not come too late.
guest() {
	local emulated short=$kernels kernels=$kernels

	[ -z "$LONG" ] || [ "$short" != "$usual" ] || kernels+=" uml-time"
	guest_parts "$(counting uml)" || return
	[ "$short" != "$usual" ] || on_host vm vm/selftest.sh
	{
		renice -n 10 "$BASHPID" >/dev/null
		each_guest '[!u]*' in_guest
	} &
	emulated=$!
	each_guest 'uml*' in_guest
	wait "$emulated" || fail "guest: those of QEMU have ended early"
	each_guest '*' judge_guest
}

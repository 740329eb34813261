#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# check.sh STAGE...: runs the stages static, core, tools and guest, judges them by
# tap.awk, and ends with one line: N passed, N failed, N skipped. KERNELS names
# the guests' kernels if not the usual ones: see vm/kernel.sh. With ALL=1 each of
# them runs every test that two CPUs suffice for, not only those that the table
# names.

set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/.." && pwd)
out=$top/build/check
passed=0 failed=0 skipped=0
usual="6.1 6.12 uml"
kernels=${KERNELS:-$usual}

# judge LABEL LOG STATUS TEST...: adds up what the log says; a status that no
# result explains is a failure too.
judge() {
	local label=$1 log=$2 status=$3 lines p f s

	mapfile -t lines < <(awk -v label="$label: " -v expect="${*:4}" \
		-f "$here/tap.awk" "$log")
	read -r p f s <<<"${lines[-1]}"
	unset 'lines[-1]'
	[ ${#lines[@]} = 0 ] || printf '%s\n' "${lines[@]}"
	((passed += p, failed += f, skipped += s))
	[ "$status" = 0 ] || [ "$f" != 0 ] ||
		fail "$label: exit status $status: $(tail -n1 "$log")"
}

fail() {
	echo "FAIL $*"
	((++failed))
}

# The host's tests may need the top of the tree as their working directory.
on_host() {
	local log=$out/$1.log label=$1

	shift
	RUN_IN=$top TEST_TIMEOUT=900 "$here/run" "$@" 2>&1 |
		tee "$log" | progress
	judge "$label" "$log" "${PIPESTATUS[0]}" "$@"
}

progress() {
	grep --line-buffered -E '^(# begin|# .* took|not ok|vm: )' || true
}

# folder NAME: every test in it.
folder() {
	local test list=()

	for test in "$here/$1"/*; do
		[ ! -f "$test" ] || [ ! -x "$test" ] ||
			list+=("$1/${test##*/}")
	done
	on_host "$1" "${list[@]}"
}

static() {
	folder static
}

# What needs no kernel of its own.
tools() {
	if make -s -C "$top" tools; then
		folder tools
	else
		fail "tools: they do not build"
	fi
}

# Where guests follow, core's tests run beside them: in the time that guests leave
# the CPUs idle, and in no other, since guests must not notice.
core() {
	local log=$out/core.log idle=()

	make -C "$here/core" -j2 all >"$log" 2>&1 || {
		tail -n 30 "$log"
		fail "core: it does not build"
		return
	}
	[[ $stages != *" guest "* ]] || idle=(chrt --idle 0)
	"${idle[@]}" make -C "$here/core" check >"$log" 2>&1 &
	core=$!
	[ ${#idle[@]} != 0 ] || core_end
}

core_end() {
	local log=$out/core.log status=0 list

	wait "$core" || status=$?
	progress <"$log"
	mapfile -t list < <(make -s -C "$here/core" list)
	judge core "$log" $status "${list[@]/#/../build/core/}"
}

# one_guest KERNEL SMP TEST...
one_guest() {
	local kernel=$1 smp=$2 label="$1 smp $2" each=600 all=2400 log files

	shift 2
	# An hour there takes a minute here; or all takes ten times as long.
	[ "$kernel" != uml-time ] || each=7200
	[ "$kernel" != uml-debug ] || each=6000 all=24000
	log=$out/guest-$kernel-$smp.log
	files="$here/lib.sh $here/tap.awk $here/net $here/demo $here/scenarios"
	files+=" $top/Documentation $top/README.md $top/build/helpers"
	[ ! -d "$captures" ] || files+=" $captures"
	KERNEL=$kernel SMP=$smp MEM=${MEM:-2G} FILES=$files VM_TIMEOUT=$all \
		"$here/vm/vm.sh" "$here/run" -t $each "$@" 2>&1 |
		tee "$log" | progress
	judge "$label" "$log" "${PIPESTATUS[0]}" "$@"
}

# picked KERNEL SMP: the tests that the table has for this guest, in its order.
picked() {
	awk -v kernel="${1%-debug}" -v smp="$2" -v all="${ALL:-}" '
		/^#/ || index("," $3 ",", "," smp ",") == 0 { next }
		!(all && smp == 2) && !index("," $2 ",", "," kernel ",") { next }
		!had[$1]++ { print $1 }' "$here/tests"
}

guest() {
	local kernel smp list

	captures=${SEEN_CAPTURES:-$top/../shared/data/captures}
	[ "$kernels" != "$usual" ] || on_host vm vm/selftest.sh
	if ! make -s -C "$top" tools || ! make -s -C "$here/net/helpers"; then
		fail "guest: what it needs does not build"
		return
	fi
	for kernel in $kernels; do
		for smp in 1 2 4; do
			mapfile -t list < <(picked "$kernel" $smp)
			[ ${#list[@]} = 0 ] ||
				one_guest "$kernel" $smp "${list[@]}"
		done
	done
}

timed() {
	local start=$SECONDS took

	"$1"
	took=$((SECONDS - start))
	printf '== %s: %d:%02d\n' "$1" $((took / 60)) $((took % 60))
}

stages=" $* "
core=''
"$top/tools/deps.sh" need check || exit
mkdir -p "$out"
# The one long build, while the stages that need no guest run.
if [[ $stages = *" guest "* && " $kernels " = *" uml "* ]]; then
	nice "$here/vm/kernel.sh" uml >"$out/uml.log" 2>&1 &
fi
for stage in "$@"; do
	case $stage in
	static | core | tools | guest) timed "$stage" ;;
	*)	fail "$stage: no such stage" ;;
	esac
done
[[ -z $core || $stages != *" guest "* ]] || timed core_end
wait
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ] && [ $passed != 0 ]

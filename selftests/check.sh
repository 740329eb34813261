#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# check.sh STAGE...: runs stages (each a file of stages/, with a function of its
# name), judges them by tap.awk, and ends with a table, what has failed once more, and
# one line: N passed, N failed, N skipped. A short run of each, or with LONG=1 the long one. KERNELS names
# the guests' kernels if not the usual ones: see vm/kernel.sh. With ALL=1 each of
# them runs every test that two CPUs suffice for, not only those that the table
# names. BUDGET is the seconds that all of it may take: in the last tenth no further
# stage begins.

set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/.." && pwd)
out=$top/build/check
passed=0 failed=0 skipped=0
# From where it is heard what is done of that which runs beside the stages.
building='' emulating=''
# Tests of a guest's own, beside those of its folders.
export MODULES=
usual="6.1 6.12 uml"
kernels=${KERNELS:-$usual}
captures=${SEEN_CAPTURES:-$top/../shared/data/captures}
export LONG=${LONG:-}
# Whoever ends the whole of it from outside sees no table.
budget=${BUDGET:-}

# judge LABEL LOG STATUS TEST...: adds up what the log says; a status that no
# result explains is a failure too.
judge() {
	local label=$1 log=$2 status=$3 lines p f s

	mapfile -t lines < <(awk -v label="$label: " -v expect="${*:4}" \
		-f "$here/tap.awk" "$log")
	read -r p f s <<<"${lines[-1]}"
	unset 'lines[-1]'
	[ ${#lines[@]} = 0 ] || printf '%s\n' "${lines[@]}" | tee -a "$out/told"
	((passed += p, failed += f, skipped += s))
	sed -n "s/^# figure: /$label: /p" "$log" >>"$out/figures"
	case $status-$f in
	# Beside whatever else has failed.
	120-* | 121-* | 124-*)
		fail "$label: $(grep -am1 '^vm: FAILED' "$log" || echo "exit status $status")" ;;
	0-* | *-[1-9]*) ;;
	*)	fail "$label: exit status $status: $(tail -n1 "$log")" ;;
	esac
}

# judge_ended LABEL LOG TEST...: by the status that stands beside the log.
judge_ended() {
	if [ -e "$2.status" ]; then
		judge "$1" "$2" "$(cat "$2.status")" "${@:3}"
	else
		fail "$1: it has not run to its end"
	fi
}

# left SECONDS: these, or what the budget leaves of them.
left() {
	local seconds=$((budget - SECONDS))

	if [ -z "$budget" ] || ((seconds > $1)); then
		echo "$1"
	else
		echo $((seconds > 1 ? seconds : 1))
	fi
}

# too_late STAGE: for it to begin.
too_late() {
	[ -n "$budget" ] && ((SECONDS > budget * 9 / 10)) && [ ! -e "$out/$1.begun" ]
}

# begin STAGE: with any of its parts.
begin() {
	: >"$out/$1.begun"
}

fail() {
	echo "FAIL $*" | tee -a "$out/told"
	((++failed))
}

# leave_out WHAT WHY: a whole part that does not run here, in the open.
leave_out() {
	echo "SKIP $1: $2"
	((++skipped))
}

# on_host LABEL TEST...: tests may need the top of the tree as their working
# directory.
on_host() {
	run_on_host "$@"
	judge_on_host "$@"
}

# run_on_host LABEL TEST...: to be judged by judge_on_host, called alike.
run_on_host() {
	local log=$out/$1.log each=1800

	shift
	[ -z "$LONG" ] || each=36000
	each=$(left "${TEST_TIMEOUT:-$each}")
	rm -f "$log.status"
	RUN_IN=$top TEST_TIMEOUT=$each RUN_SECONDS=$(left 1000000) "$here/run" "$@" 2>&1 |
		tee "$log" | progress
	echo "${PIPESTATUS[0]}" >"$log.status"
}

judge_on_host() {
	judge_ended "$1" "$out/$1.log" "${@:2}"
}

progress() {
	grep --line-buffered -E '^(# begin|# .* took|not ok|vm: )' || true
}

# folder FUNCTION NAME: it is given the name, and every test in that folder.
folder() {
	local test list=()

	for test in "$here/$2"/*; do
		[ ! -f "$test" ] || [ ! -x "$test" ] ||
			list+=("$2/${test##*/}")
	done
	"$1" "$2" "${list[@]}"
}

# guest_parts [KERNEL]: what a guest test needs is built, once.
guest_parts() {
	if [ -z "${parts_built:-}" ] && { ! make -s -C "$top" tools ||
			! make -s -C "$here/net/helpers"; }; then
		fail "guest: what it needs does not build"
		return 1
	fi
	parts_built=1
	[[ ${1:-} != *-gcov ]] || counted_tools
}

# in_guest KERNEL SMP TEST...: in one guest, which boots for them. To be judged by
# judge_guest, called alike. MODULES is a folder with the test's own.
in_guest() {
	local kernel=$1 smp=$2 each=600 all=3600 asked log files
	local tools=$top/build/tools counts=

	shift 2
	case $kernel in
	*-gcov)	tools=$top/build/coverage counts=$out/counts/$stage-$smp ;;
	# An hour there takes a minute here.
	uml-time) each=7200 ;;
	uml-debug | debug | kcsan) each=6000 all=24000 ;;
	uml*)	;;
	# Emulated, and nice beside others.
	*)	each=1800 ;;
	esac
	[ -z "$LONG" ] || each=$((each * 4)) all=$((all * 10))
	# Whoever says how long is not cut short: rounds begin and end besides.
	asked=$((4 * (${TORTURE_SECONDS:-0} + ${LOAD_SECONDS:-0})))
	all=$((all + asked)) each=$((each + asked))
	all=$(left $all)
	log=$out/$stage-$kernel-$smp.log
	rm -f "$log.status"
	files="$here/lib.sh $here/tap.awk $top/Documentation $top/README.md"
	files+=" $top/build/helpers $guest_folders ${MODULES:-}"
	[ ! -d "$captures" ] || files+=" $captures"
	KERNEL=$kernel SMP=$smp MEM=${MEM:-2G} FILES=$files VM_TIMEOUT=$all \
		TOOLS=$tools OUT=$counts \
		"$here/vm/vm.sh" "$here/run" -t $each "$@" 2>&1 |
		tee "$log" | progress | sed -u "s/^/$kernel $smp: /"
	echo "${PIPESTATUS[0]}" >"$log.status"
}

# reason KERNEL LINE: what the table ./skips says of a skip, as tap.awk tells it.
reason() {
	awk -F '\t+' -v kernel="$1" -v line="$2" '
		/^#/ || !index("," $1 ",", "," kernel ",") && $1 != "all" { next }
		index(line, "SKIP " $2 ": ") == 1 && index(line, $3) {
			print $4
			found = 1
			exit
		}
		END { exit !found }' "$here/skips"
}

# excuse KERNEL LABEL LOG: each skip of a guest has its reason; one without has failed.
excuse() {
	local line why

	while read -r line; do
		if why=$(reason "$1" "$line"); then
			echo "not on $1: ${line#SKIP }: $why"
		else
			fail "$2: nobody said why: $line"
		fi
	done < <(awk -f "$here/tap.awk" "$3" | grep '^SKIP ')
}

judge_guest() {
	local log=$out/$stage-$1-$2.log label="$stage $1 smp $2"

	judge_ended "$label" "$log" "${@:3}"
	[ ! -e "$log.status" ] || excuse "${1%-gcov}" "$label" "$log"
}

one_guest() {
	guest_parts "$1" || return
	in_guest "$@"
	judge_guest "$@"
}

for name in "$here"/stages/*.sh; do
	# shellcheck source=/dev/null # each of them
	. "$name"
done

# The folders whose tests run in guests.
guest_folders=
for name in net demo scenarios faults fuzz torture attack load bench matrix; do
	[ ! -d "$here/$name" ] || guest_folders+=" $here/$name"
done

# emulates STAGE: it has guests of QEMU.
emulates() {
	declare -F "$1_emulated" >/dev/null
}

# beside FUNCTION: runs in the background, and writes what it has done, a word a line, to the
# file that $heard then is for reading; FUNCTION has it at 3.
beside() {
	exec {heard}< <("$1" 3>&1 >&4 4>&-)
} 4>&1

# await_word FILE WORD: or the end of the file, or of the budget.
await_word() {
	local word=

	while [ "$word" != "$2" ] && read -r -t "$(left 1000000)" -u "$1" word; do :; done
}

# build: the kernels that this run needs, then what looks at sources.
build() {
	local name

	renice -n 10 "$BASHPID" >/dev/null
	for name in "${builds[@]}"; do
		FETCH=1 "$here/vm/kernel.sh" "$name" >"$out/$name.fetched" 2>&1
	done 3>&- &
	for name in "${builds[@]}"; do
		"$here/vm/kernel.sh" "$name" >"$out/$name.log" 2>&1 3>&-
		echo "$name" >&3
	done
	if [[ $stages = *" static "* ]] && ! too_late static; then
		begin static
		[[ " ${builds[*]} " != *" uml "* ]] || export BUILDS="6.1 6.12 uml"
		TEST_TIMEOUT=7200 folder run_on_host static 3>&- | sed -u 's/^/static: /'
		echo static >&3
	fi
}

# emulate: the guests of QEMU of all stages, one after the other, beside the stages from the
# first that has some; each stage awaits its own. They take long, and wait for little; they are
# nice, since what a test of another guest waits for must not come too late, and less so than
# a kernel's build, for which nobody waits yet.
emulate() {
	local stage

	renice -n 5 "$BASHPID" >/dev/null
	for stage in $stages; do
		emulates "$stage" || continue
		[ "$stage" != debug ] || await_word "$building" debug
		if ! too_late "$stage"; then
			begin "$stage"
			"${stage}_emulated" 3>&-
		fi
		echo "$stage" >&3
	done
}

# start_emulating: unless it has begun. In a long run nothing else runs meanwhile.
start_emulating() {
	[ -z "$emulating" ] || return 0
	beside emulate
	emulating=$heard
	[ -z "$LONG" ] || await_word "$emulating" all
}

# await_emulated STAGE: in their order.
await_emulated() {
	[[ -z $emulating || $stages != *" $1 "* ]] || await_word "$emulating" "$1"
}

# cpu_seconds: of what has ended by now. What runs beside the stages, kernels' builds too, is
# in the row of the stage in which it ends.
cpu_seconds() {
	local stat

	read -ra stat </proc/$$/stat
	echo $(((stat[15] + stat[16]) / $(getconf CLK_TCK)))
}

# minutes SECONDS
minutes() {
	printf '%d:%02d' $(($1 / 60)) $(($1 % 60))
}

# run_stage NAME: its minutes and totals become a row of the table.
run_stage() {
	local stage=$1 start=$SECONDS cpu p=$passed f=$failed s=$skipped

	if [[ ! -e $here/stages/$stage.sh ]]; then
		fail "$stage: no such stage"
		return
	fi
	cpu=$(cpu_seconds)
	if too_late "$stage"; then
		fail "$stage: it has not run: of $budget s $((budget - SECONDS)) are left"
	else
		begin "$stage"
		! emulates "$stage" || ! guest_parts || start_emulating
		"$stage"
	fi
	printf '%-10s %8d %8d %8d %9s %9s\n' "$stage" $((passed - p)) \
		$((failed - f)) $((skipped - s)) "$(minutes $((SECONDS - start)))" \
		"$(minutes $(($(cpu_seconds) - cpu)))" |
		tee -a "$out/table" | awk '{ print "== " $1 ": " $5 }'
}

# What each stage did, in numbers, and all of them.
table() {
	printf '\n%-10s %8s %8s %8s %9s %9s\n' stage passed failed skipped minutes "of CPUs"
	cat "$out/table"
	printf '%-10s %8d %8d %8d %9s %9s\n' all "$passed" "$failed" "$skipped" \
		"$(minutes $SECONDS)" "$(minutes "$(cpu_seconds)")"
	[ ! -s "$out/figures" ] || { echo; cat "$out/figures"; }
	echo
}

# Whoever sees the end alone sees what has failed.
failures() {
	grep '^FAIL ' "$out/told" | head -n 50
	((failed <= 50)) || echo "... and others, above"
}

stages=" $* "
"$top/tools/deps.sh" need check || exit
mkdir -p "$out"
rm -f "$out"/*.status "$out"/*.begun
: >"$out/table"
: >"$out/figures"
: >"$out/told"
rm -rf "$out/counts"
mkdir "$out/counts"
builds=()
[[ $stages != *" guest "* || " $kernels " != *" uml "* ]] || builds+=(uml ${LONG:+uml-time})
[[ $stages != *" debug "* ]] || builds+=(debug)
beside build
building=$heard
for name in "$@"; do
	run_stage "$name"
done
((passed + failed)) || fail "nothing has been tested"
table
failures
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ]

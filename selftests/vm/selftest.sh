#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The harness must notice planted failures: in a guest of the user-mode kernel, and with QEMU=1
# in guests of QEMU, too. A guest must have the tools that tests use.

. "$(dirname "$0")/../lib.sh"

here=$(cd "$(dirname "$0")" && pwd)
tests=$lib_dir/tests
mkdir "$tests"

# plant NAME < the body of a script
plant() {
	{ echo '#!/bin/bash'; cat; } >"$tests/$1"
	chmod +x "$tests/$1"
}

# kit KERNEL: makes the files that guests of this kernel share, once.
kit() {
	[ -d "$lib_dir/kit-$1" ] || "$here/kit.sh" "$1" "$lib_dir/kit-$1"
}

# guest WHAT STATUS TEXT SCRIPT [ARG...]: a guest ends with STATUS, and its output contains TEXT.
guest() {
	local what="$KERNEL: $1" want=$2 text=$3 out status

	shift 3
	kit "$KERNEL"
	out=$(KIT=$lib_dir/kit-$KERNEL MEM=512M "$here/vm.sh" "$tests/$1" "${@:2}" 2>&1)
	status=$?
	if [ $status = "$want" ] && [[ $out = *"$text"* ]]; then
		ok "$what"
	else
		not_ok "$what"
		note "exit $status, not $want with '$text'"
		note "$out"
	fi
}

# shellcheck disable=SC2016 # the guest expands it
plant status <<<'echo "[$*] $(cat beside)"; exit $1'
echo "the file beside" >"$tests/beside"
plant complaint <<<'echo "<4>WARNING: planted" >/dev/kmsg'
plant stall <<<'echo "<3>rcu: INFO: rcu_preempt self-detected stall on CPU" >/dev/kmsg'
# provoke CRASH TEXT: crashes by the kernel's own module (lkdtm), and waits for TEXT in the log.
# The limits are lowered so that the kernel reports within seconds.
# shellcheck disable=SC2016 # the guest expands it
plant provoke <<-'E'
	sysctl -qw kernel.hung_task_timeout_secs=2 kernel.watchdog_thresh=2
	echo "$1" >/sys/kernel/debug/provoke-crash/DIRECT &
	timeout 60 grep -qm1 -e "$2" /dev/kmsg
E
plant forced <<-'E'
	echo "FAULT_INJECTION: forcing a failure." >/dev/kmsg
	for line; do
		echo "$line" >/dev/kmsg
	done
E
plant silence <<<'busybox poweroff -f; sleep 10'
plant reboot <<<'busybox reboot -f; sleep 10'
plant liar <<<'echo exit 0; echo exit 0 >/mnt/verdict; busybox poweroff -f'
plant hang <<<'sleep 1000'
plant panic <<-'E'
	echo WARNING >/sys/kernel/debug/provoke-crash/DIRECT ||
		echo c >/proc/sysrq-trigger
E

# Prints the tools that exist.
plant tools <<-'E'
	for tool; do
		[ ! -x "$(command -v "$tool")" ] || echo "$tool"
	done
	python3 -c 'import scapy.all; print("scapy")'
	modprobe seen && cat /sys/module/seen/initstate
E
tools=(seenctl ip bridge ethtool nft iptables-nft iptables-legacy ipset tcpdump
	ping arping tc iperf3 python3 bash)

# judge WHAT TOTALS TEST...: the totals that run and tap.awk print for these tests.
judge() {
	local what=$1 want=$2 got

	shift 2
	got=$("$tests/run" "$@" | tail -n1)
	is "the judge: $what" "$got" "# $want"
}

cp "$here/../run" "$here/../tap.awk" "$tests"
plant good <<<'echo 1..2; echo ok 1 - a; echo ok 2 - b "# SKIP" why'
plant missing <<<'echo 1..2; echo ok 1 - a'
plant bad <<<'echo 1..1; echo not ok 1 - a; exit 1'
plant noplan <<<'echo ok 1 - a'
plant status1 <<<'echo 1..1; echo ok 1 - a; exit 1'
plant twice <<<'echo 1..2; echo ok 1 - a; echo ok 1 - a'
plant more <<<'echo 1..1; echo ok 1 - a; echo ok 2 - b'
plant empty <<<'echo 1..0'
plant skipped <<<'echo "1..0 # SKIP why"'
# shellcheck disable=SC2016 # the test expands it
plant killed <<<'echo 1..1; echo -n "ok 1 - a"; kill -9 $$'

# race FUNCTION CALLER FUNCTION: prints a report of KCSAN.
race() {
	printf '%s\n' "BUG: KCSAN: data-race in $1 / $3" "" \
		"write to 0xffff888003a4c0d8 of 8 bytes by task 101 on cpu 1:" \
		" $1+0x30/0x80" " $2+0x12/0x20" " last+0x1/0x2 [seen]" "" \
		"read to 0xffff888003a4c0d8 of 8 bytes by interrupt on cpu 0:" \
		" $3+0x7/0x9" ""
	printf '=%.0s' {1..66}
	echo
}

# races: prints the lines by which races.awk judges such reports.
races() {
	awk -f "$here/races.awk" | grep -v '^# [^f]'
}

guests=(${QEMU:+6.1 6.12} uml)
count=$((23 + 3 * ${#guests[@]}))
[ -z "${QEMU:-}" ] || ((count += 3))
[ -z "${LONG:-}" ] || ((count += 2))
plan $count

judge "a good test" "1 0 1" good
judge "a result is missing" "1 1 0" missing
judge "not ok" "0 1 0" bad
judge "no plan" "1 1 0" noplan
judge "nothing planned" "0 1 0" empty
judge "an exit status that no result explains" "1 1 0" status1
judge "a result's number occurs twice" "1 1 0" twice
judge "more results than planned" "1 1 0" more
judge "all skipped" "0 0 1" skipped
judge "a test is absent, another one was killed" "1 2 0" killed absent

# Until it has executed the command, the child is a copy of this test, with its exit trap. On a slow
# machine it may lose the signal, so the command ends by itself.
for _ in {1..50}; do
	background sleep 1
	kill $!
	wait $!
	unset 'lib_pids[-1]'
done 2>/dev/null
check "a child that is killed at once does not remove the test's files" [ -d "$lib_dir" ]

is "a race in our function is ours" "$(race "add [seen]" b c | races | head -n1)" \
	"ours: add [seen] / c"
is "a race in a function that ours called is ours" "$(race a "b [xt_seen]" c | races | head -n1)" \
	"ours: a / c"
is "races of the kernel itself are counted" \
	"$({ race a b c; race a b c; race d e f | grep -v seen; } | races)" \
	"# figure: 3 reports of KCSAN elsewhere in the kernel: a / c, under ours (2), d / f (1)"

read -r objects precompiled <"$("$here/kernel.sh" uml)/precompiled"
between "number of the kernel's objects with precompiled headers" "$precompiled" \
	$((objects / 2)) "$objects"

for KERNEL in "${guests[@]}"; do
	export KERNEL
	export FILES=$tests/beside
	guest "the script's status and arguments, and FILES" 3 \
		"[3 x] the file beside" status 3 x
	guest "the kernel complains" 120 "WARNING: planted" complaint
	guest "the kernel panics" 121 "panic" panic
done
KERNEL=uml
guest "the guest powers off" 121 "without a verdict" silence
guest "the stack of a planned allocation failure is no complaint" 0 "" forced "Call Trace:"
guest "a second stack is a complaint" 120 "Call Trace" \
	forced "Call Trace:" "Call Trace:"
if [ -n "${LONG:-}" ]; then
	guest "a task hangs" 120 "blocked for more than" \
		provoke HUNG_TASK "blocked for more than"
	guest "a CPU is locked up" 120 "soft lockup" provoke SOFTLOCKUP "soft lockup"
fi
guest "a CPU stalls" 120 "detected stall" stall
guest "the script forges a verdict" 121 "without a verdict" liar
VM_TIMEOUT=15 guest "the guest hangs" 124 "no verdict in 15 s" hang
# The user-mode kernel would restart instead of ending, and has no SysRq keys to show what hangs.
if [ -n "${QEMU:-}" ]; then
	KERNEL=6.1
	guest "the script forges a verdict" 121 "without a verdict" liar
	guest "the guest reboots" 121 "without a verdict" reboot
	FILES="$tests/tap.awk $tests/hang" \
		guest "a test hangs" 1 "Show Blocked State" run -t 1 hang
fi

# By the command for users, `make vm`, which also builds seenctl.
door=(make -s -C "$here/../.." vm KERNEL=uml)
is "a guest has its tools, scapy and the module" \
	"$("${door[@]}" SCRIPT="$tests/tools" ARGS="${tools[*]}")" \
	"$(printf '%s\n' "${tools[@]}" scapy live)"
refuse "make fails, and prints the script's status" 2 "Error 3" \
	"${door[@]}" SCRIPT="$tests/status" ARGS="3 x"

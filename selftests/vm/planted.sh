#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Do the debug kernels notice bugs, and does the harness report them? A module of this test plants
# one bug of each kind; each ends its guest. $PLANTED names the kernels, separated by commas.

. "$(dirname "$0")/../lib.sh"

here=$(cd "$(dirname "$0")" && pwd)
kernels=${PLANTED:-debug}
kernels=${kernels//,/ }

# The kernel's message for each bug. The last one is for kcsan, which finds only data races.
declare -A reports=(
	[use-after-free]="KASAN: use-after-free|KASAN: slab-use-after-free"
	[out-of-bounds]="KASAN: vmalloc-out-of-bounds"
	[stack]="KASAN: stack-out-of-bounds"
	[shift]="UBSAN: shift-out-of-bounds"
	[order]="possible circular locking dependency"
	[no-reader]="suspicious RCU usage"
	[sleep-in-atomic]="sleeping function called|scheduling while atomic"
	[free-timer]="ODEBUG: free active .* timer_list"
	[free-work]="ODEBUG: free active .* work_struct"
	[leak]="unreferenced object"
	[race]="ours: count \[seen_planted\]"
)
all=(use-after-free out-of-bounds stack shift order no-reader sleep-in-atomic free-timer
	free-work leak)

# bugs KERNEL: prints the bugs that this kernel must notice.
bugs() {
	case $1 in
	kcsan)	echo race ;;
	*)	echo "${all[@]}" ;;
	esac
}

# build KERNEL: builds the module in a folder of its own.
build() {
	local entry src=$lib_dir/$1

	entry=$("$here/kernel.sh" "$1") && mkdir "$src" &&
		cp "$here"/planted/* "$src" &&
		make -s -C "$entry/build" M="$src" modules
}

# The guest must end with status 120 or 121, and its output must contain the message.
caught() {
	local bug=$2 out status

	out=$(KERNEL=$1 MEM=1G VM_TIMEOUT=1800 FILES="$lib_dir/$1/seen_planted.ko" \
		"$here/vm.sh" "$lib_dir/plant" "$bug" 2>&1)
	status=$?
	if [[ $status = 12[01] && $out =~ ${reports[$bug]} ]]; then
		((++found))
		ok "$1: $bug"
	else
		not_ok "$1: $bug"
		note "exit $status, without '${reports[$bug]}'"
		note "$out"
	fi
}

# shellcheck disable=SC2016 # the guest expands it
printf '#!/bin/bash\ninsmod seen_planted.ko bug=$1\n' >"$lib_dir/plant"
found=0 list=()
for kernel in $kernels; do
	for bug in $(bugs "$kernel"); do
		list+=("$kernel $bug")
	done
done

plan $(($(wc -w <<<"$kernels") + ${#list[@]}))
for kernel in $kernels; do
	check "$kernel: the module builds" build "$kernel"
done
for item in "${list[@]}"; do
	# shellcheck disable=SC2086 # two words
	caught $item
done
figure "$found of ${#list[@]} bugs planted in $kernels are noticed"

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# vm.sh [SCRIPT [ARG...]]: runs SCRIPT in a throw-away guest and returns its exit
# status; without SCRIPT, an interactive shell. From the environment:
#	KERNEL		see kernel.sh
#	KIT		a folder that kit.sh has made; if unset, kit.sh is called
#	SMP, MEM	CPUs and memory
#	FILES		files and folders that are copied to the folder of SCRIPT
#	PACKAGES	a set of tools/deps.sh that the guest has, too
#	VM_TIMEOUT	seconds
#	PARAMS		more parameters of the kernel
#	OUT		UML: a folder of the host that gets a copy of the guest's /out at its end
#	LONG, TEST_SEED, TORTURE_SECONDS, LOAD_SECONDS	passed to the test
# Other exit statuses: 120 the kernel complained, 121 the guest ended without a verdict, 124 no
# verdict in time.

. "$(dirname "$0")/common.sh"

KERNEL=${KERNEL:-6.1} SMP=${SMP:-2} MEM=${MEM:-1G} FILES=${FILES:-}
VM_TIMEOUT=${VM_TIMEOUT:-600} OUT=${OUT:-}

# layer: makes an image of this run's files, the topmost layer of the guest's root.
layer() {
	local stage=$run/stage own=$run/stage/usr/lib/seen-vm file

	mkdir -p "$own" "$stage/vm"
	for file in ${1:+"$1"} $FILES; do
		[ -e "$file" ] || die "$file: no such file"
		cp -rL "$file" "$stage/vm/"
	done
	if [ $# != 0 ]; then
		chmod +x "$stage/vm/${1##*/}"
		printf '%s\0' "./${1##*/}" "${@:2}" >"$own/argv"
	fi
	squash "$stage" "$run/run.sqfs"
	rm -r "$stage"
}

# qemu OUT-DEVICE CHARDEV: puts the command into the array guest.
qemu() {
	local image file disk drives=() machine=pc bus=pci

	# debug and kcsan have no PCI and no ACPI, which saves a tenth of the kernel's compilation.
	# Their machine cannot power off, so "off" is a reboot, and it has one clock. On a machine
	# with several clocks the kernel compares them, which fails if the host is busy.
	case $KERNEL in
	debug | kcsan)
		machine=microvm,acpi=off bus=device
		params+=" tsc=reliable reboot=t off=reboot" ;;
	*)	params+=" tsc=unstable" ;;
	esac

	# Other guests read the same images at the same time.
	for image in "${images[@]}"; do
		disk=disk${#drives[@]}
		file="file.filename=$image,format=raw,if=none,readonly=on"
		drives+=(-drive "file.locking=off,$file,id=$disk"
			-device "virtio-blk-$bus,drive=$disk")
	done
	params+=" console=ttyS0 disks=vda,vdb,vdc,vdd verdict=/dev/vport0p2"
	params+=" no_timer_check watchdog_thresh=30 oops=panic"
	# An emulated CPU does not speculate; mitigations would take a tenth of its time.
	params+=" mitigations=off"
	# When a namespace ends, 6.1 takes a lock for each row of this table: thousands by default.
	params+=" tcpmhash_entries=16"
	guest=(qemu-system-x86_64 -M "$machine" -accel "tcg,thread=multi" -cpu max
		-smp "$SMP" -m "$MEM" -nodefaults -no-user-config -display none
		-no-reboot -kernel "$kernel/vmlinuz" -initrd "$boot/boot.cpio"
		-append "$params" -device "virtio-serial-$bus" "${drives[@]}"
		-chardev "file,id=console,path=$run/console"
		-serial chardev:console
		-chardev "file,id=verdict,path=$run/verdict"
		-chardev "$2" -device "$1,chardev=out,nr=1"
		-device "virtserialport,chardev=verdict,nr=2")
}

# uml INPUT: puts the command into the array guest. The first terminal is the kernel's console,
# the second one the script's output; the verdict is a file on the host.
uml() {
	guest=("$kernel/vmlinuz" "mem=$MEM" "ncpus=$SMP" seccomp=on
		"initrd=$boot/boot.cpio" "uml_dir=$run/" "umid=uml"
		"ubdarc=${images[0]}" "ubdbrc=${images[1]}"
		"ubdcrc=${images[2]}" "ubddrc=${images[3]}"
		con=null "con0=null,fd:3" "con1=$1,fd:1" console=tty0
		"disks=ubda,ubdb,ubdc,ubdd" out=/dev/tty1
		"host=$run" verdict=/mnt/verdict)
	case $KERNEL in
	uml-time) guest+=(time-travel=inf-cpu) ;;
	# In 7.2 each CPU keeps lists of free objects for a cache. They still contain pointers to
	# objects that were allocated, which kmemleak takes for references. Caches with any option
	# of slab_debug have no such lists.
	uml-debug) guest+=(slab_debug=F) ;;
	esac
	# shellcheck disable=SC2206 # one word a parameter
	guest+=($params)
}

# The output passes through cat, because QEMU makes its standard output non-blocking, which would
# affect all processes that share it.
boot() {
	local limit=(timeout --foreground -k 5 "$VM_TIMEOUT") guest

	params="quiet panic=-1 log_buf_len=16M"
	# On kcsan each data race, also of the kernel itself, counts as a warning.
	[ "$KERNEL" = kcsan ] || params+=" panic_on_warn=1"
	params+=" KERNEL=${KERNEL%-gcov} SMP=$SMP LONG=${LONG:-}"
	params+=" TEST_SEED=${TEST_SEED:-}"
	params+=" TORTURE_SECONDS=${TORTURE_SECONDS:-} LOAD_SECONDS=${LOAD_SECONDS:-}"
	params+=" ${PARAMS:-}"
	if [ $# = 0 ]; then
		params+=" interactive=1"
	fi
	case $KERNEL-$# in
	uml*-0)	uml fd:0
		"${guest[@]}" 3>"$run/console" 2>&3 ;;
	uml*)	uml null
		"${limit[@]}" "${guest[@]}" </dev/null 3>"$run/console" 2>&3 | cat ;;
	*-0)	params+=" out=/dev/hvc0"
		qemu virtconsole stdio,id=out,signal=off
		"${guest[@]}" ;;
	*)	params+=" out=/dev/vport0p1"
		qemu virtserialport file,id=out,path=/dev/stdout
		"${limit[@]}" "${guest[@]}" </dev/null | cat ;;
	esac
}

# judge STATUS: turns the guest's verdict into the exit status.
judge() {
	local kind='' rest='' complaint='WARNING:|BUG:|UBSAN: |Oops|detected (expedited )?stall'

	[ ! -s "$run/verdict" ] || read -r kind rest <"$run/verdict"
	case $kind in
	exit)	return "$rest" ;;
	fault)	say "FAILED: the kernel complained: $rest"
		return 120 ;;
	esac
	grep -avE '^\[ *[0-9.]+\] +[?A-Z<_a-z]' "$run/console" | tail -n 20 |
		sed 's/^/console: /' >&2 || true
	# The console from the first complaint on.
	LC_ALL=C awk -v what="$complaint|Kernel panic" '$0 ~ what { told = 1 }
		told && ++n <= 120 { print "console: " $0 }' "$run/console" >&2
	# One line of it: the first complaint and the panic's text.
	rest=$(grep -am1 -E "$complaint" "$run/console" || true
		grep -am1 'Kernel panic' "$run/console" || true)
	if [ "$1" = 124 ] || [ "$1" = 137 ]; then
		say "FAILED: no verdict in $VM_TIMEOUT s${rest:+: $rest}"
		return 124
	fi
	say "FAILED: the guest ended without a verdict: ${rest:-no reason given}"
	return 121
}

mkdir -p "$top/build/vm"
run=$(mktemp -d "$top/build/vm/XXXXXX")
trap 'rm -rf "$run"' EXIT
kit=${KIT:-$run/kit}
[ -n "${KIT:-}" ] || FILES='' "$vm/kit.sh" "$KERNEL" "$kit"
[ -z "$OUT" ] || { rm -rf "$OUT" && mkdir -p "$(dirname "$OUT")"; }

kernel=$(realpath "$kit/kernel")
boot=$(realpath "$kit/boot")
# A link or copy of its own, because the kit may be made again during this run.
ln "$kit/own.sqfs" "$run/own.sqfs" 2>/dev/null || cp "$kit/own.sqfs" "$run/own.sqfs"
root=$kit/root
if [ -n "${PACKAGES:-}" ]; then
	"$top/tools/deps.sh" need "$PACKAGES"
	root=$("$vm/root.sh" "$PACKAGES")
fi
images=("$run/run.sqfs" "$run/own.sqfs" "$boot/modules.sqfs" "$root/root.sqfs")
layer "$@"
status=0
boot "$@" || status=$?
if [ -n "$OUT" ] && [ -d "$run/out" ]; then
	mv "$run/out" "$OUT"
fi
judge "$status"

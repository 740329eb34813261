#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# vm.sh [SCRIPT [ARG...]]: runs SCRIPT in a throw-away guest and returns its exit
# status; without SCRIPT, an interactive shell. From the environment:
#	KERNEL		see kernel.sh
#	KIT		what kit.sh has made; without, kit.sh is called
#	SMP, MEM	CPUs and memory
#	FILES		files and folders that are copied beside SCRIPT
#	PACKAGES	a set of tools/deps.sh that the guest has, too
#	VM_TIMEOUT	seconds
#	PARAMS		more parameters of the kernel
#	OUT		UML: a folder that the guest's /out becomes at its end
#	LONG, TEST_SEED, TORTURE_SECONDS, LOAD_SECONDS	passed to the test
# Whatever is not a clean verdict from the guest is a failure:
# 120 the kernel complained, 121 no verdict, 124 no verdict in time.

. "$(dirname "$0")/common.sh"

KERNEL=${KERNEL:-6.1} SMP=${SMP:-2} MEM=${MEM:-1G} FILES=${FILES:-}
VM_TIMEOUT=${VM_TIMEOUT:-600} OUT=${OUT:-}

# layer: the files of this run are the topmost layer of the guest's root.
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

# qemu OUT-DEVICE CHARDEV: the command, in the array guest.
qemu() {
	local image file disk drives=() machine=pc bus=pci

	# A machine without PCI and ACPI, which is a tenth of such a kernel to compile, has no
	# switch to turn it off, and one clock. Of several, the host may be busy while the guest
	# measures them by each other.
	case $KERNEL in
	debug | kcsan)
		machine=microvm,acpi=off bus=device
		params+=" tsc=reliable reboot=t off=reboot" ;;
	*)	params+=" tsc=unstable" ;;
	esac

	# Other guests, of any kind, read the same images.
	for image in "${images[@]}"; do
		disk=disk${#drives[@]}
		file="file.filename=$image,format=raw,if=none,readonly=on"
		drives+=(-drive "file.locking=off,$file,id=$disk"
			-device "virtio-blk-$bus,drive=$disk")
	done
	params+=" console=ttyS0 disks=vda,vdb,vdc,vdd verdict=/dev/vport0p2"
	params+=" no_timer_check watchdog_thresh=30 oops=panic"
	# An emulated CPU does not speculate; what guards against that takes a tenth of its time.
	params+=" mitigations=off"
	# Whenever a namespace ends 6.1 takes a lock for each row of that table: thousands.
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

# uml INPUT: the command, in the array guest. The first terminal is the kernel's
# console, the second the script's; the verdict is a file of the host.
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
	# In 7.2 each CPU keeps a list of a cache's free objects. It still names those
	# that it has given out, and kmemleak takes that for references. Caches with any
	# of slab_debug's options have no such lists.
	uml-debug) guest+=(slab_debug=F) ;;
	esac
	# shellcheck disable=SC2206 # one word a parameter
	guest+=($params)
}

# The output passes through cat, since QEMU makes its own standard output
# non-blocking, and with it that of everybody who shares it.
boot() {
	local limit=(timeout --foreground -k 5 "$VM_TIMEOUT") guest

	params="quiet panic=-1 log_buf_len=16M"
	# There each data race of the kernel itself would count as a warning.
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

# judge STATUS: the guest's verdict becomes our exit status.
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
	# What led to a panic, and where that was.
	LC_ALL=C awk -v what="$complaint|Kernel panic" '$0 ~ what { told = 1 }
		told && ++n <= 120 { print "console: " $0 }' "$run/console" >&2
	# The same in a line, and the panic's own words.
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
# A name of this run's own, should the kit be made again meanwhile.
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

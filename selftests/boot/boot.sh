#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# A Debian with systemd boots five times from one disk, with Debian's kernel under QEMU:
#
#	1	guards, filters, an allow list of 10,000 keys and rules are made; shutdown
#	2	all of it is there; a save by the timer's unit; then the power fails
#	3	the state of that save is there; shutdown
#	4	the newest commands and a snapshot of the save before are damaged
#	5	all saves are gone
#
# In each boot the firewall is up, and the journal has what was lost. The script guest runs in each
# boot; the files that it writes are judged here.

. "$(dirname "$0")/../lib.sh"

here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
disk=$lib_dir/disk
found=$lib_dir/out

packages=(systemd-sysv udev kmod iproute2 iptables iptables-persistent libnl-genl-3-200 libzstd1
	liblz4-1 libjansson4 zlib1g)

# unit NAME < TEXT
unit() {
	cat >"$lib_dir/root/etc/systemd/system/$1"
}

# network: a bridge with one port, made by systemd-networkd.
network() {
	local dir=$lib_dir/root/etc/systemd/network

	printf '[NetDev]\nName=br0\nKind=bridge\n' >"$dir/10-br0.netdev"
	printf '[NetDev]\nName=p0\nKind=veth\n[Peer]\nName=p1\n' >"$dir/20-p0.netdev"
	printf '[Match]\nName=p0\n[Network]\nBridge=br0\n' >"$dir/30-p0.network"
	printf '[Match]\nName=br0 p1\n[Network]\nLinkLocalAddressing=no\n' >"$dir/40-up.network"
}

units() {
	unit guest.service <<-'END'
		[Unit]
		After=network.target netfilter-persistent.service seen-monitor.service
		[Service]
		Type=oneshot
		ExecStart=/root/guest
		[Install]
		WantedBy=multi-user.target
	END
	unit damage.service <<-'END'
		[Unit]
		DefaultDependencies=no
		ConditionPathExists=/root/damage
		After=local-fs.target
		Before=seen-restore.service
		[Service]
		Type=oneshot
		ExecStart=/bin/sh /root/damage
		ExecStart=/bin/rm /root/damage
		[Install]
		WantedBy=sysinit.target
	END
	systemctl -q --root="$lib_dir/root" enable guest damage systemd-networkd seen-restore \
		seen-shutdown seen-monitor seen-save.timer
	systemctl -q --root="$lib_dir/root" mask apt-daily.timer apt-daily-upgrade.timer \
		e2scrub_all.timer e2scrub_reap.service dpkg-db-backup.timer fstrim.timer \
		getty@tty1.service serial-getty@ttyS0.service
}

# make_disk: Debian, the modules of its kernel and ours, and `make install` of the tools.
make_disk() {
	local root

	root=$("$top/selftests/vm/debian.sh" 12 "${packages[@]}") || return
	cp -a "$root/root" "$lib_dir/root" || return
	rm -rf "$lib_dir"/root/var/{cache/apt,lib/apt/lists}
	"$top/selftests/vm/module.sh" 6.1 "$kernel" "$lib_dir/root/usr/lib" || return
	cp -a "$kernel/lib/modules/$(cat "$kernel/release")/kernel" \
		"$lib_dir/root/usr/lib/modules/$(cat "$kernel/release")/" || return
	make -s -C "$top/tools" install DESTDIR="$lib_dir/root" || return
	mkdir "$lib_dir/root/var/log/journal"
	install "$here/guest" "$lib_dir/root/root/"
	echo "/dev/vda / ext4 defaults 0 1" >"$lib_dir/root/etc/fstab"
	network && units || return
	mke2fs -q -t ext4 -d "$lib_dir/root" "$disk" 1500M && rm -r "$lib_dir/root"
}

# make_initrd: the modules of the other guests, and an init of our own over theirs.
make_initrd() {
	local boot

	boot=$("$top/selftests/vm/boot.sh" "$kernel") || return
	{
		cat "$boot/boot.cpio"
		cd "$here" && echo init | cpio --quiet -o -H newc
	} >"$lib_dir/initrd"
}

# boot: boots the disk once, and waits for the guest's end. With one CPU, no other CPU runs through
# code that the kernel is changing, which QEMU may get wrong.
boot() {
	timeout --foreground -k 5 600 qemu-system-x86_64 -M pc -accel tcg -cpu max -m 1G \
		-nodefaults -no-user-config -display none -no-reboot \
		-kernel "$kernel/vmlinuz" -initrd "$lib_dir/initrd" \
		-append "console=ttyS0 quiet panic=-1 panic_on_warn=1 oops=panic mitigations=off no_timer_check tsc=unstable watchdog_thresh=30 systemd.show_status=0" \
		-drive "file=$disk,format=raw,if=none,id=disk,cache=unsafe" \
		-device virtio-blk-pci,drive=disk \
		-chardev "file,id=console,path=$lib_dir/console-$1" -serial chardev:console \
		</dev/null || { tail -n 30 "$lib_dir/console-$1"; return 1; }
}

# read_disk: copies the guest's files.
read_disk() {
	debugfs -R "rdump /root/out $lib_dir" "$disk" 2>/dev/null && [ -e "$found/5/state" ]
}

# got BOOT FILE
got() {
	cat "$found/$1/$2" 2>&1
}

plan 42

kernel=$("$top/selftests/vm/kernel.sh" 6.1) || exit
check "the disk is made" make_disk
check "the initial RAM disk is made" make_initrd
for boot in 1 2 3 4 5; do
	check "boot $boot ends" boot $boot
done
check "the guest has written its files" read_disk
for boot in 1 2 3 4 5; do
	is "boot $boot: the kernel complained about nothing" "$(got $boot complaints)" ""
	is "boot $boot: the firewall is up" "$(got $boot rules)" "$(got 1 rules)"
done

is "the firewall has two rules" "$(got 1 rules)" "-P INPUT ACCEPT
-P FORWARD DROP
-P OUTPUT ACCEPT
-A INPUT -m seen --filter blocked -j DROP
-A INPUT -m seen --filter known -j ACCEPT"
is "the allow list has 10,000 keys" "$(got 1 allowed | wc -l)" 10000

is "after a shutdown, filters and guards are the same" "$(got 2 state)" "$(got 1 state)"
is "the allow list is the same" "$(got 2 allowed)" "$(got 1 allowed)"
is "the keys of the shutdown are there" "$(got 2 keys)" "198.51.100.7 seen
203.0.113.9 seen
192.0.2.77 new"
is "no unit has failed" "$(got 2 failed)" ""
is "seen is restored before the firewall, and both before the network" "$(got 2 order)" right
for early in "Network Configuration" "netfilter persistent"; do
	match "seen is saved after the end of $early" "$(got 2 stops | paste -sd' ')" \
		"$early.* seen at shutdown"
done
match "the journal has the events" "$(got 2 events)" 'filter-add .*filter event'
is "the timer is active" "$(got 2 timer)" active

is "after a power failure, the state is that of the last save" "$(got 3 state)" "$(got 1 state)"
is "its keys are there" "$(got 3 keys | grep -c ' seen$')" 3
is "its allow list is there" "$(got 3 allowed)" "$(got 1 allowed)"
is "no unit has failed then" "$(got 3 failed)" ""

is "with damaged files, filters and guards are those of the save before" "$(got 4 state)" \
	"$(got 1 state)"
is "the allow list is there" "$(got 4 allowed)" "$(got 1 allowed)"
is "the damaged keys are lost" "$(got 4 keys | grep -c ' new$')" 3
match "the journal names the damaged file" "$(got 4 restore)" 'current/state: damaged'
match "the journal names the filter that has lost its keys" "$(got 4 restore)" \
	'the keys of filter "blocked" are lost'
is "the unit that restores has failed, and no other" "$(got 4 failed)" seen-restore.service

match "without any save, the journal says so" "$(got 5 restore)" \
	'current/state: missing.*previous/state: missing.*no save is left'
match "rules wait for their filters" "$(got 5 filters)" 'blocked MISSING'
is "that unit has failed then, too, and no other" "$(got 5 failed)" seen-restore.service
figure "restore of 10,000 allowed keys at boot: $(($(got 2 times | sed -n 1p) - $(got 2 began))) us, emulated"

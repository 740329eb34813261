# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Sourced by debian12.sh and debian13.sh, after chroot.sh. They set $release of Debian and $second,
# packages of a second kernel, and define build TREE DIR, which builds the packages of a tree into
# DIR.
#
# A server has a kernel without headers. An operator installs the packages, then the headers, then
# a second kernel. A third kernel cannot build modules while the packages are upgraded. In the end
# the packages are removed and purged.

names=(seen-dkms seenctl libseen1 libseen-dev)
version=$(sed -n 's/^#define SEEN_VERSION "\(.*\)"/\1/p' kmod/version.h)
next=$version.1
broken=6.1.999-broken

# tree_of DIR VERSION: copies the tree, as another version.
tree_of() {
	mkdir -p "$1"
	sources . | tar -c -T - | tar -x -C "$1"
	sed -i "/SEEN_VERSION \"/s/\".*\"/\"$2\"/" "$1/kmod/version.h"
	sed -i "1s/(.*)/($2)/" "$1/debian/changelog"
}

# put VERSION: installs our packages, or upgrades them.
put() {
	local files=("$lib_dir/$1"/{seen-dkms,seenctl,libseen1,libseen-dev}_*.deb)

	mkdir -p "$root/packages"
	cp "${files[@]}" "$root/packages"
	apt install "${files[@]/#*\//\/packages\/}"
}

# says: the lines of our package for the operator.
says() {
	grep '^seen-dkms: ' "$said"
}

# modules KERNEL: the versions of both modules for this kernel.
modules() {
	inside modinfo -k "$1" -F version seen 2>&1
	inside modinfo -k "$1" -F version xt_seen 2>&1
}

both() {
	printf '%s\n' "$1" "$1"
}

# offline NAME: runs a test of autopkgtest.
offline() {
	local status

	mkdir "$root/packages/tmp"
	inside env AUTOPKGTEST_TMP=/packages/tmp sh -c "cd /packages && $(cat "debian/tests/$1")"
	status=$?
	rm -r "$root/packages/tmp"
	return $status
}

# purge: without an archive, apt does not know packages that are removed and left no files.
purge() {
	inside dpkg --purge "${names[@]}" >"$said" 2>&1
}

# traces: files whose names have "seen", such as modules, sources and state.
traces() {
	(cd "$root" && find . -xdev -path ./packages -prune -o -name '*seen*' -print | sort)
}

# break_kernel: adds a kernel whose headers build nothing.
break_kernel() {
	local build=$root/lib/modules/$broken/build

	mkdir -p "$build/include"
	printf 'CONFIG_%s=y\n' 64BIT NETFILTER_XTABLES >"$build/.config"
	# shellcheck disable=SC2016 # make's
	echo '$(error planted)' >"$build/Makefile"
}

# secure_boot STATE KEY: Secure Boot and the key are in these states, as mokutil prints them; prints
# what the package says.
secure_boot() {
	printf '%s\n' '#!/bin/sh' "case \$1 in --sb-state) echo '$1' ;; --test-key) echo '$2'; exit 1 ;; esac" \
		>"$root/usr/local/bin/mokutil"
	chmod +x "$root/usr/local/bin/mokutil"
	inside /var/lib/dpkg/info/seen-dkms.postinst configure "$next" >"$said" 2>&1
	says
}

plan 35
judged "version $version is built" build "$PWD" "$lib_dir/$version"
tree_of "$lib_dir/next" "$next"
judged "version $next is built" build "$lib_dir/next" "$lib_dir/$next"

# shellcheck disable=SC2086 # one word a package
chroot_make "$release" linux-image-cloud-amd64 iptables openssl -- linux-headers-cloud-amd64 \
	dkms libnl-genl-3-dev libzstd-dev liblz4-1 libjansson4 gcc libc6-dev pkgconf $second
kernel=$(ls "$root/lib/modules")
before=$(traces)

judged "install: a kernel without headers is no error" put "$version"
is "one line says which headers are missing" "$(says)" \
	"seen-dkms: no modules for Linux $kernel: run \"apt install linux-headers-$kernel\", which builds them"
is "all is installed completely" "$(unclean)" ""
check "seenctl runs" offline offline
match "iptables finds the match" "$(inside iptables-translate -A INPUT -m seen --filter f)" \
	'-m seen --filter f'
mkdir -p "$root/packages/tools/examples"
cp tools/examples/first.c "$root/packages/tools/examples"
judged "a compiler is installed" apt install gcc libc6-dev pkgconf
check "programs can be built with the library" offline library

judged "the command of that line" apt install "linux-headers-$kernel"
is "builds both modules" "$(modules "$kernel")" "$(both "$version")"
# shellcheck disable=SC2086 # one word a package
judged "a second kernel" apt install $second
other=$(cd "$root/lib/modules" && printf '%s\n' * | grep -vx "$kernel")
is "both modules are built for it" "$(modules "$other")" "$(both "$version")"

break_kernel
judged "upgrade: a build that fails is no error" put "$next"
is "one line says how to repeat it" "$(says)" \
	"seen-dkms: no modules for Linux $broken: the build failed; to repeat it and to see why, run \"dkms install seen/$next -k $broken\""
is "all is installed completely then" "$(unclean)" ""
refuse "repeated, the build fails" 10 "make" inside dkms install "seen/$next" -k "$broken"
rm -r "$root/lib/modules/$broken"
is "the first kernel has the new modules" "$(modules "$kernel")" "$(both "$next")"
is "so has the second" "$(modules "$other")" "$(both "$next")"
is "nothing is left of the old version" \
	"$(cd "$root" && ls -d usr/src/seen-* var/lib/dkms/seen/[0-9]*)" \
	"$(printf '%s\n' "usr/src/seen-$next" "var/lib/dkms/seen/$next")"

mkdir -p "$root/etc/dkms/framework.conf.d"
echo 'options=(a b); [ -n "" ] && mok_certificate=/none' >"$root/etc/dkms/framework.conf.d/odd.conf"
is "without Secure Boot no key is needed" "$(secure_boot "SecureBoot disabled" "")" ""
is "with Secure Boot two commands enrol the key" \
	"$(secure_boot "SecureBoot enabled" "/var/lib/dkms/mok.pub is not enrolled")" \
	"seen-dkms: Secure Boot refuses the modules until their key is enrolled. Run:
seen-dkms:   mokutil --import /var/lib/dkms/mok.pub   # it asks for a new password, which the next step needs
seen-dkms:   reboot   # then choose \"Enroll MOK\" and give that password"
is "an enrolled key is not enrolled again" \
	"$(secure_boot "SecureBoot enabled" "/var/lib/dkms/mok.pub is already enrolled")" ""
mkdir -p "$root/sys/module/seen"
echo "$version" >"$root/sys/module/seen/version"
is "a loaded module stays" "$(secure_boot "SecureBoot disabled" "")" \
	"seen-dkms: module $version is loaded; the next boot loads $next"
rm -r "$root/sys/module" "$root/usr/local/bin/mokutil"

mkdir -p "$root/var/lib/seen"
echo "a save" >"$root/var/lib/seen/save"
echo "keys" >"$root/var/lib/seen/fleet-bans.state"
cp debian/seend.postrm "$root/packages"
mkdir -p "$root/sys/module/xt_seen" "$root/etc/iptables"
echo 2 >"$root/sys/module/xt_seen/refcnt"
echo "-A INPUT -m seen --filter f -j DROP" >"$root/etc/iptables/rules.v4"
judged "remove" apt remove "${names[@]}"
match "loaded rules are reported" "$(cat "$said")" "
seenctl: rules with -m seen are loaded, so "
match "a file with such rules is reported" "$(cat "$said")" "
seenctl: /etc/iptables/rules.v4 has rules with -m seen: "
rm -r "$root/etc/iptables" "$root/sys/module"
is "no module is left" "$(find "$root/lib/modules" "$root/var/lib/dkms" -name '*seen*')" ""
is "modprobe finds none" "$(inside modprobe -S "$kernel" -n seen 2>&1)" \
	"modprobe: FATAL: Module seen not found in directory /lib/modules/$kernel"
is "the state stays" "$(cat "$root/var/lib/seen/save")" "a save"
judged "purge" purge
is "the state of seend, which is another package, stays" \
	"$(ls "$root/var/lib/seen")" "fleet-bans.state"
check "its own purge removes the state" inside sh /packages/seend.postrm purge
is "nothing is left" "$(traces)" "$before"
is "dpkg is clean in the end" "$(unclean)" ""

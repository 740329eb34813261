#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The targets of the Makefile that change files: install puts every file in place, uninstall
# removes all of them, clean and cache-clean remove what their help says. Help names every target,
# and a user without root privileges gets the list of missing packages. The test works in a copy
# of the tree, because other tests use the build of this tree.

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/helpers/files.sh"
cd "$(dirname "$0")/../.." || exit

entry=$(selftests/vm/kernel.sh 6.1) || exit
rel=$(cat "$entry/release")
tree=$lib_dir/tree
dest=$lib_dir/dest

# Copies the module that guests use into the copy's build, so that it is not compiled again.
built() {
	local from=$PWD/build/kmod/6.1 to=$tree/build/kmod/host

	mkdir -p "$from" "${to%/*}"
	exec 9>"$from/.lock"
	flock 9
	selftests/vm/compile.sh 6.1 "$entry" || return
	cp -a "$from" "$to" || return
	exec 9>&-
	# Remove the linked modules, so that install has to make them.
	rm "$to"/*.{ko,o}
	grep -rlIZ --exclude-dir=root "$from" "$to" | xargs -0 sed -i "s#$from#$to#g"
}

sources . | tar -c -T - | (mkdir -p "$tree" && tar -x -C "$tree") || exit
built || exit
cd "$tree" || exit

verb() {
	make -j2 "$1" KDIR="$entry/build" KFLAGS="$(cat build/kmod/host/flags)" \
		DESTDIR="$dest"
}

# The installed files, without the indexes that depmod writes to the same folder.
installed() {
	(cd "$dest" && find . ! -type d ! -name 'modules.*' | sort)
}

units() {
	printf ".${unitdir:-/lib/systemd/system}/seen-%s\n" monitor.service restore.service \
		save.service save.timer shutdown.service
	echo ".${unitdir:-/lib/systemd/system}/seend.service"
}

# linked: no symbolic link of the manual leads nowhere.
linked() {
	! find "$dest/usr/share/man" -xtype l | grep .
}

knows_module() {
	modprobe -d "$dest" -S "$rel" --show-depends "$1"
}

xtlibdir=$(pkg-config --variable=xtlibdir xtables)
unitdir=$(pkg-config --variable=systemdsystemunitdir systemd)
libdir=/usr/lib/$(gcc -print-multiarch)

# nobody COMMAND...: runs the command without privileges. With $DPKG_ADMINDIR set to an empty
# folder, dpkg finds no package.
nobody() {
	if [ "$(id -u)" = 0 ]; then
		setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
	else
		"$@"
	fi
}

# Targets that need no package, or that need more than packages.
free='^(help|clean|cache-clean|uninstall|bench-plot)$'
mapfile -t needy < <(make help | awk '{ print $1 }' | grep -vE "$free")

plan $((19 + ${#needy[@]}))

check "install" verb install
is "install puts these files in place" "$(installed)" "$(sort <<<"./lib/modules/$rel/extra/seen.ko
./lib/modules/$rel/extra/xt_seen.ko
$(units)
./etc/fail2ban/action.d/seen.conf
./usr/include/linux/seen.h
./usr/include/seen/key.h
./usr/include/seen/libseen.h
./usr/include/seen/libseen_client.h
./usr/include/seen/libseen_event.h
./usr/include/seen/libseen_feed.h
./usr/include/seen/libseen_filter.h
./usr/include/seen/libseen_guard.h
./usr/include/seen/libseen_keys.h
./usr/include/seen/local.h
./usr/include/seen/names.h
.$libdir/libseen.a
.$libdir/libseen.so
.$libdir/libseen.so.1
.$libdir/libseen.so.1.0.0
.$libdir/pkgconfig/libseen.pc
.$libdir/wireshark/plugins/seen_trail.lua
.$xtlibdir/libxt_seen.so
./usr/libexec/seen/seen-state
./usr/sbin/seenctl
./usr/sbin/seend
./usr/share/bash-completion/completions/seenctl
./usr/share/doc/seen/examples/siblings.py
./usr/share/doc/seen/seenctl.json
./usr/share/doc/seen/seend.json
./usr/share/man/man3/libseen.3
./usr/share/man/man5/fleet.conf.5
./usr/share/man/man7/seen.7
./usr/share/man/man8/libxt_seen.8
./usr/share/man/man8/seenctl-allow.8
./usr/share/man/man8/seenctl-dedup.8
./usr/share/man/man8/seenctl-feed.8
./usr/share/man/man8/seenctl-file.8
./usr/share/man/man8/seenctl-filter.8
./usr/share/man/man8/seenctl-fleet.8
./usr/share/man/man8/seenctl-guard.8
./usr/share/man/man8/seenctl-key.8
./usr/share/man/man8/seenctl-monitor.8
./usr/share/man/man8/seenctl-pcap.8
./usr/share/man/man8/seenctl-plan.8
./usr/share/man/man8/seenctl-reset.8
./usr/share/man/man8/seenctl-restore.8
./usr/share/man/man8/seenctl-save.8
./usr/share/man/man8/seenctl-top.8
./usr/share/man/man8/seenctl.8
./usr/share/man/man8/seend.8
./usr/share/netfilter-persistent/plugins.d/05-seen
./usr/share/netfilter-persistent/plugins.d/45-seen
./usr/share/zsh/vendor-completions/_seenctl")"
check "each link among the pages leads to a page" linked
check "modprobe finds the module" knows_module seen
for alias in ipt_seen ip6t_seen; do
	match "modprobe finds the match by the alias that iptables requests, $alias" \
		"$(knows_module $alias)" 'seen\.ko.*xt_seen\.ko'
done
check "the tool runs" "$dest/usr/sbin/seenctl" plan capacity 1M fpp 0.01
match "iptables finds its plugin" "$(XTABLES_LIBDIR=$dest$xtlibdir \
	iptables-translate -A INPUT -m seen --filter f 2>/dev/null)" \
	'-m seen --filter f'
check "install works when everything is installed already" verb install
check "uninstall" verb uninstall
is "uninstall leaves no file" "$(installed)" ""
refuse "modprobe finds no module then" 1 "not found" knows_module seen
check "uninstall works when nothing is installed" verb uninstall

mkdir -p build/{core,check} "$lib_dir/cache/seen/kernel"
check "clean" make clean
refuse "clean removes the build" 2 "No such file" ls build
check "cache-clean" make cache-clean XDG_CACHE_HOME="$lib_dir/cache"
is "cache-clean removes what clones share" "$(ls "$lib_dir/cache")" ""

verbs=$(make -pq help 2>/dev/null | sed -n 's/^\.PHONY: //p' | xargs -n1 | sort)
is "help names every target" "$(make help | awk '{ print $1 }' | sort)" "$verbs"

chmod 755 "$lib_dir" "$tree"
mkdir "$lib_dir/dpkg"
touch "$lib_dir/dpkg/status"
export DPKG_ADMINDIR=$lib_dir/dpkg
missing="missing packages: $(tools/deps.sh list build) (as root they are installed)"
refuse "without root, missing packages are named" 1 "$missing" \
	nobody tools/deps.sh need build
for verb in "${needy[@]}"; do
	match "make $verb names missing packages first" \
		"$(nobody make "$verb" 2>&1 | grep -v '^make' | head -n1)" '^missing packages: '
done

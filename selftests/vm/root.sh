#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# root.sh [SET]: prints the cache entry with root.sqfs, the userspace of guests. It is a copy of
# the host's installed files of a few packages and of all their dependencies. SET names an
# additional set of packages in tools/deps.sh.

. "$(dirname "$0")/common.sh"

packages="$("$top/tools/deps.sh" list guest "$@")"
drop='^/usr/share/(doc|man|info|locale|lintian|bug|bash-completion)/'
drop+='|^/usr/lib/(systemd|udev|python3/dist-packages/(numpy|matplotlib))/'
drop+='|^/usr/(share/wireshark|lib/.*/libwireshark\.so)'
drop+='|^/(var|boot|home|proc|sys|dev|run)/'

# shellcheck disable=SC2086 # one word a package
closure() {
	comm -12 <(apt-cache depends --recurse --installed --important $packages |
			sed -n 's/^\([a-z0-9][^ ]*\)$/\1/p' | sort -u) \
		<(dpkg-query -W -f '${db:Status-Abbrev} ${Package}\n' |
			sed -n 's/^ii *//p' | sort -u)
}

# dpkg does not list files that maintainer scripts made: bytecode and alternatives.
files() {
	local list

	list=$(closure | xargs dpkg -L | sort -u)
	echo "$list"
	echo "$list" | sed -n 's#/[^/]*\.py$#/__pycache__#p' | sort -u |
		while read -r dir; do [ ! -d "$dir" ] || find "$dir"; done
	find /etc/alternatives
	find /usr/bin /usr/sbin -lname '/etc/alternatives/*'
	printf '%s\n' /etc/{passwd,group,nsswitch.conf,ld.so.cache}
}

fill() {
	local dir=$1 stage=$1/stage top

	say "building the guests' root"
	mkdir -p "$stage"/usr/{bin,sbin,lib,lib64} \
		"$stage"/{proc,sys,dev,run,tmp,root,vm,mnt,var/tmp,var/lib}
	for top in bin sbin lib lib64; do
		ln -s "usr/$top" "$stage/$top"
	done
	ln -s /run "$stage/var/run"
	files | grep -Ev "$drop" | sort -u |
		while read -r path; do [ ! -e "$path" ] || echo "${path#/}"; done |
		tar -C / -c --no-recursion -T - |
		tar -x -C "$stage" --keep-directory-symlink
	printf '127.0.0.1 localhost guest\n::1 localhost\n' >"$stage/etc/hosts"
	echo guest >"$stage/etc/hostname"
	ln -sf bash "$stage/usr/bin/sh"
	squash "$stage" "$dir/root.sqfs"
	rm -r "$stage"
}

key=$({ cat "$0"; closure | xargs dpkg-query -W; } | digest -)
entry "root-$key" fill

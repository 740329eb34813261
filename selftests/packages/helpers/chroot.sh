# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Sourced by tests that install packages: a throw-away Debian, without a network. The test goes on
# in a mount namespace of its own, so that no mount outlives it.

if [ -z "${OWN_MOUNTS:-}" ]; then
	rm -r "$lib_dir"
	OWN_MOUNTS=1 exec unshare --mount "$0" "$@"
fi

# chroot_make RELEASE [PACKAGE...] [-- PACKAGE...]: sets $root to a root as debian.sh makes it. All
# writes to it go to memory only.
chroot_make() {
	local entry store

	entry=$(selftests/vm/debian.sh "$@") || exit
	store=$(mktemp -d -p "$lib_dir")
	mount -t tmpfs -o mode=755 none "$store" || exit
	root=$store/root
	mkdir "$store"/{changes,work,root}
	mount -t overlay -o "lowerdir=$entry/root,upperdir=$store/changes,workdir=$store/work" \
		none "$root" || exit
	mount -t proc proc "$root/proc" || exit
	later "umount -l '$store'"
}

# inside COMMAND...: runs it in $root, without a network.
inside() {
	env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root \
		LC_ALL=C DEBIAN_FRONTEND=noninteractive \
		unshare --net chroot "$root" "$@" </dev/null
}

# apt COMMAND...: what it prints is in the file $said.
said=$lib_dir/said
apt() {
	inside apt-get -q -y --no-install-recommends "$@" >"$said" 2>&1
}

# judged WHAT COMMAND...: like check, but a failure prints the end of $said.
judged() {
	local what=$1

	shift
	if "$@"; then
		ok "$what"
	else
		not_ok "$what"
		note "$(tail -n 30 "$said")"
	fi
}

# Packages that are not installed completely.
unclean() {
	inside dpkg --audit
}

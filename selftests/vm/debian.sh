#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# debian.sh 12|13 [PACKAGE...] [-- PACKAGE...]: prints the cache entry with root, a minimal Debian
# of this release, made by mmdebstrap from the machine's own mirror. The packages are installed in
# it, without those that they only recommend. Packages after "--" are downloaded only, with all
# that they depend on, so that apt in the root installs them without a network. It starts no
# service.

. "$(dirname "$0")/common.sh"

release=$1
shift
case $release in
12)	codename=bookworm ;;
13)	codename=trixie ;;
*)	die "debian.sh: $release: not known; known are 12 and 13" ;;
esac
install=() download=()
while [ $# != 0 ] && [ "$1" != -- ]; do
	install+=("$1")
	shift
done
[ $# = 0 ] || download=("${@:2}")

# source_of SUITES URI
source_of() {
	printf '%s\n' "Types: deb" "URIs: $2" "Suites: $1" "Components: main" \
		"Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg" ""
}

# The machine's apt may have no mirror with security updates.
sources() {
	local security

	source_of "$codename $codename-updates" "$(mirror)"
	security=$(mirror_of Debian-Security)
	[ -z "$security" ] || source_of "$codename-security" "$security"
}

# options: how the machine's apt reaches the mirror.
options() {
	apt-config dump | grep '^Acquire::\(Check-\|http\(s\?\)::Proxy\)' || true
}

# A service that would start in the root must not run on this machine.
forbid_start() {
	printf '#!/bin/sh\nexit 101\n' >"$1/usr/sbin/policy-rc.d"
	chmod +x "$1/usr/sbin/policy-rc.d"
}

# The archives of the installed packages are not needed any more.
keep() {
	# shellcheck disable=SC2016 # the hook's shell expands it
	printf '%s\n' 'chroot "$1" apt-get clean' \
		"chroot \"\$1\" apt-get -qq -y --no-install-recommends --download-only install ${download[*]}"
}

fill() {
	local dir=$1 hooks=() include=() log

	say "building a root of Debian $release"
	[ ${#download[@]} = 0 ] || hooks+=(--customize-hook="$(keep)")
	[ ${#install[@]} = 0 ] || include=(--include="$(IFS=, && echo "${install[*]}")")
	options >"$dir/apt.conf"
	sources >"$dir/debian.sources"
	log=$(mktemp)
	DEBIAN_FRONTEND=noninteractive mmdebstrap --quiet --mode=root --variant=minbase \
		--format=directory --skip=cleanup/apt \
		--aptopt="$dir/apt.conf" --aptopt='Acquire::Languages "none"' \
		"${include[@]}" "${hooks[@]}" "$codename" "$dir/root" "$dir/debian.sources" \
		>"$log" 2>&1 || die "$(tail -n20 "$log")"
	rm "$log" "$dir/apt.conf" "$dir/debian.sources"
	forbid_start "$dir/root"
}

"$top/tools/deps.sh" need roots
key=$({ cat "$0"; echo "$release" "${install[@]}" -- "${download[@]}"; } | digest -)
entry "debian-$release-$key" fill

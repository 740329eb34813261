#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# deps.sh list SET...: prints the Debian packages that SET (build, fleet, kmod, guest, daemons,
# servers, vm, source, deb, roots, packages, check, bench, load, plot, machines, clang) needs. deps.sh
# need SET...: installs those that are missing.

set -euo pipefail

# The headers of the running kernel if Debian has them, else of Debian's cloud kernel.
headers() {
	local package

	package=linux-headers-$(uname -r)
	if [ -n "${KDIR:-}" ] || compgen -G '/lib/modules/*/build' >/dev/null ||
			compgen -G '/usr/src/linux-headers-*' >/dev/null; then
		return
	fi
	apt-cache show "$package" >/dev/null 2>&1 || package=linux-headers-cloud-amd64
	echo "$package"
}

# Where units go: Debian 12 has no package of its own for this.
systemd_dev() {
	# shellcheck disable=SC1091 # the release of this machine
	(. /etc/os-release
	[ "${VERSION_ID:-}" = 12 ] && echo systemd || echo systemd-dev)
}

members() {
	case $1 in
	build)	echo gcc libc6-dev pkg-config libnl-3-dev libnl-genl-3-dev
		echo libxtables-dev libzstd-dev zlib1g-dev liblz4-dev libjansson-dev
		members fleet ;;
	# The libraries of seend.
	fleet)	echo libhiredis-dev libsodium-dev libinih-dev libcurl4-openssl-dev ;;
	kmod)	echo gcc gcc-12 libc6-dev libelf1 pahole kmod
		headers ;;
	guest)	echo bash coreutils findutils grep sed mawk diffutils procps kmod
		echo util-linux mount hostname netbase busybox-static dnsmasq-base
		echo iproute2 ethtool bridge-utils nftables iptables ipset
		echo ebtables arptables tcpdump iputils-ping iputils-arping
		echo iperf3 socat jq python3 python3-scapy python3-yaml libnl-genl-3-200
		echo wireshark-common python3-jsonschema ;;
	# These run only in guests: see forbid_start().
	daemons) echo avahi-daemon frr keepalived smcroute ;;
	# The servers of a fleet, and the libraries of seend; they run only in guests, too.
	servers) echo redis-server redis-tools fail2ban nginx curl
		members fleet ;;
	vm)	echo qemu-system-x86 squashfs-tools cpio xz-utils ca-certificates
		members guest
		members kmod ;;
	source)	echo gcc libc6-dev libelf-dev flex bison bc xz-utils python3
		echo rsync
		members vm ;;
	deb)	echo build-essential debhelper dh-dkms dpkg-dev
		systemd_dev
		members build ;;
	# Debian roots in which the packages are tested.
	roots)	echo mmdebstrap debian-archive-keyring ;;
	packages) echo lintian rpm binutils file
		members deb
		members roots ;;
	check)	echo sparse shellcheck systemd clang llvm libclang-rt-14-dev python3-yaml
		echo python3-jsonschema
		echo redis-server redis-tools
		echo ccache g++ liblmdb-dev libxxhash-dev time tshark tcpreplay mandoc zsh
		members build
		members plot
		members source ;;
	# Competitors in make bench; any other JDK with javac works, too.
	bench)	echo g++ librocksdb-dev libdpdk-dev libguava-java pkg-config
		echo openjdk-17-jdk-headless ca-certificates
		members build ;;
	# The server of make bench-fleet.
	load)	echo redis-server python3 ;;
	# Plots of the documents.
	plot)	echo gnuplot-nox python3 ;;
	# Compilers and emulators for other architectures.
	machines) echo qemu-user gcc-i686-linux-gnu libc6-dev-i386-cross
		echo gcc-aarch64-linux-gnu libc6-dev-arm64-cross
		echo gcc-s390x-linux-gnu libc6-dev-s390x-cross ;;
	# For kernel headers that do not work with the default clang.
	clang)	echo clang-16 ;;
	*)	echo "deps.sh: $1: no such set" >&2
		exit 2 ;;
	esac
}

install() {
	apt-get -qq -oDPkg::Lock::Timeout=300 -oDpkg::Use-Pty=0 install -y \
		--no-install-recommends "$@" >&2
}

policy=/usr/sbin/policy-rc.d

# forbid_start: while packages are installed, Debian starts none of their services.
forbid_start() {
	[ ! -e $policy ] || return 0
	trap 'rm -f $policy' EXIT
	printf '#!/bin/sh\nexit 101\n' >$policy
	chmod +x $policy
}

# disable PACKAGE...: the next boot starts none of their services either.
disable() {
	local name

	for name; do
		[[ " $(members daemons) $(members servers) " = *" $name "* ]] || continue
		dpkg -L "$name" | sed -n 's,^.*/systemd/system/,,p' |
			xargs systemctl disable || update-rc.d "$name" disable || true
	done >/dev/null 2>&1
}

command=$1
shift
mapfile -t want < <(for set in "$@"; do members "$set"; done | tr ' ' '\n' | sort -u)
[ "$command" = need ] || { echo "${want[*]}"; exit; }

# Other distributions have other package names, so nothing is checked there.
command -v dpkg-query >/dev/null || exit 0
mapfile -t missing < <(comm -23 <(printf '%s\n' "${want[@]}") \
	<(dpkg-query -W -f '${db:Status-Abbrev} ${Package}\n' "${want[@]}" 2>/dev/null |
		sed -n 's/^ii  *//p' | sort -u))
[ ${#missing[@]} != 0 ] || exit 0
if [ "$(id -u)" != 0 ]; then
	echo "missing packages: ${missing[*]} (as root they are installed)" >&2
	exit 1
fi
echo "installing ${missing[*]}" >&2
export DEBIAN_FRONTEND=noninteractive
forbid_start
install "${missing[@]}" 2>/dev/null || { apt-get -qq update && install "${missing[@]}"; }
disable "${missing[@]}"

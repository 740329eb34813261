#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# kernel.sh 6.1|6.12|6.12-rt|uml|uml-gcov|uml-time|uml-bench|uml-debug|debug|kcsan:
# prints the cache entry of a guest's kernel. It holds vmlinuz, release, build (headers) and
# lib/modules. uml-gcov is uml: only the modules differ.

. "$(dirname "$0")/common.sh"

case $1 in
uml* | debug | kcsan) exec "$vm/source.sh" "${1%-gcov}" ;;
esac

meta() {
	case $1 in
	6.1)	echo linux-image-cloud-amd64 ;;
	6.12)	echo linux-image-6.12-cloud-amd64 ;;
	6.12-rt) echo linux-image-6.12-rt-amd64 ;;
	*)	die "KERNEL=$1: not known: see kernel.sh" ;;
	esac
}

depends() {
	apt-cache show --no-all-versions "$1" 2>/dev/null |
		sed -n 's/^Depends: //p' | grep -o '[^ ,|]*' |
		grep -m1 "$2"
}

# The release is looked up once per cache, so that a guest's kernel does not change when Debian
# publishes a new one.
release() {
	local pin=$cache/kernel-$1.release image

	if [ ! -s "$pin" ]; then
		mkdir -p "$cache"
		image=$(depends "$(meta "$1")" '^linux-image-') || {
			apt-get -qq update >&2
			image=$(depends "$(meta "$1")" '^linux-image-')
		} || die "no package $(meta "$1") in the configured suites"
		echo "${image#linux-image-}" >"$pin.$$"
		mv "$pin.$$" "$pin"
	fi
	cat "$pin"
}

# The headers' Makefile includes its common part by an absolute path.
headers() {
	local rel=$1 dir=$2 make=$2/usr/src/linux-headers-$1/Makefile

	# shellcheck disable=SC2016 # make expands it
	sed -i 's#/usr/src/#$(dir $(lastword $(MAKEFILE_LIST)))../#' "$make"
	ln -s "usr/src/linux-headers-$rel" "$dir/build"
}

fill() {
	local rel=$1 dir=$2 headers="linux-headers-$1" deb

	say "fetching Linux $rel"
	download "$dir" "linux-image-$rel" "$headers" \
		"$(depends "$headers" '^linux-headers-.*-common')" \
		"$(depends "$headers" '^linux-kbuild-')"
	for deb in "$dir"/*.deb; do
		dpkg-deb -x "$deb" "$dir"
	done
	rm "$dir"/*.deb
	mv "$dir/boot/vmlinuz-$rel" "$dir/vmlinuz"
	rm -r "${dir:?}/boot"
	find "$dir/lib/modules" -name '*.ko.xz' -exec xz -d -T1 {} +
	depmod -b "$dir" "$rel"
	headers "$rel" "$dir"
	echo "$rel" >"$dir/release"
}

rel=$(release "$1")
entry "kernel-$rel-$(digest "$0")" fill "$rel"

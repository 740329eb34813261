#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# uml.sh: prints the cache entry of Linux as a user-space program, built from
# Debian unstable's sources; what is in it, kernel.sh says.

. "$(dirname "$0")/common.sh"

package=linux-source-7.2
fragment=$vm/uml.config

# unstable APT-COMMAND...: apt with that one suite of the machine's own mirror,
# and with lists of its own, so that the machine's apt never sees it.
unstable() {
	local apt=$cache/apt uri

	mkdir -p "$apt"/{sources,lists/partial,cache/archives/partial}
	# shellcheck disable=SC2016 # apt's own variable
	uri=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' \
		'Origin: Debian' 'Label: Debian' | head -n1)
	[ -n "$uri" ] || die "no Debian mirror among apt's sources"
	cat >"$apt/sources/unstable.sources" <<-EOF
		Types: deb
		URIs: $uri
		Suites: unstable
		Components: main
		Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
	EOF
	apt-get -qq -oDir::Etc::sourcelist=/dev/null \
		-oDir::Etc::sourceparts="$apt/sources" \
		-oDir::State::Lists="$apt/lists" -oDir::Cache="$apt/cache" \
		-oAcquire::Languages=none -oAPT::Sandbox::User=root "$@"
}

configure() {
	local missing

	grep '^CONFIG' "$fragment" >wanted
	make -s ARCH=um KCONFIG_ALLCONFIG=wanted allnoconfig >/dev/null
	missing=$(grep -vxFf .config wanted | tr '\n' ' ') || true
	[ -z "$missing" ] || die "not in the final configuration: $missing"
}

# What remains is what modules are built with.
prune() {
	rm -rf Documentation drivers fs net sound block crypto ipc io_uring \
		kernel mm security virt samples rust usr init lib certs tools
	find arch -mindepth 1 -maxdepth 1 ! -name um ! -name x86 -exec rm -r {} +
	find . -name '*.o' -o -name '*.a' -o -name '.*.cmd' | grep -v ^./scripts |
		xargs rm -f
	rm -f vmlinux*
}

fill() {
	local dir=$1 src=$1/build rel log

	say "building Linux as a program (some minutes)"
	log=$(mktemp)
	unstable update
	(cd "$dir" && unstable download $package)
	dpkg-deb --fsys-tarfile "$dir"/*.deb |
		tar -xO "./usr/src/$package.tar.xz" >"$dir/src.tar.xz"
	rm "$dir"/*.deb
	mkdir "$src"
	tar -xf "$dir/src.tar.xz" -C "$src" --strip-components=1
	rm "$dir/src.tar.xz"
	(
		cd "$src"
		configure
		make -s ARCH=um -j"$(nproc)" linux modules >"$log" 2>&1 ||
			die "$(grep -m3 -iE 'error' "$log")"
		cp linux "$dir/vmlinuz"
		make -s ARCH=um INSTALL_MOD_PATH="$dir" modules_install
		prune
	)
	rm "$log"
	rel=$(cat "$src/include/config/kernel.release")
	echo "$rel" >"$dir/release"
	rm -f "$dir/lib/modules/$rel"/{build,source}
	mkdir -p "$dir/lib/modules/$rel/kernel"
}

"$top/tools/deps.sh" need uml
entry "kernel-uml-$(digest "$0" "$fragment")" fill

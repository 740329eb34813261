#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# uml.sh NAME: prints the cache entry of Linux as a user-space program, built from
# Debian unstable's sources with the configurations uml.config and, unless it is
# the same, NAME.config. What is in the entry, kernel.sh says.

. "$(dirname "$0")/common.sh"

package=linux-source-7.2
name=$1
fragments=("$vm/uml.config")
[ "$name" = uml ] || fragments+=("$vm/$name.config")

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

# Of two lines for one option the last one counts.
configure() {
	local missing

	cat "${fragments[@]}" | tac | awk -F'[ =]' '
		/^CONFIG/ { name = $1 }
		/^# CONFIG.* is not set/ { name = $2 }
		!/^(# )?CONFIG/ || seen[name]++ { next }
		{ print }' >wanted
	make -s ARCH=um KCONFIG_ALLCONFIG=wanted allnoconfig >/dev/null
	# An option that has become impossible to set is off as well.
	missing=$(awk -F'[ =]' '
		FNR == NR { have[$0]; if (/^CONFIG/) set[$1]; next }
		$0 in have || (/^#/ && !($2 in set)) { next }
		{ print }' .config wanted)
	[ -z "$missing" ] || die "not in the configuration: ${missing//$'\n'/, }"
}

# What remains is what modules are built with, by a make that asks for no ARCH.
prune() {
	sed -i 's/^ARCH[[:space:]]*?=.*/ARCH := um/' Makefile
	rm -rf Documentation drivers fs net sound block crypto ipc io_uring \
		kernel mm security virt samples rust usr init lib certs tools
	find arch -mindepth 1 -maxdepth 1 ! -name um ! -name x86 -exec rm -r {} +
	find . -name '*.o' -o -name '*.a' -o -name '.*.cmd' | grep -v ^./scripts |
		xargs rm -f
	rm -f vmlinux*
}

fetch() {
	say "fetching $package"
	unstable update
	(cd "$1" && unstable download $package)
}

fill() {
	local source=$1 dir=$2 src=$2/build rel log

	say "building the kernel $name (some minutes)"
	log=$(mktemp)
	mkdir "$src"
	dpkg-deb --fsys-tarfile "$source"/*.deb |
		tar -xO "./usr/src/$package.tar.xz" |
		tar -xJ -C "$src" --strip-components=1
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
source=$(entry $package fetch)
entry "kernel-$name-$(digest "$0" "${fragments[@]}")" fill "$source"

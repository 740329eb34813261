#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# i386.sh: prints the cache entry with all that 32-bit programs need to be built and to run:
# unpacked i386 packages of Debian, none of which is installed.

. "$(dirname "$0")/common.sh"

packages="libc6-dev libgcc-12-dev libnl-3-dev libnl-genl-3-dev libxtables-dev
	libzstd-dev zlib1g-dev liblz4-dev libjansson-dev iptables"

# other COMMAND...: calls apt for i386 only, with the machine's mirrors but with lists of its own.
# It installs nothing.
other() {
	local apt=$dir/apt

	apt-get -qq -oDir::Etc::sourcelist=/dev/null \
		-oDir::Etc::sourceparts="$apt/sources" \
		-oDir::State="$apt" -oDir::State::status=/dev/null \
		-oDir::Cache="$apt" -oAPT::Architecture=i386 \
		-oAPT::Architectures=i386 -oAcquire::Languages=none \
		-oAPT::Sandbox::User=root "$@"
}

# Prints the machine's Debian suites, without security updates: nothing here is installed.
sources() {
	# shellcheck disable=SC2016 # apt's own variables
	apt-get indextargets --format '$(REPO_URI) $(CODENAME) $(COMPONENT)' \
		'Created-By: Packages' 'Origin: Debian' 'Label: Debian' | sort -u |
		while read -r uri suite component; do
			printf '%s\n' "Types: deb" "URIs: $uri" \
				"Suites: $suite" "Components: $component" \
				"Signed-By: $1" ''
		done
}

fill() {
	local dir=$1 deb

	say "fetching the libraries of i386"
	mkdir -p "$dir"/apt/{sources,lists/partial,archives/partial}
	sources /usr/share/keyrings/debian-archive-keyring.gpg \
		>"$dir/apt/sources/debian.sources"
	other update
	# shellcheck disable=SC2086 # one word a package
	other install --download-only -y --no-install-recommends $packages
	for deb in "$dir"/apt/archives/*.deb; do
		dpkg-deb -x "$deb" "$dir"
	done
	rm -rf "$dir"/apt "$dir"/usr/share/{doc,man,locale}
	# Absolute links would refer to the machine's root.
	find "$dir" -lname '/*' -printf '%p %l\n' | while read -r link to; do
		ln -sfn "$(realpath -ms --relative-to="${link%/*}" "$dir$to")" "$link"
	done
}

entry "i386-$(digest "$0")" fill

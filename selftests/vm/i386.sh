#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# i386.sh: prints the cache entry with what programs of 32 bits are built from and
# run with: Debian's packages for i386, unpacked, of which none is installed.

. "$(dirname "$0")/common.sh"

packages="libc6-dev libgcc-12-dev libnl-3-dev libnl-genl-3-dev libxtables-dev
	libzstd-dev zlib1g-dev liblz4-dev iptables"

# other COMMAND...: apt for that architecture alone, with the machine's mirrors,
# lists of its own, and nothing installed.
other() {
	local apt=$dir/apt

	apt-get -qq -oDir::Etc::sourcelist=/dev/null \
		-oDir::Etc::sourceparts="$apt/sources" \
		-oDir::State="$apt" -oDir::State::status=/dev/null \
		-oDir::Cache="$apt" -oAPT::Architecture=i386 \
		-oAPT::Architectures=i386 -oAcquire::Languages=none \
		-oAPT::Sandbox::User=root "$@"
}

# The suites that the machine has, but for security's: nothing here is installed.
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
	# Absolute links mean the machine's root.
	find "$dir" -lname '/*' -printf '%p %l\n' | while read -r link to; do
		ln -sfn "$(realpath -ms --relative-to="${link%/*}" "$dir$to")" "$link"
	done
}

entry "i386-$(digest "$0")" fill

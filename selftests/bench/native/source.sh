#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# source.sh: prints the folder with the sources of the installed RocksDB, from Debian's source
# package. apt uses lists of its own here, because the machine may have no sources of source
# packages configured.

. "$(dirname "$0")/../../vm/common.sh"

fill() {
	local version=$1 suite options

	cd "$2"
	mkdir -p apt/{parts,lists/partial,cache/archives/partial}
	suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
	echo "deb-src $(mirror) $suite main" >apt/parts/source.list
	options=(-qq -oDir::Etc::sourcelist=/dev/null -oDir::Etc::sourceparts="$PWD/apt/parts"
		-oDir::State::Lists="$PWD/apt/lists" -oDir::Cache="$PWD/apt/cache"
		-oAPT::Sandbox::User=root)
	apt-get "${options[@]}" update
	apt-get "${options[@]}" source --download-only "rocksdb=$version"
	tar -xf rocksdb_*.orig.tar.* --strip-components=1
	rm -r apt rocksdb_*
}

version=$(dpkg-query -W -f '${source:Version}' librocksdb-dev)
entry "rocksdb-$version" fill "$version"

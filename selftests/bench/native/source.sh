#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# source.sh FOLDER: Debian's source package of the RocksDB that is installed goes to FOLDER,
# by apt, with lists of its own: the machine's sources may have none of sources.

set -euo pipefail
folder=$1
version=$(dpkg-query -W -f '${source:Version}' librocksdb-dev)
[ ! -e "$folder/$version" ] || exit 0

mkdir -p "$folder"/apt/{parts,lists/partial,cache/archives/partial}
cd "$folder"
suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
echo "deb-src http://deb.debian.org/debian $suite main" >apt/parts/source.list
options=(-qq -oDir::Etc::sourcelist=/dev/null -oDir::Etc::sourceparts="$PWD/apt/parts"
	-oDir::State::Lists="$PWD/apt/lists" -oDir::Cache="$PWD/apt/cache"
	-oAPT::Sandbox::User=root)
apt-get "${options[@]}" update
apt-get "${options[@]}" source --download-only "rocksdb=$version"
tar -xf rocksdb_*.orig.tar.*
touch "$version"

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The spec file builds rpm packages with the files of `make install`.

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../static/helpers/files.sh"
cd "$(dirname "$0")/../.." || exit

version=$(sed -n 's/^#define SEEN_VERSION "\(.*\)"/\1/p' kmod/version.h)
dir=$lib_dir/rpm

source_archive() {
	mkdir -p "$dir/SOURCES" &&
		sources . | tar -cz --transform "s,^,seen-$version/," -T - \
			-f "$dir/SOURCES/seen-$version.tar.gz"
}

# Debian has another folder for libraries, other names of the packages to build with, and no macros
# of systemd.
build() {
	rpmbuild -bb --nodeps --define "_topdir $dir" --define "debug_package %{nil}" \
		--define "_build_id_links none" \
		--define "_libdir /usr/lib/$(gcc -print-multiarch)" \
		--define "_unitdir $(pkg-config --variable=systemdsystemunitdir systemd)" \
		--define "systemd_post() true" --define "systemd_preun() true" \
		--define "systemd_postun_with_restart() true" packaging/rpm/seen.spec
}

# Only Debian has netfilter-persistent; Fedora has another folder for completion in zsh.
installed() {
	make -s -C tools install DESTDIR="$lib_dir/dest" >/dev/null &&
		(cd "$lib_dir/dest" && find . ! -type d | sed 's/^\.//
			\,/netfilter-persistent/,d
			s,/zsh/vendor-completions/,/zsh/site-functions/,' | sort)
}

# packaged: the files, without documents of the packages' own.
packaged() {
	find "$dir/RPMS" -name '*.rpm' -exec rpm -qp --qf '[%{FILEMODES:perms} %{FILENAMES}\n]' {} + |
		sed -n 's/^[^d][^ ]* //p' | grep -vE '^/usr/share/(licenses/|doc/seen[^/]*/README)' |
		sed 's/\.gz$//' | sort
}

plan 4
check "the archive of the sources" source_archive
check "rpmbuild" build
is "four packages" "$(find "$dir/RPMS" -name '*.rpm' -printf '%f\n' | sort | xargs)" \
	"libseen-$version-1.$(uname -m).rpm libseen-devel-$version-1.$(uname -m).rpm seen-$version-1.$(uname -m).rpm seend-$version-1.$(uname -m).rpm"
is "the packages have the files of \"make install\"" "$(packaged)" "$(installed)"

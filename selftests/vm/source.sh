#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# source.sh NAME: prints the cache entry of a kernel that is built from the sources in a Debian
# package. uml and uml-* run Linux as a user-space program, from the newest sources in unstable.
# debug and kcsan are kernels for QEMU, from the sources of Debian 12. Each is configured by one
# or more files; NAME.config is the last one. kernel.sh describes the entry.

. "$(dirname "$0")/common.sh"

# ccache need not store a kernel's objects, because the cache stores the kernel.
PATH=${PATH#/usr/lib/ccache:}
name=$1
# The object for which cc.sh precompiles headers: most objects are compiled with its flags.
common=mm/util.o
fragments=("$vm/uml.config")
case $name in
uml*)
	package=linux-source-7.2 suite=unstable
	arch=um target=linux image=linux ;;
*)
	package=linux-source-6.1 suite=
	arch=x86_64 target=bzImage image=arch/x86/boot/bzImage
	fragments+=("$vm/qemu.config") ;;
esac
# -O1 and precompiled headers halve the time that a kernel takes to compile. uml-bench has
# neither: it measures speed. kcsan has neither: races are named by functions on the stack,
# which depend on what gcc inlines. Modules have neither: these flags do not reach them.
flags=-O1 cc=$vm/cc.sh
case $name in
uml-bench | kcsan) flags='' cc=gcc ;;
esac
case $name in
uml)	fragments+=("$vm/checks.config") ;;
uml-bench) ;;
debug)	fragments+=("$vm/uml-debug.config" "$vm/debug.config") ;;
*)	fragments+=("$vm/$name.config") ;;
esac

# unstable APT-COMMAND...: calls apt with only this suite of the machine's mirror, and with lists
# of its own, so that the machine's apt does not see the suite.
unstable() {
	local apt=$cache/apt

	mkdir -p "$apt"/{sources,lists/partial,cache/archives/partial}
	cat >"$apt/sources/unstable.sources" <<-EOF
		Types: deb
		URIs: $(mirror)
		Suites: unstable
		Components: main
		Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
	EOF
	apt-get -qq -oDir::Etc::sourcelist=/dev/null \
		-oDir::Etc::sourceparts="$apt/sources" \
		-oDir::State::Lists="$apt/lists" -oDir::Cache="$apt/cache" \
		-oAcquire::Languages=none -oAPT::Sandbox::User=root "$@"
}

# If several fragments set an option, the last one counts.
configure() {
	local missing

	cat "${fragments[@]}" | tac | awk -F'[ =]' '
		/^CONFIG/ { name = $1 }
		/^# CONFIG.* is not set/ { name = $2 }
		!/^(# )?CONFIG/ || seen[name]++ { next }
		{ print }' >wanted
	make -s ARCH=$arch CC="$cc" KCONFIG_ALLCONFIG=wanted allnoconfig >/dev/null
	# An option that does not exist in this configuration is off, too.
	missing=$(awk -F'[ =]' '
		FNR == NR { have[$0]; if (/^CONFIG/) set[$1]; next }
		$0 in have || (/^#/ && !($2 in set)) { next }
		{ print }' .config wanted)
	[ -z "$missing" ] || die "not in the configuration: ${missing//$'\n'/, }"
}

# Keeps only the files that building modules needs, for a make without ARCH=.
prune() {
	local keep=x86

	[ $arch != um ] || keep='um -o -name x86'
	sed -i "s/^ARCH[[:space:]]*?=.*/ARCH := $arch/" Makefile
	grep -q '^CONFIG_CC_OPTIMIZE_FOR_PERFORMANCE=y' include/config/auto.conf ||
		die "modules would not be optimized for speed"
	! grep -q '^CONFIG_KASAN=y' include/config/auto.conf ||
		grep -q '^CONFIG_KASAN_STACK=y' include/config/auto.conf ||
		die "KASAN would not look at modules' stack frames"
	rm -rf Documentation drivers fs net sound block crypto ipc io_uring \
		kernel mm security virt samples rust usr init lib certs
	find tools -type f ! -path tools/objtool/objtool -delete
	# shellcheck disable=SC2086 # one word a part of the expression
	find arch -mindepth 1 -maxdepth 1 ! \( -name $keep \) -exec rm -r {} +
	find . -name '*.o' -o -name '*.a' -o -name '.*.cmd' | grep -v ^./scripts |
		xargs rm -f
	find . -name '*.names.h' -delete
	rm -rf vmlinux* precompiled include/config/auto.conf.cmd
	{ grep -rlF cc.sh include scripts || true; } | xargs rm -f
}

# compile TARGET...: without KASAN's checks of the kernel's own stack frames, which would take a
# sixth of the compilation time. The modules have these checks.
compile() {
	make -s ARCH=$arch -j"$(nproc)" CC="$cc" KCFLAGS="$flags" stack_enable=0 "$@"
}

build() {
	if [ "$cc" != gcc ]; then
		PRECOMPILE=$common compile $common || return
	fi
	compile $target modules
}

# used: prints the number of objects, and how many of them used precompiled headers.
used() {
	find . -name '*.o' ! -path './scripts/*' ! -path './tools/*' | wc -l
	wc -l <precompiled/used
}

# Code in uml-bench must cost what it costs in a kernel on hardware: barriers and per-CPU counters
# are those of x86, and gcc may expand builtin functions inline.
patch_bench() {
	cp "$vm/uml-bench.h" arch/x86/um/asm/barrier.h
	cp "$vm/uml-bench-percpu.h" arch/um/include/asm/percpu.h
	sed -i '/^generic-y += percpu.h/d' arch/um/include/asm/Kbuild
	sed -i 's/-fno-builtin //' arch/x86/Makefile.um
	grep -q '^KBUILD_CFLAGS += -m64' arch/x86/Makefile.um ||
		die "arch/x86/Makefile.um is not what it was"
}

fetch() {
	say "fetching $package"
	if [ -n "$suite" ]; then
		unstable update
		(cd "$1" && unstable download $package)
	else
		download "$1" $package
	fi
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
		case $name in
		uml-bench) patch_bench ;;
		# This code relies on constants that gcc propagates across functions only at -O2.
		debug | kcsan) echo 'ccflags-y += -O2' >>arch/x86/kernel/fpu/Makefile ;;
		esac
		configure
		build >"$log" 2>&1 || die "$(grep -m3 -iE 'error' "$log")"
		[ "$cc" = gcc ] || used | xargs >"$dir/precompiled"
		cp $image "$dir/vmlinuz"
		make -s ARCH=$arch INSTALL_MOD_PATH="$dir" modules_install
		prune
	)
	rm "$log"
	rel=$(cat "$src/include/config/kernel.release")
	echo "$rel" >"$dir/release"
	rm -f "$dir/lib/modules/$rel"/{build,source}
	mkdir -p "$dir/lib/modules/$rel/kernel"
}

"$top/tools/deps.sh" need source
source=$(entry $package fetch)
keyed=("$0" "${fragments[@]}")
[ "$cc" = gcc ] || keyed+=("$vm/cc.sh" "$vm/headers.h")
[ "$name" != uml-bench ] || keyed+=("$vm"/uml-bench*.h)
built_from() {
	cat "${keyed[@]}"
	(cd "$source" && compgen -G '*.deb')
	gcc --version
}

key=$(built_from | digest -)
entry "kernel-$name-$key" fill "$source"

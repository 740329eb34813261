#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Each target of `make help` works as the first command in a fresh clone: it installs the packages
# that it needs and builds what it needs. The test uses a copy of the tree in which tests and
# guests are replaced: the tests must exist, and a guest must have its files, but neither runs.

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../static/helpers/files.sh"
cd "$(dirname "$0")/../.." || exit
clone=$lib_dir/clone

# fresh: makes a copy of the tree as git would check it out, without a build.
fresh() {
	rm -rf "$clone"
	mkdir "$clone"
	sources . | tar -c -T - | tar -x -C "$clone"
	stand_in vm/vm.sh <<-'END'
		#!/bin/bash
		for file in "$1" $FILES; do
			[ -e "$file" ] || { echo "vm: $file: no such file"; exit 1; }
		done
		[ -z "${KIT:-}" ] || [ -e "$KIT/own.sqfs" ] || { echo "no kit"; exit 1; }
		echo "a guest would boot here"
		exit 1
	END
	# The kernel uml replaces all others, so that no kernel is built.
	mv "$clone/selftests/vm/kernel.sh" "$clone/selftests/vm/real"
	stand_in vm/kernel.sh <<-'END'
		#!/bin/bash
		exec "$(dirname "$0")/real" uml
	END
	mv "$clone/selftests/run" "$clone/selftests/real"
	stand_in run <<-'END'
		#!/bin/bash
		cd "$(dirname "$0")"
		for test; do
			[ -x "$test" ] || { echo "$test is not there"; exit 1; }
		done
		echo "tests would run here"
	END
}

# stand_in FILE: replaces a file below selftests/ by standard input.
stand_in() {
	cat >"$clone/selftests/$1"
	chmod +x "$clone/selftests/$1"
}

# first TARGET WORDS [VARIABLE=...]: runs `make TARGET` as the first command in a fresh copy.
# Its output must contain WORDS. "status 0" is added to the output if make succeeds.
first() {
	local what=$1 words=$2 out

	fresh
	out=$(cd "$clone" && make "$what" "${@:3}" 2>&1 </dev/null && echo "status 0")
	if [[ $out = *"$words"* ]]; then
		ok "make $what"
	else
		not_ok "make $what"
		note "the output does not contain '$words'"
		note "$(tail -n 20 <<<"$out")"
	fi
}

# unready: prints the planned logs that do not show that a test would have begun.
unready() {
	local log

	cd "$clone/build/check" || return
	[ -s plan ] || echo "the plan is empty"
	grep -q '^ok 1 ' build.log || echo "the build failed"
	while read -r log _; do
		grep -qsE '(a guest|tests) would (boot|run) here' "$log" || echo "$log"
	done <plan
}

# judged STAGE [VARIABLE=...]: each test of the stage exists, or has a guest with a kit.
judged() {
	local stage=$1 out

	fresh
	out=$(cd "$clone" && make "check-$stage" "${@:2}" 2>&1 </dev/null)
	is "make check-$stage: everything that its tests need" "$(unready)" ""
	grep -q '^ok 1 ' "$clone/build/check/build.log" || note "$(tail -n 20 <<<"$out")"
}

stages=$(sed -n 's/^check-\([a-z]*\): ##.*/\1/p' Makefile | grep -vE '^(all|net)$')
plan $((13 + $(wc -w <<<"$stages")))
printf '#!/bin/sh\n' >"$lib_dir/script"
first vm "a guest would boot here" SCRIPT="$lib_dir/script"
first demo "a guest would boot here"
judged net TESTS=rules
echo '#error planted' >>"$clone/tools/seenctl/main.c"
(cd "$clone" && make check-net TESTS=rules) >/dev/null 2>&1
is "if the build fails, no guest boots an older build" \
	"$(grep -rl 'a guest would boot here' "$clone/build/check")" ""
first bench-kernel "measuring"
first bench-dedup "status 0" LINES=1000
first bench-pcap "status 0" PACKETS=1000
first theory "status 0"
first accuracy "status 0"
first tools "status 0"
first kmod "status 0"
first install "status 0" DESTDIR="$lib_dir/root"
first bench-plot "no run yet"
for stage in $stages; do
	judged "$stage"
done

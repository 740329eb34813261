#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# On a terminal seenctl prints colors, unless the user does not want them; the overview without the
# kernel module says what to do. Nothing here needs the kernel module.

. "$(dirname "$0")/../lib.sh"
PATH=${TOOLS:-$(cd "$(dirname "$0")/../../build/tools" && pwd)}:$PATH

file=$lib_dir/f
red=$'\033'
seenctl file create "$file" type cuckoo capacity 10 >"$lib_dir/none"

# colored VARIABLE... -- WORD...: "yes" if seenctl prints colors to a terminal
colored() {
	local variables=()

	while [ "$1" != -- ]; do
		variables+=("$1")
		shift
	done
	shift
	if env "${variables[@]}" script -qec "seenctl $* file show $file" /dev/null </dev/null |
			grep -q "$red"; then
		echo yes
	else
		echo no
	fi
}

plan 9
is "colors on a terminal" "$(colored TERM=xterm --)" yes
is "no colors if NO_COLOR is set" "$(colored TERM=xterm NO_COLOR=1 --)" no
is "colors if NO_COLOR is empty" "$(colored TERM=xterm NO_COLOR= --)" yes
is "no colors on a dumb terminal" "$(colored TERM=dumb --)" no
is "-c prints colors all the same" "$(colored TERM=dumb NO_COLOR=1 -- -c)" yes
is "-c=never prints none" "$(colored TERM=xterm -- -c=never)" no
is "no colors in a pipe" "$(TERM=xterm seenctl file show "$file" | grep -c "$red")" 0
refuse "without the module: how to load it" 1 'the kernel module "seen" is not loaded (modprobe seen; "dkms status seen" lists the kernels that have it)' \
	seenctl
refuse "and where the help is" 1 "seenctl help lists the commands." seenctl -j

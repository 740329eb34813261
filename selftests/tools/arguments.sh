#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Wrong values of parameters, in commands that need no kernel: the exit status is 2, and the text
# names the parameter and the way out. net/cli.sh does the same with a kernel.

. "$(dirname "$0")/../lib.sh"
PATH=${TOOLS:-$(cd "$(dirname "$0")/../../build/tools" && pwd)}:$PATH
cd "$lib_dir" || exit

# Each line: the command line, and the text after "seenctl: ".
table() {
	cat <<'END'
plan type cuckoo capacity 10 fpp 1e-12|plan: fpp: this type needs more than 64 bits per key for this rate; raise fpp, or use type bloom layout classic
plan type counting capacity 10 fpp 1e-11|plan: fpp: this type needs more than 64 bits per key for this rate; raise fpp, or use type bloom layout classic
plan type counting capacity 10 fpp 1e-4|plan: fpp: this type needs more than 64 bits per key for this rate; raise fpp, or use type cuckoo
plan type bloom capacity 10 fpp 1e-12|plan: fpp: this type needs more than 64 bits per key for 1e-12; use layout classic
plan type bloom window 1s refresh capacity 10|plan: fpp: this type needs more than 64 bits per key for 0.001; use type cuckoo
plan type counting capacity 10 fpp 1e-10 key src/*|plan: fpp: this type needs more than 64 bits per key for 1e-10; use at least 0.2, or type bloom layout classic
file create f type cuckoo capacity 10 key bytes fpp 1e-12|file create: fpp: this type needs more than 64 bits per key for this rate; raise fpp, or use type bloom layout classic
END
}

plan "$(table | wc -l)"
while IFS='|' read -r line text; do
	read -ra words <<<"$line"
	said=$(seenctl "${words[@]}" 2>&1 >/dev/null </dev/null)
	is "$line" "$?: $said" "2: seenctl: $text"
done < <(table)

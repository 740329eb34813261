#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# seenctl dedup against awk and sort: lines a second and peak memory, in ratios of one
# run. LINES=50000000 drawn from KINDS=$LINES; ROUNDS=1 of the three, one after the
# other. awk needs about 100 bytes a line of memory, FOLDER 65 bytes a line of disk.

set -euo pipefail
top=$(cd "$(dirname "$0")/../.." && pwd)
: "${LINES:=50000000}" "${ROUNDS:=1}"
: "${KINDS:=$LINES}"
export LC_ALL=C

folder=$(mktemp -d "${FOLDER:-${TMPDIR:-/tmp}}/dedup.XXXXXX")
trap 'rm -rf "$folder"' EXIT
gcc -O2 -o "$folder/make" "$top/tools/bench/lines.c"
"$folder/make" "$LINES" "$KINDS" >"$folder/lines"

# run NAME COMMAND...: its seconds and peak of memory (KiB) go to the file NAME.
run() {
	local name=$1

	shift
	/usr/bin/time -a -o "$folder/$name" -f '%e %M' "$@" \
		<"$folder/lines" >/dev/null 2>"$folder/$name.said"
}

for ((round = 0; round < ROUNDS; round++)); do
	run dedup "$top/build/tools/seenctl" dedup
	run awk mawk '!had[$0]++'
	run sort sort -u -T "$folder"
done

grep . "$folder/dedup.said"
printf '%-6s %9s %12s %11s %8s %8s\n' '' seconds lines/s 'peak MiB' speed memory
awk -v lines="$LINES" '
	FNR == 1 { n = split(FILENAME, part, "/"); name[++names] = part[n] }
	{ seconds[names] += $1; rounds[names]++ }
	$2 > peak[names] { peak[names] = $2 }
	END {
		for (i = 1; i <= names; i++) {
			took = seconds[i] / rounds[i]
			printf "%-6s %9.1f %12.0f %11.0f", name[i], took, lines / took,
				peak[i] / 1024
			printf "  1 : %-4.1f %4.1f : 1\n", seconds[i] / seconds[1],
				peak[i] / peak[1]
		}
	}' "$folder"/dedup "$folder"/awk "$folder"/sort

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Compares seenctl dedup with awk and sort: lines a second and peak memory, and their ratios
# within one run. LINES=50000000 lines are drawn from KINDS=$LINES different ones; the three
# commands run one after the other, ROUNDS=1 times. For each line awk needs about 100 bytes of
# memory, and the files in FOLDER need 65 bytes of disk.

set -euo pipefail
top=$(cd "$(dirname "$0")/../.." && pwd)
: "${LINES:=50000000}" "${ROUNDS:=1}"
: "${KINDS:=$LINES}"
export LC_ALL=C

folder=$(mktemp -d "${FOLDER:-${TMPDIR:-/tmp}}/dedup.XXXXXX")
trap 'rm -rf "$folder"' EXIT
gcc -O2 -o "$folder/make" "$top/tools/bench/lines.c"
"$folder/make" "$LINES" "$KINDS" >"$folder/lines"

# run NAME COMMAND...: writes elapsed and CPU seconds and peak memory (KiB) to the file NAME.
run() {
	local name=$1

	shift
	/usr/bin/time -a -o "$folder/$name" -f '%e %U %S %M' "$@" \
		<"$folder/lines" >/dev/null 2>"$folder/$name.said"
}

for ((round = 0; round < ROUNDS; round++)); do
	run dedup "$top/build/tools/seenctl" -s dedup
	run awk mawk '!had[$0]++'
	run sort sort -u -T "$folder"
done

grep . "$folder/dedup.said"
printf '%-6s %9s %9s %11s %10s %10s %10s\n' '' seconds cpu 'lines/s' 'peak MiB' speed memory
awk -v lines="$LINES" '
	FNR == 1 { n = split(FILENAME, part, "/"); name[++names] = part[n] }
	{ took[names] += $1 / rounds; cpu[names] += ($2 + $3) / rounds }
	$4 > peak[names] { peak[names] = $4 }
	END {
		for (i = 1; i <= names; i++)
			printf "%-6s %9.1f %9.1f %11.0f %10.0f %10s %10s\n", name[i],
				took[i], cpu[i], lines / took[i], peak[i] / 1024,
				sprintf("1 : %.1f", took[i] / took[1]),
				sprintf("%.1f : 1", peak[i] / peak[1])
	}' rounds="$ROUNDS" "$folder"/dedup "$folder"/awk "$folder"/sort

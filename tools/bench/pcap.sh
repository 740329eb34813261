#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Compares seenctl pcap with editcap -w on a generated capture of a mirror: PACKETS=1000000
# frames, RATE=100000 of them a second, each twice, a millisecond apart. Prints seconds, CPU
# seconds, packets a second, peak memory and the size of the output.

set -euo pipefail
top=$(cd "$(dirname "$0")/../.." && pwd)
: "${PACKETS:=1000000}" "${RATE:=100000}" "${WINDOW:=0.05}"

folder=$(mktemp -d "${FOLDER:-${TMPDIR:-/tmp}}/pcap.XXXXXX")
trap 'rm -rf "$folder"' EXIT
gcc -O2 -o "$folder/make" "$top/tools/bench/packets.c"
"$folder/make" "$PACKETS" "$RATE" >"$folder/in"

# run NAME COMMAND...: runs the command, and prints a row of results.
run() {
	local name=$1

	shift
	/usr/bin/time -o "$folder/took" -f '%e %U %S %M' "$@" >"$folder/said" 2>&1
	awk -v name="$name" -v packets="$PACKETS" -v bytes="$(stat -c %s "$folder/out")" '{
		printf "%-8s %9.2f %9.2f %11.0f %9.0f %12d\n", name, $1, $2 + $3,
			packets / ($1 ? $1 : 0.01), $4 / 1024, bytes }' "$folder/took"
}

printf '%-8s %9s %9s %11s %9s %12s\n' '' seconds cpu packets/s 'peak MiB' 'bytes left'
run seenctl "$top/build/tools/seenctl" pcap "$folder/in" "$folder/out" --window "${WINDOW}s"
mv "$folder/out" "$folder/ours"
run editcap editcap -F pcap -w "$WINDOW" "$folder/in" "$folder/out"
if cmp -s "$folder/ours" "$folder/out"; then
	echo "the same packets are left"
else
	echo "different packets are left"
	exit 1
fi

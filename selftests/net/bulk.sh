#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Adds many addresses from a list, and from the lines of a batch. Prints the times of both, and
# the time of ipset, but does not judge them.

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/helpers/lib.sh"

ADDRESSES=$(scale 5000 100000 5000 1000000)
space=

# The same addresses in a scattered order: multiples of an odd number, modulo 2^24.
addresses() {
	awk -v n="$ADDRESSES" -v before="$1" 'BEGIN {
		for (i = 1; i <= n; i++) {
			x = (i * 10368889) % 16777216
			printf "%s10.%d.%d.%d\n", before, x / 65536,
				x / 256 % 256, x % 256
		}
	}'
}

# took FILE COMMAND...: prints the ms that COMMAND takes for FILE.
took() {
	local from=${EPOCHREALTIME/.}

	at "$space" "${@:2}" <"$1" || return
	echo $(((${EPOCHREALTIME/.} - from) / 1000))
}

plan 10
ns space
addresses '' >"$lib_dir/list"
addresses 'add list ' >"$lib_dir/restore"
addresses 'key add lines ' >"$lib_dir/batch"
at "$space" seenctl filter add list type cuckoo bits 32 capacity "$ADDRESSES"

seen_ms=$(took "$lib_dir/list" seenctl key add list -)
match "seenctl adds $ADDRESSES addresses" "$seen_ms" '^[0-9]+$'
is "all of them are seen" "$(at "$space" seenctl key test list - \
	<"$lib_dir/list" | grep -c ' seen$')" "$ADDRESSES"
is "the number of used slots is the same" "$(at "$space" seenctl -j filter show |
	jq '.[0].entries')" "$ADDRESSES"
at "$space" seenctl filter add lines type cuckoo bits 32 capacity "$ADDRESSES"
batch_ms=$(took "$lib_dir/batch" seenctl -b -)
match "a batch adds the same addresses" "$batch_ms" '^[0-9]+$'
is "the batch has added as many" "$(at "$space" seenctl -j filter show lines | jq '.[0].entries')" \
	"$ADDRESSES"
note "$ADDRESSES addresses: key add - $seen_ms ms, -b with a line each $batch_ms ms," \
	"ratio $(awk "BEGIN { print $batch_ms / $seen_ms }")"
if at "$space" ipset create list hash:ip hashsize 1048576 \
		maxelem "$ADDRESSES" 2>/dev/null; then
	ipset_ms=$(took "$lib_dir/restore" ipset restore)
	match "ipset adds the same addresses" "$ipset_ms" '^[0-9]+$'
	note "$ADDRESSES addresses: seenctl $seen_ms ms, ipset $ipset_ms ms," \
		"ratio $(awk "BEGIN { print $seen_ms / $ipset_ms }")"
else
	skip "ipset adds the same addresses" "this kernel has no hash:ip"
fi

# --- an allow list in a save ------------------------------------------------------------

# In a save, a line has at most 64 keys; a request has up to 1536.
ALLOWED=10000
addresses '' | head -n $ALLOWED >"$lib_dir/allowed"
at "$space" seenctl filter add allowing capacity 1000
at "$space" seenctl allow add allowing - <"$lib_dir/allowed" >/dev/null
at "$space" seenctl save >"$lib_dir/state"
at "$space" seenctl filter del allowing
at "$space" seenctl filter del list
at "$space" seenctl filter del lines
events changes "$space"
restore_ms=$(took "$lib_dir/state" seenctl restore)
match "a save with $ALLOWED allowed keys is restored" "$restore_ms" '^[0-9]+$'
is "all of them are on the allow list" \
	"$(at "$space" seenctl allow show allowing | sort | cksum)" "$(sort "$lib_dir/allowed" | cksum)"
at "$space" seenctl filter del allowing
check "all changes are reported" heard changes 10 'filter-del .*allowing'
requests=$(grep -c 'change allow' "$(heard_log changes)")
between "number of requests that added them" "$requests" 1 7
figure "restore of $ALLOWED allowed keys: $requests requests, $restore_ms ms"

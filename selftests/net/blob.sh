#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Malformed rules, which no tool writes but any program with CAP_NET_ADMIN can send: the
# kernel refuses each of them, logs the reason, and keeps the old rules.

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/helpers/lib.sh"
. "$(dirname "$0")/helpers/rules.sh"

tool=iptables-legacy
here=$(cd "$(dirname "$0")" && pwd)
TRIES=$(long 2000 50000)

# A member of the rule, and the reason that the kernel logs.
bad=(
	"filter=abcdefghijklmnopqrstuvwxyz012345" "filter: name must end with a zero byte"
	"filter=" "name: must not be empty, - or all"
	"filter=-" "name: must not be empty, - or all"
	"filter=a/b" "name: must be printable ASCII"
	"op=4" "op: unknown operation"
	"op=255" "op: unknown operation"
	"flags=8" "flags: unknown flags"
	"flags=255" "flags: unknown flags"
	"reserved=1" "flags: unknown flags"
	"over=1" "over: needs flag count-over"
	"flags=2 op=2 over=1" "count-over: needs operation test or add"
	"flags=2 op=3" "count-over: needs operation test or add"
)

blob() {
	at "$box" python3 "$here/helpers/blob.py" "$@"
}

# said TEXT: in the log since $mark.
said() {
	dmesg | sed "1,/$mark/d" | grep -F "xt_seen: $1"
}

asked() {
	[ "$(about f .stats.lookups)" -ge "$1" ]
}

plan $((${#bad[@]} + 7))
ns box
ask filter add f type cuckoo key dport capacity 100 bits 16
check "there is a rule" rule -A INPUT -p udp -m seen --filter f --test-add
before=$(saved -t filter)
for ((i = 0; i < ${#bad[@]}; i += 2)); do
	mark="blob.sh $$ $i:"
	echo "$mark" >/dev/kmsg
	read -ra words <<<"${bad[i]}"
	is "${bad[i]}: refused" "$(blob "${words[@]}")" EINVAL
	check "${bad[i]}: the log says why" said "${bad[i + 1]}"
done
is "the rules are unchanged" "$(saved -t filter)" "$before"
is "the kernel ignores a pointer in the rule" "$(blob slot=0x4141414141414141)" taken
datagrams "$box" 127.0.0.1 9 9
check "the rule uses its filter" await 10 asked 2
is "and the kernel does not return it" "$(blob get slot)" 0
read -r taken refused <<<"$(blob random "${TEST_SEED:-1}" "$TRIES")"
is "random rules are accepted or refused with EINVAL" $((taken + refused)) "$TRIES"
check "some are accepted, some are refused" [ $((taken > 9 && refused > 9)) = 1 ]
note "$taken taken, $refused refused"
rule -F

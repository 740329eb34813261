#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# A frame that a guard drops is counted where a note of `guard add` says: not in the
# device's own counters, but in the tracepoint skb:kfree_skb, with the reason.
#
#	$away a0 ------- b0 $box

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/helpers/lib.sh"

tracing=/sys/kernel/tracing
grep -qw "$tracing" /proc/mounts || mount -t tracefs tracefs $tracing ||
	skip_all "the kernel has no tracefs"
tracepoint=$tracing/events/skb/kfree_skb
grep -qs NETFILTER_DROP $tracepoint/format ||
	skip_all "the kernel's skb:kfree_skb tells no reasons"

plan 6
box='' away=''
ns box away
veth "$away" a0 "$box" b0

# counters: of the device, all that may go wrong with a frame there.
counters() {
	stat_of "$box" b0 'rx | del(.packets, .bytes, .multicast)'
}

# traced REGEX: prints how many lines of the tracepoint match.
traced() {
	grep 'kfree_skb:' $tracing/trace | grep -c "$1"
}

note='note: rx_dropped does not count dropped frames; skb:kfree_skb reports NETFILTER_DROP'
at "$box" seenctl filter add f capacity 10k key frame type cuckoo bits 32 \
	window 1h >/dev/null
said=$(at "$box" seenctl guard add dev b0 filter f action drop 2>&1 >/dev/null)
at "$away" frames 0 20 a0
await 20 ports_reach "$box" new 20
before=$(counters)
echo 1 >$tracepoint/enable
later "echo 0 >$tracepoint/enable"
at "$away" frames 0 20 a0
check "copies arrive" await 20 ports_reach "$box" dropped 20
echo 0 >$tracepoint/enable
is "each is counted as dropped" "$(ports_sum "$box" dropped)" 20
match "a note says where to look" "$said" "$note"
is "the device's own counters are unchanged" "$(counters)" "$before"
# 34997 is the ethertype of the helper's frames.
is "skb:kfree_skb reports each with the reason" \
	"$(traced 'protocol=34997 .*reason: NETFILTER_DROP$')" 20
is "skb:kfree_skb reports no other frame with that reason" \
	"$(traced 'reason: NETFILTER_DROP$')" 20

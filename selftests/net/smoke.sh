#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The module on a kernel of a distribution: each type of filter, a guard that drops copies,
# rules of iptables, and a loop of two bridges. The other tests run on a newer kernel at native
# speed; this test finds errors that depend on the kernel's version and configuration.
#
#	$far eth0 --- eth0 $box		a guard, rules
#
#	h1 --- s1 === s2 --- h2		two wires; s1 is guarded

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/helpers/loops.sh"
. "$(dirname "$0")/helpers/lib.sh"
# Sourced after loops.sh, because \`ask\` runs seenctl here.
. "$(dirname "$0")/helpers/rules.sh"

types="bloom cuckoo counting map cms cmm"

plan $((5 + 2 * $(wc -w <<<"$types") + 2 * 3 + 9))
ns box far
veth "$far" eth0 "$box" eth0
addr "$far" eth0 192.0.2.1/24
addr "$box" eth0 192.0.2.2/24
link_up "$box" eth0
check "seenctl loads the module" ask filter show

# --- filters -----------------------------------------------------------------------------

check "a bitmap" ask filter add ports key sport range 0-99
check "the bitmap has the number that was added" eval 'ask key add ports 7 && ask key test ports 7'
refuse "the bitmap has no other number" 1 "" ask key test ports 8
for type in $types; do
	check "$type: a filter" ask filter add "$type" type "$type" capacity 10k key bytes
	check "$type: the filter has the key that was added" eval \
		"ask key add $type one && ask key test $type one"
done

# A refusal has its text also where the start of a dump has no extack (Linux 6.1).
refused_dumps() {
	at "$box" python3 "$(dirname "$0")/requests.py" <<-END
		dump FILTER_GET NAME=str:ports
		dump TOP_GET
		dump TOP_GET FILTER=str:ports
		dump ALLOW_GET FILTER=str:nothing
		dump PORT_GET GUARD_KIND=u32:1 GUARD_DEV=str:nowhere
	END
}
is "dumps are refused" "$(refused_dumps)" \
	"EINVAL dump: takes no attributes; omit them
EINVAL filter: required, or filter-id
ENOTSUP top: this filter has no list; add a filter of type cms or cmm with top
ENOENT filter \"nothing\" does not exist
ENOENT guard dev nowhere does not exist"

# counted NEW SEEN: by the filter of the rules.
counted() {
	[ "$(about known '.stats | "\(.new) \(.seen)"')" = "$1 $2" ]
}

# --- rules -------------------------------------------------------------------------------

ask filter add known type cuckoo bits 32 capacity 1k key src
for tool in iptables-nft iptables-legacy; do
	ask filter flush known && ask filter reset known
	check "$tool: a rule" rule -A INPUT -p udp -m seen --filter known --test-add -j ACCEPT
	datagrams "$far" 192.0.2.2 1 2
	check "$tool: the first datagram is new, the second is seen" \
		await 10 counted 1 1
	check "$tool: the rule is deleted" rule -F INPUT
done

# --- guards --------------------------------------------------------------------------------

ask filter add copies type cuckoo bits 32 capacity 10k key frame window 1h
check "a guard" ask guard add dev eth0 filter copies action drop
at "$far" frames 0 20 eth0
await 20 ports_reach "$box" new 20
at "$far" frames 0 20 eth0
check "the guard drops copies" await 20 ports_reach "$box" dropped 20

# --- rmmod ---------------------------------------------------------------------------------

check "xt_seen unloads when no rule is left" await 20 rmmod xt_seen
check "filter and guard are deleted" ask reset
check "the module unloads" rmmod seen

# --- a loop, by a command that loads the module again --------------------------------------

switches s1 s2
host h1 s1
host h2 s2
wire s1 s2
ready s1 s2
check "a bridge is guarded" guard s1
events events "$s1"
wire s1 s2
ready s1 s2
at "$h1" frames 0 6 eth0
match "a port of the loop is blocked" "$(heard events 20 port-blocked)" "port s1s2[ab] "

check "copies are dropped" ports_reach "$s1" dropped 1

came() {
	[ "$(stat_of "$h2" eth0 rx.packets)" -ge $((before + 50)) ]
}
before=$(stat_of "$h2" eth0 rx.packets)
at "$h1" frames 1000 50 eth0
check "frames cross the bridges" await 20 came

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Rules that a filter can never answer are reported, by `filter show`, as long as they exist:
# whichever of rule and filter is made first, and also after the filter was replaced, swapped,
# renamed or restored from a snapshot.

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/helpers/lib.sh"
. "$(dirname "$0")/helpers/rules.sh"

# unfit FILTER: number of rules, and of those among them that are unfit
unfit() {
	about "$1" '"\(.rules) \(.unfit_rules)"'
}

# is_unfit FILTER NUMBERS
is_unfit() {
	[ "$(unfit "$1")" = "$2" ]
}

# Rules of each operation that one type does not have.
operations() {
	rule -A INPUT -m seen --filter f
	rule -A INPUT -m seen --filter f --add
	rule -A INPUT -m seen --filter f --del
	rule -A INPUT -m seen --filter f --count-over 7
	rule -A INPUT -m seen --filter f --add --count-over 8
	rule -A INPUT -m seen --filter f --test-add
	ask filter add f type bloom capacity 100 key dport
	is "$tool: bloom deletes no key and counts none" "$(unfit f)" "6 3"
	match "$tool: the text marks them" "$(ask filter show f)" ' rules 6 UNFIT 3'
	ask filter add g type cuckoo bits 32 capacity 100 key dport
	is "$tool: a filter without rules" "$(unfit g)" "0 0"
	ask filter swap f g
	is "$tool: after a swap with a cuckoo: a count of 8 is too high" "$(unfit f)" "6 1"
	is "$tool: the other filter has no rules" "$(unfit g)" "0 0"
	ask filter del g
	ask filter export f "$lib_dir/f.seen" --with-secret
	rule -D INPUT -m seen --filter f --add --count-over 8
	check "$tool: after the rule is deleted" await 10 is_unfit f "5 0"
	ask filter add sketch type cms capacity 100 key dport
	ask filter swap sketch f
	is "$tool: cms has no --test-add, --del" "$(unfit f)" "5 2"
	ask filter import f "$lib_dir/f.seen" --replace
	is "$tool: after the cuckoo is imported" "$(unfit f)" "5 0"
	rule -F INPUT
	check "$tool: the filter is deleted" await 10 ask filter del f --no-wait
	ask filter del sketch
}

# Keys that the packets of a rule never have.
keys() {
	rule -A INPUT -m seen --filter f
	rule -t mangle -A POSTROUTING -m seen --filter f
	rule -A OUTPUT -m seen --filter f
	rule -t mangle -A PREROUTING -m seen --filter f
	ask filter add f type cuckoo bits 32 capacity 100 key smac
	is "$tool: no link-layer header on the way out" "$(unfit f)" "4 2"
	match "$tool: the overview reports them" "$(ask -o)" '! f .* UNFIT rules: 2 of 4'
	rule -A INPUT -m seen --filter h
	ask filter add h type cuckoo bits 32 capacity 100 key bytes
	is "$tool: no packet has bytes" "$(unfit h)" "1 1"
	rule -F INPUT
	rule -F OUTPUT
	rule -t mangle -F PREROUTING
	check "$tool: rules that are deleted are not counted" await 10 is_unfit f "1 1"
	rule -t mangle -F POSTROUTING
	check "$tool: the filter is deleted" await 10 ask filter del f --no-wait
	await 10 ask filter del h --no-wait
}

# chain NUMBERS: a chain of the user that only OUTPUT calls.
chain() {
	rule -N mine
	rule -A OUTPUT -j mine
	rule -A mine -m seen --filter f
	ask filter add f type cuckoo bits 32 capacity 100 key smac
	is "$tool: a chain that only OUTPUT calls" "$(unfit f)" "$1"
	rule -F OUTPUT
	rule -F mine
	rule -X mine
	check "$tool: the filter is deleted" await 10 ask filter del f --no-wait
}

plan 39
ns box
for tool in iptables-nft ip6tables-legacy; do
	operations
	keys
done
# iptables-nft does not report which hooks call a chain of the user.
tool=iptables-nft
chain "1 0"
tool=ip6tables-legacy
chain "1 1"

# Rules of several tools add up.
for tool in iptables-nft ip6tables-legacy; do
	rule -A INPUT -m seen --filter f --del
done
ask filter add f type bloom capacity 100 key dport
is "rules of two tools" "$(unfit f)" "2 2"
refuse "a rename is refused" 1 "is in use (rules: 2)" ask filter rename f g
for tool in iptables-nft ip6tables-legacy; do
	rule -F INPUT
done
check "all rules are deleted" await 10 ask filter del f --no-wait
is "no name is left" "$(ask -j filter show)" "[]"
ask filter add f type bloom capacity 100 key dport
is "the name has no rules any more" "$(unfit f)" "0 0"
is "in JSON the attribute is a number" "$(about f .unfit_rules)" 0
is "the text does not mention it" "$(ask filter show f | grep -c UNFIT)" 0

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The text of rules: errors, help, listings, and saved rules, which are read again.
#
# rules.table has invalid rules: the words, and the error that all four tools print.

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/helpers/lib.sh"
. "$(dirname "$0")/helpers/rules.sh"

read -ra tools <<<"$(scale "iptables-nft ip6tables-legacy" "$TOOLS")"
here=$(cd "$(dirname "$0")" && pwd)

# Pairs: the rule as it is saved, and the text in a listing.
texts=(
	'-m seen --filter f'
	'filter f'
	'-m seen ! --filter f --test-add'
	'! filter f test-add'
	'-m seen --filter f --add'
	'filter f add'
	'-m seen ! --filter f --del --missing match'
	'! filter f del missing match'
	'-m seen --filter f --count-over 7'
	'filter f count-over 7'
	'-m seen ! --filter f --add --count-over 0 --missing match'
	'! filter f add count-over 0 missing match'
	'-p udp -m udp --dport 53 -m seen --filter f -m seen ! --filter g --add'
	'filter f seen ! filter g add'
	'-m seen --filter abcdefghijklmnopqrstuvwxyz01234'
	'filter abcdefghijklmnopqrstuvwxyz01234'
	'-m seen --filter "a\"b\\c\"$,;"'
	'filter "a\"b\\c\"$,;"'
	'-m seen --filter "!"'
	'filter "!"'
	'-m seen --filter --add'
	'filter --add'
)
count=$((${#texts[@]} / 2))

# saved_texts, told_texts
every_other() {
	local i

	for ((i = $1; i < ${#texts[@]}; i += 2)); do
		printf '%s\n' "${texts[i]}"
	done
}

# said WORD...: what the tool says, without its own name and version.
said() {
	rule "$@" 2>&1 >/dev/null |
		sed -n '1s/^[^ ]* v[^ ]* ([a-z_]*): //p'
}

errors() {
	local words want args

	while IFS='|' read -ru 3 words want; do
		eval "args=($words)"
		is "$tool: $words" "$(said -A INPUT "${args[@]}")" "$want"
	done 3<"$here/rules.table"
	is "$tool: no rule was added" "$(rule -S INPUT)" "-P INPUT ACCEPT"
}

round_trip() {
	local before

	{
		echo '*filter'
		every_other 0 | sed 's/^/-A INPUT /'
		echo COMMIT
	} >"$lib_dir/rules"
	check "$tool: restore" rules "$lib_dir/rules"
	is "$tool: each rule is saved as it was written" \
		"$(saved -t filter | sed -n 's/^-A INPUT //p')" \
		"$(every_other 0)"
	is "$tool: each rule is listed" \
		"$(rule -nL INPUT | sed -n 's/.* seen \(!* *filter\)/\1/p' |
			sed 's/ *$//')" \
		"$(every_other 1 | sed 's/.* seen //')"
	before=$(saved)
	printf '%s\n' "$before" >"$lib_dir/saved"
	check "$tool: restore the saved rules" rules "$lib_dir/saved"
	is "$tool: the restored rules are the same" "$(saved)" "$before"
	remove
	is "$tool: no rule is left" "$(rule -S INPUT)" "-P INPUT ACCEPT"
	is "$tool: no filter name is left" \
		"$(ask -j filter show)" "[]"
}

# -C and -D find a rule by its own words only. Exception: ip6tables-legacy, up to version
# 1.8.9, takes any matches of the same length for equal.
remove() {
	local words args

	if [ "$tool" = ip6tables-legacy ]; then
		set -- -p tcp
	fi
	refuse "$tool: a rule that does not exist is not found" 1 "" \
		rule -C INPUT -m seen --filter f --del "$@"
	while read -ru 3 words; do
		eval "args=(${words//\$/\\\$})"
		check "$tool: -D $words" rule -D INPUT "${args[@]}"
	done 3< <(every_other 0)
}

others() {
	match "$tool: help" "$(rule -m seen --help)" \
		'seen match options:.*--filter NAME.*--missing WORD'
	is "$tool: -translate prints the rule as a comment, with the reason" \
		"$(at "$box" "${tool%-*}-translate" -A INPUT \
			-m seen ! --filter f --add -j DROP | head -n1)" \
		"nft # nftables has no expression for -m seen ! --filter f --add: keep iptables-nft, or let a guard (seenctl) mark packets"
	match "$tool: no line of the translation has an effect" \
		"$(at "$box" "${tool%-*}-translate" -A INPUT \
			-m seen --filter f -j DROP | tail -n +2)" \
		'^# -A INPUT .*--filter f -j DROP *$'
}

plan $((${#tools[@]} * ($(wc -l <"$here/rules.table") + 12 + count) + 2))
ns box
for tool in "${tools[@]}"; do
	errors
	round_trip
	others
done
tool=iptables-nft
rule -A INPUT -m seen --filter f
match "nft lists the rule, without a translation" \
	"$(at "$box" nft list chain ip filter INPUT)" \
	$'\n\t\txt match "?seen"? counter packets 0 bytes 0\n'
refuse "ebtables does not have the match" 2 "Unknown argument" \
	at "$box" ebtables-nft -A INPUT -m seen --filter f

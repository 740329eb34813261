# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Sourced after ../lib.sh by the tests of rules: the tools that make rules, in the
# namespace $box, and the datagrams that the rules match.

# shellcheck disable=SC2034 # for the tests that source this
TOOLS="iptables-nft iptables-legacy ip6tables-nft ip6tables-legacy"
box=''

# ask COMMAND...: runs seenctl in the namespace.
ask() {
	seenctl -n "$box" "$@"
}

# about FILTER JQ: prints a member of the filter, such as .stats.lookups, if it exists.
about() {
	ask -j -s filter show |
		jq -r --arg name "$1" ".[] | select(.name == \$name) | $2"
}

# rule ARG...: to the tool
rule() {
	at "$box" "$tool" "$@"
}

# rules FILE: restored
rules() {
	at "$box" "$tool-restore" "$1"
}

# saved [ARG...]: what the tool saves, without comments, which hold the time.
saved() {
	at "$box" "$tool-save" "$@" | grep -v '^#'
}

# hits CHAIN NUMBER: packets that a rule has matched; in table filter.
hits() {
	rule -vS "$1" "$2" | sed -n 's/.* -c \([0-9]*\) .*/\1/p'
}

# has TABLE: the kernel has such a table for the tool. Makes it and empties it.
has() {
	rule -t "$1" -A OUTPUT && rule -t "$1" -F
} >/dev/null 2>&1

# family NAME4 NAME6: the one that the tool has to do with.
family() {
	case $tool in
	ip6*)	echo "$2" ;;
	*)	echo "$1" ;;
	esac
}

# datagrams NAMESPACE ADDRESS PORT...: one to each port.
datagrams() {
	# shellcheck disable=SC2016 # the other shell expands it
	at "$1" bash -c 'for port in "${@:2}"; do
		echo >"/dev/udp/$1/$port"
	done' - "${@:2}"
}

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# bash completion, the help and the manual have the same words: objects, commands, options, and
# the words in the synopsis of each command. Every completed word is in the help of the object,
# or is another name of a command.
#
# A page of the manual has the synopses of its objects as the help prints them. Each word of
# them, and each term that the help explains, is a tag (.TP) of the page, and each tag is a
# word of the help.

. "$(dirname "$0")/../lib.sh"
top=$(cd "$(dirname "$0")/../.." && pwd)
PATH=${TOOLS:-$top/build/tools}:$PATH
. "$top/tools/bash-completion/seenctl"
manual=$top/tools/man
# Let it complete no files, devices and filters.
mkdir "$lib_dir/empty" && cd "$lib_dir/empty" || exit
_seenctl_filters() { :; }
_seenctl_devices() { :; }

# offered WORD...: prints the words that may follow these, one per line.
offered() {
	local COMP_WORDS=(seenctl "$@" '') COMP_CWORD=$(($# + 1)) COMPREPLY=()

	_seenctl
	printf '%s\n' "${COMPREPLY[@]}"
}

# words: the literal words of a synopsis. (Names of values are in capitals.)
words() {
	tr -cs 'A-Za-z0-9_-' '\n' | grep -Ex -- '--?[a-z0-9][a-z-]*|[a-z][a-z-]*|-'
}

# synopsis OBJECT [COMMAND]
synopsis() {
	seenctl "$1" help "${@:2}" | sed '/^$/,$d'
}

# commands OBJECT: prints its commands; nothing if the object is itself a command.
commands() {
	synopsis "$1" | sed -nE "s/^(Usage:|      ) seenctl $1 ([a-z]+) .*/\2/p" | sort -u
}

# walk WORD...: prints all words offered after the command, and after each word of $synopsis.
walk() {
	local word

	offered "$@"
	offered "$@" x
	offered "$@" x y
	offered "$@" x y z
	for word in $synopsis; do
		offered "$@" "$word"
		offered "$@" x "$word"
		offered "$@" dev x "$word"
		offered "$@" x y "$word"
	done
}

# compare WHAT WORD...: exactly the words of the command are offered.
compare() {
	local what=$1 object=$2
	local synopsis known offers

	shift
	synopsis=$(synopsis "$@" | sed -E "s/.*seenctl $*//; s/, as of.*//" |
		words | sort -u)
	# The help of filters has the words for keys.
	known=$({ seenctl "$object" help; seenctl filter help; } | tr -cs 'A-Za-z0-9_-' '\n' | sort -u)
	offers=$(walk "$@" | grep . | sort -u)
	is "$what: each word is offered" \
		"$(comm -23 <(echo "$synopsis") <(echo "$offers") | paste -sd' ')" ""
	is "$what: each offered word is in the help" \
		"$(comm -13 <(echo "$known") <(echo "$offers") | grep -vx help | paste -sd' ')" ""
}

# page_of OBJECT: the page whose NAME has it.
page_of() {
	awk -v name="seenctl\\\\\\\\-$1" '
		/^\.SH/ { section = $2 }
		section == "NAME" && $0 ~ "(^|, )" name "( |,)" { print FILENAME; exit }' \
		"$manual"/*.8
}

# synopses OBJECT: of its commands, a line each, as the help prints them.
synopses() {
	synopsis "$1" | tr -s ' \n' ' ' | sed "s/^Usage: //; s/ seenctl $1/\nseenctl $1/g; s/ \$//"
}

# page_synopses PAGE OBJECT
page_synopses() {
	mandoc -Tascii -Owidth=1000 "$1" | sed 's/.\x08//g' | tr -s ' ' |
		sed -n "/^SYNOPSIS/,/^DESCRIPTION/s/^ *\(seenctl $2 \)/\1/p"
}

# tags PAGE: the lines after .TP and .TQ, except in sections that describe no command line.
tags() {
	awk '
		/^\.SH/ { skip = /^\.SH (OUTPUT|EXIT STATUS|FILES)/ }
		tag && !skip { sub(/^\.[A-Z]+ /, ""); print }
		{ tag = /^\.T[PQ]$/ }' "$1" |
		sed -E 's/\\f(\(..|.)//g; s/\\-/-/g; s/"//g'
}

# terms OBJECT: the words that the help explains: those that begin its indented lines.
terms() {
	seenctl "$1" help | sed '1,/^$/d' |
		sed -nE 's/^  (-*[a-z][a-z-]*(, -*[a-z][a-z-]*)*).*/\1/p'
}

# explain PAGE OBJECT...: the page and the help of its objects have the same words. The fields
# of a key are in the help of filters.
explain() {
	local page=$1 name=${1##*/} object needed known

	shift
	for object; do
		is "$name: synopses of $object" "$(page_synopses "$page" "$object")" \
			"$(synopses "$object")"
	done
	needed=$(for object; do
		synopsis "$object" | sed -E 's/.*seenctl [a-z]+//; s/, as of.*//'
		terms "$object"
	done | words | sort -u)
	known=$(for object; do
		echo "$object"
		seenctl "$object" help
		seenctl filter help
	done | words | sort -u)
	is "$name: each word of the help is explained" \
		"$(comm -23 <(echo "$needed") <(tags "$page" | words | sort -u) | paste -sd' ')" ""
	is "$name: each tag is in the help" \
		"$(comm -13 <(echo "$known") <(tags "$page" | words | sort -u) | paste -sd' ')" ""
}

# overview: the objects in the manual's first page, as the help prints them.
overview() {
	sed -n '/^\.TS/,/^\.TE/s/^\([a-z]*\)\t\([^\t]*\)\t.*/\1 \2/p' "$manual/seenctl.8"
}

# long_options: in a text, the words with one dash or two.
long_options() {
	grep -oE -- '(^|[ ,[])--?[A-Za-z][a-z-]*' | tr -d ' ,[' | sort -u
}

mapfile -t objects < <(seenctl help | sed -nE 's/^  ([a-z]+) +.*/\1/p')
all=()
for object in "${objects[@]}"; do
	mapfile -t names < <(commands "$object")
	[ "${#names[@]}" != 0 ] || all+=("$object")
	for name in "${names[@]}"; do
		all+=("$object $name")
	done
done
declare -A pages=()
for object in "${objects[@]}"; do
	page=$(page_of "$object")
	pages[${page:-none}]+=" $object"
done
plan $((2 * ${#all[@]} + 2 * ${#objects[@]} + 2 * ${#pages[@]} + 6))
is "objects and options are offered" "$(offered | sort)" "$(
	{
		printf '%s\n' "${objects[@]}" help
		seenctl help | sed -nE 's/^  (-.,)? *(-[A-Za-z]{2,}).*/\2/p'
	} | sort)"
is "help offers the objects" "$(offered help)" "$(printf '%s\n' "${objects[@]}")"
for object in "${objects[@]}"; do
	known=$(commands "$object")
	if [ -z "$known" ]; then
		match "$object: help is offered" " $(offered "$object" | paste -sd' ') " ' help '
	else
		is "commands of $object" \
			"$(offered "$object" | grep -vxE 'ls|list|delete|help' | sort)" "$known"
	fi
done
for line in "${all[@]}"; do
	read -ra command <<<"$line"
	compare "$line" "${command[@]}"
done

is "the manual has a page for each object" "${pages[none]:-}" ""
for page in "${!pages[@]}"; do
	read -ra names <<<"${pages[$page]}"
	explain "$page" "${names[@]}"
done
is "the manual's objects" "$(overview)" "$(seenctl help | sed -nE 's/^  ([a-z]+) +(.*)/\1 \2/p')"
is "the manual's options" \
	"$(tags "$manual/seenctl.8" | long_options)" \
	"$(seenctl help | sed -nE 's/^  (-[^ ]*,? ?-?[A-Za-z]*).*/\1/p' | long_options)"
is "options of the match" "$(tags "$manual/libxt_seen.8" | long_options)" \
	"$(XTABLES_LIBDIR=${TOOLS:-$top/build/tools} iptables -m seen --help 2>/dev/null |
		sed '1,/^seen match/d' | sed -nE 's/^[][! ]*(--[a-z-]+).*/\1/p' | long_options)"

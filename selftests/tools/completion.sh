#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# bash completion and the help have the same words: objects, commands, options, and the words in
# the synopsis of each command. Every completed word is in the help of the object, or is another
# name of a command.

. "$(dirname "$0")/../lib.sh"
top=$(cd "$(dirname "$0")/../.." && pwd)
PATH=${TOOLS:-$top/build/tools}:$PATH
. "$top/tools/bash-completion/seenctl"
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

mapfile -t objects < <(seenctl help | sed -nE 's/^  ([a-z]+) +.*/\1/p')
all=()
for object in "${objects[@]}"; do
	mapfile -t names < <(commands "$object")
	[ "${#names[@]}" != 0 ] || all+=("$object")
	for name in "${names[@]}"; do
		all+=("$object $name")
	done
done
plan $((2 * ${#all[@]} + ${#objects[@]} + 1))
is "objects and options are offered" "$(offered | sort)" "$(
	{
		printf '%s\n' "${objects[@]}" help
		seenctl help | sed -nE 's/^  (-.,)? *(-[A-Za-z]{2,}).*/\2/p'
	} | sort)"
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

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Completion, the help and the manual have the same words: objects, commands, options, and the words
# in the synopsis of each command. Every completed word is in the help of the object, or is another
# name of a command. bash and zsh offer the same, and insert words with odd characters as words.
#
# A page of the manual has the synopses of its objects as the help prints them. Each word of
# them, and each term that the help explains, is a tag (.TP) of the page, and each tag is a
# word of the help.

. "$(dirname "$0")/../lib.sh"
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
PATH=${TOOLS:-$top/build/tools}:$PATH
. "$top/tools/bash-completion/seenctl"
# The programs of this machine are no words of seenctl.
_seenctl_programs() { :; }
manual=$top/tools/man
# Let it complete no files.
mkdir "$lib_dir/empty" && cd "$lib_dir/empty" || exit
COMP_WORDBREAKS=$' \t\n"\'@><=;|&(:'
by_bash=$lib_dir/by_bash
: >"$by_bash"

# The builtin of this name works only while bash completes. $paths: zsh's function for the same.
compopt() {
	case $* in
	"-o dirnames") paths='_files -/' ;;
	"-o default" | "-o filenames") paths='_files ' ;;
	esac
}

# offered WORD...: prints the words that may follow these, one per line.
offered() {
	local COMP_LINE="seenctl $* " COMPREPLY=() paths=
	local COMP_POINT=${#COMP_LINE}

	[ $# != 0 ] || COMP_LINE='seenctl ' COMP_POINT=8
	_seenctl seenctl '' ''
	[ ${#COMPREPLY[@]} = 0 ] || printf '%s\n' "${COMPREPLY[@]}" | sort -u
	printf '%s\n' "> $*" "${COMPREPLY[@]}" "$paths" >>"$by_bash"
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

# walk WORD...: prints all words offered after the command, after each of these words, and after
# values of any kind.
walk() {
	local -A found=()
	local -a offers
	local queue=('') at after word news

	for ((at = 0; at < ${#queue[@]}; at++)); do
		read -ra after <<<"${queue[at]}"
		mapfile -t offers < <(offered "$@" "${after[@]}")
		news=${#offers[@]}
		for word in "${offers[@]}"; do
			[ -z "${found[$word]:-}" ] || continue
			found[$word]=1 news=0
			queue+=("${after[*]} $word")
		done
		# A value follows, or any word may.
		((news != 0 || ${#after[@]} > 4)) || queue+=("${after[*]} x")
	done
	printf '%s\n' "${!found[@]}"
}

# compare WHAT WORD...: exactly the words of the command are offered.
compare() {
	local what=$1 object=$2
	local synopsis known offers

	shift
	synopsis=$(synopsis "$@" | sed -E "s/.*seenctl $*//; s/, as of.*//" |
		words | sort -u)
	# The help of filters has the words for keys. The host's devices are offered, too.
	known=$({ seenctl "$object" help; seenctl filter help; ls /sys/class/net; } |
		tr -cs 'A-Za-z0-9_-' '\n' | sort -u)
	offers=$(walk "$@" | grep . | sort -u)
	is "$what: each word is offered" \
		"$(comm -23 <(echo "$synopsis") <(echo "$offers") | paste -sd' ')" ""
	is "$what: each offered word is in the help" \
		"$(comm -13 <(echo "$known") <(echo "$offers") | grep -vx help | paste -sd' ')" ""
}

# sorted: answers after the same lines in the same order; a line begins with ">".
sorted() {
	awk '/^>/ { line = $0; print; next } NF { print line, $0 }' | sort -u
}

# by_zsh: what zsh offers after the same lines.
by_zsh() {
	sed -n 's/^> //p' "$by_bash" | zsh -f "$here/helpers/offers.zsh" \
		"$top/tools/zsh-completion/_seenctl"
}

# among_names COMMAND...: runs it where the named namespaces have odd names.
among_names() {
	# shellcheck disable=SC2016 # the inner shell's
	unshare -m sh -c 'mount -t tmpfs none /run && mkdir /run/netns && cd /run/netns &&
		touch blue "x y" "a;touch pwned" "\$(touch pwned)" "it'\''s" "q\"\`touch pwned\`" \
			"back\\slash" c:d e=f "$(printf "two\nlines")" && cd "$0" && exec "$@"' \
		"$PWD" "$@"
}

# typed SHELL: types the lines of typed.table in a folder with odd names; prints the words.
typed() {
	local folder=$lib_dir/$1

	mkdir -p "$folder/here/dir" && cd "$folder/here" || return
	# shellcheck disable=SC2016 # a file's name
	touch 'saved file' 'x$(touch pwned);y' dir/f
	cat >"$folder/setup"
	cut -d'|' -f1 "$here/typed.table" |
		among_names "$here/helpers/typed.py" "$1" "$folder/setup" "$folder/transcript"
}

# judge_typed SHELL: each line is completed; nothing was executed, and no error was printed.
judge_typed() {
	local line got

	typed "$1" >"$lib_dir/$1.words"
	while IFS= read -ru 3 line && { IFS= read -ru 4 got || got=nothing; }; do
		is "$1: ${line%%|*}" "$got" "${line#*|}"
	done 3<"$here/typed.table" 4<"$lib_dir/$1.words"
	is "$1 has executed no name" "$(find "$lib_dir/$1/here" -name pwned)" ""
	is "$1 has printed no error" "$(grep -a 'seenctl: ' "$lib_dir/$1/transcript")" ""
}

# splits_odd_lines: builds the splitting of lines with sanitizers, and runs it on odd lines.
splits_odd_lines() {
	gcc -std=gnu11 -O1 -g -D_GNU_SOURCE -fsanitize=address,undefined \
		-fno-sanitize-recover=all -I "$top/tools/seenctl" -I "$top/tools/lib" -I "$top/uapi" \
		-o "$lib_dir/odd_lines" "$here/helpers/odd_lines.c" \
		"$top/tools/seenctl/shell_line.c" && "$lib_dir/odd_lines"
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
plan $((2 * ${#all[@]} + 2 * ${#objects[@]} + 2 * ${#pages[@]} + 12 +
	2 * $(wc -l <"$here/typed.table")))
is "objects and options are offered" "$(offered | sort)" "$(
	{
		printf '%s\n' "${objects[@]}" help
		seenctl help | sed -nE 's/^  (-.,)? *(-[A-Za-z]{2,}).*/\2/p'
	} | sort)"
is "help offers the objects" "$(offered help)" "$(printf '%s\n' "${objects[@]}" | sort)"
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
is "zsh offers the same" "$(diff <(sorted <"$by_bash") <(by_zsh | sorted))" ""
is "odd lines are split within their bounds" "$(splits_odd_lines 2>&1; echo $?)" 0
judge_typed bash <<-END
	PATH=$PATH
	. '$top/tools/bash-completion/seenctl'
	END
judge_typed zsh <<-END
	PATH=$PATH
	fpath=('$top/tools/zsh-completion' \$fpath)
	autoload -U compinit
	compinit -D -u
	END

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

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The ways to ask seenctl for help, and the suggestions for unknown commands and options. Nothing
# here needs the kernel.

. "$(dirname "$0")/../lib.sh"
PATH=${TOOLS:-$(cd "$(dirname "$0")/../../build/tools" && pwd)}:$PATH


plan 68
for object in filter key allow guard feed fleet top plan monitor save restore reset file dedup pcap; do
	help=$(seenctl $object help)
	match "$object help has its usage" "$help" "^Usage: seenctl $object"
	is "help $object is the same" "$(seenctl help $object)" "$help"
	is "so is $object --help" "$(seenctl $object --help)" "$help"
done
is "an abbreviation" "$(seenctl help fil)" "$(seenctl filter help)"
is "-h before an object" "$(seenctl -h filter)" "$(seenctl filter help)"
is "help of a command" "$(seenctl help filter set)" "$(seenctl filter help set)"
for words in "filter add --help" "filter add -h" "filter add f capacity 10 -help" \
		"filter add help" "filter rename help"; do
	read -ra word <<<"$words"
	is "$words" "$(seenctl "${word[@]}")" "$(seenctl filter help "${word[1]}")"
done
is "guard add help" "$(seenctl guard add help)" "$(seenctl guard help add)"
is "guard pause help" "$(seenctl guard pause help)" "$(seenctl guard help pause)"
is "key add f 1 --help" "$(seenctl key add f 1 --help)" "$(seenctl key help add)"
is "an object without commands" "$(seenctl top f --help)" "$(seenctl top help)"
is "with -j the help is not in the JSON" "$(seenctl -j filter add --help 2>/dev/null)" "{}"
refuse "file test: after -- it is a key" 3 "/nowhere" seenctl file test /nowhere -- --help
refuse "file show: help may be the name" 3 "help: No such file" seenctl file show help
refuse "help of an unknown object" 2 'unknown object "flter", did you mean "filter"?' \
	seenctl help flter
refuse "help of an unknown command" 2 'filter: unknown command "shwo", did you mean "show"?' \
	seenctl help filter shwo

refuse "a command of ipset" 2 'filter: unknown command "destroy", did you mean "del"?' \
	seenctl filter destroy f
refuse "another one" 2 'filter: unknown command "create", did you mean "add"?' \
	seenctl filter create f
refuse "only commands of the object are suggested" 2 'did you mean "create"?' \
	seenctl file crate f
refuse "a command of files" 2 'allow: unknown command "rm", did you mean "del"?' \
	seenctl allow rm f
refuse "without a suggestion the commands are listed" 2 \
	'allow: unknown command "bogus" (add, del, show, map)' seenctl allow bogus
refuse "-v" 2 'unknown option "-v", did you mean "-V"?' seenctl -v

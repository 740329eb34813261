#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# part.sh FILE NAME...: these functions of a C file, and macros of one line, in the
# file's order, each with the line that it is from. One that is not there, or not all in
# its file's order, is an error.

file=$1
shift
awk -v names="$*" -v file="${file##*/}" '
	BEGIN { count = split(names, name); at = 1 }
	$1 == "#define" && $2 == name[at] {
		printf "#line %d \"%s\"\n%s\n\n", FNR, file, $0
		at++
	}
	# The head of a definition: at the margin, and no prototype.
	/^[a-z]/ && !inside && at <= count && \
	    match($0, "(^|[ *])" name[at] "\\(") && !/;$/ {
		printf "#line %d \"%s\"\n", FNR - (type != ""), file
		printf "%s", type
		inside = 1
	}
	inside { print }
	# A line of its own.
	{ type = /^[a-z][a-z_ ]*$/ ? $0 "\n" : "" }
	inside && /^}/ { inside = 0; at++; print "" }
	END {
		if (at <= count) {
			print "no " name[at] " in " file >"/dev/stderr"
			exit 1
		}
	}' "$file"

# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash

# sources REGEX: the project's own files whose paths match. Asks no repository:
# there may be none, or one that git does not trust.
sources() {
	find . \( -path ./build -o -path ./.git \) -prune -o -type f -print |
		sed 's,^\./,,' | sort | grep -E "$1"
}

# said_of FILE: the lines of what a checker has said, in $lib_dir/said, that begin with its name.
said_of() {
	awk -v name="$1:" 'index($0, name) == 1' "$lib_dir/said"
}

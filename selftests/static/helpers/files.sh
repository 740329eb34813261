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

# A file that has passed a checker is not looked at again while the file, the checker and
# whatever else the result depends on are the same. The cache remembers it for all clones.
passed_dir=${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/seen/passed

# passed_mark WORD FILE: WORD stands for the checker, and for all else.
passed_mark() {
	echo "$passed_dir/$({ echo "$1 $2"; cat "$2"; } | sha256sum | cut -d' ' -f1)"
}

# not_passed WORD FILE...: prints those that are to be looked at.
not_passed() {
	local file

	for file in "${@:2}"; do
		[ -e "$(passed_mark "$1" "$file")" ] || echo "$file"
	done
}

# judge_said SOUND WORD FILE: one result, of what was said of the file. Remembers that it has
# passed if SOUND is 0: the checker has looked at all that it was asked to.
judge_said() {
	is "$3" "$(said_of "$3")" ""
	if [ "$1" = 0 ] && [ -z "$(said_of "$3")" ]; then
		mkdir -p "$passed_dir"
		: >"$(passed_mark "$2" "$3")"
	fi
}

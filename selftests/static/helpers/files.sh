# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash

# sources REGEX: the project's own files whose paths match. Does not use git: there may be
# no repository, or git may not trust it.
sources() {
	find . \( -path ./build -o -path ./.git \) -prune -o -type f -print |
		sed 's,^\./,,' | sort | grep -E "$1"
}

# said_of FILE: prints the checker's messages (in $lib_dir/said) that begin with the file's name.
said_of() {
	awk -v name="$1:" 'index($0, name) == 1' "$lib_dir/said"
}

# A file that passed a checker is checked again only after the file, the checker or anything else
# that the result depends on has changed. All clones share this cache.
passed_dir=${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/seen/passed

# passed_mark WORD FILE: WORD identifies the checker and all other inputs.
passed_mark() {
	echo "$passed_dir/$({ echo "$1 $2"; cat "$2"; } | sha256sum | cut -d' ' -f1)"
}

# not_passed WORD FILE...: prints the files that must be checked.
not_passed() {
	local file

	for file in "${@:2}"; do
		[ -e "$(passed_mark "$1" "$file")" ] || echo "$file"
	done
}

# judge_said SOUND WORD FILE: one result: the checker has no message about the file. SOUND is 0
# if the checker has looked at all files; only then a pass is stored in the cache.
judge_said() {
	is "$3" "$(said_of "$3")" ""
	if [ "$1" = 0 ] && [ -z "$(said_of "$3")" ]; then
		mkdir -p "$passed_dir"
		: >"$(passed_mark "$2" "$3")"
	fi
}

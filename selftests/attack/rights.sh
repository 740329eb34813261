#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Every command of the family without CAP_NET_ADMIN. The family itself is asked which
# commands it has, and each number that a command can have is tried, so that none is
# forgotten: all are refused, to a user without privilege, and to the root of a user
# namespace in a network namespace that is not its own. The documents agree.

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../net/helpers/lib.sh"

here=$(cd "$(dirname "$0")" && pwd)

plan 13
modprobe seen || exit 1
box=''
ns box
at "$box" seenctl -j -b - <<-END >/dev/null || exit 1
	filter add f capacity 1k key bytes type cuckoo bits 16
	filter add hosts capacity 1k key host type cuckoo bits 16
	key add f a
	allow add f b
	guard add dev lo match all filter hosts
	END

raw() {
	python3 "$here/helpers/raw.py" "$@"
}

# nobody COMMAND...: without any privilege, in the test's own network namespace.
nobody() {
	at "$box" setpriv --reuid=65534 --regid=65534 --clear-groups \
		--bounding-set=-all "$@"
}

# stranger COMMAND...: root of a user namespace of its own, there.
stranger() {
	nobody unshare -Ur "$@"
}

# What may be had by looking changes nothing: flushes, deletes, moves.
everything() {
	at "$box" seenctl -j filter show
	at "$box" seenctl -j guard show
	at "$box" seenctl allow show f
	at "$box" seenctl key test f a
}

# documented KIND: the values that seen.yaml has for operations, not events, of which
# the admin's say so.
documented() {
	awk -v kind="$1" '
		function flush() {
			if (value != "" && asks)
				print value, admin ? "admin" : "open"
			value = ""; admin = 0; asks = 0
		}
		/^operations:/ { inside = 1 }
		!inside { next }
		/^    -$/ { flush() }
		/^      value:/ { value = $2 }
		/^      flags:.*admin-perm/ { admin = 1 }
		/^      (do|dump):/ { asks = 1 }
		END { flush() }' "$here/../Documentation/netlink/specs/seen.yaml" |
		awk -v kind="$1" 'kind == "all" || $2 == kind'
}

raw ops | sort -n >"$lib_dir/ops"
commands=$(wc -l <"$lib_dir/ops")
between "the family tells its commands" "$commands" 20 255
is "and has those of the specification, with their flags" \
	"$(cat "$lib_dir/ops")" "$(documented all | sort -n)"
is "none is open" "$(awk '$2 == "open" { print $1 }' "$lib_dir/ops" | xargs)" ""

# refused WHO: what is answered to each command from 0 to 255, and what is not a
# refusal.
refused() {
	"$1" python3 "$here/helpers/raw.py" try >"$lib_dir/tried"
	is "$1: every number was tried, both ways" \
		"$(wc -l <"$lib_dir/tried")" 512
	is "$1: each of $commands commands is refused" \
		"$(awk '
			NR == FNR { op[$1] = 1; next }
			$1 in op && $3 == "EPERM" { op[$1] = 0; next }
			$3 != "ENOTSUP" && $3 != "EOPNOTSUPP"
			END { for (o in op) if (op[o]) print o " never" }
			' "$lib_dir/ops" "$lib_dir/tried")" ""
	is "$1: no group can be joined" \
		"$("$1" python3 "$here/helpers/raw.py" groups | sort -u)" EPERM
}

before=$(everything)
refused nobody
refused stranger
is "nothing has changed" "$(everything)" "$before"
refuse "nobody lists the filters" 1 "Operation not permitted" \
	nobody seenctl filter show

# The same, with the right to it, is refused for what it lacks or done: so the above
# could have come out differently.
at "$box" python3 "$here/helpers/raw.py" try >"$lib_dir/tried"
is "with CAP_NET_ADMIN nothing lacks a permission" \
	"$(wc -l <"$lib_dir/tried") $(grep -c EPERM "$lib_dir/tried")" "512 0"
is "and the group is joined" "$(at "$box" python3 "$here/helpers/raw.py" groups)" \
	joined
figure "privilege: $commands commands, 256 numbers tried as requests and dumps by a user and by a stranger's root"

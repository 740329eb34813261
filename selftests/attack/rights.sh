#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Every command of the family requires CAP_NET_ADMIN. The test gets the list of commands from the
# family itself, and also tries each number that a command can have. All are refused to a user
# without privilege, and to the root of a user namespace in a network namespace that is not its
# own. The documents agree.

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

# nobody COMMAND...: runs it without any privilege, in the test's network namespace.
nobody() {
	at "$box" setpriv --reuid=65534 --regid=65534 --clear-groups \
		--bounding-set=-all "$@"
}

# stranger COMMAND...: runs it as root of a new user namespace, in the same network namespace.
stranger() {
	nobody unshare -Ur "$@"
}

# Prints all objects, to check that flushes, deletions and moves had no effect.
everything() {
	at "$box" seenctl -j filter show
	at "$box" seenctl -j guard show
	at "$box" seenctl allow show f
	at "$box" seenctl key test f a
}

# documented KIND: prints the values of operations (without events) in seen.yaml, and whether the
# administrator's flag is set.
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
between "the number of commands of the family" "$commands" 20 255
is "the commands are those of the specification, with their flags" \
	"$(cat "$lib_dir/ops")" "$(documented all | sort -n)"
is "no command is open to all" "$(awk '$2 == "open" { print $1 }' "$lib_dir/ops" | xargs)" ""

# refused WHO: tries each number from 0 to 255; no command is accepted, no group can be joined.
refused() {
	"$1" python3 "$here/helpers/raw.py" try >"$lib_dir/tried"
	is "$1: every number was tried, as request and as dump" \
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
refuse "a user without privilege cannot list filters" 1 "Operation not permitted" \
	nobody seenctl filter show

# Control: with the privilege, the same requests are accepted or refused for other reasons. So the
# results above depend on the privilege.
at "$box" python3 "$here/helpers/raw.py" try >"$lib_dir/tried"
is "with CAP_NET_ADMIN no request lacks a permission" \
	"$(wc -l <"$lib_dir/tried") $(grep -c EPERM "$lib_dir/tried")" "512 0"
is "with CAP_NET_ADMIN groups are joined" "$(at "$box" python3 "$here/helpers/raw.py" groups)" \
	joined
figure "privilege: $commands commands, 256 numbers tried as requests and dumps by a user and by a stranger's root"

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The arguments and the configuration of seend: what is refused, with the line and the remedy. No
# daemon runs here.

. "$(dirname "$0")/../lib.sh"
here=$(cd "$(dirname "$0")" && pwd)
seend=$here/../../build/fleet/seend-local
conf=$lib_dir/conf

# config [SED]: a good configuration, changed by a script of sed.
config() {
	sed "${1:-}" >"$conf" <<-END
	[host]
	key = $lib_dir/key
	state = $lib_dir
	socket = $lib_dir/sock
	[group bans]
	filter = f
	engine = unix:$lib_dir/redis.sock
	seal = $lib_dir/seal
	user = seen
	password = $lib_dir/password
	[hosts bans]
	web1 = $public publish aggregate
	web2 = $other publish
	END
}

# wrong WHAT TEXT SED: a changed configuration is refused.
wrong() {
	config "$3"
	refuse "$1" 1 "seend: $conf: $2" "$seend" check "$conf"
}

# good WHAT SED: a changed configuration is accepted.
good() {
	config "$2"
	check "$1" "$seend" check "$conf"
}

plan 56

# --- arguments ---------------------------------------------------------------------------

for word in -h --help help; do
	match "$word prints how seend is called" "$("$seend" $word)" '^usage: seend '
done
for word in -V --version; do
	match "$word prints the version" "$("$seend" $word)" '^seend [0-9.]+$'
done
refuse "an unknown command" 2 $'seend: unknown command "foo"\nusage: seend' "$seend" foo
refuse "a missing file" 2 "seend: key: FILE: required" "$seend" key
refuse "a missing group" 2 "seend: publish: GROUP: required" "$seend" publish
refuse "a missing folder" 2 "seend: publish: FOLDER: required" "$seend" publish bans
refuse "one argument too many" 2 "seend: run: b: one argument too many" "$seend" run a b
refuse "seconds that are no number" 2 "seend: SECONDS: abc: must be a whole number" \
	"$seend" subscribe bans http://127.0.0.1/ abc

# --- files with keys -----------------------------------------------------------------------

public=$("$seend" key "$lib_dir/key") other=$("$seend" key "$lib_dir/other")
"$seend" seal "$lib_dir/seal"
refuse "an existing seal is kept" 1 "seal: it exists; delete it first, or name another file" \
	"$seend" seal "$lib_dir/seal"
(umask 077 && echo secret >"$lib_dir/password" && : >"$lib_dir/empty")
good "a good configuration" ''
is "check prints the host of each group" "$("$seend" check "$conf")" \
	"group bans: this host is web1, one of 2"
wrong "a key that does not exist" \
	"line 2: group bans: key: $lib_dir/none: the file with the secret key of a host does not exist; \"seend key $lib_dir/none\" makes one" \
	"s,^key = .*,key = $lib_dir/none,"
wrong "a seal that does not exist" \
	"line 8: group bans: seal: $lib_dir/none: the file with the seal of a group does not exist; \"seend seal $lib_dir/none\" makes one" \
	"s,^seal = .*,seal = $lib_dir/none,"
wrong "a seal as a key" "line 2: group bans: key: $lib_dir/seal: this is no secret key of a host; \"seend key FILE\" makes one" \
	"s,^key = .*,key = $lib_dir/seal,"
wrong "a key as a seal" "line 8: group bans: seal: $lib_dir/key: this is no seal of a group; \"seend seal FILE\" makes one" \
	"s,^seal = .*,seal = $lib_dir/key,"
wrong "an empty password" "line 10: group bans: password: $lib_dir/empty: the first line is empty; write the password there" \
	"s,^password = .*,password = $lib_dir/empty,"
wrong "a folder as a password" "line 10: group bans: password: $lib_dir: this is not a file" \
	"s,^password = .*,password = $lib_dir,"
for name in key seal password; do
	what="a $name that others can read" line=$(config; grep -n "^$name" "$conf" | cut -d: -f1)
	chmod 640 "$lib_dir/$name"
	wrong "$what" "line $line: group bans: $name: $lib_dir/$name: other users can read this key; chmod 600 it" ''
	chmod 600 "$lib_dir/$name"
	what="a $name of another user"
	if [ "$(id -u)" = 0 ]; then
		chown 12345 "$lib_dir/$name"
		wrong "$what" "line $line: group bans: $name: $lib_dir/$name: it belongs to another user; chown root it" ''
		chown 0 "$lib_dir/$name"
	else
		skip "$what" "only root can make one"
	fi
done
wrong "a folder of state that does not exist" "line 3: group bans: state: $lib_dir/none: No such file" \
	"s,^state = .*,state = $lib_dir/none,"
wrong "the folder of a socket that does not exist" \
	"line 4: group bans: socket: $lib_dir/none: No such file" "s,^socket = .*,socket = $lib_dir/none/sock,"

# --- lines and sections ----------------------------------------------------------------------

good "indented lines, and comments at their ends" \
	's/^/  	/; s/$/ # a comment; of all characters =[]/'
wrong "the line of an unknown key, not that of its group" \
	'line 7: unknown key "colour" in [group]' '7s/.*/colour = red/'
wrong "a key that is there twice" "line 7: filter: line 6 has it already" '6p; 7d'
wrong "an unknown section" "line 5: unknown section [groop bans] ([host], [group NAME], [hosts NAME])" \
	'5s/.*/[groop bans]/'
wrong "an empty unknown section" "line 14: unknown section [groop x]" '13a [groop x]'
wrong "a group without a name" "line 14: unknown section [group]" '13a [group]'
wrong "a section of hosts with another name" "line 14: unknown section [host bans]" '13a [host bans]'
wrong "an empty group" "line 14: group new: filter: required" '13a [group new]'
wrong "hosts without a group" "line 14: [hosts new]: there is no section [group new]" '13a [hosts new]'
wrong "a section without its end" 'line 5: a section ends with "]" and the line' '5s/]//'
wrong "a line that is no assignment" "line 6: expected [SECTION] or KEY = VALUE" '6s/=//'
wrong "a key before the first section" "line 1: key: a section must come first" '1d'
wrong "a line that is too long" "line 6: a line has at most 198 characters" \
	"6s/\$/$(printf '%0200d' 0)/"
: >"$conf"
refuse "an empty file" 1 "seend: $conf: there is no group; add a section [group NAME]" \
	"$seend" check "$conf"

# --- groups and hosts --------------------------------------------------------------------------

wrong "no aggregator" "line 11: group bans: no host sends batches; add the word aggregate" \
	's/ aggregate//'
wrong "a user without a password" "line 9: group bans: user: it needs a password" '10d'
wrong "a public key that is there twice" \
	"line 13: host web2: it has the public key of host web1 (line 12); run seend key on each host" \
	"s,^web2 = [^ ]*,web2 = $public,"
wrong "a host that is there twice" "line 13: host web1: line 12 has it already" 's/^web2/web1/'
wrong "this host is not in the list" \
	"line 11: group bans: this host's public key $public is not in [hosts bans]; add it there" "12d; 13s/\$/ aggregate/"
wrong "a filter with a slash" 'line 6: filter: "a/b": a name has 1 to 31 characters of printable ASCII' \
	's,^filter = .*,filter = a/b,'
wrong "a host with a blank" 'line 13: host "web 2": a name has 1 to 31 characters' 's/^web2/web 2/'
wrong "in mode each, names of filters are too long" \
	"line 13: group bans: host web1: its filter $(printf 'f%.0s' {1..27}).web1 has 32 characters, at most 31 are possible" \
	"s/^filter = .*/filter = $(printf 'f%.0s' {1..27})\\nmode = each/"
wrong "a relative path of a socket" \
	"line 7: engine: unix:redis.sock: the path of a socket must be absolute" \
	's,^engine = .*,engine = unix:redis.sock,'
wrong "an IPv6 address without brackets" \
	"line 7: engine: tcp:::1:6379: an IPv6 address must be in brackets, as in tcp:[2001:db8::1]:6379" \
	's,^engine = .*,engine = tcp:::1:6379,'
good "an IPv6 address" 's,^engine = .*,engine = tcp:[::1]:6379,'

# --- groups without an engine --------------------------------------------------------------------

config 's,^engine = .*,engine = none,; /^user/d; /^password/d'
refuse "the daemon has nothing to do" 1 "group bans: no engine; use publish and subscribe" \
	"$seend" run "$conf"
refuse "a group that does not exist" 1 "$conf: no group \"ban\" (bans)" \
	"$seend" publish ban "$lib_dir" "$conf"
{
	cat "$conf"
	printf '%s\n' "[group live]" "filter = g" "engine = unix:$lib_dir/redis.sock" "[hosts live]" \
		"web1 = $public publish aggregate"
} >"$lib_dir/both"
background "$seend" run "$lib_dir/both" 2>"$lib_dir/log"
groups() {
	"$here/helpers/ask.py" "$lib_dir" status | jq -r '.groups | map(.group) | join(" ")'
}
running() {
	[ "$(groups)" = live ]
}
check "the daemon skips groups without an engine" await 20 running

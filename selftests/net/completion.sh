#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Completion offers live names that fit: filters of a type, devices with a guard, bridges, the ports
# of the bridge; all of the namespace that the line names. It loads no module.
#
#	$here	br0 (v0 v1)  br1 (v2)  v3; guards of br0, v3 and a device that is absent
#	$there	v4, and devices whose names the shell would run; a guard of v4

. "$(dirname "$0")/../lib.sh"

# In a guest the folders of tools/ are next to this folder, else in the tree.
folder=$(cd "$(dirname "$0")" && pwd)
for dir in "$folder/../bash-completion" "$folder/../../tools/bash-completion"; do
	# shellcheck source=tools/bash-completion/seenctl
	[ ! -r "$dir/seenctl" ] || . "$dir/seenctl"
done

plan 46

# The builtin of this name works only while bash completes.
compopt() {
	:
}

# offered LINE: prints the words that bash offers at its end, without those that begin with "-".
offered() {
	local COMP_WORDBREAKS=$' \t\n"\'@><=;|&(:'
	local COMP_LINE=$1 COMP_POINT=${#1} COMPREPLY=()

	_seenctl seenctl '' '' || return
	[ ${#COMPREPLY[@]} = 0 ] || printf '%s\n' "${COMPREPLY[@]}" | grep -v '^-' | LC_ALL=C sort -u | paste -sd' '
}

# offers LINE WORD...: exactly these words are offered after "seenctl -n $here" and the line.
offers() {
	is "${1:-nothing}" "$(offered "seenctl -n $here $1")" "${*:2}"
}

here='' there=''
ns here there
veth "$here" v0 "$here" v1
veth "$here" v2 "$here" v3
veth "$there" v4 "$there" "it's"
# shellcheck disable=SC2016 # a name
veth "$there" 'a;reboot' "$there" '$(reboot)'
br "$here" br0 v0 v1
br "$here" br1 v2
br "$there" br2 "it's"

# --- no module -----------------------------------------------------------------

[ ! -d /sys/module/xt_seen ] || rmmod xt_seen
[ ! -d /sys/module/seen ] || rmmod seen
offers 'filter show '
offers 'guard del dev '
offers 'guard add dev v' v0 v1 v2 v3
is "a module that is not loaded stays so" "$(ls -d /sys/module/seen 2>/dev/null)" ""

# --- filters -------------------------------------------------------------------

modprobe seen || exit 1
at "$here" seenctl -b - <<-END || exit 1
	filter add hosts capacity 1k
	filter add marks type map capacity 10
	filter add low type cms capacity 10 top 5
	filter add mean type cmm capacity 10
	guard add bridge br0 filter hosts
	guard add dev v3 filter hosts
	guard add dev absent filter hosts
	END
at "$there" seenctl -b - <<-END || exit 1
	filter add others capacity 1k
	guard add dev v4 filter others
	END

offers 'filter show ' hosts low marks mean
offers 'f sh h' hosts
offers 'filter del ' all hosts low marks mean
offers 'filter flush m' marks mean
offers 'filter swap hosts ' hosts low marks mean
offers 'filter add '
offers 'key add ' hosts low marks mean
offers 'key test hosts '
offers 'allow map hosts ' marks none
offers 'filter set hosts allow-map ' marks none
offers 'top ' help low mean
offers 'guard add dev v0 filter ' hosts low marks mean
offers 'monitor filter l' low
for netns in "-n $there" "-netns $there" "--netns $there" "--netns=$there" "-sn $there"; do
	is "filters by ${netns%% *}" "$(offered "seenctl $netns filter show ")" others
done
is "filters of the caller's namespace" "$(at "$there" seenctl __complete words filter show '')" \
	"$(printf '%s\n' others -s none)"
is "a namespace that does not exist has no names" \
	"$(offered "seenctl -n no-$there filter show ")" ""
is "namespaces" "$(offered "seenctl -n here-" | tr ' ' '\n' | grep -x "$here")" "$here"

# --- devices -------------------------------------------------------------------

offers 'guard add dev ' br0 br1 lo v0 v1 v2 v3
offers 'guard add bridge ' br0 br1
offers 'guard replace bridge ' br0 br1
offers 'guard add bridge br0 profile loop protect ' none v0 v1
offers 'guard set bridge br1 protect ' none v2
offers 'guard del ' all bridge dev
offers 'guard del dev ' absent v3
offers 'guard pause bridge ' br0
offers 'guard show dev ' absent v3
is "devices in another namespace, as words" "$(offered "seenctl -n $there guard add dev ")" \
	"\\\$\\(reboot\\) a\\;reboot br2 it\\'s lo v4"
is "bridges there" "$(offered "seenctl -n $there guard add bridge ")" br2
is "ports there" "$(offered "seenctl -n $there guard add bridge br2 protect ")" "it\\'s none"
is "within quotes" "$(offered "seenctl -n $there guard add dev 'it")" "it'\\''s"

# --- a filter that rules wait for ----------------------------------------------------

at "$here" iptables -A INPUT -m seen --filter awaited || exit 1
offers 'filter add ' awaited
offers 'filter show ' awaited hosts low marks mean
offers 'filter import ' awaited hosts low marks mean
offers 'filter del ' all hosts low marks mean
offers 'filter swap hosts ' hosts low marks mean
offers 'key add ' hosts low marks mean
offers 'allow map hosts ' marks none
offers 'top ' help low mean
at "$here" iptables -F INPUT

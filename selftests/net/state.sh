#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# seen-state, which the units of systemd call, keeps filters, contents, allow lists and guards over
# a reboot. Whatever happens to the files, all that can be restored is restored, and each loss is
# reported. No save replaces a good one by nothing.

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/helpers/lib.sh"

tool=$(cd "$(dirname "$0")/../boot" && pwd)/seen-state
state=$lib_dir/state
export SEENCTL=seenctl STATE_DIRECTORY=$state RUNTIME_DIRECTORY=$lib_dir/run

ctl() {
	at "$a" seenctl "$@"
}

keep() {
	at "$a" "$tool" "$@"
}

saved() {
	ctl save --with-secret
}

# reboot: nothing is left in the kernel.
reboot() {
	ctl reset -y >/dev/null
}

# again: deletes and restores all; prints the errors and the exit status.
again() {
	reboot
	keep restore 2>&1 | sed "s,$lib_dir/,,"
	echo "${PIPESTATUS[0]}"
}

# copy NAME: copies the saves, so that damage can be undone by back.
keep_copy() {
	rm -rf "$lib_dir/copy"
	cp -a "$state" "$lib_dir/copy"
}

back() {
	rm -rf "$state"
	cp -a "$lib_dir/copy" "$state"
}

# damage FILE HOW
damage() {
	local size

	size=$(stat -Lc %s "$state/$1")
	case $2 in
	truncated) truncate -s $((size - 7)) "$state/$1" ;;
	zeros)	head -c "$size" /dev/zero >"$state/$1" ;;
	empty)	: >"$state/$1" ;;
	missing) rm "$state/$1" ;;
	esac
}

word() {
	case $1 in
	missing) echo missing ;;
	*)	echo damaged ;;
	esac
}

plan 56

ns a
ip -n "$a" link add eth0 up type veth peer name eth1
ip -n "$a" link add br0 up type bridge

check "without a save, restore succeeds" keep restore
check "without the module's objects, save succeeds" keep save
ctl -b - <<'END'
filter add blocked type cuckoo capacity 1000 fpp 1e-6 key host
filter add names type map capacity 100 key host
allow add blocked 192.0.2.53
key add blocked 198.51.100.7
key add names 192.0.2.1 value 7
guard add dev eth0 filter blocked verdict listed action drop
guard add bridge br0 profile loop storm 7
guard pause dev eth0
allow add loop-br0 0xffffffffffff020000000001ffff08060000002e000000020001
END
check "save" keep save
first=$(saved)
is "restore makes all of it, without a message" "$(again)" 0
is "the state is the saved one" "$(saved)" "$first"
is "the keys are the saved ones" "$(ctl key show names)" "192.0.2.1 7"
check "a key of a cuckoo filter, too" ctl key test blocked 198.51.100.7
is "nobody else may read the files" \
	"$(find "$state" ! -type l -perm /077 | wc -l)" 0

# The earlier save lacks the last guard and the last key.
ctl key add names 192.0.2.2 value 8
ctl guard add dev eth1 profile packet
check "a second save" keep save
second=$(saved)
is "two saves are kept" "$(find "$state" -maxdepth 1 -name 'save.*' | wc -l)" 2
keep_copy

for how in truncated zeros empty missing; do
	damage current/state $how
	match "the newest commands are $how: restore reports it, and uses the earlier save" \
		"$(again)" "^seen-state: state/current/state: $(word $how)
seen-state: restoring the save of [-0-9: ]+: state/previous/state
seen-state: not everything was restored; the files stay in state/lost
1$"
	is "$how: all of the earlier save is there" "$(saved)" "$first"
	back
done

for how in truncated zeros empty missing; do
	damage current/names.seen $how
	match "the newest keys are $how: restore reports it, and uses the earlier keys" \
		"$(again)" "^seenctl: state/current/state:[0-9]+: the keys of filter \"names\" are those of the earlier save: [^
]+
seen-state: not everything was restored; the files stay in state/lost
1$"
	is "$how: all else is that of the newest save" "$(saved)" "$second"
	is "$how: the keys are the earlier ones" "$(ctl key show names)" "192.0.2.1 7"
	back
done

damage current/names.seen zeros
damage previous/names.seen missing
match "without any snapshot the keys of this filter are lost" "$(again)" \
	"^seenctl: state/current/state:[0-9]+: the keys of filter \"names\" are lost: [^
]+; [^
]*No such file[^
]*
seen-state: not"
is "the filter is empty, all else is there" "$(saved)" "$second"
is "no other file is damaged, so all saves stay" "$(readlink "$state/current")" \
	"$(readlink "$state/lost")"
check "save after a loss" keep save
is "it does not replace the earlier save" "$(readlink "$state/previous")" \
	"$(readlink "$lib_dir/copy/previous")"
check "the files with the loss stay" [ -e "$state/lost/names.seen" ]
back

# Both saves are damaged: a part of the last line is cut off, and a line in the middle is garbled.
for save in current previous; do
	sed -i '/^filter add blocked/s/ type .*/ type cuck/' "$state/$save/state"
	damage $save/state truncated
done
lost=$(again)
match "if no save is intact, each lost object has one line" "$lost" "restoring the save of [^
]+state/current/state
seenctl: state/current/state:1: filter \"blocked\" is lost: [^
]+
seenctl: state/current/state:[0-9]+: guard dev eth0 hook ingress is lost: [^
]+
seenctl: state/current/state:[0-9]+: the line is lost: the file ends within the line
seenctl: 1 of the new guards is paused
seen-state: not everything"
is "all else is restored" "$(saved)" "$(sed '/ blocked /d; /^guard .* eth0 /d; /eth1/s/$/ paused/' <<<"$second")"
back

rm -r "${state:?}"/save.*
match "without any file, restore reports that nothing is left" "$(again)" \
	"current/state: missing
seen-state: state/previous/state: missing
seen-state: nothing is restored: no save is left
1$"
back

# --- a save never replaces a good save by nothing ---------------------------------------

keep restore >/dev/null 2>&1
check "save after a restore" keep save
check "flush deletes all" keep flush
refuse "save after a flush is refused" 1 "seen-state: not saved: the module was loaded, or all" \
	keep save
is "restore brings all back" "$(again)$(saved)" "0$second"
reboot
modprobe -r xt_seen
modprobe -r seen
refuse "save without the module is refused" 1 "the module seen is not loaded" keep save
modprobe seen
refuse "save after the module was loaded again is refused" 1 "not saved: the module was loaded" \
	keep save
good=$(readlink "$state/current")
check "save --force" keep save --force
is "the state is saved" "$(cat "$state/current/state")" ""
check "a later save" keep save
check "another one" keep save
is "the save that was never restored stays" "$(readlink "$state/kept")" "$good"
check "with its files" [ -s "$state/kept/names.seen" ]

# --- a save that is killed --------------------------------------------------------------

# killed COMMAND: kills a save when it calls this command for the first time.
killed() {
	local fatal=$lib_dir/fatal

	mkdir "$fatal"
	# shellcheck disable=SC2016 # the command's own parent
	printf '#!/bin/sh\nkill -9 $PPID\n' >"$fatal/$1"
	chmod +x "$fatal/$1"
	PATH=$fatal:$PATH keep save
	rm -r "${fatal:?}"
}

ctl filter add last capacity 10
check "a last save" keep save
last=$(saved)
ctl filter add more capacity 10
for step in sync mv; do
	killed $step 2>/dev/null
	is "a save that is killed at $step leaves the last one" "$(again)$(saved)" "0$last"
done
check "the next save succeeds" keep save
is "no part of the killed saves stays" "$(find "$state" -name 'save.*' -printf '%f\n' -o -name '*.new' -print | sort)" \
	"$(cd "$state" && readlink current previous kept | sort -u)"

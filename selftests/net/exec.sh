#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# `seenctl monitor --exec` runs a program for each event: one after the other, in order, without a
# shell, with the members of the JSON document in the environment. Failures of the program are
# reported, and the monitor goes on; events that are lost meanwhile are an event, too.
#
#	$away a0 ------- b0 $box

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/helpers/lib.sh"

plan 37
ns box away
veth "$away" a0 "$box" b0
dir=$lib_dir

ctl() {
	at "$box" seenctl "$@" >/dev/null || exit 1
}

# program NAME: makes an executable script of standard input.
program() {
	{ echo "#!/bin/bash"; cat; } >"$dir/$1"
	chmod +x "$dir/$1"
}

# watch NAME PROGRAM [WORD...]: the monitor $watch runs the program.
watch() {
	local before

	before=$(members "$box")
	listen "$1" python3 "$helpers/odd_environment.py" nsenter --net="/run/netns/$box" -- \
		seenctl -j monitor --exec "$2" "${@:3}"
	watch=${lib_pids[-1]}
	await 10 more_members "$box" "$before"
}

# unwatch: ends the monitor $watch.
unwatch() {
	kill "$watch"
	wait "$watch"
}

# --- environment ------------------------------------------------------------------------

program note <<-'END'
	printf '%s\n' "$#" >>"${0%/*}/arguments"
	readlink /proc/self/fd/0 >>"${0%/*}/stdin"
	env -0 | grep -z ^SEEN_ | sort -z | tr '\0' ' ' >>"${0%/*}/notes"
	echo >>"${0%/*}/notes"
	END
notes=$dir/notes

# noted WHAT REGEX: a line of the notes matches.
noted() {
	check "$1" await 60 grep -qE "$2" "$notes"
}

watch m "$dir/note"
# A shell would expand, or run, parts of this name.
# shellcheck disable=SC2016 # that is the point
strange='$(touch_x);`id`*'
ctl filter add "$strange" capacity 100 key bytes type bloom
# shellcheck disable=SC2016 # a regex
noted "a name is passed as it is" ' SEEN_FILTER=\$\(touch_x\);`id`\* '
ctl filter rename "$strange" f
noted "members of the document, and no others" \
	'^SEEN_CHANGE=rename SEEN_EVENT=filter-change SEEN_FILTER=f SEEN_FILTER_ID=[0-9]+ SEEN_LOST=0 SEEN_OLD_NAME=[^=]* SEEN_TIME=[0-9]{19} $'
is "the program has no arguments" "$(sort -u "$dir/arguments")" 0
is "and an empty standard input" "$(sort -u "$dir/stdin")" /dev/null
ctl filter add d capacity 1k key frame type cuckoo bits 32 window 1h
ctl guard add dev b0 filter d storm 2
noted "a guard has its kind, device and hook" \
	'SEEN_EVENT=guard-add .*SEEN_GUARD_DEV=b0 SEEN_GUARD_HOOK=ingress SEEN_GUARD_ID=[0-9]+ SEEN_GUARD_KIND=dev '
at "$away" frames 0 1 a0
await 20 ports_reach "$box" new 1
at "$away" frames 0 1 a0
noted "a duplicate has the members of the frame" \
	'SEEN_DUPLICATE_AGE=[0-9]+ SEEN_DUPLICATE_DMAC=[0-9a-f:]{17} SEEN_DUPLICATE_ETHERTYPE=34997 .*SEEN_DUPLICATE_PORT=b0 SEEN_DUPLICATE_SMAC=[0-9a-f:]{17} SEEN_EVENT=suspect .*SEEN_PORT=b0 '
ctl guard del dev b0
noted "the last event" 'SEEN_EVENT=guard-del'
unwatch
# With the same times, each printed document has one set of variables.
is "each event was printed, and ran the program, in the same order" \
	"$(sed -n 's/.*SEEN_TIME=\([0-9]*\).*/\1/p' "$notes")" \
	"$(while heard m 1 . ; do :; done | sed -n 's/^{"time":\([0-9]*\).*/\1/p')"

# --- order ------------------------------------------------------------------------------

# Each program waits for the file "go"; two at a time would write their starts together.
program slow <<-'END'
	echo "start $SEEN_FILTER" >>"${0%/*}/order"
	until [ -e "${0%/*}/go" ]; do read -rt 0.05 <> <(:); done
	echo "end $SEEN_FILTER" >>"${0%/*}/order"
	END
order=$dir/order
watch s "$dir/slow"
for n in 1 2 3; do
	ctl filter add "f$n" capacity 100 key bytes type bloom
done
check "the first program runs" await 20 grep -q "start f1" "$order"
is "no other one runs with it" "$(cat "$order")" "start f1"
: >"$dir/go"
check "the last program ends" await 20 grep -q "end f3" "$order"
is "one after the other, in order" "$(xargs <"$order")" \
	"start f1 end f1 start f2 end f2 start f3 end f3"
unwatch

# --- lost -------------------------------------------------------------------------------

# drops: events that the kernel did not deliver, of all listeners
drops() {
	# shellcheck disable=SC2016 # awk's
	at "$box" awk '$2 == 16 { n += $9 } END { print n + 0 }' /proc/net/netlink
}

renames() {
	for ((n = 0; n < $1; n++)); do
		echo "filter rename f1 x"
		echo "filter rename x f1"
	done | at "$box" seenctl -b - >/dev/null
}

lost_all() {
	[ "$(sed -n 's/.*SEEN_COUNT=\([0-9]*\) SEEN_EVENT=lost .*/\1/p' "$notes" |
		jq -s add)" = "$1" ]
}

rm "$dir/go" "$order"
program wait <<-'END'
	"${0%/*}/note"
	until [ -e "${0%/*}/go" ]; do read -rt 0.05 <> <(:); done
	END
: >"$notes"
# The socket is small, and soon full.
most=/proc/sys/net/core/rmem_max
before=$(<$most)
echo 4608 >$most
watch l "$dir/wait"
echo "$before" >$most
renames 50
dropped=$(drops)
between "while the first program runs, events are lost" "$dropped" 1 99
: >"$dir/go"
check "the program runs for the event lost, with the count of all lost events" \
	await 20 lost_all "$dropped"
all_told() {
	[ $(($(grep -c 'SEEN_CHANGE=rename' "$notes") + dropped)) = 100 ]
}
# Until then the socket may be full.
check "all events: run or lost" await 60 all_told
ctl filter flush f1
noted "then for later events" 'SEEN_CHANGE=flush'
unwatch
match "the document of lost events" "$(while heard l 1 . ; do :; done | grep '"lost",')" \
	'^\{"time":[0-9]+,"event":"lost","count":[0-9]+,"lost":0\}'

# --- failures ---------------------------------------------------------------------------

program fails <<-'END'
	case $SEEN_FILTER in
	f1)	exit 7 ;;
	f2)	kill -9 $$ ;;
	f3)	rm "$0" ;;
	esac
	END
watch e "$dir/fails"
ctl filter del f1
check "an exit status is reported" heard e 20 \
	'^seenctl: monitor: --exec: .*/fails: exit status 7 \(event filter-del\)$'
ctl filter del f2
check "a signal is reported" heard e 20 \
	'^seenctl: monitor: --exec: .*/fails: signal 9 ended it \(event filter-del\)$'
ctl filter del f3
check "the monitor goes on" heard e 20 '"filter":"f3"'
ctl filter del f
check "a program that has gone is an error" heard e 20 \
	'^seenctl: monitor: --exec: .*/fails: No such file or directory$'
wait "$watch"
is "and ends the monitor" $? 1

monitor() {
	at "$box" seenctl monitor timeout 1ms "$@"
}

refuse "no such program" 1 "--exec: /nowhere: No such file or directory" monitor --exec /nowhere
refuse "none in the path either" 1 "--exec: no-where: No such file or directory" \
	monitor --exec no-where
refuse "a folder" 1 "--exec: /tmp: Permission denied" monitor --exec /tmp
refuse "a file that is not executable" 1 "Permission denied" monitor --exec "$notes"
refuse "no name" 2 "--exec: must be a path of 1 to 4095 bytes" monitor --exec ""
check "a program in the path" monitor --exec true

# Without "#!" only a shell could run it.
echo "exit 0" >"$dir/bare"
chmod +x "$dir/bare"
watch b "$dir/bare" count 1
ctl filter add f capacity 100 key bytes type bloom
check "no shell runs a file of unknown format" heard b 20 '/bare: Exec format error$'
wait "$watch"
is "and the monitor ends" $? 1
ctl filter del f
# shellcheck disable=SC2016 # the other shell expands it
check "with count, the exit status is the monitor's" \
	at "$box" bash -c 'seenctl monitor count 1 --exec false 2>"$1" &
		for ((i = 0; i < 200; i++)); do
			! grep -q listening "$1" || break
			read -rt 0.05 <> <(:)
		done
		seenctl filter add f capacity 100 key bytes type bloom
		wait $!' - "$dir/false"

# --- the module is unloaded ---------------------------------------------------------------

ctl filter del all
watch u true
listen v at "$box" seenctl monitor timeout 1h
plain=${lib_pids[-1]}
check "two monitors listen" heard v 20 '^listening$'
rmmod xt_seen 2>"$dir/none"
check "the module is unloaded under them" rmmod seen
for name in u v; do
	check "a monitor reports the unload" heard $name 20 \
		'^seenctl: monitor: the module was unloaded$'
done
wait "$watch"
is "and ends with exit status 1" $? 1
wait "$plain"
is "the other one, too, before its timeout" $? 1
modprobe seen

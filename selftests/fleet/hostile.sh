#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Engines that are no Redis, or a Redis in the hands of somebody else: the daemon ends the
# connection, says why, and goes on to answer. Its memory stays small.

. "$(dirname "$0")/../lib.sh"
here=$(cd "$(dirname "$0")" && pwd)
seend=$here/../../build/fleet/seend-local

stop_all() {
	jobs -p | xargs -r kill -9
	wait
}
later 'stop_all 2>/dev/null'

config() {
	cat <<-END
	[host]
	key = $lib_dir/key
	state = $lib_dir
	socket = $lib_dir/sock

	[group test]
	filter = f
	engine = unix:$lib_dir/engine.sock

	[hosts test]
	a = $(<"$lib_dir/public") publish aggregate
	END
}

# error_is TEXT: the daemon answers, and says this of its engine.
error_is() {
	local error

	error=$("$here/helpers/ask.py" "$lib_dir" status | jq -r '.groups[0].error') &&
		[[ $error == *"$1"* ]]
}

# memory: of the daemon at its largest, MiB
memory() {
	awk '/^VmHWM/ { print int($2 / 1024) }' "/proc/$daemon/status"
}

# against MODE TEXT: a daemon whose engine behaves like this
against() {
	local server

	"$here/helpers/hostile.py" "$lib_dir/engine.sock" "$1" &
	server=$!
	"$seend" run "$lib_dir/conf" 2>>"$lib_dir/log" &
	daemon=$!
	check "$1: the daemon says: $2" await 60 error_is "$2"
	between "$1: its memory, MiB" "$(memory)" 1 200
	kill "$daemon"
	wait "$daemon"
	is "$1: it ends when it is told to" $? 0
	kill "$server"
	wait "$server" 2>/dev/null
	rm "$lib_dir/engine.sock"
}

plan 9
"$seend" key "$lib_dir/key" >"$lib_dir/public"
config >"$lib_dir/conf"
against silent "no answer within a second"
against drip "no whole answer within 5 seconds"
against flood "an answer is too long"

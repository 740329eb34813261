# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Sourced after lib.sh by tests with daemons of seend on this machine, whose filters are libseen's.
#
#	host_section a		# the section [host] of host a, whose files are in $dir/a
#	status a; ask a ...	# its status; a request to its filters
#	redis_cli ...		# of the server at $lib_dir/redis.sock
#	pid[a]=$!; hurt a	# kills a process without warning; all are killed in the end

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck disable=SC2034 # the tests run it
seend=$here/../../build/fleet/seend-local
dir=$lib_dir
type -P redis-server >/dev/null || skip_all "redis-server is not installed"

declare -A pid=()

hurt() {
	kill -9 "${pid[$1]}"
	wait "${pid[$1]}" 2>/dev/null
	unset "pid[$1]"
}

# A test may have other processes, which lib.sh ends.
stop_all() {
	[ ${#pid[@]} = 0 ] && return
	kill -9 "${pid[@]}"
	wait "${pid[@]}"
}
later 'stop_all 2>/dev/null'

redis_cli() {
	redis-cli -s "$lib_dir/redis.sock" "$@"
}

redis_answers() {
	[ "$(redis_cli ping)" = PONG ]
}

host_section() {
	cat <<-END
	[host]
	key = $dir/$1/key
	state = $dir/$1
	socket = $dir/$1/sock
	END
}

status() {
	"$here/helpers/ask.py" "$dir/$1" status
}

ask() {
	"$here/helpers/ask.py" "$dir/$1" "${@:2}"
}

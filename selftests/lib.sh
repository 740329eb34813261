# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Sourced by the tests: results in TAP, namespaces, devices, events, captures.
#
#	. "$(dirname "$0")/../lib.sh"
#	plan 2
#	ns a b				# sets $a and $b
#	veth "$a" eth0 "$b" eth0
#	addr "$a" eth0 192.0.2.1/24; addr "$b" eth0 192.0.2.2/24
#	check "b answers" at "$a" ping -qc1 192.0.2.2
#	is "two devices" "$(at "$a" ls /sys/class/net | wc -l)" 2
#
# At exit everything that these functions made is removed. The test fails if the number of results
# differs from the plan, or if a result is not ok.

set -u
export LC_ALL=C TERM=dumb

lib_dir=$(mktemp -d)
lib_planned=0 lib_run=0 lib_failed=0 lib_links=0
lib_spaces=() lib_pids=()

# --- results -----------------------------------------------------------------

plan() {
	lib_planned=$1
	echo "TAP version 13"
	echo "1..$1"
}

# skip_all WHY: skips the whole test, because it cannot run here.
skip_all() {
	echo "TAP version 13"
	echo "1..0 # SKIP $*"
	exit 0
}

note() {
	printf '%s\n' "$*" | sed 's/^/# /'
}

ok() {
	echo "ok $((++lib_run)) - $*"
}

not_ok() {
	((++lib_failed))
	echo "not ok $((++lib_run)) - $*"
}

skip() {
	echo "ok $((++lib_run)) - $1 # SKIP $2"
}

# check WHAT COMMAND...: the command succeeds; otherwise its output is printed.
check() {
	local what=$1 out status

	shift
	out=$("$@" 2>&1) && { ok "$what"; return; }
	status=$?
	not_ok "$what"
	note "exit $status: $*"
	[ -z "$out" ] || note "$out"
}

# refuse WHAT STATUS TEXT COMMAND...: the command exits with STATUS, and its standard error
# contains TEXT.
refuse() {
	local what=$1 want=$2 text=$3 out status

	shift 3
	out=$("$@" 2>&1 >/dev/null)
	status=$?
	if [ "$status" = "$want" ] && [[ $out = *"$text"* ]]; then
		ok "$what"
	else
		not_ok "$what"
		note "exit $status, not $want with '$text': $*"
		note "$out"
	fi
}

# is WHAT GOT WANT: the two strings are equal.
is() {
	if [ "$2" = "$3" ]; then
		ok "$1"
	else
		not_ok "$1"
		note "got '$2', want '$3'"
	fi
}

# match WHAT GOT REGEX: the string matches.
match() {
	if [[ $2 =~ $3 ]]; then
		ok "$1"
	else
		not_ok "$1"
		note "got '$2', want /$3/"
	fi
}

# between WHAT GOT LOW HIGH: a whole number from LOW to HIGH, inclusive.
between() {
	if [[ $2 =~ ^-?[0-9]+$ ]] && (($2 >= $3 && $2 <= $4)); then
		ok "$1"
	else
		not_ok "$1"
		note "got '$2', want $3 to $4"
	fi
}

# long SHORT LONG: prints LONG in a long run, otherwise SHORT.
long() {
	if [ -n "${LONG:-}" ]; then
		echo "$2"
	else
		echo "$1"
	fi
}

# figure TEXT: prints numbers about the run for the output of `make check`.
figure() {
	echo "# figure: $*"
}

# --- the end -----------------------------------------------------------------

# later COMMAND: runs it at exit, the last one first, before the namespaces are deleted.
later() {
	lib_later=("$1" "${lib_later[@]}")
}
lib_later=()

finish() {
	local status=$? item

	trap - EXIT
	# A background child inherits this trap until it has executed its command.
	[ "$BASHPID" = $$ ] || exit "$status"
	for item in "${lib_later[@]}"; do
		eval "$item"
	done
	for item in "${lib_pids[@]}"; do
		kill "$item" && wait "$item"
	done 2>/dev/null
	for item in "${lib_spaces[@]}"; do
		ip netns pids "$item" | xargs -r kill -9
		ip netns del "$item"
	done 2>/dev/null
	rm -rf "$lib_dir"
	if [ "$lib_run" != "$lib_planned" ]; then
		echo "# $lib_run results, $lib_planned planned"
		status=1
	fi
	[ "$lib_failed" = 0 ] || status=1
	exit "$status"
}
trap finish EXIT
trap 'exit 1' INT TERM HUP

# --- namespaces and devices --------------------------------------------------

# at NAMESPACE COMMAND...: runs it in the network namespace. Unlike `ip netns exec`, which is
# slower, it keeps the caller's mounts, so /sys/class/net is the caller's.
at() {
	nsenter --net="/run/netns/$1" -- "${@:2}"
}

# ns VARIABLE...: makes a namespace for each variable and stores its name there. The namespace
# sends no packets of its own: no link-local addresses, no DAD, no router solicitations.
ns() {
	local var name

	for var in "$@"; do
		name=$var-$$
		ip netns add "$name" || exit 1
		lib_spaces+=("$name")
		printf -v "$var" %s "$name"
		quiet "$name"
	done
}

quiet() {
	at "$1" sh -c '
		ip link set lo up
		cd /proc/sys/net/ipv6/conf/default
		echo 0 >accept_dad
		echo 0 >accept_ra
		echo 0 >autoconf
		echo 0 >router_solicitations
		echo 1 >addr_gen_mode'
}

# ns_del NAMESPACE: deletes it before the end of the test.
ns_del() {
	local left=() name

	for name in "${lib_spaces[@]}"; do
		[ "$name" = "$1" ] || left+=("$name")
	done
	lib_spaces=("${left[@]}")
	ip netns del "$1"
}

# veth NS1 DEV1 NS2 DEV2: makes a veth pair, both ends up. The MAC addresses contain the number
# of the pair (fifth byte) and of the end (last byte).
veth() {
	local n

	((++lib_links))
	printf -v n '02:00:00:%02x:%02x' $((lib_links >> 8)) $((lib_links & 255))
	ip -n "$1" link add "$2" address "$n:01" type veth \
		peer name "$4" netns "$3" address "$n:02" || return
	ip -n "$3" link set "$4" up
	ip -n "$1" link set "$2" up
}

# br NAMESPACE BRIDGE PORT...: makes a bridge without STP, whose ports forward at once. $BR has
# further options for `ip link`, such as "ageing_time 500".
br() {
	local space=$1 name=$2 port

	shift 2
	# shellcheck disable=SC2086 # one word an option
	ip -n "$space" link add "$name" up type bridge stp_state 0 \
		forward_delay 0 mcast_snooping 0 ${BR:-} || return
	for port in "$@"; do
		ip -n "$space" link set "$port" master "$name" up || return
	done
}

# addr NAMESPACE DEVICE ADDRESS...: adds the addresses.
addr() {
	local address

	for address in "${@:3}"; do
		ip -n "$1" addr add "$address" dev "$2" || return
	done
}

mac() {
	at "$1" ip -j link show dev "$2" | jq -r '.[0].address'
}

# stat_of NAMESPACE DEVICE FIELD: prints a counter, such as rx.packets or tx.dropped.
stat_of() {
	ip -n "$1" -s -j link show dev "$2" | jq ".[0].stats64.$3"
}

# --- events ------------------------------------------------------------------

# A file descriptor that is never readable: `read -t` on it sleeps without a process.
exec {lib_never}<> <(:)

# await SECONDS COMMAND...: repeats the command until it succeeds. Use it only if there is no
# event to wait for.
await() {
	local end=$((SECONDS + $1))

	shift
	until "$@" >/dev/null 2>&1; do
		((SECONDS <= end)) || return 1
		read -rt 0.1 -u "$lib_never"
	done
	return 0
}

# has_grown COUNTER FROM BY: has the number that COUNTER prints grown by so much?
has_grown() {
	[ $(($("$1") - $2)) -ge "$3" ]
}

# stands COUNTER: does that number stay the same for a second?
stands() {
	local before

	before=$("$1")
	read -rt 1 -u "$lib_never"
	[ "$("$1")" = "$before" ]
}

# background COMMAND...: runs it in the background and kills it at exit; its process id is $!.
background() {
	# Not through the function at: the process to kill is the command itself.
	[ "$1" != at ] || set -- nsenter --net="/run/netns/$2" -- "${@:3}"
	"$@" &
	lib_pids+=($!)
}

# listen NAME COMMAND...: runs a monitor in the background; heard NAME reads its output.
listen() {
	local name=$1 fifo=$lib_dir/$1.fifo

	shift
	mkfifo "$fifo"
	: >"$lib_dir/$name.log"
	exec {lib_hold}<>"$fifo"
	background "$@" >"$fifo" 2>&1
	exec {lib_fd}<"$fifo" {lib_hold}>&-
	printf -v "lib_fd_$name" %s "$lib_fd"
}

# heard NAME SECONDS REGEX: reads until a line matches, and prints this line. All lines read so far
# are in the file "$(heard_log NAME)".
heard() {
	local fd=lib_fd_$1 end=$((SECONDS + $2)) line left

	while left=$((end - SECONDS)); ((left >= 0)); do
		IFS= read -rt $((left + 1)) -u "${!fd}" line || return 1
		printf '%s\n' "$line" >>"$lib_dir/$1.log"
		if [[ $line =~ $3 ]]; then
			printf '%s\n' "$line"
			return 0
		fi
	done
	return 1
}

heard_log() {
	echo "$lib_dir/$1.log"
}

# events NAME NAMESPACE [ARG...]: runs `seenctl monitor` in the background; returns when it has
# joined the multicast group. Each event is one line.
events() {
	local name=$1 space=$2 before

	before=$(members "$space")
	listen "$name" at "$space" seenctl -o "${@:3}" monitor
	await 10 more_members "$space" "$before"
}

members() {
	# shellcheck disable=SC2016 # awk's
	at "$1" awk '$2 == 16 && $4 != "00000000"' /proc/net/netlink | wc -l
}

more_members() {
	[ "$(members "$1")" -gt "$2" ]
}

# link_up NAMESPACE DEVICE...: waits until each device is up and, if it is a port of a bridge,
# forwards. It is woken by the kernel's messages. It may take a second, because the kernel checks
# carriers only that often.
link_up() {
	local end=$((SECONDS + 10)) status=0

	exec {lib_fd}< <(exec ip -n "$1" monitor link 2>/dev/null)
	lib_pids+=($!)
	until links_are_up "$@"; do
		((SECONDS <= end)) || { status=1; break; }
		read -rt 0.2 -u "$lib_fd"
	done
	kill "${lib_pids[-1]}"
	unset 'lib_pids[-1]'
	exec {lib_fd}<&-
	return $status
}

links_are_up() {
	local states dev

	states=$(ip -n "$1" -br link show)
	for dev in "${@:2}"; do
		[[ $'\n'$states =~ $'\n'"$dev"(@[^ ]*)?\ +UP ]] || return
	done
}

# --- captures ----------------------------------------------------------------

# capture NAME NAMESPACE DEVICE [FILTER]: captures both directions; returns when tcpdump listens.
# Put `-Q in` before the filter to capture only one direction.
capture() {
	local name=$1 space=$2 dev=$3

	listen "$name" at "$space" tcpdump -ni "$dev" -s0 -B16384 -U --immediate-mode \
		-w "$lib_dir/$name.pcap" "${@:4}"
	heard "$name" 10 'listening on' >/dev/null
	printf -v "lib_pid_$name" %s "${lib_pids[-1]}"
}

# capture_end NAME: stops the capture, and returns when its last frames are written. Fails in a
# subshell or a pipe, which cannot wait for that.
capture_end() {
	local pid=lib_pid_$1

	kill "${!pid}" 2>/dev/null || return 0
	wait "${!pid}"
	[ $? != 127 ]
}

# captured NAME [FILTER]: prints the frames of a capture, one per line; stops it before.
captured() {
	capture_end "$1" || return
	tcpdump -ner "$lib_dir/$1.pcap" "${@:2}" 2>/dev/null
}

# capture_file NAME: prints the path of the pcap file.
capture_file() {
	echo "$lib_dir/$1.pcap"
}

# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Sourced after page.sh by scenarios with several servers. Each server has a network namespace, and
# its own name, /etc, /run and /var, so that the commands of a page run as on a real server.
#
#	server web1 web2	# the servers $web1 and $web2; `at` enters all their namespaces
#	page_on "a filter" "$web1" "$web2"	# the next step of the page runs on both
#	status_of "$web1" .age	# a value of the first group in the status of seend

# The process that holds the namespaces of a server.
declare -A server_holder=()

for program in seend redis-server; do
	command -v $program >/dev/null || skip_all "$program is not installed"
done
mkdir "$lib_dir/bin"
ln -s "$helpers/systemctl" "$lib_dir/bin/"
PATH=$lib_dir/bin:$PATH
# Daemons that are not root look for files there.
chmod 755 "$lib_dir"

at() {
	local holder=${server_holder[$1]:-} enter=()

	[ -z "$holder" ] ||
		enter=("--mount=/proc/$holder/ns/mnt" "--uts=/proc/$holder/ns/uts")
	nsenter "--net=/run/netns/$1" "${enter[@]}" -- "${@:2}"
}

# server VARIABLE...
server() {
	local var own

	ns "$@"
	for var; do
		own=$lib_dir/$var.root
		mkdir -p "$own"
		cp -a /etc "$own/"
		mkdir -p "$own"/etc/systemd/system "$own"/var/{lib,log,cache,tmp}
		# Without an IPv6 address of its own name, fail2ban ignores IPv6.
		printf '127.0.0.1 localhost\n::1 localhost\n127.0.1.1 %s\n' "$var" >"$own/etc/hosts"
		# shellcheck disable=SC2016 # the variables of the inner shell
		nsenter "--net=/run/netns/${!var}" -- unshare -mu sh -c '
			mount --bind "$1/etc" /etc && mount --bind "$1/var" /var &&
				ln -s /run /var/run && mount -t tmpfs tmpfs /run &&
				hostname "$2" && touch /run/holds && exec sleep infinity
			' server "$own" "$var" &
		lib_pids+=($!)
		server_holder[${!var}]=$!
		await 20 at "${!var}" test -e /run/holds || exit 1
	done
}

# page_on WHAT NAMESPACE...: runs the next step of the page on each server.
page_on() {
	local next=$page_next space

	for space in "${@:2}"; do
		page_next=$next
		page_step "$space" "$1, on ${space%-*}"
	done
}

# copy_to FROM FILE... NAMESPACE...: copies files in /etc/seen, as scp would. The page has made the
# folder.
copy_to() {
	local files=() word

	for word in "${@:2}"; do
		if [ -z "${server_holder[$word]:-}" ]; then
			files+=("$lib_dir/${1%-*}.root/etc/seen/$word")
			continue
		fi
		cp "${files[@]}" "$lib_dir/${word%-*}.root/etc/seen/"
	done
}

# hurt NAMESPACE UNIT: kills a daemon without warning.
hurt() {
	local pid

	pid=$(at "$1" cat "/run/$2.pid")
	kill -9 "$pid"
	await 20 eval "! kill -0 $pid"
}

status() {
	at "$1" socat -T 20 - UNIX-CONNECT:/run/seen/seend.sock </dev/null
}

# status_of NAMESPACE JQ
status_of() {
	status "$1" | jq -r ".groups[0]$2"
}

# settled NAMESPACE [BATCHES]: all keys of the server are acknowledged, in more than so many batches.
settled() {
	[ "$(status_of "$1" "| .unsent + .sent == 0 and .acknowledged > ${2:--1}")" = true ] &&
		[ "$(at "$1" seenctl -j filter show "$(status_of "$1" .filter)" |
			jq '.[0].feed.pending')" = 0 ]
}

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# A server publishes a list of addresses as a signed file, and another one drops their packets. An
# address that is taken off the list stays until its window ends. The page is
# Documentation/scenarios/published.md.
#
#	$world eth0 --- eth0 $box1 eth1 --- eth1 $list1

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../net/helpers/lib.sh"
. "$(dirname "$0")/../net/helpers/page.sh"
. "$(dirname "$0")/../net/helpers/fleet.sh"
command -v nginx >/dev/null || skip_all "nginx is not installed"

plan 32
list1='' box1='' world=''
server list1 box1
ns world
veth "$world" eth0 "$box1" eth0
veth "$box1" eth1 "$list1" eth1
addr "$world" eth0 203.0.113.1/24 198.51.100.7/32 198.51.100.8/32 198.51.100.9/32
addr "$box1" eth0 203.0.113.10/24
addr "$box1" eth1 10.0.0.2/24
addr "$list1" eth1 10.0.0.1/24
link_up "$box1" eth0 eth1
ip -n "$box1" route add 198.51.100.0/24 dev eth0
# The page writes a program.
mkdir -p /usr/local/sbin

# reaches SOURCE: box1 answers a ping from this address.
reaches() {
	at "$world" ping -qc1 -W1 -I "$1" 203.0.113.10
}

# fetch: prints what box1 says about the file.
fetch() {
	at "$box1" seend subscribe blocked http://10.0.0.1:8088/blocked.seen 0 \
		/etc/seen/published.conf
}

# newer: the time of a file would be later than that of the published one.
newer() {
	[ "$(date +%s)" -gt "$(at "$list1" stat -c %Y /var/www/lists/blocked.seen)" ]
}

# list ADDRESS...: list1 publishes this list. The ETags of nginx have sizes, and times in seconds.
list() {
	await 20 newer || return
	printf '%s\n' "$@" | at "$list1" tee /etc/seen/addresses >/dev/null
	at "$list1" publish-blocked
}

# append NAMESPACE LINE...
append() {
	printf '%s\n' "${@:2}" | at "$1" tee -a /etc/seen/published.conf >/dev/null
}

# --- the page -----------------------------------------------------------------------

document=$(cd "$(dirname "$0")/../Documentation/scenarios" && pwd)/published.md
page "$document"
page_on "folders" "$list1" "$box1"
page_step "$list1" "a filter and its secret"
copy_to "$list1" blocked.secret "$box1"
page_step "$box1" "the same filter"
next=$page_next
page_step "$list1" "a key, on list1"
publisher="$page_out aggregate"
page_next=$next
page_step "$box1" "a key, on box1"
subscriber=$page_out
page_on "the configuration" "$list1" "$box1"
append "$list1" "$publisher"
append "$box1" "$publisher" "$subscriber"
page_on "it is right" "$list1" "$box1"
page_step "$list1" "nginx"
page_step "$list1" "a program that publishes"
page_step "$list1" "the first file"
page_step "$box1" "it is loaded"
page_step "$box1" "a unit that subscribes"
check "before the rules, box1 answers" reaches 198.51.100.7
page_step "$box1" "rules"
page_step "$box1" "the address is known"
page_end

# --- lists --------------------------------------------------------------------------

is "the address is dropped" "$(reaches 198.51.100.7 >/dev/null || echo dropped)" dropped
check "another one passes" reaches 198.51.100.8
match "the file is not loaded again" "$(fetch)" ": not newer$"
check "a longer list" list 198.51.100.7 198.51.100.8
match "is loaded" "$(fetch)" ": loaded$"
is "its addresses are dropped" \
	"$(reaches 198.51.100.7 >/dev/null || reaches 198.51.100.8 >/dev/null || echo dropped)" dropped
check "a list without the first address" list 198.51.100.8 198.51.100.9
match "is loaded, too" "$(fetch)" ": loaded$"
is "list1 does not have the address any more" "$(at "$list1" seenctl key test blocked 198.51.100.7)" \
	"198.51.100.7 new"
is "box1 has it until its window ends" "$(at "$box1" seenctl key test blocked 198.51.100.7)" \
	"198.51.100.7 seen"
at "$box1" seenctl allow add blocked 198.51.100.7
check "the allow list lets it pass" reaches 198.51.100.7
await 20 newer
at "$list1" sh -c 'printf x | dd of=/var/www/lists/blocked.seen bs=1 seek=100 conv=notrunc' 2>/dev/null
refuse "a changed file is refused" 1 "seend: blocked: " fetch
check "and changes nothing" reaches 203.0.113.1

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Three servers share their bans by seend and a real redis-server: an address that fail2ban bans on
# one of them is dropped on all, until the last ban of it is lifted. The page is
# Documentation/scenarios/bans.md.
#
#	$world eth0 ---+--- eth0 of $web1, $web2, $mail
#	$lan br0 ------+--- eth1 of $web1 (with Redis), $web2, $mail

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../net/helpers/lib.sh"
. "$(dirname "$0")/../net/helpers/page.sh"
. "$(dirname "$0")/../net/helpers/fleet.sh"
command -v fail2ban-server >/dev/null || skip_all "fail2ban is not installed"

plan 76
web1='' web2='' mail='' world='' lan=''
server web1 web2 mail
servers=("$web1" "$web2" "$mail")
ns world lan
br "$world" br0
br "$lan" br0
addr "$world" br0 203.0.113.1/24 2001:db8::1/64 203.0.113.{9,10,11,12,13,14}/24 2001:db8::9/64
# The last digit of the addresses of each server.
declare -A number_of=()
number=0
for host in "${servers[@]}"; do
	number_of[$host]=$((++number))
	veth "$host" eth0 "$world" "w$number"
	veth "$host" eth1 "$lan" "l$number"
	ip -n "$world" link set "w$number" master br0
	ip -n "$lan" link set "l$number" master br0
	addr "$host" eth0 "203.0.113.10$number/24" "2001:db8::10$number/64"
	addr "$host" eth1 "10.0.0.$number/24"
	link_up "$host" eth0 eth1
	install -D -m644 "$(dirname "$0")/../fail2ban/seen.conf" \
		"$lib_dir/${host%-*}.root/etc/fail2ban/action.d/seen.conf"
done

# reaches SOURCE SERVER: the server answers a ping from this address.
reaches() {
	local to=203.0.113.10

	[[ $1 != *:* ]] || to=2001:db8::10
	at "$world" ping -qc1 -W1 -I "$1" "$to${number_of[$2]}"
}

# reached SOURCE SERVER...: prints how many of these servers answer.
reached() {
	local host pids=() count=0

	for host in "${@:2}"; do
		reaches "$1" "$host" >/dev/null &
		pids+=($!)
	done
	for host in "${pids[@]}"; do
		! wait "$host" || count=$((count + 1))
	done
	echo $count
}

# passes SOURCE SERVER... and dropped SOURCE SERVER...: each of these servers answers, or none of
# them does, after its filter has changed.
passes() {
	await_key "! seenctl" "$@" && [ "$(reached "$@")" = $(($# - 1)) ]
}

dropped() {
	await_key seenctl "$@" && [ "$(reached "$@")" = 0 ]
}

await_key() {
	local host

	for host in "${@:3}"; do
		at "$host" timeout 120 sh -c "until $1 key test banned $2; do sleep 0.2; done" || return
	done
}

# attack SOURCE SERVER: the log of sshd has five wrong passwords. Fail2ban takes lines of one process
# of sshd for one connection.
attack() {
	local try

	for try in 1 2 3 4 5; do
		echo "$(date '+%b %e %T') ${2%-*} sshd[$((++sshd))]: Failed password for root" \
			"from $1 port 4242$try ssh2"
	done >>"$lib_dir/${2%-*}.root/var/log/auth.log"
}
sshd=1000

# banned SOURCE SERVER: fail2ban of this server has banned it.
banned() {
	grep -q "\[sshd\] Ban $1\$" "$lib_dir/${2%-*}.root/var/log/fail2ban.log"
}

unban() {
	at "$2" fail2ban-client set sshd unbanip "$1"
}

# started TARGET: fail2ban of each server has added its last rule, with this target.
started() {
	local host

	for host in "${servers[@]}"; do
		check "fail2ban starts on ${host%-*}: $1" await 120 \
			at "$host" ip6tables -C INPUT -m seen --filter banned -j "$1"
	done
}

faultless() {
	local host

	for host in "${servers[@]}"; do
		[ "$(at "$host" seenctl -j fleet show | jq 'map(.wrong | length) | add')" = 0 ] ||
			return
	done
}

# logged_only SOURCE: each server knows the ban, and lets the address pass.
logged_only() {
	await_key seenctl "$1" "${servers[@]}" && [ "$(reached "$1" "${servers[@]}")" = 3 ]
}

# --- the page -----------------------------------------------------------------------

document=$(cd "$(dirname "$0")/../Documentation/scenarios" && pwd)/bans.md
page "$document"
page_on "a folder for keys" "${servers[@]}"
page_step "$web1" "Redis"
page_step "$web1" "a filter, its secret and a seal"
copy_to "$web1" redis.password bans.secret bans.seal "$web2" "$mail"
page_on "the same filter" "$web2" "$mail"
page_on "exceptions" "${servers[@]}"
hosts='' next=$page_next
for host in "${servers[@]}"; do
	page_next=$next
	page_step "$host" "a key, on ${host%-*}"
	hosts+=$page_out$'\n'
done
page_on "the configuration" "${servers[@]}"
for host in "${servers[@]}"; do
	at "$host" tee -a /etc/seen/fleet.conf <<<"$hosts" >/dev/null
	: >"$lib_dir/${host%-*}.root/var/log/auth.log"
done
page_on "seend" "${servers[@]}"
page_on "fail2ban" "${servers[@]}"
started NFLOG
page_on "a rule" "${servers[@]}"
page_on "fleet show" "${servers[@]}"
note "$page_out"
check "no server shows a fault" await 60 faultless
page_step "$web1" "a ban"
page_on "the others know it" "$web2" "$mail"
at "$web1" fail2ban-client set sshd banip 203.0.113.14 >/dev/null
check "as yet no server drops a banned address" logged_only 203.0.113.14
page_on "the real action" "${servers[@]}"
started DROP
page_on "a rule that drops" "${servers[@]}"
check "all servers drop the same address now" dropped 203.0.113.14 "${servers[@]}"
check "web1 has banned the first one again, too" await_key seenctl 198.51.100.7 "$web1"
page_step "$web1" "the ban is lifted"
check "the others know that, too" await_key "! seenctl" 198.51.100.7 "$web2" "$mail"
page_end

# --- bans ---------------------------------------------------------------------------

for source in 203.0.113.9 2001:db8::9; do
	check "$source passes before" passes $source "${servers[@]}"
	attack $source "$web1"
	check "$source: fail2ban bans it on web1" await 120 banned $source "$web1"
	check "$source: all servers drop it" dropped $source "${servers[@]}"
	unban $source "$web1"
	check "$source: it passes on all when the ban is lifted" passes $source "${servers[@]}"
done
check "other addresses always pass" passes 203.0.113.10 "${servers[@]}"

attack 203.0.113.11 "$web1"
check "two bans: the first one" dropped 203.0.113.11 "${servers[@]}"
before=$(status_of "$web2" .acknowledged)
attack 203.0.113.11 "$web2"
check "two bans: the second one" await 120 banned 203.0.113.11 "$web2"
check "two bans: the second one is acknowledged" await 120 settled "$web2" "$before"
before=$(status_of "$web1" .acknowledged)
unban 203.0.113.11 "$web1"
check "two bans: the first one is lifted" await 120 settled "$web1" "$before"
check "two bans: all still drop the address" dropped 203.0.113.11 "${servers[@]}"
unban 203.0.113.11 "$web2"
check "two bans: it passes on all after the last one" passes 203.0.113.11 "${servers[@]}"

attack 203.0.113.12 "$web1"
check "an address is banned" dropped 203.0.113.12 "${servers[@]}"
at "$mail" seenctl allow add banned 203.0.113.12
is "it passes on the server that allows it, and on no other one" \
	"$(reached 203.0.113.12 "$mail") $(reached 203.0.113.12 "$web1" "$web2")" "1 0"

# --- without Redis, and without seend -----------------------------------------------

events stale "$mail" -j
hurt "$web1" redis-server
attack 203.0.113.13 "$web2"
check "without Redis: web2 drops what it bans" dropped 203.0.113.13 "$web2"
check "without Redis: known bans stay" dropped 203.0.113.12 "$web1" "$web2"
check "without Redis: an event reports it" heard stale 120 '"event":"feed-stale"'
hurt "$mail" seend
at "$web1" systemctl start redis-server
check "Redis is back: web1 gets the ban" dropped 203.0.113.13 "$web1"
is "mail has no seend, and does not get it" "$(reached 203.0.113.13 "$mail")" 1
at "$mail" systemctl start seend
check "seend is back: mail gets the ban" dropped 203.0.113.13 "$mail"

at "$web2" systemctl stop fail2ban
check "fail2ban stops on web2: its ban ends on all" passes 203.0.113.13 "${servers[@]}"
check "the ban of web1 stays" dropped 203.0.113.12 "$web1" "$web2"
at "$web2" systemctl start fail2ban
check "fail2ban starts again, and restores its ban for all" dropped 203.0.113.13 "${servers[@]}"
for host in "${servers[@]}"; do
	note "${host%-*}: $(at "$host" sh -c 'cat /var/log/seend.log; grep -hE "ERROR|WARN" /var/log/fail2ban*.log')"
done

# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Sourced after ../lib.sh by net/daemons.sh and others: packaged daemons, each in the namespace of a
# station. Each station has its own /run, so that several daemons of a kind can run, and
# the kernel's own defaults for IPv6: DAD, router solicitations, autoconf.
#
#	station k1 box		# the namespace $k1, its eth0 at port k1 of br0 in $box
#	run_in k1 zebra ...	# runs a daemon in the background
#	log_of k1 zebra		# prints the output of the daemon
#	inside k1 vtysh -c ...	# runs a command that uses the /run of the station

# The process that holds the mount namespace of a station.
declare -A station_holder=()
# The process of the daemon "STATION DAEMON".
declare -A daemon_pid=()

station() {
	ns "$1"
	at "${!1}" sh -c '
		cd /proc/sys/net/ipv6/conf/default
		echo 1 >accept_dad
		echo 1 >accept_ra
		echo 1 >autoconf
		echo -1 >router_solicitations
		echo 0 >addr_gen_mode'
	own_run "$1"
	veth "${!2}" "$1" "${!1}" eth0 && ip -n "${!2}" link set "$1" master br0
}

# own_run STATION: gives it a /run of its own. vtysh asks PAM, which finds no passwords in a guest.
own_run() {
	background at "${!1}" unshare -m sh -c 'mount -t tmpfs tmpfs /run &&
		printf "%s sufficient pam_permit.so\n" auth account >/run/pam &&
		mount --bind /run/pam /etc/pam.d/frr &&
		install -d -o frr -g frr /run/frr && touch /run/holds &&
		exec sleep infinity'
	station_holder[$1]=$!
	await 10 inside "$1" test -e /run/holds || exit 1
}

inside() {
	nsenter --net="/run/netns/${!1}" --mount="/proc/${station_holder[$1]}/ns/mnt" \
		-- "${@:2}"
}

run_in() {
	background nsenter --net="/run/netns/${!1}" \
		--mount="/proc/${station_holder[$1]}/ns/mnt" -- "${@:2}" \
		>>"$lib_dir/$1-${2##*/}.log" 2>&1
	daemon_pid["$1 ${2##*/}"]=$!
}

# signal STATION DAEMON SIGNAL
signal() {
	kill "-$3" "${daemon_pid["$1 $2"]}"
}

# stop STATION DAEMON: returns when the daemon has ended.
stop() {
	signal "$1" "$2" TERM && wait "${daemon_pid["$1 $2"]}"
}

log_of() {
	cat "$lib_dir/$1-$2.log"
}

# logs REGEX COUNT STATION DAEMON: the daemon has logged so many lines that match.
logs() {
	[ "$(log_of "$3" "$4" | grep -cE "$1")" -ge "$2" ]
}

# --- keepalived --------------------------------------------------------------------

# The instances of each router, and some of their ids.
KEEPALIVED="v2 v3 vmac4 vmac6"
VRID_V2=51
# In hexadecimal, as in MAC addresses.
VMAC4=35 VMAC6=36

# keepalived_start STATION PRIORITY: a backup waits at least a second for adverts. A guest
# stands still for three short intervals now and then.
keepalived_start() {
	cat >"$lib_dir/$1.conf" <<-EOF
		global_defs {
			router_id $1
			vrrp_garp_master_delay 1
		}
		vrrp_instance v2 {
			version 2
			interface eth0
			virtual_router_id $VRID_V2
			priority $2
			advert_int 1
			virtual_ipaddress { 10.1.0.51/24 }
		}
		vrrp_instance v3 {
			version 3
			interface eth0
			virtual_router_id 52
			priority $2
			advert_int 0.01
			down_timer_adverts 100
			virtual_ipaddress {
				fe80::52/64
				2001:db8:9::52/64
			}
		}
		vrrp_instance vmac4 {
			version 3
			interface eth0
			use_vmac
			virtual_router_id $((16#$VMAC4))
			priority $2
			advert_int 0.1
			down_timer_adverts 50
			virtual_ipaddress { 10.1.0.53/24 }
		}
		vrrp_instance vmac6 {
			version 3
			interface eth0
			use_vmac
			virtual_router_id $((16#$VMAC6))
			priority $2
			advert_int 0.1
			down_timer_adverts 50
			virtual_ipaddress {
				fe80::54/64
				2001:db8:9::54/64
			}
		}
	EOF
	run_in "$1" keepalived -P -n -l -D -f "$lib_dir/$1.conf"
}

# keepalived_states STATION INSTANCE: prints each state that the instance has entered.
keepalived_states() {
	log_of "$1" keepalived | sed -n "s/.*($2) Entering \([A-Z]*\) STATE.*/\1/p" |
		paste -sd' '
}

# keepalived_all STATION STATE: each instance is in this state.
keepalived_all() {
	local name states

	for name in $KEEPALIVED; do
		states=$(keepalived_states "$1" "$name")
		[ "${states##* }" = "$2" ] || return
	done
}

# --- frr ---------------------------------------------------------------------------

# frr_start STATION NUMBER PRIORITY: frr's OSPFv3 has no interval below a second.
frr_start() {
	local family number name address daemon conf=$lib_dir/$1.frr

	for family in 1:vrrp4:10.1.0.5/24 2:vrrp6:2001:db8:9::5/64; do
		IFS=: read -r number name address <<<"$family"
		ip -n "${!1}" link add "$name" link eth0 \
			address "00:00:5e:00:0$number:05" type macvlan mode bridge &&
			ip -n "${!1}" link set "$name" addrgenmode random &&
			ip -n "${!1}" link set "$name" up &&
			ip -n "${!1}" addr add "$address" dev "$name" || return
	done
	cat >"$conf" <<-EOF
		hostname $1
		interface lo
		 ip ospf area 0
		 ipv6 ospf6 area 0
		interface eth0
		 vrrp 5 version 3
		 vrrp 5 priority $3
		 vrrp 5 advertisement-interval 500
		 vrrp 5 ip 10.1.0.5
		 vrrp 5 ipv6 2001:db8:9::5
		 ip ospf area 0
		 ip ospf dead-interval minimal hello-multiplier 10
		 ipv6 ospf6 area 0
		 ipv6 ospf6 hello-interval 1
		 ipv6 ospf6 dead-interval 4
		router ospf
		 log-adjacency-changes detail
		 ospf router-id 10.1.9.$2
		router ospf6
		 log-adjacency-changes detail
		 ospf6 router-id 10.1.9.$2
	EOF
	for daemon in zebra vrrpd ospfd ospf6d; do
		run_in "$1" "/usr/lib/frr/$daemon" -f /dev/null --log stdout
		await 20 inside "$1" test -S "/run/frr/$daemon.vty" || return
	done
	inside "$1" vtysh -f "$conf"
}

# frr_vrrp STATION STATE: the routers of both families are in this state.
frr_vrrp() {
	[ "$(frr_ask "$1" '.[] | [.v4.status, .v6.status]' vrrp)" = "[\"$2\",\"$2\"]" ]
}

# frr_adjacent STATION: OSPF and OSPFv3 have one neighbour each, in state Full.
frr_adjacent() {
	[ "$(frr_ask "$1" '.neighbors[][].nbrState | .[:4]' ip ospf neighbor)" = '"Full"' ] &&
		[ "$(frr_ask "$1" '.neighbors[].state' ipv6 ospf6 neighbor)" = '"Full"' ]
}

# frr_changes STATION: prints how often VRRP and the neighbours have changed their states.
frr_changes() {
	frr_ask "$1" '.[] | [.v4.stats.transitions, .v6.stats.transitions]' vrrp
	log_of "$1" ospfd | grep -c AdjChg
	log_of "$1" ospf6d | grep -c AdjChg
}

# frr_ask STATION JQ WORD...: prints a part of the output of "show WORD...".
frr_ask() {
	inside "$1" vtysh -c "show ${*:3} json" 2>/dev/null | jq -c "$2"
}

# --- addresses -----------------------------------------------------------------------

# address_of STATION FAMILY: prints the first address of eth0, link-local for IPv6.
address_of() {
	ip -n "${!1}" -j "-$2" addr show dev eth0 | jq -r "[.[].addr_info[] |
		select(.scope == \"$([ "$2" = 4 ] && echo global || echo link)\")][0].local"
}

# dnsmasq_start STATION: DHCP, and router advertisements every few seconds.
dnsmasq_start() {
	run_in "$1" dnsmasq --keep-in-foreground --log-facility=- --conf-file=/dev/null \
		--port=0 --user=root --interface=eth0 --pid-file= \
		--dhcp-leasefile="$lib_dir/$1.leases" --log-dhcp --no-ping \
		--dhcp-range=10.1.0.100,10.1.0.150,2m \
		--dhcp-range=2001:db8:1::,ra-only,64 --enable-ra --ra-param=eth0,4,1800
}

# udhcpd_start STATION DEVICE
udhcpd_start() {
	cat >"$lib_dir/$1.udhcpd" <<-EOF
		start 10.1.10.100
		end 10.1.10.150
		interface $2
		min_lease 10
		lease_file $lib_dir/$1.leases
		pidfile /run/udhcpd.pid
		option subnet 255.255.255.0
		option lease 20
	EOF
	touch "$lib_dir/$1.leases"
	run_in "$1" busybox udhcpd -f "$lib_dir/$1.udhcpd"
}

# udhcpc_start STATION DEVICE: logs "lease EVENT ADDRESS" for each event.
udhcpc_start() {
	cat >"$lib_dir/udhcpc" <<-'EOF'
		#!/bin/sh
		case $1 in
		deconfig) ip -4 addr flush dev "$interface" ;;
		bound)	ip addr add "$ip/24" dev "$interface" ;;
		esac
		echo "lease $1 $ip"
	EOF
	chmod +x "$lib_dir/udhcpc"
	run_in "$1" busybox udhcpc -f -i "$2" -s "$lib_dir/udhcpc" -a -B -t 10 -T 1 -A 1
}

# udhcpc_again STATION: the client releases its address and gets a lease.
udhcpc_again() {
	local left got

	left=$(log_of "$1" busybox | grep -c 'lease deconfig')
	got=$(log_of "$1" busybox | grep -c 'lease bound')
	signal "$1" busybox USR2 &&
		await 10 logs 'lease deconfig' $((left + 1)) "$1" busybox &&
		signal "$1" busybox USR1 &&
		await 20 logs 'lease bound' $((got + 1)) "$1" busybox
}

# prefix_came STATION PREFIX: eth0 has an address of an advertised prefix.
prefix_came() {
	ip -n "${!1}" -6 addr show dev eth0 to "$2" | grep -q dynamic
}

# address_is STATION ADDRESS STATE: DAD has found "unique" or "dadfailed".
address_is() {
	local state

	state=$(ip -n "${!1}" -j -6 addr show dev eth0 to "$2/128" |
		jq -r '.[].addr_info[] | select(.local) | if .dadfailed then "dadfailed"
			elif .tentative then "tentative" else "unique" end')
	[ "$state" = "$3" ]
}

# --- names ------------------------------------------------------------------------------

# avahi_start STATION NAME
avahi_start() {
	cat >"$lib_dir/$1.avahi" <<-EOF
		[server]
		host-name=$2
		allow-interfaces=eth0
		enable-dbus=no
		[publish]
		publish-workstation=yes
	EOF
	run_in "$1" avahi-daemon --no-rlimits -f "$lib_dir/$1.avahi"
}

# avahi_finds STATION NAME ADDRESS: asks the daemon's socket, as nss-mdns does.
avahi_finds() {
	local answer

	answer=$(echo "RESOLVE-HOSTNAME-IPV4 $2.local" |
		inside "$1" socat -t 6 - UNIX-CONNECT:/run/avahi-daemon/socket)
	[[ $answer = *" $2.local $3"* ]]
}

# --- groups -----------------------------------------------------------------------------

# smcroute_start STATION GROUP: routes the group from eth0 to eth1.
smcroute_start() {
	cat >"$lib_dir/$1.smcroute" <<-EOF
		mgroup from eth0 group $2
		mroute from eth0 group $2 to eth1
	EOF
	run_in "$1" smcrouted -n -l info -f "$lib_dir/$1.smcroute"
	await 10 inside "$1" smcroutectl show groups
}

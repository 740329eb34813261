#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# A user without privilege makes a hundred user namespaces, each with a network
# namespace of its own, and fills them with filters, until the caps. In none of them
# may it raise a cap; what it takes is charged to its memory cgroup; and from none of
# them it sees, hears or touches what another one has, or the host. Caps one by one,
# and privilege: net/limit.sh, rights.sh.

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../net/helpers/lib.sh"

here=$(cd "$(dirname "$0")" && pwd)
TENANTS=$(long 100 300)
CAP_TEXT="memory: sysctl net.seen.max_bytes of this namespace would be exceeded; raise it or delete filters"
OWN_TEXT="memory: sysctl net.seen.max_bytes, read-only in this namespace, would be exceeded; delete filters"
TENANTS_TEXT="memory: module parameter tenants_max_bytes would be exceeded; raise it or delete filters"
MiB=$((1 << 20))
OWN=$((64 * MiB))
parameter=/sys/module/seen/parameters/tenants_max_bytes

plan 65
modprobe seen || exit 1
all=$(cat $parameter)
box=''
ns box
memory_group tenants
at "$box" seenctl -j -b - <<-END || exit 1
	filter add mine capacity 1k key bytes type cuckoo bits 16
	filter add hosts capacity 1k key host type cuckoo bits 16
	key add mine secret-of-the-host
	END
at "$box" seenctl guard add dev lo match all filter hosts >/dev/null

# Filters of a little more than 7 MiB, until that is refused.
for i in {1..20}; do
	echo "filter add f$i key bytes type cuckoo bits 32 capacity 1800k"
done >"$lib_dir/fill"
mkdir -m 1777 "$lib_dir/said"
chmod a+rx "$lib_dir"

# tenant N: a process in namespaces of its own, which tries to raise its cap, fills it,
# says how that ended, and stays; its id is in tenant[N].
tenant() {
	local n=$1

	(
		enter_group
		# shellcheck disable=SC2016 # that shell's
		exec setpriv --reuid=65534 --regid=65534 --clear-groups \
			unshare -Urn sh -c '
				echo 0 2>/dev/null >/proc/sys/net/seen/max_bytes &&
					echo raised
				seenctl -b - <"$1/fill" >"$1/said/$2.new" 2>&1
				mv "$1/said/$2.new" "$1/said/$2"
				exec sleep infinity' - "$lib_dir" "$n" \
			>"$lib_dir/raised.$n"
	) &
	tenant[n]=$!
	lib_pids+=($!)
}
tenant=()

full() {
	[ "$(find "$lib_dir/said" -name '*[0-9]' | wc -l)" = "$1" ]
}

# within N COMMAND...: as the root of that user namespace, charged where it is.
within() {
	local pid=${tenant[$1]}

	(
		enter_group
		exec nsenter -t "$pid" -U -n -- "${@:2}"
	)
}

# listed: the filters of each.
listed() {
	local n

	for ((n = 0; n < TENANTS; n++)); do
		within $n seenctl -j filter show
	done
}

# --- a hundred of them -----------------------------------------------------------------

before=0
[ -z "$group" ] || before=$(cat "$group/memory.current")
# The first few one after the other, so that some come to their own cap.
for ((n = 0; n < TENANTS; n++)); do
	tenant $n
	((n > 4)) || await 60 full $((n + 1)) || break
done
check "so many user namespaces" await 300 full "$TENANTS"
own=$(grep -l "$OWN_TEXT" "$lib_dir"/said/* | wc -l)
others=$(grep -l "$TENANTS_TEXT" "$lib_dir"/said/* | wc -l)
odd=$((TENANTS - own - others))
# The line of the refusal tells how many came before it.
each=$(within 0 seenctl -j filter show f1 | jq '.[0].bytes')
sum=$(sed -n 's/^seenctl: -:\([0-9]*\): .*/\1/p' "$lib_dir"/said/* |
	awk -v each="$each" '{ n += $1 - 1 } END { print n * each }')
over=$(listed | jq -cs "map(map(.bytes) | add // 0) |
	[length, (map(select(. > $OWN)) | length)]")
is "each is refused by one of the two caps" "$odd" 0
is "none has more than its own cap" "$over" "[$TENANTS,0]"
between "some came to their own" "$own" 1 "$TENANTS"
between "most to that of all together" "$others" $((TENANTS / 2)) "$TENANTS"
between "which have in all what the cap of all allows" \
	"$sum" $((all - 8 * MiB)) "$all"
if [ -n "$group" ]; then
	between "their memory cgroup is charged for it" \
		$(($(cat "$group/memory.current") - before)) "$sum" \
		$((sum + sum / 4 + 64 * MiB))
else
	skip "their memory cgroup is charged for it" "no memory controller"
fi
check "the host has room all the same" at "$box" seenctl filter add roomy \
	key bytes type cuckoo bits 32 capacity 1800k
at "$box" seenctl filter del roomy

# --- caps are not theirs to raise --------------------------------------------------------

cap=/proc/sys/net/seen/max_bytes
is "none raises its own cap" "$(cat "$lib_dir"/raised.*)" ""
is "which is what it was" "$(within 0 cat $cap)" $OWN
is "whose file nobody may write" "$(within 0 stat -c %a $cap)" 444
# shellcheck disable=SC2016 # that shell's
refuse "nor that of all" 1 "ermission denied" within 0 sh -c 'echo 0 >"$1" || exit 1' - $parameter
refuse "nor changes its mode" 1 "peration not permitted" within 0 chmod 644 $cap
refuse "nor that of a user namespace below its own" 1 "ermission denied" \
	within 0 unshare -Urn sh -c \
	'echo 0 >/proc/sys/net/seen/max_bytes || exit 1'
refuse "one more below it has no room either" 1 "$TENANTS_TEXT" \
	within 0 unshare -Urn seenctl filter add more key bytes type cuckoo bits 32 \
	capacity 1800k
is "the cap of all is what it was" "$(cat $parameter)" "$all"

# --- everything counts ------------------------------------------------------------------

# What takes memory is refused when there is none left, whatever it is. A namespace of
# the host's, capped at less than it has.
ctl() {
	at "$box" seenctl "$@"
}

ctl filter export mine "$lib_dir/mine" --with-secret >/dev/null
ctl filter add map key bytes type map capacity 100
ctl allow add mine one
at "$box" sysctl -qw net.seen.max_bytes=1
ip -n "$box" link add d0 type dummy
for what in "filter add new key bytes capacity 10 type bloom" \
		"filter import new $lib_dir/mine" \
		"allow add mine two" \
		"allow add hosts 192.0.2.1" \
		"guard add dev d0 filter hosts match all" \
		"guard add dev d0 profile packet"; do
	# shellcheck disable=SC2086 # one word a parameter
	refuse "no memory left: $what" 1 "$CAP_TEXT" ctl $what
done
refuse "no memory left: flush" 1 "memory: cap exceeded" \
	ctl filter flush mine
if at "$box" iptables-nft -w -S >/dev/null 2>&1; then
	refuse "no memory left: a rule that names a new filter" 4 "No space left" \
		at "$box" iptables-nft -A INPUT -m seen --filter nowhere
else
	skip "no memory left: a rule that names a new filter" "no iptables"
fi
at "$box" sysctl -qw net.seen.max_bytes=0

# --- a cgroup has its own limit ----------------------------------------------------------

if [ -n "$group" ]; then
	echo $(($(cat "$group/memory.current") + 16 * MiB)) >"$group/memory.max"
	# Its own memory is elsewhere: ../faults/memcg.sh says why.
	refuse "beyond the limit of a cgroup" 1 "which could not be allocated" \
		at "$box" env SEEN_GROUP="$group" \
		LD_PRELOAD="$(dirname "$0")/../helpers/memcg_send.so" \
		seenctl filter add big key bytes type cuckoo bits 32 capacity 16M
	is "nobody is killed for it" \
		"$(awk '$1 == "oom_kill" { print $2 }' "$group/memory.events")" 0
	refuse "and the filter is not there" 1 "does not exist" \
		ctl filter show big
	echo max >"$group/memory.max"
else
	skip "beyond the limit of a cgroup" "no memory controller"
	skip "nobody is killed for it" "no memory controller"
	skip "and the filter is not there" "no memory controller"
fi

# --- nobody sees another one ------------------------------------------------------------

last=$((TENANTS - 1))
at "$box" seenctl filter del map
check "of the first, a name that the last has not" \
	within 0 seenctl filter rename f1 first
check "and a guard" within 0 seenctl -b - <<-END
	filter add tiny key host type bloom capacity 10 fpp 1%
	guard add dev lo match all filter tiny
	END
is "no tenant lists another one's filters" \
	"$(within $last seenctl -j filter show | jq -c 'map(.name)')" "[]"
is "nor the host's: it has its own alone" "$(within 1 seenctl -j filter show |
	jq -r '.[].name' | grep -cE '^(mine|hosts|first)$')" 0

# serial NAME: which of all filters an export of it tells that it is.
serial() {
	echo $(($(within $last python3 "$here/helpers/raw.py" cookie "$1") >> 32))
}

within $last seenctl filter add before key bytes type bloom capacity 10
for name in a b c; do
	ctl filter add $name key bytes type bloom capacity 10
	within 0 seenctl filter add $name key bytes type bloom capacity 10
done
within $last seenctl filter add after key bytes type bloom capacity 10
is "no export tells how many filters others have made" \
	"$(($(serial after) - $(serial before)))" 1
for what in "filter show first" "filter del first" "filter flush first" \
		"filter rename first mine" "filter set first on-full pass" \
		"filter fold first" "filter merge f1 first" \
		"filter swap f1 first" "filter export mine -" "top mine" \
		"key test mine secret-of-the-host" "key add mine stranger" \
		"key del mine secret-of-the-host" "key count mine stranger" \
		"allow add mine stranger" "allow del mine one" "allow show mine" "allow map first none"; do
	# shellcheck disable=SC2086 # one word a parameter
	refuse "another one's: $what" 1 "does not exist" \
		within 1 seenctl $what
done
is "guards are its own" "$(within 1 seenctl -j guard show | jq length)" 0
for what in "guard del dev lo" "guard set dev lo action drop" \
		"guard pause dev lo" "guard resume dev lo" "guard show dev lo"; do
	# shellcheck disable=SC2086 # one word a parameter
	refuse "a guard of the host is not there: $what" 1 "does not exist" \
		within 1 seenctl $what
done
check "all of a tenant's own are paused" within 1 seenctl guard pause all
is "nor is it paused with all of a tenant's own" \
	"$(ctl -j guard show | jq -c 'map(.paused)')" "[false]"
is "nor is that of another one, or changed" \
	"$(within 0 seenctl -j guard show | jq -c 'map([.paused, .action])')" \
	'[[false,"count"]]'
refuse "the namespace of another one cannot be entered" 1 "ermission denied" \
	within 1 nsenter -t "${tenant[0]}" -n true
refuse "nor the host's" 1 "ermission denied" within 1 nsenter -t 1 -n true

# Who listens to all namespaces hears those that it knows, as by a wire between them, and
# has the right to: a tenant its own alone, the host all.
ip link add v0 netns "$box" type veth peer name v1 netns "${tenant[1]}"
ip link add v0 netns "${tenant[0]}" type veth peer name v2 netns "${tenant[1]}"
listen host at "$box" python3 "$here/helpers/raw.py" listen
heard host 20 ready >/dev/null
listen ears nsenter -t "${tenant[1]}" -U -n -- \
	python3 "$here/helpers/raw.py" listen
heard ears 20 ready >/dev/null
at "$box" seenctl filter add loud key bytes capacity 10 type bloom
within 0 seenctl filter del first
within 1 seenctl filter del f1
f1=$(printf f1 | od -An -tx1 | tr -d ' \n')00
# SEEN_CMD_FILTER_DEL_NTF
check "the host hears a tenant" heard host 20 "^16 .*$f1"
heard ears 20 '^16 ' >"$lib_dir/event"
is "the first event that it hears is its own" "$(grep -c "$f1" "$lib_dir/event")" 1
is "and the only one" "$(grep -cE '^[0-9]+ ' "$(heard_log ears)")" 1

# --- the end -----------------------------------------------------------------------------

kill "${lib_pids[@]}"
wait "${lib_pids[@]}" 2>/dev/null
lib_pids=()
if [ -n "$group" ]; then
	check "all of it is given back when they end" await 60 nothing_charged
else
	skip "all of it is given back when they end" "no memory controller"
fi
figure "tenants: $TENANTS user namespaces, $own stopped by their own cap, $others by that of all, $((sum / MiB)) MiB in all"

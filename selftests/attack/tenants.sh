#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# A user without privilege makes a hundred user namespaces, each with a network namespace of its
# own, and fills them with filters until the caps refuse more. In none of them can he raise a cap;
# the memory is charged to his memory cgroup; and no namespace can see, hear or change objects of
# another one or of the host. For single caps and privileges see net/limit.sh and rights.sh.

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../net/helpers/lib.sh"

here=$(cd "$(dirname "$0")" && pwd)
TENANTS=$(long 100 300)
CAP_TEXT="memory: sysctl net.seen.max_bytes of this namespace would be exceeded; raise it or delete filters"
OWN_TEXT="memory: sysctl net.seen.max_bytes, read-only in this namespace, would be exceeded; delete filters"
TENANTS_TEXT="memory: module parameter tenants_max_bytes would be exceeded; delete filters, or ask the host to raise it"
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

# Filters of a little more than 7 MiB, until one is refused.
for i in {1..20}; do
	echo "filter add f$i key bytes type cuckoo bits 32 capacity 1800k"
done >"$lib_dir/fill"
mkdir -m 1777 "$lib_dir/said"
chmod a+rx "$lib_dir"

# tenant N: starts a process in namespaces of its own. It tries to raise its cap, adds filters,
# writes how that ended, and stays alive; its process id is in tenant[N].
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

# within N COMMAND...: runs it as the root of tenant N's user namespace, in the tenants' cgroup.
within() {
	local pid=${tenant[$1]}

	(
		enter_group
		exec nsenter -t "$pid" -U -n -- "${@:2}"
	)
}

# listed: prints the filters of each tenant.
listed() {
	local n

	for ((n = 0; n < TENANTS; n++)); do
		within $n seenctl -j filter show
	done
}

# --- a hundred of them -----------------------------------------------------------------

before=0
[ -z "$group" ] || before=$(cat "$group/memory.current")
# The first tenants start one after the other, so that some reach their own cap.
for ((n = 0; n < TENANTS; n++)); do
	tenant $n
	((n > 4)) || await 60 full $((n + 1)) || break
done
check "a hundred or more user namespaces are filled" await 300 full "$TENANTS"
own=$(grep -l "$OWN_TEXT" "$lib_dir"/said/* | wc -l)
others=$(grep -l "$TENANTS_TEXT" "$lib_dir"/said/* | wc -l)
odd=$((TENANTS - own - others))
# The refusal names the line, so it shows how many filters were added before.
each=$(within 0 seenctl -j filter show f1 | jq '.[0].bytes')
sum=$(sed -n 's/^seenctl: -:\([0-9]*\): .*/\1/p' "$lib_dir"/said/* |
	awk -v each="$each" '{ n += $1 - 1 } END { print n * each }')
over=$(listed | jq -cs "map(map(.bytes) | add // 0) |
	[length, (map(select(. > $OWN)) | length)]")
is "each is refused by one of the two caps" "$odd" 0
is "no tenant exceeds its own cap" "$over" "[$TENANTS,0]"
between "some tenants reach their own cap" "$own" 1 "$TENANTS"
between "most tenants reach the common cap" "$others" $((TENANTS / 2)) "$TENANTS"
between "all tenants together use the common cap" \
	"$sum" $((all - 8 * MiB)) "$all"
if [ -n "$group" ]; then
	between "their memory cgroup is charged for it" \
		$(($(cat "$group/memory.current") - before)) "$sum" \
		$((sum + sum / 4 + 64 * MiB))
else
	skip "their memory cgroup is charged for it" "no memory controller"
fi
check "the host can still add filters" at "$box" seenctl filter add roomy \
	key bytes type cuckoo bits 32 capacity 1800k
at "$box" seenctl filter del roomy

# --- tenants cannot raise caps -----------------------------------------------------------

cap=/proc/sys/net/seen/max_bytes
is "no tenant raises its own cap" "$(cat "$lib_dir"/raised.*)" ""
is "the cap is unchanged" "$(within 0 cat $cap)" $OWN
is "the cap's file is not writable" "$(within 0 stat -c %a $cap)" 444
# shellcheck disable=SC2016 # that shell's
refuse "the common cap cannot be raised" 1 "ermission denied" \
	within 0 sh -c 'echo 0 >"$1" || exit 1' - $parameter
refuse "the mode of the cap's file cannot be changed" 1 "peration not permitted" \
	within 0 chmod 644 $cap
refuse "the cap of a nested user namespace cannot be raised" 1 "ermission denied" \
	within 0 unshare -Urn sh -c \
	'echo 0 >/proc/sys/net/seen/max_bytes || exit 1'
refuse "a nested user namespace has no additional memory" 1 "$TENANTS_TEXT" \
	within 0 unshare -Urn seenctl filter add more key bytes type cuckoo bits 32 \
	capacity 1800k
is "the common cap is unchanged" "$(cat $parameter)" "$all"

# --- everything is charged --------------------------------------------------------------

# At the cap, every command that needs memory is refused. The test uses a namespace of the host
# whose cap is below its use.
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
	# seenctl itself is in another cgroup; ../faults/memcg.sh explains why.
	refuse "a filter beyond the limit of a cgroup is refused" 1 "which could not be allocated" \
		at "$box" env SEEN_GROUP="$group" \
		LD_PRELOAD="$(dirname "$0")/../helpers/memcg_send.so" \
		seenctl filter add big key bytes type cuckoo bits 32 capacity 16M
	is "no process is killed" \
		"$(awk '$1 == "oom_kill" { print $2 }' "$group/memory.events")" 0
	refuse "the refused filter does not exist" 1 "does not exist" \
		ctl filter show big
	echo max >"$group/memory.max"
else
	skip "a filter beyond the limit of a cgroup is refused" "no memory controller"
	skip "no process is killed" "no memory controller"
	skip "the refused filter does not exist" "no memory controller"
fi

# --- tenants are separated --------------------------------------------------------------

last=$((TENANTS - 1))
at "$box" seenctl filter del map
check "the first tenant adds a filter whose name the last one does not use" \
	within 0 seenctl filter rename f1 first
check "the first tenant adds a guard" within 0 seenctl -b - <<-END
	filter add tiny key host type bloom capacity 10 fpp 1%
	guard add dev lo match all filter tiny
	END
is "no tenant lists filters of another one" \
	"$(within $last seenctl -j filter show | jq -c 'map(.name)')" "[]"
is "no tenant lists filters of the host" "$(within 1 seenctl -j filter show |
	jq -r '.[].name' | grep -cE '^(mine|hosts|first)$')" 0

# serial NAME: the serial number of a filter, from an export.
serial() {
	echo $(($(within $last python3 "$here/helpers/raw.py" cookie "$1") >> 32))
}

within $last seenctl filter add before key bytes type bloom capacity 10
for name in a b c; do
	ctl filter add $name key bytes type bloom capacity 10
	within 0 seenctl filter add $name key bytes type bloom capacity 10
done
within $last seenctl filter add after key bytes type bloom capacity 10
is "serial numbers do not show how many filters other tenants have added" \
	"$(($(serial after) - $(serial before)))" 1
for what in "filter show first" "filter del first" "filter flush first" \
		"filter rename first mine" "filter set first on-full pass" \
		"filter fold first" "filter merge f1 first" \
		"filter swap f1 first" "filter export mine -" "top mine" \
		"key test mine secret-of-the-host" "key add mine stranger" \
		"key del mine secret-of-the-host" "key count mine stranger" \
		"allow add mine stranger" "allow del mine one" "allow show mine" "allow map first none"; do
	# shellcheck disable=SC2086 # one word a parameter
	refuse "not on another one's filter: $what" 1 "does not exist" \
		within 1 seenctl $what
done
is "a tenant lists only its own guards" "$(within 1 seenctl -j guard show | jq length)" 0
for what in "guard del dev lo" "guard set dev lo action drop" \
		"guard pause dev lo" "guard resume dev lo" "guard show dev lo"; do
	# shellcheck disable=SC2086 # one word a parameter
	refuse "not on a guard of the host: $what" 1 "does not exist" \
		within 1 seenctl $what
done
check "a tenant pauses all of its guards" within 1 seenctl guard pause all
is "this does not pause the host's guard" \
	"$(ctl -j guard show | jq -c 'map(.paused)')" "[false]"
is "this neither pauses nor changes another tenant's guard" \
	"$(within 0 seenctl -j guard show | jq -c 'map([.paused, .action])')" \
	'[[false,"count"]]'
refuse "a tenant cannot enter another one's namespace" 1 "ermission denied" \
	within 1 nsenter -t "${tenant[0]}" -n true
refuse "a tenant cannot enter the host netns" 1 "ermission denied" within 1 nsenter -t 1 -n true

# A socket that listens to all namespaces receives events of each namespace that has an id in its
# own (for example because of a veth between them) and for which it has the privilege: a tenant
# only its own events, the host all.
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
check "the host receives a tenant's event" heard host 20 "^16 .*$f1"
heard ears 20 '^16 ' >"$lib_dir/event"
is "the first event that a tenant receives is its own" "$(grep -c "$f1" "$lib_dir/event")" 1
is "a tenant receives no other event" "$(grep -cE '^[0-9]+ ' "$(heard_log ears)")" 1

# --- the end -----------------------------------------------------------------------------

kill "${lib_pids[@]}"
wait "${lib_pids[@]}" 2>/dev/null
lib_pids=()
if [ -n "$group" ]; then
	check "when the tenants end, all memory is freed" await 60 nothing_charged
else
	skip "when the tenants end, all memory is freed" "no memory controller"
fi
figure "tenants: $TENANTS user namespaces, $own stopped by their own cap, $others by the common cap, $((sum / MiB)) MiB in all"

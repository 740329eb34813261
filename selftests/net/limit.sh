#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Permissions and memory: the cap of a namespace, the cap of all tenants (namespaces of
# other users) together, and the commands that need CAP_NET_ADMIN.

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/helpers/lib.sh"

CAP_TEXT="memory: sysctl net.seen.max_bytes of this namespace would be exceeded; raise it or delete filters"
OWN_TEXT="memory: sysctl net.seen.max_bytes, read-only in this namespace, would be exceeded; delete filters"
TENANTS_TEXT="memory: module parameter tenants_max_bytes would be exceeded; delete filters, or ask the host to raise it"
MiB=$((1 << 20))
tenants_max=/sys/module/seen/parameters/tenants_max_bytes

# What needs CAP_NET_ADMIN; "other" and eth0 exist.
denied=(
	"filter add new capacity 10 key bytes"
	"filter del f"
	"filter set f on-full pass"
	"filter flush f"
	"filter rename f g"
	"filter swap f other"
	"filter export f /dev/null"
	"filter merge f other"
	"filter fold f"
	"key add f a"
	"key add f --new a"
	"key test f a"
	"key del f a"
	"guard add dev eth0 filter frames"
	"guard del dev lo"
	"guard set dev lo action drop"
	"guard pause dev lo"
	"guard resume all"
	"guard show"
	"filter show"
	"filter show f"
	"feed add f"
	"feed del f"
	"monitor"
)

plan $((34 + ${#denied[@]}))
modprobe seen || exit 1
box='' away=''
ns box away
veth "$box" eth0 "$away" eth0

# nobody COMMAND...: a user without privilege, in the test's own namespace.
nobody() {
	at "$box" setpriv --reuid=65534 --regid=65534 --clear-groups \
		--bounding-set=-all "$@"
}

# tenant: a user's own user and network namespace; its process is in $tenant.
tenant() {
	background setpriv --reuid=65534 --regid=65534 --clear-groups \
		unshare -Urn sleep infinity
	tenant=$!
	await 10 in_tenant test -e /proc/sys/net/seen/max_bytes
}

# in_tenant COMMAND...: as the root of that user namespace.
in_tenant() {
	[ "$(readlink "/proc/$tenant/ns/user")" != \
		"$(readlink /proc/self/ns/user)" ] || return
	nsenter -t "$tenant" -U -n -- "$@"
}

cap() {
	at "$box" sysctl -qw "net.seen.max_bytes=$1"
}

bytes_in() {
	"$@" seenctl -j filter show | jq 'map(.bytes) | add // 0'
}

# big NAME MEBIBYTES: words of a filter with a table of about that size.
big() {
	echo "filter add $1 key bytes type cuckoo bits 32 capacity" \
		"$(($2 * 1000000 * 95 / 400))"
}

# --- the cap of a namespace ----------------------------------------------------

mode() {
	"$@" stat -c %a /proc/sys/net/seen/max_bytes
}

is "the first namespace: its owner sets the cap" "$(mode env)" 644
is "another namespace of the same owner: its owner sets the cap" "$(mode at "$box")" 644
is "no cap by default" "$(at "$box" sysctl -n net.seen.max_bytes)" 0
tenant
is "a tenant: no user in it sets the cap" "$(mode in_tenant)" 444
is "a tenant's cap by default" \
	"$(in_tenant cat /proc/sys/net/seen/max_bytes)" $((64 * MiB))
refuse "a tenant's root cannot raise it" 1 "Permission denied" \
	in_tenant sh -c 'echo 0 >/proc/sys/net/seen/max_bytes || exit 1'

cap $((4 * MiB))
# shellcheck disable=SC2046 # one word a parameter
{
check "below the cap" at "$box" seenctl $(big f 3)
refuse "above the cap" 1 "$CAP_TEXT" at "$box" seenctl $(big g 3)
is "the refused filter does not exist" \
	"$(at "$box" seenctl -j filter show | jq length)" 1
check "a filter that fills the cap can be flushed" at "$box" seenctl filter flush f
cap $MiB
refuse "a flush is refused if the filter exceeds the cap" 1 "memory: cap exceeded" \
	at "$box" seenctl filter flush f
cap $((4 * MiB))
check "but that filter can be deleted" at "$box" seenctl filter del f
check "a delete releases its memory" \
	await 10 at "$box" seenctl $(big g 3)
at "$box" seenctl filter del g
cap 0
check "without a cap a large filter is added" at "$box" seenctl $(big g 6)
at "$box" seenctl filter del g
}

# steps DEV: $steps is by how many of $STEP bytes the cap has to rise for a guard of DEV
# to find room. What refuses it until then is the cap.
STEP=128
steps() {
	local refusal

	steps=0
	until refusal=$(at "$box" seenctl guard add dev "$1" filter small 2>&1); do
		if [[ $refusal != *"$CAP_TEXT"* ]] || ((++steps > 200)); then
			note "$1: $refusal"
			return
		fi
		cap $((limit += STEP))
	done
}

# The guard of a missing device has no port. A step is smaller than a guard and smaller than a
# port, so at some steps the cap has room for the guard but not for its port.
cap $MiB
await 10 at "$box" seenctl filter add small type bloom key frame capacity 10
limit=$(bytes_in at "$box")
cap "$limit"
steps no0
first=$limit
steps no1
without=$steps
steps eth0
between "a guard waits for room for its port, too" $((steps - without)) 2 100
is "the refused guards do not exist" \
	"$(at "$box" seenctl -j guard show | jq -c 'map(.dev)')" '["no0","no1","eth0"]'
for dev in no0 no1 eth0; do
	at "$box" seenctl guard del dev "$dev"
done
cap $((first + STEP * steps))
check "refused guards use no memory" \
	await 10 at "$box" seenctl guard add dev eth0 filter small
at "$box" seenctl guard del dev eth0
at "$box" seenctl filter del small
cap 0

# --- tenants -------------------------------------------------------------------

# Adds filters of 10 MiB until that is refused; prints the refusal.
fill() {
	local n

	for n in {1..9}; do
		# shellcheck disable=SC2046 # one word a parameter
		"$@" seenctl $(big "fill$n" 10) 2>&1 || return
	done
}

match "a tenant cannot exceed its cap" "$(fill in_tenant)" "$OWN_TEXT"
between "a tenant has what its cap allows" "$(bytes_in in_tenant)" \
	$((50 * MiB)) $((64 * MiB))
kill "$tenant"

old=$(cat $tenants_max)
later "echo $old >$tenants_max"
echo $((40 * MiB)) >$tenants_max
# shellcheck disable=SC2046 # one word a parameter
{
tenant
first=$tenant
check "the first of three tenants" await 10 in_tenant seenctl $(big f 16)
tenant
check "the second" in_tenant seenctl $(big f 16)
tenant
refuse "the third is above the cap of all" 1 "$TENANTS_TEXT" \
	in_tenant seenctl $(big f 16)
check "the host's own namespaces are not part of that" \
	at "$box" seenctl $(big f 16)
at "$box" seenctl filter del f
kill "$first"
check "the third, after the first has ended" \
	await 20 in_tenant seenctl $(big f 16)
echo $((4 * MiB)) >$tenants_max
refuse "above the cap of all already: no flush" 1 "memory: cap exceeded" \
	in_tenant seenctl filter flush f
echo "$old" >$tenants_max
check "the refused flush is not charged to the tenant" in_tenant seenctl $(big g 40)
}

# --- privilege -----------------------------------------------------------------

at "$box" seenctl -j -b - <<-END >/dev/null || exit 1
	filter add f capacity 1k key bytes type cuckoo bits 16
	filter add other capacity 1k key bytes type cuckoo bits 16
	filter add frames capacity 1k key frame type cuckoo bits 16
	filter add hosts capacity 1k key host type cuckoo bits 16
	key add f a
	guard add dev lo match all filter hosts
	END

everything() {
	at "$box" seenctl -j filter show
	at "$box" seenctl -j guard show
}

before=$(everything)
for what in "${denied[@]}"; do
	# shellcheck disable=SC2086 # one word a parameter
	refuse "nobody: $what" 1 "Operation not permitted" nobody seenctl $what
done
for what in "filter add new capacity 10 key bytes" "key add f a" "guard show" "filter show"; do
	# shellcheck disable=SC2086 # one word a parameter
	refuse "root of a user namespace, in another's network: $what" 1 \
		"Operation not permitted" nobody unshare -Ur seenctl $what
done
is "nothing has changed" "$(everything)" "$before"

# --- the memory cgroup ---------------------------------------------------------

memory_group limit
if [ -n "$group" ]; then
	(
		enter_group
		# shellcheck disable=SC2046 # one word a parameter
		seenctl -n "$box" $(big mine 8)
	)
	await 10 some_charged vmalloc
	between "a table is charged to the cgroup" "$(charged vmalloc)" \
		$((8 * 1000000 * 95 / 100)) $((10 * MiB))
	# The kernel's first chunk of counters, some ten KiB for each processor, is
	# charged to nobody.
	(
		enter_group
		printf 'filter add mine%d key sport type bitmap range 0-99\n' \
			{1..500} | seenctl -n "$box" -b -
	)
	await 10 some_charged percpu
	between "counters are charged to the cgroup" "$(charged percpu)" 1 $((4 * MiB))
	{
		echo filter del mine
		printf 'filter del mine%d\n' {1..500}
	} | at "$box" seenctl -b -
	check "the memory is released" await 10 nothing_charged
else
	skip "a table is charged to the cgroup" "no memory controller"
	skip "counters are charged to the cgroup" "no memory controller"
	skip "the memory is released" "no memory controller"
fi

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The real code of kmod/core in weakly ordered memory (selftests/core/weak.h): every
# interleaving, and every value that a load may read, of small cases. Then, for
# each place in the code where an order is asked for, the same without that order:
# some case must fail.

. "$(dirname "$0")/../lib.sh"
cd "$(dirname "$0")/../.." || exit

# The tests, and the cases of the short run; all in a long one.
table="bitmap	1 2 3 4 5
bloom	1 2 3 4
counting	1 2 3 4 5 6
window	5 6 9 10
cuckoo	1 2 4 5 7 8 10 14 16 22
map	1 3 4 5 6 7 9 11 14 15 16 19"
all="bitmap	$(seq -s' ' 5)
bloom	$(seq -s' ' 4)
counting	$(seq -s' ' 6)
window	$(seq -s' ' 10)
cuckoo	$(seq -s' ' 60)
map	$(seq -s' ' 19)
stamped	$(seq -s' ' 18)
port	$(seq -s' ' 15)
sketch	$(seq -s' ' 23)
top	$(seq -s' ' 3)"

states=0 cases=0 killed=0 spared=0

# Orders that no case misses, and why that is right.
spare() {
	case $1 in
	atomic.h:*) echo "counters, which need no order" ;;
	*) return 1 ;;
	esac
}

# run TEST CASE [SITE]: prints the case's line.
run() {
	env WEAK=1 CASE="$2" ${3:+SITE="$3"} "build/core/gcc/step_$1" \
		>"$lib_dir/out"
	grep -E "^(not )?ok $2 - " "$lib_dir/out"
}

# holds TEST CASE: notes which orders it met, too.
holds() {
	local line

	line=$(run "$1" "$2")
	[[ $line = ok* ]] || { echo "$line"; return 1; }
	line=${line##*: }
	((states += ${line%% *}, ++cases))
	sed -n "s/^# site \([^ ]*\) .*/$1 \1 $2/p" "$lib_dir/out" \
		>>"$lib_dir/sites"
}

hold() {
	local case bad=0

	for case in $2; do
		holds "$1" "$case" || bad=1
	done
	return $bad
}

# is_missed TEST SITE: by one of the cases that met it.
is_missed() {
	local case list

	mapfile -t list < <(awk -v t="$1" -v s="$2" \
		'$1 == t && $2 == s { print $3 }' "$lib_dir/sites")
	for case in "${list[@]}"; do
		[[ $(run "$1" "$case" "$2") != "not ok"* ]] || return 0
	done
	return 1
}

# Each site once, by whichever test misses it.
without() {
	local site=$1 test list

	mapfile -t list < <(awk -v s="$site" '$2 == s { print $1 }' \
		"$lib_dir/sites" | uniq)
	for test in "${list[@]}"; do
		if is_missed "$test" "$site"; then
			((++killed))
			return 0
		fi
	done
	spare "$site" && ((++spared))
}

[ -z "${LONG:-}" ] || table=$all
plan $(($(wc -l <<<"$table") + 1))
while IFS=$'\t' read -r test list; do
	hold "$test" "$list" >"$lib_dir/failed"
	is "step_$test" "$(<"$lib_dir/failed")" ""
done <<<"$table"
survivors=
mapfile -t sites < <(cut -d' ' -f2 "$lib_dir/sites" | sort -u)
for site in "${sites[@]}"; do
	without "$site" >"$lib_dir/why" || survivors+=" $site"
	[ ! -s "$lib_dir/why" ] || note "$site: $(<"$lib_dir/why")"
done
is "each order is missed where it is not asked for" "$survivors" ""
figure "weak memory: $cases cases of the real code, $states states;" \
	"$killed of $((killed + spared)) orders are missed, $spared need not be"

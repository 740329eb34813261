#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Runs small cases of the real code of kmod/core under a model of weakly ordered memory
# (selftests/core/weak.h): every interleaving, and every value that a load may return. Then, for
# each place in the code that requests an ordering, the same cases without this ordering: at
# least one must fail.

. "$(dirname "$0")/../lib.sh"
cd "$(dirname "$0")/../.." || exit

# The tests, and the cases of a short run. A long run has all cases.
table="bitmap	1 2 3 4 5
bloom	1 2 3 4
counting	1 2 3 4 5 6
window	5 6 9 10 12 14
ring	1 2 3 4 5 6 7
cuckoo	1 2 4 5 7 8 10 14 16 22
map	1 3 4 5 6 7 9 11 14 15 16 19
guard	1 2 3 4 5 6
replace	1 2 3 4 5 6 7 8 9 10 11 12 13 14 16 17 18 19 20 21 22 23 24 25 27 28 29 30 31"
long_only="aged cuckoo-window port sketch top"
# Fewer or more orderings than this mean that the code or this test has an error.
SITES_MIN=20
SITES_MAX=100

states=0 cases=0 killed=0 spared=0

# place_of FILE:LINE: prints "FILE:FUNCTION: " and the text of the line.
place_of() {
	local dir file line=${1#*:}

	for dir in tools/shim/linux kmod/core kmod; do
		file=$dir/${1%:*}
		[ ! -e "$file" ] || break
	done
	head -n "$line" "$file" | awk -v file="${1%:*}" '
		/^[a-z].*[ *][a-z0-9_]+\(/ {
			name = $0
			sub(/\(.*/, "", name)
			sub(/.*[ *]/, "", name)
		}
		END { sub(/^\t+/, ""); print file ":" name ": " $0 }'
}

# Orderings whose removal no case can detect, with the reason.
spare() {
	case $(place_of "$1") in
	atomic.h:atomic64_xchg:* | atomic.h:atomic64_try_cmpxchg:*)
		echo "counters of keycount.c and total.c, which need no order" ;;
	fold.c:seen_set_mirror:*"&set->mirror, mirror"* | set.c:set_add_all:*"&set->mirror"*)
		echo "plain accesses to the mirror, not modelled; a grace period orders others" ;;
	fold.c:seen_set_mirror_judges:*"&set->judges"* | set.c:set_add_to_both:*"&set->judges"*)
		echo "a load before a later store, which weak.h never reorders" ;;
	sketch.c:seen_sketch_merge_begin:*smp_mb* | sketch.c:seen_sketch_merge_end:*smp_mb*)
		echo "an exchange that has changed a counter is a full barrier, too" ;;
	sketch.c:seen_sketch_sweep:*"try_cmpxchg(&word[i]"*)
		echo "cleared words have expired by the clock that was read; no answer uses them" ;;
	ring.c:ring_take:*"&ring->tail"* | ring.c:seen_ring_release:*"&ring->tail"*)
		echo "orders loads and stores before a later store, which weak.h never reorders" ;;
	cuckoo_window.c:stamp_evict:*"try_cmpxchg(&set->shortest"* | set.c:seen_set_effective:*)
		echo "a statistic, which needs no order" ;;
	allow.h:seen_allowed:*smp_rmb*)
		echo "follows rcu_dereference() of the filter, which weak.h treats as an acquire" ;;
	allow.c:allow_list_holds:*rcu_dereference*)
		echo "plain accesses to the list, not modelled; fences around it order others" ;;
	filter.c:filter_report:*test_and_clear_bit*)
		echo "a bit that selects an event; the event carries only statistics" ;;
	filter.c:seen_filter_set_feed:*rcu_assign_pointer* | \
	filter.c:seen_filter_feed:*rcu_dereference_check*)
		echo "plain accesses to the feed, not modelled" ;;
	allow.c:allow_has_come:*smp_rmb*)
		echo "a lookup in a map ends with a barrier of its own, unless it took locks" ;;
	map_rehash.c:map_rehash_publish:*"&set->table"*)
		echo "the data was stored earlier under the same lock" ;;
	*) return 1 ;;
	esac
}

# run TEST CASE [SITE]: prints the result line of the case. The search has no limit: it is
# complete, or there is no result.
run() {
	env -u STATES -u SITE -u CASE WEAK=1 CASE="$2" ${3:+SITE="$3"} \
		"build/core/gcc/step_$1" >"$lib_dir/out" 2>"$lib_dir/err"
	grep -E "^(not )?ok $2 - " "$lib_dir/out"
}

# holds TEST CASE: runs the case and records the orderings that it executed.
holds() {
	local line

	line=$(run "$1" "$2")
	if [[ ! $line =~ ^ok\ .*:\ ([1-9][0-9]*)\ states, ]]; then
		echo "case $2: ${line:-no result: $(tail -qn 1 \
			"$lib_dir/out" "$lib_dir/err")}"
		return 1
	fi
	((states += BASH_REMATCH[1], ++cases))
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

# is_missed TEST SITE: a case that executes this ordering fails without it.
is_missed() {
	local case list

	mapfile -t list < <(awk -v t="$1" -v s="$2" \
		'$1 == t && $2 == s { print $3 }' "$lib_dir/sites")
	for case in "${list[@]}"; do
		[[ $(run "$1" "$case" "$2") != "not ok"* ]] || return 0
	done
	return 1
}

# Removes one ordering: one of the tests that execute it must fail.
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

# cases_of TEST: the number of cases in the test's plan.
cases_of() {
	env -u STATES -u SITE WEAK=1 CASE=999999 "build/core/gcc/step_$1" |
		sed -n 's/^1\.\.//p'
}

every_case() {
	local test

	for test in $(cut -f1 <<<"$table") $long_only; do
		printf '%s\t%s\n' "$test" "$(seq -s' ' "$(cases_of "$test")")"
	done
}

[ -z "${LONG:-}" ] || table=$(every_case)
plan $(($(wc -l <<<"$table") + 3))
while IFS=$'\t' read -r test list; do
	hold "$test" "$list" >"$lib_dir/failed" || echo failed >>"$lib_dir/failed"
	is "step_$test" "$(<"$lib_dir/failed")" ""
done <<<"$table"
is "each case has run" "$cases" "$(cut -f2 <<<"$table" | wc -w)"
survivors=
# Orderings in the tests and in the fake kernel model code that is not part of this project.
mapfile -t sites < <(cut -d' ' -f2 "$lib_dir/sites" | grep -vE '^(step_|rhashtable)' | sort -u)
between "number of orderings executed" ${#sites[@]} $SITES_MIN $SITES_MAX
for site in "${sites[@]}"; do
	without "$site" >"$lib_dir/why" || survivors+=" $site"
	[ ! -s "$lib_dir/why" ] || note "$site: $(<"$lib_dir/why")"
done
is "without any one of these orderings, a case fails" "$survivors" ""
figure "weak memory: $cases cases of the real code, $states states;" \
	"$killed of $((killed + spared)) orderings are detected as missing, $spared need not be"

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Three caches of nginx exchange filters of their content: each page that one of them has stored
# comes from there, and the share of useless queries keeps to the false-positive rate. The page is
# Documentation/scenarios/caches.md.
#
#	$lan br0 --- eth1 of $cache1 (with Redis), $cache2, $cache3, eth0 of $origin

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../net/helpers/lib.sh"
. "$(dirname "$0")/../net/helpers/page.sh"
. "$(dirname "$0")/../net/helpers/fleet.sh"
command -v nginx >/dev/null || skip_all "nginx is not installed"

# Pages of each cache, pages that another cache fetches there, and pages that nobody has; requests
# by HTTP, and questions to the filters alone. The filters of the page have room for 200.
OWN=(190 150 50) SHARED=40
ALL=$((OWN[0] + OWN[1] + OWN[2]))
ABSENT=$(long 100 3000)
QUESTIONS=$(long 20000 200000)
RATE=0.01

plan 41
cache1='' cache2='' cache3='' origin='' lan=''
server cache1 cache2 cache3
caches=("$cache1" "$cache2" "$cache3")
ns origin lan
br "$lan" br0
number=0
for host in "${caches[@]}"; do
	veth "$host" eth1 "$lan" "l$((++number))"
	ip -n "$lan" link set l$number master br0
	addr "$host" eth1 10.0.0.$number/24
	printf '10.0.0.%d cache%d\n' 1 1 2 2 3 3 >>"$lib_dir/cache$number.root/etc/hosts"
done
veth "$origin" eth0 "$lan" l9
ip -n "$lan" link set l9 master br0
addr "$origin" eth0 10.0.0.9/24
for host in "${caches[@]}"; do
	link_up "$host" eth1
done
background at "$origin" python3 "$helpers/origin.py" 10.0.0.9 8000 >"$lib_dir/origin.log"
# The example lies where the package has it.
install -D -m755 -t /usr/share/doc/seen/examples "$(dirname "$0")/../examples/siblings.py"
mkdir -p /usr/local/bin

# get CACHE URL: prints the pages; a URL may have ranges such as [1-9].
get() {
	at "$1" curl -s "http://127.0.0.1$2"
}

# pages FOLDER COUNT: prints their paths.
pages() {
	seq -f "/$1/%.0f" "$2"
}

# knows CACHE OTHER FOLDER COUNT: the filter of the other cache has these pages here.
knows() {
	pages "$3" "$4" | at "$1" seenctl key test "pages.$2" - >/dev/null
}

# misses NUMBER FOLDER: what siblings.py of this cache has printed about pages of the folder.
misses() {
	grep "^/$2/" "$lib_dir/cache$1.root/var/log/siblings.log"
}

# queries NUMBER FOLDER: prints the number of pages, of queries to other caches, and of those
# queries that found nothing.
queries() {
	misses "$1" "$2" | awk '
		{ pages++; n = $2 == "-" ? 0 : split($2, asked, ",")
		  queries += n; useless += n - ($3 != "origin") }
		END { print pages + 0, queries + 0, useless + 0 }'
}

# --- the page -----------------------------------------------------------------------

document=$(cd "$(dirname "$0")/../Documentation/scenarios" && pwd)/caches.md
page "$document"
page_on "a folder for keys" "${caches[@]}"
page_step "$cache1" "Redis"
page_step "$cache1" "a filter, its secret and a seal"
copy_to "$cache1" redis.password pages.secret pages.seal "$cache2" "$cache3"
page_on "the same filter" "$cache2" "$cache3"
hosts='' next=$page_next
for host in "${caches[@]}"; do
	page_next=$next
	page_step "$host" "a key, on ${host%-*}"
	hosts+=$page_out$'\n'
done
page_on "the configuration" "${caches[@]}"
for host in "${caches[@]}"; do
	at "$host" tee -a /etc/seen/fleet.conf <<<"$hosts" >/dev/null
done
page_on "seend" "${caches[@]}"
page_on "nginx is configured" "${caches[@]}"
page_on "nginx starts" "${caches[@]}"
page_step "$cache1" "a page from the origin"
page_step "$cache2" "the same page from cache1"
match "cache2 has asked cache1" "$(tail -n 1 "$lib_dir/cache2.root/var/log/siblings.log")" \
	"^/page-0 cache1 cache1$"
page_end

# --- content ------------------------------------------------------------------------

pids=()
for number in 1 2 3; do
	get "${caches[number - 1]}" "/$number/[1-${OWN[number - 1]}]" >"$lib_dir/got$number" &
	pids+=($!)
done
join "each cache gets pages" "${pids[@]}"
is "they are right" "$(cat "$lib_dir"/got[123] | sort | uniq | wc -l)" $ALL
for number in 1 2 3; do
	pages $number "${OWN[number - 1]}"
done | sort >"$lib_dir/all"
is "each page came from the origin, once" \
	"$(grep '^/[123]/' "$lib_dir/origin.log" | sort | diff - "$lib_dir/all")" ""
for number in 1 2 3; do
	other=${caches[number % 3]}
	check "${other%-*} knows the pages of cache$number" \
		await 120 knows "$other" cache$number $number "${OWN[number - 1]}"
done
is "cache2 gets pages of cache1" \
	"$(get "$cache2" "/1/[1-$SHARED]" | diff - <(pages 1 $SHARED | sed 's/^/page /'))" ""
is "each of them from cache1, or from another cache that may have it" \
	"$(misses 2 1 | awk '$3 != "cache1"')" ""
is "the origin is not asked again" "$(grep -c '^/[123]/' "$lib_dir/origin.log")" $ALL

# --- false positives ----------------------------------------------------------------

get "$cache3" "/none/[1-$ABSENT]" >/dev/null
read -r pages queries useless < <(queries 3 none)
is "pages that nobody has" "$pages" "$ABSENT"
is "every query for them is useless" "$queries" "$useless"
between "useless queries of $((2 * ABSENT)) at a promised rate of $RATE" \
	"$useless" 0 "$(most $((2 * ABSENT)) $RATE)"

pages absent "$QUESTIONS" | at "$cache3" seenctl -j fleet ask pages - >"$lib_dir/answers"
wrong=$(jq '[.[].hosts[] | select(. != "cache3")] | length' "$lib_dir/answers")
between "useless queries of $((2 * QUESTIONS)), by the filters alone" \
	"$wrong" 1 "$(most $((2 * QUESTIONS)) $RATE)"
figure "caches: $useless of $((2 * ABSENT)) and $wrong of $((2 * QUESTIONS)) queries were useless;" \
	"the promised rate is $RATE"
at "$cache3" seenctl filter show | sed 's/^/# /'

at "$cache2" systemctl stop seend
is "without seend a page comes from the origin" "$(get "$cache2" /3/1)" "page /3/1"
match "and no cache is asked" "$(misses 2 3)" "^/3/1 - origin$"

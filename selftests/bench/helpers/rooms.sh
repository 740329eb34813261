# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Sourced after ../../lib.sh by kernel.sh: rooms, which are network namespaces with one
# rule each in the first chain that a packet comes to, and runs of packets in them.
#
#	room ROW TOOL		makes one, which is known as ROW/TOOL
#	run ROW/TOOL CASE ...	packets through it, judged by the rule's own counter

control=/sys/kernel/debug/seen_bench
declare -A rooms=() filters=() wrong=()
# As of the last look: what the rule has matched, what the filter was asked, and how often
# packets have gone round, each time in another order.
declare -A hit=() asked=() ruled=() turns=()
order=()

# The room that is being furnished, and its tool: iptables-legacy, iptables-nft or nft.
here='' tool=''

# room ROW TOOL
room() {
	local var=room${#rooms[@]}

	tool=$2
	ns "$var"
	here=${!var}
	rooms[$1/$2]=$here
	order+=("$1/$2")
	hit[$1/$2]=0 asked[$1/$2]=0 turns[$1/$2]=0
	ip -n "$here" link add bench0 up type dummy
}

# filter ARG...: the filter f of this room.
filter() {
	at "$here" seenctl filter add f "$@" key src || exit 1
	filters[${order[-1]}]=1
}

# A chain that has no rule yet.
chain() {
	case $tool in
	nft)	at "$here" nft -f - <<-END ;;
		table ip bench {
			chain raw { type filter hook prerouting priority raw; }
		}
		END
	# The table comes with the first look, or the first rule.
	*)	at "$here" "$tool" -t raw -A PREROUTING &&
			at "$here" "$tool" -t raw -F ;;
	esac || exit 1
}

# rule ARG...: the first, and instead of that another one: what both use stays.
rule() {
	local how=(-A PREROUTING)

	[ -z "${ruled[$here]:-}" ] || how=(-R PREROUTING 1)
	case $tool in
	nft)	at "$here" nft add rule ip bench raw "$@" counter ;;
	*)	at "$here" "$tool" -t raw "${how[@]}" "$@" ;;
	esac || exit 1
	ruled[$here]=1 hit[${order[-1]}]=0
}

# nft_set DECLARATION: the set s of the room's table.
nft_set() {
	at "$here" nft add set ip bench s "{ $*; }" || exit 1
}

# matched ROOM: packets that its rule has counted. Of less than the whole ruleset nft
# would read all elements first.
matched() {
	local text

	case $1 in
	*/nft)	text=$(at "${rooms[$1]}" nft -t list ruleset)
		[[ $text =~ counter\ packets\ ([0-9]+) ]] ;;
	*)	text=$(at "${rooms[$1]}" "${1#*/}" -t raw -vS PREROUTING)
		[[ $text =~ -A\ .*\ -c\ ([0-9]+) ]] ;;
	esac || return
	echo "${BASH_REMATCH[1]}"
}

# lookups ROOM: of its filter.
lookups() {
	local text

	text=$(at "${rooms[$1]}" seenctl -s filter show f)
	[[ $text =~ lookups\ ([0-9]+) ]] && echo "${BASH_REMATCH[1]}"
}

# set_run NAME=VALUE...: files of the module.
set_run() {
	local item

	for item; do
		echo "${item#*=}" >"$control/${item%%=*}" || exit 1
	done
}

# loop ROOM NAME: runs, and prints what it took, which is something on each CPU.
loop() {
	local out

	# shellcheck disable=SC2016 # the other shell expands it
	out=$(at "${rooms[$1]}" bash -c 'echo "$1" >"$2" && cat "$2"' - "$2" \
		"$control/run") || return
	echo "$out"
	[[ $out =~ \"ns\":\[([0-9,]+)\] && ,${BASH_REMATCH[1]}, != *,0,* ]]
}

# tell WHAT NAME=VALUE... JSON: a line of results.
tell() {
	local what=$1 item line

	line="\"what\":\"$what\""
	for item in "${@:2:$#-2}"; do
		line+=",\"${item%%=*}\":\"${item#*=}\""
	done
	echo "# json: {$line,\"run\":${*: -1}}"
}

# complain ROOM TEXT: shown in its result at the end.
complain() {
	wrong[$1]+="$2; "
}

# due ROOM CASE PACKETS: how many its rule may count: the least and the most. A filter
# may call what it has not seen seen, at its rate, and drops none that it has.
due() {
	case $2:${filters[$1]:-} in
	seen:* | store:) echo "$3 $3" ;;
	absent:)	echo "0 0" ;;
	*)		echo "0 $(($3 / 50 + 1))" ;;
	esac
}

# judge ROOM CASE PACKETS
judge() {
	local name=$1 case=$2 packets=$3 was least most

	was=${hit[$name]} hit[$name]=$(matched "$name")
	read -r least most < <(due "$name" "$case" "$packets")
	((hit[$name] - was >= least && hit[$name] - was <= most)) ||
		complain "$name" "$case: $((hit[$name] - was)) of $packets matched"
	[ -n "${filters[$name]:-}" ] || return
	was=${asked[$name]} asked[$name]=$(lookups "$name")
	((asked[$name] - was == packets)) ||
		complain "$name" "$case: $((asked[$name] - was)) of $packets asked about"
}

# run ROOM CASE [NAME=VALUE...]: CASE says what packets are to the rule there: seen,
# absent, or store (none has been seen, and each is stored). Nobody is asked in the order
# in which tables were filled, nor in that of the time before, which is the order of the
# list that recent keeps.
run() {
	local name=$1 case=$2 out first=$((10 << 24)) turn=0

	shift 2
	[ "$case" = store ] || turn=$((++turns[$name]))
	[ "$case" != absent ] || first=$((172 << 24))
	set_run "first=$first" "turn=$turn" "$@"
	if ! out=$(loop "$name" prerouting) ||
			! [[ $out =~ \"accepted\":([0-9]+) ]]; then
		complain "$name" "$case: it does not run"
		return
	fi
	tell packet "row=${name%/*}" "tool=${name#*/}" "case=$case" "round=$round" "$out"
	[[ $name = base* ]] || judge "$name" "$case" "${BASH_REMATCH[1]}"
}

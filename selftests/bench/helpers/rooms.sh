# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Sourced after ../../lib.sh by kernel.sh. A "room" is a network namespace with one rule in the
# first chain that packets reach. Functions here make rooms and send packets through them.
#
#	room ROW TOOL		makes a room with the name ROW/TOOL
#	run ROW/TOOL CASE ...	sends packets through it and checks the rule's own counter

control=/sys/kernel/debug/seen_bench
declare -A rooms=() filters=() wrong=()
# Counters at the last look: matches of the rule, lookups of the filter; and the number of runs,
# each of which uses another order of addresses.
declare -A hit=() asked=() ruled=() turns=()
order=()

# The room that is being set up, and its tool: iptables-legacy, iptables-nft or nft.
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

# filter ARG...: adds the filter f of this room.
filter() {
	at "$here" seenctl filter add f "$@" key src || exit 1
	filters[${order[-1]}]=1
}

# Makes a chain without a rule.
chain() {
	case $tool in
	nft)	at "$here" nft -f - <<-END ;;
		table ip bench {
			chain raw { type filter hook prerouting priority raw; }
		}
		END
	# The table is created by the first command for it.
	*)	at "$here" "$tool" -t raw -A PREROUTING &&
			at "$here" "$tool" -t raw -F ;;
	esac || exit 1
}

# rule ARG...: adds the rule, or replaces it; objects that both rules use are kept.
rule() {
	local how=(-A PREROUTING)

	[ -z "${ruled[$here]:-}" ] || how=(-R PREROUTING 1)
	case $tool in
	nft)	at "$here" nft add rule ip bench raw "$@" counter ;;
	*)	at "$here" "$tool" -t raw "${how[@]}" "$@" ;;
	esac || exit 1
	ruled[$here]=1 hit[${order[-1]}]=0
}

# nft_set DECLARATION: adds the set s to the room's table.
nft_set() {
	at "$here" nft add set ip bench s "{ $*; }" || exit 1
}

# matched ROOM: prints the packets that its rule has counted. nft lists the whole ruleset: for a
# part of it, nft would first read all elements.
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

# lookups ROOM: prints the number of lookups of its filter.
lookups() {
	local text

	text=$(at "${rooms[$1]}" seenctl -s filter show f)
	[[ $text =~ lookups\ ([0-9]+) ]] && echo "${BASH_REMATCH[1]}"
}

# set_run NAME=VALUE...: writes the module's files in debugfs.
set_run() {
	local item

	for item; do
		echo "${item#*=}" >"$control/${item%%=*}" || exit 1
	done
}

# loop ROOM NAME: runs a loop and prints its times; fails unless each CPU has taken some time.
loop() {
	local out

	# shellcheck disable=SC2016 # the other shell expands it
	out=$(at "${rooms[$1]}" bash -c 'echo "$1" >"$2" && cat "$2"' - "$2" \
		"$control/run") || return
	echo "$out"
	[[ $out =~ \"ns\":\[([0-9,]+)\] && ,${BASH_REMATCH[1]}, != *,0,* ]]
}

# Prints a line of results. Arguments: WHAT NAME=VALUE... JSON.
tell() {
	local what=$1 item line

	line="\"what\":\"$what\""
	for item in "${@:2:$#-2}"; do
		line+=",\"${item%%=*}\":\"${item#*=}\""
	done
	echo "# json: {$line,\"run\":${*: -1}}"
}

# complain ROOM TEXT: adds an error that is shown in the room's result.
complain() {
	wrong[$1]+="$2; "
}

# due ROOM CASE PACKETS: prints the least and the most packets that its rule may count. A filter
# may have false positives at its rate, and no false negatives.
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

# run ROOM CASE [NAME=VALUE...]: CASE states what the packets are to the rule: seen, absent, or
# store (all are absent, and are stored). Addresses are never looked up in the order in which
# tables were filled, nor in the order of the run before, which is the order of recent's list.
run() {
	local name=$1 case=$2 out first=$((10 << 24)) turn=0

	shift 2
	[ "$case" = store ] || turn=$((++turns[$name]))
	[ "$case" != absent ] || first=$((172 << 24))
	set_run "first=$first" "turn=$turn" "$@"
	if ! out=$(loop "$name" prerouting) ||
			! [[ $out =~ \"accepted\":([0-9]+) ]]; then
		complain "$name" "$case: the loop fails"
		return
	fi
	tell packet "row=${name%/*}" "tool=${name#*/}" "case=$case" "round=$round" "$out"
	[[ $name = base* ]] || judge "$name" "$case" "${BASH_REMATCH[1]}"
}

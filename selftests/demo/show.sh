# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Sourced by demo.sh with its arguments: functions that print texts and pictures.

bold='' green='' red='' plain=''
if [ "${2:-}" = colour ]; then
	bold=$'\e[1m' green=$'\e[32m' red=$'\e[31m' plain=$'\e[m'
fi

say() {
	note "$*"
}

title() {
	note ""
	note "$*"
}

# shellcheck disable=SC2034 # lib.sh reads what plan sets
if [ "${1:-}" = show ]; then
	plan() {
		lib_planned=$1
	}

	note() {
		printf '%s\n' "$*" | sed 's/^/      /'
	}

	title() {
		printf '\n%s%s%s\n' "$bold" "$*" "$plain"
	}

	ok() {
		((++lib_run))
		echo "${green}ok${plain}    $*"
	}

	not_ok() {
		((++lib_run, ++lib_failed))
		echo "${red}FAIL${plain}  $*"
	}
fi

# run COMMAND...: runs the command and prints it as a user would type it.
run() {
	local word words=()

	say "# $*"
	for word in "$@"; do
		[ "$word" = sw ] && [ "${words[-1]}" = -n ] && word=$sw
		words+=("$word")
	done
	"${words[@]}" >"$lib_dir/out" 2>&1 ||
		not_ok "$* ($(cat "$lib_dir/out"))"
}

# pause SECONDS: only where a length of time is needed.
pause() {
	read -rt "$1" -u "$lib_never"
	true
}

# carried: the number of frames that the two links have carried so far, in both directions.
carried() {
	local link way count sum=0

	for link in l1 l2; do
		for way in rx tx; do
			read -r count </sys/class/net/$link/statistics/${way}_packets
			((sum += count))
		done
	done
	echo "$sum"
}

clock() {
	local up

	read -r up _ </proc/uptime
	echo "${up/./}"
}

# --- bars --------------------------------------------------------------------

samples=()	# frames per second, half a second each
stretches=()	# "first sample:text"
peak=1000

thousands() {
	sed -E ':a; s/^([0-9]+)([0-9]{3})/\1,\2/; ta' <<<"$1"
}

# bar VALUE LIMIT WIDTH: prints a horizontal bar, with a resolution of an eighth of a column.
bar() {
	local eighths=$(($1 * $3 * 8 / $2)) parts=('' ▏ ▎ ▍ ▌ ▋ ▊ ▉) full

	printf -v full '%*s' $((eighths / 8)) ''
	echo "${full// /█}${parts[eighths % 8]}"
}

# watch COUNT TEXT: samples the links COUNT times, every half second.
watch() {
	local i now since count last rate

	stretches+=("${#samples[@]}:$2")
	last=$(carried) since=$(clock)
	for ((i = 0; i < $1; i++)); do
		pause 0.5
		count=$(carried) now=$(clock)
		rate=$(((count - last) * 100 / (now - since)))
		last=$count since=$now
		samples+=("$rate")
		((rate <= peak)) || peak=$rate
		say "$(printf '%9s frames/s ' "$(thousands "$rate")")$(tint "$rate")$(bar "$rate" "$peak" 40)$plain"
	done
}

# A storm is red.
tint() {
	((100 * $1 < peak)) && echo "$green" || echo "$red"
}

# column SAMPLE ROW ROWS: the character for a sample in a row, counted from the lowest.
column() {
	local blocks=(' ' ▁ ▂ ▃ ▄ ▅ ▆ ▇ █) eighths

	eighths=$(($1 * 8 * $3 / peak - 8 * $2))
	((eighths >= 0)) || eighths=0
	((eighths <= 8)) || eighths=8
	((eighths || $2)) || eighths=1
	echo -n "${blocks[eighths]}"
}

picture() {
	local rows=5 row sample label line i number=0 at

	say "frames per second on the two links, half a second a column"
	for ((row = rows - 1; row >= 0; row--)); do
		label=''
		((row < rows - 1)) || label=$(thousands "$peak")
		((row)) || label=0
		line=$(for sample in "${samples[@]}"; do
			column "$sample" "$row" "$rows"
		done)
		say "$(printf '%9s' "$label") │$line"
	done
	line=''
	for i in "${stretches[@]}"; do
		at=${i%%:*}
		printf -v line "%-${at}s%s" "$line" $((++number))
	done
	say "           $line"
	number=0
	for i in "${stretches[@]}"; do
		say "           $((++number)) ${i#*:}"
	done
}

# --- numbers -----------------------------------------------------------------

rate_text() {
	awk -v n="${1:-0}" 'BEGIN { printf "%.2f Gbit/s", n / 1e9 }'
}

ratio() {
	awk -v a="${1:-0}" -v b="${2:-0}" 'BEGIN { printf "%.2f", b ? a / b : 0 }'
}

# event FILE: prints the event as `seenctl monitor` printed it.
event() {
	say "$(fold -sw 72 "$1" | sed 's/ *$//')"
}

# SPDX-License-Identifier: GPL-2.0
# offers.zsh FILE < LINES: what the completion function in FILE offers after each line, sorted. Stubs
# stand for the functions of zsh that only work while it completes.

setopt no_unset
compadd() {
	[[ $1 != -S ]] || shift 2
	offers+=("${(@P)2}")
}
_files() { offers+=("_files $*") }
# Both tests leave out the programs of this machine.
_command_names() { }
functions[complete_seenctl]=$(<$1)

while IFS= read -r line; do
	offers=() words=(seenctl ${=line} '') PREFIX=''
	CURRENT=$#words
	complete_seenctl
	print -rl -- "> $line" "${(@ou)offers}"
done

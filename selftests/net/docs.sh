#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Every command in the documents works: the blocks marked "sh run" of each
# document are run in order, in a namespace of the document's own, which has what
# the documents speak of:
#
#	eth0		a device, with a peer that is up
#	br0		a bridge with the ports eth1 and eth2
#
# Blocks marked "sh host" are for the machine that boots the guest (make ...), and
# are not run here. There is no third kind. The pages in scenarios/ are run by tests
# of their own, which have what each of them speaks of; so is backup.md, which speaks
# of two hosts.

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/helpers/page.sh"

cd "$(dirname "$0")" || exit
documents=(../README.md ../Documentation/*.md)
pages=(../Documentation/scenarios/*.md)
own=(backup.md)

# Shell that nobody runs.
unmarked() {
	! grep -Hn -E '^```(sh|bash|shell|console)' "${documents[@]}" "${pages[@]}" |
		grep -vE '```sh (run|host)$'
}

scene() {
	space='' far=''
	ns space far
	veth "$space" eth0 "$far" eth0
	veth "$space" eth1 "$far" eth1
	veth "$space" eth2 "$far" eth2
	br "$space" br0 eth1 eth2
}

steps=()
for document in "${documents[@]}"; do
	name=${document##*/}
	[[ " ${own[*]} " != *" $name "* ]] || continue
	mkdir "$lib_dir/$name"
	page_blocks "$document" "$lib_dir/$name"
	for step in "$lib_dir/$name"/*; do
		[ ! -e "$step" ] || steps+=("$step")
	done
done

plan $((${#steps[@]} + 2))
check "every block of shell says where it runs" unmarked
between "there are such blocks" ${#steps[@]} 5 1000
last=
for step in "${steps[@]}"; do
	document=${step%/*} document=${document##*/}
	if [ "$document" != "$last" ]; then
		[ -z "$last" ] || { ns_del "$space"; ns_del "$far"; }
		scene
		last=$document
	fi
	check "$document, line $((10#${step##*/}))" at "$space" bash -euo pipefail "$step"
done

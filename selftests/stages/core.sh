# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Sourced by ../check.sh: kmod/core in userspace. Where guests follow, its tests run
# beside them: in the time that guests leave the CPUs idle, and in no other, since
# guests must not notice.

core() {
	local log=$out/core.log idle=()

	make -C "$here/core" -j2 all >"$log" 2>&1 || {
		tail -n 30 "$log"
		fail "core: it does not build"
		return
	}
	[[ $stages != *" guest "* ]] || idle=(chrt --idle 0)
	"${idle[@]}" make -C "$here/core" check >"$log" 2>&1 &
	core=$!
	[ ${#idle[@]} != 0 ] || core_end
}

core_end() {
	local log=$out/core.log status=0 list

	wait "$core" || status=$?
	progress <"$log"
	mapfile -t list < <(make -s -C "$here/core" list)
	judge core "$log" $status "${list[@]/#/../build/core/}"
}

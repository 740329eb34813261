#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# ../report judges planted logs: a test that did not run to its end must not pass.

. "$(dirname "$0")/../lib.sh"
cd "$(dirname "$0")/.." || exit

# log NAME < the log that ./job would have written
log() {
	cat >"$lib_dir/$1.log"
}

# totals WHAT TOTALS STATUS NAME...: checks the last line and the status of a report of these logs.
totals() {
	local out status

	out=$(./report "${@:4}" 2>&1)
	status=$?
	is "$1" "$(tail -n1 <<<"$out"), $status" "$2, $3"
}

good="# begin a
1..1
ok 1 - x
# end a 0"
log good <<<"# job host a
$good
# status 0"
log twice <<<"# job uml-2 a a
$good
# status 0"
log bad <<<"# job host a
${good//ok 1/not ok 1}
# status 1"
log status <<<"# job host a
$good
# status 3"
log complaint <<<"# job uml-2 a
$good
vm: FAILED: the kernel complained: WARNING
# status 120"
log open <<<"# job host a
$good"
log nothing <<<"# job host
# status 0"
log skip <<<"# job host a
# begin a
1..0 # SKIP for no reason
# end a 0
# status 0"
log captures <<<"# job uml-1 net/captures.sh
# begin net/captures.sh
1..0 # SKIP no folder of captures
# end net/captures.sh 0
# status 0"
: | log empty

plan 11
l=$lib_dir
totals "one good result" "1 passed, 0 failed, 0 skipped" 0 "$l/good.log"
totals "a result is not ok" "0 passed, 1 failed, 0 skipped" 1 "$l/bad.log"
totals "a test was requested twice and ran once" "1 passed, 1 failed, 0 skipped" 1 "$l/twice.log"
totals "a status that no result explains" "1 passed, 1 failed, 0 skipped" 1 "$l/status.log"
totals "the kernel complained" "1 passed, 1 failed, 0 skipped" 1 "$l/complaint.log"
totals "a log without a status" "1 passed, 1 failed, 0 skipped" 1 "$l/open.log"
totals "a log that names no test" "0 passed, 1 failed, 0 skipped" 1 "$l/nothing.log"
totals "a log that does not exist" "1 passed, 1 failed, 0 skipped" 1 "$l/good.log" "$l/absent.log"
totals "an empty log" "1 passed, 1 failed, 0 skipped" 1 "$l/good.log" "$l/empty.log"
totals "a skip without a reason" "1 passed, 1 failed, 1 skipped" 1 "$l/good.log" "$l/skip.log"
totals "a skip with a reason" "1 passed, 0 failed, 1 skipped" 0 "$l/good.log" "$l/captures.log"

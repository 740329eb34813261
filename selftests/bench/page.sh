#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# A page can be made from the figures of the short benchmark. So the page of a long run will work.

. "$(dirname "$0")/../lib.sh"
cd "$(dirname "$0")/../.." || exit

plan 1
check "a page can be made of the figures" selftests/bench/report.py \
	build/check/uml-*2/bench/kernel.sh.log "$lib_dir/kernel.json" kernel=uml

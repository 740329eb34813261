#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The figures of the short benchmark make a page, so that those of a long one will.

. "$(dirname "$0")/../lib.sh"
cd "$(dirname "$0")/../.." || exit

plan 1
check "a page can be made of the figures" selftests/bench/report.py \
	build/check/uml-*2/bench/kernel.sh.log "$lib_dir/kernel.json" kernel=uml

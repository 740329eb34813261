#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Checks that the table of seen_plan() is equal to the output of its generator.

cd "$(dirname "$0")/../.." || exit
echo "TAP version 13"
echo "1..1"
if build/core/gcc/gen_plan_table | diff kmod/core/plan_table.h -; then
	echo "ok 1 - plan_table.h is what gen_plan_table prints"
else
	echo "not ok 1 - plan_table.h is what gen_plan_table prints"
fi

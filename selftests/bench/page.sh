#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The figures of the short kernel benchmark make a page, so those of a long run will, too.

. "$(dirname "$0")/../lib.sh"
cd "$(dirname "$0")/../.." || exit

# page: writes copies of the documents from the short run, and compares them with its CSV.
page() {
	cp Documentation/performance/kernel.md README.md "$lib_dir/" &&
		selftests/bench/report.py --page "$lib_dir/figures" "$lib_dir" "$lib_dir/README.md" &&
		selftests/bench/report.py --check "$lib_dir" "$lib_dir/README.md"
}

plan 3
check "figures are computed from the log" selftests/bench/report.py \
	build/check/uml-*2/bench/kernel.sh.log "$lib_dir/figures"
check "they make tables and a plot" page
between "the page has ratios" "$(grep -c '^| .*[0-9*–] |$' "$lib_dir/kernel.md")" 15 40

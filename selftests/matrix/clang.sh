#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# All userspace code builds with clang without a warning.

. "$(dirname "$0")/../lib.sh"
cd "$(dirname "$0")/../.." || exit

plan 2
to=$lib_dir
check "the tools" make -C tools -j2 CC="clang -Wall -Wextra -Werror" B="$to/tools"
check "the tests' helpers" make -C selftests/net/helpers -j2 \
	CC="clang -Wall -Wextra -Werror" OUT="$to/helpers" LIBSEEN="$to/tools/libseen.a"

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# `make demo`: runs the demo in a throw-away guest.

cd "$(dirname "$0")/../.." || exit
words=(show)
[ ! -t 1 ] || words+=(colour)
FILES="selftests/lib.sh selftests/demo" exec selftests/vm/vm.sh \
	/usr/bin/env demo/demo.sh "${words[@]}"

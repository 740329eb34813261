#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# gcov.sh: prints make's variables for modules that count which of their lines run. Counters are
# atomic, so that two CPUs lose no count. Inlining happens after instrumentation, so a line is
# counted in the function where it is written.

echo 'GCOV_PROFILE=y KCFLAGS="-fprofile-update=atomic -fno-early-inlining"'
